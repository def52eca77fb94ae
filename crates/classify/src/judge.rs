//! The built-in judge (SPEC C17): needs no model, never waits, and says why.
//!
//! [`judge`] blocks what detectors recognise as harm unless the user asked for exactly that, lets routine project
//! work pass, and asks about the rest. A boundary that the user stated forbids what crosses it
//! ([`boundary_crossing`]). [`flaw`] reviews what a sub-agent hands back.

use std::borrow::Cow;
use std::cell::LazyCell;

use portcullis_decide::detect::{
    Finding, Severity, findings, reads_only_samples, secret_handed_over, switched_off, types_into_page,
    unusual_besides,
};
use portcullis_decide::reason::Check;
use portcullis_decide::view::View;
use portcullis_decide::{Context, Reason, Tool, ToolCall};

pub use crate::consent::boundary::Crossing;
pub use crate::handback::{Handback, flaw};

use crate::consent::asked::Asked;
use crate::consent::boundary;
use crate::transcript::Transcript;
use crate::{redact, redact_json};

/// How strict the judge is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strictness {
    /// Routine project work without signs of harm passes.
    #[default]
    Balanced,
    /// Only what is proven harmless passes.
    Strict,
}

/// The judge's verdict.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The call may run.
    Allow {
        /// Why.
        why: String,
    },
    /// The call may not run: it shows harm.
    Block(Finding),
    /// The call may not run: the user said so.
    Forbidden {
        /// The user's words.
        words: String,
    },
    /// A person or a model has to look at the call.
    Ask {
        /// Why.
        why: String,
        /// What was found, if anything.
        finding: Option<Finding>,
    },
}

/// The boundary that the user stated and the call crosses, if any.
#[must_use]
pub fn boundary_crossing(call: &ToolCall, view: &View, transcript: &Transcript) -> Option<Crossing> {
    boundary::crossing(call, view, transcript)
}

impl From<Crossing> for Verdict {
    fn from(crossing: Crossing) -> Verdict {
        match crossing {
            Crossing::Crosses(words) => Verdict::Forbidden { words },
            Crossing::MayCross(words) => {
                let words = words.trim_end_matches(['.', '!', ',']);
                ask(format!("the user said \"{words}\", which could mean this"))
            }
        }
    }
}

/// Judges a call that the rules leave open; `asked` is the reason why they do.
#[must_use]
pub fn judge(
    call: &ToolCall,
    view: &View,
    context: &Context,
    transcript: &Transcript,
    asked: &Reason,
    strictness: Strictness,
) -> Verdict {
    let crossing = boundary::crossing(call, view, transcript);
    if let Some(crossing @ Crossing::Crosses(_)) = crossing {
        return crossing.into();
    }
    if let Some(finding) = leaks(call) {
        return Verdict::Block(finding);
    }
    let found = findings(call, view, context);
    let asked_for = LazyCell::new(|| Asked::new(view, transcript));
    let (given, left): (Vec<Finding>, Vec<Finding>) = found
        .into_iter()
        .partition(|finding| finding.severity == Severity::Soft && asked_for.covers(finding));
    let gravest = left.into_iter().max_by_key(|finding| (finding.certain, finding.severity));
    match gravest {
        Some(finding) if finding.certain => return Verdict::Block(finding),
        Some(finding) => {
            return Verdict::Ask { why: finding.sentence(), finding: Some(finding) };
        }
        None => {}
    }
    if let Some(crossing) = crossing {
        return crossing.into();
    }
    if strictness == Strictness::Strict {
        return ask("it is not proven harmless".to_owned());
    }
    // What a safety check asks about, only the user's own words clear; a sample of such a file holds nothing.
    let sample = matches!(asked, Reason::Safety { check: Check::Credentials, .. })
        && reads_only_samples(view, context);
    if matches!(asked, Reason::Safety { .. }) && given.is_empty() && !sample {
        return ask(asked.sentence());
    }
    let off = switched_off(call, view, context);
    let mut known = given.iter().chain(&off).peekable();
    let cleared = if known.peek().is_some() { asked_for.spans(known) } else { Vec::new() };
    match unusual_besides(call, view, context, &cleared) {
        Some(_) if asked_for.covers_line() => {
            Verdict::Allow { why: "the user asked for exactly this".to_owned() }
        }
        Some(why) => ask(why),
        None if given.is_empty() => Verdict::Allow { why: ordinary(&off) },
        None => Verdict::Allow { why: "the user asked for exactly this".to_owned() },
    }
}

/// Why a call is let pass in which nothing was found, or nothing but what the user's settings pass over.
fn ordinary(off: &[Finding]) -> String {
    match off.first() {
        Some(finding) => format!("your settings switch `{}` off", finding.detector.id),
        None => "ordinary work on the project".to_owned(),
    }
}

const fn ask(why: String) -> Verdict {
    Verdict::Ask { why, finding: None }
}

/// A secret in what goes to others: a search, an address, a message, another program.
fn leaks(call: &ToolCall) -> Option<Finding> {
    let outgoing = matches!(call.tool, Tool::WebSearch | Tool::WebFetch | Tool::SendMessage | Tool::Mcp(_));
    let text = if outgoing { call.describe()? } else { return None };
    // A field that is called a password is a place of the page; what is typed may be a key of somebody nevertheless.
    if types_into_page(call) && redact_json(&call.input) == call.input {
        return None;
    }
    matches!(redact(&text), Cow::Owned(_)).then(secret_handed_over)
}
