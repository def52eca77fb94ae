//! Deny and ask rules against options that stand before and between sub-commands (SPEC R5): `aws --profile x s3 rm` is
//! `aws s3 rm`.
//!
//! Where the reader knows the sub-commands of a program, it has said which words they are. Of other programs it is
//! only seen which words are options: the word behind one may be its value or the next sub-command, so both are
//! thought of. This makes guarding rules wider and never serves a rule that allows.

use portcullis_shell::{Argument, Command};

use crate::glob::Match;
use crate::rules::{Pattern, Words};

/// Options of programs without described sub-commands that surely take the next word.
const TAKES_WORD: &[(&str, &[&str])] = &[
    (
        "aws",
        &[
            "--profile",
            "--region",
            "--output",
            "--query",
            "--endpoint-url",
            "--color",
            "--ca-bundle",
            "--cli-read-timeout",
            "--cli-connect-timeout",
            "--cli-binary-format",
        ],
    ),
    (
        "gcloud",
        &[
            "--project",
            "--account",
            "--configuration",
            "--format",
            "--filter",
            "--verbosity",
            "--impersonate-service-account",
            "--access-token-file",
            "--billing-project",
            "--flags-file",
            "--flatten",
            "--trace-token",
            "--region",
            "--zone",
        ],
    ),
    ("az", &["--subscription", "--output", "-o", "--query", "--resource-group", "-g", "--name", "-n"]),
    ("oci", &["--profile", "--config-file", "--region", "--endpoint", "--auth", "--output", "--query"]),
    ("mc", &["--config-dir", "-C", "--resolve", "--limit-upload", "--limit-download"]),
    ("s3cmd", &["-c", "--config", "--access_key", "--secret_key", "--access_token", "--host", "--region"]),
    ("scw", &["-p", "--profile", "-c", "--config", "-o", "--output"]),
];

/// Words before the sub-commands that choose a version of the program and mean nothing else.
const STAGES: &[(&str, &[&str])] = &[("gcloud", &["alpha", "beta", "preview"])];

fn listed(table: &[(&str, &[&str])], program: &str, word: &str) -> bool {
    table.iter().any(|(name, words)| *name == program && words.contains(&word))
}

/// Whether the rule means the command once options, and what may be their values, are left out. Surely where only
/// options and values of known ones were, perhaps otherwise.
pub(crate) fn matches(pattern: &Pattern, command: &Command, lower: bool) -> Match {
    let Some(program) = command.program.as_deref() else { return Match::No };
    let toolchain = command.arguments.first().is_some_and(|word| word.text.starts_with('+'));
    let wanted: Vec<&str> = pattern.leading().iter().skip(1).map(String::as_str).collect();
    let described = !command.verbs.is_empty() && !toolchain;
    // A word behind the sub-commands may be the value of an option.
    let most = if described { Match::Unclear } else { Match::Yes };
    if described && wanted.len() <= command.verbs.len() {
        return Match::No;
    }
    if wanted.is_empty() || wanted.iter().any(|word| word.starts_with('-')) {
        return Match::No;
    }
    let Some((taken, end, sure)) = walk(program, &command.arguments, &wanted) else { return Match::No };
    let rest = command.arguments.get(end..).unwrap_or_default();
    // What a wildcard runs into may stand behind further options.
    let found =
        std::iter::once((0, Match::Yes)).chain(leading_options(program, rest)).map(|(skip, known)| {
            let mut words = Words::of(program, taken.iter().copied().chain(rest.iter().skip(skip)));
            if lower {
                words.lower();
            }
            pattern.matches(&words).min(known)
        });
    found.max().unwrap_or(Match::No).min(sure).min(most)
}

/// How many words may be left out because they are options and their values, and whether they surely are.
fn leading_options(program: &str, words: &[Argument]) -> Vec<(usize, Match)> {
    let (mut found, mut sure) = (Vec::new(), Match::Yes);
    let mut option: Option<&str> = None;
    for (index, word) in words.iter().enumerate() {
        let before = option.take();
        let value = before.is_some_and(|name| listed(TAKES_WORD, program, name));
        if word.text.starts_with('-') && !value {
            option = Some(word.text.as_str()).filter(|text| !text.contains('='));
        } else if before.is_none() {
            break;
        } else if !value {
            sure = Match::Unclear;
        }
        found.push((index + 1, sure));
    }
    found
}

/// The words that spell what is wanted, where they end, and whether all between them surely is no sub-command.
fn walk<'c>(
    program: &str,
    arguments: &'c [Argument],
    wanted: &[&str],
) -> Option<(Vec<&'c Argument>, usize, Match)> {
    let mut left = wanted.iter();
    let mut next = left.next()?;
    let (mut taken, mut sure) = (Vec::new(), Match::Yes);
    // The option before, if its value may follow.
    let mut option: Option<&str> = None;
    for (index, word) in arguments.iter().enumerate() {
        let text = word.text.as_str();
        let before = option.take();
        let value = before.is_some_and(|name| listed(TAKES_WORD, program, name));
        if text.starts_with('-') && !value {
            option = Some(text).filter(|text| !text.contains('='));
        } else if !value && (text.eq_ignore_ascii_case(next) || (!word.literal && before.is_none())) {
            if !word.literal {
                sure = Match::Unclear;
            }
            taken.push(word);
            match left.next() {
                Some(further) => next = further,
                None => return Some((taken, index + 1, sure)),
            }
        } else if before.is_some() {
            if !value {
                sure = Match::Unclear;
            }
        } else if !(taken.is_empty()
            && (listed(STAGES, program, text) || (index == 0 && text.starts_with('+'))))
        {
            return None;
        }
    }
    None
}
