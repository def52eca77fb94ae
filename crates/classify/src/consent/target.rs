//! Whether what is asked for is done to this very thing (SPEC C17). What a verb is about is said by the last noun that
//! follows it: who asks for the bucket policy to be deleted does not ask for the bucket to be deleted.

use portcullis_decide::detect::{Category, Finding};
use portcullis_shell::Command;

use super::words::names;

/// Words that end what a verb is about.
const ENDS: &[&str] = &[
    "of", "in", "inside", "within", "under", "from", "on", "onto", "at", "off", "for", "with", "without",
    "to", "into", "by", "using", "via", "through", "because", "since", "so", "that", "which", "who", "where",
    "when", "and", "or", "plus", "then", "as", "called", "named", "matching", "defined", "if", "whose", "is",
    "are", "we", "i", "it's", "use", "von", "aus", "auf", "bitte", "im", "del", "de", "sur", "en", "that's",
];

/// Words that name nothing by themselves.
const FILLERS: &[&str] = &[
    "the", "a", "an", "this", "these", "those", "my", "our", "your", "its", "their", "all", "any", "every",
    "each", "both", "it", "them", "one", "ones", "up", "down", "out", "away", "back", "more", "den", "die",
    "das", "el", "la", "le", "los", "les", "now", "please", "again", "too", "first", "today", "asap",
    "instead", "there", "here", "entirely", "locally", "remotely", "manually", "only",
];

/// What a verb is about: its words up to the first that leads elsewhere.
pub(super) fn phrase(rest: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for raw in rest.split_whitespace() {
        let word = raw
            .trim_end_matches(['.', ',', ';', ':', '!', '?', ')'])
            .trim_matches(|it: char| !(it.is_alphanumeric() || "/~.$*@_".contains(it)));
        let word = word.strip_suffix("'s").unwrap_or(word).trim_end_matches('.');
        let tells = word.ends_with("ing") && !found.iter().all(|word| is_filler(word));
        if word.is_empty() || raw.starts_with('(') || ENDS.contains(&word) || tells {
            break;
        }
        found.push(word);
        if raw.ends_with([',', ':', ';', '.', ')', '!', '?']) {
            break;
        }
    }
    found
}

pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
        || word == "everything"
        || word.ends_with("ly")
        || word.chars().all(|it| it.is_ascii_digit())
}

/// Whether a part of a sentence goes on naming things: it begins with a name, or with words that lead to one.
pub(super) fn is_plain(part: &str, targets: &[String]) -> bool {
    let mut words =
        part.split_whitespace().map(|word| word.trim_matches(|it: char| "\"'`,;:.!?()-•*".contains(it)));
    let first = words.find(|word| !word.is_empty()).unwrap_or_default();
    // "back up blog" is a deed of its own; a sign in a word says that it is a name.
    let deed = matches!(first, "back" | "up" | "down" | "out" | "away");
    !deed && (has_sign(first) || is_filler(first) || ENDS.contains(&first) || is_name(first, targets))
}

/// Whether a word can be nothing but a name.
fn has_sign(word: &str) -> bool {
    word.contains(|it: char| "/:._".contains(it) || it.is_ascii_digit())
}

/// Whether the command leaves the thing itself where it is.
pub(super) fn only_empties(command: &Command) -> bool {
    let ends = ["delete", "rb", "destroy", "drop", "terminate", "remove"];
    !command.arguments.iter().any(|word| word.text.split(['-', '_', ':']).any(|part| ends.contains(&part)))
}

fn singular(word: &str) -> &str {
    let cut = |ending: &str| word.strip_suffix(ending).filter(|rest| rest.len() > 1);
    let hissed = cut("es").filter(|rest| rest.ends_with("ss"));
    hissed.or_else(|| cut("s")).unwrap_or(word)
}

/// Whether what follows the verb is what the command does it to.
pub(super) fn fits(rest: &str, said: &str, finding: &Finding, command: &Command) -> bool {
    let is_file = finding.category() == Category::LocalDestruction;
    // Each file of a line is a finding of its own.
    let others = command.arguments.iter().filter(|_| is_file).map(|word| word.text.clone());
    let targets: Vec<String> = finding.targets.iter().cloned().chain(others).collect();
    let things = Things::of(command, &targets);
    if !is_taken_from_here(rest, command) || is_of_text(rest, command, is_file) {
        return false;
    }
    if (is_file || takes_all(command)) && is_some_of(rest, said, &things, &targets) {
        return false;
    }
    names_thing(rest, said, &things, &targets, is_file)
}

/// Whether what follows the sub-command, where a sentence has it as its verb, is what the command does it to.
pub(super) fn fits_words(rest: &str, said: &str, command: &Command) -> bool {
    let targets: Vec<String> = command.arguments.iter().map(|word| word.text.clone()).collect();
    names_thing(rest, said, &Things::of(command, &targets), &targets, false)
}

/// Whether a word is what the command does something to, in a noun.
pub(super) fn is_thing(command: &Command, word: &str, said: &str) -> bool {
    let targets: Vec<String> = command.arguments.iter().map(|word| word.text.clone()).collect();
    Things::of(command, &targets).hold(word, said)
}

