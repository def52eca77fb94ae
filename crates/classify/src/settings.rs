//! What can be set about the model behind the classifier (SPEC C10, C12–C14), with the contract's defaults. It reads
//! no file and no environment: the gate fills it from sources that may count.

use crate::failure::IronGate;
use std::path::PathBuf;
use std::time::Duration;

/// Which stages run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StageMode {
    /// A quick look, and a second one if the first does not say "do not block".
    #[default]
    Both,
    /// The quick look alone.
    Fast,
    /// The second look alone.
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

/// The language a server speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Api {
    /// Anthropic Messages.
    Anthropic,
    /// `OpenAI` chat completions, and the many servers that speak it.
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

/// Output tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budgets {
    /// Stage 1 before a stage 2.
    pub first: u32,
    /// Stage 1 alone.
    pub fast: u32,
    /// Stage 2.
    pub second: u32,
    /// On top, for a model that always thinks.
    pub thinking: u32,
}

impl Default for Budgets {
    fn default() -> Budgets {
        Budgets { first: 64, fast: 256, second: 4096, thinking: 2048 }
    }
}

/// The way to the server.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ProxyChoice {
    /// What `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` say.
    #[default]
    Environment,
    /// Straight.
    None,
    /// Through this one, except for what `NO_PROXY` names.
    Address(String),
}

/// The time for a verdict where nothing is said.
pub const TIMEOUT: Duration = Duration::from_secs(25);

/// The settings of the model-backed classifier.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassifierSettings {
    /// Which stages run.
    pub mode: StageMode,
    /// The model.
    pub model: String,
    /// Other names under which a server answers for that model. `*` means any, for servers that hold only one.
    pub also_answers_as: Vec<String>,
    /// The language.
    pub api: Api,
    /// Where the server is.
    pub base_url: String,
    /// The environment variable that holds the key; servers of one's own may need none.
    pub key_env: Option<String>,
    /// The time for a whole verdict: both stages, every attempt, every pause.
    pub timeout: Duration,
    /// Output tokens.
    pub budgets: Budgets,
    /// The temperature, if requests are to name one.
    pub temperature: Option<f64>,
    /// Whether the model always thinks; what is known about its name if nothing is said.
    pub always_thinks: Option<bool>,
    /// What a failure leads to.
    pub iron_gate: IronGate,
    /// The way to the server.
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

/// The model to ask (SPEC C13): what `PORTCULLIS_AUTO_MODE_MODEL` says, then the setting, then the agent's own model.
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
