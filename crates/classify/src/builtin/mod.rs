//! The built-in judge (SPEC C17): needs no model, never waits, and says why.
//!
//! It blocks what shows a kind of harm, lets ordinary project work pass, and asks about the rest.

mod bare;
mod boundary;
mod by_name;
mod consent;
mod elsewhere;
mod handback;
mod heard;
mod manner;
mod nothing_else;
mod object;
mod ports;
mod requests;
mod scope;
mod settled;
mod spoken;
mod steps;
mod words;

use std::borrow::Cow;
use std::cell::LazyCell;

use portcullis_decide::{
    Category, Check, Context, Finding, Reason, Severity, Tool, ToolCall, View, encode, findings,
    reads_only_samples, types_into_page, unusual_besides,
};

use portcullis_shell::Span;

pub use handback::{Handback, flaw};

use crate::transcript::Transcript;
use crate::{redact, redact_json};

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
    /// It may not run: it shows harm.
    Block(Finding),
    /// It may not run: the user said so.
    Forbidden {
        /// In these words.
        words: String,
    },
    /// A person, or a model, has to look.
    Ask {
        /// Why.
        why: String,
    },
}

/// The boundary that the user stated and the call crosses, in the user's words.
#[must_use]
pub fn crosses_boundary(call: &ToolCall, context: &Context, transcript: &Transcript) -> Option<String> {
    boundary::crossed(call, &View::of(call, context), transcript)
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
    let view = View::of(call, context);
    if let Some(words) = boundary::crossed(call, &view, transcript) {
        return Verdict::Forbidden { words };
    }
    if let Some(finding) = leaks(call) {
        return Verdict::Block(finding);
    }
    let root = context.roots.first().map_or("", String::as_str);
    let found = findings(call, &view, context);
    let requests = LazyCell::new(|| consent::asked(transcript));
    let asked_for = LazyCell::new(|| consent::spells_out(&view, transcript, &requests));
    let holds_back = LazyCell::new(|| transcript.human_turns().last().is_none_or(heard::holds_back));
    let nothing_else = LazyCell::new(|| {
        transcript.human_turns().last().is_some_and(|turn| nothing_else::is_all(turn, &view))
    });
    let given = |finding: &Finding| {
        let soft = finding.severity == Severity::Soft;
        let turn = || Turn { holds_back: *holds_back, nothing_else: *nothing_else };
        soft && (consent::is_given(finding, &view, &requests, root, &turn())
            || (*asked_for && !consent::is_for_elsewhere(finding, &view, &requests))
            || bare::is_asked_for(finding, &view, transcript))
    };
    let (given, left): (Vec<Finding>, Vec<Finding>) = found.into_iter().partition(given);
    let gravest = left.into_iter().max_by_key(|finding| (finding.certain, finding.severity));
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
    // What a safety check asks about, only the user's own words clear; a sample of such a file holds nothing.
    let sample = matches!(asked, Reason::Safety { check: Check::Credentials, .. })
        && reads_only_samples(&view, context);
    if matches!(asked, Reason::Safety { .. }) && given.is_empty() && !sample {
        return Verdict::Ask { why: asked.sentence() };
    }
    let cleared = cleared(&given, &view, *nothing_else);
    let by_name = || {
        !*holds_back && (ports::asks(&requests, &view) || (*nothing_else && by_name::asks(&requests, &view)))
    };
    match unusual_besides(call, &view, context, &cleared) {
        Some(_) if *asked_for || by_name() => {
            Verdict::Allow { why: "the user asked for exactly this".to_owned() }
        }
        Some(why) => Verdict::Ask { why },
        None if given.is_empty() => Verdict::Allow { why: "ordinary work on the project".to_owned() },
        None => Verdict::Allow { why: "the user asked for exactly this".to_owned() },
    }
}

/// What the last turn of a person is like, beside what it asks for.
struct Turn {
    /// Something is held back or forbidden.
    holds_back: bool,
    /// It is about the line alone.
    nothing_else: bool,
}

/// The parts of the line that the user asked for; `sudo` before them where nobody else may do them.
fn cleared(given: &[Finding], view: &View, nothing_else: bool) -> Vec<Span> {
    let mut spans: Vec<Span> = given.iter().filter_map(|finding| finding.span).collect();
    let Some(reading) = view.reading.as_ref().filter(|_| nothing_else) else { return spans };
    let due = reading.commands.iter().filter(|it| manner::gives_due_rights(it, reading));
    let around = due.filter(|it| spans.iter().any(|span| consent::is_within(*span, it.span)));
    let around: Vec<Span> = around.map(|it| it.span).collect();
    spans.extend(around);
    spans
}

/// A secret in what goes to others: a search, an address, a message, another program.
fn leaks(call: &ToolCall) -> Option<Finding> {
    let outgoing = matches!(call.tool, Tool::WebSearch | Tool::WebFetch | Tool::SendMessage | Tool::Mcp(_));
    let text = if outgoing { encode(call)? } else { return None };
    // A field that is called a password is a place of the page; what is typed may be a key of somebody nevertheless.
    if types_into_page(call) && redact_json(&call.input) == call.input {
        return None;
    }
    matches!(redact(&text), Cow::Owned(_)).then(|| Finding {
        category: Category::CredentialLeak,
        severity: Severity::Hard,
        certain: true,
        what: "it would hand a secret to others".to_owned(),
        span: None,
        targets: Vec::new(),
        steps: Vec::new(),
    })
}
