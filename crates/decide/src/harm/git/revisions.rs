//! Words that git fills in and that name commits.

use portcullis_shell::{Argument, Command, Effects, Placement, Reading, Unclear, Why};

use crate::harm::names::{computed::assigned, listed};
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

/// `git log $(git describe --tags)..HEAD`, `git rev-list main..$branch`: whatever a tag or branch is called, with `..` at it
/// it is none of git's options that read or run something.
fn is_range(doubt: &Unclear, command: &Command, view: &View, reading: &Reading) -> bool {
    let word = command.arguments.iter().find(|word| word.span == doubt.span);
    let source = doubt.span.of(&view.line).replace('"', "");
    let source = source.as_str();
    let reads = command.own.without(Effects::UNKNOWN).is_harmless();
    let verb = command.verbs.first().and_then(|at| command.arguments.get(*at));
    let shows =
        verb.is_some_and(|verb| matches!(verb.text.as_str(), "log" | "diff" | "shortlog" | "rev-list"));
    let ranged = |word: &Argument| {
        let behind = word.text.starts_with("*..");
        let before = word.text.split_once("..*").is_some_and(|(start, rest)| {
            !start.starts_with('-') && !start.is_empty() && (rest.is_empty() || rest == "*")
        });
        (behind || before) && word.text.matches('*').count() == 1
    };
    command.program.as_deref() == Some("git")
        && reads
        && shows
        && word.is_some_and(ranged)
        && (is_filled_in(source, doubt, command, reading) || is_kept(source, view, reading))
}

/// The name is printed right where it stands.
fn is_filled_in(source: &str, doubt: &Unclear, command: &Command, reading: &Reading) -> bool {
    let within =
        |other: &&Command| other.span != command.span && crate::reads::within(other.span, doubt.span);
    let mut inside = reading.commands.iter().filter(within).peekable();
    source.contains("$(git ") && inside.peek().is_some() && inside.all(describes)
}

/// The name is that of a variable which the line sets to one, or which goes through a list of them.
fn is_kept(source: &str, view: &View, reading: &Reading) -> bool {
    let Some((before, rest)) = source.split_once('$') else { return false };
    let rest = rest.strip_prefix('{').unwrap_or(rest);
    let part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let name = rest.split(|it| !part(it)).next().unwrap_or_default();
    let behind = rest.get(name.len()..).unwrap_or_default().trim_start_matches('}');
    let plain = |text: &str| text.chars().all(|it| it.is_ascii_alphanumeric() || "_./-~^".contains(it));
    if name.is_empty() || !plain(before) || !plain(behind) {
        return false;
    }
    let inside = |(start, end): &(u32, u32)| {
        let within = |other: &&Command| *start <= other.span.start && other.span.end <= *end;
        let mut all = reading.commands.iter().filter(within).peekable();
        all.peek().is_some() && all.all(|it| describes(it) || lists_names(it) || shortens(it))
    };
    let lists = listed::loop_lists(&format!("${name}"), &view.line);
    let set = assigned::substitution_of(name, view, reading);
    (!lists.is_empty() && lists.iter().all(inside)) || set.is_some_and(|place| inside(&place))
}

/// `git for-each-ref --format='%(refname:short)' refs/heads`, `git tag`: names of branches and tags, which have no blanks.
fn lists_names(command: &Command) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let format = |word: &str| {
        matches!(word, "--format=%(refname:short)" | "--format=%(refname)" | "--format=%(refname:strip=2)")
    };
    let chooses = |word: &str| {
        let name = word.split('=').next().unwrap_or_default();
        !word.starts_with('-')
            || matches!(name, "--sort" | "--count" | "--merged" | "--no-merged" | "-l" | "--list" | "-r")
    };
    let (formatted, rest): (Vec<&str>, Vec<&str>) = words.iter().skip(1).partition(|word| format(word));
    command.program.as_deref() == Some("git")
        && command.assignments.is_empty()
        && command.own.is_harmless()
        && command.arguments.iter().all(|word| word.literal)
        && rest.iter().all(|word| chooses(word))
        && match words.first().copied() {
            Some("for-each-ref" | "branch") => !formatted.is_empty(),
            Some("tag") => true,
            _ => false,
        }
}

/// What makes a list shorter, or sorts it.
fn shortens(command: &Command) -> bool {
    let plain = |word: &Argument| {
        word.literal && (word.text.starts_with('-') || word.text.bytes().all(|byte| byte.is_ascii_digit()))
    };
    command.placement == Placement::Piped
        && matches!(command.program.as_deref(), Some("head" | "tail" | "sort"))
        && command.arguments.iter().all(|word| plain(word) && !word.text.starts_with("--"))
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
