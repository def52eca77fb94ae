//! The session files of Qwen Code: one JSON value a line, a message of the Gemini form in each, and who wrote it.

use serde_json::{Value, json};

use super::gemini::said;
use super::seen::Seen;
use super::{Agent, Reader, Transcript, canonical_calls, fields};

pub(super) struct Qwen {
    cwd: String,
    /// Lines that were taken: a session that was taken up again repeats them.
    seen: Seen,
}

impl Qwen {
    pub(super) fn new(cwd: &str) -> Qwen {
        Qwen { cwd: cwd.to_owned(), seen: Seen::default() }
    }

    /// Whether a value is a line of such a file: other agents have messages without parts.
    pub(super) fn wrote(value: &Value) -> bool {
        let parts = value.get("message").and_then(|message| message.get("parts"));
        value.get("uuid").is_some() && (parts.is_some() || value.get("systemPayload").is_some())
    }
}

impl Reader for Qwen {
    fn take(&mut self, line: Value, transcript: &mut Transcript) -> bool {
        if let Some(id) = text(&line, "uuid")
            && self.seen.again(id)
        {
            return true;
        }
        match text(&line, "type") {
            Some("user") => user(&line, transcript),
            Some("assistant") => self.calls(&line, transcript),
            Some("tool_result" | "system") => {}
            Some(_) | None => return false,
        }
        true
    }
}

impl Qwen {
    fn calls(&self, line: &Value, transcript: &mut Transcript) {
        let cwd = text(line, "cwd").unwrap_or(&self.cwd);
        let parts = parts(line).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for call in parts.iter().filter_map(|part| part.get("functionCall")) {
            let Some(name) = text(call, "name") else { continue };
            let input = call.get("args").cloned().unwrap_or_else(|| json!({}));
            for mut canonical in canonical_calls(Agent::Gemini, name, input, cwd) {
                fields::without_folder(&mut canonical);
                canonical.id = text(call, "id").map(str::to_owned);
                transcript.push_call(canonical);
            }
        }
    }
}

fn user(line: &Value, transcript: &mut Transcript) {
    // What was typed, where hooks or files stand beside it in what the model is given.
    let shown = line.get("systemPayload").and_then(|payload| payload.get("displayText"));
    let Some(said) = said(shown.or(parts(line))) else { return };
    match writer(line) {
        None => transcript.push_human(said),
        Some(other) => transcript.push_other(said, other),
    }
}

/// Who wrote a line in the user's place; nothing where the user did.
fn writer(line: &Value) -> Option<&str> {
    let marked =
        |field: &str| line.get(field).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)));
    // What a sub-agent is told, it is told by an agent.
    if marked("isSidechain") || marked("agentId") || marked("externalInputKind") {
        return Some("agent");
    }
    let word = |field: &str| match line.get(field) {
        None => Some(""),
        Some(value) => value.as_str(),
    };
    // FAIL-CLOSED(unreadable-origin): an origin that is not understood is not a person's.
    let (Some(kind), Some(from)) = (word("subtype"), word("provenance")) else { return Some("unknown") };
    let typed = matches!(kind, "" | "mid_turn_user_message") && matches!(from, "" | "real_user");
    if typed { None } else { Some(if kind.is_empty() { from } else { kind }) }
}

fn parts(line: &Value) -> Option<&Value> {
    line.get("message")?.get("parts")
}

fn text<'v>(value: &'v Value, field: &str) -> Option<&'v str> {
    value.get(field).and_then(Value::as_str)
}
