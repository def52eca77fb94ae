//! The session files of Claude Code: one JSON value a line. They are internal to it and change; what is not known
//! is passed over.

use std::collections::{HashSet, VecDeque};

use serde_json::Value;

use super::machine::typed;
use super::seen::Seen;
use super::{Agent, Reader, Transcript, canonical_calls};

/// Lines that say nothing a judge may see.
const SILENT: &[&str] = &[
    "system",
    "summary",
    "progress",
    "file-history-snapshot",
    "permission-mode",
    "custom-title",
    "ai-title",
    "agent-name",
    "tag",
    "last-prompt",
    "pr-link",
    "mode",
    "content-replacement",
    "marble-origami-commit",
    "speculation-accept",
    "attribution-snapshot",
    "worktree-state",
    "agent-setting",
    "task-summary",
];

pub(super) struct ClaudeCode {
    cwd: String,
    /// Calls that were seen: a session that was taken up again repeats its lines.
    seen: Seen,
    /// Questions to the user, by the id of their call.
    questions: HashSet<String>,
    /// What the user typed while the agent worked, and the agent has not seen yet.
    queue: VecDeque<String>,
}

impl ClaudeCode {
    pub(super) fn new(cwd: &str) -> ClaudeCode {
        ClaudeCode {
            cwd: cwd.to_owned(),
            seen: Seen::default(),
            questions: HashSet::new(),
            queue: VecDeque::new(),
        }
    }
}

impl Reader for ClaudeCode {
    fn take(&mut self, line: Value, transcript: &mut Transcript) -> bool {
        // Of what the agent did, each call is told apart below: another call under a known name is another call.
        let did = text(&line, "type") == Some("assistant");
        if let Some(id) = text(&line, "uuid").filter(|_| !did)
            && self.seen.again(id)
        {
            return true;
        }
        match text(&line, "type") {
            Some("user") => self.user(&line, transcript),
            Some("assistant") => self.assistant(&line, transcript),
            Some("attachment") => attachment(&line, transcript),
            Some("queue-operation") => self.queued(&line),
            Some(kind) if SILENT.contains(&kind) => {}
            Some(_) | None => return false,
        }
        true
    }

    fn end(&self, transcript: &mut Transcript) {
        for text in self.queue.iter().filter(|text| !text.is_empty()) {
            transcript.push_human(text.as_str());
        }
    }

    fn is_settled(&self) -> bool {
        self.queue.is_empty()
    }
}

impl ClaudeCode {
    fn user(&mut self, line: &Value, transcript: &mut Transcript) {
        let content = line.get("message").and_then(|message| message.get("content"));
        let blocks = content.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let sidechain = is(line, "isSidechain");
        for block in blocks.iter().filter(|block| text(block, "type") == Some("tool_result") && !sidechain) {
            let asked = text(block, "tool_use_id").is_some_and(|id| self.questions.remove(id));
            if asked && !is(block, "is_error") {
                answers(line, transcript);
            }
        }
        if ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"].iter().any(|flag| is(line, flag)) {
            return;
        }
        let own = content.and_then(Value::as_str).into_iter();
        let parts = blocks
            .iter()
            .filter(|block| text(block, "type") == Some("text"))
            .filter_map(|it| text(it, "text"));
        let said = own.chain(parts).filter_map(typed).collect::<Vec<_>>().join("\n");
        if said.is_empty() {
            return;
        }
        if sidechain {
            // What a sub-agent is told, it is told by an agent.
            transcript.push_other(said, "agent");
            return;
        }
        match origin(line.get("origin")) {
            None => transcript.push_human(said),
            Some(other) => transcript.push_other(said, other),
        }
    }

    fn assistant(&mut self, line: &Value, transcript: &mut Transcript) {
        let content =
            line.get("message").and_then(|message| message.get("content")).and_then(Value::as_array);
        for block in content.into_iter().flatten().filter(|block| text(block, "type") == Some("tool_use")) {
            let Some(name) = text(block, "name") else {
                transcript.skipped += 1;
                continue;
            };
            let input = block.get("input").unwrap_or(&Value::Null);
            let id = text(block, "id");
            if id.is_some_and(|id| self.seen.again(&format!("{id} {name} {input}"))) {
                continue;
            }
            if name == "AskUserQuestion" && !is(line, "isSidechain") {
                self.questions.extend(id.map(str::to_owned));
            }
            let cwd = text(line, "cwd").unwrap_or(&self.cwd);
            for mut call in canonical_calls(Agent::ClaudeCode, name, input.clone(), cwd) {
                call.id = id.map(str::to_owned);
                call.session = text(line, "sessionId").map(str::to_owned);
                if is(line, "isSidechain") {
                    call.agent = Some(text(line, "agentId").unwrap_or("sub-agent").to_owned());
                }
                transcript.push_call(call);
            }
        }
    }

    fn queued(&mut self, line: &Value) {
        match text(line, "operation") {
            Some("enqueue") => {
                let said =
                    text(line, "content").and_then(typed).filter(|_| origin(line.get("origin")).is_none());
                // A place in the queue is kept for what no user typed: it leaves the queue too.
                self.queue.push_back(said.unwrap_or_default());
            }
            // What leaves the queue stands in the conversation from then on.
            Some("dequeue" | "remove") => drop(self.queue.pop_front()),
            Some("popAll") => self.queue.clear(),
            Some(_) | None => {}
        }
        if self.queue.iter().all(String::is_empty) {
            self.queue.clear();
        }
    }
}

