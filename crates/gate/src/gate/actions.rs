//! Entries about what people did to the gate itself (SPEC A7): modes, trust, rules, pauses, locks, installations.

use std::path::Path;

use serde_json::{Value, json};

use crate::store::{Record, Store, StoreError, Tip};

/// Something that changes how calls are judged.
#[derive(Clone, Debug)]
pub struct Action<'a> {
    /// What kind of entry it leaves: mode, trust, rule, pause, lock …
    pub kind: &'a str,
    /// Who did it, as the kernel names them.
    pub who: &'a str,
    /// Where they sat.
    pub place: &'a str,
    /// One sentence for people.
    pub message: String,
    /// The same as data.
    pub input: Value,
}

/// Records an action. Whoever loosens something does this first, and only then what it is about.
///
/// # Errors
/// If it cannot be recorded.
pub fn record_action(state: &Path, action: &Action<'_>, now_ms: u64) -> Result<Tip, StoreError> {
    let record = action.record(now_ms);
    Store::open(state)?.commit(|ledger| ledger.append(&record))
}

impl Action<'_> {
    /// The entry that it leaves.
    pub(super) fn record(&self, now_ms: u64) -> Record {
        let Action { kind, who, place, message, input } = self;
        Record {
            time_ms: now_ms,
            kind: (*kind).to_owned(),
            agent: "portcullis".to_owned(),
            layer: "person".to_owned(),
            reason: json!({ "type": "human", "word": "human", "who": who, "place": place }),
            message: message.clone(),
            input: portcullis_classify::redact_json(input),
            answered: "none".to_owned(),
            enforced: true,
            ..Record::default()
        }
    }
}
