//! What follows when the walk ends with a question that the classifier may answer (SPEC F10b, C17, N1, N2).
//!
//! Only here does an answer of a judge become a ruling, so "no answer is no allow" is written once.

use portcullis_classify::Transcript;
use portcullis_classify::builtin::{self, Strictness, Verdict};
use portcullis_decide::{Context, Decision, Denials, Next, Outcome, Reason, Ruling, Step, ToolCall};

/// Which layer gave the final word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// Rules, mode, safety checks and fast paths.
    Rules,
    /// The built-in judge.
    BuiltIn,
    /// Nobody yet: a person has to answer.
    Person,
}

impl Layer {
    /// The name that programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Layer::Rules => "rules",
            Layer::BuiltIn => "built-in",
            Layer::Person => "person",
        }
    }
}

/// A ruling that nobody but a person can change.
#[derive(Debug)]
pub struct Settled {
    /// The ruling.
    pub ruling: Ruling,
    /// The session's denials after it.
    pub denials: Denials,
    /// Who gave it.
    pub layer: Layer,
}

/// The step that the built-in judge leaves in the trace.
const STEP: &str = "C17 built-in judge";

/// Lets the built-in judge answer what the walk left open; everything else stays as it is.
#[must_use]
pub fn settle(
    call: &ToolCall,
    context: &Context,
    transcript: &Transcript,
    strictness: Strictness,
    ruling: Ruling,
) -> Settled {
    let began = (context.clock)();
    let open = matches!(ruling.decision, Decision::Ask { pending_classifier_check: true, .. });
    if !open {
        return keep(call, context, transcript, ruling);
    }
    let verdict = builtin::judge(call, context, transcript, &ruling.reason, strictness);
    let spent = (context.clock)().saturating_sub(began);
    let offset = ruling.trace.steps.last().map_or(0, |step| step.micros);
    let mut answer = Answer { context, ruling, micros: offset.saturating_add(spent) };
    match verdict {
        Verdict::Allow { why } => answer.allow(why),
        Verdict::Block(finding) => {
            let told = format!("{}: {}", finding.category.title(), finding.what);
            answer.block(&told, Some(finding.category.id()))
        }
        Verdict::Forbidden { words } => answer.block(&format!("the user said \"{words}\""), None),
        Verdict::Ask { why } => {
            answer.note(format!("asks: {why}"));
            answer.ask_person(&why)
        }
    }
}

/// A ruling of the walk. A boundary that the user stated also holds for edits that would pass without review.
fn keep(call: &ToolCall, context: &Context, transcript: &Transcript, ruling: Ruling) -> Settled {
    let waved = matches!(ruling.reason, Reason::FastPath(path) if path.starts_with("P5"));
    if waved && let Some(words) = builtin::crosses_boundary(call, context, transcript) {
        let micros = ruling.trace.steps.last().map_or(0, |step| step.micros);
        return Answer { context, ruling, micros }.block(&format!("the user said \"{words}\""), None);
    }
    let outcome = if ruling.decision.is_allow() { Outcome::Allowed } else { Outcome::Unavailable };
    let layer = if matches!(ruling.decision, Decision::Ask { .. }) { Layer::Person } else { Layer::Rules };
    Settled { denials: context.denials.after(outcome).0, ruling, layer }
}

/// A judge's answer on its way to a ruling.
struct Answer<'a> {
    context: &'a Context,
    ruling: Ruling,
    micros: u64,
}

