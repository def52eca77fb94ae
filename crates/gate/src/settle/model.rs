//! The model behind the classifier, as settings and environment configure it (SPEC C13, C14).

use std::path::PathBuf;
use std::time::Duration;

use portcullis_classify::client::{Client, Key};
use portcullis_classify::command::{CommandMatch, match_command};
use portcullis_classify::dump::{Dump, Kept};
use portcullis_classify::failure::{Failure, IronGate as Gate};
use portcullis_classify::policy::{AutoModeLists, Policy};
use portcullis_classify::prompt::{Prompt, Surroundings};
use portcullis_classify::redact;
use portcullis_classify::request::{Case, ProjectFile};
use portcullis_classify::settings::{Api, Budgets, ClassifierSettings, ProxyChoice, StageMode, choose_model};
use portcullis_classify::stages::{Judged, Outcome, StageRecord, classify};
use portcullis_classify::transcript::{Layout, Transcript};
use portcullis_decide::ToolCall;

use crate::settings::{IronGate, Settings, Stages, WithOrigin};

/// Tokens of the conversation that a model is shown unless a setting says otherwise.
const WINDOW: usize = 60_000;

/// A configured model that can be asked to judge calls.
pub struct Model {
    settings: ClassifierSettings,
    /// Nothing where the settings cannot be used; every verdict is then a failure.
    client: Option<Client>,
    policy: Policy,
    layout: Layout,
    window: usize,
    /// Where diagnostics go.
    dumps: Option<PathBuf>,
    keep: Kept,
}

/// Settings of the model from environment variables and from the agent.
#[derive(Clone, Debug, Default)]
pub struct ModelEnvironment {
    /// `PORTCULLIS_AUTO_MODE_MODEL`: the model to ask.
    pub model: Option<String>,
    /// The agent's own main model, if known.
    pub agents_own: Option<String>,
    /// `PORTCULLIS_DUMP_AUTO_MODE`: which exchanges are dumped.
    pub dump: Option<String>,
    /// The folder for dumps of exchanges.
    pub dumps: Option<PathBuf>,
}

impl ModelEnvironment {
    /// What this process's environment says.
    #[must_use]
    pub fn of_process(dumps: Option<PathBuf>) -> ModelEnvironment {
        let read = |name: &str| std::env::var(name).ok();
        ModelEnvironment {
            model: read("PORTCULLIS_AUTO_MODE_MODEL"),
            agents_own: None,
            dump: read("PORTCULLIS_DUMP_AUTO_MODE"),
            dumps,
        }
    }
}

impl Model {
    /// The model of the settings. `None` if none is configured or its key is missing.
    #[must_use]
    pub fn configured(settings: &Settings, environment: &ModelEnvironment) -> Option<Model> {
        let chosen = settings.classifier.model.as_ref().map(|model| model.value.as_str());
        let own = environment.agents_own.as_deref();
        let name = choose_model(environment.model.as_deref(), chosen, own)?;
        let mut asked = classifier_settings(settings, name);
        // What was fetched may stand in for the agent's own model, at the server where that would be asked (C13).
        let stands_in = choose_model(environment.model.as_deref(), chosen, None).is_none();
        if let Some(fetched) = settings.classifier.in_agents_place.as_ref().filter(|_| stands_in) {
            asked.model.clone_from(&fetched.value);
        }
        let key = Key::from_environment(&asked);
        if asked.key_env.is_some() && key.is_none() {
            return None;
        }
        let client = Client::new(&asked, key.as_ref()).ok();
        let classifier = &settings.classifier;
        Some(Model {
            settings: asked,
            client,
            policy: Policy::effective(&auto_mode_lists(settings)),
            layout: value(classifier.transcript.as_ref()).unwrap_or_default(),
            window: value(classifier.window.as_ref())
                .and_then(|it| usize::try_from(it).ok())
                .unwrap_or(WINDOW),
            dumps: environment.dumps.clone(),
            keep: Kept::asked(environment.dump.as_deref()),
        })
    }

    /// Its settings.
    #[must_use]
    pub const fn settings(&self) -> &ClassifierSettings {
        &self.settings
    }

    /// The title of a block rule of its policy.
    #[must_use]
    pub fn title(&self, id: &str) -> Option<String> {
        self.policy.block_rule(id).map(|rule| rule.title.clone())
    }

    /// What happens if it cannot be reached.
    #[must_use]
    pub const fn iron_gate(&self) -> Gate {
        self.settings.iron_gate
    }

    /// Asks the model whether a command matches rules in words, such as `Bash(prompt: run the tests)` (R8). Always
    /// returns.
    pub async fn match_command(&self, descriptions: &[String], call: &ToolCall) -> CommandMatch {
        // FAIL-CLOSED(classifier-setup): without a usable client nothing matches.
        let Some(client) = &self.client else { return CommandMatch::Failed(Failure::NotConfigured) };
        let Some(command) = call.text("command") else { return CommandMatch::No };
        let (matched, _) =
            match_command(client, &self.settings, descriptions, &redact(command), &call.cwd).await;
        matched
    }

