//! The gate's own log: lines of `log --json`, or of `log --export`, where the entry is text in the field `body`.
//!
//! It holds calls of many sessions, and no words of the user.

use portcullis_decide::ToolCall;
use serde_json::Value;

use super::{Reader, Transcript};

pub(super) struct AuditLog {
    cwd: String,
}

impl AuditLog {
    pub(super) fn new(cwd: &str) -> AuditLog {
        AuditLog { cwd: cwd.to_owned() }
    }

    /// Whether a value is a line of the log.
    pub(super) fn wrote(value: &Value) -> bool {
        let has = |field: &str| value.get(field).is_some();
        has("portcullis_audit") || has("seq") && has("prev") && has("hash")
    }

    fn entry(&self, entry: &Value, transcript: &mut Transcript) -> bool {
        let (Some(kind), Some(tool), Some(input)) =
            (text(entry, "kind"), text(entry, "tool"), entry.get("input"))
        else {
            return false;
        };
        // Outcomes, grants and the like are about calls that have an entry of their own; a call that nobody waited for any
        // more has only that one.
        let own = kind == "abandoned" && entry.get("about").is_none_or(Value::is_null);
        if kind == "call" || own {
            let mut call = ToolCall::new(tool, input.clone(), text(entry, "cwd").unwrap_or(&self.cwd));
            call.id = text(entry, "call_id").map(str::to_owned);
            call.session = text(entry, "session").map(str::to_owned);
            call.agent = text(entry, "worker").map(str::to_owned);
            transcript.push_call(call);
        }
        true
    }
}

/// The entry itself, where a line of an export holds it as text.
pub(super) fn unwrapped(line: Value) -> Value {
    match text(&line, "body").map(crate::strict_from_str) {
        Some(Ok(entry)) => entry,
        // What is no entry is not understood later.
        Some(Err(_)) | None => line,
    }
}

impl Reader for AuditLog {
    fn take(&mut self, value: Value, transcript: &mut Transcript) -> bool {
        let frame = value.get("portcullis_audit").is_some() || value.get("end").is_some();
        frame || self.entry(&value, transcript)
    }
}

fn text<'v>(value: &'v Value, field: &str) -> Option<&'v str> {
    value.get(field).and_then(Value::as_str)
}
