//! Which program a command runs, and what is known about it.

use super::simple::public;
use super::{Input, Walker, patterns, shells};
use crate::argument::Argument;
use crate::dialect::is_shell;
use crate::effects::Effects;
use crate::programs;
use crate::programs::invocation::{Invocation, Outcome, Run};
use crate::reading::{self, Command, Placement};
use crate::span::Span;
use crate::unclear::Why;

/// Where the system and package managers put programs.
const SYSTEM_FOLDERS: &[&str] = &[
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/sbin",
    "/usr/sbin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/snap/bin",
    "/run/current-system/sw/bin",
    "/usr/games",
];

impl<'a> Walker<'a> {
    /// Judges a command by its words and records it, and after it whatever it runs in turn.
    pub(super) fn dispatch(
        &mut self,
        words: &'a [Argument<'a>],
        assignments: Vec<(String, reading::Argument)>,
        mut out: Outcome<'a>,
        span: Span,
    ) {
        let Some((first, rest)) = words.split_first() else { return self.finish_shell(out) };
        // Wrappers in wrappers would copy their words a hundred times over.
        if !self.spend(words.len() * 16, span) {
            return;
        }
        self.found.patterns_changed |= rest.iter().any(patterns::sets_variable);
        let name = first.known().map(base_name).map(|name| self.without_case(name));
        let index = self.reading.commands.len();
        self.record(Command {
            program: name.map(str::to_owned),
            word: first.text.to_owned(),
            arguments: rest.iter().map(public).collect(),
            assignments,
            placement: self.placement,
            verbs: Vec::new(),
            operands: Vec::new(),
            values: Vec::new(),
            steered: Vec::new(),
            directory: self.state.directory(),
            effects: Effects::NONE,
            own: Effects::NONE,
            by_options: Effects::NONE,
            patched: Vec::new(),
            fed_by: if let Input::Unknown(printed) = self.input { printed } else { None },
            span,
        });
        // What is there by now comes from redirects and assignments.
        let redirects = out.files.len();
        out.redirected = redirects;
        let prepared = std::mem::take(&mut out.effects);
        self.take_input(&mut out);
        out.itself = self.printed_since(index);
        if self.shares_script && name.is_some_and(|name| takes_input(name, rest)) {
            out.doubt(Why::UnclearCode, "a shell's own commands are read by one of them", first.span);
        }
        match (first.known(), name) {
            (Some(word), Some(name)) => self.program(word, name, first.span, rest, &mut out),
            _ => out.doubt(Why::UnclearCommand, first.text, first.span),
        }
        let same_shell = matches!(name, Some("command" | "builtin" | "exec"));
        if self.files(&out, redirects) {
            out.add(Effects::SECRETS);
        }
        let own = out.effects;
        out.add(prepared);
        let directory = self.works_in(&out);
        if let Some(command) = self.reading.commands.get_mut(index) {
            command.effects.add(out.effects);
            command.own.add(own);
            command.by_options.add(out.by_options);
            command.patched.append(&mut out.patched);
            command.verbs.extend(out.verbs.iter().copied());
            command.operands.extend(out.operands.iter().copied());
            command.values.extend(out.values.iter().copied());
            command.steered.extend(out.steered.iter().copied());
            command.directory = directory.or(command.directory.take());
        }
        self.finish_command(out, same_shell, span);
    }

    /// Notes what the command reads on its standard input. From `/dev/null` comes nothing.
    fn take_input(&self, out: &mut Outcome<'a>) {
        out.fed = match &self.input {
            Input::Inherited => false,
            Input::Unknown(_) => true,
            Input::Text(text) => text.known() != Some(""),
        };
        out.input = if let Input::Text(text) = &self.input { Some(*text) } else { None };
        out.fed_by = if let Input::Unknown(printed) = self.input { printed } else { None };
    }

    /// Where file names have no case, `RM` is `rm`. That it is, is not known.
    fn without_case(&self, name: &'a str) -> &'a str {
        if !name.bytes().any(|byte| byte.is_ascii_uppercase()) || programs::find(name).is_some() {
            return name;
        }
        let lower = name.to_ascii_lowercase();
        let known = programs::find(&lower).is_some() || is_shell(&lower);
        if known { self.arena.alloc_str(&lower) } else { name }
    }

    /// Notes the files of a command; says whether one of them, or its directory, holds credentials.
    fn files(&mut self, out: &Outcome<'a>, redirects: usize) -> bool {
        let mut secret = false;
        for (index, (usage, file)) in out.files.iter().enumerate() {
            secret |= self.file(*usage, *file, index < redirects);
        }
        let directory = out.directory.is_some_and(|path| {
            let exact = path.literal || !path.choices.is_empty();
            path.possible().any(|text| crate::secrets::is_secret_path(text, exact))
        });
        secret || (directory && out.effects.meets(Effects::READS))
    }

    /// The directory that an option makes the program work in.
    fn works_in(&self, out: &Outcome<'a>) -> Option<String> {
        let option = out.directory?;
        let mut places = Vec::new();
        let exact = option.literal || !option.choices.is_empty();
        for text in option.possible() {
            self.state.locate(text, |path, located| {
                places.push(if located && exact { path } else { String::from("*") });
            });
        }
        Some(places.join(" | "))
    }

    fn finish_command(&mut self, out: Outcome<'a>, same_shell: bool, span: Span) {
        self.reading.unclear.extend(out.unclear);
        let directory = out.directory;
        self.declaring = false;
        for run in out.runs {
            if !self.enter(span) {
                return;
            }
            match run {
                // `command`, `builtin` and `exec` pass over functions.
                Run::Words(words) if same_shell => self.placed(Placement::Wrapped, |walker| {
                    let functions = walker.state.take_functions();
                    walker.dispatch(words, Vec::new(), Outcome::new(walker.arena), span);
                    walker.state.restore_functions(functions);
                }),
                // Another process: whatever it sets is gone with it, and functions are not there.
                Run::Words(words) => self.isolated(Placement::Wrapped, |walker| {
                    walker.state.take_functions();
                    if let Some(target) = directory {
                        walker.state.enter(target, walker.arena);
                        walker.state.succeeded();
                    }
                    walker.dispatch(words, Vec::new(), Outcome::new(walker.arena), span);
                }),
                Run::Script(text, dialect) => self.isolated(Placement::Evaluated, |walker| {
                    walker.state.new_process();
                    walker.evaluate(text, Placement::Evaluated, dialect);
                }),
            }
            self.budget.depth -= 1;
        }
    }

    fn program(
        &mut self,
        word: &'a str,
        name: &'a str,
        at: Span,
        rest: &'a [Argument<'a>],
        out: &mut Outcome<'a>,
    ) {
        if self.state.is_alias(word) {
            return out.doubt(Why::Changed, name, at);
        }
        if self.state.is_function(word) {
            return self.function_or_program(word, name, at, rest, out);
        }
        self.real_program(word, name, at, rest, out);
    }

    /// A name that the line defines as a function. Its body was walked where it was defined; what it changed is not
    /// followed to here.
    fn function_or_program(
        &mut self,
        word: &'a str,
        name: &'a str,
        at: Span,
        rest: &'a [Argument<'a>],
        out: &mut Outcome<'a>,
    ) {
        if self.inside.contains(&word) {
            out.doubt(Why::NotModelled, "a function that calls itself", at);
        }
        self.forward(word, rest, out);
        // Where the definition may have been passed over, the program of that name runs.
        if !self.state.is_surely_function(word) {
            self.real_program(word, name, at, rest, out);
        }
        self.at_another_time();
    }

    fn real_program(
        &mut self,
        word: &'a str,
        name: &'a str,
        at: Span,
        rest: &'a [Argument<'a>],
        out: &mut Outcome<'a>,
    ) {
        let folder = word.len() - name.len();
        let folder = word.get(..folder).unwrap_or_default().trim_end_matches('/');
        if word.contains('/') && !SYSTEM_FOLDERS.contains(&folder) {
            return self.program_of_a_folder(word, name, rest, out);
        }
        if base_name(word) != name {
            out.doubt(Why::UnknownCommand, base_name(word), at);
        }
        let own = !word.contains('/')
            || matches!(name, "echo" | "printf" | "test" | "[" | "true" | "false" | "pwd" | "kill");
        if (own && self.builtin(name, at, rest, out)) || shells::shell(self, name, rest, out) {
            return;
        }
        match programs::find(name) {
            Some(spec) => Invocation::examine(name, spec, rest, out),
            None => out.doubt(Why::UnknownCommand, name, at),
        }
    }

    /// A program named by a path of its own. It may be any file, whatever it is called; where it bears the name of a
    /// known one, it is also taken to do what that does: `.venv/bin/python -c`, `node_modules/.bin/vercel`.
    fn program_of_a_folder(
        &mut self,
        word: &'a str,
        name: &'a str,
        rest: &'a [Argument<'a>],
        out: &mut Outcome<'a>,
    ) {
        if !shells::shell(self, name, rest, out)
            && let Some(spec) = programs::find(name)
        {
            Invocation::examine(name, spec, rest, out);
        }
        if out.effects.meets(Effects::EXECUTES) {
            // The words ask for it, not the path.
            out.by_options.add(Effects::EXECUTES);
        }
        out.add(shells::runs_path(word));
    }
}

/// Whether a command reads what it is fed.
fn takes_input(name: &str, words: &[Argument<'_>]) -> bool {
    const ALWAYS: &[&str] =
        &["read", "mapfile", "readarray", "select", "tee", "tr", "ssh", "xargs", "dd", "more"];
    const WITHOUT_FILES: &[&str] = &[
        "cat", "head", "tail", "tac", "rev", "sed", "awk", "grep", "wc", "sort", "uniq", "cut", "bash", "sh",
        "zsh", "python", "python3", "node", "perl", "ruby", "less", "base64", "jq", "od", "xxd", "paste",
        "nl", "fold",
    ];
    let operands = words.iter().filter(|word| !word.prefix().starts_with('-')).count();
    let patterns = usize::from(matches!(name, "sed" | "awk" | "grep" | "jq"));
    ALWAYS.contains(&name) || (WITHOUT_FILES.contains(&name) && operands <= patterns)
}

/// The name without its directory.
fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}
