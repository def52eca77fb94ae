//! Whether the user asked for exactly this (SPEC C17): the deed and every target, in a human's own words.

use portcullis_decide::{Category, Finding, Severity};
use portcullis_shell::Reading;

use super::words::{Mood, names, sentences};
use crate::transcript::Transcript;

/// Words with which people ask for a deed of each kind.
const fn deeds(category: Category) -> &'static [&'static str] {
    match category {
        Category::GitDestructive | Category::CloudStorageDelete => &[
            "delete", "remove", "drop", "force", "empty", "mirror", "destroy", "lösch", "entfern", "borra",
            "elimina", "supprime", "删除",
        ],
        Category::PushDefaultBranch => &["push", "merge", "land"],
        Category::ProductionDeploy => &[
            "deploy",
            "roll out",
            "roll it out",
            "rollout",
            "apply",
            "promote",
            "release",
            "publish",
            "roll back",
            "rollback",
            "ship",
            "try it in",
        ],
        Category::RemoteShellWrite => &["restart", "run ", "copy", "install", "update", "start"],
        Category::BlindPatch => &["apply", "check it out", "check out", "run "],
        Category::GrantPermissions => &["give", "grant", "share", "add ", "invite", "make "],
        Category::WeakenTlsAuth => &["allow", "disable", "skip", "turn off", "ignore"],
        Category::DisableSecurity => &["disable", "turn off", "switch off", "stub", "allow"],
        Category::BroadAgent => &["agent", "have ", "start"],
        Category::OtherProcesses => &["stop", "kill", "restart", "close", "cancel", "end "],
        Category::SharedResource => {
            &["set ", "change", "update", "delete", "release", "close", "clear", "flush"]
        }
        Category::LocalDestruction => {
            &["delete", "remove", "clean", "wipe", "can go", "prune", "lösch", "borra", "supprime"]
        }
        Category::ExposeService => &["tunnel", "expose", "public url", "open "],
        Category::CredentialSearch => &["use ", "read ", "show "],
        Category::Persistence => &["set up", "install", "add ", "create", "write"],
        Category::ExternalWrite => &[
            "post", "send", "comment", "add ", "move", "tell", "create", "open ", "update", "write", "reply",
            "publish",
        ],
        Category::Impersonation => &["sign", "write"],
        Category::RealWorldTransaction => {
            &["buy", "book", "order", "pay", "reserva", "bestell", "kauf", "purchase"]
        }
        Category::BypassReview => &["skip", "skipped", "update", "approve", "merge", "no-verify"],
        Category::DiscardWork => {
            &["discard", "remove", "throw", "reset", "take theirs", "revert", "drop", "restore"]
        }
        Category::SupplyChain => &["set ", "use ", "add ", "install", "point"],
        Category::RunDownloadedCode
        | Category::LogTampering
        | Category::RemoteExecSurface
        | Category::CredentialLeak
        | Category::Exfiltration
        | Category::SelfModification => &[],
    }
}

/// Parts of names that people leave out.
const UNSAID: &[&str] = &[
    "origin",
    "refs",
    "heads",
    "tags",
    "repos",
    "collaborators",
    "https:",
    "http:",
    "",
    ".",
    "..",
    "home",
    "api",
    "HEAD",
    "~",
    "users",
    "github.com",
    "head",
];

/// Whether the last thing a person said asks for exactly this deed.
pub(super) fn is_given(finding: &Finding, transcript: &Transcript, root: &str) -> bool {
    if finding.severity == Severity::Hard {
        return false;
    }
    let Some(turn) = transcript.human_turns().last() else { return false };
    let asked = sentences(turn).any(|(mood, sentence)| {
        mood == Mood::Request && deeds(finding.category).iter().any(|deed| sentence.contains(deed))
    });
    asked && names_all(&turn.to_lowercase(), finding, root)
}

/// Whether the last thing a person said spells out the whole command line, or every word of it that matters.
pub(super) fn spells_out(line: &str, reading: Option<&Reading>, transcript: &Transcript) -> bool {
    let Some(turn) = transcript.human_turns().last() else { return false };
    let requests: Vec<String> =
        sentences(turn).filter(|(mood, _)| *mood == Mood::Request).map(|(_, sentence)| sentence).collect();
    let (lower, line) = (turn.to_lowercase(), line.trim().to_lowercase());
    let verbatim = line.len() >= 5 && lower.contains(&line) && !requests.is_empty();
    let Some(reading) = reading.filter(|reading| reading.unclear.is_empty() && !requests.is_empty()) else {
        return verbatim;
    };
    let all: String = requests.join(" ");
    verbatim
        || reading.commands.iter().all(|command| {
            let mut words = command.arguments.iter().filter(|word| !word.text.starts_with('-')).peekable();
            let program = command.program.as_deref().unwrap_or_default();
            let names_program = names(&all, program) || names(&all, "install") || names(&all, "add");
            words.peek().is_some()
                && names_program
                && words.all(|word| word.literal && names(&all, &word.text.to_lowercase()))
        })
}

/// Whether the turn names every target, and at least one.
fn names_all(turn: &str, finding: &Finding, root: &str) -> bool {
    let mut named = 0_usize;
    for target in &finding.targets {
        let target = target.strip_prefix(root).unwrap_or(target).trim_start_matches('/').to_lowercase();
        if names(turn, &target) {
            named += 1;
            continue;
        }
        // A value counts, not the name it is given to; of a path every part that is not left out.
        let value = target.split_once('=').map_or(target.as_str(), |(_, value)| value);
        for part in value.split(['/', ':']) {
            if UNSAID.contains(&part) {
                continue;
            }
            if !names(turn, part) {
                return false;
            }
            named += 1;
        }
    }
    named > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(category: Category, targets: &[&str], said: &str) -> bool {
        let mut transcript = Transcript::default();
        transcript.push_human(said);
        let finding = Finding {
            category,
            severity: Severity::Soft,
            certain: true,
            what: String::new(),
            span: None,
            targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        };
        is_given(&finding, &transcript, "/p")
    }

    /// [C17]
    #[test]
    fn consent_names_the_deed_and_every_target() {
        let push = Category::PushDefaultBranch;
        assert!(given(push, &["origin", "main"], "Fix the typo and push it to main."));
        assert!(!given(push, &["origin", "main"], "Fix the typo."));
        assert!(!given(push, &["origin", "main"], "Should I push to main?"));
        assert!(!given(push, &["origin", "main"], "Do not push to main."));
        assert!(!given(push, &["origin", "release"], "Push it to main."));
        let delete = Category::GitDestructive;
        assert!(given(delete, &["origin", "a/x", "a/y"], "Delete a/x and a/y on origin, please."));
        assert!(!given(delete, &["origin", "a/x", "a/y", "a/z"], "Delete a/x and a/y on origin, please."));
        assert!(!given(delete, &["origin"], "Delete the old ones."));
        assert!(given(delete, &["refs/heads/old/login"], "Delete login, the branch below old."));
        assert!(!given(delete, &["refs/heads/old/login"], "Delete the old branch."));
    }
}
