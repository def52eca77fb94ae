//! What the tables of languages, builds and packages share: short names for effects, and checks that
//! tell code of the project from code that lies elsewhere.

use super::invocation::{Invocation, Outcome, Run, Use};
use super::table::{Operands, Spec};
use crate::argument::Argument;
use crate::effects::Effects;

pub(super) const READS: Effects = Effects::READS;
pub(super) const FETCHES: Effects = Effects::NETWORK_READ;
pub(super) const WRITES: Effects = Effects::WRITES;
pub(super) const DELETES: Effects = Effects::DELETES;
pub(super) const EXECUTES: Effects = Effects::EXECUTES;
pub(super) const PROJECT: Effects = Effects::PROJECT_CODE;
/// Reads, unless a file of the project tells the program to run other code.
pub(super) const OBEYS: Effects = Effects::OBEYS_PROJECT;
pub(super) const DECLARED: Effects = Effects::INSTALLS_DECLARED;
pub(super) const NAMED: Effects = Effects::INSTALLS_NAMED;
pub(super) const PUBLISHES: Effects = Effects::PUBLISHES;
pub(super) const REMOTE: Effects = Effects::NETWORK_WRITE;
pub(super) const SYSTEM: Effects = Effects::SYSTEM;
pub(super) const SECRETS: Effects = Effects::SECRETS;
pub(super) const NONE: Effects = Effects::NONE;

/// A sub-command whose operands are data.
pub(super) const fn verb(names: &'static str, does: Effects, options: &'static str) -> Spec {
    Spec::new(names, does).options(options).operands(Operands::Text)
}

/// Whether a path surely lies below the directory the command runs in.
pub(super) fn is_local(argument: Argument<'_>) -> bool {
    let bounded = argument.literal || !argument.choices.is_empty() || argument.glob;
    bounded && argument.possible().all(path_is_local)
}

fn path_is_local(path: &str) -> bool {
    let rooted = path.starts_with(['/', '~', '\\']) || path.get(1..2) == Some(":");
    !path.is_empty() && !rooted && !path.contains("://") && !path.split(['/', '\\']).any(|part| part == "..")
}

/// A script is run: code of the project when it lies in it, otherwise code given to the program.
pub(super) fn script<'a>(file: Argument<'a>, out: &mut Outcome<'a>) {
    if file.known() == Some("-") || !is_local(file) {
        out.executes();
    } else {
        out.add(PROJECT);
    }
    if file.known() != Some("-") {
        out.files.push((Use::Read, file));
    }
}

/// For interpreters: the first operand is a script; without one, code comes from standard input.
pub(super) fn interpreter<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if out.effects.meets(EXECUTES) {
        // Code was given on the line; a help option beside it may belong to that code.
        out.help = false;
        return;
    }
    if out.help {
        return;
    }
    match invocation.operands.first() {
        Some(file) => script(*file, out),
        None => out.executes(),
    }
}

/// Code or configuration named by one of these options counts as given when it lies elsewhere.
pub(super) fn stays(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>, names: &[&str]) {
    for seen in &invocation.options {
        if names.contains(&seen.name) && !seen.value.is_none_or(is_local) {
            out.executes();
        }
    }
    if out.effects.meets(EXECUTES) {
        // Code given by an option may run before a help option is looked at.
        out.help = false;
    }
}

/// Files whose code is run (tests) count as given when they lie elsewhere.
pub(super) fn operands_stay(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if !invocation.operands.iter().copied().all(is_local) {
        out.executes();
    }
}

/// A task of the project is run. One that is called after publishing is taken at its word.
pub(super) fn task(name: Argument<'_>, out: &mut Outcome<'_>) {
    let Some(name) = name.known() else { return };
    let released = name.split(|character: char| !character.is_ascii_alphanumeric()).next() == Some("release");
    let words = words_of(name);
    let says = |word: &str| words.iter().any(|part| part == word);
    let sends = ["deploy", "publish", "unpublish", "upload"].into_iter().any(says);
    // Jib sends the image to its registry, unless it is told to build it for an engine or a file.
    let image = matches!(name, "jib" | "jib:build" | "dockerPush");
    let local = name.ends_with("Local");
    if released || image || (sends && !local) {
        out.add(PUBLISHES);
    }
}

/// The words of a task's name, in lower case: `upload-archives`, `uploadArchives`.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before_lower = false;
    for character in name.chars() {
        let cut = !character.is_ascii_alphanumeric() || (before_lower && character.is_ascii_uppercase());
        if cut {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| character.is_ascii_alphanumeric()) {
            last.push(character.to_ascii_lowercase());
        }
        before_lower = character.is_ascii_lowercase();
    }
    words
}

/// For task runners: the first operand names a task.
pub(super) fn first_task<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(name) = invocation.operands.first().filter(|_| !out.help) {
        task(*name, out);
    }
}

/// For installers: what the project declares when nothing is named, otherwise what is named.
pub(super) fn installs(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let own = |argument: &Argument<'_>| argument.known().is_some_and(is_own_directory);
    if invocation.operands.iter().all(own) { out.add(DECLARED) } else { out.add(NAMED) }
}

/// `.` or `./packages/a`, as installers spell a directory of the project.
pub(super) fn is_own_directory(path: &str) -> bool {
    (path == "." || path.starts_with("./") || path.starts_with(".[")) && path_is_local(path)
}

/// Runs the words from the first operand on.
pub(super) fn runs_operands<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let command = invocation.words.get(invocation.first_operand..).unwrap_or_default();
    if !command.is_empty() {
        out.runs.push(Run::Words(command));
    }
}

/// Runs `program` with the operands after the first `skip`.
pub(super) fn runs_as<'a>(
    program: &'a str,
    skip: usize,
    invocation: &Invocation<'_, 'a>,
    out: &mut Outcome<'a>,
) {
    let span = invocation.operands.first().map(|first| first.span).unwrap_or_default();
    let mut command = vec![Argument::literal(program, span)];
    command.extend(invocation.operands.iter().skip(skip).copied());
    out.runs.push(Run::Words(out.arena.alloc_slice_copy(&command)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn only_paths_below_the_working_directory_are_local() {
        for path in ["a.py", "./a.py", "src/x/../", "tests/a.py::case"] {
            let inside = !path.contains("..");
            assert_eq!(is_local(Argument::literal(path, Span::default())), inside, "{path}");
        }
        for path in
            ["/tmp/a.py", "~/a.py", "../a.py", "a/../../b", "https://example.com/a.py", "C:\\a.py", ""]
        {
            assert!(!is_local(Argument::literal(path, Span::default())), "{path}");
        }
        assert!(!is_local(Argument::unknown(Span::default())));
    }
}
