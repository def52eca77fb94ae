//! Words that git fills in and that name commits.

use portcullis_shell::{Command, Effects, Reading, Unclear, Why};

use crate::view::View;

/// `git log $(git describe --tags)..HEAD`: whatever a tag is called, with `..` behind it it is none of git's options
/// that read or run something.
pub(super) fn is_range(doubt: &Unclear, command: &Command, view: &View, reading: &Reading) -> bool {
    let word = command.arguments.iter().find(|word| word.span == doubt.span);
    let source = doubt.span.of(&view.line).trim_matches('"');
    let within =
        |other: &&Command| other.span != command.span && crate::reads::within(other.span, doubt.span);
    let mut inside = reading.commands.iter().filter(within).peekable();
    let reads = command.own.without(Effects::UNKNOWN).is_harmless();
    let verb = command.verbs.first().and_then(|at| command.arguments.get(*at));
    let shows =
        verb.is_some_and(|verb| matches!(verb.text.as_str(), "log" | "diff" | "shortlog" | "rev-list"));
    command.program.as_deref() == Some("git")
        && reads
        && shows
        && source.starts_with("$(git describe")
        && word.is_some_and(|word| word.text.starts_with("*..") && word.text.matches('*').count() == 1)
        && inside.peek().is_some()
        && inside.all(describes)
}

/// Whether nothing else is unknown about the command.
pub(super) fn are_ranges(command: &Command, view: &View, reading: &Reading) -> bool {
    let mut doubts =
        reading.unclear.iter().filter(|doubt| crate::reads::within(doubt.span, command.span)).peekable();
    doubts.peek().is_some()
        && doubts.all(|doubt| doubt.why == Why::MaybeOption && is_range(doubt, command, view, reading))
}

/// `git describe` with options that only choose the tag: it prints one name without blanks.
fn describes(command: &Command) -> bool {
    const CHOOSING: &[&str] =
        &["--tags", "--always", "--abbrev=0", "--long", "--first-parent", "--exact-match"];
    let mut words = command.arguments.iter();
    command.program.as_deref() == Some("git")
        && command.assignments.is_empty()
        && words.next().is_some_and(|word| word.text == "describe")
        && words.all(|word| {
            word.literal && (CHOOSING.contains(&word.text.as_str()) || !word.text.starts_with('-'))
        })
}
