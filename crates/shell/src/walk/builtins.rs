//! The shell's own commands.

use super::options::{ends_on_failure, is_usual, set_options};
use super::parameter::is_plain_name;
use super::rare::{jobs, kill, rare};
use super::shells::{is_prelude, runs_file};
use super::{Input, Walker, patterns};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::printed::Printed;
use crate::programs::invocation::{Outcome, Run};
use crate::reading::Placement;
use crate::span::Span;
use crate::unclear::Why;

impl<'a> Walker<'a> {
    /// Handles the command if it is a builtin.
    pub(super) fn builtin(
        &mut self,
        name: &'a str,
        at: Span,
        words: &'a [Argument<'a>],
        out: &mut Outcome<'a>,
    ) -> bool {
        let counts = matches!(
            name,
            "return" | "exit" | "break" | "continue" | "logout" | "shift" | "ulimit" | "umask"
        );
        if counts && self.dialect == Dialect::Zsh && !words.iter().all(|word| word.numeric) {
            // zsh takes an expression where others take a number.
            out.doubt(Why::Arithmetic, name, at);
        }
        match name {
            ":" | "true" | "false" | "echo" | "pwd" | "type" | "times" | "dirs" | "caller" | "help"
            | "return" | "exit" | "break" | "continue" | "logout" => {
                out.add(Effects::READS);
            }
            "shift" | "fg" | "bg" | "disown" | "umask" | "ulimit" | "suspend" | "unalias" => {
                out.add(Effects::SHELL_STATE);
            }
            "cd" | "pushd" | "popd" | "chdir" => self.change_directory(name, words, out),
            "printf" => self.printf(words, out),
            "test" | "[" => self.test_builtin(words, out),
            "set" | "shopt" => {
                if let Some(word) =
                    words.iter().find(|word| !is_usual(word)).filter(|_| self.dialect == Dialect::Zsh)
                {
                    // zsh has a hundred options that change what a line means.
                    out.doubt(Why::Dialect, word.text, word.span);
                }
                self.found.patterns_changed |= patterns::changed_by(words, self.dialect);
                self.state.ends_on_failure = match ends_on_failure(words) {
                    Some(ends) => ends && name == "set",
                    None => self.state.ends_on_failure,
                };
                set_options(name, words, out);
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(name, words, out),
            "unset" => self.unset(words, out),
            "jobs" => jobs(words, out),
            "wait" => self.wait(words, out),
            "getopts" => self.names(words.get(1..2).unwrap_or_default(), out),
            "read" => self.read_builtin(words, out),
            "mapfile" | "readarray" => self.mapfile(words, out),
            "let" => self.let_builtin(words, out),
            "eval" => self.eval(words, at, out),
            "source" | "." => self.source_file(words, out),
            "trap" => self.trap(words, out),
            "alias" => self.alias(words, out),
            "command" | "builtin" | "exec" | "noglob" | "nocorrect" | "-" => prefix(name, words, out),
            "kill" => kill(words, out),
            "hash" | "enable" | "history" | "fc" | "bind" | "complete" | "compgen" | "compopt" => {
                rare(name, words, at, out);
            }
            "zmodload" | "autoload" | "zle" | "zstyle" | "zcompile" | "sched" | "ztcp" | "zsystem"
            | "zpty" | "bindkey" | "compdef" | "add-zsh-hook" | "functions" | "print" | "vared"
            | "repeat" | "setopt" | "unsetopt" | "emulate" => {
                self.found.patterns_changed |= patterns::is_command(name);
                out.doubt(Why::Dialect, name, at);
            }
            _ => return false,
        }
        true
    }

    fn change_directory(&mut self, name: &str, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::SHELL_STATE);
        self.found.moves = true;
        let is_option =
            |word: &Argument<'a>| matches!(word.known(), Some("-P" | "-L" | "-e" | "-@" | "--" | "-n"));
        let target = words.iter().find(|word| !is_option(word));
        // Where links lead, and what zsh makes of two words, is not known.
        let physical = words.iter().any(|word| matches!(word.known(), Some("-P" | "-@" | "-n")));
        let operands = words.iter().filter(|word| !is_option(word)).count();
        let searched = self.state.variable("CDPATH").is_some() || self.knowledge.assigns("CDPATH");
        match target {
            _ if physical || operands > 1 || searched => self.state.lose_directory(),
            _ if name == "popd" => self.state.lose_directory(),
            None if name == "pushd" => self.state.lose_directory(),
            None => self.state.enter(Argument::literal("~", Span::default()), self.arena),
            Some(word) if word.known().is_some_and(|text| text.starts_with(['-', '+'])) => {
                self.state.lose_directory();
            }
            Some(word) if word.known() == Some("") => {}
            Some(word) => {
                self.state.enter(*word, self.arena);
                if word.literal && name != "pushd" {
                    self.state.surely_entered(self.folders);
                }
            }
        }
    }

    fn printf(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::READS);
        match words.first().map(|word| (word.known(), word)) {
            Some((Some("-v"), _)) => self.names(words.get(1..2).unwrap_or_default(), out),
            Some((Some(text), word)) if text.starts_with("-v") => {
                out.doubt(Why::NotModelled, text, word.span);
            }
            Some((None, word)) if word.may_dash || word.prefix().starts_with('-') => {
                // The name behind `-v` is evaluated when it has a subscript.
                out.doubt(Why::MaybeOption, word.text, word.span);
            }
            // zsh evaluates the arguments of numeric formats.
            Some((Some(format), word))
                if self.dialect == Dialect::Zsh
                    && formats_numbers(format)
                    && !words.iter().skip(1).all(|word| word.numeric) =>
            {
                out.doubt(Why::Arithmetic, format, word.span);
            }
            _ => {}
        }
    }

    fn test_builtin(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::READS);
        let mut variable = false;
        for word in words {
            if (variable || word.many) && !word.numeric && !word.known().is_some_and(is_plain_name) {
                out.doubt(Why::Arithmetic, word.text, word.span);
            }
            variable = matches!(word.known(), Some("-v" | "-R"));
            let numeric_operator =
                matches!(word.known(), Some("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge"));
            if numeric_operator
                && self.dialect != Dialect::Bash
                && words.iter().any(|word| !word.literal && !word.numeric)
            {
                out.doubt(Why::Arithmetic, word.text, word.span);
            }
        }
        if let [operator, _] = words
            && !operator.literal
        {
            out.doubt(Why::MaybeOption, operator.text, operator.span);
        }
    }

    /// Operands that name variables: anything but a plain name is evaluated.
    pub(super) fn names(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        self.names_of(words, None, out);
    }

    /// The same, where what they get is printed by commands that are known.
    fn names_of(&mut self, words: &'a [Argument<'a>], printed: Option<Printed>, out: &mut Outcome<'a>) {
        for word in words {
            match word.known() {
                Some(name) if is_plain_name(name) => {
                    let base = name.split('[').next().unwrap_or_default();
                    out.add(Effects::SHELL_STATE);
                    let printed = printed.filter(|_| base == name);
                    self.assign(base, Argument { many: true, printed, ..Argument::unknown(word.span) });
                }
                _ => out.doubt(Why::Arithmetic, word.text, word.span),
            }
        }
    }

    /// `wait -p NAME` sets a variable.
    fn wait(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::READS);
        let (options, _) = letters(words, "p");
        for (_, name) in options {
            self.names(self.arena.alloc_slice_fill_iter(name), out);
        }
    }

    fn unset(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::SHELL_STATE);
        self.state.doubt_functions();
        self.state.doubt_arrays();
        let names = words
            .iter()
            .position(|word| !matches!(word.known(), Some("-v" | "-f" | "-n" | "--")))
            .unwrap_or(words.len());
        self.names(words.get(names..).unwrap_or_default(), out);
    }

    fn read_builtin(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::SHELL_STATE);
        let (options, names) = letters(words, "adinNptu");
        let printed = self.read_from(&options);
        for (letter, value) in options {
            let numeric = value.is_some_and(|value| value.numeric);
            match (letter, value) {
                (b'a', Some(name)) => self.names_of(self.arena.alloc_slice_copy(&[name]), printed, out),
                // zsh evaluates the numbers that options take.
                (b't' | b'n' | b'N' | b'u', Some(value)) if self.dialect == Dialect::Zsh && !numeric => {
                    out.doubt(Why::Arithmetic, value.text, value.span);
                }
                _ => {}
            }
        }
        // With several names, the last gets whatever is left of a line.
        self.names_of(names, printed.filter(|_| names.len() == 1), out);
    }

    /// The commands of whose lines `read` and `mapfile` take in whole ones, with these options.
    fn read_from(&self, options: &[(u8, Option<Argument<'a>>)]) -> Option<Printed> {
        let Input::Unknown(printed) = self.input else { return None };
        let whole = |(letter, value): &(u8, Option<Argument<'a>>)| match letter {
            b'r' | b'a' => true,
            b't' => value.is_none(),
            b'd' => value.is_some_and(|value| value.known() == Some("")),
            _ => false,
        };
        printed.filter(|_| options.iter().all(whole))
    }

    fn mapfile(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::SHELL_STATE);
        let (options, names) = letters(words, "dnOsuCc");
        let printed = self.read_from(&options);
        for (letter, value) in options {
            // `-c` only counts for a callback.
            if matches!(letter, b'C' | b'c') {
                out.add(Effects::EXECUTES);
            }
            if let (b'C', Some(callback)) = (letter, value) {
                self.evaluate(callback, Placement::Evaluated, self.dialect);
            }
        }
        self.names_of(names, printed, out);
    }

    /// `let name=5`; any other expression is not followed.
    fn let_builtin(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::SHELL_STATE);
        for word in words {
            let parts = word.known().and_then(|text| text.split_once('='));
            let plain = parts.filter(|(name, value)| {
                is_plain_name(name.trim_end_matches(['+', '-', '*']))
                    && value.bytes().all(|byte| byte.is_ascii_digit())
            });
            match plain {
                Some((name, _)) => {
                    let number = Argument { numeric: true, ..Argument::unknown(word.span) };
                    self.assign(name.trim_end_matches(['+', '-', '*']), number);
                }
                None => out.doubt(Why::Arithmetic, word.text, word.span),
            }
        }
    }

    fn eval(&mut self, words: &'a [Argument<'a>], at: Span, out: &mut Outcome<'a>) {
        let words = words.strip_prefix_literal("--");
        let span = words.iter().fold(at, |span, word| span.to(word.span));
        if let [single] = words
            && !single.choices.is_empty()
        {
            return self.evaluate(*single, Placement::Evaluated, self.dialect);
        }
        if words.iter().all(|word| word.literal) {
            let joined = words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
            let code = Argument::literal(self.arena.alloc_str(&joined), span);
            return self.evaluate(code, Placement::Evaluated, self.dialect);
        }
        if let [only] = words
            && only.prelude
        {
            out.add(Effects::PROJECT_CODE.and(Effects::SHELL_STATE));
            self.found.forgets = true;
            return self.state.new_process();
        }
        out.add(Effects::EXECUTES);
        self.found.moves = true;
        self.found.forgets = true;
        self.state.forget_all();
        self.doubt(Why::UnclearCode, "eval", span);
    }

    fn source_file(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        // What a virtual environment brings for its activation goes nowhere.
        match words.first().and_then(Argument::known) {
            Some(file) if file.ends_with("/bin/activate") || is_prelude(file) => self.state.new_process(),
            Some(_) | None => {
                self.found.moves = true;
                self.found.forgets = true;
                self.state.forget_all();
            }
        }
        match words.first() {
            Some(file) => {
                out.add(runs_file(file));
                out.reads(*file);
                if file.text.starts_with("/dev/fd/") {
                    // What another command writes is run as code.
                    out.doubt(Why::UnclearCode, file.text, file.span);
                }
            }
            None => out.add(Effects::EXECUTES),
        }
    }

    fn trap(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::SHELL_STATE);
        let words = words.strip_prefix_literal("--");
        match words.first().map(|word| (word.known(), word)) {
            None | Some((Some("-p" | "-l" | "-" | ""), _)) => {}
            Some((_, word)) if words.len() > 1 => self.trapped(*word),
            Some((Some(_), _)) => {}
            Some((None, word)) => out.doubt(Why::UnclearCode, word.text, word.span),
        }
    }

    /// A trap runs at any later time, with the values of that time.
    fn trapped(&mut self, code: Argument<'a>) {
        self.isolated(Placement::Evaluated, |walker| {
            walker.at_another_time();
            walker.repeated(|walker| walker.evaluate(code, Placement::Evaluated, walker.dialect));
        });
    }

    fn alias(&mut self, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        out.add(Effects::READS);
        for word in words {
            match word.known().map(|text| text.split_once('=')) {
                Some(Some((name, value))) => {
                    out.add(Effects::ENVIRONMENT);
                    self.state.define_alias(name);
                    self.evaluate(Argument::literal(value, word.span), Placement::Evaluated, self.dialect);
                }
                Some(None) => {}
                None => out.doubt(Why::UnclearCode, word.text, word.span),
            }
        }
    }
}

