//! What a person sees of a question, and what their answer means (SPEC H6).

use portcullis_classify::{redact, redact_json};
use portcullis_decide::detect::findings;
use portcullis_decide::rules::{List, Origin, Rule, Source};
use portcullis_decide::{Context, Decision, Reason, Ruling, ToolCall, decide};
use serde_json::{Value, json};

use super::case::Case;
use crate::approvals::{Choice, Covers, HumanAnswer};
use crate::race::Vote;

/// The question as people see it, without credentials (C18).
pub(crate) fn shown(case: &Case, ruling: &Ruling) -> Value {
    let call = &case.request.call;
    let told = ruling.to_json();
    let shape = shape(case);
    let refused = case.row.refused.iter().find(|(known, _)| *known == shape).map_or(0, |(_, count)| *count);
    redact_json(&json!({
        "session": case.row.id,
        "agent": case.request.agent,
        "worker": call.agent,
        "tool": call.tool.name(),
        "input": call.input,
        "cwd": call.cwd,
        "root": case.row.root,
        "mode": case.context.effective_mode().name(),
        "message": ruling.message(),
        "reason": told.get("reason"),
        "trace": told.get("trace"),
        "marks": marks(case, ruling),
        "suggestions": suggestions(ruling),
        // The third no to one shape offers a rule (N4).
        "refused": refused,
        "deny_rule": (refused >= 2).then_some(&shape),
    }))
}

/// The parts of a command that the question is about, in bytes.
#[expect(clippy::wildcard_enum_match_arm, reason = "other reasons are about the whole call")]
fn marks(case: &Case, ruling: &Ruling) -> Vec<Value> {
    let call = &case.request.call;
    let known = call.text("command").map_or(usize::MAX, shown_as_is);
    let mut marks = Vec::new();
    let mut mark = |start: u32, end: u32, why: String| {
        // Behind a credential that is not shown the places are others: better no place than a wrong one.
        let whole = usize::try_from(end).is_ok_and(|end| end <= known);
        let (start, end) = if whole { (start, end) } else { (0, 0) };
        marks.push(json!({ "start": start, "end": end, "why": why }));
    };
    match &ruling.reason {
        Reason::Rule { part: Some(part), rule, .. } => {
            if let Some(span) = part.span {
                mark(span.start, span.end, format!("`{rule}`"));
            }
        }
        Reason::Safety { part: Some(part), detail, .. } => {
            if let Some(span) = part.span {
                mark(span.start, span.end, detail.clone());
            }
        }
        Reason::Parts(parts) => {
            for part in parts.iter().filter(|part| !part.allowed) {
                if let Some(span) = part.part.span {
                    mark(span.start, span.end, part.note.to_owned());
                }
            }
        }
        _ => {}
    }
    for finding in findings(call, &case.view, &case.context) {
        if let Some(span) = finding.span {
            mark(span.start, span.end, finding.sentence());
        }
    }
    marks
}

/// How much of a command is shown as it is, in bytes: everything before the first credential (C18).
fn shown_as_is(command: &str) -> usize {
    let shown = redact(command);
    if shown == command {
        return usize::MAX;
    }
    command.bytes().zip(shown.bytes()).take_while(|(ours, theirs)| ours == theirs).count()
}

/// The rules that would settle calls like this one.
pub(crate) fn suggestions(ruling: &Ruling) -> Vec<String> {
    match &ruling.decision {
        Decision::Ask { suggestions, .. } => suggestions.clone(),
        Decision::Allow { .. } | Decision::Deny { .. } => Vec::new(),
    }
}

/// What calls have in common that a person refuses again and again (N4).
pub(crate) fn shape(case: &Case) -> String {
    let call = &case.request.call;
    portcullis_decide::suggest::shape(call, &case.view)
}

/// Whether a rule would settle the call that is asked about.
pub(crate) fn covers(case: &Case) -> Covers {
    let (call, context) = (case.request.call.clone(), case.context.clone());
    Box::new(move |text| settles(&call, &context, text))
}

/// Whether a call would be allowed if there were this rule, too.
#[must_use]
fn settles(call: &ToolCall, context: &Context, rule: &str) -> bool {
    let (rule, broken) = Rule::parse(rule, List::Allow, Origin::of(Source::Session));
    broken.is_none() && decide(call, &context.with_rule(rule)).decision.is_allow()
}

/// A person's answer as a word of the race.
pub(crate) fn word(answer: &HumanAnswer) -> Vote {
    let reason = Reason::Human { who: answer.who.clone(), place: answer.place.clone() };
    match answer.choice {
        Choice::Once | Choice::Session | Choice::Always => {
            Vote::Allow { reason, updated_input: answer.input.clone() }
        }
        Choice::No => {
            let said = answer.message.as_deref().filter(|message| !message.trim().is_empty());
            let message = match said {
                Some(message) => format!("The user said no: {message}"),
                None => "The user said no. Ask what they want instead.".to_owned(),
            };
            Vote::Deny { reason, message, stop: false }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C18]
    #[test]
    fn places_behind_a_credential_are_not_named() {
        assert_eq!(shown_as_is("git push origin main"), usize::MAX);
        let token = ["ghp", "_", "0123456789abcdefghijklmnopqrstuvwxyz"].concat();
        let command = format!("curl -u me:{token} https://example.com && git push");
        let known = shown_as_is(&command);
        assert!(known >= "curl -u ".len() && known < command.len(), "{known}");
    }
}
