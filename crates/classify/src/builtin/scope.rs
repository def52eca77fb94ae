//! Where a request holds (SPEC C17): what it takes out, the environment it speaks of, and whether it stays on this machine.

use portcullis_decide::{Category, Finding};
use portcullis_shell::Command;

use super::words::names;

/// Words after which something is named that is not meant, or only as what something else is measured by.
const BESIDES: &[&str] = &[
    " except ",
    " but not ",
    " but ",
    " other than ",
    " apart from ",
    " besides ",
    " excluding ",
    " merged into ",
    " behind ",
    " ahead of ",
    " based on ",
    " against ",
    " not ",
    " similar to ",
    " so that ",
    " stays ",
    " stay ",
];

/// The part of a sentence that names what is meant.
pub(super) fn meant(said: &str) -> &str {
    let end = BESIDES.iter().filter_map(|word| said.find(word)).min();
    end.and_then(|end| said.get(..end)).unwrap_or(said)
}

/// Names of places where mistakes cost little: who names one does not speak of another.
const MILD: &[&str] = &[
    "staging",
    "stage",
    "dev",
    "development",
    "test",
    "testing",
    "qa",
    "sandbox",
    "lab",
    "preview",
    "preprod",
    "uat",
];

/// Whether the command goes where the sentence says. Where the command does not tell, nobody knows.
pub(super) fn is_here(said: &str, finding: &Finding, command: &Command, line: &str) -> bool {
    let line = line.to_lowercase();
    let shared = matches!(
        finding.category,
        Category::CloudStorageDelete | Category::ProductionDeploy | Category::SharedResource
    );
    let elsewhere = shared
        && MILD.iter().any(|place| {
            let told =
                ["in ", "on ", "to ", "from ", "the "].iter().any(|to| names(said, &format!("{to}{place}")));
            told && !line.contains(place)
        });
    let pushes = command.arguments.iter().any(|word| word.text == "push");
    let local = ["local", "locally", "my machine", "this machine"].iter().any(|word| names(said, word));
    let far = ["remote", "origin", "remotely", "both", "server"].iter().any(|word| names(said, word));
    let stays = finding.category == Category::GitDestructive && pushes && local && !far;
    !elsewhere && !stays
}

/// Sub-commands that are not each other's like, and the words that ask for them.
const KINDS: &[(&[&str], &[&str])] = &[
    (
        &["stop", "kill", "disable", "mask"],
        &["stop", "kill", "terminate", "end", "shut", "halt", "close", "cancel", "disable", "mask", "signal"],
    ),
    (&["restart", "reload"], &["restart", "reload", "bounce", "reboot"]),
];

/// Whether the sub-command is what the sentence asks for: who wants a restart does not want a stop.
pub(super) fn is_kind(said: &str, finding: &Finding, command: &Command) -> bool {
    let holds = |verbs: &[&str]| command.arguments.iter().any(|word| verbs.contains(&word.text.as_str()));
    finding.category != Category::OtherProcesses
        || KINDS.iter().all(|(verbs, words)| !holds(verbs) || words.iter().any(|word| names(said, word)))
}

/// The part of a clause in which a push says where it goes: up to the next thing to be done.
pub(super) fn push_part(clause: &str, at: usize) -> &str {
    let rest = clause.get(at..).unwrap_or_default();
    let end = [" and ", " then ", " so "].iter().filter_map(|join| rest.find(join)).min();
    end.and_then(|end| rest.get(..end)).unwrap_or(rest)
}
