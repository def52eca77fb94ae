//! Actions in a prompt on what others use as well: clusters and buckets, alerts, rights, money, releases.

use super::BREAKS;
use super::phrase::{Phrase, first_word, object_in, phrases, words};
use super::tasks;
use crate::detect::{Finding, detectors};

/// Words before an action that leave it one.
const LEADS: &[&str] = &[
    "please",
    "then",
    "now",
    "next",
    "also",
    "finally",
    "you",
    "must",
    "should",
    "could",
    "can",
    "i",
    "need",
    "want",
    "to",
    "make",
    "sure",
    "your",
    "job",
    "is",
    "task",
    "go",
    "ahead",
    "and",
    "just",
    "finish",
    "up",
    "by",
    "description",
    "prompt",
    "first",
    "afterwards",
    "lastly",
    "we",
    "it",
    "kindly",
    "on",
    "feel",
    "free",
    "remember",
    "be",
    "begin",
    "with",
    "proceed",
    "help",
    "me",
    "try",
    "safely",
    "let",
    "s",
    "immediately",
    "simply",
    "quickly",
];

/// Actions and what they are done to: the first word of a clause that is no lead, and one behind it.
const ACTIONS: &[(&[&str], &[&str])] = &[
    (
        &[
            "delete",
            "remove",
            "truncate",
            "terminate",
            "destroy",
            "purge",
            "drop",
            "refund",
            "ship",
            "merge",
            "release",
            "roll",
            "empty",
            "tear",
            "teardown",
            "nuke",
            "wipe",
            "kill",
            "evict",
            "drain",
            "blow",
            "clean",
            "clear",
            "flush",
            "reset",
            "scale",
            "shut",
            "stop",
            "take",
            "bring",
            "decommission",
            "retire",
            "restart",
            "reboot",
            "rollback",
            "failover",
            "rotate",
            "halt",
            "suspend",
            "pause",
            "put",
            "rid",
        ],
        &[
            "bucket",
            "buckets",
            "ec2",
            "s3",
            "prod",
            "production",
            "prs",
            "payments",
            "customers",
            "cluster",
            "clusters",
            "staging",
            "qa",
            "preprod",
            "fleet",
            "backups",
            "site",
            "balancer",
        ],
    ),
    (
        &[
            "delete", "remove", "wipe", "purge", "empty", "clean", "clear", "erase", "drop", "prune",
            "truncate", "destroy", "nuke", "trim", "tidy", "shred", "shrink",
        ],
        &[
            "audit",
            "volumes",
            "aws",
            "gcp",
            "azure",
            "k8s",
            "kubernetes",
            "home",
            "disk",
            "drive",
            "usb",
            "traces",
            "cloud",
            "bucket",
            "ebs",
        ],
    ),
    (&["delete", "drop", "wipe", "purge", "clean", "clear", "prune"], &["namespace", "namespaces", "vm"]),
    (&["format"], &["usb", "disk", "drive"]),
    (&["reload"], &["nginx", "apache", "daemon", "services"]),
    (&["prune"], &["images", "containers", "docker", "system"]),
    (
        &["restart", "stop", "bounce", "cycle", "kill", "halt", "reboot", "shut"],
        &[
            "service", "services", "servers", "daemon", "nginx", "apache", "postgres", "mysql", "redis",
            "machine", "host", "hosts", "dynos", "database", "boxes", "pod", "node",
        ],
    ),
    (&["kill", "end", "stop", "terminate"], &["processes", "everything"]),
    (
        &["discard", "throw", "revert", "undo", "ditch", "abandon", "reset", "drop"],
        &["everything", "repo", "repository", "worktree", "stash"],
    ),
    (&["merge", "approve", "close", "accept"], &["pr", "mr", "prs", "mrs", "issue", "ticket", "merge"]),
    (&["turn", "shut", "deactivate", "suspend", "skip"], &["gate", "sandbox", "guardrails", "approvals"]),
    (&["switch"], &["gate", "guardrails"]),
    (
        &["tear", "teardown", "nuke", "blow", "decommission", "destroy", "terminate", "rid"],
        &[
            "namespace",
            "namespaces",
            "environment",
            "environments",
            "stack",
            "vpc",
            "pool",
            "server",
            "vm",
            "database",
            "db",
            "infrastructure",
            "deployment",
            "account",
            "accounts",
            "repo",
            "repository",
        ],
    ),
    (
        &["kill", "evict", "delete", "drain", "terminate", "stop", "shut", "reboot", "restart", "take"],
        &["pods", "nodes", "instances", "servers", "vms"],
    ),
    (
        &["silence", "mute", "pause", "snooze", "suppress", "switch", "lower", "stop", "open", "shut"],
        &["alerts", "alerting", "monitoring", "pager", "alarms", "waf", "firewall", "paging"],
    ),
    (&["grant", "revoke", "give", "hand"], &["access", "rights", "permissions", "privileges", "admin"]),
    (&["invite"], &["org", "organization", "team", "repo", "repository", "workspace", "channel", "project"]),
    (&["remove", "delete", "kick", "ban", "lock"], &["org", "organization", "everyone", "everybody"]),
    (
        &["post", "announce", "message", "tell", "broadcast", "ping"],
        &["slack", "team", "customers", "channel", "twitter", "everyone", "everybody", "discord"],
    ),
    (&["tweet"], &["about", "that", "the", "a"]),
    (&["cut", "tag", "promote"], &["release", "live", "customers", "prod", "production"]),
    (&["charge", "refund", "bill"], &["customers", "customer", "orders", "everyone"]),
    (
        &["close", "merge", "approve", "archive", "transfer"],
        &["issues", "pull", "repository", "repo", "domain", "tickets"],
    ),
    (&["expose", "open"], &["internet", "world", "everyone", "everybody"]),
    (&["point", "switch", "flip"], &["dns"]),
    (&["apply"], &["terraform", "manifests", "prod", "production", "staging"]),
    (&["drop", "truncate"], &["table", "tables", "databases"]),
    (&["failover"], &["database", "db"]),
];

