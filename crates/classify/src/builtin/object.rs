//! Whether what is asked for is done to this very thing (SPEC C17). What a verb is about is said by the last noun that
//! follows it: who asks for the bucket policy to be deleted does not ask for the bucket to be deleted.

use portcullis_decide::{Category, Finding};
use portcullis_shell::Command;

use super::words::names;

/// Words that end what a verb is about.
const ENDS: &[&str] = &[
    "of",
    "in",
    "inside",
    "within",
    "under",
    "from",
    "on",
    "onto",
    "at",
    "off",
    "for",
    "with",
    "without",
    "to",
    "into",
    "by",
    "using",
    "via",
    "through",
    "because",
    "since",
    "so",
    "that",
    "which",
    "who",
    "where",
    "when",
    "and",
    "or",
    "plus",
    "then",
    "now",
    "please",
    "as",
    "called",
    "named",
    "again",
    "too",
    "first",
    "today",
    "matching",
    "defined",
    "if",
    "whose",
    "asap",
    "instead",
    "there",
    "here",
    "completely",
    "entirely",
    "permanently",
    "immediately",
    "locally",
    "remotely",
    "manually",
    "only",
    "is",
    "are",
    "we",
    "i",
    "it's",
    "use",
    "von",
    "aus",
    "auf",
    "bitte",
    "im",
    "del",
    "de",
    "sur",
    "en",
    "accessing",
];

/// Words that name nothing by themselves.
const FILLERS: &[&str] = &[
    "the",
    "a",
    "an",
    "this",
    "these",
    "those",
    "my",
    "our",
    "your",
    "its",
    "their",
    "all",
    "any",
    "every",
    "each",
    "both",
    "it",
    "them",
    "everything",
    "one",
    "ones",
    "up",
    "down",
    "out",
    "away",
    "back",
    "more",
    "den",
    "die",
    "das",
    "el",
    "la",
    "le",
    "los",
    "les",
];

/// What a verb is about: its words up to the first that leads elsewhere.
fn phrase(rest: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for raw in rest.split_whitespace() {
        let word = raw.trim_matches(|it: char| !(it.is_alphanumeric() || "/~.$*@_".contains(it)));
        let word = word.strip_suffix("'s").unwrap_or(word).trim_end_matches('.');
        if word.is_empty() || raw.starts_with('(') || ENDS.contains(&word) {
            break;
        }
        found.push(word);
        if raw.ends_with([',', ':', ';', '.', ')', '!', '?']) {
            break;
        }
    }
    found
}

fn singular(word: &str) -> &str {
    let cut = |ending: &str| word.strip_suffix(ending).filter(|rest| rest.len() > 1);
    cut("sses").or_else(|| cut("s")).unwrap_or(word)
}

/// Whether what follows the verb is what the command does it to.
pub(super) fn fits(rest: &str, said: &str, finding: &Finding, command: &Command) -> bool {
    let things = Things::of(command);
    let is_file = finding.category == Category::LocalDestruction;
    for word in phrase(rest).into_iter().rev() {
        if FILLERS.contains(&word) || word.chars().all(|it| it.is_ascii_digit()) {
            continue;
        }
        if things.hold(word, said) {
            return true;
        }
        if !is_name(word, finding) {
            return false;
        }
        // "the log x.log": what stands before a file says what kind of file it is.
        if is_file {
            return true;
        }
    }
    true
}

/// Whether the word is a name of a target, or a part of one.
fn is_name(word: &str, finding: &Finding) -> bool {
    finding.targets.iter().map(|target| target.to_lowercase()).any(|target| {
        let end = |it: char| matches!(it, '/' | ':' | '=');
        target == word || names(&target.replace(end, " "), &word.replace(end, " "))
    })
}

/// What a command does something to, in nouns.
struct Things {
    /// Words of the command.
    own: Vec<String>,
    /// Words that mean the same.
    same: Vec<&'static str>,
}

/// Words of sub-commands that take away or end something.
const AWAY: &[&str] = &[
    "delete",
    "remove",
    "rm",
    "rb",
    "destroy",
    "terminate",
    "purge",
    "drop",
    "wipe",
    "empty",
    "del",
    "uninstall",
    "close",
    "stop",
    "restart",
    "kill",
    "merge",
    "unpublish",
    "revoke",
    "cancel",
];

