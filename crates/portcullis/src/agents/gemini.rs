//! Gemini CLI: its hooks as measured with 0.61.
//!
//! Its deny form is its own: it runs the call when it is told no in the form of Claude Code. On `ask` it ends the turn
//! without a result, so every question is settled here.

use portcullis_classify::transcript::{Agent, Format};
use portcullis_gate::{Answer, Enforced, People};
use serde_json::{Value, json};

use super::forms;
use super::host::Host;
use super::{Adapter, Event, Fields, ProcessContext, Reply, plain};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: HOST.name,
    read,
    reply,
    deny: |why| forms::by_code(why, denied(why, false)),
    warn,
    rewrites: true,
    keeps_shell: false,
};

const HOST: Host =
    Host { name: "gemini", tools: Agent::Gemini, talk: Format::Gemini, people: People::Approver };

fn read(value: &Value, around: &ProcessContext) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    let name = || match fields.value("mcp_context") {
        None | Some(Value::Null) => fields.needed("tool_name").map(str::to_owned),
        Some(context) => server_tool(context),
    };
    match fields.needed("hook_event_name")? {
        "BeforeTool" => Ok(Event::Calls(HOST.named_calls(&name()?, &fields, around)?)),
        "AfterTool" => {
            let calls = name().and_then(|name| HOST.named_calls(&name, &fields, around));
            Ok(calls.map_or_else(Event::Unread, |calls| super::host::reported(calls, &fields)))
        }
        "BeforeAgent" => Ok(HOST.said(&fields)),
        "AfterAgent"
        | "BeforeModel"
        | "AfterModel"
        | "BeforeToolSelection"
        | "SessionStart"
        | "SessionEnd"
        | "PreCompress"
        | "Notification" => Ok(Event::Nothing),
        other => Err(format!("`{other}` is no known event")),
    }
}

/// The tool of an MCP server: its own name does not show where the server's ends.
fn server_tool(context: &Value) -> Result<String, String> {
    let fields = Fields::of(context).map_err(|_| "`mcp_context` is not an object".to_owned())?;
    Ok(format!("mcp__{}__{}", fields.needed("server_name")?, fields.needed("tool_name")?))
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    let message = plain(&answer.ruling.message());
    match (answer.enforced, forms::updated(answer)) {
        (Enforced::Nothing, _) => Reply::silent(),
        (Enforced::Allow, None) => Reply::said(&json!({ "decision": "allow", "reason": message })),
        (Enforced::Allow, Some(input)) => Reply::said(&json!({
            "decision": "allow",
            "hookSpecificOutput": { "hookEventName": "BeforeTool", "tool_input": input },
        })),
        // FAIL-CLOSED(no-ask): this host does not ask; a question that got here is a no.
        (Enforced::Deny | Enforced::Ask, _) => denied(&message, forms::stops(answer)),
    }
}

fn denied(why: &str, stop: bool) -> Reply {
    let why = plain(why);
    let mut said = json!({ "decision": "deny", "reason": why });
    if let (true, Value::Object(fields)) = (stop, &mut said) {
        fields.insert("continue".to_owned(), json!(false));
        fields.insert("stopReason".to_owned(), json!(why));
    }
    Reply::said(&said)
}

fn warn(warning: &str) -> Reply {
    Reply::said(&json!({
        "hookSpecificOutput": { "hookEventName": "AfterTool", "additionalContext": plain(warning) },
    }))
}