/// Actions that name no part of the code, whatever follows them.
const WHOLE: &[&str] = &["unpublish", "yank"];

/// A clause that tells to take away, to switch off, or to put before everybody, what many use.
pub(in crate::detect) fn of_shared(text: &str) -> Option<Finding> {
    if let Some(sentence) = text.split(['.', '\n', '!', ';']).find(|sentence| blinds(sentence)) {
        return Some(Finding::by(&detectors::PROMPT_DISABLES_GATE).about(sentence.trim()));
    }
    let mut clauses = vec![text];
    for end in BREAKS.iter().chain(&[", ", " and ", " & ", "->", "(", " by ", "forget to "]) {
        clauses = clauses.into_iter().flat_map(|part| part.split(end)).collect();
    }
    let before = std::iter::once("").chain(clauses.iter().copied());
    let action = clauses.iter().zip(before).find_map(|(clause, before)| action_in(clause, before))?;
    Some(Finding::by(&detectors::PROMPT_SHARED_SYSTEM).about(action))
}

/// Whether a whole sentence tells to change the gate so that it looks no longer: the reason is a part of it.
fn blinds(sentence: &str) -> bool {
    // Who is asked is named before it.
    let told = sentence.rsplit_once("): ").map_or(sentence, |(_, told)| told);
    let lead = |word: &str| LEADS.contains(&word);
    first_word(told, lead).is_some_and(|(word, rest)| tasks::blinds_gate(&stem(word), rest))
}

/// What a clause asks for on something that others use; what `it` is may be in the clause before.
fn action_in(clause: &str, before: &str) -> Option<String> {
    let lead = |word: &str| LEADS.contains(&word) || word == "get";
    let (word, rest) = first_word(clause, lead)?;
    // Looked through once: a text may say it any number of times.
    let clause = by_means(word, rest).unwrap_or(clause);
    let (word, rest) = first_word(clause, lead)?;
    let action = stem(word);
    if WHOLE.contains(&action.as_str()) || (action == "push" && words(rest).next().is_none()) {
        return Some(action);
    }
    let whole = || Some(clause.trim().to_owned());
    if gives_rights(&words(clause).collect::<Vec<_>>()) || is_there(clause) {
        return whole();
    }
    let mut about = words(rest);
    let referred = about.next().is_some_and(|word| matches!(word, "it" | "them")) && about.count() <= 1;
    let phrases = phrases(if referred { before } else { rest });
    if tasks::goes_beyond(&action, rest, before, &phrases) {
        return whole();
    }
    if is_made_here(&action, &phrases) || stops_a_bug(&action, &phrases) {
        return None;
    }
    let fits = ACTIONS.iter().filter(|(actions, _)| actions.contains(&action.as_str()));
    let object = fits.map(|(_, objects)| object_in(&phrases, objects)).find_map(|object| object)?;
    Some(format!("{action} … {object}"))
}

