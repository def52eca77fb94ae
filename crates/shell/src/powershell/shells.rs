//! Programs that run text as code: PowerShell started from PowerShell, and `cmd`.
//!
//! All other programs are left to the tables that know them.

use super::PowerShellCommand;
use super::command::{self, Element};
use super::walk::Walker;
use super::word::Word;
use crate::effects::Effects;
use crate::span::Span;
use crate::unclear::{Unclear, Why};

/// Options of PowerShell that take a value which is not code.
const VALUED: &[&str] = &[
    "version",
    "psconsolefile",
    "inputformat",
    "outputformat",
    "windowstyle",
    "executionpolicy",
    "configurationname",
    "workingdirectory",
    "settingsfile",
    "custompipename",
    "configurationfile",
    "ep",
    "wd",
    "ex",
    "w",
    "v",
];

impl Walker<'_> {
    /// Records a command that is not a cmdlet.
    pub(super) fn run_program(&mut self, elements: &[Element], piped: bool, mut command: PowerShellCommand) {
        if command.external && is_shell(command.program.as_deref()) {
            // A block that is given to a shell is read where it stands.
            let block = elements.iter().any(|element| element.words.iter().any(|word| word.block));
            command.effects.add(Effects::EXECUTES);
            if piped {
                self.reading.unclear.push(Unclear::new(
                    Why::UnclearCode,
                    "what comes through the pipe",
                    command.span,
                ));
            }
            if block {
                self.reading.commands.push(command);
                return;
            }
        }
        self.run_shell(command);
    }

    /// Records `command`, and what it runs when it is a shell.
    pub(super) fn run_shell(&mut self, mut command: PowerShellCommand) {
        let program = command.program.clone().unwrap_or_default();
        let arguments = command.arguments.clone();
        let span = command.span;
        if !command.external || !is_shell(Some(&program)) {
            self.reading.commands.push(command);
            return;
        }
        command.effects.add(Effects::EXECUTES);
        command.external = false;
        self.reading.commands.push(command);
        if program == "cmd" {
            self.batch(&arguments, span);
        } else {
            self.powershell(&arguments, span);
        }
    }

    fn powershell(&mut self, arguments: &[(String, bool, Span)], span: Span) {
        let mut rest = arguments.iter();
        while let Some((text, literal, at)) = rest.next() {
            let option =
                text.strip_prefix(['-', '/']).map(|name| name.trim_start_matches('-').to_ascii_lowercase());
            let Some(option) = option.filter(|_| *literal) else {
                // Windows PowerShell takes a command here, PowerShell 7 a file.
                self.run_words(std::iter::once(&(text.clone(), *literal, *at)).chain(rest), *at);
                return;
            };
            let name = option.split(':').next().unwrap_or_default();
            let is = |full: &str| !name.is_empty() && full.starts_with(name);
            if is("encodedcommand") || name == "ec" || is("encodedarguments") {
                match rest.next() {
                    Some((text, literal, at)) => {
                        let word = Word { literal: *literal, ..Word::literal(text, *at) };
                        self.run_encoded(&word);
                    }
                    None => self.reading.unclear.push(Unclear::new(Why::UnclearCode, "", span)),
                }
                return;
            }
            if is("command") || name == "cwa" || is("commandwithargs") {
                self.run_words(rest, *at);
                return;
            }
            if is("file") {
                let script = rest.next().map(|(text, ..)| text.clone()).unwrap_or_default();
                self.reading.unclear.push(Unclear::new(Why::UnknownCommand, script, *at));
                return;
            }
            if VALUED.iter().any(|full| is(full)) {
                rest.next();
            }
        }
        self.reading.unclear.push(Unclear::new(Why::UnclearCode, "a shell without a command", span));
    }

    fn run_words<'e>(&mut self, words: impl Iterator<Item = &'e (String, bool, Span)>, at: Span) {
        let words: Vec<&(String, bool, Span)> = words.collect();
        let text: Vec<&str> = words.iter().map(|(text, ..)| text.as_str()).collect();
        let literal = words.iter().all(|(_, literal, _)| *literal);
        let span = words.iter().fold(at, |span, (_, _, next)| span.to(*next));
        if !literal || text.is_empty() || text == ["-"] {
            self.reading.unclear.push(Unclear::new(Why::UnclearCode, text.join(" "), span));
        }
        if !text.is_empty() {
            // Even text that is not fully known may show what a rule looks for.
            super::nested::Source::string(&text.join(" "), span, self.depth).read_into(self.reading);
        }
    }

    /// `cmd /c …`: another language; only the names of what it runs are read.
    fn batch(&mut self, arguments: &[(String, bool, Span)], span: Span) {
        self.reading.unclear.push(Unclear::new(Why::NotModelled, "`cmd` has a language of its own", span));
        let begins = arguments.iter().position(|(text, ..)| {
            let text = text.to_ascii_lowercase();
            text.starts_with("/c") || text.starts_with("/k") || text.starts_with("/r")
        });
        let Some(begins) = begins else { return };
        let after = arguments.iter().skip(begins);
        let text: Vec<&str> = after.map(|(text, ..)| text.as_str()).collect();
        let text = text.join(" ");
        let text = text.get(2..).unwrap_or_default().replace(['^', '"'], "");
        for part in text.split(['&', '|', '(', ')', '\n']) {
            let mut words = part.split_whitespace().map(|word| word.trim_start_matches('@'));
            let Some(first) = words.next().filter(|first| !first.is_empty()) else { continue };
            let resolved = command::resolve(first, &[]);
            let mut inner = self.new_command(Some(resolved.program), span, "substitution");
            inner.span = span;
            inner.arguments = words.map(|word| (word.to_owned(), false, span)).collect();
            inner.effects = Effects::UNKNOWN.and(resolved.effects);
            inner.external = resolved.external;
            self.reading.commands.push(inner);
        }
    }
}

fn is_shell(program: Option<&str>) -> bool {
    matches!(program, Some("powershell" | "pwsh" | "pwsh-preview" | "powershell_ise" | "cmd"))
}
