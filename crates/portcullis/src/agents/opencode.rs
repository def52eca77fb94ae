//! `OpenCode`: what our own plugin says and understands.
//!
//! The plugin throws, and `OpenCode` refuses the call, unless it gets exit code 0 and `{"decision":"allow"}`. Nobody can
//! be asked from there, so every question is settled here.

use portcullis_classify::transcript::{Agent, Format};
use portcullis_gate::{Answer, Enforced, People};
use serde_json::{Value, json};

use super::forms;
use super::host::Host;
use super::{Adapter, Calls, Event, Fields, ProcessContext, Reply, plain};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: HOST.name,
    read,
    reply,
    deny: |why| forms::by_code(why, denied(why)),
    warn: |warning| Reply::said(&json!({ "warning": plain(warning) })),
    rewrites: true,
    keeps_shell: false,
};

const HOST: Host =
    Host { name: "opencode", tools: Agent::OpenCode, talk: Format::OpenCode, people: People::Approver };

fn read(value: &Value, around: &ProcessContext) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    match fields.needed("hook_event_name")? {
        "tool.execute.before" => Ok(Event::Calls(calls(&fields, around)?)),
        // It does not say what the call was given, and nothing was left to anybody else.
        "tool.execute.after" => Ok(Event::Nothing),
        "chat.message" => Ok(HOST.said(&fields)),
        other => Err(format!("`{other}` is no known event")),
    }
}

fn calls(fields: &Fields<'_>, around: &ProcessContext) -> Result<Calls, String> {
    let name = server_tool(fields.needed("tool_name")?, fields.texts("mcp_servers")?);
    let mut calls = HOST.named_calls(&name, fields, around)?;
    let project = fields.text("project")?.map(str::to_owned);
    let parent = fields.text("parent_id")?.map(str::to_owned);
    for request in &mut calls.requests {
        request.root = project.clone().or_else(|| request.root.take());
        request.parent.clone_from(&parent);
    }
    Ok(calls)
}

/// The name of a server's tool, where only one known server fits; otherwise every reading of it counts.
fn server_tool(name: &str, servers: Vec<&str>) -> String {
    let written = |server: &str| -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        server.chars().map(|c| if plain(c) { c } else { '_' }).collect()
    };
    let mut fitting = servers.into_iter().filter_map(|server| {
        let tool = name.strip_prefix(&written(server))?.strip_prefix('_')?;
        Some(format!("mcp__{server}__{tool}"))
    });
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => only,
        (Some(_), Some(_)) | (None, _) => name.to_owned(),
    }
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    let message = plain(&answer.ruling.message());
    match (answer.enforced, forms::updated(answer)) {
        // What is not enforced is left to `OpenCode`, which goes on only when the plugin does not throw.
        (Enforced::Nothing, _) => Reply::said(&json!({ "decision": "allow" })),
        (Enforced::Allow, None) => Reply::said(&json!({ "decision": "allow", "reason": message })),
        (Enforced::Allow, Some(input)) => {
            Reply::said(&json!({ "decision": "allow", "reason": message, "updated_input": input }))
        }
        // FAIL-CLOSED(no-ask): this host does not ask; a question that got here is a no.
        (Enforced::Deny | Enforced::Ask, _) => denied(&message),
    }
}

fn denied(why: &str) -> Reply {
    Reply::said(&json!({ "decision": "deny", "reason": plain(why) }))
}