/// What a tool that reaches further is to be used for: `use kubectl to delete the namespace`.
fn by_means<'text>(word: &str, rest: &'text str) -> Option<&'text str> {
    const TOOLS: &[&str] =
        &["kubectl", "aws", "gcloud", "az", "terraform", "helm", "docker", "gh", "cli", "console"];
    let (tool, told) = rest.split_once(" to ")?;
    (word == "use" && words(tool).any(|word| TOOLS.contains(&word))).then_some(told)
}

/// What is made of the code: `the production build`.
const MADE: &[&str] = &["build", "builds", "mode", "bundle"];

/// `clean the production build`: it is made here, and goes nowhere.
fn is_made_here(action: &str, phrases: &[Phrase<'_>]) -> bool {
    const ACTIONS: &[&str] = &["clean", "clear", "reset", "remove", "delete", "stop", "empty"];
    ACTIONS.contains(&action) && matches!(phrases, [only] if MADE.contains(&only.noun()))
}

/// `stop the service from leaking memory`, `stop polling the service`
fn stops_a_bug(action: &str, phrases: &[Phrase<'_>]) -> bool {
    let doing = |phrase: &Phrase<'_>| {
        phrase.words().first().is_some_and(|word| word.ends_with("ing") && *word != "everything")
    };
    let [first, rest @ ..] = phrases else { return false };
    let from = rest.first().is_some_and(|next| match next.joiner {
        "from" => doing(next),
        "using" => first.words().is_empty(),
        _ => false,
    });
    action == "stop" && (doing(first) || from)
}

/// The word without the ending of what is being done: `terminating`, `shutting`.
fn stem(word: &str) -> String {
    let Some(stem) = word.strip_suffix("ing").filter(|stem| stem.len() >= 3) else { return word.to_owned() };
    let known =
        |word: &str| ACTIONS.iter().any(|(actions, _)| actions.contains(&word)) || tasks::is_action(word);
    let single = stem.get(..stem.len() - 1).unwrap_or_default();
    let forms = [stem.to_owned(), format!("{stem}e"), single.to_owned()];
    forms.into_iter().find(|form| known(form)).unwrap_or_else(|| word.to_owned())
}

/// Whether somebody is made an administrator: `make bob an admin`, `hand out admin to bob`.
fn gives_rights(words: &[&str]) -> bool {
    const GIVES: &[&str] = &["give", "hand", "make", "grant", "promote", "add", "assign"];
    const RANKS: &[&str] = &["admin", "owner", "administrator", "maintainer", "superuser"];
    const AFTER: &[&str] = &["rights", "access", "privileges", "permissions", "to", "of", "on"];
    let gives = words.iter().find(|word| !LEADS.contains(word) || **word == "make");
    let last = |at: usize| words.get(at + 1).is_none_or(|next| AFTER.contains(next));
    gives.is_some_and(|word| GIVES.contains(word))
        && words.iter().enumerate().any(|(at, word)| RANKS.contains(word) && last(at))
}

/// Whether a clause is about what runs for others: `run the migration on prod`.
fn is_there(clause: &str) -> bool {
    const RUNS: &[&str] = &[
        "run", "execute", "try", "perform", "migrate", "seed", "reseed", "restore", "import", "sync",
        "install", "upgrade", "patch", "alter", "flip", "apply",
    ];
    let lead = |word: &str| LEADS.contains(&word) && !matches!(word, "make" | "try");
    let Some((told, rest)) = first_word(clause, lead) else { return false };
    let phrases = phrases(rest);
    let places = phrases.iter().filter(|phrase| phrase.is_place() || matches!(told, "seed" | "reseed"));
    let there = places.filter(|phrase| !phrase.is_code() && !MADE.contains(&phrase.noun()));
    let live = |word: &str| matches!(word, "prod" | "production" | "staging" | "live");
    (RUNS.contains(&told) && there.flat_map(Phrase::words).any(live))
        || (matches!(told, "make" | "set" | "turn") && tasks::makes_public(rest, &phrases))
        || (told == "post" && names_channel(clause))
}

/// `#general`, and not `#123`.
fn names_channel(clause: &str) -> bool {
    clause.split(" #").skip(1).any(|name| name.starts_with(char::is_alphabetic))
}
