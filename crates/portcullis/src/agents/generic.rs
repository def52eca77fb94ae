//! Any other program: plain JSON in, the decision as JSON out (SPEC J1), and an exit code that is 0 only where the
//! call may run.

use portcullis_classify::transcript::{Format, Transcript};
use portcullis_decide::ToolCall;
use portcullis_gate::{Answer, Changes, Conversation, Enforced, People};
use serde_json::{Value, json};

use super::host::said;
use super::{Adapter, Calls, Event, Fields, ProcessContext, Reply, plain, request};

pub(crate) const ADAPTER: Adapter =
    Adapter { name: "generic", read, reply, deny, warn, rewrites: true, keeps_shell: true };

/// The exit code for a deny.
const DENY: u8 = 2;
/// The exit code for an ask.
const ASK: u8 = 3;

/// `{"tool", "input", "cwd"?, "session"?, "agent"?, "parent"?, "id"?, "root"?, "transcript"?, "ask"?, "shell"?, "event"?}`, or
/// `{"event": "prompt", "session", "prompt", "agent"?}`
fn read(value: &Value, around: &ProcessContext) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    if fields.text("event")? == Some("prompt") {
        let agent = fields.text("agent")?.unwrap_or(ADAPTER.name);
        return Ok(said(agent, &fields, "session", Format::Detect));
    }
    let tool = fields.needed("tool")?;
    let cwd = fields.text("cwd")?.or(around.cwd.as_deref()).ok_or("`cwd` is missing")?;
    let mut call = ToolCall::new(tool, fields.object("input")?.clone(), cwd);
    call.id = fields.text("id")?.map(str::to_owned);
    call.agent = fields.text("worker")?.map(str::to_owned);
    let agent = fields.text("agent")?.unwrap_or(ADAPTER.name);
    let mut asked = request(agent, call, fields.text("session")?, around);
    if let Some(root) = fields.text("root")? {
        asked.root = Some(root.to_owned());
    }
    asked.parent = fields.text("parent")?.map(str::to_owned);
    asked.model = fields.text("model")?.map(str::to_owned);
    asked.people = match fields.text("ask")? {
        None | Some("host") => People::Host,
        Some("wait") => People::Approver,
        Some("never") => People::Nobody,
        Some(other) => return Err(format!("`ask` is `{other}`; say host, wait or never")),
    };
    asked.keeps_shell = match fields.text("shell")? {
        None | Some("kept") => true,
        Some("new") => false,
        Some(other) => return Err(format!("`shell` is `{other}`; say kept or new")),
    };
    asked.conversation = match fields.value("transcript") {
        None | Some(Value::Null) => Conversation::None,
        Some(Value::String(path)) => Conversation::File(path.into(), Format::Detect),
        Some(Value::Array(entries)) => Conversation::Given(Transcript::from_entries(entries, cwd)),
        Some(Value::Bool(_) | Value::Number(_) | Value::Object(_)) => {
            return Err("`transcript` is neither a file nor a list".to_owned());
        }
    };
    match fields.text("event")? {
        None | Some("call") => Ok(Event::Calls(Calls { requests: vec![asked], changes: Changes::Any })),
        Some("done") => Ok(Event::Done(vec![asked])),
        Some(other) => Err(format!("`{other}` is no known event; say call, done or prompt")),
    }
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    let code = match answer.enforced {
        Enforced::Allow | Enforced::Nothing => 0,
        Enforced::Deny => DENY,
        Enforced::Ask => ASK,
    };
    let message = plain(&answer.ruling.message());
    let stderr = if code == 0 { String::new() } else { message };
    Reply { stdout: answer.to_json().to_string(), stderr, code }
}

fn deny(why: &str) -> Reply {
    let why = plain(why);
    let said = json!({
        "decision": "deny",
        "message": why,
        "reason": { "type": "unavailable", "word": "unavailable", "text": why },
        "trace": [],
        "told": "deny",
        "seq": null,
    });
    Reply { stdout: said.to_string(), stderr: why, code: DENY }
}

fn warn(warning: &str) -> Reply {
    Reply { stdout: json!({ "warning": plain(warning) }).to_string(), stderr: String::new(), code: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [F12], [J6]
    #[test]
    fn a_mistyped_field_is_an_error_not_a_missing_one() {
        let around = ProcessContext { project: None, cwd: Some("/p".to_owned()) };
        let good = json!({ "tool": "Bash", "input": { "command": "ls" } });
        assert!(matches!(read(&good, &around), Ok(Event::Calls(_))));
        for broken in [
            json!({ "tool": "Bash" }),
            json!({ "tool": "Bash", "input": "ls" }),
            json!({ "tool": ["Bash"], "input": {} }),
            json!({ "tool": "Bash", "input": {}, "session": 7 }),
            json!({ "tool": "Bash", "input": {}, "ask": "always" }),
            json!({ "tool": "Bash", "input": {}, "event": "over" }),
            json!({ "tool": "Bash", "input": {}, "transcript": 1 }),
        ] {
            assert!(read(&broken, &around).is_err(), "{broken}");
        }
        assert!(read(&good, &ProcessContext::default()).is_err(), "nobody says where");
    }

    /// [A3]
    #[test]
    fn only_an_allow_ends_with_zero() {
        assert_eq!(deny("no").code, 2);
        assert!(serde_json::from_str::<Value>(&deny("no").stdout).is_ok());
    }
}
