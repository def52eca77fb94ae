//! Codex: its hooks as measured with 0.169.
//!
//! It runs the call on `ask`, so no question is ever handed to it before a call; only where it is about to ask its own
//! user (`PermissionRequest`) may the question stay with that user. `continue` and `interrupt` are mistakes to it, and
//! after a mistake it runs the call.

use portcullis_classify::transcript::{Agent, Format};
use portcullis_gate::{Answer, Changes, People};
use serde_json::Value;

use super::forms::{self, Stops};
use super::host::Host;
use super::{Adapter, Event, Fields, ProcessContext, Reply};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: HOST.name,
    read,
    reply,
    deny: |why| forms::by_code(why, forms::denied("PreToolUse", why, false)),
    warn: forms::warning,
    rewrites: true,
    keeps_shell: false,
};

const HOST: Host = Host { name: "codex", tools: Agent::Codex, talk: Format::Codex, people: People::Approver };

fn read(value: &Value, around: &ProcessContext) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    match fields.needed("hook_event_name")? {
        "PreToolUse" => Ok(Event::Calls(HOST.calls(&fields, around)?)),
        "PermissionRequest" => {
            let mut calls = HOST.calls(&fields, around)?;
            for request in &mut calls.requests {
                request.people = People::Host;
            }
            calls.changes = Changes::Never;
            Ok(Event::Dialog(calls))
        }
        "PostToolUse" => Ok(HOST.done(&fields, around)),
        "UserPromptSubmit" => Ok(HOST.said(&fields)),
        "SessionStart" | "SessionEnd" | "SubagentStart" | "SubagentStop" | "Stop" | "PreCompact"
        | "PostCompact" => Ok(Event::Nothing),
        other => Err(format!("`{other}` is no known event")),
    }
}

fn reply(event: &Event, answer: &Answer) -> Reply {
    match event {
        Event::Dialog(_) => forms::dialog(answer, Stops::Never),
        Event::Calls(_)
        | Event::Done(_)
        | Event::HandedBack(..)
        | Event::Said(_)
        | Event::Unread(_)
        | Event::Nothing => forms::call(answer, Stops::Never),
    }
}
