//! Messages of `OpenCode` with their parts: as its API and its export give them (`{"info", "parts"}`), or message and
//! part by themselves, as it stores them.

use serde_json::{Value, json};

use super::machine::typed;
use super::seen::Seen;
use super::{Agent, Reader, Transcript, canonical_calls, fields};

pub(super) struct OpenCode {
    cwd: String,
    /// Whose the messages are, by their id: for parts that come by themselves.
    users: Seen<bool>,
    /// Parts that were taken.
    seen: Seen,
    /// Whether the session is that of a sub-agent.
    child: bool,
}

impl OpenCode {
    pub(super) fn new(cwd: &str) -> OpenCode {
        OpenCode { cwd: cwd.to_owned(), users: Seen::default(), seen: Seen::default(), child: false }
    }
}

impl Reader for OpenCode {
    fn take(&mut self, value: Value, transcript: &mut Transcript) -> bool {
        if value.get("messages").is_some_and(Value::is_array) {
            // Its messages come one by one.
            self.session(value.get("info").unwrap_or(&Value::Null));
            return true;
        }
        if value.get("parts").is_some() {
            return self.message(&value, transcript);
        }
        if text(&value, "messageID").is_some() {
            self.part(&value, None, transcript);
            return true;
        }
        if let (Some(id), Some(role)) = (text(&value, "id"), text(&value, "role")) {
            self.users.insert(id, role == "user");
            return true;
        }
        self.session(&value);
        text(&value, "projectID").is_some()
    }
}

impl OpenCode {
    fn session(&mut self, info: &Value) {
        self.child |= text(info, "parentID").is_some();
        self.cwd = text(info, "directory").unwrap_or(&self.cwd).to_owned();
    }

    fn message(&mut self, message: &Value, transcript: &mut Transcript) -> bool {
        let info = message.get("info").unwrap_or(message);
        let (Some(role), Some(parts)) = (text(info, "role"), message.get("parts").and_then(Value::as_array))
        else {
            return false;
        };
        for part in parts {
            self.part(part, Some(role == "user"), transcript);
        }
        true
    }

    fn part(&mut self, part: &Value, of_user: Option<bool>, transcript: &mut Transcript) {
        let known = || text(part, "messageID").and_then(|id| self.users.get(id).copied());
        // FAIL-CLOSED(unreadable-origin): a part of a message that is not known is not the user's.
        let of_user = of_user.or_else(known).unwrap_or(false);
        match text(part, "type") {
            Some("text") if of_user && !is(part, "synthetic") && !is(part, "ignored") => {
                let again = text(part, "id").is_some_and(|id| self.seen.again(id));
                let said = text(part, "text").and_then(typed).filter(|_| !again);
                match said {
                    Some(said) if self.child => transcript.push_other(said, "agent"),
                    Some(said) => transcript.push_human(said),
                    None => {}
                }
            }
            Some("tool") => self.call(part, transcript),
            Some(_) | None => {}
        }
    }

    fn call(&mut self, part: &Value, transcript: &mut Transcript) {
        let (Some(name), Some(state)) = (text(part, "tool"), part.get("state")) else { return };
        let id = text(part, "callID").or(text(part, "id"));
        if id.is_some_and(|id| self.seen.again(id)) {
            return;
        }
        let input = state.get("input").cloned().unwrap_or_else(|| json!({}));
        for mut call in canonical_calls(Agent::OpenCode, name, input, &self.cwd) {
            fields::without_folder(&mut call);
            call.id = id.map(str::to_owned);
            call.agent = self.child.then(|| "sub-agent".to_owned());
            transcript.push_call(call);
        }
        // The user's answers to questions are the user's words.
        let answers = state.get("metadata").and_then(|metadata| metadata.get("answers"));
        if name == "question" && !self.child {
            for answer in answers.and_then(Value::as_array).into_iter().flatten() {
                let chosen: Vec<&str> =
                    answer.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                if !chosen.is_empty() {
                    transcript.push_human(chosen.join(", "));
                }
            }
        }
    }
}

fn text<'v>(value: &'v Value, field: &str) -> Option<&'v str> {
    value.get(field).and_then(Value::as_str)
}

fn is(value: &Value, field: &str) -> bool {
    value.get(field).and_then(Value::as_bool).unwrap_or(false)
}
