//! How a command does what it does, and whether the user said so (SPEC C17): its options, the variables it is given
//! and the rights it runs with. What was not said was not asked for.

use portcullis_shell::{Command, Effects, Reading};

use super::words::names;

/// Options that leave the deed as it is: how much is told, that nobody is asked again, which branch is followed.
const MILD: &[&str] = &[
    "-q",
    "--quiet",
    "-v",
    "--verbose",
    "-y",
    "--yes",
    "--assume-yes",
    "--auto-approve",
    "-auto-approve",
    "--no-wall",
    "--json",
    "-u",
    "--set-upstream",
    "--progress",
    "--no-progress",
    "--color",
    "--no-color",
    "--wait",
    "--no-input",
    "-m",
    "--message",
    "--title",
    "--body",
    "--notes",
    "--timeout",
    "--non-interactive",
    "--no-interactive",
    "--silent",
    "--help",
    "--dry-run",
];

/// Options that are the deed itself, and the words that ask for it.
const DEEDS: &[(&[&str], &[&str])] = &[
    (&["-f", "--force", "--force-with-lease"], &["force", "forced", "force-push", "overwrite", "erzwinge"]),
    (
        &["-d", "-D", "--delete", "--remove", "-r", "-R", "-rf", "-fr", "-Rf", "-f", "--recursive"],
        &[
            "delete", "remove", "drop", "prune", "clean", "wipe", "lösche", "löschen", "borra", "supprime",
            "删除",
        ],
    ),
    (&["--hard", "-fd", "-df", "-fdx", "-xdf", "-f", "--force"], &["discard", "throw", "clean", "untracked"]),
    (&["--hard"], &["reset", "drop", "revert"]),
    (&["--no-verify", "-n"], &["skip", "skipped", "no-verify", "hook", "hooks"]),
    (&["--squash", "--rebase", "--merge"], &["merge", "squash", "rebase", "land"]),
    (&["--privileged"], &["privileged"]),
    (
        &["-9", "-KILL", "-TERM", "-15", "-SIGKILL", "-SIGTERM", "-INT", "-SIGINT"],
        &["kill", "terminate", "stop", "end", "close"],
    ),
    (&["-D", "-g", "--save", "--save-dev", "--dev"], &["dev", "development", "global", "globally"]),
];

/// Endings of options that say which thing is meant; the thing itself has to be named.
const NAMING: &[&str] = &[
    "name",
    "names",
    "id",
    "ids",
    "arn",
    "file",
    "filename",
    "port",
    "host",
    "hostname",
    "user",
    "username",
    "namespace",
    "inventory",
    "owner",
    "app",
    "tag",
    "tcp",
    "repository",
    "repo",
    "stack",
    "group",
    "cluster",
    "region",
    "zone",
    "project",
    "location",
    "branch",
    "service",
    "database",
    "environment",
    "label",
    "registry",
    "url",
    "prefix",
    "otp",
    "password",
    "access",
    "signal",
    "bucket",
    "key",
    "account",
    "profile",
    "context",
    "head",
    "base",
    "identifier",
    "topic",
    "queue",
    "table",
    "image",
    "kustomize",
    "assignee",
    "reviewer",
    "milestone",
    "role",
];

/// Whether everything about the command that matters was said.
pub(super) fn is_said(command: &Command, said: &str) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    let rights = !command.own.meets(Effects::PRIVILEGE) || names(said, program);
    let variables =
        command.assignments.iter().all(|(_, value)| value.literal && names(said, &value.text.to_lowercase()));
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let mut options =
        words.iter().enumerate().take_while(|(_, word)| **word != "--").filter(|(_, word)| word.len() > 1);
    rights
        && variables
        && options.all(|(index, word)| {
            !word.starts_with('-') || is_option_said(program, word, words.get(index + 1).copied(), said)
        })
}

fn is_option_said(program: &str, word: &str, next: Option<&str>, said: &str) -> bool {
    let (option, own) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
    let value_said = |value: &str| names(said, &value.to_lowercase());
    let lower = option.to_lowercase();
    let bare = lower.trim_start_matches('-');
    // One letter means something else where it is large.
    let spelled = (lower == option || option.starts_with("--")) && names(said, &lower);
    let told = spelled
        || (option.starts_with("--") && bare.len() > 2 && bare.split('-').all(|part| says(said, part)));
    let deed = DEEDS
        .iter()
        .any(|(options, words)| options.contains(&option) && words.iter().any(|word| names(said, word)));
    if told || deed || MILD.contains(&option) {
        return own.is_none_or(|value| MILD.contains(&option) || value_said(value));
    }
    let short = matches!((program, option), ("kubectl" | "helm" | "oc", "-n" | "-f" | "-c" | "-l"));
    let naming = option.starts_with("--") && bare.rsplit('-').next().is_some_and(|end| NAMING.contains(&end));
    (short || naming) && own.or(next).is_some_and(value_said)
}

/// Whether a word is said, in whatever form: `--force` by "forcing".
fn says(said: &str, word: &str) -> bool {
    let stem = if word.len() < 5 { None } else { word.get(..word.len() - 1) };
    let mut words = said.split(|it: char| !it.is_alphanumeric());
    words.any(|it| stem.map_or(it == word, |stem| it.starts_with(stem)))
}

/// Whether every option that was said is there: one that is left out may be what kept the deed small.
pub(super) fn narrows_nothing(said: &str, reading: &Reading) -> bool {
    let mut options =
        said.split_whitespace().map(|word| word.trim_matches(|it: char| "\"'`,;:.!?()".contains(it)));
    options.all(|option| {
        let named = option.trim_start_matches('-').starts_with(char::is_alphabetic);
        let mut words = reading.commands.iter().flat_map(|command| &command.arguments);
        !option.starts_with('-') || !named || words.any(|word| word.text.to_lowercase() == option)
    })
}
