//! Walks the syntax tree and finds out, command by command, what the line would do.
//!
//! Follows what the line itself changes (variables, directory, functions); looks nothing up and runs
//! nothing. What depends on anything else is unknown.

mod arithmetic;
mod assigned;
mod braces;
mod builtins;
mod declare;
mod dispatch;
mod expand;
mod flow;
mod parameter;
mod shells;
mod simple;
mod state;
mod variables;

use bumpalo::Bump;

use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::programs::invocation::Use;
use crate::reading::{Command, FileUse, Placement, Reading};
use crate::span::Span;
use crate::syntax::tree::Stop;
use crate::syntax::{self, Base, Budget};
use crate::unclear::{Unclear, Why};
use state::State;
pub(crate) use variables::matters as variable_matters;

/// Reads `text` as a script and says what it would do.
pub(crate) fn read_script(text: &str, dialect: Dialect) -> Reading {
    let arena = Bump::with_capacity(text.len() * 8 + 1024);
    let mut walker = Walker {
        arena: &arena,
        dialect,
        budget: Budget::new(text.len()),
        state: State::default(),
        placement: Placement::Direct,
        input: Input::Inherited,
        reading: Reading::default(),
        text_keys: false,
        splitting_changed: false,
        integers: false,
        inside: Vec::new(),
    };
    walker.source(arena.alloc_str(text), Base::Offset(0));
    walker.reading
}

/// Where a command's standard input comes from.
#[derive(Clone, Copy, Debug)]
enum Input<'a> {
    /// From whoever runs the line.
    Inherited,
    /// From another command or a file.
    Unknown,
    /// This text.
    Text(Argument<'a>),
}

struct Walker<'a> {
    arena: &'a Bump,
    dialect: Dialect,
    budget: Budget,
    state: State<'a>,
    placement: Placement,
    input: Input<'a>,
    reading: Reading,
    /// The array that is assigned has plain text for keys.
    text_keys: bool,
    /// `IFS` was changed somewhere: how unquoted values split is not followed.
    splitting_changed: bool,
    /// A variable was declared as integer somewhere: assignments are arithmetic.
    integers: bool,
    /// The functions whose bodies are being walked.
    inside: Vec<&'a str>,
}

impl<'a> Walker<'a> {
    /// Parses and walks a text.
    fn source(&mut self, text: &'a str, base: Base) {
        let parsed = syntax::parse(self.arena, text, self.dialect, base, &mut self.budget);
        self.reading.unclear.extend(parsed.notes);
        self.script(&parsed.script);
        if let Some(Stop { why, detail, span }) = parsed.error {
            self.doubt(why, detail, span);
        }
    }

    /// Walks shell text that is evaluated at run time, such as the argument of `eval`.
    fn evaluate(&mut self, code: Argument<'a>, placement: Placement, dialect: Dialect) {
        if code.choices.is_empty() && !code.literal {
            return self.doubt(Why::UnclearCode, code.text, code.span);
        }
        if !self.enter(code.span) {
            return;
        }
        let outer_placement = std::mem::replace(&mut self.placement, placement);
        let outer_dialect = std::mem::replace(&mut self.dialect, dialect);
        for text in code.possible() {
            if self.spend(text.len(), code.span) {
                self.source(text, Base::Fixed(code.span));
            }
        }
        self.placement = outer_placement;
        self.dialect = outer_dialect;
        self.budget.depth -= 1;
    }

    /// Walks `inner` with commands placed as `placement` and every change of state undone after it.
    fn isolated(&mut self, placement: Placement, inner: impl FnOnce(&mut Self)) {
        if !self.spend(self.state.size(), Span::default()) {
            return;
        }
        let state = self.state.clone();
        self.placed(placement, inner);
        self.state = state;
    }

    fn placed(&mut self, placement: Placement, inner: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.placement, placement);
        inner(self);
        self.placement = outer;
    }

    fn with_input(&mut self, input: Input<'a>, inner: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.input, input);
        inner(self);
        self.input = outer;
    }

    /// Goes one level deeper if the limit allows; otherwise says so.
    fn enter(&mut self, span: Span) -> bool {
        if self.budget.depth >= syntax::MAX_DEPTH {
            self.doubt(Why::TooDeep, "", span);
            return false;
        }
        self.budget.depth += 1;
        true
    }

    /// Takes work from the budget; says so when it is used up.
    fn spend(&mut self, steps: usize, span: Span) -> bool {
        if self.budget.spend(steps) {
            return true;
        }
        if !self.reading.unclear.iter().any(|unclear| unclear.why == Why::TooMuch) {
            self.doubt(Why::TooMuch, "", span);
        }
        false
    }

    fn doubt(&mut self, why: Why, detail: impl Into<String>, span: Span) {
        self.reading.unclear.push(Unclear::new(why, detail, span));
    }

    fn record(&mut self, command: Command) {
        self.reading.commands.push(command);
    }

    fn file(&mut self, usage: Use, file: Argument<'a>) {
        let list = match usage {
            Use::Read => &mut self.reading.files.read,
            Use::Write => &mut self.reading.files.written,
            Use::Delete => &mut self.reading.files.deleted,
        };
        let exact = file.literal || !file.choices.is_empty();
        for path in file.possible() {
            self.state.locate(path, |path, located| {
                list.push(FileUse { path, literal: exact && located, span: file.span });
            });
        }
    }
}
