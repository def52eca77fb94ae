//! Judges the files that a line runs by their text (SPEC P0).

use portcullis_shell::{Command, Effects};

use super::Reader;
use crate::call::ToolCall;
use crate::context::Context;
use crate::harm::code::opaque;
use crate::harm::written;
use crate::harm::{Category, Finding, Severity, code};
use crate::run_files::{self, RunFile};
use crate::view::View;

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
        let glued = words
            .filter_map(|word| FILE_OPTIONS.iter().find_map(|it| word.strip_prefix(it)?.strip_prefix('=')));
        return given.map(|(_, file)| file).chain(glued).map(at).collect();
    }
    let words = command.arguments.iter().filter(|word| word.literal && !word.text.starts_with('-'));
    let words = words.map(|word| word.text.as_str());
    let own = command.word.contains('/').then_some(command.word.as_str());
    let interprets = is_shell_runner(name) || code::is_language(name);
    let bare = words.clone().next().filter(|_| interprets);
    let named = own.into_iter().chain(words).filter(|word| is_file_name(word) || bare == Some(*word));
    // What an interpreter is told to run is run, whatever it is called.
    let run = |(index, path): &(usize, String)| (*index == 0 && interprets) || crate::session::runs(path);
    named.map(at).enumerate().filter(run).map(|(_, path)| path).take(8).collect()
}

/// The harm in what the line runs. A project's own scripts are only asked for certain harm: what they do besides is what
/// they are there for. Everything else is judged as if its lines were the command.
pub(in crate::harm) fn run(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let found = run_files::of_view(call, view, context).iter().flat_map(|file| {
        let text = file.text.as_deref().unwrap_or_default();
        let found = if file.settled {
            gravest(file, text, call, context).into_iter().collect()
        } else {
            // What a task or a test clears away in the project is its own.
            let cleared = |finding: &Finding| {
                finding.category == Category::LocalDestruction
                    && finding.severity == Severity::Soft
                    && !finding.certain
                    && (file.tasks || !file.direct)
            };
            let found = if file.tasks {
                let lines = shell_lines(file, text);
                lines.iter().flat_map(|line| written::harm(line, &call.cwd, context)).collect()
            } else {
                written::harm_for(file.reader, text, &call.cwd, context)
            };
            found.into_iter().filter(|finding| !cleared(finding)).collect::<Vec<_>>()
        };
        found.into_iter().map(move |finding| Finding {
            what: format!("it runs `{}`, in which {}", file.path, finding.what),
            span: Some(file.span),
            ..finding
        })
    });
    found.collect()
}

/// Why what the line runs is no ordinary work on the project: it could not be read, hides what it does, or does what would
/// not be ordinary in the line itself.
pub(in crate::harm) fn unusual(call: &ToolCall, view: &View, context: &Context) -> Option<String> {
    let files = run_files::of_view(call, view, context);
    files.iter().filter(|file| !file.settled).find_map(|file| {
        let text = match &file.text {
            Ok(text) => text,
            Err(why) => return Some(format!("it runs `{}`, which {why}", file.path)),
        };
        let session = &context.session;
        let edited = session.written.contains(&file.path) && !session.created.contains(&file.path);
        let whole = file.direct && !edited;
        let why = if whole && !file.tasks {
            written::unusual_for(file.reader, &file.path, text, &call.cwd, context)
        } else {
            None
        };
        let why = why.or_else(|| {
            opaque::hides(text)
                .map(str::to_owned)
                .filter(|_| matches!(file.reader, Reader::Language | Reader::Notebook))
        });
        let which = if file.reader == Reader::Language { "whose code" } else { "in which" };
        Some(format!("it runs `{}`, {which} {}", file.path, why?))
    })
}

/// The lines for a shell in a file that is run. A task may bring code of its own: `node -e "…"`.
fn shell_lines(file: &RunFile, text: &str) -> Vec<String> {
    let embedded = || written::embedded::lines(text).into_iter().map(|line| line.text);
    match file.reader {
        Reader::Shell if file.tasks => std::iter::once(text.to_owned()).chain(embedded()).collect(),
        Reader::Shell => vec![text.to_owned()],
        Reader::Notebook => vec![written::notebooks::shell_lines(text)],
        Reader::Data => Vec::new(),
        Reader::Language => embedded().collect(),
    }
}

/// The texts for a shell that the line runs from files, and whether each is of the user's own code.
pub(in crate::harm) fn shell_texts(call: &ToolCall, view: &View, context: &Context) -> Vec<(String, bool)> {
    let lines = run_files::of_view(call, view, context).iter().flat_map(|file| {
        let lines = shell_lines(file, file.text.as_deref().unwrap_or_default());
        lines.into_iter().map(move |text| (text, file.settled))
    });
    lines.collect()
}

/// A file that is run and that is not the user's own.
pub(crate) struct StrangeFile {
    pub(crate) path: String,
    pub(crate) text: String,
    /// What of it goes to a shell.
    pub(crate) lines: Vec<String>,
}

/// The files that the line runs and that are not the user's own.
pub(in crate::harm) fn strange_texts(call: &ToolCall, view: &View, context: &Context) -> Vec<StrangeFile> {
    let files = run_files::of_view(call, view, context).iter().filter(|file| !file.settled);
    let known = files.filter_map(|file| {
        let text = file.text.clone().ok()?;
        Some(StrangeFile { lines: shell_lines(file, &text), path: file.path.clone(), text })
    });
    known.collect()
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

/// The gravest certain harm in the user's own file.
fn gravest(file: &RunFile, text: &str, call: &ToolCall, context: &Context) -> Option<Finding> {
    let mut found = crate::harm::in_text(text);
    if file.reader == Reader::Shell {
        found.extend(written::harm(text, &call.cwd, context));
    }
    let certain = found.into_iter().filter(|finding| finding.certain && shows_in_files(finding));
    let destroys = || code::destroys_in_file(text, context).then(Finding::destruction);
    certain.max_by_key(|it| it.severity).or_else(destroys)
}

/// Whether a project's own scripts have no ordinary reason for it. What they delete or change in the project, and
/// where they deploy, is what they are there for; whoever runs such a task is judged by its name.
fn shows_in_files(finding: &Finding) -> bool {
    finding.severity == Severity::Hard
        || matches!(finding.category, Category::Persistence | Category::GitDestructive)
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
