//! What a verdict of `pre_tool_use` hooks makes of a ruling (SPEC H4, T5).
//!
//! A hook can deny, ask or rewrite. Its allow settles only what was left open because nothing decided: it never beats
//! a deny rule, an ask rule, a safety check, a question that only a person can answer, or plan mode.

use portcullis_decide::{Context, Decision, Mode, Reason, Ruling, Step, ToolCall, Trace};

use super::Opinion;
use super::join::HookVerdict;

/// The step that hooks leave in the trace.
const STEP: &str = "H4 hooks";

/// Combines the verdict of `PreToolUse` hooks with a ruling. `ruling_of` judges the call, with the input that the
/// hooks want where there is one (see [`HookVerdict::rewritten`]).
pub fn apply(
    call: &ToolCall,
    context: &Context,
    verdict: &HookVerdict,
    ruling_of: impl FnOnce(&ToolCall) -> Ruling,
) -> Ruling {
    if verdict.said >= Opinion::Failed {
        return denied(verdict);
    }
    let mut ruling = ruling_of(&verdict.rewritten(call));
    if verdict.each.is_empty() {
        return ruling;
    }
    note(&mut ruling.trace, verdict);
    match verdict.said {
        Opinion::Nothing | Opinion::Failed | Opinion::Deny => {}
        Opinion::Allow => allow_what_is_open(&mut ruling, verdict),
        Opinion::Ask => ask_at_least(&mut ruling, context, verdict),
    }
    if let (Decision::Allow { updated_input: wanted @ None }, Some(input)) =
        (&mut ruling.decision, &verdict.updated_input)
    {
        *wanted = Some(input.clone());
    }
    ruling
}

/// Hooks ran after the input was found valid and before everything else.
fn note(trace: &mut Trace, verdict: &HookVerdict) {
    let spent = verdict.micros();
    let place = usize::from(trace.steps.first().is_some_and(|step| step.step.starts_with("F12")));
    for step in trace.steps.iter_mut().skip(place) {
        step.micros = step.micros.saturating_add(spent);
    }
    let before = place.checked_sub(1).and_then(|at| trace.steps.get(at)).map_or(0, |step| step.micros);
    let micros = before.saturating_add(spent);
    trace.steps.insert(place, Step { step: STEP, outcome: verdict.outcome().into(), micros });
}

fn denied(verdict: &HookVerdict) -> Ruling {
    let reason = spoken(verdict);
    let message =
        format!("{}. This was refused; tell the user what you wanted to do and why.", reason.sentence());
    let mut trace = Trace::default();
    note(&mut trace, verdict);
    Ruling { decision: Decision::Deny { message, stop: verdict.stop }, reason, trace }
}

fn spoken(verdict: &HookVerdict) -> Reason {
    let fallback = match verdict.said {
        Opinion::Nothing => "it says nothing",
        Opinion::Allow => "it allows this call",
        Opinion::Ask => "it wants a person to be asked",
        Opinion::Failed => "it failed",
        Opinion::Deny => "it denies this call",
    };
    let reason = if verdict.reason.is_empty() { fallback.to_owned() } else { verdict.reason.clone() };
    Reason::Hook { name: verdict.hook.clone(), reason }
}

/// Whether a ruling is what it is only because nothing decided, the mode's own answer to that included.
fn is_undecided(ruling: &Ruling) -> bool {
    !ruling.decision.is_allow() && matches!(ruling.reason, Reason::NoRule | Reason::WorkingDirectory { .. })
}

fn allow_what_is_open(ruling: &mut Ruling, verdict: &HookVerdict) {
    if is_undecided(ruling) {
        ruling.decision = Decision::Allow { updated_input: None };
        ruling.reason = spoken(verdict);
    }
}