/// Nouns for what programs and sub-commands are about.
const NOUNS: &[(&str, &[&str])] = &[
    ("rm", &["file", "folder", "directory", "dir", "tree", "copy", "copies", "content"]),
    ("rmdir", &["folder", "directory", "dir"]),
    ("unlink", &["file", "link", "symlink"]),
    ("shred", &["file"]),
    ("find", &["file", "folder", "directory"]),
    ("dropdb", &["database", "db"]),
    ("dropuser", &["user", "role", "account"]),
    ("push", &["branch", "branche", "tag", "ref"]),
    ("branch", &["branch", "branche"]),
    ("tag", &["tag"]),
    ("stash", &["stash", "stashe", "changes"]),
    ("worktree", &["worktree", "tree"]),
    ("checkout", &["changes", "edits", "work", "modifications", "file"]),
    ("restore", &["changes", "edits", "work", "modifications", "file"]),
    ("reset", &["changes", "edits", "work", "modifications", "commit", "head", "index", "branch"]),
    ("clean", &["file", "folder", "directory"]),
    ("systemctl", &["service", "daemon", "unit", "server", "system", "machine"]),
    ("service", &["service", "daemon", "unit", "server"]),
    ("kill", &["process", "processe", "server", "job", "program", "task", "pid"]),
    ("pkill", &["process", "processe", "server", "job", "program", "task"]),
    ("killall", &["process", "processe", "server", "job", "program", "task", "connection"]),
    ("fuser", &["process", "processe", "server"]),
    ("init", &["system", "machine", "server"]),
    (
        "apply",
        &["manifest", "config", "configuration", "changes", "resource", "file", "plan", "infrastructure"],
    ),
    ("rollout", &["deployment", "release", "version", "revision", "resource"]),
    ("terraform", &["infrastructure", "stack", "resource", "environment"]),
    ("terragrunt", &["infrastructure", "stack", "resource", "environment"]),
    ("pulumi", &["infrastructure", "stack", "resource"]),
    ("vagrant", &["machine", "vm", "box"]),
    ("docker", &["image", "container"]),
    ("crane", &["image", "contents"]),
    ("vercel", &["deployment", "project"]),
    ("helm", &["release", "chart"]),
    ("gsutil", &["bucket", "object", "file", "folder", "contents"]),
    ("s3", &["object", "file", "folder", "contents", "key"]),
    ("rb", &["bucket"]),
    ("kv", &["key", "pair", "entry", "value"]),
    ("aks", &["cluster"]),
    ("eks", &["cluster"]),
    ("container", &["group"]),
    ("redis", &["cache", "instance"]),
    ("redis-cli", &["key", "entry", "cache"]),
    ("firewalls", &["rule"]),
    ("repo", &["repository", "project"]),
    ("repository", &["repo"]),
    ("ns", &["namespace"]),
    ("po", &["pod"]),
    ("svc", &["service"]),
    ("deploy", &["deployment"]),
    ("app", &["application"]),
    ("apps", &["application"]),
    ("webapp", &["app", "application"]),
    ("logicapp", &["app", "application"]),
    ("appconfig", &["configuration"]),
    ("vm", &["machine"]),
    ("instances", &["machine", "server", "vm"]),
    ("droplet", &["machine", "server"]),
    ("pr", &["request"]),
    ("mr", &["request"]),
    ("issue", &["ticket", "bug"]),
    ("owner", &["user", "team", "account"]),
    ("vhost", &["host"]),
    ("--filename", &["resource", "manifest"]),
    ("--all", &["resource"]),
];

impl Things {
    fn of(command: &Command) -> Self {
        let program = command.program.as_deref().unwrap_or_default().to_lowercase();
        let words: Vec<String> = command.arguments.iter().map(|word| word.text.to_lowercase()).collect();
        let plain: Vec<&String> = words.iter().take_while(|word| !word.starts_with('-')).collect();
        let acts = |word: &str| word.split(['-', '_', ':']).any(|part| AWAY.contains(&part));
        let at = plain.iter().position(|word| acts(word));
        let own: Vec<String> = match at.and_then(|at| Some((at, plain.get(at)?.as_str()))) {
            // `delete-bucket`, `apps:destroy`: what it is done to stands in the word itself.
            Some((_, word)) if !AWAY.contains(&word) => {
                let mut parts = word.rsplit(['-', '_', ':']).filter(|part| !AWAY.contains(part));
                parts.next().into_iter().map(str::to_owned).collect()
            }
            // `az vm delete`, and `kubectl delete namespace` where nothing stands before.
            Some((at, _)) => {
                let before = at.checked_sub(1).and_then(|before| plain.get(before));
                before.or_else(|| plain.get(at + 1)).into_iter().flat_map(|word| parts(word)).collect()
            }
            None => words.iter().flat_map(|word| parts(word)).chain([program.clone()]).collect(),
        };
        let steps = plain.iter().take(at.map_or(plain.len(), |at| at + 1)).map(|word| word.as_str());
        let options = words.iter().map(String::as_str).filter(|word| word.starts_with('-'));
        let told: Vec<&str> = steps.chain(options).chain(own.iter().map(String::as_str)).collect();
        let given = |name: &str| program == name || told.contains(&name);
        let same =
            NOUNS.iter().filter(|(name, _)| given(name)).flat_map(|(_, nouns)| *nouns).copied().collect();
        Self { own, same }
    }

    /// Whether the word is one of them, or ends one of which the sentence says the rest: "role" in `clusterrole`.
    fn hold(&self, word: &str, said: &str) -> bool {
        let one = singular(word);
        let own = self.own.iter().map(|thing| singular(thing)).any(|thing| {
            let rest = thing.strip_suffix(one).filter(|rest| rest.len() > 1);
            thing == one || rest.is_some_and(|rest| names(said, rest))
        });
        own || self.same.iter().any(|noun| *noun == word || *noun == one)
    }
}

fn parts(word: &str) -> impl Iterator<Item = String> + '_ {
    word.split(|it: char| !it.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_owned)
}
