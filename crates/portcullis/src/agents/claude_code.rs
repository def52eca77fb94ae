//! Claude Code: its hooks as measured with 2.1.197 and 2.1.325.
//!
//! A deny is said three times, because each form is honoured on its own: in `hookSpecificOutput`, in the older
//! `decision`, and by exit code 2 with the reason on standard error.

use portcullis_classify::builtin::Handback;
use portcullis_classify::{Agent, Format, canonical_calls};
use portcullis_decide::{Decision, Tool};
use portcullis_gate::{Answer, Request, Talk, Told};
use serde_json::{Map, Value, json};

use super::{Adapter, Around, Event, Fields, Reply, plain, request};

pub(crate) const ADAPTER: Adapter =
    Adapter { name: "claude-code", read, reply, deny: |why| denied("PreToolUse", why, false), warn };

fn read(value: &Value, around: &Around) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    let event = fields.needed("hook_event_name")?;
    match event {
        "PreToolUse" => Ok(Event::Calls(requests(&fields, around)?)),
        "PermissionRequest" => Ok(Event::Dialog(Box::new(single(&fields, around)?))),
        "PostToolUse" => done(&fields, around),
        "PostToolUseFailure" | "PostToolBatch" | "UserPromptSubmit" | "SessionStart" | "SessionEnd"
        | "SubagentStart" | "SubagentStop" | "PermissionDenied" | "Notification" | "Stop" | "PreCompact" => {
            Ok(Event::Nothing)
        }
        other => Err(format!("`{other}` is no known event")),
    }
}

fn requests(fields: &Fields<'_>, around: &Around) -> Result<Vec<Request>, String> {
    let name = fields.needed("tool_name")?;
    let input = fields.object("tool_input")?;
    let cwd = fields.needed("cwd")?;
    let session = Some(fields.needed("session_id")?);
    let calls = canonical_calls(Agent::ClaudeCode, name, input.clone(), cwd);
    let mut asked = Vec::new();
    for mut call in calls {
        call.id = fields.text("tool_use_id")?.map(str::to_owned);
        call.agent = fields.text("agent_id")?.map(str::to_owned);
        let mut request = request(ADAPTER.name, call, session, around);
        request.host_mode = fields.text("permission_mode")?.map(str::to_owned);
        if let Some(path) = fields.path("transcript_path")? {
            request.talk = Talk::File(path, Format::ClaudeCode);
        }
        asked.push(request);
    }
    Ok(asked)
}

fn single(fields: &Fields<'_>, around: &Around) -> Result<Request, String> {
    requests(fields, around)?.pop().ok_or_else(|| "there is no call in it".to_owned())
}

/// A call that was made; one of a sub-agent's brings what it hands back.
fn done(fields: &Fields<'_>, around: &Around) -> Result<Event, String> {
    let request = single(fields, around)?;
    if request.call.tool != Tool::Agent {
        return Ok(Event::Done(Box::new(request)));
    }
    let handback = Handback {
        task: request.call.text("prompt").unwrap_or_default().to_owned(),
        calls: Vec::new(),
        report: report(fields.value("tool_response")),
    };
    Ok(Event::HandedBack(Box::new(request), Box::new(handback)))
}

/// All text in what a sub-agent answered.
fn report(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(values)) => {
            values.iter().map(|value| report(Some(value))).collect::<Vec<_>>().join("\n")
        }
        Some(Value::Object(fields)) => ["content", "text", "result"]
            .iter()
            .map(|name| report(fields.get(*name)))
            .collect::<Vec<_>>()
            .join("\n"),
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => String::new(),
    }
}

fn reply(event: &Event, answer: &Answer) -> Reply {
    match event {
        Event::Dialog(_) => dialog(answer),
        Event::Calls(_) | Event::Done(_) | Event::HandedBack(..) | Event::Nothing => call(answer),
    }
}

fn call(answer: &Answer) -> Reply {
    let message = plain(&answer.ruling.message());
    let mut said = Map::new();
    said.insert("hookEventName".to_owned(), json!("PreToolUse"));
    match answer.told {
        Told::Nothing => return Reply::silent(),
        Told::Deny => {
            let stop = matches!(answer.ruling.decision, Decision::Deny { stop: true, .. });
            return denied("PreToolUse", &message, stop);
        }
        Told::Ask => said.insert("permissionDecision".to_owned(), json!("ask")),
        Told::Allow => said.insert("permissionDecision".to_owned(), json!("allow")),
    };
    said.insert("permissionDecisionReason".to_owned(), json!(message));
    if let Decision::Allow { updated_input: Some(input) } = &answer.ruling.decision {
        said.insert("updatedInput".to_owned(), input.clone());
    }
    Reply { stdout: json!({ "hookSpecificOutput": said }).to_string(), stderr: String::new(), code: 0 }
}