/// The ask of a hook is a floor, in every mode. Only a person may answer it.
fn ask_at_least(ruling: &mut Ruling, context: &Context, verdict: &HookVerdict) {
    let undecided = is_undecided(ruling);
    let suggestions = match &mut ruling.decision {
        Decision::Deny { .. } => return,
        Decision::Ask { pending_classifier_check: false, .. } if !undecided => return,
        Decision::Ask { suggestions, .. } => std::mem::take(suggestions),
        Decision::Allow { .. } => Vec::new(),
    };
    ruling.reason = spoken(verdict);
    let sentence = ruling.reason.sentence();
    ruling.decision = if context.effective_mode() == Mode::DontAsk {
        let message = format!("dontAsk mode denies what a hook asks about: {sentence}");
        Decision::Deny { message, stop: false }
    } else if context.switches.avoid_prompts {
        // FAIL-CLOSED(no-prompt): where nobody can be asked the answer is no.
        Decision::Deny { message: format!("nobody can be asked: {sentence}"), stop: false }
    } else {
        Decision::Ask { message: sentence, suggestions, pending_classifier_check: false }
    };
}

#[cfg(test)]
mod tests {
    use portcullis_decide::decide;
    use portcullis_decide::facts::Facts;
    use portcullis_decide::rules::{List, Origin, Rule, Rules, Source};
    use serde_json::{Value, json};

    use super::*;
    use crate::hooks::{HookAnswer, HookResult, join};

    /// A verdict that one hook gave.
    fn verdict(said: Opinion, updated_input: Option<Value>) -> HookVerdict {
        let answer = HookAnswer {
            said,
            reason: String::new(),
            updated_input,
            stop: false,
            failed: said == Opinion::Failed,
        };
        join(&json!({}), vec![HookResult { hook: "h".to_owned(), answer, micros: 7 }])
    }

    fn context(mode: Mode, rules: &[(List, &str)]) -> Context {
        let mut context = Context::new("/home/dev/proj", "/home/dev");
        context.facts = Facts::plain();
        context.mode = mode;
        let rule = |(list, text): &(List, &str)| Rule::parse(text, *list, Origin::of(Source::User)).0;
        context.rules = Rules::new(rules.iter().map(rule).collect()).into();
        context
    }

    fn applied(context: &Context, tool: &str, input: &Value, verdict: &HookVerdict) -> Ruling {
        let call = ToolCall::new(tool, input.clone(), "/home/dev/proj");
        apply(&call, context, verdict, |call| decide(call, context))
    }

    /// [H4]
    #[test]
    fn an_allow_of_a_hook_settles_only_what_nothing_decided() {
        let touch = json!({ "command": "touch x" });
        let allows = verdict(Opinion::Allow, None);
        for (mode, rules, tool, input, expected) in [
            (Mode::Default, vec![], "Bash", touch.clone(), "allow"),
            (Mode::Auto, vec![], "Bash", touch.clone(), "allow"),
            (Mode::DontAsk, vec![], "Bash", touch.clone(), "allow"),
            (Mode::Plan, vec![], "Bash", touch.clone(), "deny"),
            (Mode::Default, vec![(List::Deny, "Bash(touch:*)")], "Bash", touch.clone(), "deny"),
            (Mode::Bypass, vec![(List::Ask, "Bash(touch:*)")], "Bash", touch.clone(), "ask"),
            (Mode::Default, vec![(List::Ask, "Bash")], "Bash", touch.clone(), "ask"),
            (Mode::Default, vec![(List::Deny, "Bash(rm:*)")], "Bash", json!({ "command": "$x y" }), "ask"),
            (Mode::Default, vec![], "Bash", json!({ "command": "rm -rf ~" }), "ask"),
            (Mode::Auto, vec![], "Bash", json!({ "command": "cat ~/.ssh/id_rsa" }), "ask"),
            (Mode::Default, vec![], "ExitPlanMode", json!({ "plan": "x" }), "ask"),
            (
                Mode::Default,
                vec![],
                "Write",
                json!({ "file_path": "/home/dev/proj/.git/config", "content": "x" }),
                "ask",
            ),
            (Mode::Default, vec![], "Bash", json!({ "command": 7 }), "deny"),
        ] {
            let ruling = applied(&context(mode, &rules), tool, &input, &allows);
            assert_eq!(ruling.decision.name(), expected, "{mode} {tool} {input}");
        }
        let mut headless = context(Mode::Default, &[]);
        headless.switches.avoid_prompts = true;
        assert!(applied(&headless, "Bash", &touch, &allows).decision.is_allow());
        let mut broken = context(Mode::Default, &[]);
        broken.switches.rules_incomplete = true;
        assert!(!applied(&broken, "Bash", &touch, &allows).decision.is_allow());
    }

