//! Qwen Code: its hooks as measured with 0.24.
//!
//! It passes over an input that a hook changes and runs the call as it was sent, so such an answer is a no.

use portcullis_classify::transcript::{Agent, Format};
use portcullis_gate::{Answer, People};
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
    rewrites: false,
    keeps_shell: false,
};

const HOST: Host = Host { name: "qwen", tools: Agent::Gemini, talk: Format::Qwen, people: People::Host };

fn read(value: &Value, around: &ProcessContext) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    match fields.needed("hook_event_name")? {
        "PreToolUse" => Ok(Event::Calls(HOST.calls(&fields, around)?)),
        "PermissionRequest" => Ok(Event::Dialog(HOST.calls(&fields, around)?)),
        "PostToolUse" => Ok(HOST.done(&fields, around)),
        "UserPromptSubmit" => Ok(HOST.said(&fields)),
        "PostToolUseFailure" | "SessionStart" | "SessionEnd" | "SubagentStart" | "SubagentStop"
        | "Notification" | "Stop" | "StopFailure" | "PreCompact" | "PostCompact" => Ok(Event::Nothing),
        other => Err(format!("`{other}` is no known event")),
    }
}

fn reply(event: &Event, answer: &Answer) -> Reply {
    match event {
        Event::Dialog(_) => forms::dialog(answer, Stops::ByField),
        Event::Calls(_)
        | Event::Done(_)
        | Event::HandedBack(..)
        | Event::Said(_)
        | Event::Unread(_)
        | Event::Nothing => forms::call(answer, Stops::ByField),
    }
}
