//! Harm in files of the project that a command runs: a script that it names, a task of `package.json`, a target of a
//! Makefile. Only what is written there counts; what a script is called is looked at elsewhere.
//!
//! Only certain harm is told: what a project's own scripts do besides is ordinary work on it. A script that the session
//! or the line itself wrote is no such thing: it is judged like the line that it stands for.

use portcullis_shell::{Command, Effects, Reading};
use serde_json::Value;

use super::Reader;
use super::recipes;
use crate::call::ToolCall;
use crate::context::Context;
use crate::harm::written;
use crate::harm::{Category, Finding, Severity, code};
use crate::view::View;

/// Programs that run the tasks of a `package.json`.
const PACKAGE_RUNNERS: &[&str] = &["npm", "yarn", "pnpm", "bun"];
/// Programs that run the targets of a Makefile.
const MAKERS: &[&str] = &["make", "gmake"];
/// Names of Makefiles, in the order in which they are looked for.
const MAKEFILES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];
/// What an installation runs of the project's own tasks.
const ON_INSTALL: &[&str] = &["preinstall", "install", "postinstall", "prepare"];

/// The files whose text says what the command runs, absolute.
pub(crate) fn files(command: &Command, call: &ToolCall, context: &Context) -> Vec<String> {
    if !runs_project(command) {
        return Vec::new();
    }
    let name = command.program.as_deref().unwrap_or_default();
    let at = |path: &str| place(path, command, call, context);
    if PACKAGE_RUNNERS.contains(&name) {
        return vec![at("package.json")];
    }
    if MAKERS.contains(&name) {
        return MAKEFILES.iter().map(|file| at(file)).collect();
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

/// The harm in what the line runs of the project.
pub(in crate::harm) fn run(
    call: &ToolCall,
    view: &View,
    reading: &Reading,
    context: &Context,
) -> Vec<Finding> {
    let fresh = written::by_line(view, reading);
    let compiled =
        written::compiled(view, reading, &fresh, |path, command| place(path, command, call, context));
    let found = reading.commands.iter().flat_map(|command| {
        let theirs = of_command(command, call, context);
        let session = &context.session;
        let own =
            own_scripts(command, call, context, [&fresh, &compiled], &[&session.created, &session.written]);
        let judged = own.into_iter().flat_map(|(path, text, reader)| {
            let found = written::harm_for(reader, &text, &call.cwd, context);
            found.into_iter().map(move |finding| Finding {
                what: format!("it runs `{path}`, in which {}", finding.what),
                span: Some(command.span),
                ..finding
            })
        });
        theirs.into_iter().chain(judged).collect::<Vec<_>>()
    });
    found.collect()
}

/// Why a script that the session or the line wrote, and that the line runs, is no ordinary work on the project.
pub(in crate::harm) fn unusual(
    call: &ToolCall,
    view: &View,
    reading: &Reading,
    context: &Context,
) -> Option<String> {
    let fresh = written::by_line(view, reading);
    let compiled =
        written::compiled(view, reading, &fresh, |path, command| place(path, command, call, context));
    let made = [&*context.session.created];
    let mut own = reading
        .commands
        .iter()
        .flat_map(|command| own_scripts(command, call, context, [&fresh, &compiled], &made));
    own.find_map(|(path, text, reader)| {
        let why = written::unusual_for(reader, &text, &call.cwd, context)?;
        Some(format!("it runs `{path}`, in which {why}"))
    })
}

/// Whether the command runs tasks of a file, and not the file.
pub(super) fn runs_tasks(command: &Command) -> bool {
    command.program.as_deref().is_some_and(|name| PACKAGE_RUNNERS.contains(&name) || MAKERS.contains(&name))
}

/// The scripts that the command runs, with their text: those that the line wrote, and those among the `session`'s.
fn own_scripts(
    command: &Command,
    call: &ToolCall,
    context: &Context,
    [fresh, compiled]: [&[(String, String)]; 2],
    session: &[&Vec<String>],
) -> Vec<(String, String, Reader)> {
    if runs_tasks(command) {
        return Vec::new();
    }
    let name = command.program.as_deref().unwrap_or_default();
    let known = files(command, call, context).into_iter().filter_map(|path| {
        if let Some((_, text)) = compiled.iter().find(|(made, _)| *made == path) {
            return Some((path, text.clone(), Reader::Language));
        }
        let texts = fresh.iter().filter(|(written, _)| *written == path).map(|(_, text)| text.as_str());
        let texts: Vec<&str> = texts.collect();
        let of_line = (!texts.is_empty()).then(|| texts.join("\n"));
        let listed = || session.iter().any(|paths| paths.contains(&path));
        let made = || context.facts.text(&path).filter(|_| listed());
        let text = of_line.or_else(|| made().map(str::to_owned))?;
        let reader = match written::reader(&path, &text) {
            _ if is_shell_runner(name) => Reader::Shell,
            None if code::is_language(name) => Reader::Language,
            reader => reader?,
        };
        Some((path, text, reader))
    });
    known.collect()
}

fn of_command(command: &Command, call: &ToolCall, context: &Context) -> Option<Finding> {
    let known = files(command, call, context).into_iter();
    let mut known = known.filter_map(|path| context.facts.text(&path).map(|text| (path.clone(), text)));
    known.find_map(|(path, text)| {
        let lines = lines_run(command, &path, text);
        let gravest =
            lines.iter().filter_map(|line| gravest(line, call, context)).max_by_key(|it| it.severity)?;
        let what = format!("it runs `{path}`, in which {}", gravest.what);
        let mut finding = Finding::of(command, gravest.category, what);
        finding.severity = gravest.severity;
        finding.certain = gravest.certain;
        Some(finding)
    })
}

/// The part of a file that the command runs, and whether it is for a shell.
struct Part {
    text: String,
    shell: bool,
}

fn lines_run(command: &Command, path: &str, text: &str) -> Vec<Part> {
    let name = command.program.as_deref().unwrap_or_default();
    let shell = |text: String| Part { text, shell: true };
    if PACKAGE_RUNNERS.contains(&name) {
        return package_tasks(command, text).into_iter().map(shell).collect();
    }
    if MAKERS.contains(&name) {
        return targets_run(command, text).into_iter().map(shell).collect();
    }
    let shell = is_shell_runner(name) || written::is_shell_script(path, text);
    vec![Part { text: text.to_owned(), shell }]
}

fn is_shell_runner(program: &str) -> bool {
    matches!(program, "sh" | "bash" | "dash" | "ksh" | "zsh" | "source" | ".")
}

/// The gravest certain harm in a part.
fn gravest(part: &Part, call: &ToolCall, context: &Context) -> Option<Finding> {
    let mut found = crate::harm::in_text(&part.text);
    if part.shell {
        found.extend(written::harm(&part.text, &call.cwd, context));
    }
    let certain = found.into_iter().filter(|finding| finding.certain && shows_in_files(finding));
    let destroys = || code::destroys_in_file(&part.text, context).then(Finding::destruction);
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

pub(in crate::harm) fn place(path: &str, command: &Command, call: &ToolCall, context: &Context) -> String {
    let moved = command.directory.as_deref().filter(|moved| !moved.contains('*') && !moved.contains(" | "));
    let from = moved.map_or_else(|| call.cwd.clone(), |moved| context.absolute(moved, &call.cwd));
    context.absolute(path, &from)
}

/// The tasks of a `package.json` that the words of the command run, each with what runs around it.
fn package_tasks(command: &Command, text: &str) -> Vec<String> {
    let package: Value = serde_json::from_str(text).unwrap_or_default();
    let task = |name: &str| package.get("scripts")?.get(name)?.as_str().map(str::to_owned);
    let words: Vec<&str> = command
        .arguments
        .iter()
        .map(|word| word.text.as_str())
        .filter(|word| !word.starts_with('-') && !matches!(*word, "run" | "run-script"))
        .take(2)
        .collect();
    let installs =
        words.is_empty() || words.iter().any(|word| matches!(*word, "install" | "i" | "ci" | "add"));
    let mut names: Vec<String> = if installs {
        ON_INSTALL.iter().map(|&name| name.to_owned()).collect()
    } else {
        words
            .iter()
            .flat_map(|name| [format!("pre{name}"), (*name).to_owned(), format!("post{name}")])
            .collect()
    };
    names.dedup();
    names.iter().filter_map(|name| task(name)).collect()
}

/// The recipes of the targets that the words of the command name, or of the first target.
fn targets_run(command: &Command, text: &str) -> Vec<String> {
    let wanted: Vec<&str> = command
        .arguments
        .iter()
        .map(|word| word.text.as_str())
        .filter(|word| !word.starts_with('-') && !word.contains('='))
        .collect();
    let values = recipes::definitions(text);
    let mut found: Vec<String> = Vec::new();
    let (mut inside, mut any) = (false, false);
    for line in text.lines() {
        if let Some(recipe) = line.strip_prefix('\t') {
            if inside {
                found.push(recipes::as_shell(recipe, &values));
            }
        } else if let Some((targets, _)) = line.split_once(':').filter(|_| !line.starts_with(['#', ' ', '.']))
        {
            let named = targets.split_whitespace().any(|target| wanted.contains(&target));
            inside = named || (wanted.is_empty() && !any);
            any = true;
        }
    }
    found
}
