//! Rules that touch a call, and the strongest of them.

use portcullis_shell::{Span, Unclear, Why};

use crate::glob::Match;
use crate::rules::Rule;
use crate::ruling::{Part, Reason};
use crate::view::{PathUse, View};

/// A rule that touches the call, surely or perhaps.
pub(crate) struct Hit<'r> {
    pub(crate) rule: &'r Rule,
    pub(crate) clear: bool,
    pub(crate) part: Option<Part>,
}

impl Hit<'_> {
    pub(crate) fn reason(&self) -> Reason {
        Reason::Rule {
            rule: self.rule.text.clone(),
            list: self.rule.list,
            origin: self.rule.origin.clone(),
            clear: self.clear,
            part: self.part.clone(),
        }
    }
}

/// The strongest hit so far.
#[derive(Default)]
pub(crate) struct Strongest<'r>(pub(super) Option<Hit<'r>>);

impl<'r> Strongest<'r> {
    pub(crate) fn add(&mut self, rule: &'r Rule, found: Match, part: impl FnOnce() -> Option<Part>) {
        let better = match (&self.0, found) {
            (_, Match::No) => false,
            (None, _) => true,
            (Some(hit), Match::Yes) => !hit.clear,
            (Some(_), Match::Unclear) => false,
        };
        if better {
            self.0 = Some(Hit { rule, clear: found == Match::Yes, part: part() });
        }
    }

    pub(super) fn is_clear(&self) -> bool {
        self.0.as_ref().is_some_and(|hit| hit.clear)
    }
}

/// Of two hits the clear one; of equals the first.
pub(crate) fn stronger<'r>(first: Option<Hit<'r>>, second: Option<Hit<'r>>) -> Option<Hit<'r>> {
    match (first, second) {
        (Some(first), Some(second)) if second.clear && !first.clear => Some(second),
        (Some(first), _) => Some(first),
        (None, second) => second,
    }
}

pub(crate) fn part(view: &View, span: Span) -> Part {
    Part { text: span.of(&view.line).to_owned(), span: Some(span) }
}

pub(super) fn path_part(path: &PathUse) -> Part {
    Part { text: path.named.clone(), span: path.span }
}

/// Whether, for all that is known, the doubt could be any command.
pub(crate) fn could_run_anything(doubt: &Unclear) -> bool {
    match doubt.why {
        Why::UnclearCommand
        | Why::UnclearCode
        | Why::Arithmetic
        | Why::Syntax
        | Why::Dialect
        | Why::Changed
        | Why::NotModelled
        | Why::TooLong
        | Why::TooDeep
        | Why::TooMuch
        | Why::Hidden => true,
        Why::UnknownCommand | Why::UnknownOption | Why::UnknownOperand | Why::MaybeOption => false,
    }
}
