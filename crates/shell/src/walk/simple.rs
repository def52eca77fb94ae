//! Simple commands: their assignments and redirects, before the program itself is looked at.

use super::{Input, Walker};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::printed::Printed;
use crate::programs::invocation::{Outcome, is_connection};
use crate::reading::Placement;
use crate::syntax::tree::{Assigned, Assignment, Descriptor, Redirect, RedirectKind, Simple, Word};
use crate::unclear::Why;
use crate::{reading, variables};

impl<'a> Walker<'a> {
    pub(super) fn simple(&mut self, simple: &Simple<'a>) {
        self.telling = false;
        let piped = self.piped.take();
        let words = self.expand_all(simple.words);
        let mut out = Outcome::new(self.arena);
        let shown =
            matches!(words.first().and_then(Argument::known), Some("echo" | "printf" | "cat" | "tee"));
        let told = std::mem::take(&mut self.telling) && shown;
        let redirected = self.redirects(simple.redirects, &mut out);
        out.piped = piped.filter(|_| redirected.is_none());
        let input = redirected.unwrap_or(self.input);
        // What is fed to a program it may print.
        if told || self.telling {
            out.add(Effects::SECRETS);
        }
        self.declaring = simple.words.first().is_some_and(is_bare_name);
        if words.is_empty() {
            for assignment in simple.assignments {
                self.telling = false;
                let value = self.assigned_value(assignment);
                if self.telling {
                    self.found.tells(assignment.name);
                }
                self.assign_for_good(assignment.name, value, &mut out);
            }
            return self.finish_shell(out);
        }
        if self.is_forwarded(simple) {
            return self.finish_shell(out);
        }
        let program = words.first().and_then(Argument::known);
        let mut assignments = Vec::new();
        for assignment in simple.assignments {
            let value = self.assigned_value(assignment);
            if variables::matters(assignment.name, value.known(), program) {
                out.add(Effects::ENVIRONMENT);
            }
            if variables::is_code(assignment.name) {
                self.evaluate(value, Placement::Evaluated, self.dialect);
            }
            assignments.push((assignment.name.to_owned(), public(&value)));
            if assignment.name == "IFS" && program == Some("read") {
                // It counts for that one `read` only.
                continue;
            }
            // Code that the command evaluates sees the value; what follows may still see the older one.
            self.found.assigned(assignment.name, value, self.arena);
            if self.state.variable(assignment.name).is_some() {
                self.state.forget(assignment.name);
                self.found.assigned(
                    assignment.name,
                    Argument { many: true, ..Argument::unknown(value.span) },
                    self.arena,
                );
            }
        }
        self.with_input(input, |walker| walker.dispatch(words, assignments, out, simple.span));
    }

    /// Effects that belong to no command.
    pub(super) fn finish_shell(&mut self, out: Outcome<'a>) {
        self.reading.shell.add(out.effects);
        for (usage, file) in out.files {
            if self.file(usage, file, true) {
                self.reading.shell.add(Effects::SECRETS);
            }
        }
        self.reading.unclear.extend(out.unclear);
    }