impl Answer<'_> {
    fn note(&mut self, outcome: String) {
        self.ruling.trace.steps.push(Step { step: STEP, outcome: outcome.into(), micros: self.micros });
    }

    fn allow(mut self, why: String) -> Settled {
        self.note(format!("allows: {why}"));
        self.ruling.decision = Decision::Allow { updated_input: None };
        self.ruling.reason = Reason::Classifier { stage: 0, reason: why, policy: None };
        let (denials, _) = self.context.denials.after(Outcome::Allowed);
        Settled { ruling: self.ruling, denials, layer: Layer::BuiltIn }
    }

    /// The agent is told what was refused and the rule's title, and nothing that hints at a way around (A6).
    fn block(mut self, told: &str, policy: Option<&str>) -> Settled {
        self.note(format!("blocks: {told}"));
        let (denials, next) = self.context.denials.after(Outcome::Blocked);
        let reason =
            Reason::Classifier { stage: 0, reason: told.to_owned(), policy: policy.map(str::to_owned) };
        let headless = self.context.switches.avoid_prompts;
        self.ruling.decision = match next {
            Next::Continue => {
                let message =
                    format!("{told}. This was refused; tell the user what you wanted to do and why.");
                Decision::Deny { message, stop: false }
            }
            // FAIL-CLOSED(denial-limit): where nobody can be asked, the agent stops.
            Next::Escalate if headless => Decision::Deny {
                message: "Agent aborted: too many classifier denials".to_owned(),
                stop: true,
            },
            Next::Escalate => {
                let message = format!("{told}; {}", denials.message());
                Decision::Ask { message, suggestions: Vec::new(), pending_classifier_check: false }
            }
        };
        self.ruling.reason = reason;
        Settled { ruling: self.ruling, denials, layer: Layer::BuiltIn }
    }

    fn ask_person(mut self, why: &str) -> Settled {
        let denials = self.context.denials;
        if let Decision::Ask { message, pending_classifier_check, .. } = &mut self.ruling.decision {
            *pending_classifier_check = false;
            *message = format!("{}: {why}", self.ruling.reason.sentence());
        }
        if self.context.switches.avoid_prompts {
            // FAIL-CLOSED(no-prompt): where nobody can be asked the answer is no.
            let message = format!("nobody can be asked: {why}");
            self.ruling.decision = Decision::Deny { message, stop: false };
        }
        Settled { ruling: self.ruling, denials, layer: Layer::Person }
    }
}

#[cfg(test)]
mod tests {
    use portcullis_decide::{Facts, Mode, decide};
    use serde_json::json;

    use super::*;

    fn settled(command: &str, change: impl FnOnce(&mut Context)) -> Settled {
        let mut context = Context::new("/home/dev/proj", "/home/dev");
        context.facts = Facts::plain();
        context.mode = Mode::Auto;
        change(&mut context);
        let call = ToolCall::new("Bash", json!({ "command": command }), "/home/dev/proj");
        let ruling = decide(&call, &context);
        settle(&call, &context, &Transcript::default(), Strictness::Balanced, ruling)
    }

    /// [N1] [C17]
    #[test]
    fn a_block_counts_and_an_allow_resets() {
        let blocked = settled("git push --force origin main", |_| {});
        assert_eq!((blocked.ruling.decision.name(), blocked.denials.consecutive), ("deny", 1));
        assert_eq!(blocked.ruling.reason.word(), "classifier");
        let allowed = settled("cargo test", |context| context.denials.consecutive = 2);
        assert_eq!((allowed.ruling.decision.name(), allowed.denials.consecutive), ("allow", 0));
        let asked = settled("no-such-program --now", |context| context.denials.consecutive = 2);
        assert_eq!((asked.ruling.decision.name(), asked.denials.consecutive), ("ask", 2));
    }

    /// [N2]
    #[test]
    fn the_limit_goes_to_a_person_or_stops_the_agent() {
        let person = settled("git push --force origin main", |context| context.denials.consecutive = 2);
        assert_eq!(person.ruling.decision.name(), "ask");
        assert!(person.ruling.message().contains("3 calls in a row"), "{}", person.ruling.message());
        let stopped = settled("git push --force origin main", |context| {
            context.denials.total = 19;
            context.switches.avoid_prompts = true;
        });
        let Decision::Deny { message, stop } = stopped.ruling.decision else { panic!("not denied") };
        assert!(stop && message == "Agent aborted: too many classifier denials");
    }

    /// [F10c]
    #[test]
    fn where_nobody_can_be_asked_the_answer_is_no() {
        let denied = settled("no-such-program --now", |context| context.switches.avoid_prompts = true);
        assert_eq!(denied.ruling.decision.name(), "deny");
    }

    /// [A6]
    #[test]
    fn the_agent_is_told_what_and_not_how_to_get_around_it() {
        let blocked = settled("git push --force origin main", |_| {});
        let message = blocked.ruling.message().to_lowercase();
        assert!(message.contains("destructive git") && message.contains("tell the user"), "{message}");
        assert!(!message.contains("settings") && !message.contains("allow"), "{message}");
    }
}
