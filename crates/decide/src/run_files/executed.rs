//! Which files a command runs, by its words.

use portcullis_shell::{Command, Effects};

use super::interpreters::is_language;
use crate::call::ToolCall;
use crate::context::Context;
use crate::protected;

/// Programs that run the tasks of a file by their names.
const TASK_RUNNERS: &[&str] = &[
    "npm", "yarn", "pnpm", "bun", "make", "gmake", "just", "task", "go-task", "composer", "rake", "gradle",
    "gradlew",
];

/// Options whose value names the task file.
const FILE_OPTIONS: &[&str] =
    &["-f", "--file", "--makefile", "--justfile", "-t", "--taskfile", "--rakefile", "-b"];

/// The files whose text says what the command runs, absolute.
pub(crate) fn files(command: &Command, call: &ToolCall, context: &Context) -> Vec<String> {
    if !runs_project(command) {
        return Vec::new();
    }
    let name = command.program.as_deref().unwrap_or_default();
    let at = |path: &str| place(path, command, call, context);
    if runs_tasks(command) {
        let words = command.arguments.iter().map(|word| word.text.as_str());
        let given =
            words.clone().zip(words.clone().skip(1)).filter(|(option, _)| FILE_OPTIONS.contains(option));
        let glued = words.filter_map(|word| FILE_OPTIONS.iter().find_map(|option| attached(word, option)));
        return given.map(|(_, file)| file).chain(glued).map(at).collect();
    }
    let words = command.arguments.iter().filter(|word| word.literal && !word.text.starts_with('-'));
    let words = words.map(|word| word.text.as_str());
    let own = command.word.contains('/').then_some(command.word.as_str());
    let interprets = is_shell_runner(name) || is_language(name);
    let bare = words.clone().next().filter(|_| interprets);
    let named = own.into_iter().chain(words).filter(|word| is_file_name(word) || bare == Some(*word));
    // What an interpreter is given to run is run, whatever it is called.
    let run = |(index, path): &(usize, String)| (*index == 0 && interprets) || runs(path);
    named.map(at).enumerate().filter(run).map(|(_, path)| path).take(8).collect()
}

/// The value that is attached to an option: `--file=other.mk`, `-fother.mk`.
fn attached<'w>(word: &'w str, option: &str) -> Option<&'w str> {
    let rest = word.strip_prefix(option)?;
    let value = rest.strip_prefix('=').or_else(|| (!option.starts_with("--")).then_some(rest))?;
    (!value.is_empty()).then_some(value)
}

/// Whether the command runs tasks of a file, and not the file.
pub(crate) fn runs_tasks(command: &Command) -> bool {
    let code = |word: &str| [".js", ".ts", ".mjs", ".tsx"].iter().any(|ending| word.ends_with(ending));
    let script = || command.arguments.iter().any(|word| code(&word.text));
    let runs = |name: &str| TASK_RUNNERS.contains(&name) && !(name == "bun" && script());
    command.program.as_deref().is_some_and(runs)
}

pub(crate) fn is_shell_runner(program: &str) -> bool {
    matches!(program, "sh" | "bash" | "dash" | "ksh" | "zsh" | "source" | ".")
}

fn runs_project(command: &Command) -> bool {
    let runs = Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED).and(Effects::EXECUTES);
    command.own.meets(runs)
}

fn is_file_name(word: &str) -> bool {
    !word.is_empty() && !word.contains(['\n', '*', '?', '=', ':', ' ']) && word.contains(['/', '.'])
}

pub(crate) fn place(path: &str, command: &Command, call: &ToolCall, context: &Context) -> String {
    let moved = command.directory.as_deref().filter(|moved| !moved.contains('*') && !moved.contains(" | "));
    let from = moved.map_or_else(|| call.cwd.clone(), |moved| context.absolute(moved, &call.cwd));
    context.absolute(path, &from)
}

/// Whether something may run the file: prose and data are not run.
pub(crate) fn runs(path: &str) -> bool {
    const DATA: &[&str] = &[
        "md", "txt", "rst", "adoc", "csv", "svg", "png", "jpg", "gif", "html", "css", "json", "log", "xml",
        "pdf", "tsv", "parquet", "diff",
    ];
    !DATA.contains(&path.rsplit('.').next().unwrap_or_default()) || protected::runs_later(path)
}
