//! Goose: its hooks by their documentation; not proven with the real program, so a deny is said by exit code, too.
//!
//! A hook can only block. It cannot ask and cannot change an input: questions are settled here, and a changed input is
//! a no.

use portcullis_classify::transcript::{Agent, Format, canonical_calls};
use portcullis_gate::{Answer, Enforced, People, Request};
use serde_json::{Value, json};

use super::forms::DENY;
use super::host::said;
use super::{Adapter, Calls, Event, Fields, ProcessContext, Reply, plain, request};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "goose",
    read,
    reply,
    deny,
    // What is said after a call is read by nobody.
    warn: |warning| Reply { stdout: String::new(), stderr: plain(warning), code: 0 },
    rewrites: false,
    keeps_shell: true,
};

fn read(value: &Value, around: &ProcessContext) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    match fields.needed("event")? {
        "PreToolUse" => Ok(Event::Calls(calls(&fields, around)?)),
        "UserPromptSubmit" => Ok(said(ADAPTER.name, &fields, "session_id", Format::Detect)),
        "PostToolUse" => {
            Ok(calls(&fields, around).map_or_else(Event::Unread, |calls| Event::Done(calls.requests)))
        }
        "PreToolUseResult"
        | "PostToolUseFailure"
        | "SessionStart"
        | "SessionEnd"
        | "Stop"
        | "BeforeReadFile"
        | "AfterFileEdit"
        | "BeforeShellExecution"
        | "AfterShellExecution" => Ok(Event::Nothing),
        other => Err(format!("`{other}` is no known event")),
    }
}

fn calls(fields: &Fields<'_>, around: &ProcessContext) -> Result<Calls, String> {
    let name = fields.needed("tool_name")?;
    let input = fields.object("tool_input")?;
    let cwd = fields.text("working_dir")?.or(around.cwd.as_deref()).ok_or("`working_dir` is missing")?;
    let session = Some(fields.needed("session_id")?);
    let mut requests = Vec::new();
    for mut call in canonical_calls(Agent::Goose, name, input.clone(), cwd) {
        call.id = fields.text("tool_call_id")?.map(str::to_owned);
        requests.push(Request { people: People::Approver, ..request(ADAPTER.name, call, session, around) });
    }
    Ok(Calls::in_terms_of(requests, Agent::Goose, name, input))
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    match answer.enforced {
        Enforced::Allow | Enforced::Nothing => Reply::said(&json!({ "decision": "allow" })),
        // FAIL-CLOSED(no-ask): this host does not ask; a question that got here is a no.
        Enforced::Deny | Enforced::Ask => deny(&answer.ruling.message()),
    }
}

fn deny(why: &str) -> Reply {
    let why = plain(why);
    Reply { stdout: json!({ "decision": "block", "reason": why }).to_string(), stderr: why, code: DENY }
}