    /// [H4] [M1]
    #[test]
    fn an_ask_of_a_hook_is_a_floor() {
        let touch = json!({ "command": "touch x" });
        let asks = verdict(Opinion::Ask, None);
        for (mode, expected) in [
            (Mode::Default, "ask"),
            (Mode::AcceptEdits, "ask"),
            (Mode::Auto, "ask"),
            (Mode::Bypass, "ask"),
            (Mode::DontAsk, "deny"),
            (Mode::Plan, "deny"),
        ] {
            let context = context(mode, &[]);
            let ruling = applied(&context, "Bash", &touch, &asks);
            assert_eq!(ruling.decision.name(), expected, "{mode}");
            assert!(
                !matches!(ruling.decision, Decision::Ask { pending_classifier_check: true, .. }),
                "{mode}"
            );
        }
        let allowed = context(Mode::Default, &[(List::Allow, "Bash(touch:*)")]);
        let ruling = applied(&allowed, "Bash", &touch, &asks);
        assert!(matches!(ruling.reason, Reason::Hook { .. }) && ruling.decision.name() == "ask");
        let mut headless = context(Mode::Bypass, &[]);
        headless.switches.avoid_prompts = true;
        assert_eq!(applied(&headless, "Bash", &touch, &asks).decision.name(), "deny");
        // Whoever asks with a better reason keeps it.
        let ruling = applied(&context(Mode::Bypass, &[]), "Bash", &json!({ "command": "rm -rf ~" }), &asks);
        assert_eq!(ruling.reason.word(), "catastrophic-deletion");
    }

    /// [H4] [T5]
    #[test]
    fn a_rewritten_input_is_judged_again() {
        let touch = json!({ "command": "touch x" });
        let to = |command: &str| verdict(Opinion::Allow, Some(json!({ "command": command })));
        let plain = context(Mode::Default, &[(List::Deny, "Bash(curl:*)"), (List::Ask, "Bash(git push:*)")]);
        let ruling = applied(&plain, "Bash", &touch, &to("touch y"));
        assert_eq!(ruling.decision, Decision::Allow { updated_input: Some(json!({ "command": "touch y" })) });
        for (command, expected) in [("curl x", "deny"), ("git push", "ask"), ("rm -rf ~", "ask")] {
            assert_eq!(applied(&plain, "Bash", &touch, &to(command)).decision.name(), expected, "{command}");
        }
        // What the call was before does not matter any more, and what allows it may be a rule.
        let rewritten = verdict(Opinion::Nothing, Some(json!({ "command": "git status" })));
        let ruling = applied(&plain, "Bash", &json!({ "command": "curl x" }), &rewritten);
        assert_eq!(
            ruling.decision,
            Decision::Allow { updated_input: Some(json!({ "command": "git status" })) }
        );
        // An input that the tool does not take is no way around validation.
        let odd = verdict(Opinion::Allow, Some(json!({ "command": ["ls"] })));
        assert_eq!(applied(&plain, "Bash", &touch, &odd).decision.name(), "deny");
    }

    /// [H4] [T4]
    #[test]
    fn hooks_leave_their_line_in_the_trace() {
        let plain = context(Mode::Bypass, &[]);
        let touch = json!({ "command": "touch x" });
        for said in [Opinion::Nothing, Opinion::Allow, Opinion::Ask, Opinion::Failed, Opinion::Deny] {
            let ruling = applied(&plain, "Bash", &touch, &verdict(said, None));
            let lines: Vec<_> = ruling.trace.steps.iter().filter(|step| step.step == "H4 hooks").collect();
            assert_eq!(lines.len(), 1, "{said:?}");
            assert!(ruling.trace.steps.is_sorted_by_key(|step| step.micros), "{said:?}");
        }
        let denied = applied(&plain, "Bash", &touch, &verdict(Opinion::Failed, None));
        assert_eq!((denied.decision.name(), denied.reason.word()), ("deny", "hook"));
        let silent = applied(&plain, "Bash", &touch, &HookVerdict::none());
        assert!(silent.trace.steps.iter().all(|step| step.step != "H4 hooks"));
    }
}
