//! The settings that count, typed, each with where it stands. All are optional: what is not set has the
//! default that the schema names.

use portcullis_classify::Layout;
use portcullis_classify::settings::Api;
use portcullis_decide::{Extra, Mode, Origin, Rule};
use serde_json::Value;

use super::keep::Keep;
use super::merge::{SetAside, Shown, Standing};
use crate::problem::{Problem, Severity};

/// A value and where it was given.
#[derive(Clone, PartialEq, Debug)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub origin: Origin,
}

/// Everything that is set.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `permissions.defaultMode`.
    pub mode: Option<Placed<Mode>>,
    /// `permissions.additionalDirectories`, as written.
    pub additional_directories: Vec<Placed<String>>,
    /// `disableBypassPermissionsMode`, from whichever source.
    pub bypass_disabled: Option<Placed<bool>>,
    /// `disableAutoMode`, from whichever source.
    pub auto_disabled: Option<Placed<bool>>,
    /// `allowManagedPermissionRulesOnly`.
    pub managed_rules_only: Option<Placed<bool>>,
    /// `enforce`.
    pub enforce: Option<Placed<bool>>,
    /// `honourHostMode`.
    pub honour_host_mode: Option<Placed<Vec<String>>>,
    /// `autoMode`.
    pub auto_mode: AutoMode,
    /// `classifier`.
    pub classifier: Classifier,
    /// `remoteConfig.url`.
    pub remote_config_url: Option<Placed<String>>,
    /// `powershellAutoMode`.
    pub powershell_auto: Option<Placed<bool>>,
    /// `dangerousRules`.
    pub dangerous_rules: Option<Placed<Extra>>,
    /// `commandClassifier`.
    pub command_classifier: Option<Placed<bool>>,
    /// `workerAllowedTools`.
    pub worker_allowed_tools: Option<Placed<Vec<String>>>,
    /// `readClaudeCode`.
    pub read_claude_code: Option<Placed<bool>>,
    /// `log.keep`.
    pub log_keep: Option<Placed<Keep>>,
    /// `hooks`, as written, from every source that may give them.
    pub hooks: Vec<Placed<Value>>,
    /// A deny or ask rule may have been lost: whatever it could have meant is asked about.
    pub incomplete: bool,
    pub(super) rules: Vec<Rule>,
    pub(super) set_aside: Vec<SetAside>,
    pub(super) shown: Vec<Shown>,
}

/// `autoMode`: sentences for the classifier.
#[derive(Clone, Debug, Default)]
pub struct AutoMode {
    /// What belongs to the user.
    pub environment: Option<Placed<Vec<String>>>,
    /// What may pass.
    pub allow: Option<Placed<Vec<String>>>,
    /// What is blocked unless the user asked for it; from every source.
    pub soft_deny: Vec<Placed<Vec<String>>>,
    /// What is always blocked; from every source.
    pub hard_deny: Vec<Placed<Vec<String>>>,
    /// Who answers an ask rule.
    pub ask_rules: Option<Placed<AskRules>>,
    /// Whether only what is proven harmless passes without a model.
    pub strict: Option<Placed<bool>>,
}

/// Who answers an ask rule in auto mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskRules {
    /// A person.
    Human,
    /// The classifier.
    Classify,
}

/// `classifier`: how the model is asked.
#[derive(Clone, Debug, Default)]
pub struct Classifier {
    /// Which stages run.
    pub mode: Option<Placed<Stages>>,
    /// Which model.
    pub model: Option<Placed<String>>,
    /// Which model stands in for the agent's own, as it was fetched; it makes nobody ask a model.
    pub in_agents_place: Option<Placed<String>>,
    /// What happens where it cannot be reached.
    pub iron_gate: Option<Placed<IronGate>>,
    /// Seconds it may take.
    pub timeout: Option<Placed<f64>>,
    /// Which language its server speaks.
    pub api: Option<Placed<Api>>,
    /// Where its server is.
    pub base_url: Option<Placed<String>>,
    /// The environment variable that holds the key.
    pub key_env: Option<Placed<String>>,
    /// Other names under which it answers.
    pub answers_as: Option<Placed<Vec<String>>>,
    /// Whether it always thinks.
    pub always_thinks: Option<Placed<bool>>,
    /// Whether requests name a temperature.
    pub send_temperature: Option<Placed<bool>>,
    /// The temperature that requests name.
    pub temperature: Option<Placed<f64>>,
    /// Tokens on top for a model that always thinks.
    pub thinking_tokens: Option<Placed<u64>>,
    /// Tokens of the first stage before a second one.
    pub first_tokens: Option<Placed<u64>>,
    /// Tokens of the first stage alone.
    pub fast_tokens: Option<Placed<u64>>,
    /// Tokens of the second stage.
    pub second_tokens: Option<Placed<u64>>,
    /// Tokens of the conversation that it is shown at most.
    pub window: Option<Placed<u64>>,
    /// How the conversation is written down.
    pub transcript: Option<Placed<Layout>>,
    /// The proxy on the way.
    pub proxy: Option<Placed<String>>,
    /// Further certificates to trust.
    pub ca_file: Option<Placed<String>>,
}

/// Which stages of the classifier run (C10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stages {
    /// The quick one, and the thorough one where the first would block.
    Both,
    /// The quick one alone.
    Fast,
    /// The thorough one alone.
    Thinking,
}

/// What happens where the model cannot be reached (C12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IronGate {
    /// The call is denied.
    Closed,
    /// A person is asked.
    Open,
}

impl Settings {
    /// The rules that count.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Every value that was found, those that do not count included.
    #[must_use]
    pub fn values(&self) -> Vec<Shown> {
        self.shown.clone()
    }

    /// The rules that do not count.
    #[must_use]
    pub fn set_aside(&self) -> Vec<&Rule> {
        self.set_aside.iter().map(|aside| &aside.rule).collect()
    }

    /// The rules that do not count, each with the reason.
    #[must_use]
    pub fn set_aside_because(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// What is set and does not count, for people: one note for each file that waits for trust, one for each
    /// value from a place that may not give it.
    pub(super) fn notes(&self) -> Vec<Problem> {
        let mut notes: Vec<Problem> = Vec::new();
        let mut waiting: Vec<(&str, Vec<&str>)> = Vec::new();
        for shown in &self.shown {
            let file = shown.origin.file.as_deref().unwrap_or_default();
            match shown.standing {
                Standing::Untrusted => match waiting.iter_mut().find(|(known, _)| *known == file) {
                    Some((_, keys)) => keys.push(shown.key),
                    None => waiting.push((file, vec![shown.key])),
                },
                Standing::NotFromHere | Standing::NeverFromProject | Standing::OnlyTightens => {
                    notes.push(Problem {
                        file: shown.origin.file.clone(),
                        line: shown.origin.line,
                        column: shown.origin.column,
                        message: format!("`{}` has no effect: {}", shown.key, shown.standing.reason()),
                        severity: Severity::Warning,
                    });
                }
                Standing::InForce | Standing::Overridden | Standing::ManagedOnly => {}
            }
        }
        notes.extend(waiting.into_iter().map(|(file, keys)| Problem {
            file: Some(file.to_owned()),
            line: 0,
            column: 0,
            message: format!(
                "{} wait until the file is trusted; look at it with `portcullis trust`",
                quoted(&keys)
            ),
            severity: Severity::Note,
        }));
        notes
    }
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