    /// Asks the model to judge a call. Always returns; whatever goes wrong is a failure, never an allow.
    pub async fn judge(
        &self,
        call: &ToolCall,
        transcript: &Transcript,
        surroundings: &Surroundings,
        instructions: &[ProjectFile],
    ) -> Judged {
        let failed = |failure: Failure| Judged {
            outcome: Outcome::Failed(failure),
            stages: Vec::new(),
            prompt_version: portcullis_classify::prompt::VERSION,
            dump_problem: None,
        };
        // FAIL-CLOSED(classifier-setup): without a usable client or prompt nobody has said "do not block".
        let Some(client) = &self.client else { return failed(Failure::NotConfigured) };
        let Ok(prompt) = Prompt::new(self.policy.clone(), surroundings) else {
            return failed(Failure::NotConfigured);
        };
        let Ok(framed) = transcript.frame(call, self.layout, self.window) else {
            return failed(Failure::WindowExceeded);
        };
        let clean = |text: &str| redact(text).into_owned();
        let dump = self.dumps.as_ref().map(|folder| Dump {
            folder: folder.clone(),
            kept: self.keep,
            redact: &clean,
        });
        let case = Case { instructions, framed: &framed };
        classify(client, &self.settings, &prompt, case, dump.as_ref()).await
    }
}

/// The user's sentences in `autoMode`, as the policy of the model needs them.
#[must_use]
pub fn auto_mode_lists(settings: &Settings) -> AutoModeLists {
    let auto = &settings.auto_mode;
    let joined = |parts: &[WithOrigin<Vec<String>>]| {
        (!parts.is_empty()).then(|| parts.iter().flat_map(|part| part.value.clone()).collect())
    };
    AutoModeLists {
        environment: value(auto.environment.as_ref()),
        allow: value(auto.allow.as_ref()),
        soft_deny: joined(&auto.soft_deny),
        hard_deny: joined(&auto.hard_deny),
    }
}

fn value<T: Clone>(placed: Option<&WithOrigin<T>>) -> Option<T> {
    placed.map(|placed| placed.value.clone())
}

/// The settings under which a model of this name would be asked, whether or not there is a key for it.
#[must_use]
pub fn classifier_settings(settings: &Settings, model: &str) -> ClassifierSettings {
    let given = &settings.classifier;
    let api = value(given.api.as_ref()).unwrap_or(if model.contains("claude") {
        Api::Anthropic
    } else {
        Api::OpenAi
    });
    let mut asked = ClassifierSettings::new(api, model);
    asked.mode = match value(given.mode.as_ref()) {
        Some(Stages::Fast) => StageMode::Fast,
        Some(Stages::Thinking) => StageMode::Thinking,
        Some(Stages::Both) | None => StageMode::Both,
    };
    if let Some(url) = value(given.base_url.as_ref()) {
        asked.base_url = url;
    }
    if let Some(name) = value(given.key_env.as_ref()) {
        asked.key_env = Some(name).filter(|name| !name.is_empty());
    }
    if let Some(seconds) = value(given.timeout.as_ref()) {
        asked.timeout = Duration::try_from_secs_f64(seconds).unwrap_or(asked.timeout);
    }
    let tokens = |given: Option<&WithOrigin<u64>>, usual: u32| {
        value(given).and_then(|it| u32::try_from(it).ok()).unwrap_or(usual)
    };
    let usual = Budgets::default();
    asked.budgets = Budgets {
        first: tokens(given.first_tokens.as_ref(), usual.first),
        fast: tokens(given.fast_tokens.as_ref(), usual.fast),
        second: tokens(given.second_tokens.as_ref(), usual.second),
        thinking: tokens(given.thinking_tokens.as_ref(), usual.thinking),
    };
    if let Some(degrees) = value(given.temperature.as_ref()) {
        asked.temperature = Some(degrees);
    }
    if value(given.send_temperature.as_ref()) == Some(false) {
        asked.temperature = None;
    }
    asked.also_answers_as = value(given.answers_as.as_ref()).unwrap_or_default();
    asked.always_thinks = value(given.always_thinks.as_ref());
    asked.iron_gate = match value(given.iron_gate.as_ref()) {
        Some(IronGate::Open) => Gate::Open,
        Some(IronGate::Closed) | None => Gate::Closed,
    };
    asked.proxy = match value(given.proxy.as_ref()).as_deref() {
        None => ProxyChoice::Environment,
        Some("none" | "") => ProxyChoice::None,
        Some(address) => ProxyChoice::Address(address.to_owned()),
    };
    asked.ca_file = value(given.ca_file.as_ref()).map(PathBuf::from);
    asked
}

/// The tokens that all stages used: input, output, and input from the cache.
#[must_use]
pub fn token_totals(stages: &[StageRecord]) -> (u64, u64, u64) {
    stages.iter().fold((0, 0, 0), |(read, written, cached), stage| {
        let usage = &stage.usage;
        (read + usage.input, written + usage.output, cached + usage.cached)
    })
}
