//! Walks the syntax tree and finds out, command by command, what the line would do.
//!
//! Follows what the line itself changes (variables, directory, functions); looks nothing up and runs
//! nothing. What depends on anything else is unknown.

mod arithmetic;
mod braces;
mod builtins;
mod declare;
mod dispatch;
mod expand;
mod flow;
mod forward;
mod joined;
mod knowledge;
mod options;
mod parameter;
mod patterns;
mod printed;
mod rare;
mod shells;
mod simple;
mod state;

use bumpalo::Bump;

use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::printed::Printed;
use crate::programs::invocation::Use;
use crate::reading::{Command, FileUse, Placement, Reading};
use crate::secrets;
use crate::span::Span;
use crate::syntax::tree::Stop;
use crate::syntax::{self, Base, Budget, Parsed};
use crate::unclear::{Unclear, Why};
use knowledge::Knowledge;
pub use shells::is_prelude;
use state::State;

/// How often a line is walked before what it does to its variables counts as beyond knowing.
const MAX_WALKS: usize = 2;

/// Reads `text` as a script and says what it would do.
pub(crate) fn read_script(text: &str, dialect: Dialect, folders: &[String]) -> Reading {
    let arena = Bump::with_capacity(text.len() * 8 + 1024);
    let text = arena.alloc_str(text);
    let mut budget = Budget::new(text.len());
    let parsed = syntax::parse(&arena, text, dialect, Base::Offset(0), &mut budget);
    let mut knowledge = Knowledge::default();
    for walk in 0..=MAX_WALKS {
        knowledge.hopeless |= walk == MAX_WALKS;
        let (reading, found) = walk_once(&arena, &parsed, dialect, budget, knowledge.clone(), folders);
        // Most lines set nothing; the others are walked again with what was learnt, until nothing is new.
        if !found.matters() || knowledge.hopeless || !knowledge.learn(&found, &arena) {
            return reading;
        }
    }
    Reading { unclear: vec![Unclear::new(Why::TooMuch, "", Span::default())], ..Reading::default() }
}

fn walk_once<'a>(
    arena: &'a Bump,
    parsed: &Parsed<'a>,
    dialect: Dialect,
    budget: Budget,
    knowledge: Knowledge<'a>,
    folders: &[String],
) -> (Reading, Knowledge<'a>) {
    let mut walker = Walker {
        arena,
        dialect,
        budget,
        state: State::default(),
        placement: Placement::Direct,
        input: Input::Inherited,
        reading: Reading::default(),
        telling: false,
        declaring: false,
        shares_script: false,
        text_keys: false,
        repeated: 0,
        endless: 0,
        knowledge,
        found: Knowledge::default(),
        inside: Vec::new(),
        unguarded: true,
        forwarding: Vec::new(),
        piped: None,
        folders: arena.alloc_slice_fill_iter(folders.iter().map(|folder| &*arena.alloc_str(folder))),
    };
    walker.parsed(parsed);
    walker.reading.directory = walker.state.directory();
    (walker.reading, walker.found)
}

/// Where a command's standard input comes from.
#[derive(Clone, Copy, Debug)]
enum Input<'a> {
    /// From whoever runs the line.
    Inherited,
    /// From a file, or from other commands: from these alone, where that is known.
    Unknown(Option<Printed>),
    /// This text.
    Text(Argument<'a>),
}

