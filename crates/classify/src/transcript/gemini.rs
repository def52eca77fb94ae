//! The chat files of Gemini CLI: one value with a list of messages, or a message a line.

use serde_json::{Value, json};

use super::machine::typed;
use super::seen::Seen;
use super::{Agent, Reader, Transcript, canonical_calls, fields};

/// What stands before the text of files that a prompt names: that text is not the user's.
const FILES: &str = "--- Content from referenced files ---";

pub(super) struct Gemini {
    cwd: String,
    /// How many calls of a message were taken: a message is written again when it has grown.
    taken: Seen<usize>,
}

impl Gemini {
    pub(super) fn new(cwd: &str) -> Gemini {
        Gemini { cwd: cwd.to_owned(), taken: Seen::default() }
    }
}

impl Reader for Gemini {
    fn take(&mut self, value: Value, transcript: &mut Transcript) -> bool {
        // The messages of a list come one by one.
        let about = ["$set", "$rewindTo", "projectHash"].iter().any(|field| value.get(field).is_some())
            || value.get("messages").is_some_and(Value::is_array);
        about || self.message(&value, transcript)
    }
}

impl Gemini {
    fn message(&mut self, message: &Value, transcript: &mut Transcript) -> bool {
        let id = text(message, "id");
        match text(message, "type").or(text(message, "role")) {
            Some("user") => {
                let again = id.is_some_and(|id| self.taken.insert(id, 0).is_some());
                let said = said(message.get("displayContent").or(message.get("content")));
                if let Some(said) = said.filter(|_| !again) {
                    transcript.push_human(said);
                }
            }
            Some("gemini" | "qwen" | "model") => self.calls(message, id, transcript),
            Some("info" | "error" | "warning" | "system") => {}
            Some(_) | None => return false,
        }
        true
    }

    fn calls(&mut self, message: &Value, id: Option<&str>, transcript: &mut Transcript) {
        let calls = message.get("toolCalls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let done = id.and_then(|id| self.taken.insert(id, calls.len())).unwrap_or_default();
        for call in calls.iter().skip(done) {
            let Some(name) = text(call, "name") else { continue };
            let input = call.get("args").cloned().unwrap_or_else(|| json!({}));
            for mut canonical in canonical_calls(Agent::Gemini, name, input, &self.cwd) {
                fields::without_folder(&mut canonical);
                canonical.id = text(call, "id").map(str::to_owned);
                transcript.push_call(canonical);
            }
        }
    }
}

/// What a user typed, of what a model is given.
pub(super) fn said(content: Option<&Value>) -> Option<String> {
    let whole = match content? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.as_str().or_else(|| text(part, "text")));
            texts.take_while(|text| !text.contains(FILES)).collect::<Vec<_>>().join("\n")
        }
        value @ Value::Object(_) => text(value, "text")?.to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => return None,
    };
    let own = whole.split_once(FILES).map_or(whole.as_str(), |(own, _)| own);
    typed(own)
}

fn text<'v>(value: &'v Value, field: &str) -> Option<&'v str> {
    value.get(field).and_then(Value::as_str)
}
