//! Words that git fills in and that name commits.

use portcullis_shell::{Command, Effects, Reading, Unclear, Why};

use crate::view::View;

/// Whether a word that git is given names commits, whatever it is: none of git's options.
pub(in crate::harm) fn is_revision(
    doubt: &Unclear,
    command: &Command,
    view: &View,
    reading: &Reading,
) -> bool {
    is_range(doubt, command, view, reading) || is_hash(doubt, command, view, reading)
}

/// `git log $(git describe --tags)..HEAD`: whatever a tag is called, with `..` behind it it is none of git's options
/// that read or run something.
fn is_range(doubt: &Unclear, command: &Command, view: &View, reading: &Reading) -> bool {
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

/// `git log --format=%H | while read hash; do git show "$hash"; done`: a hash is no option.
fn is_hash(doubt: &Unclear, command: &Command, view: &View, reading: &Reading) -> bool {
    let source = doubt.span.of(&view.line).trim_matches('"');
    let name = source.strip_prefix('$').unwrap_or_default();
    let name = name.split(':').next().unwrap_or_default();
    let all = &reading.commands;
    let mut reads = all.iter().enumerate().filter(|(_, other)| other.program.as_deref() == Some("read"));
    let (Some((at, read)), None) = (reads.next(), reads.next()) else { return false };
    let mut names = read.arguments.iter().filter(|word| word.text != "-r");
    let first = names.next().is_some_and(|word| word.literal && word.text == name);
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let [log, shorter @ ..] = crate::harm::origins::origin::pipeline(all, at) else { return false };
    let cuts = |other: &Command| {
        other.span == read.span || matches!(other.program.as_deref(), Some("head" | "tail" | "read"))
    };
    command.program.as_deref() == Some("git")
        && command.own.without(Effects::UNKNOWN).is_harmless()
        && first
        && plain
        && names.next().is_none()
        && !view.line.contains(&format!("{name}="))
        && !view.line.contains(&format!("for {name} "))
        && lists_commits(log)
        && shorter.iter().all(cuts)
}

/// Whether git prints one line for each commit, and nothing in it but its hash.
fn lists_commits(command: &Command) -> bool {
    const CHOOSING: &[&str] = &[
        "-n",
        "--all",
        "--reverse",
        "--merges",
        "--no-merges",
        "--first-parent",
        "--since",
        "--author",
        "--grep",
    ];
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let format = |word: &str| {
        word.strip_prefix("--format=").or_else(|| word.strip_prefix("--pretty=format:")).map(str::to_owned)
    };
    let line = |format: &str| matches!(format, "%H" | "%h");
    let number = |word: &str| word.len() > 1 && word.bytes().skip(1).all(|byte| byte.is_ascii_digit());
    let chooses = |word: &str| {
        let name = word.split('=').next().unwrap_or_default();
        !word.starts_with('-') || CHOOSING.contains(&name) || number(word)
    };
    command.program.as_deref() == Some("git")
        && words().next() == Some("log")
        && command.assignments.is_empty()
        && command.own.is_harmless()
        && command.arguments.iter().all(|word| word.literal)
        && words().any(|word| format(word).is_some_and(|format| line(&format)))
        && words().all(|word| format(word).map_or_else(|| chooses(word), |format| line(&format)))
}

/// Whether nothing else is unknown about the command.
pub(in crate::harm) fn are_revisions(command: &Command, view: &View, reading: &Reading) -> bool {
    let mut doubts =
        reading.unclear.iter().filter(|doubt| crate::reads::within(doubt.span, command.span)).peekable();
    doubts.peek().is_some()
        && doubts.all(|doubt| doubt.why == Why::MaybeOption && is_revision(doubt, command, view, reading))
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
