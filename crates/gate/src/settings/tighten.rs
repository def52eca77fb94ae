//! What a fetched document may change (SPEC C12, C13): a value of it counts only where it is stricter than the one
//! that counts without it.
//!
//! | setting | stricter than what is in force |
//! | --- | --- |
//! | `ironGate` | `closed` than `open` |
//! | `mode` | `fast` or `thinking` than `both`, which passes what either stage would; they do not compare otherwise |
//! | `timeout` | a shorter one: no answer in time never allows |
//! | `model` | only in the place of the agent's own model, which is asked anyway |

use serde_json::Value;

use super::read::{Entry, Sheet};
use super::status::{FoundValue, ValueStatus};
use super::values::{Classifier, IronGate, Settings, Stages};

/// How a fetched value compares with the one that counts without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Weight {
    Stricter,
    Same,
    Looser,
}

impl Settings {
    /// Weighs the values of a fetched sheet against what all other sources say.
    pub(super) fn tighten(&mut self, sheet: &Sheet) {
        for entry in sheet.entries.iter().filter(|entry| entry.key.is_weighed()) {
            self.weigh(sheet, entry);
        }
    }

    fn weigh(&mut self, sheet: &Sheet, entry: &Entry) {
        let name = entry.key.name;
        let set = |shown: &&mut FoundValue| shown.key == name && shown.status == ValueStatus::InForce;
        let given = self.shown.iter_mut().find(set);
        let status = match (weight(name, &entry.value, &self.classifier), given) {
            (Weight::Stricter, Some(given)) => {
                given.status = ValueStatus::Overridden;
                ValueStatus::InForce
            }
            (Weight::Stricter | Weight::Same, None) => ValueStatus::InForce,
            (Weight::Same, Some(_)) => ValueStatus::Overridden,
            (Weight::Looser, _) => ValueStatus::OnlyTightens,
        };
        self.place(sheet, entry, status);
    }
}

fn weight(name: &str, value: &Value, given: &Classifier) -> Weight {
    match name {
        "classifier.ironGate" => {
            let open = given.iron_gate.as_ref().is_some_and(|gate| gate.value == IronGate::Open);
            match (value.as_str(), open) {
                (Some("closed"), true) => Weight::Stricter,
                (Some("closed"), false) => Weight::Same,
                // FAIL-CLOSED(remote-opens): only local settings open the gate.
                (_, _) => Weight::Looser,
            }
        }
        "classifier.mode" => {
            let stages = given.mode.as_ref().map_or(Stages::Both, |mode| mode.value);
            match (value.as_str(), stages) {
                (Some("fast" | "thinking"), Stages::Both) => Weight::Stricter,
                (Some("both"), Stages::Both)
                | (Some("fast"), Stages::Fast)
                | (Some("thinking"), Stages::Thinking) => Weight::Same,
                (_, _) => Weight::Looser,
            }
        }
        "classifier.timeout" => {
            let usual = portcullis_classify::settings::TIMEOUT.as_secs_f64();
            let seconds = given.timeout.as_ref().map_or(usual, |timeout| timeout.value);
            match value.as_f64() {
                Some(fetched) if fetched < seconds => Weight::Stricter,
                Some(fetched) if fetched <= seconds => Weight::Same,
                Some(_) | None => Weight::Looser,
            }
        }
        // A model named here could allow what the built-in judge asks about, so it makes nobody ask a model.
        "classifier.model" if given.model.is_none() => Weight::Same,
        _ => Weight::Looser,
    }
}