/// Where the host is about to ask its user: an answer takes the dialog's place, an ask leaves it to the user.
fn dialog(answer: &Answer) -> Reply {
    let decision = match (&answer.ruling.decision, answer.told) {
        (Decision::Allow { updated_input }, Told::Allow) => match updated_input {
            Some(input) => json!({ "behavior": "allow", "updatedInput": input }),
            None => json!({ "behavior": "allow" }),
        },
        (Decision::Deny { message, stop }, Told::Deny) => {
            json!({ "behavior": "deny", "message": plain(message), "interrupt": stop })
        }
        (_, Told::Deny) => json!({ "behavior": "deny", "message": plain(&answer.ruling.message()) }),
        (_, Told::Allow | Told::Ask | Told::Nothing) => return Reply::silent(),
    };
    let said =
        json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } });
    Reply { stdout: said.to_string(), stderr: String::new(), code: 0 }
}

fn denied(event: &str, why: &str, stop: bool) -> Reply {
    let why = plain(why);
    let mut said = json!({
        "decision": "block",
        "reason": why,
        "hookSpecificOutput": {
            "hookEventName": event,
            "permissionDecision": "deny",
            "permissionDecisionReason": why,
        },
    });
    if let (true, Value::Object(fields)) = (stop, &mut said) {
        fields.insert("continue".to_owned(), json!(false));
        fields.insert("stopReason".to_owned(), json!(why));
    }
    Reply { stdout: said.to_string(), stderr: why, code: 2 }
}

/// H5: the parent reads the warning beside the report.
fn warn(warning: &str) -> Reply {
    let said = json!({
        "hookSpecificOutput": { "hookEventName": "PostToolUse", "additionalContext": plain(warning) },
    });
    Reply { stdout: said.to_string(), stderr: String::new(), code: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portcullis_decide::{Reason, Ruling, Trace};

    fn answered(decision: Decision, told: Told) -> Answer {
        let ruling = Ruling { decision, reason: Reason::NoRule, trace: Trace::default() };
        Answer { ruling, told, seq: Some(1), notes: Vec::new() }
    }

    fn event(extra: Value) -> Value {
        let mut value = json!({
            "session_id": "s", "transcript_path": "/home/dev/x", "cwd": "/home/dev/proj", "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": "ls" },
            "tool_use_id": "t1",
        });
        if let (Value::Object(fields), Value::Object(more)) = (&mut value, extra) {
            fields.extend(more);
        }
        value
    }

    /// [T1]
    #[test]
    fn a_call_is_read_with_everything_that_is_said_about_it() {
        let around = Around { project: Some("/home/dev/proj".to_owned()), cwd: None };
        let Ok(Event::Calls(calls)) = read(&event(json!({ "agent_id": "a7", "new": 1 })), &around) else {
            panic!("not a call")
        };
        let [request] = calls.as_slice() else { panic!("not one call") };
        assert_eq!((request.call.tool.name(), request.call.text("command")), ("Bash", Some("ls")));
        assert_eq!(request.call.agent.as_deref(), Some("a7"));
        assert_eq!(request.root.as_deref(), Some("/home/dev/proj"));
        assert_eq!(request.host_mode.as_deref(), Some("default"));
    }

    /// [J6], [F12]
    #[test]
    fn what_is_not_a_known_event_is_an_error() {
        let around = Around::default();
        for broken in [
            json!({}),
            json!([]),
            json!("PreToolUse"),
            event(json!({ "hook_event_name": "Later" })),
            event(json!({ "tool_input": "ls" })),
            event(json!({ "tool_name": 7 })),
            event(json!({ "cwd": null })),
            event(json!({ "session_id": {} })),
        ] {
            assert!(read(&broken, &around).is_err(), "{broken}");
        }
    }

    /// [A3]
    #[test]
    fn a_deny_is_said_in_every_form_that_is_honoured() {
        let reply = (ADAPTER.deny)("broken\u{1b}[2J");
        assert_eq!(reply.code, 2);
        assert!(
            !reply.stderr.is_empty() && !reply.stdout.contains('\u{1b}') && !reply.stderr.contains('\u{1b}')
        );
        let said: Value = serde_json::from_str(&reply.stdout).unwrap();
        assert_eq!(said["decision"], "block");
        assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
    }

    /// [T2], [T5], [M4]
    #[test]
    fn each_answer_has_its_form() {
        let nothing = Event::Nothing;
        let input = json!({ "command": "ls" });
        let allow = Decision::Allow { updated_input: Some(input.clone()) };
        let said: Value =
            serde_json::from_str(&reply(&nothing, &answered(allow.clone(), Told::Allow)).stdout).unwrap();
        assert_eq!(said["hookSpecificOutput"]["updatedInput"], input);
        assert_eq!(reply(&nothing, &answered(allow, Told::Nothing)), Reply::silent());
        let stop = Decision::Deny { message: "enough".to_owned(), stop: true };
        let stopped = reply(&nothing, &answered(stop, Told::Deny));
        let said: Value = serde_json::from_str(&stopped.stdout).unwrap();
        assert_eq!((said["continue"].clone(), stopped.code), (json!(false), 2));
    }
}
