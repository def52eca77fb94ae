//! Cursor: its hooks by their documentation; not proven with the real program, so a deny is said by exit code, too.
//!
//! `ask` is documented and not enforced before a tool, so every question is settled here. The hook is set to fail
//! closed, and then an empty answer is a failure: every event about a call gets an answer.

use portcullis_classify::transcript::{Agent, Format, canonical_calls};
use portcullis_gate::{Answer, Conversation, Enforced, People, Request};
use serde_json::{Value, json};

use super::forms::{self, DENY};
use super::host::said;
use super::{Adapter, Calls, Event, Fields, ProcessContext, Reply, plain, request};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "cursor",
    read,
    reply,
    deny,
    warn: |warning| Reply::said(&json!({ "additional_context": plain(warning) })),
    rewrites: true,
    keeps_shell: true,
};

fn read(value: &Value, around: &ProcessContext) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    match fields.needed("hook_event_name")? {
        "preToolUse" => {
            let name = fields.needed("tool_name")?;
            Ok(Event::Calls(calls(name, fields.object("tool_input")?, &fields, around)?))
        }
        "subagentStart" => {
            let task = fields.needed("task")?;
            let input =
                json!({ "prompt": task, "subagent_type": fields.text("subagent_type")?.unwrap_or_default() });
            Ok(Event::Calls(calls("Task", &input, &fields, around)?))
        }
        "postToolUse" => Ok(done(&fields, around)),
        "beforeSubmitPrompt" => {
            let session = if fields.value("session_id").is_some() { "session_id" } else { "conversation_id" };
            Ok(said(ADAPTER.name, &fields, session, Format::Detect))
        }
        "postToolUseFailure"
        | "sessionStart"
        | "sessionEnd"
        | "subagentStop"
        | "stop"
        | "preCompact"
        | "afterShellExecution"
        | "afterMCPExecution"
        | "afterFileEdit"
        | "afterAgentResponse"
        | "afterAgentThought" => Ok(Event::Nothing),
        other => Err(format!("`{other}` is no known event")),
    }
}

fn calls(name: &str, input: &Value, fields: &Fields<'_>, around: &ProcessContext) -> Result<Calls, String> {
    let roots = fields.texts("workspace_roots")?;
    let root = roots.first().map(|root| (*root).to_owned()).or_else(|| around.project.clone());
    let cwd = fields.text("cwd")?.filter(|cwd| !cwd.is_empty()).map(str::to_owned);
    let cwd = cwd.or_else(|| root.clone()).ok_or("neither `cwd` nor `workspace_roots` is there")?;
    let session = fields.text("session_id")?.or(fields.text("conversation_id")?);
    let session = Some(session.ok_or("`conversation_id` is missing")?);
    let mut requests = Vec::new();
    for mut call in canonical_calls(Agent::Cursor, name, input.clone(), &cwd) {
        call.id = fields.text("tool_use_id")?.map(str::to_owned);
        let talk = fields.path("transcript_path")?.map(|path| Conversation::File(path, Format::Detect));
        requests.push(Request {
            root: root.clone(),
            people: People::Approver,
            parent: fields
                .text("parent_conversation_id")?
                .filter(|parent| Some(*parent) != session)
                .map(str::to_owned),
            model: fields.text("model")?.map(str::to_owned),
            conversation: talk.unwrap_or_default(),
            ..request(ADAPTER.name, call, session, around)
        });
    }
    Ok(Calls::in_terms_of(requests, Agent::Cursor, name, input))
}

fn done(fields: &Fields<'_>, around: &ProcessContext) -> Event {
    let made = || calls(fields.needed("tool_name")?, fields.object("tool_input")?, fields, around);
    made().map_or_else(Event::Unread, |calls| Event::Done(calls.requests))
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    let message = plain(&answer.ruling.message());
    match (answer.enforced, forms::updated(answer)) {
        (Enforced::Nothing, _) => Reply::said(&json!({})),
        (Enforced::Allow, None) => Reply::said(&json!({ "permission": "allow" })),
        (Enforced::Allow, Some(input)) => {
            Reply::said(&json!({ "permission": "allow", "updated_input": input }))
        }
        // FAIL-CLOSED(no-ask): this host does not ask; a question that got here is a no.
        (Enforced::Deny | Enforced::Ask, _) => deny(&message),
    }
}

/// Said in the present and in the older form.
fn deny(why: &str) -> Reply {
    let why = plain(why);
    let said = json!({
        "permission": "deny",
        "user_message": why,
        "agent_message": why,
        "decision": "deny",
        "reason": why,
    });
    Reply { stdout: said.to_string(), stderr: why, code: DENY }
}