#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about where the walk is")]
struct Walker<'a> {
    arena: &'a Bump,
    dialect: Dialect,
    budget: Budget,
    state: State<'a>,
    placement: Placement,
    input: Input<'a>,
    reading: Reading,
    /// The words of this command hold the value of a variable with a telling name.
    telling: bool,
    /// The command is written so that the shell takes `name=value` among its words for assignments.
    declaring: bool,
    /// The shell reads its commands from where they read: what they take of it is not run.
    shares_script: bool,
    /// The array that is assigned has plain text for keys.
    text_keys: bool,
    /// How many loops, functions and traps are open around this place.
    repeated: u32,
    /// How many of them have no end of their own.
    endless: u32,
    /// What earlier walks found out about the line's variables.
    knowledge: Knowledge<'a>,
    /// What this walk finds out.
    found: Knowledge<'a>,
    /// The functions whose bodies are being walked.
    inside: Vec<&'a str>,
    /// Functions that run the words they are given, and how many of them they put aside before.
    forwarding: Vec<(&'a str, usize)>,
    /// The script that is walked next is the line itself: nothing around it looks at whether it fails.
    unguarded: bool,
    /// What the command that is walked next is fed by the one before it, where that is text of the line.
    piped: Option<Argument<'a>>,
    /// Folders that are known to be there, seen from where the line starts.
    folders: &'a [&'a str],
}

impl<'a> Walker<'a> {
    /// Parses and walks a text.
    fn source(&mut self, text: &'a str, base: Base) {
        let parsed = syntax::parse(self.arena, text, self.dialect, base, &mut self.budget);
        self.parsed(&parsed);
    }

    fn parsed(&mut self, parsed: &Parsed<'a>) {
        self.reading.unclear.extend(parsed.notes.iter().cloned());
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
        let functions = self.state.functions();
        let ended = self.state.end_of_shell();
        for text in code.possible() {
            if self.spend(text.len(), code.span) {
                self.source(text, Base::Fixed(code.span));
            }
        }
        // Which of the texts runs, and whether any does, is not followed.
        self.state.doubt_new_functions(&functions);
        self.state.end_as(ended);
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
        // Whoever is given another input leaves the script alone.
        let same = std::mem::discriminant(&self.input) == std::mem::discriminant(&input);
        let shares = self.shares_script;
        self.shares_script &= same;
        let outer = std::mem::replace(&mut self.input, input);
        inner(self);
        self.input = outer;
        self.shares_script = shares;
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

    /// The commands that were noted since then, where their output is the whole of what is taken from them.
    fn printed_since(&self, from: usize) -> Option<Printed> {
        // zsh prints what is in a file that no command reads.
        let plain = self.dialect != Dialect::Zsh && !self.knowledge.splitting_changed;
        plain.then(|| Printed::row(from, self.reading.commands.len()))
    }

    fn record(&mut self, command: Command) {
        self.reading.commands.push(command);
    }

    /// Notes a file; says whether it is a place of credentials, seen from where the command runs.
    fn file(&mut self, usage: Use, file: Argument<'a>, redirect: bool) -> bool {
        let list = match usage {
            Use::Read => &mut self.reading.files.read,
            Use::Write => &mut self.reading.files.written,
            Use::Delete => &mut self.reading.files.deleted,
        };
        // What lies in the project under a name that is not known could be run later.
        let followed = |path: &&str| usage == Use::Write && path.starts_with("/tmp/");
        if let Some(path) = file.nearly.filter(followed) {
            let (literal, deep, printed, span) = (false, false, None, file.span);
            self.state.locate(path, |path, glob| {
                list.push(FileUse { path, literal, glob, deep, redirect, printed, span });
            });
            return false;
        }
        let exact = file.literal || !file.choices.is_empty();
        let named = |path: String| match (file.found, path.strip_suffix('*')) {
            (Some(name), Some(folder)) => format!("{folder}{name}"),
            (Some(_) | None, _) => path,
        };
        let mut secret = false;
        for written in file.possible() {
            self.state.locate(written, |path, located| {
                // The path as it is written was looked at before; `cd` can make a secret of a plain name.
                let moved = usage == Use::Read && path != written;
                secret |= moved && secrets::is_secret_path(&path, exact && located);
                list.push(FileUse {
                    path: named(path),
                    literal: exact && located,
                    glob: file.glob && located,
                    deep: file.found.is_some(),
                    redirect,
                    printed: file.printed.filter(|_| located && file.choices.is_empty()),
                    span: file.span,
                });
            });
        }
        secret
    }
}
