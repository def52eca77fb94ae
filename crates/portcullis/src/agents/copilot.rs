//! Copilot CLI: its hooks as measured with 1.0.102, in Pascal case and in camel case.
//!
//! In camel case it runs the call when it is told no in the form of Claude Code; the flat form is understood in both, so
//! every answer says both. A sub-agent has a session of its own and names the one that started it.

use portcullis_classify::transcript::{Agent, Format, canonical_calls};
use portcullis_gate::{Answer, People};
use serde_json::{Value, json};

use super::forms::{self, Stops};
use super::host::{Host, reported, said};
use super::{Adapter, Calls, Event, Fields, ProcessContext, Reply, plain, request};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: HOST.name,
    read,
    reply,
    deny: |why| forms::by_code(why, flat(forms::denied("PreToolUse", why, false))),
    warn: |warning| Reply::said(&json!({ "additionalContext": plain(warning) })),
    rewrites: true,
    keeps_shell: false,
};

const HOST: Host =
    Host { name: "copilot", tools: Agent::Copilot, talk: Format::Detect, people: People::Host };

fn read(value: &Value, around: &ProcessContext) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    let Some(event) = fields.text("hook_event_name")? else {
        return camel(&fields, around);
    };
    match event {
        "PreToolUse" => Ok(Event::Calls(pascal(&fields, around)?)),
        "PostToolUse" => {
            let calls = pascal(&fields, around);
            Ok(calls.map_or_else(Event::Unread, |calls| reported(calls, &fields)))
        }
        "UserPromptSubmit" => Ok(HOST.said(&fields)),
        "PostToolUseFailure" | "SessionStart" | "SessionEnd" | "Stop" | "SubagentStart" | "SubagentStop"
        | "ErrorOccurred" | "PreCompact" | "Notification" => Ok(Event::Nothing),
        other => Err(format!("`{other}` is no known event")),
    }
}

fn pascal(fields: &Fields<'_>, around: &ProcessContext) -> Result<Calls, String> {
    let mut calls = HOST.calls(fields, around)?;
    let parent = fields.text("parent_agent_id")?.map(str::to_owned);
    for request in &mut calls.requests {
        request.parent.clone_from(&parent);
    }
    Ok(calls)
}

/// The older form: the event is told by its fields, and the arguments may be JSON in a text.
fn camel(fields: &Fields<'_>, around: &ProcessContext) -> Result<Event, String> {
    if fields.value("toolName").is_none() && fields.value("prompt").is_some() {
        return Ok(said(HOST.name, fields, "sessionId", HOST.talk));
    }
    let name = fields.needed("toolName")?;
    if fields.value("toolResult").is_some() {
        return Ok(Event::Nothing);
    }
    let input = match fields.value("toolArgs") {
        Some(value @ Value::Object(_)) => value.clone(),
        Some(Value::String(text)) => crate::strict_json::parse(text.as_bytes())
            .ok()
            .filter(Value::is_object)
            .ok_or("`toolArgs` is not an object")?,
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => {
            return Err("`toolArgs` is not an object".to_owned());
        }
    };
    let (cwd, session) = (fields.needed("cwd")?, fields.text("sessionId")?);
    let calls = canonical_calls(HOST.tools, name, input.clone(), cwd).into_iter();
    let requests = calls.map(|call| request(HOST.name, call, session, around)).collect();
    Ok(Event::Calls(Calls::in_terms_of(requests, HOST.tools, name, &input)))
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    flat(forms::call(answer, Stops::ByField))
}

/// Says beside the form of Claude Code what it says flat.
fn flat(reply: Reply) -> Reply {
    let Ok(Value::Object(mut said)) = serde_json::from_str::<Value>(&reply.stdout) else { return reply };
    let Some(Value::Object(inner)) = said.get("hookSpecificOutput").cloned() else { return reply };
    let names = [
        ("permissionDecision", "permissionDecision"),
        ("permissionDecisionReason", "permissionDecisionReason"),
        ("updatedInput", "modifiedArgs"),
    ];
    for (from, to) in names {
        if let Some(value) = inner.get(from) {
            said.insert(to.to_owned(), value.clone());
        }
    }
    Reply { stdout: Value::Object(said).to_string(), ..reply }
}
