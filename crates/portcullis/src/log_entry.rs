//! Entries of the log in the shape that other programs rely on. Credentials were taken out when they were written; what
//! slipped through then is taken out now.

use std::collections::BTreeMap;

use portcullis_classify::{redact, redact_json};
use portcullis_gate::store::Entry;
use serde_json::{Value, json};

use crate::moment;

/// Which entries say of which that their answer did not reach the agent.
pub(crate) type Abandoned = BTreeMap<u64, u64>;

/// The shape that other programs rely on (J1, J5), with everything else that was written down.
pub(crate) fn as_json(entry: &Entry, abandoned: &Abandoned) -> Value {
    let record = &entry.record;
    let by = abandoned.get(&entry.seq);
    let mut value = json!({
        "seq": entry.seq,
        "time": moment::stamp(record.time_ms),
        "kind": record.kind,
        "session": record.session,
        "agent": record.agent,
        "worker": record.worker,
        "call_id": record.call_id,
        "tool": record.tool,
        "input": redact_json(&record.input),
        "cwd": record.cwd,
        "mode": record.mode,
        "decision": record.decision,
        "message": redact(&record.message),
        "reason": redact_json(&record.reason),
        "trace": redact_json(&record.trace),
        "layer": record.layer,
        "enforced": record.enforced,
        "answered": if by.is_some() { "abandoned" } else { record.answered.as_str() },
        "about": record.about,
        "stages": redact_json(&record.stages),
        "failure": record.failure,
        "prev": entry.prev,
        "hash": entry.hash,
    });
    if let (Some(input), Value::Object(fields)) = (&record.updated_input, &mut value) {
        fields.insert("updated_input".to_owned(), redact_json(input));
    }
    if let (Some(by), Value::Object(fields)) = (by, &mut value) {
        fields.insert("abandoned_by".to_owned(), json!(by));
    }
    value
}