/// `command`, `builtin`, `exec`: what follows is the command.
fn prefix<'a>(name: &str, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        match word.known() {
            Some("-v" | "-V" | "-pv" | "-pV") if name == "command" => {
                out.add(Effects::READS);
                let odd = after.iter().find(|word| word.may_dash || word.text.starts_with('-'));
                return odd.into_iter().for_each(|word| out.doubt(Why::UnknownOption, word.text, word.span));
            }
            Some("-p") if name == "command" => rest = after,
            Some("-c" | "-l" | "-cl") if name == "exec" => rest = after,
            Some("-a") if name == "exec" => {
                // A name that splits is a name and a command.
                if let Some(split) = after.first().filter(|word| word.many) {
                    out.doubt(Why::UnclearCommand, split.text, split.span);
                }
                // Under another name many programs are another program: busybox, xz, a shell.
                out.doubt(Why::UnclearCommand, "exec -a", word.span);
                rest = after.get(1..).unwrap_or_default();
            }
            Some("--") => {
                rest = after;
                break;
            }
            Some(text) if text.starts_with('-') && text.len() > 1 => {
                return out.doubt(Why::UnknownOption, text, word.span);
            }
            Some(_) | None => break,
        }
    }
    if rest.is_empty() {
        out.add(Effects::SHELL_STATE);
    } else {
        out.runs.push(Run::Words(rest));
    }
}

