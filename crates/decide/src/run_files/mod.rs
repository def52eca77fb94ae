//! Follows what a line runs: scripts, task files and modules, and the project files that those call or import (SPEC P0).

pub(crate) mod embedded;
pub(crate) mod executed;
pub(crate) mod given;
mod imports;
pub(crate) mod interpreters;
pub(crate) mod notebooks;
mod reader;
pub(crate) mod stdin_code;
pub(crate) mod task_files;
pub(crate) mod texts;
pub(crate) mod variables;
pub(crate) mod written;

use std::collections::VecDeque;

use portcullis_shell::{Command, Effects, Placement, Reading, Span};

use interpreters::{Given, ending_of, is_language, runs_input};
use reader::reader;
use written::{by_line, compiled, is_compiler};

use crate::call::ToolCall;
use crate::context::Context;
use crate::facts::{FileText, Unread};
use crate::view::{Access, Reader, RunFile, View, changes, in_span};

/// How many files are followed, and how far.
const MOST: usize = 64;
const DEEPEST: usize = 4;

/// How many of the files are followed that one command's variables name.
const MOST_GIVEN: usize = 8;

/// How a file came to be followed.
struct Step<'r> {
    path: String,
    command: &'r Command,
    depth: usize,
    direct: bool,
    /// Whether it has to be there; what is only tried may be missing.
    needed: bool,
}

/// What is known of one line's files.
struct Follow<'a> {
    call: &'a ToolCall,
    context: &'a Context,
    fresh: Vec<(String, String)>,
    compiled: Vec<(String, String)>,
    /// Whether the line builds something: what it makes is not there yet.
    builds: bool,
    /// Files that the line itself writes.
    made: Vec<String>,
    /// Files that commands are fed as code.
    fed: Vec<(Span, String)>,
    /// The line itself.
    line: String,
}

/// The files that the line runs. Several checks ask for them, and they are looked for once.
pub(crate) fn of_view<'v>(call: &ToolCall, view: &'v View, context: &Context) -> &'v [RunFile] {
    let find = |reading| files(call, view, reading, context).0;
    view.run.get_or_init(|| view.reading.as_ref().map(find).unwrap_or_default())
}

/// The files whose text has to be known to say what the line runs (P0).
pub(crate) fn files_to_read(call: &ToolCall, view: &View, context: &Context) -> Vec<String> {
    view.reading.as_ref().map_or_else(Vec::new, |reading| files(call, view, reading, context).1)
}

/// The files that the line runs, and those whose text has to be known first.
fn files(call: &ToolCall, view: &View, reading: &Reading, context: &Context) -> (Vec<RunFile>, Vec<String>) {
    let runs = Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED).and(Effects::EXECUTES);
    let starts = |command: &Command| {
        command.own.meets(runs) || is_compiler(command) || !given::values(command, &view.line).is_empty()
    };
    if !reading.commands.iter().any(starts) {
        return (Vec::new(), Vec::new());
    }
    let fresh = by_line(view, reading);
    let place = |path: &str, command: &Command| executed::place(path, command, call, context);
    let follow = Follow {
        call,
        context,
        compiled: compiled(view, reading, &fresh, place),
        fresh,
        fed: fed_files(view, reading),
        line: view.line.clone(),
        builds: reading.commands.iter().any(|it| executed::runs_tasks(it) || is_compiler(it) || builds(it)),
        made: made(view),
    };
    let mut open: VecDeque<Step<'_>> =
        reading.commands.iter().flat_map(|command| follow.starts(command)).collect();
    let (mut found, mut wanted, mut seen): (Vec<RunFile>, Vec<String>, Vec<String>) = Default::default();
    while let Some(step) = open.pop_front() {
        if seen.contains(&step.path) {
            continue;
        }
        seen.push(step.path.clone());
        let Some(file) = follow.read(&step, &mut wanted) else { continue };
        let whole = file.text.clone().unwrap_or_default();
        let more = imports::of(&step.path, &whole, &call.cwd, context);
        if !more.is_empty() && (step.depth == DEEPEST || found.len() >= MOST) {
            continue;
        }
        open.extend(more.into_iter().map(|path| Step {
            path,
            command: step.command,
            depth: step.depth + 1,
            direct: step.direct,
            needed: false,
        }));
        found.push(file);
    }
    (found, wanted)
}

