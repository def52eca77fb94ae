//! Settings of the classifier (SPEC C10, C12–C14), with their defaults. No file or environment is read here;
//! `portcullis-gate` fills them in.

use crate::failure::IronGate;
use std::path::PathBuf;
use std::time::Duration;

/// Which stages run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StageMode {
    /// The quick one, then the thorough one if the first does not say "do not block".
    #[default]
    Both,
    /// Only the quick one.
    Fast,
    /// Only the thorough one.
    Thinking,
}

impl StageMode {
    /// The mode of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<StageMode> {
        match name {
            "both" => Some(StageMode::Both),
            "fast" => Some(StageMode::Fast),
            "thinking" => Some(StageMode::Thinking),
            _ => None,
        }
    }
}

/// The API that a server speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Api {
    /// Anthropic Messages.
    Anthropic,
    /// `OpenAI` chat completions, which many servers speak.
    OpenAi,
}

impl Api {
    /// The API of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Api> {
        match name {
            "anthropic" => Some(Api::Anthropic),
            "openai" => Some(Api::OpenAi),
            _ => None,
        }
    }
}

/// Limits of output tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budgets {
    /// The first stage, if a second can follow.
    pub first: u32,
    /// The first stage alone.
    pub fast: u32,
    /// The second stage.
    pub second: u32,
    /// Additional tokens for a model that always thinks.
    pub thinking: u32,
}

impl Default for Budgets {
    fn default() -> Budgets {
        Budgets { first: 64, fast: 256, second: 4096, thinking: 2048 }
    }
}

/// The proxy between us and the server.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ProxyChoice {
    /// What `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` say.
    #[default]
    Environment,
    /// No proxy.
    None,
    /// This one, except for hosts in `NO_PROXY`.
    Address(String),
}

/// The default timeout of a verdict.
pub const TIMEOUT: Duration = Duration::from_secs(25);

/// The settings of the classifier.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassifierSettings {
    /// Which stages run.
    pub mode: StageMode,
    /// The model.
    pub model: String,
    /// Other names under which a server answers for the model; `*` for any, for servers that have only one.
    pub also_answers_as: Vec<String>,
    /// The API that the server speaks.
    pub api: Api,
    /// The address of the server.
    pub base_url: String,
    /// The environment variable that holds the key; `None` for servers without keys.
    pub key_env: Option<String>,
    /// The timeout of a whole verdict: both stages, all attempts and pauses.
    pub timeout: Duration,
    /// The limits of output tokens.
    pub budgets: Budgets,
    /// The temperature, if one is sent.
    pub temperature: Option<f64>,
    /// Whether the model always thinks; `None` to look its name up.
    pub always_thinks: Option<bool>,
    /// What happens if the model cannot be reached.
    pub iron_gate: IronGate,
    /// The proxy.
    pub proxy: ProxyChoice,
    /// A file of further certificates to trust.
    pub ca_file: Option<PathBuf>,
}

impl ClassifierSettings {
    /// The defaults for a model.
    #[must_use]
    pub fn new(api: Api, model: impl Into<String>) -> ClassifierSettings {
        let (base_url, key_env) = match api {
            Api::Anthropic => ("https://api.anthropic.com", "ANTHROPIC_API_KEY"),
            Api::OpenAi => ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        };
        ClassifierSettings {
            mode: StageMode::Both,
            model: model.into(),
            also_answers_as: Vec::new(),
            api,
            base_url: base_url.to_owned(),
            key_env: Some(key_env.to_owned()),
            timeout: TIMEOUT,
            budgets: Budgets::default(),
            temperature: Some(0.0),
            always_thinks: None,
            iron_gate: IronGate::Closed,
            proxy: ProxyChoice::Environment,
            ca_file: None,
        }
    }
}

/// The model to ask (SPEC C13): the environment's `PORTCULLIS_AUTO_MODE_MODEL`, else the setting, else the agent's
/// own model.
#[must_use]
pub fn choose_model<'a>(
    environment: Option<&'a str>,
    setting: Option<&'a str>,
    agents_own: Option<&'a str>,
) -> Option<&'a str> {
    [environment, setting, agents_own].into_iter().flatten().map(str::trim).find(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C13]
    #[test]
    fn the_environment_then_the_setting_then_the_agents_own_model() {
        assert_eq!(choose_model(Some("a"), Some("b"), Some("c")), Some("a"));
        assert_eq!(choose_model(Some(" "), Some("b"), Some("c")), Some("b"));
        assert_eq!(choose_model(None, None, Some("c")), Some("c"));
        assert_eq!(choose_model(None, Some(""), None), None);
    }

    /// [C10] [C12]
    #[test]
    fn the_defaults_are_the_contracts() {
        let settings = ClassifierSettings::new(Api::Anthropic, "m");
        assert_eq!(settings.mode, StageMode::Both);
        assert_eq!(settings.budgets, Budgets { first: 64, fast: 256, second: 4096, thinking: 2048 });
        assert_eq!((settings.temperature, settings.iron_gate), (Some(0.0), IronGate::Closed));
        assert_eq!(StageMode::named("thinking"), Some(StageMode::Thinking));
        assert_eq!((StageMode::named("Fast"), Api::named("openai")), (None, Some(Api::OpenAi)));
    }
}
