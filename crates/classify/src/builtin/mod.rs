//! The built-in judge (SPEC C17): needs no model, never waits, and says why.
//!
//! It blocks what shows a kind of harm, lets ordinary project work pass, and asks about the rest.

use portcullis_decide::{Context, Finding, Reason, ToolCall, View, findings, unusual};

use crate::transcript::Transcript;

/// How much the judge lets pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strictness {
    /// Ordinary project work that shows no harm.
    #[default]
    Balanced,
    /// Only what is proven harmless.
    Strict,
}

/// What the judge says.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It may run.
    Allow {
        /// Why.
        why: String,
    },
    /// It may not run.
    Block(Finding),
    /// A person, or a model, has to look.
    Ask {
        /// Why.
        why: String,
    },
}

/// Judges a call that rules and analysis left open; `asked` is why they did.
#[must_use]
pub fn judge(
    call: &ToolCall,
    context: &Context,
    transcript: &Transcript,
    asked: &Reason,
    strictness: Strictness,
) -> Verdict {
    let _ = transcript;
    let view = View::of(call, context);
    let found = findings(call, &view, context);
    let gravest = found.into_iter().max_by_key(|finding| (finding.certain, finding.severity));
    match gravest {
        Some(finding) if finding.certain => return Verdict::Block(finding),
        Some(finding) => {
            return Verdict::Ask { why: format!("{}: {}", finding.category.title(), finding.what) };
        }
        None => {}
    }
    if strictness == Strictness::Strict {
        return Verdict::Ask { why: "it is not proven harmless".to_owned() };
    }
    if matches!(asked, Reason::Safety { .. }) {
        return Verdict::Ask { why: asked.sentence() };
    }
    match unusual(call, &view, context) {
        Some(why) => Verdict::Ask { why },
        None => Verdict::Allow { why: "ordinary work on the project".to_owned() },
    }
}
