//! Deeds in a prompt on what others use as well: clusters and buckets, alerts, rights, money, releases.

use super::{BREAKS, is_about_code};
use crate::harm::{Category, Finding};

/// Words before a deed that leave it one.
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
];

/// Deeds and what they are done to: the first word of a clause that is no lead, and one behind it.
const DEEDS: &[(&[&str], &[&str])] = &[
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
        ],
    ),
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
    (&["grant", "revoke", "give"], &["access"]),
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

/// Deeds that name no part of the code, whatever stands behind them.
const WHOLE: &[&str] = &["unpublish", "yank"];

/// A clause that tells to take away, to switch off, or to put before everybody, what many use.
pub(in crate::harm) fn of_shared(text: &str) -> Option<Finding> {
    let mut clauses = vec![text];
    for end in BREAKS.iter().chain(&[", ", " and ", " & ", "->", "(", " by "]) {
        clauses = clauses.into_iter().flat_map(|part| part.split(end)).collect();
    }
    let before = std::iter::once("").chain(clauses.iter().copied());
    let told = clauses.iter().zip(before).find_map(|(clause, before)| deed_in(clause, before))?;
    let what = format!("the task touches what others use (`{told}`)");
    Some(Finding::new(Category::BroadAgent, what).doubtful())
}

fn words(clause: &str) -> impl Iterator<Item = &str> {
    clause.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// What a clause tells to do to something that others use; what `it` is may stand in the clause before.
fn deed_in(clause: &str, before: &str) -> Option<String> {
    let mut rest = words(clause);
    let deed = rest.find(|word| !LEADS.contains(word) && *word != "get")?;
    let deed = stem(deed);
    let mut rest: Vec<&str> = rest.collect();
    if WHOLE.contains(&deed.as_str()) {
        return Some(deed);
    }
    if gives_rights(&words(clause).collect::<Vec<_>>()) || runs_there(clause) {
        return Some(clause.trim().to_owned());
    }
    let referred = rest.first().is_some_and(|word| matches!(*word, "it" | "them")) && rest.len() <= 2;
    if referred {
        rest = words(before).collect();
    }
    let object = DEEDS.iter().filter(|(deeds, _)| deeds.contains(&deed.as_str())).find_map(|(_, objects)| {
        rest.iter().enumerate().find(|(_, word)| objects.contains(word)).map(|(at, word)| (at, *word))
    });
    let (at, object) = object?;
    // `the test cluster` is a cluster, and `the cluster test` is code.
    let kind = at.checked_sub(1).and_then(|at| rest.get(at)).copied().unwrap_or_default();
    let about = if referred { before } else { clause };
    // `the production build` is made here.
    let made = rest.get(at + 1).is_some_and(|next| matches!(*next, "build" | "builds" | "mode" | "bundle"));
    (!made && !is_about_code(&about.replacen(&format!("{kind} {object}"), object, 1)))
        .then(|| format!("{deed} … {object}"))
}

/// The word without the ending of what is being done: `terminating`, `shutting`.
fn stem(word: &str) -> String {
    let Some(stem) = word.strip_suffix("ing").filter(|stem| stem.len() >= 3) else { return word.to_owned() };
    let known = |word: &str| DEEDS.iter().any(|(deeds, _)| deeds.contains(&word));
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

/// Whether a clause is about what runs for others: `run the migration on prod`, `make the bucket public`.
fn runs_there(clause: &str) -> bool {
    const THERE: &[&str] = &[" on prod", " against prod", " on staging", " against staging", " on live"];
    let told = words(clause).next().unwrap_or_default();
    let runs = matches!(told, "run" | "execute" | "try" | "perform");
    let opened = ["bucket public", "database public", "repo public", "repository public"];
    (runs && THERE.iter().any(|place| clause.contains(place)))
        || (told == "make" && opened.iter().any(|words| clause.contains(words)))
        || (told == "post" && names_channel(clause))
}

/// `#general`, and not `#123`.
fn names_channel(clause: &str) -> bool {
    clause.split(" #").skip(1).any(|name| name.starts_with(char::is_alphabetic))
}
