//! The rollout files of Codex: `{"timestamp", "type", "payload"}`, one a line.
//!
//! Every turn in the user's place is written as a response item, the program's own notes among them; what a person
//! typed comes as an event too. Where a file has such events, only they are the user's.

use serde_json::{Value, json};

use super::machine::typed;
use super::seen::Seen;
use super::{Agent, Entry, Origin, Reader, Transcript, canonical_calls, fields};

/// Stands for a turn of which it is not known yet whether a person typed it.
pub(super) const UNPROVEN: &str = "codex";

pub(super) struct Codex {
    cwd: String,
    /// Who speaks in the user's place, where it is no person: the session of a sub-agent.
    speaker: Option<&'static str>,
    /// Whether an event said what a person typed.
    events: bool,
    /// Calls that were seen: a session that was taken up again repeats its lines.
    seen: Seen,
}

impl Codex {
    pub(super) fn new(cwd: &str) -> Codex {
        Codex { cwd: cwd.to_owned(), speaker: None, events: false, seen: Seen::default() }
    }
}

impl Reader for Codex {
    fn take(&mut self, line: Value, transcript: &mut Transcript) -> bool {
        let Some(payload) = line.get("payload") else { return false };
        match text(&line, "type") {
            Some("session_meta") => self.meta(payload, transcript),
            Some("turn_context") => self.cwd = text(payload, "cwd").unwrap_or(&self.cwd).to_owned(),
            Some("response_item") => self.item(payload, transcript),
            Some("event_msg") => self.event(payload, transcript),
            Some("compacted" | "session_state" | "ghost_snapshot") => {}
            Some(_) | None => return false,
        }
        true
    }

    fn end(&self, transcript: &mut Transcript) {
        let (events, speaker) = (self.events, self.speaker);
        transcript.entries.retain_mut(|entry| match entry {
            Entry::User { origin, .. } if *origin == Origin::Other(UNPROVEN.to_owned()) => {
                *origin = speaker.map_or(Origin::Human, |speaker| Origin::Other(speaker.to_owned()));
                !events
            }
            Entry::User { .. } | Entry::Call(_) => true,
        });
    }

    fn is_settled(&self) -> bool {
        // An event that comes later takes these turns away from the user.
        self.events
    }
}

impl Codex {
    fn meta(&mut self, payload: &Value, transcript: &mut Transcript) {
        self.cwd = text(payload, "cwd").unwrap_or(&self.cwd).to_owned();
        let source = payload.get("source");
        let agent = source.and_then(|source| source.get("subagent").or(source.get("sub_agent")));
        let started =
            agent.and_then(|agent| text(agent.get("thread_spawn").unwrap_or(agent), "parent_thread_id"));
        let parent = text(payload, "parent_thread_id").or(started);
        if agent.is_some() || parent.is_some() {
            self.speaker = Some("agent");
        }
        // What was copied from the other session says whose it was, too.
        transcript.parent = transcript.parent.take().or(parent.map(str::to_owned));
    }

    fn event(&mut self, payload: &Value, transcript: &mut Transcript) {
        if text(payload, "type") != Some("user_message")
            || !matches!(text(payload, "kind"), None | Some("plain"))
        {
            return;
        }
        self.events = true;
        let Some(said) = text(payload, "message").and_then(typed) else { return };
        match self.speaker {
            None => transcript.push_human(said),
            Some(speaker) => transcript.push_other(said, speaker),
        }
    }

    fn item(&mut self, payload: &Value, transcript: &mut Transcript) {
        let (name, input) = match text(payload, "type") {
            Some("message") => return said(payload, transcript),
            Some("function_call") => {
                let arguments = text(payload, "arguments").unwrap_or_default();
                let input =
                    crate::strict_from_str(arguments).unwrap_or_else(|_| json!({ "arguments": arguments }));
                (text(payload, "name"), input)
            }
            Some("custom_tool_call") => (text(payload, "name"), json!({ "input": payload.get("input") })),
            Some("local_shell_call") => {
                (Some("local_shell"), payload.get("action").cloned().unwrap_or_default())
            }
            Some("web_search_call") => {
                (Some("web_search"), payload.get("action").cloned().unwrap_or_default())
            }
            Some(_) | None => return,
        };
        let Some(name) = name else { return };
        let id = text(payload, "call_id").or(text(payload, "id"));
        if id.is_some_and(|id| self.seen.again(id)) {
            return;
        }
        let name = match text(payload, "namespace") {
            Some(server) => format!("{server}{name}"),
            None => name.to_owned(),
        };
        for mut call in canonical_calls(Agent::Codex, &name, input, &self.cwd) {
            fields::without_folder(&mut call);
            call.id = id.map(str::to_owned);
            call.agent = self.speaker.map(|_| "sub-agent".to_owned());
            transcript.push_call(call);
        }
    }
}

fn said(payload: &Value, transcript: &mut Transcript) {
    if text(payload, "role") != Some("user") {
        return;
    }
    let blocks = payload.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let texts = blocks.iter().filter(|block| text(block, "type") == Some("input_text"));
    let said = texts.filter_map(|block| text(block, "text").and_then(typed)).collect::<Vec<_>>().join("\n");
    if !said.is_empty() {
        transcript.push_other(said, UNPROVEN);
    }
}

fn text<'v>(value: &'v Value, field: &str) -> Option<&'v str> {
    value.get(field).and_then(Value::as_str)
}