    pub(super) fn group_redirects(&mut self, redirects: &[Redirect<'a>]) -> Option<Input<'a>> {
        let mut out = Outcome::new(self.arena);
        let input = self.redirects(redirects, &mut out);
        self.finish_shell(out);
        input
    }

    fn assigned_value(&mut self, assignment: &Assignment<'a>) -> Argument<'a> {
        if let Some(subscript) = assignment.subscript {
            self.subscript(assignment.name, &subscript);
        }
        match assignment.value {
            Assigned::Word(word) => {
                let value = self.expand_one(&word);
                let changes = assignment.append || assignment.subscript.is_some();
                if changes { Argument { many: true, ..Argument::unknown(word.span) } } else { value }
            }
            Assigned::Array(words) => {
                self.text_keys = self.state.is_associative(assignment.name);
                let words = self.expand_all(words);
                self.text_keys = false;
                let printed = only_printed(words).filter(|_| !assignment.append);
                Argument { many: true, printed, ..Argument::unknown(assignment.span) }
            }
        }
    }

    /// An assignment that stays.
    pub(super) fn assign_for_good(&mut self, name: &'a str, value: Argument<'a>, out: &mut Outcome<'a>) {
        out.add(Effects::SHELL_STATE);
        self.assign(name, value);
    }

    /// A variable gets a value, however that comes about.
    pub(super) fn assign(&mut self, name: &'a str, value: Argument<'a>) {
        if variables::is_sensitive(name) && !variables::is_harmless(name, value.known()) {
            self.reading.shell.add(Effects::ENVIRONMENT);
        }
        if variables::is_code(name) {
            self.evaluate(value, Placement::Evaluated, self.dialect);
        }
        if (self.knowledge.integers || self.found.integers || variables::is_integer(name)) && !value.numeric {
            self.doubt(Why::Arithmetic, name, value.span);
        }
        // A value keeps its text but not its word: unquoted, it is split where it is used.
        let unknown = !value.literal && value.choices.is_empty() && !value.numeric;
        let printed = value.printed.filter(|_| value.text == "*");
        let value = Argument { many: unknown, glob: false, printed, ..value };
        self.found.assigned(name, value, self.arena);
        self.state.set(name, value);
    }

    /// Walks redirects; says where standard input comes from if one of them changes it.
    pub(super) fn redirects(
        &mut self,
        redirects: &[Redirect<'a>],
        out: &mut Outcome<'a>,
    ) -> Option<Input<'a>> {
        let mut input = None;
        for redirect in redirects {
            if let Some(Descriptor::Variable(name)) = redirect.descriptor {
                let number = Argument { numeric: true, may_dash: false, ..Argument::unknown(redirect.span) };
                self.assign(name, number);
            }
            let standard = matches!(redirect.descriptor, None | Some(Descriptor::Number("0")));
            let word = match redirect.kind {
                RedirectKind::Read(word)
                | RedirectKind::Write(word)
                | RedirectKind::ReadWrite(word)
                | RedirectKind::Duplicate { word, .. }
                | RedirectKind::HereString(word) => word,
                RedirectKind::HereDocument(document) => document.body.get(),
            };
            let word = self.expand_one(&word);
            let source = Self::redirect(&redirect.kind, word, out).filter(|_| standard);
            // zsh joins all that a command is fed.
            let joined =
                self.dialect == Dialect::Zsh && (input.is_some() || !matches!(self.input, Input::Inherited));
            input = source.map(|source| if joined { Input::Unknown(None) } else { source }).or(input);
        }
        input
    }

    /// What a redirect does with its word. Apart from the walk of that word, which goes deep.
    #[inline(never)]
    fn redirect(kind: &RedirectKind<'a>, word: Argument<'a>, out: &mut Outcome<'a>) -> Option<Input<'a>> {
        match kind {
            RedirectKind::Read(_) if word.known() == Some("/dev/null") => {
                Some(Input::Text(Argument::literal("", word.span)))
            }
            RedirectKind::Read(_) => {
                match word.known() {
                    _ if is_connection(&word) => out.add(Effects::NETWORK_WRITE),
                    Some("/dev/stdin") => {}
                    _ => out.reads(word),
                }
                // `< <(git ls-files)`
                Some(Input::Unknown(word.printed.filter(|_| word.text == "/dev/fd/*")))
            }
            RedirectKind::Write(_) => {
                out.writes(word);
                None
            }
            RedirectKind::ReadWrite(_) => {
                out.reads(word);
                out.writes(word);
                Some(Input::Unknown(None))
            }
            RedirectKind::Duplicate { output, .. } => {
                let descriptor = word
                    .known()
                    .is_some_and(|text| text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit()));
                if !descriptor && !word.numeric {
                    if *output { out.writes(word) } else { out.reads(word) }
                }
                (!output).then_some(Input::Unknown(None))
            }
            RedirectKind::HereString(_) | RedirectKind::HereDocument(_) => Some(Input::Text(word)),
        }
    }
}

/// The commands that print all of these words: there is one, and it is all theirs.
pub(super) fn only_printed(words: &[Argument<'_>]) -> Option<Printed> {
    let [only] = words else { return None };
    only.printed.filter(|_| only.text == "*")
}

/// The form of an argument that leaves this crate.
pub(super) fn public(argument: &Argument<'_>) -> reading::Argument {
    reading::Argument {
        text: argument.text.to_owned(),
        literal: argument.literal,
        several: argument.many,
        choices: argument.choices.iter().map(|&text| text.to_owned()).collect(),
        printed: argument.printed,
        span: argument.span,
    }
}

/// A word written without quotes, escapes or expansions: only then the shell knows a declaration by it.
fn is_bare_name(word: &Word<'_>) -> bool {
    word.plain().is_some_and(|text| (word.span.end - word.span.start) as usize == text.len())
}
