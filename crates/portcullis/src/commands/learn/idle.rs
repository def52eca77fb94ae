//! Rules that decided nothing in the time that the log covers.

use portcullis_decide::rules::{List, Rule};
use portcullis_gate::settings::Loaded;
use portcullis_gate::store::Record;
use serde_json::Value;

/// A rule that no entry names.
pub(super) struct Idle {
    pub(super) rule: String,
    pub(super) list: List,
    /// Where it stands.
    pub(super) origin: String,
}

/// Looks for rules among what decided.
pub(super) struct Watch {
    /// Those that were not seen yet.
    waiting: Vec<Rule>,
}

impl Watch {
    /// Over all rules in force for the project.
    pub(super) fn over(loaded: &Loaded) -> Watch {
        Watch { waiting: loaded.settings.rules().to_vec() }
    }

    /// Takes note of what an entry names.
    pub(super) fn see(&mut self, record: &Record) {
        if self.waiting.is_empty() {
            return;
        }
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let parts = record.reason.get("parts").and_then(Value::as_array).into_iter().flatten();
        let mut named: Vec<(Option<String>, String)> = parts
            .filter_map(|part| Some((Some(List::Allow.name().to_owned()), text(part, "rule")?)))
            .collect();
        if let Some(rule) = text(&record.reason, "rule") {
            named.push((text(&record.reason, "list"), rule));
        }
        let is_named = |rule: &Rule| {
            let said = format!("`{}`", rule.text);
            let by_name = |(list, name): &(Option<String>, String)| {
                *name == rule.text && list.as_deref().is_none_or(|list| list == rule.list.name())
            };
            // A rule in words is named only in what was said.
            named.iter().any(by_name) || (rule.text.contains("(prompt:") && record.message.contains(&said))
        };
        self.waiting.retain(|rule| !is_named(rule));
    }

    /// Those that no entry named.
    pub(super) fn idle(self) -> Vec<Idle> {
        let one = |rule: Rule| Idle { origin: rule.origin.to_string(), list: rule.list, rule: rule.text };
        self.waiting.into_iter().map(one).collect()
    }
}
