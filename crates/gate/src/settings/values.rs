//! The settings in force, typed, each with its origin. All are optional: for what is not set, the schema names the
//! default.

use std::collections::BTreeMap;

use portcullis_classify::settings::Api;
use portcullis_classify::transcript::Layout;
use portcullis_decide::Mode;
use portcullis_decide::detect::Level;
use portcullis_decide::rules::{Extra, Rule};
use serde_json::Value;

use super::keep::LogRetention;
use super::status::{FoundValue, InactiveRule, ValueStatus};
use crate::problem::{Problem, Severity};
use crate::with_origin::WithOrigin;

/// All settings in force; docs/settings.md explains each.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `permissions.defaultMode`.
    pub mode: Option<WithOrigin<Mode>>,
    /// `permissions.additionalDirectories`, as written.
    pub additional_directories: Vec<WithOrigin<String>>,
    /// `disableBypassPermissionsMode`, from whichever source.
    pub bypass_disabled: Option<WithOrigin<bool>>,
    /// `disableAutoMode`, from whichever source.
    pub auto_disabled: Option<WithOrigin<bool>>,
    /// `allowManagedPermissionRulesOnly`.
    pub managed_rules_only: Option<WithOrigin<bool>>,
    /// `enforce`.
    pub enforce: Option<WithOrigin<bool>>,
    /// `honourHostMode`.
    pub honour_host_mode: Option<WithOrigin<Vec<String>>>,
    /// `autoMode`.
    pub auto_mode: AutoMode,
    /// `classifier`.
    pub classifier: Classifier,
    /// `remoteConfig.url`.
    pub remote_config_url: Option<WithOrigin<String>>,
    /// `powershellAutoMode`.
    pub powershell_auto: Option<WithOrigin<bool>>,
    /// `dangerousRules`.
    pub dangerous_rules: Option<WithOrigin<Extra>>,
    /// `commandClassifier`.
    pub command_classifier: Option<WithOrigin<bool>>,
    /// `detectors`: what the user set single detectors to.
    pub detectors: BTreeMap<String, Level>,
    /// `workerAllowedTools`.
    pub worker_allowed_tools: Option<WithOrigin<Vec<String>>>,
    /// `readClaudeCode`.
    pub read_claude_code: Option<WithOrigin<bool>>,
    /// `log.keep`.
    pub log_keep: Option<WithOrigin<LogRetention>>,
    /// `hooks`, unparsed, from every source that may set them.
    pub hooks: Vec<WithOrigin<Value>>,
    /// Whether a deny or ask rule may have been lost; then every call it could have meant is asked about.
    pub incomplete: bool,
    pub(super) rules: Vec<Rule>,
    pub(super) inactive_rules: Vec<InactiveRule>,
    pub(super) shown: Vec<FoundValue>,
}

/// `autoMode`: sentences for the judge of auto mode, and its switches.
#[derive(Clone, Debug, Default)]
pub struct AutoMode {
    /// Facts about the surroundings.
    pub environment: Option<WithOrigin<Vec<String>>>,
    /// What is fine.
    pub allow: Option<WithOrigin<Vec<String>>>,
    /// What is blocked unless the user asked for it; from every source.
    pub soft_deny: Vec<WithOrigin<Vec<String>>>,
    /// What is blocked always; from every source.
    pub hard_deny: Vec<WithOrigin<Vec<String>>>,
    /// Who answers ask rules.
    pub ask_rules: Option<WithOrigin<AskRules>>,
    /// Whether only what is proven harmless passes without a model.
    pub strict: Option<WithOrigin<bool>>,
}

/// Who answers an ask rule in auto mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskRules {
    /// A person.
    Human,
    /// The classifier.
    Classify,
}

/// `classifier`: which model is asked, and how.
#[derive(Clone, Debug, Default)]
pub struct Classifier {
    /// The stages that run.
    pub mode: Option<WithOrigin<Stages>>,
    /// The model.
    pub model: Option<WithOrigin<String>>,
    /// A fetched model that replaces the agent's own where that would be asked; by itself it makes nobody ask a
    /// model.
    pub in_agents_place: Option<WithOrigin<String>>,
    /// What happens if the model cannot be reached.
    pub iron_gate: Option<WithOrigin<IronGate>>,
    /// The timeout in seconds.
    pub timeout: Option<WithOrigin<f64>>,
    /// The API that its server speaks.
    pub api: Option<WithOrigin<Api>>,
    /// The address of its server.
    pub base_url: Option<WithOrigin<String>>,
    /// The environment variable that holds the key.
    pub key_env: Option<WithOrigin<String>>,
    /// Other names under which the model answers.
    pub answers_as: Option<WithOrigin<Vec<String>>>,
    /// Whether the model always thinks.
    pub always_thinks: Option<WithOrigin<bool>>,
    /// Whether requests contain a temperature.
    pub send_temperature: Option<WithOrigin<bool>>,
    /// The temperature in requests.
    pub temperature: Option<WithOrigin<f64>>,
    /// Additional tokens for a model that always thinks.
    pub thinking_tokens: Option<WithOrigin<u64>>,
    /// Tokens of the first stage if a second can follow.
    pub first_tokens: Option<WithOrigin<u64>>,
    /// Tokens of the first stage alone.
    pub fast_tokens: Option<WithOrigin<u64>>,
    /// Tokens of the second stage.
    pub second_tokens: Option<WithOrigin<u64>>,
    /// The most tokens of the conversation that the model is shown.
    pub window: Option<WithOrigin<u64>>,
    /// The layout of the conversation in the request.
    pub transcript: Option<WithOrigin<Layout>>,
    /// The proxy to use.
    pub proxy: Option<WithOrigin<String>>,
    /// A file of further certificates to trust.
    pub ca_file: Option<WithOrigin<String>>,
}

/// Which stages of the classifier run (C10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stages {
    /// The quick one, then the thorough one if the first would block.
    Both,
    /// Only the quick one.
    Fast,
    /// Only the thorough one.
    Thinking,
}

/// What happens if the model cannot be reached (C12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IronGate {
    /// The call is denied.
    Closed,
    /// A person is asked.
    Open,
}

impl Settings {
    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Every value that was found, in force or not.
    #[must_use]
    pub fn values(&self) -> Vec<FoundValue> {
        self.shown.clone()
    }

    /// The rules that are not in force, with the reasons.
    #[must_use]
    pub fn inactive_rules(&self) -> &[InactiveRule] {
        &self.inactive_rules
    }

    /// What is set and does not count, for people: one note for each file that waits for trust, one for each
    /// value from a place that may not give it.
    pub(super) fn notes(&self) -> Vec<Problem> {
        let mut notes: Vec<Problem> = Vec::new();
        let mut waiting: Vec<(&str, Vec<&str>)> = Vec::new();
        for shown in &self.shown {
            let file = shown.origin.file.as_deref().unwrap_or_default();
            match shown.status {
                ValueStatus::Untrusted => match waiting.iter_mut().find(|(known, _)| *known == file) {
                    Some((_, keys)) => keys.push(shown.key),
                    None => waiting.push((file, vec![shown.key])),
                },
                ValueStatus::NotFromHere | ValueStatus::NeverFromProject | ValueStatus::OnlyTightens => {
                    notes.push(Problem {
                        file: shown.origin.file.clone(),
                        line: shown.origin.line,
                        column: shown.origin.column,
                        message: format!("`{}` has no effect: {}", shown.key, shown.status.reason()),
                        severity: Severity::Warning,
                    });
                }
                ValueStatus::InForce | ValueStatus::Overridden | ValueStatus::ManagedOnly => {}
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
