//! Files that a session or a line wrote and that a later command runs: by their names, as the tasks of a build, or as
//! tests.

use portcullis_shell::{Command, Effects, Placement, Reading};

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Category, Finding, Severity, provenance::origin, scripts};
use crate::path::is_within;
use crate::run_files::written::is_compiler;
use crate::run_files::{executed, interpreters, task_files};
use crate::session_facts::Taint;
use crate::view::{Reader, View};

/// What earlier calls wrote and this one runs.
pub(in crate::detect) fn of_line(
    call: &ToolCall,
    view: &View,
    reading: &Reading,
    context: &Context,
) -> Vec<Finding> {
    let runs = Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED).and(Effects::EXECUTES);
    let acts = |command: &&Command| command.own.meets(runs) || is_compiler(command);
    if !reading.commands.iter().any(|command| acts(&command)) {
        return Vec::new();
    }
    let mut tainted = context.session.tainted.clone();
    tainted.extend(origin::brought(view, reading, call, context, &context.session));
    if tainted.is_empty() {
        return Vec::new();
    }
    let acting = reading.commands.iter().filter(acts);
    acting.filter_map(|command| Ran { command, call, view, context }.planted(&tainted)).collect()
}

/// A command that runs something, in its line.
struct Ran<'a> {
    command: &'a Command,
    call: &'a ToolCall,
    view: &'a View,
    context: &'a Context,
}

impl Ran<'_> {
    /// The gravest of the files that it runs.
    fn planted(&self, tainted: &[Taint]) -> Option<Finding> {
        let language = interpreters::is_language(self.command.program.as_deref().unwrap_or_default());
        // A build may use any file of the project; a script is what it is called.
        let builds = self.command.own.meets(Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED));
        let loaded = |taint: &&Taint| {
            !taint.alone
                && self.context.is_trusted(&taint.path)
                && crate::run_files::executed::runs(&taint.path)
        };
        let run = tainted.iter().filter(|taint| self.is_run(taint)).map(|taint| self.about(taint));
        let run = run.max_by_key(|finding| (finding.certain, finding.severity));
        let of_build = || tainted.iter().filter(|_| builds || language).find(loaded);
        run.or_else(|| of_build().map(|taint| self.about(taint)))
    }

    fn about(&self, taint: &Taint) -> Finding {
        let what = format!("runs `{}`: {}", taint.path, taint.what);
        let mut finding = Finding { what, ..Finding::on(taint.detector, self.command) };
        finding.severity = taint.severity;
        // What no word of the line names, or what the line itself writes, somebody should look at.
        let told = self.tells(&taint.path) && !self.is_fresh(taint);
        finding.certain = taint.certain && (told || !taint.alone);
        finding
    }

    /// Whether the words of the line tell that the file is run.
    fn tells(&self, path: &str) -> bool {
        let language = interpreters::is_language(self.command.program.as_deref().unwrap_or_default());
        let place = |word: &str| executed::place(word, self.command, self.call, self.context);
        self.names(path) || (language && interpreters::speaks_of(self.command, path, self.view, place))
    }

    /// Whether the line itself wrote it.
    fn is_fresh(&self, taint: &Taint) -> bool {
        taint.alone && !self.context.session.tainted.contains(taint)
    }

    /// Whether the command runs the file, or the task of it that does the harm.
    fn is_run(&self, taint: &Taint) -> bool {
        let asked = taint.task.as_ref().is_none_or(|task| task_files::asks_for(self.command, task));
        if !asked {
            return false;
        }
        // What a build clears away in the project is its own.
        let clears = taint.detector.category == Category::LocalDestruction
            && taint.severity == Severity::Soft
            && !taint.certain;
        let cleared = clears && taint.alone;
        let obeyed = task_files::obeys(self.command, &taint.path) && !cleared;
        let told = self.tells(&taint.path) && !(cleared && is_compiler(self.command));
        obeyed || told
    }

    /// Whether a word of the command is the file, or lies in it.
    fn names(&self, path: &str) -> bool {
        let words = self.command.arguments.iter().map(|word| word.text.as_str());
        // What is run, and the folder in which it is.
        let mut words = words.chain([self.command.word.as_str(), "."]);
        words.any(|word| is_within(&executed::place(word, self.command, self.call, self.context), path))
    }
}

/// Code that a compiler or the program of another language is given on its input.
pub(in crate::detect) fn compiled_input(
    command: &Command,
    view: &View,
    call: &ToolCall,
    context: &Context,
) -> Vec<Finding> {
    let fed = command.placement == Placement::Piped || view.line.contains("<<") || view.line.contains("<(");
    if !fed || !is_compiler(command) {
        return Vec::new();
    }
    // What is in quotes for the shell begins there.
    let code = format!("{}\n{}", view.line, view.line.replace('\'', "\n"));
    let found = scripts::harm_for(Reader::Language, &code, &call.cwd, context);
    found.into_iter().map(|finding| Finding { span: Some(command.span), ..finding }.doubtful()).collect()
}
