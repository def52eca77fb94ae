//! The forms of an answer that Claude Code brought up and other hosts took over.

use portcullis_decide::Decision;
use portcullis_gate::{Answer, Enforced};
use serde_json::{Map, Value, json};

use super::{Reply, plain};

/// The exit code that all hosts with hooks take for a no.
pub(super) const DENY: u8 = 2;

/// Whether a host can be told to end the agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stops {
    /// `continue: false` ends it.
    ByField,
    /// It would take the field for a mistake of the hook, and run the call.
    Never,
}

/// A deny of a call, in `hookSpecificOutput` and in the older `decision`. Exit code 0: with another one, hosts show the code
/// in the place of the explanation.
pub(super) fn denied(event: &str, why: &str, stop: bool) -> Reply {
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
    Reply::said(&said)
}

/// A deny that also holds where the host does not read what is printed, as for an event that is not known: exit code 2,
/// and why on standard error.
pub(super) fn by_code(why: &str, denied: Reply) -> Reply {
    Reply { stderr: plain(why), code: DENY, ..denied }
}

/// Whether the agent shall end.
pub(super) fn stops(answer: &Answer) -> bool {
    matches!(answer.ruling.decision, Decision::Deny { stop: true, .. })
}

/// The input that takes the place of the one that was sent.
pub(super) fn updated(answer: &Answer) -> Option<&Value> {
    match &answer.ruling.decision {
        Decision::Allow { updated_input } => updated_input.as_ref(),
        Decision::Deny { .. } | Decision::Ask { .. } => None,
    }
}

/// The answer about a call.
pub(super) fn call(answer: &Answer, stopping: Stops) -> Reply {
    let message = plain(&answer.ruling.message());
    let word = match answer.enforced {
        Enforced::Nothing => return Reply::silent(),
        Enforced::Deny => {
            return denied("PreToolUse", &message, stopping == Stops::ByField && stops(answer));
        }
        Enforced::Ask => "ask",
        Enforced::Allow => "allow",
    };
    let mut said = Map::new();
    said.insert("hookEventName".to_owned(), json!("PreToolUse"));
    said.insert("permissionDecision".to_owned(), json!(word));
    said.insert("permissionDecisionReason".to_owned(), json!(message));
    if let Some(input) = updated(answer) {
        said.insert("updatedInput".to_owned(), input.clone());
    }
    Reply::said(&json!({ "hookSpecificOutput": said }))
}

/// Where the host is about to ask its user: an answer takes the dialog's place, an ask leaves it to the user.
pub(super) fn dialog(answer: &Answer, stopping: Stops) -> Reply {
    let message = plain(&answer.ruling.message());
    let decision = match (answer.enforced, stopping, updated(answer)) {
        (Enforced::Ask | Enforced::Nothing, ..) => return Reply::silent(),
        (Enforced::Allow, Stops::ByField, Some(input)) => {
            json!({ "behavior": "allow", "updatedInput": input })
        }
        (Enforced::Allow, _, None) => json!({ "behavior": "allow" }),
        // FAIL-CLOSED(rewrite-form): a dialog that cannot take another input would let the one that was sent run.
        (Enforced::Allow, Stops::Never, Some(_)) => json!({ "behavior": "deny", "message": CHANGED }),
        (Enforced::Deny, Stops::ByField, _) => {
            json!({ "behavior": "deny", "message": message, "interrupt": stops(answer) })
        }
        (Enforced::Deny, Stops::Never, _) => json!({ "behavior": "deny", "message": message }),
    };
    Reply::said(
        &json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } }),
    )
}

const CHANGED: &str = "a hook changed the input, and this agent would run the call as it was sent";

/// H5: the parent reads the warning beside the report.
pub(super) fn warning(warning: &str) -> Reply {
    Reply::said(&json!({
        "hookSpecificOutput": { "hookEventName": "PostToolUse", "additionalContext": plain(warning) },
    }))
}
