//! Where a request holds (SPEC C17): what it takes out, the environment it speaks of, and whether it stays on this machine.

use portcullis_decide::detect::{Category, Finding};
use portcullis_decide::view::View;
use portcullis_shell::Command;

use super::granted::{RUNS, command_of, deeds, is_within, names_all};
use super::requests::is_asked;
use super::target::{self, is_plain};
use super::words::names;

/// Verbs that are about the noun that follows them; elsewhere people name what they work on and not what is done to.
fn leading_verbs(category: Category) -> &'static [&'static str] {
    match category {
        Category::CloudStorageDelete
        | Category::GitDestructive
        | Category::LocalDestruction
        | Category::OtherProcesses
        | Category::DiscardWork => deeds(category),
        Category::SharedResource => &["delete", "release", "close", "clear", "flush"],
        Category::ExternalWrite | Category::BypassReview => &["remove", "delete", "close", "merge"],
        Category::ProductionDeploy => &["apply", "roll back", "rollback", "push"],
        Category::PushDefaultBranch
        | Category::RemoteShellWrite
        | Category::BlindPatch
        | Category::GrantPermissions
        | Category::WeakenTlsAuth
        | Category::DisableSecurity
        | Category::BroadAgent
        | Category::ExposeService
        | Category::CredentialSearch
        | Category::Persistence
        | Category::Impersonation
        | Category::RealWorldTransaction
        | Category::SupplyChain
        | Category::RunDownloadedCode
        | Category::LogTampering
        | Category::RemoteExecSurface
        | Category::CredentialLeak
        | Category::Exfiltration
        | Category::SelfModification => &[],
    }
}

/// Whether a sentence names every target as what the deed is done to, and the deed is done there.
pub(super) fn is_meant(
    clauses: &[String],
    said: &str,
    finding: &Finding,
    view: &View,
    root: &str,
    own: &[&str],
) -> bool {
    let meant = meant(said);
    if finding.category() == Category::PushDefaultBranch {
        return names_all(meant, finding, root)
            && clauses.iter().any(|clause| is_pushed_there(clause, finding, root));
    }
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let within = |command: &&Command| finding.span.is_some_and(|span| is_within(span, command.span));
    let found = command_of(finding, view).or_else(|| commands.into_iter().find(within));
    let Some(command) = found else { return names_all(meant, finding, root) };
    let step = finding.steps.last().and_then(|step| step.split('-').next());
    let leading = leading_verbs(finding.category()).iter().chain(own).copied();
    let verbs: Vec<&str> = leading.chain(step).map(str::trim).collect();
    let asked: Vec<(&str, &str)> = clauses.iter().flat_map(|clause| asked_places(clause, &verbs)).collect();
    // Who empties a thing keeps it.
    let keeps = |verb: &str| verb == "empty" && !target::only_empties(command);
    let about = |(verb, rest): &(&str, &str)| !keeps(verb) && target::fits(rest, said, finding, command);
    let named = if asked.is_empty() {
        names_all(meant, finding, root)
    } else {
        names_all(&own_part(clauses, &verbs, finding), finding, root) && asked.iter().any(about)
    };
    named && is_here(said, finding, command, &view.line) && is_kind(said, finding, command)
}

/// Where a clause asks for one of the verbs: the verb, and what follows it.
fn asked_places<'a>(clause: &'a str, verbs: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    let places = verbs.iter().flat_map(|verb| clause.match_indices(*verb));
    let asked = places.filter(|(at, _)| is_asked(clause, *at));
    asked.filter_map(|(at, verb)| Some((verb, after_word(clause.get(at..)?)))).collect()
}

/// What follows the word that the text begins with.
pub(super) fn after_word(text: &str) -> &str {
    let text = text.strip_prefix("roll back").unwrap_or(text);
    let end = text.find(|it: char| !(it.is_alphanumeric() || it == '-')).unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}

/// Words of a part that names what is left alone.
const STAYS: &[&str] = &["stays", "stay", "remains", "remain", "kept", "keep", "untouched"];

/// The parts of the clauses that the deed is about: a part that begins with another verb is not.
fn own_part(clauses: &[String], verbs: &[&str], finding: &Finding) -> String {
    let mut kept = String::new();
    let mut own = true;
    let all = clauses.iter().flat_map(|clause| clause.split(" and ").flat_map(|part| part.split(" or ")));
    for part in all {
        let mut words = part.split_whitespace();
        let acts = words.any(|word| verbs.iter().chain(RUNS).any(|verb| word.starts_with(verb)));
        own = acts || (own && (kept.is_empty() || is_plain(part, &finding.targets)));
        if own && !STAYS.iter().any(|word| names(part, word)) {
            kept.push_str(meant(part));
            kept.push(' ');
        }
    }
    kept
}

/// Whether a clause asks to bring something to the targets: they are named behind the verb, and what is merged is not
/// where it is merged into.
fn is_pushed_there(clause: &str, finding: &Finding, root: &str) -> bool {
    let verbs = deeds(finding.category());
    let ends = [" and ", " then ", " so ", " from ", " that ", " what ", " (", " for "];
    asked_places(clause, verbs).into_iter().any(|(verb, rest)| {
        let end = ends.iter().filter_map(|join| rest.find(join)).min();
        let part = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
        let goals = [" into ", " to ", " onto ", " in "].iter().filter_map(|word| part.find(word));
        let goal = goals.min().and_then(|at| part.get(at..));
        // A number is what is merged, a name is where to.
        let numbered = finding.targets.iter().any(|target| target.chars().all(|it| it.is_ascii_digit()));
        let elsewhere = numbered && part.contains(" into ") && !names(part, "main") && !names(part, "master");
        let part = if verb.ends_with("merge") && !numbered { goal.unwrap_or_default() } else { part };
        !elsewhere && names_all(part, finding, root)
    })
}

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
    " next to ",
    " listed in ",
    " contains ",
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
        finding.category(),
        Category::CloudStorageDelete | Category::ProductionDeploy | Category::SharedResource
    );
    let elsewhere = shared && is_milder(said, &line);
    let pushes = command.arguments.iter().any(|word| word.text == "push");
    let local = ["local", "locally", "my machine", "this machine"].iter().any(|word| names(said, word));
    let far = ["remote", "origin", "remotely", "both", "server"].iter().any(|word| names(said, word));
    let stays = finding.category() == Category::GitDestructive && pushes && local && !far;
    !elsewhere && !stays
}

/// Whether the sentence speaks of a place where mistakes cost little, and the line does not name it.
pub(super) fn is_milder(said: &str, line: &str) -> bool {
    MILD.iter().any(|place| {
        let told =
            ["in ", "on ", "to ", "from ", "the "].iter().any(|to| names(said, &format!("{to}{place}")));
        told && !line.contains(place)
    })
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
fn is_kind(said: &str, finding: &Finding, command: &Command) -> bool {
    let holds = |verbs: &[&str]| command.arguments.iter().any(|word| verbs.contains(&word.text.as_str()));
    finding.category() != Category::OtherProcesses
        || KINDS.iter().all(|(verbs, words)| !holds(verbs) || words.iter().any(|word| names(said, word)))
}
