//! The plain form: `{"user": text, "origin"?}` and `{"tool", "input"}`.

use portcullis_decide::ToolCall;
use serde_json::{Value, json};

use super::{Entry, Origin, Reader, Transcript};

pub(super) struct Plain {
    cwd: String,
}

impl Plain {
    pub(super) fn new(cwd: &str) -> Plain {
        Plain { cwd: cwd.to_owned() }
    }
}

impl Reader for Plain {
    fn take(&mut self, value: Value, transcript: &mut Transcript) -> bool {
        // INVARIANT: a value that names a tool is a call, whatever else it says.
        if let Some(name) = value.get("tool").and_then(Value::as_str) {
            let cwd = value.get("cwd").and_then(Value::as_str).unwrap_or(&self.cwd);
            let Some(input) = input(name, value.get("input")) else { return false };
            transcript.push_call(ToolCall::new(name, input, cwd));
            return true;
        }
        let Some(text) = value.get("user").and_then(Value::as_str) else { return false };
        let origin = match value.get("origin") {
            None | Some(Value::Null) => Origin::Human,
            Some(Value::String(from)) if from == "human" => Origin::Human,
            Some(Value::String(from)) => Origin::Other(from.clone()),
            // FAIL-CLOSED(unreadable-origin): an origin that is not understood is not a person's.
            Some(_) => Origin::Other("unknown".to_owned()),
        };
        transcript.entries.push(Entry::User { text: text.to_owned(), origin });
        true
    }
}

/// The input as an object; a text stands for the one field that its tool is about.
fn input(tool: &str, input: Option<&Value>) -> Option<Value> {
    match input {
        Some(value @ Value::Object(_)) => Some(value.clone()),
        Some(Value::String(text)) => {
            let field = match tool {
                "Bash" | "PowerShell" => "command",
                "Read" | "Write" | "Edit" => "file_path",
                "WebFetch" => "url",
                "WebSearch" => "query",
                "Glob" | "Grep" => "pattern",
                "Agent" | "Task" => "prompt",
                _ => "input",
            };
            Some(json!({ field: text }))
        }
        None | Some(Value::Null) => Some(json!({})),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_)) => None,
    }
}
