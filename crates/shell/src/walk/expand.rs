//! Turns a word of the tree into the arguments that a program would get.
//!
//! On the way every substitution in the word is walked: expanding a word can run commands.

use super::braces;
use super::joined::{Joined, Splitting};
use super::printed::{
    counts, made_file, pipes_numbers, prints_hashes, prints_numbers, prints_one_word, prints_plainly,
};
use super::shells::prints_prelude;
use super::simple::only_printed;
use super::state::{MAX_CHOICES, of_choices};
use super::{Input, Walker};
use crate::argument::{Argument, Shape};
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::reading::Placement;
use crate::secrets;
use crate::span::Span;
use crate::syntax::tree::{Descriptor, Node, Part, Quoting, Redirect, RedirectKind, Script, Simple, Word};
use crate::unclear::Why;

/// Steps that a word made by brace expansion costs: it is made from nothing, so it is dear.
const WORD_COST: usize = 64;

impl<'a> Walker<'a> {
    pub(super) fn expand_all(&mut self, words: &[Word<'a>]) -> &'a [Argument<'a>] {
        let mut arguments = bumpalo::collections::Vec::with_capacity_in(words.len(), self.arena);
        for word in words {
            self.expand(word, &mut arguments);
        }
        arguments.into_bump_slice()
    }

    /// Adds the arguments that a word becomes.
    fn expand(&mut self, word: &Word<'a>, arguments: &mut bumpalo::collections::Vec<'a, Argument<'a>>) {
        match word.parts {
            [Part::Literal(text)] => arguments.push(Argument::literal(text, word.span)),
            [Part::Quoted(text)] => arguments.push(Argument::literal(self.not_home(text), word.span)),
            [Part::Parameter(parameter, Quoting::Bare)] => {
                let value = self.parameter(parameter, Quoting::Bare);
                self.split(Argument { span: word.span, ..value }, arguments);
            }
            parts
                if self.dialect != Dialect::Sh
                    && parts.iter().any(|part| matches!(part, Part::Brace("{"))) =>
            {
                // A substitution is walked once, not once for each word it is part of.
                let runs = parts.iter().any(|part| matches!(part, Part::Command(..) | Part::Process(_)));
                let words = if runs { None } else { braces::expand(parts, self.arena) };
                let few = words.filter(|words| self.spend(words.len() * WORD_COST, word.span));
                if let Some(words) = few {
                    // A word of which nothing is left is none.
                    for parts in words.iter().filter(|parts| !parts.is_empty()) {
                        let argument = self.join_parts(parts, word.span);
                        push_unless_gone(argument, arguments);
                    }
                } else {
                    if braces::is_endless(parts) {
                        self.doubt(Why::NotModelled, "more than a million words", word.span);
                    }
                    let argument = self.join_parts(parts, word.span);
                    arguments.push(Argument {
                        literal: false,
                        many: true,
                        may_dash: true,
                        counted: false,
                        text: "*",
                        printed: None,
                        ..argument
                    });
                }
            }
            parts => {
                let argument = self.join_parts(parts, word.span);
                push_unless_gone(argument, arguments);
            }
        }
    }

    /// A word where the shell expects exactly one: no splitting, no braces (assignments, redirects).
    pub(super) fn expand_one(&mut self, word: &Word<'a>) -> Argument<'a> {
        match word.parts {
            [] => Argument::literal("", word.span),
            [Part::Literal(text)] => Argument::literal(text, word.span),
            parts => self.join_parts(parts, word.span),
        }
    }

    /// The line sets what the tilde stands for.
    fn tilde_moved(&self, tilde: &str) -> bool {
        let variable = match tilde {
            "~" => "HOME",
            "~+" => "PWD",
            "~-" => "OLDPWD",
            _ => return false,
        };
        self.knowledge.assigns(variable)
    }

    /// A quoted `~` is a file of that name, not the home directory.
    fn not_home(&self, text: &'a str) -> &'a str {
        if text.starts_with('~') { self.arena.alloc_str(&format!("./{text}")) } else { text }
    }

    /// An unquoted value of a variable becomes as many words as it has.
    fn split(&mut self, value: Argument<'a>, arguments: &mut bumpalo::collections::Vec<'a, Argument<'a>>) {
        let blank = |character: char| matches!(character, ' ' | '\t' | '\n');
        let changes = |text: &str| {
            text.contains(['*', '?', '['])
                || (text.contains(blank) && (self.dialect == Dialect::Zsh || !value.literal))
                // It may be no word at all.
                || (text.is_empty() && !value.literal)
                || self.knowledge.splitting_changed
        };
        let exact = value.literal || !value.choices.is_empty();
        if exact && value.possible().any(changes) {
            return arguments.push(Argument { many: true, ..Argument::unknown(value.span) });
        }
        // The name of a new file has no blanks; without one it is no word.
        let new = value.shape.filter(|shape| shape.maybe_empty && !self.knowledge.splitting_changed);
        if let Some(shape) = new {
            return arguments.push(Argument { text: shape.pattern, glob: true, many: true, ..value });
        }
        // Several words that are not known are no pattern of files: they may lead anywhere.
        let Some(text) = value.known() else { return arguments.push(Argument { glob: false, ..value }) };
        for field in text.split(blank).filter(|field| !field.is_empty()) {
            arguments.push(Argument::literal(field, value.span));
        }
    }

    /// Joins the parts of a word into one argument.
    fn join_parts(&mut self, parts: &[Part<'a>], span: Span) -> Argument<'a> {
        let mut joined = Joined::new(self.arena, span);
        let single = parts.len() == 1;
        let splitting = match (self.dialect, self.knowledge.splitting_changed) {
            (_, true) => Splitting::Anywhere,
            (Dialect::Zsh, false) => Splitting::Never,
            (Dialect::Bash | Dialect::Sh | Dialect::PowerShell, false) => Splitting::Blanks,
        };
        if self.dialect == Dialect::Zsh {
            self.zsh_suffixes(parts, span);
        }
        for part in parts {
            match part {
                Part::Tilde(text) if self.tilde_moved(text) => {
                    joined.argument.may_dash = true;
                    joined.unknown();
                }
                Part::Literal(text) | Part::Brace(text) | Part::Tilde(text) => joined.push(text),
                Part::Quoted(text) if joined.text.is_empty() => joined.push(self.not_home(text)),
                Part::Quoted(text) => joined.push(text),
                Part::Glob(text) => joined.glob(text, !self.knowledge.patterns_changed),
                Part::Parameter(parameter, quoting) => {
                    let value = self.parameter(parameter, *quoting);
                    joined.value(value, *quoting, single, splitting);
                }
                Part::Command(script, quoting, at) => {
                    let value = self.substitution(script, *at);
                    joined.value(value, *quoting, single, splitting);
                }
                Part::Arithmetic(expression, quoting) => {
                    self.arithmetic(expression);
                    let value =
                        Argument { numeric: true, may_dash: false, ..Argument::unknown(expression.span) };
                    joined.value(value, *quoting, single, splitting);
                }
                Part::Process(script) => {
                    let first = self.reading.commands.len();
                    self.isolated(Placement::Process, |walker| {
                        walker.with_input(Input::Unknown(None), |walker| walker.script(script));
                    });
                    joined.push("/dev/fd/");
                    joined.unknown();
                    joined.argument.printed = self.printed_since(first).filter(|_| single);
                }
                Part::Subscript(expression) => {
                    if !self.text_keys {
                        self.arithmetic(expression);
                    }
                }
                Part::Array(words) => {
                    self.expand_all(words);
                    joined.unknown();
                }
                Part::Unknown => joined.unknown(),
            }
        }
        joined.finish(self.arena)
    }

    /// In zsh, `$x[…]` is a subscript, which is arithmetic, and `$x:h` another value.
    fn zsh_suffixes(&mut self, parts: &[Part<'a>], span: Span) {
        for pair in parts.windows(2) {
            let [Part::Parameter(..), Part::Literal(text) | Part::Quoted(text) | Part::Glob(text)] = pair
            else {
                continue;
            };
            let modifier = |rest: &str| {
                rest.starts_with(['a', 'A', 'c', 'e', 'h', 'l', 'P', 'q', 'Q', 'r', 's', 't', 'u', 'g', '&'])
            };
            if text.starts_with('[') || text.strip_prefix(':').is_some_and(modifier) {
                self.doubt(Why::Arithmetic, "a subscript or modifier of zsh", span);
            }
        }
    }

    /// `$(…)`: walks the commands and says what is known of their output.
    pub(super) fn substitution(&mut self, script: &Script<'a>, span: Span) -> Argument<'a> {
        let first = self.reading.commands.len();
        self.isolated(Placement::Substitution, |walker| walker.script(script));
        let printed = self.printed_since(first);
        Argument { printed, ..self.told_by(script, span) }
    }

    /// What is known of the output of commands. Apart from the walk, which goes deep: what it keeps on the stack is kept for
    /// each level.
    #[inline(never)]
    fn told_by(&mut self, script: &Script<'a>, span: Span) -> Argument<'a> {
        let unknown = Argument { many: true, ..Argument::unknown(span) };
        let [item] = script.items else { return unknown };
        let Node::Simple(simple) = item.node else {
            let stages = if let Node::Pipeline(stages) = item.node { self.stages(stages) } else { None };
            let stages = stages.unwrap_or_default();
            let numeric = pipes_numbers(&stages) && !self.knowledge.splitting_changed;
            return Argument { may_dash: !(numeric || prints_hashes(&stages)), numeric, ..unknown };
        };
        if self.counts_input(simple) {
            return Argument { may_dash: false, numeric: true, ..unknown };
        }
        if let Some(text) = self.echoed(simple) {
            if secrets::is_secret_path(text, true) {
                self.reading.shell.add(Effects::SECRETS);
            }
            let splits = text.is_empty() || text.contains([' ', '\t', '\n', '*', '?', '[']);
            let choices: &'a [&'a str] = if splits { &[] } else { self.arena.alloc_slice_copy(&[text]) };
            return Argument { may_dash: text.starts_with('-') || splits, many: splits, choices, ..unknown };
        }
        let Some(words) = self.plain_words(simple) else { return unknown };
        let first = words.first().copied().unwrap_or_default();
        // Where it is redirected, it may print nothing.
        let printing = if simple.redirects.is_empty() { words.as_slice() } else { &[] };
        let one = prints_one_word(printing);
        // Cut at another place, any text may begin with a dash.
        let whole = !self.knowledge.splitting_changed;
        let made = made_file(printing).filter(|_| !self.knowledge.assigns("TMPDIR"));
        let plain = whole && (prints_plainly(&words) || made.is_some());
        let counts = prints_numbers(printing) && whole;
        let known = one || prints_one_word(&words) || plain || counts;
        let shape = made.map(|made| Shape { pattern: self.arena.alloc_str(&made), maybe_empty: true });
        Argument {
            may_dash: !known,
            many: !one,
            numeric: counts || (one && first == "nproc"),
            prelude: whole && prints_prelude(printing),
            shape,
            ..unknown
        }
    }
}

impl<'a> Walker<'a> {
    /// The words of a command, or none where they are not all plain; nothing where a function of the line may have taken
    /// its name.
    fn plain_words(&self, simple: &Simple<'a>) -> Option<Vec<&'a str>> {
        let words: Option<Vec<&str>> = simple.words.iter().map(|word| self.text(word)).collect();
        let words = words.unwrap_or_default();
        let first = words.first().copied().unwrap_or_default();
        let taken =
            self.state.is_function(first) || self.state.is_alias(first) || !simple.assignments.is_empty();
        (!taken).then_some(words)
    }

    /// The text of a word in which nothing is filled in.
    fn text(&self, word: &Word<'a>) -> Option<&'a str> {
        let part = |part: &Part<'a>| {
            if let Part::Literal(text) | Part::Quoted(text) = part { Some(*text) } else { None }
        };
        let parts: Option<Vec<&str>> = word.parts.iter().map(part).collect();
        parts.map(|parts| &*self.arena.alloc_str(&parts.concat()))
    }

    /// The words of the commands of a pipeline, where they are all plain, and nothing but the output goes on.
    fn stages(&self, stages: &[Node<'a>]) -> Option<Vec<Vec<&'a str>>> {
        let words = |stage: &Node<'a>| {
            let Node::Simple(simple) = stage else { return None };
            if simple.redirects.iter().all(is_aside) { self.plain_words(simple) } else { None }
        };
        stages.iter().map(words).collect()
    }

    /// `wc -l < file`: one number, whatever is counted.
    fn counts_input(&self, simple: &Simple<'a>) -> bool {
        let reads = |redirect: &Redirect<'a>| {
            matches!(redirect.kind, RedirectKind::Read(_)) && redirect.descriptor.is_none()
        };
        let fed = simple.redirects.iter().any(reads);
        fed && simple.redirects.iter().all(|redirect| reads(redirect) || is_aside(redirect))
            && !self.knowledge.splitting_changed
            && self.plain_words(simple).is_some_and(|words| counts(&words))
    }

    /// What a command prints, where all of it stands in the line: `echo 'select 1'`, `cat <<'X'`.
    pub(super) fn prints(&self, node: &Node<'a>) -> Option<Argument<'a>> {
        let Node::Simple(simple) = node else { return None };
        let shown = || {
            let only_cat = self.plain_words(simple).is_some_and(|words| words == ["cat"]);
            let [redirect] = simple.redirects else { return None };
            let body = match redirect.kind {
                RedirectKind::HereDocument(document) => document.body.get(),
                RedirectKind::HereString(word) => word,
                RedirectKind::Read(_)
                | RedirectKind::Write(_)
                | RedirectKind::ReadWrite(_)
                | RedirectKind::Duplicate { .. } => return None,
            };
            self.text(&body).filter(|_| only_cat && redirect.descriptor.is_none())
        };
        let text = self.echoed(simple).or_else(shown)?;
        Some(Argument::literal(text, simple.span))
    }

    /// What a plain `echo` of literal words prints.
    fn echoed(&self, simple: &Simple<'a>) -> Option<&'a str> {
        let (command, words) = simple.words.split_first()?;
        let plain = command.plain() == Some("echo")
            && !self.state.is_function("echo")
            && !self.state.is_alias("echo");
        if !plain || !simple.redirects.is_empty() || !simple.assignments.is_empty() {
            return None;
        }
        let mut text = String::new();
        for word in words {
            let [Part::Literal(part) | Part::Quoted(part)] = word.parts else { return None };
            if part.starts_with('-') || part.contains('\\') {
                return None;
            }
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(part);
        }
        Some(self.arena.alloc_str(text.trim_end_matches('\n')))
    }
}

/// `2>/dev/null`: what is printed stays the same.
fn is_aside(redirect: &Redirect<'_>) -> bool {
    redirect.descriptor == Some(Descriptor::Number("2")) && matches!(redirect.kind, RedirectKind::Write(_))
}

/// A word that is empty without quotes is none.
fn push_unless_gone<'a>(argument: Argument<'a>, arguments: &mut bumpalo::collections::Vec<'a, Argument<'a>>) {
    if !(argument.many && argument.known() == Some("")) {
        arguments.push(argument);
    }
}

/// The values of the words of a `for`, where they are few and known.
pub(super) fn choices<'a>(
    arguments: &'a [Argument<'a>],
    arena: &'a bumpalo::Bump,
    span: Span,
) -> Argument<'a> {
    let few = arguments.len() <= MAX_CHOICES && !arguments.is_empty();
    if few && arguments.iter().all(|argument| argument.literal) {
        return of_choices(arena.alloc_slice_fill_iter(arguments.iter().map(|argument| argument.text)), span);
    }
    let shape = match arguments {
        [pattern] if pattern.glob => Some(Shape { pattern: pattern.text, maybe_empty: false }),
        _ => None,
    };
    Argument {
        // A `for` value is one whole word, but unquoted it is split again when it is used.
        many: true,
        shape,
        printed: only_printed(arguments),
        numeric: !arguments.is_empty() && arguments.iter().all(|argument| argument.numeric),
        may_dash: arguments.iter().any(|argument| argument.may_dash || argument.text.starts_with('-')),
        ..Argument::unknown(span)
    }
}
