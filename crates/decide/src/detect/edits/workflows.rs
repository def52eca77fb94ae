//! Edits of workflows of CI: text of strangers that is run, actions of strangers, secrets that are sent.

use portcullis_shell::known_programs;

use super::steps;
use crate::detect::{Finding, detectors};

/// Owners of actions that are in common use.
const OWNERS: &[&str] = &[
    "actions",
    "github",
    "docker",
    "aws-actions",
    "azure",
    "google-github-actions",
    "hashicorp",
    "codecov",
    "dtolnay",
    "swatinem",
    "taiki-e",
    "pnpm",
    "astral-sh",
    "ruby",
    "gradle",
    "golangci",
    "goreleaser",
    "denoland",
    "oven-sh",
    "cypress-io",
    "softprops",
    "peaceiris",
    "peter-evans",
    "pypa",
    "pre-commit",
    "sigstore",
    "changesets",
    "googleapis",
    "cloudflare",
];

/// What a workflow gains that gives strangers something.
pub(super) fn gained(old: &str, new: &str, path: &str) -> Option<Finding> {
    let known: Vec<&str> = old.lines().map(str::trim).collect();
    let added = || new.lines().map(str::trim).filter(|line| !line.starts_with('#') && !known.contains(line));
    let run = steps::of(new, path);
    // A part of a step does not show what it belongs to, but begins with a program.
    let begins = |line: &&str| {
        let first = line.split_whitespace().next().unwrap_or_default();
        first.starts_with("./") || known_programs().binary_search(&first).is_ok()
    };
    let mut run = run.iter().flat_map(|step| step.lines()).chain(added().filter(begins));
    let foreign = added().any(holds_foreign_value);
    if run.any(|line| !old.contains(line.trim()) && (holds_foreign_value(line) || (foreign && obeys(line))))
        || added().any(runs_strangers_text)
    {
        return Some(Finding::by(&detectors::SCRIPT_INJECTION));
    }
    if added().any(sends_secret) {
        return Some(Finding::by(&detectors::CI_SECRET_SENT));
    }
    let before: Vec<(&str, &str)> = old.lines().filter_map(action).collect();
    let after: Vec<(&str, &str)> = new.lines().filter_map(action).collect();
    // A further action is ordinary work; one in the place of another, or one that changes by itself, is not.
    let gone = before.iter().any(|(name, _)| !after.iter().any(|(kept, _)| kept == name));
    let strange = after.iter().find(|(name, version)| {
        let moving = matches!(*version, "main" | "master");
        match before.iter().find(|(known, _)| known == name) {
            Some((_, known)) => moving && known != version,
            None => is_strange(name) && (moving || (gone && !is_hash(version))),
        }
    });
    strange.map(|(name, _)| Finding::by(&detectors::UNTRUSTED_ACTION).about(name))
}

/// The name and the version of the action that a line uses.
fn action(line: &str) -> Option<(&str, &str)> {
    let used = line.trim().trim_start_matches("- ").strip_prefix("uses:")?;
    let used = used.split('#').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    used.split_once('@')
}

pub(super) fn is_strange(name: &str) -> bool {
    let owner = name.split('/').next().unwrap_or_default().to_ascii_lowercase();
    !name.starts_with("./") && !OWNERS.contains(&owner.as_str())
}

fn is_hash(version: &str) -> bool {
    version.len() == 40 && version.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a line that is run holds what anybody can choose: a title, a text, the name of a branch.
fn runs_strangers_text(line: &str) -> bool {
    const CHOSEN: &[&str] = &[
        ".title",
        ".body",
        ".message",
        ".head.ref",
        ".head_branch",
        ".label",
        ".email",
        ".page_name",
        ".description",
    ];
    let line = line.trim_start_matches("- ");
    let (key, _) = line.split_once(':').unwrap_or(("", line));
    let named =
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let run = !named || matches!(key, "run" | "script");
    let mut expressions = line.split("${{").skip(1).map(|rest| rest.split("}}").next().unwrap_or_default());
    run && expressions.any(|inside| {
        inside.contains("github.head_ref")
            || (inside.contains("github.event.") && CHOSEN.iter().any(|part| inside.contains(part)))
    })
}

/// Whether a line runs what a variable holds.
fn obeys(line: &str) -> bool {
    // `eval "$(ssh-agent)"` runs what a program prints.
    let behind =
        ["eval $", "eval \"$", "sh -c $", "sh -c \"$"].iter().flat_map(|words| line.split(words).skip(1));
    behind.into_iter().any(|rest| !rest.starts_with('('))
}

/// Whether a line that is run holds what an event or whoever starts the workflow brings, other than numbers and hashes:
/// it is put in before a shell reads the line.
fn holds_foreign_value(line: &str) -> bool {
    const PLAIN: &[&str] = &[".number", ".id", ".sha", ".before", ".after", ".draft", ".merged", ".action"];
    let line = line.to_lowercase().replace("['", ".").replace("']", "");
    let expressions = line.split("${{").skip(1).map(|rest| rest.split("}}").next().unwrap_or_default());
    let mut names = expressions
        .flat_map(|inside| inside.split(|it: char| !(it.is_alphanumeric() || matches!(it, '.' | '_' | '-'))));
    names.any(|name| {
        let foreign = name.starts_with("github.event") && !name.starts_with("github.event_");
        (foreign || name.starts_with("inputs.") || matches!(name, "github.head_ref" | "github"))
            && !PLAIN.iter().any(|end| name.ends_with(end))
    })
}

/// Whether a secret is more than the key to where a request goes.
fn sends_secret(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.contains("secrets.")
        && lower.contains("curl ")
        && !lower.contains("authorization")
        && !lower.contains("token:")
}
