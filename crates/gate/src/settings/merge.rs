//! Merging of settings from several sources (SPEC R1, R11).
//!
//! For a value the first source that sets it counts: managed, command line, local, project, user. Rules of all
//! sources count together. What does not count is kept with the reason, so that nobody has to guess.

use portcullis_classify::settings::Api;
use portcullis_classify::transcript::Layout;
use portcullis_decide::rules::{Extra, Origin, Source};
use serde_json::Value;

use super::detectors;
use super::keep::LogRetention;
use super::keys::{Giver, Key, Meet, Shape};
use super::read::{Entry, Sheet};
use super::status::{FoundValue, InactiveRule, ValueStatus};
use super::trust::{is_never_given, mode};
use super::values::{AskRules, Classifier, IronGate, Settings, Stages};
use crate::with_origin::WithOrigin;

/// Puts the sheets together; the first counts most.
pub(crate) fn merge(sheets: &[Sheet]) -> Settings {
    let mut settings = Settings::default();
    let managed_only = managed_only(sheets);
    settings.incomplete = sheets.iter().any(|sheet| sheet.incomplete && (!managed_only || is_managed(sheet)));
    let strictest = strictest(sheets);
    for sheet in sheets {
        let weighed_later = |entry: &&Entry| sheet.source == Source::Remote && entry.key.is_weighed();
        for entry in sheet.entries.iter().filter(|entry| !weighed_later(entry)) {
            let taken =
                settings.shown.iter().any(|it| it.key == entry.key.name && it.status == ValueStatus::InForce);
            let mut status = status(sheet, entry, managed_only);
            let beaten = match entry.key.meet {
                Meet::First => taken,
                Meet::Join => false,
                Meet::Strictest => taken || rank(entry) < strictest_of(&strictest, entry.key),
            };
            if status == ValueStatus::InForce && beaten {
                status = ValueStatus::Overridden;
            }
            settings.place(sheet, entry, status);
        }
    }
    for sheet in sheets.iter().filter(|sheet| sheet.source == Source::Remote) {
        settings.tighten(sheet);
    }
    settings
}

/// Whether the administrator stands behind a sheet: it is managed, or fetched from an address that is.
fn is_managed(sheet: &Sheet) -> bool {
    sheet.source == Source::Managed || (sheet.source == Source::Remote && sheet.trusted)
}

fn managed_only(sheets: &[Sheet]) -> bool {
    let managed = sheets.iter().filter(|sheet| sheet.source == Source::Managed);
    let mut entries = managed.flat_map(|sheet| &sheet.entries);
    entries.find(|entry| entry.key.giver == Giver::Managed).is_some_and(|entry| entry.value == true)
}

/// How strict a value is, where the strictest counts.
fn rank(entry: &Entry) -> usize {
    match entry.key.shape {
        Shape::Choice(words) => words.iter().position(|word| entry.value == *word).unwrap_or_default(),
        Shape::Switch => usize::from(entry.value == true),
        Shape::Rules(_) | Shape::Mode | Shape::Folders | Shape::Flag => 0,
        Shape::Text | Shape::Texts | Shape::Seconds | Shape::Count => 0,
        Shape::Temperature | Shape::Keep | Shape::Raw | Shape::Detectors => 0,
    }
}

fn strictest(sheets: &[Sheet]) -> Vec<(&'static str, usize)> {
    let entries = sheets.iter().flat_map(|sheet| &sheet.entries);
    entries
        .filter(|entry| entry.key.meet == Meet::Strictest)
        .map(|entry| (entry.key.name, rank(entry)))
        .collect()
}

