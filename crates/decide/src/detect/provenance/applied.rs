//! Patches and recipes that nobody has seen: what comes from an address, from outside the project or from another command,
//! and is applied or obeyed.

use portcullis_shell::{Argument, Command, Placement, Reading};

use super::flow;
use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Finding, detectors, edits};
use crate::run_files::{executed, written};
use crate::view::in_span;
use crate::view::{Access, View};

fn says(command: &Command, words: &[&str]) -> bool {
    command.arguments.iter().any(|word| words.contains(&word.text.as_str()))
}

/// Whether the command applies patches.
fn applies(command: &Command) -> bool {
    match command.program.as_deref().unwrap_or_default() {
        "patch" | "gpatch" => true,
        "git" => says(command, &["am", "apply"]),
        "hg" => says(command, &["import", "patch", "qimport"]),
        "svn" => says(command, &["patch"]),
        "quilt" => says(command, &["import"]),
        _ => false,
    }
}

/// Programs of which it is not read elsewhere what they take from where.
fn names_no_paths(command: &Command) -> bool {
    matches!(command.program.as_deref(), Some("svn" | "hg" | "quilt"))
}

/// The option before what is said about a patch.
fn is_message(word: &Argument) -> bool {
    matches!(word.text.as_str(), "-m" | "--message" | "-u" | "--user" | "-d" | "--date")
}

/// What the line applies or obeys unseen.
pub(in crate::detect) fn of_line(
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    reading.commands.iter().find_map(|command| {
        patched(command, view, reading, call, context)
            .or_else(|| pulled(command))
            .or_else(|| build_file_from_stdin(command, view, reading, call, context))
    })
}

/// `git am < <(curl …)`, `hg import https://…`, `svn patch /tmp/mail.diff`
fn patched(
    command: &Command,
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    if !applies(command) {
        return None;
    }
    let address = command.arguments.iter().any(|word| word.text.contains("://"));
    let fetched = reading.commands.iter().any(|other| {
        flow::fetches(other) && matches!(other.placement, Placement::Process | Placement::Substitution)
    });
    let strange = names_no_paths(command) && {
        let words = command.arguments.iter().zip(command.arguments.iter().skip(1));
        let files = words
            .filter(|(before, word)| !is_message(before) && !word.text.starts_with('-'))
            .map(|(_, word)| word);
        let named = files.map(|word| executed::place(&word.text, command, call, context));
        let read = view.paths.iter().filter(|path| path.access == Access::Read && in_span(path, command));
        let mut places = named.chain(read.map(|path| path.path.clone()));
        places.any(|path| !context.is_trusted(&path) && !context.session.created.contains(&path))
    };
    (address || fetched || strange).then(|| Finding::on(&detectors::APPLIES_UNSEEN_PATCH, command).doubtful())
}

/// `hg pull -u https://…/fork`
fn pulled(command: &Command) -> Option<Finding> {
    let pulls = command.program.as_deref() == Some("hg") && says(command, &["pull", "fetch", "unbundle"]);
    (pulls && command.arguments.iter().any(|word| word.text.contains("://")))
        .then(|| Finding::on(&detectors::HG_PULL_FROM_URL, command))
}

/// The kind of build file that the tool reads from standard input.
fn input_of(command: &Command) -> Option<&'static str> {
    let words = &command.arguments;
    let stdin = |text: &str| matches!(text, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0");
    let follows = |names: &[&str]| {
        let value = words
            .iter()
            .zip(words.iter().skip(1))
            .any(|(name, value)| names.contains(&name.text.as_str()) && stdin(&value.text));
        let glued = |word: &Argument| {
            names.iter().any(|name| {
                let rest = word.text.strip_prefix(name).map(|rest| rest.strip_prefix('=').unwrap_or(rest));
                rest.is_some_and(stdin)
            })
        };
        value || words.iter().any(glued)
    };
    let file: &[&str] = &["-f", "--file", "--makefile", "--justfile", "--taskfile", "-t", "--rakefile"];
    match command.program.as_deref().unwrap_or_default() {
        "make" | "gmake" | "just" | "ninja" | "task" | "go-task" | "rake" if follows(file) => {
            Some("Makefile")
        }
        "docker-compose" | "podman-compose" if follows(file) => Some("docker-compose.yml"),
        "docker" | "podman" | "nerdctl"
            if says(command, &["compose", "stack"]) && follows(&["-f", "--file", "-c", "--compose-file"]) =>
        {
            Some("docker-compose.yml")
        }
        "docker" | "podman" | "nerdctl" | "buildah" if says(command, &["build", "bud"]) => {
            let printed = |at: usize| {
                let before = at.checked_sub(1).and_then(|before| words.get(before));
                before.is_some_and(|it| matches!(it.text.as_str(), "-o" | "--output"))
            };
            let context = words.iter().enumerate().any(|(at, word)| stdin(&word.text) && !printed(at));
            (context || follows(&["-f", "--file"])).then_some("Dockerfile")
        }
        _ => None,
    }
}

/// `make -f - <<< 'all:; git push -f'`: recipes are code, and a list of services says what they may do.
fn build_file_from_stdin(
    command: &Command,
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    let name = input_of(command)?;
    let texts = written::fed_to(command, view, reading);
    if name == "Makefile" || texts.is_empty() {
        return Some(Finding::on(&detectors::BUILD_FILE_FROM_STDIN, command));
    }
    let path = context.absolute(name, &call.cwd);
    let found = texts.iter().find_map(|text| edits::of_text(&path, text, call, context))?;
    Some(Finding { span: Some(command.span), ..found })
}