impl Follow<'_> {
    /// The files that a command starts with.
    fn starts<'r>(&self, command: &'r Command) -> Vec<Step<'r>> {
        let step = |path, direct, needed| Step { path, command, depth: 0, direct, needed };
        let named = executed::files(command, self.call, self.context).into_iter();
        let tasks = executed::runs_tasks(command);
        let script = match interpreters::given(command) {
            Given::Script(script) => Some(script),
            Given::Code(_) | Given::Input | Given::Unknown => None,
        };
        let script = script.or_else(|| command.word.contains('/').then(|| command.word.clone()));
        let script = script.filter(|_| !tasks && command.directory.is_none() && !command.word.contains('*'));
        let script = script.map(|script| executed::place(&script, command, self.call, self.context));
        let named = named.map(|path| {
            let needed = script.as_ref() == Some(&path);
            step(path, !tasks, needed)
        });
        let named: Vec<Step<'r>> = named.collect();
        // `python3 < a.py`, `cat a.py | python3`
        let fed = self.fed.iter().filter(|(span, _)| *span == command.span);
        let fed = fed.map(|(_, path)| step(path.clone(), true, false));
        let fed = fed.chain(
            self.by_other_names(command).into_iter().map(|path| step(path, !is_compiler(command), false)),
        );
        // `python3 -m tools`
        let words = || command.arguments.iter().map(|word| word.text.as_str());
        let modules = words()
            .zip(words().skip(1))
            .filter(|(option, _)| *option == "-m")
            .map(|(_, name)| name.replace('.', "/"));
        let modules = modules
            .flat_map(|name| ["", ".py", "/__main__.py", "/__init__.py"].map(|end| format!("{name}{end}")));
        let modules =
            modules.map(|file| step(executed::place(&file, command, self.call, self.context), true, false));
        let modules: Vec<Step<'r>> =
            modules.filter(|_| is_language(command.program.as_deref().unwrap_or_default())).collect();
        let obeyed = task_files::obeyed_names(command).into_iter();
        let obeyed =
            obeyed.map(|name| step(executed::place(&name, command, self.call, self.context), false, false));
        let session = self.context.session.written.iter().filter(|path| task_files::obeys(command, path));
        let session = session.map(|path| step(path.clone(), false, false));
        let given = self.given(command).into_iter().map(|path| step(path, true, false));
        named.into_iter().chain(fed).chain(modules).chain(obeyed).chain(session).chain(given).collect()
    }

    /// The files that variables and settings name, which a program may run: `BASH_ENV=setup`, `GIT_SSH=./x.sh`.
    fn given(&self, command: &Command) -> Vec<String> {
        let values = given::values(command, &self.line).into_iter().filter(|(_, value)| value.literal);
        let names = values
            .flat_map(|(_, value)| value.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let places = names.map(|name| executed::place(&name, command, self.call, self.context));
        places.filter(|path| executed::runs(path)).take(MOST_GIVEN).collect()
    }

    /// The files that an interpreter or a compiler runs without naming them whole: `node .`, `-e "require('./a')"`, `gcc a.c`.
    fn by_other_names(&self, command: &Command) -> Vec<String> {
        let name = command.program.as_deref().unwrap_or_default();
        let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
        let place = |file: &str| executed::place(file, command, self.call, self.context);
        if is_compiler(command) {
            return words
                .iter()
                .filter(|word| word.contains('.') && !word.starts_with('-'))
                .map(|word| place(word))
                .collect();
        }
        if !is_language(name) {
            return Vec::new();
        }
        let ending = ending_of(name);
        let plain = words.iter().filter(|word| !word.contains([' ', '(']) && !word.starts_with('-'));
        let stems = plain.flat_map(|word| {
            let word = word.trim_end_matches('/');
            [
                format!("{word}.{ending}"),
                format!("{word}/index.{ending}"),
                format!("{word}/__main__.{ending}"),
            ]
        });
        let mut found: Vec<String> = stems.map(|file| place(&file)).collect();
        let script = place(&format!("inline.{ending}"));
        let text = format!("{}\n{}", words.join("\n"), command.span.of(&self.line));
        found.extend(imports::of(&script, &text, &self.call.cwd, self.context));
        found
    }

    /// What is known of the text of a step's file; nothing where there is nothing to judge, or it has to be read first.
    fn known(&self, step: &Step<'_>, wanted: &mut Vec<String>) -> Option<FileText> {
        let path = &step.path;
        if let Some((_, text)) = self.compiled.iter().find(|(made, _)| made == path) {
            return Some(FileText { text: Ok(text.clone()), settled: false });
        }
        let changed = self.context.session.written.contains(path);
        let facts = &self.context.facts;
        let of_line = self.fresh.iter().filter(|(written, _)| written == path).map(|(_, text)| text.as_str());
        let mut texts: Vec<&str> = of_line.collect();
        if !texts.is_empty() {
            // It may run before the line writes over it.
            texts.extend(facts.text(path).filter(|_| changed));
            return Some(FileText { text: Ok(texts.join("\n")), settled: false });
        }
        if facts.file(path).is_some() {
            return facts.file(path);
        }
        if !facts.plain_world {
            wanted.push(path.clone());
            return None;
        }
        // In a made-up world what is not described is the user's own; what the session wrote is not.
        let named = (step.needed && !self.builds) || task_files::holds_tasks(path);
        let unknown = (changed || self.made.contains(path)) && named;
        unknown.then_some(FileText { text: Err(Unread::Closed), settled: false })
    }

    /// The file of a step; nothing where there is none, or where it says nothing about what is run.
    fn read(&self, step: &Step<'_>, wanted: &mut Vec<String>) -> Option<RunFile> {
        let path = &step.path;
        let known = self.known(step, wanted)?;
        let changed = self.context.session.written.contains(path) || self.made.contains(path);
        let built = self.compiled.iter().any(|(made, _)| made == path);
        let settled = (known.settled && !changed) || is_dependency(path, changed);
        let text = match known.text {
            Ok(text) => Ok(text),
            Err(Unread::Missing) if self.context.facts.replayed || self.builds || !step.needed => {
                return None;
            }
            // A compiled program is what it was built from.
            Err(Unread::Program) => return None,
            // A variable may name anything: a folder, a database, a socket.
            Err(_) if self.given(step.command).contains(path) => return None,
            Err(why) => Err(why.sentence()),
        };
        let whole = text.as_deref().unwrap_or_default();
        let name = step.command.program.as_deref().unwrap_or_default();
        let tasks = task_files::holds_tasks(path);
        let reader = match reader(path, whole) {
            _ if built => Reader::Language,
            _ if tasks => Reader::Shell,
            _ if step.depth == 0 && executed::is_shell_runner(name) => Reader::Shell,
            None if (is_language(name) && step.needed) || text.is_err() => Reader::Language,
            None => Reader::Data,
            Some(reader) => reader,
        };
        let text =
            text.map(|text| if tasks { task_files::lines_for(step.command, path, &text) } else { text });
        Some(RunFile {
            path: path.clone(),
            tasks,
            reader,
            text,
            settled,
            direct: step.direct,
            span: step.command.span,
        })
    }
}

