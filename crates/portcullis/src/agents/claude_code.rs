//! Claude Code: its hooks as measured with 2.1.197 and 2.1.327.
//!
//! A deny is said in `hookSpecificOutput` and in the older `decision`, because each is honoured on its own; for what is
//! not understood also by exit code 2 with the reason on standard error.
//!
//! In `bypassPermissions` and `auto` it takes an ask for a yes where it has a check of its own, which is just where asking
//! matters most: `.git/`, its own settings, start-up files. There every question is settled here.

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
    rewrites: true,
    keeps_shell: false,
};

const HOST: Host =
    Host { name: "claude-code", tools: Agent::ClaudeCode, talk: Format::ClaudeCode, people: People::Host };

fn read(value: &Value, around: &ProcessContext) -> Result<Event, String> {
    let fields = Fields::of(value)?;
    match fields.needed("hook_event_name")? {
        "PreToolUse" => {
            let mut calls = HOST.calls(&fields, around)?;
            if !really_asks(fields.text("permission_mode")?) {
                for request in &mut calls.requests {
                    request.people = People::Approver;
                }
            }
            Ok(Event::Calls(calls))
        }
        "PermissionRequest" => Ok(Event::Dialog(HOST.calls(&fields, around)?)),
        "PostToolUse" => Ok(HOST.done(&fields, around)),
        // It may be a notice that no person wrote: what is allowed is taken from the conversation alone.
        "UserPromptSubmit" => Ok(HOST.said(&fields)),
        "SessionStart" | "SessionEnd" | "SubagentStart" | "SubagentStop" | "PermissionDenied"
        | "PostToolUseFailure" | "PostToolBatch" | "Notification" | "Stop" | "StopFailure" | "PreCompact"
        | "PostCompact" => Ok(Event::Nothing),
        other => Err(format!("`{other}` is no known event")),
    }
}

/// Whether it asks its user, or denies, when it is told to ask in this mode of its own.
fn really_asks(mode: Option<&str>) -> bool {
    // FAIL-CLOSED(no-ask): a mode that was not measured may take a question for a yes.
    matches!(mode, None | Some("default" | "acceptEdits" | "plan" | "dontAsk"))
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

#[cfg(test)]
mod tests {
    use portcullis_decide::{Decision, Reason, Ruling, Trace};
    use portcullis_gate::Enforced;
    use serde_json::json;

    use super::*;

    fn answered(decision: Decision, told: Enforced) -> Answer {
        let ruling = Ruling { decision, reason: Reason::NoRule, trace: Trace::default() };
        Answer { ruling, enforced: told, seq: Some(1), notes: Vec::new() }
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
        let around = ProcessContext { project: Some("/home/dev/proj".to_owned()), cwd: None };
        let Ok(Event::Calls(calls)) = read(&event(json!({ "agent_id": "a7", "new": 1 })), &around) else {
            panic!("not a call")
        };
        let [request] = calls.requests.as_slice() else { panic!("not one call") };
        assert_eq!((request.call.tool.name(), request.call.text("command")), ("Bash", Some("ls")));
        assert_eq!(request.call.agent.as_deref(), Some("a7"));
        assert_eq!(request.root.as_deref(), Some("/home/dev/proj"));
        assert_eq!(request.host_mode.as_deref(), Some("default"));
    }

    /// [G2], [A3] `FAIL-CLOSED(no-ask)`
    #[test]
    fn a_question_is_left_to_it_only_where_it_asks() {
        for (mode, people) in [
            ("default", People::Host),
            ("acceptEdits", People::Host),
            ("bypassPermissions", People::Approver),
            ("auto", People::Approver),
            ("later", People::Approver),
        ] {
            let told = event(json!({ "permission_mode": mode }));
            let Ok(Event::Calls(calls)) = read(&told, &ProcessContext::default()) else {
                panic!("not a call")
            };
            assert!(calls.requests.iter().all(|request| request.people == people), "{mode}");
        }
    }

    /// [J6], [F12]
    #[test]
    fn what_is_not_a_known_event_is_an_error() {
        let around = ProcessContext::default();
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
            serde_json::from_str(&reply(&nothing, &answered(allow.clone(), Enforced::Allow)).stdout).unwrap();
        assert_eq!(said["hookSpecificOutput"]["updatedInput"], input);
        assert_eq!(reply(&nothing, &answered(allow, Enforced::Nothing)), Reply::silent());
        let stop = Decision::Deny { message: "enough".to_owned(), stop: true };
        let stopped = reply(&nothing, &answered(stop, Enforced::Deny));
        let said: Value = serde_json::from_str(&stopped.stdout).unwrap();
        assert_eq!((said["continue"].clone(), stopped.code), (json!(false), 0));
    }
}