fn strictest_of(ranks: &[(&'static str, usize)], key: &Key) -> usize {
    ranks.iter().filter(|(name, _)| *name == key.name).map(|(_, rank)| *rank).max().unwrap_or_default()
}

fn status(sheet: &Sheet, entry: &Entry, managed_only: bool) -> ValueStatus {
    let repository = matches!(sheet.source, Source::Local | Source::Project);
    if !entry.key.accepts(sheet.source) {
        return ValueStatus::NotFromHere;
    }
    if repository && entry.key.shape == Shape::Mode && mode(&entry.value).is_some_and(is_never_given) {
        return ValueStatus::NeverFromProject;
    }
    if repository && entry.key.giver == Giver::AfterTrust && !sheet.trusted {
        return ValueStatus::Untrusted;
    }
    if managed_only && matches!(entry.key.shape, Shape::Rules(_)) && !is_managed(sheet) {
        return ValueStatus::ManagedOnly;
    }
    ValueStatus::InForce
}

impl Settings {
    pub(super) fn place(&mut self, sheet: &Sheet, entry: &Entry, status: ValueStatus) {
        let origin = sheet.origin(entry.place);
        let rules = entry.rules.iter().cloned();
        if status == ValueStatus::InForce {
            self.rules.extend(rules);
            self.set(sheet, entry, origin.clone());
        } else {
            self.inactive_rules.extend(rules.map(|rule| InactiveRule { rule, status }));
        }
        self.shown.push(FoundValue { key: entry.key.name, value: entry.value.clone(), origin, status });
    }

    fn set(&mut self, sheet: &Sheet, entry: &Entry, origin: Origin) {
        let value = &entry.value;
        match entry.key.name {
            "permissions.allow" | "permissions.ask" | "permissions.deny" => {}
            "permissions.defaultMode" => self.mode = placed(mode(value), origin),
            "permissions.additionalDirectories" => {
                let folders = texts(value).into_iter().zip(&entry.places);
                let placed = folders.map(|(value, place)| WithOrigin { value, origin: sheet.origin(*place) });
                self.additional_directories.extend(placed);
            }
            "permissions.disableBypassPermissionsMode" | "disableBypassPermissionsMode" => {
                self.bypass_disabled = placed(value.as_bool(), origin);
            }
            "permissions.disableAutoMode" | "disableAutoMode" => {
                self.auto_disabled = placed(value.as_bool(), origin);
            }
            "allowManagedPermissionRulesOnly" => self.managed_rules_only = placed(value.as_bool(), origin),
            "enforce" => self.enforce = placed(value.as_bool(), origin),
            "honourHostMode" => self.honour_host_mode = placed(Some(texts(value)), origin),
            "remoteConfig.url" => self.remote_config_url = placed(text(value), origin),
            "powershellAutoMode" => self.powershell_auto = placed(value.as_bool(), origin),
            "dangerousRules" => {
                let extra = if value == "extended" { Extra::SetAside } else { Extra::Keep };
                self.dangerous_rules = placed(Some(extra), origin);
            }
            "commandClassifier" => self.command_classifier = placed(value.as_bool(), origin),
            "workerAllowedTools" => self.worker_allowed_tools = placed(Some(texts(value)), origin),
            "readClaudeCode" => self.read_claude_code = placed(value.as_bool(), origin),
            "detectors" => detectors::join(&mut self.detectors, value),
            "log.keep" => self.log_keep = placed(LogRetention::from_json(value), origin),
            "hooks" => self.hooks.push(WithOrigin { value: value.clone(), origin }),
            name => self.set_judge(name, value, origin),
        }
    }

    /// The settings of those who judge: `autoMode` and `classifier`.
    fn set_judge(&mut self, name: &str, value: &Value, origin: Origin) {
        let (auto, classifier) = (&mut self.auto_mode, &mut self.classifier);
        match name {
            "autoMode.environment" => auto.environment = placed(Some(texts(value)), origin),
            "autoMode.allow" => auto.allow = placed(Some(texts(value)), origin),
            "autoMode.soft_deny" => auto.soft_deny.extend(placed(Some(texts(value)), origin)),
            "autoMode.hard_deny" => auto.hard_deny.extend(placed(Some(texts(value)), origin)),
            "autoMode.askRules" => {
                let who = if value == "classify" { AskRules::Classify } else { AskRules::Human };
                auto.ask_rules = placed(Some(who), origin);
            }
            "autoMode.strict" => auto.strict = placed(value.as_bool(), origin),
            "classifier.mode" => {
                let stages = match value.as_str() {
                    Some("fast") => Stages::Fast,
                    Some("thinking") => Stages::Thinking,
                    _ => Stages::Both,
                };
                classifier.mode = placed(Some(stages), origin);
            }
            "classifier.model" if origin.source == Source::Remote => {
                classifier.in_agents_place = placed(text(value), origin);
            }
            "classifier.model" => classifier.model = placed(text(value), origin),
            "classifier.ironGate" => {
                let gate = if value == "open" { IronGate::Open } else { IronGate::Closed };
                classifier.iron_gate = placed(Some(gate), origin);
            }
            "classifier.timeout" => classifier.timeout = placed(value.as_f64(), origin),
            name => classifier.set_server(name, value, origin),
        }
    }
}

impl Classifier {
    /// How the model's server is reached and what it is asked.
    fn set_server(&mut self, name: &str, value: &Value, origin: Origin) {
        match name {
            "classifier.api" => self.api = placed(value.as_str().and_then(Api::named), origin),
            "classifier.baseUrl" => self.base_url = placed(text(value), origin),
            "classifier.keyEnv" => self.key_env = placed(text(value), origin),
            "classifier.answersAs" => self.answers_as = placed(Some(texts(value)), origin),
            "classifier.alwaysThinks" => self.always_thinks = placed(value.as_bool(), origin),
            "classifier.sendTemperature" => self.send_temperature = placed(value.as_bool(), origin),
            "classifier.temperature" => self.temperature = placed(value.as_f64(), origin),
            "classifier.thinkingTokens" => self.thinking_tokens = placed(value.as_u64(), origin),
            "classifier.firstTokens" => self.first_tokens = placed(value.as_u64(), origin),
            "classifier.fastTokens" => self.fast_tokens = placed(value.as_u64(), origin),
            "classifier.secondTokens" => self.second_tokens = placed(value.as_u64(), origin),
            "classifier.window" => self.window = placed(value.as_u64(), origin),
            "classifier.transcript" => {
                let layout = if value == "text" { Layout::PlainText } else { Layout::JsonLines };
                self.transcript = placed(Some(layout), origin);
            }
            "classifier.proxy" => self.proxy = placed(text(value), origin),
            "classifier.caFile" => self.ca_file = placed(text(value), origin),
            // INVARIANT: every key of the table has its arm here or above; a test holds this to the table.
            name => debug_assert!(false, "`{name}` has no field"),
        }
    }
}

fn placed<T>(value: Option<T>, origin: Origin) -> Option<WithOrigin<T>> {
    value.map(|value| WithOrigin { value, origin })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}