fn names_thing(rest: &str, said: &str, things: &Things, targets: &[String], is_file: bool) -> bool {
    for word in phrase(rest).into_iter().rev() {
        if is_filler(word) {
            continue;
        }
        if things.hold(word, said) {
            return true;
        }
        if !is_name(word, targets) {
            return false;
        }
        // "the log x.log": what stands before a file says what kind of file it is, "old docs" which of them.
        if is_file && has_sign(word) {
            return true;
        }
    }
    true
}

/// Where things are taken from that are gone altogether then.
const GONE_FROM: &[&str] = &[
    "disk",
    "machine",
    "repo",
    "repository",
    "project",
    "folder",
    "directory",
    "here",
    "there",
    "origin",
    "remote",
    "github",
    "gitlab",
    "server",
    "subscription",
    "account",
    "cloud",
    "aws",
    "azure",
    "cluster",
    "kubernetes",
    "database",
    "registry",
    "bucket",
    "it",
    "tree",
];

/// Whether a thing is taken from where the command takes it: out of an index or a list it is not gone.
fn is_taken_from_here(rest: &str, command: &Command) -> bool {
    let Some(place) = rest.find(" from ").and_then(|at| rest.get(at + " from ".len()..)) else { return true };
    let own = |word: &str| {
        let one = singular(word);
        let mut words =
            command.arguments.iter().flat_map(|it| parts(&it.text.to_lowercase()).collect::<Vec<_>>());
        names(&command_text(command), word) || words.any(|it| singular(&it) == one)
    };
    let place = phrase(place);
    place.is_empty() || place.iter().any(|word| GONE_FROM.contains(word) || own(word))
}

/// Nouns for text: what is taken out of it does not go itself.
const OF_TEXT: &[&str] = &[
    "word", "line", "lines", "mention", "mentions", "string", "text", "docs", "code", "yaml", "config",
    "readme", "script", "template", "page", "section", "sentence", "comment", "comments",
];

/// Whether the deed is done to text: "delete the namespace shop in the docs".
fn is_of_text(rest: &str, command: &Command, is_file: bool) -> bool {
    let line = command_text(command);
    let foreign = |word: &&str| OF_TEXT.contains(word) && !names(&line, word) && !line.contains(*word);
    let inside =
        rest.find(" in ").and_then(|at| rest.get(at + " in ".len()..)).map(phrase).unwrap_or_default();
    let itself = !is_file && phrase(rest).iter().any(foreign);
    itself || inside.iter().any(foreign) || (inside.len() > 1 && inside.last() == Some(&"file"))
}

/// Whether the command takes all that there is.
fn takes_all(command: &Command) -> bool {
    let all = ["--recursive", "-r", "-R", "-rf", "--all"];
    command.arguments.iter().any(|word| all.contains(&word.text.as_str()))
}

/// Whether only some of what lies somewhere is meant: "the old files in data", "the copy of b.txt".
fn is_some_of(rest: &str, said: &str, things: &Things, targets: &[String]) -> bool {
    let words = phrase(rest);
    let kind = |word: &&str| !is_filler(word) && !is_name(word, targets);
    let named = words.iter().any(|word| is_name(word, targets));
    let chosen =
        [" that ", " which ", " older ", " newer ", " whose "].iter().any(|word| rest.contains(word));
    let whole =
        |word: &str| things.hold(word, said) && !matches!(word, "copy" | "copies" | "folder" | "file");
    let plain = words.iter().filter(|word| kind(word)).all(|word| whole(word));
    !named && (chosen || !plain) && !words.is_empty()
}

fn command_text(command: &Command) -> String {
    let words: Vec<String> = command.arguments.iter().map(|word| word.text.to_lowercase()).collect();
    words.join(" ")
}

/// Whether the word is a name of a target, or a part of one.
fn is_name(word: &str, targets: &[String]) -> bool {
    targets.iter().map(|target| target.to_lowercase()).any(|target| {
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
    ("acr", &["registry"]),
    ("apim", &["service", "instance"]),
    ("db", &["database"]),
    ("psql", &["table"]),
    ("mysql", &["table"]),
    ("mariadb", &["table"]),
    ("pm2", &["process", "app", "application"]),
    ("s3cmd", &["object", "file"]),
    ("vsce", &["extension"]),
    ("--filename", &["resource", "manifest"]),
    ("-f", &["resource", "manifest"]),
    ("--all", &["resource"]),
];

impl Things {
    fn of(command: &Command, targets: &[String]) -> Self {
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
                let mild = ["--yes", "-y", "--force", "-f", "--safe"];
                let goes_on = words.iter().skip(at + 2).any(|word| !mild.contains(&word.as_str()));
                let after = plain.get(at + 1).filter(|_| goes_on);
                before.or(after).into_iter().flat_map(|word| parts(word)).collect()
            }
            None => {
                let all = words.iter().flat_map(|word| parts(word)).chain([program.clone()]);
                all.filter(|word| !is_name(word, targets)).collect()
            }
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
