//! Entries about what people did to the gate itself (SPEC A7): modes, trust, rules, pauses, locks, installations.

use std::path::Path;

use serde_json::{Value, json};

use crate::store::{Record, Store, StoreError, Tip};

/// A change by a person to how calls are judged, as the audit log records it.
#[derive(Clone, Debug)]
pub struct Action<'a> {
    /// The kind of log entry: `mode`, `trust`, `rule`, `pause`, `lock`, …
    pub kind: &'a str,
    /// The user who did it, as the kernel names them.
    pub who: &'a str,
    /// The terminal they used; empty without one.
    pub place: &'a str,
    /// One sentence for people.
    pub message: String,
    /// The change as data. Credentials in it are redacted.
    pub input: Value,
}

/// Appends an action to the audit log. Record whatever loosens the gate before it takes effect, so that nothing is
/// loosened without a trace.
///
/// # Errors
/// If it cannot be recorded.
pub fn record_action(state: &Path, action: &Action<'_>, now_ms: u64) -> Result<Tip, StoreError> {
    let record = action.record(now_ms);
    Store::open(state)?.commit(|ledger| ledger.append(&record))
}

impl Action<'_> {
    /// The entry that it leaves.
    pub(crate) fn record(&self, now_ms: u64) -> Record {
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