/// What the user typed while the agent worked and the agent was then given.
fn attachment(line: &Value, transcript: &mut Transcript) {
    let Some(attachment) = line.get("attachment") else { return };
    let queued = text(attachment, "type") == Some("queued_command");
    let prompt = matches!(text(attachment, "commandMode"), None | Some("prompt"));
    if !queued || !prompt || is(attachment, "isMeta") || is(line, "isMeta") || is(line, "isSidechain") {
        return;
    }
    let prompt = match attachment.get("prompt") {
        Some(Value::String(prompt)) => typed(prompt),
        Some(Value::Array(blocks)) => {
            let texts = blocks.iter().filter(|block| text(block, "type") == Some("text"));
            Some(texts.filter_map(|block| text(block, "text").and_then(typed)).collect::<Vec<_>>().join("\n"))
        }
        Some(_) | None => None,
    };
    let Some(said) = prompt.filter(|said| !said.is_empty()) else { return };
    match origin(attachment.get("origin").or(line.get("origin"))) {
        None => transcript.push_human(said),
        Some(other) => transcript.push_other(said, other),
    }
}

/// The user's answers to questions of the agent: their words alone, not the questions.
fn answers(line: &Value, transcript: &mut Transcript) {
    let result = line.get("toolUseResult");
    let answers = result.and_then(|result| result.get("answers")).and_then(Value::as_object);
    for answer in answers.into_iter().flat_map(|answers| answers.values()) {
        match answer {
            Value::String(text) if !text.trim().is_empty() => transcript.push_human(text.trim()),
            Value::Array(texts) => {
                let chosen: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
                if !chosen.is_empty() {
                    transcript.push_human(chosen.join(", "));
                }
            }
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
        }
    }
    let notes = result.and_then(|result| result.get("annotations")).and_then(Value::as_object);
    for note in notes.into_iter().flat_map(|notes| notes.values()).filter_map(|note| text(note, "notes")) {
        if !note.trim().is_empty() {
            transcript.push_human(note.trim());
        }
    }
}

/// Who wrote a turn, if it was not a person.
fn origin(origin: Option<&Value>) -> Option<String> {
    match origin {
        None | Some(Value::Null) => None,
        Some(Value::String(kind)) if kind == "human" => None,
        Some(Value::String(kind)) => Some(kind.clone()),
        Some(value) => match text(value, "kind") {
            Some("human") => None,
            Some(kind) => Some(kind.to_owned()),
            // FAIL-CLOSED(unreadable-origin): an origin that is not understood is not a person's.
            None => Some("unknown".to_owned()),
        },
    }
}

fn text<'v>(value: &'v Value, field: &str) -> Option<&'v str> {
    value.get(field).and_then(Value::as_str)
}

fn is(value: &Value, field: &str) -> bool {
    value.get(field).and_then(Value::as_bool).unwrap_or(false)
}