/// The files that the line writes; what it only changes may have been there.
fn made(view: &View) -> Vec<String> {
    let written = view.paths.iter().filter(|it| it.access == Access::Write);
    written.filter(|it| !changes::is_changed(it, view)).map(|it| it.path.clone()).collect()
}

/// Whether a tool builds the project: what it makes is not there yet.
fn builds(command: &Command) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    command.own.meets(Effects::PROJECT_CODE)
        && !is_language(name)
        && !executed::is_shell_runner(name)
        && !command.word.contains('/')
}

/// The files whose text a command reads as code: by a redirect, or from the command before it.
fn fed_files(view: &View, reading: &Reading) -> Vec<(Span, String)> {
    let reads = |command: &Command| {
        let read = view.paths.iter().filter(|it| it.access == Access::Read && it.literal);
        read.filter(|it| in_span(it, command)).map(|it| it.path.clone()).collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    let mut before: Option<&Command> = None;
    for command in &reading.commands {
        if runs_input(command) && command.own.meets(Effects::EXECUTES) {
            let shown = before.filter(|_| command.placement == Placement::Piped);
            let printed =
                shown.filter(|it| matches!(it.program.as_deref(), Some("cat" | "head" | "tail" | "sed")));
            let files = reads(command).into_iter().chain(printed.map(reads).unwrap_or_default());
            found.extend(files.map(|path| (command.span, path)));
        }
        before = Some(command);
    }
    found
}

/// Whether the file belongs to a package that the project depends on.
fn is_dependency(path: &str, changed: bool) -> bool {
    const FOLDERS: &[&str] =
        &["node_modules", ".venv", "venv", "site-packages", ".tox", ".nox", "vendor", ".yarn"];
    !changed && path.split('/').any(|part| FOLDERS.contains(&part))
}