/// The options of a builtin, clustered or with attached values as getopt reads them, and what follows.
fn letters<'a>(
    words: &'a [Argument<'a>],
    valued: &str,
) -> (Vec<(u8, Option<Argument<'a>>)>, &'a [Argument<'a>]) {
    let mut found = Vec::new();
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let Some(text) = word.known().filter(|text| text.starts_with('-') && text.len() > 1) else { break };
        rest = after;
        if text == "--" {
            break;
        }
        for (at, letter) in text.bytes().enumerate().skip(1) {
            if !valued.as_bytes().contains(&letter) {
                found.push((letter, None));
                continue;
            }
            let attached = (at + 1 < text.len()).then(|| word.after(at + 1));
            if attached.is_none() {
                found.push((letter, rest.first().copied()));
                rest = rest.get(1..).unwrap_or_default();
            } else {
                found.push((letter, attached));
            }
            break;
        }
    }
    (found, rest)
}

/// Whether a format has a conversion other than of text.
fn formats_numbers(format: &str) -> bool {
    format.contains('*')
        || format.split('%').skip(1).any(|rest| {
            let letter = rest.bytes().find(u8::is_ascii_alphabetic);
            letter.is_some_and(|letter| !matches!(letter, b's' | b'b' | b'q' | b'c'))
        })
}

/// Drops a leading literal word.
trait StripLiteral<'a> {
    fn strip_prefix_literal(&self, text: &str) -> &'a [Argument<'a>];
}

impl<'a> StripLiteral<'a> for &'a [Argument<'a>] {
    fn strip_prefix_literal(&self, text: &str) -> &'a [Argument<'a>] {
        match self.split_first() {
            Some((first, rest)) if first.known() == Some(text) => rest,
            Some(_) | None => self,
        }
    }
}
