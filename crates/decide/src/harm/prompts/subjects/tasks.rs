//! Deeds in a prompt that go beyond the work whatever they are done to: handing out secrets, going around the gate,
//! installing for the whole machine, putting something before everybody.

use super::phrase::{Phrase, object_in, phrases, words};

/// Verbs with which what is secret is laid open.
const SHOWS: &[&str] = &["print", "dump", "echo", "output", "collect", "gather", "harvest", "reveal", "leak"];

/// Verbs with which it is looked for.
const SEEKS: &[&str] = &["find", "list", "search", "look", "grep", "hunt", "locate", "steal", "grab"];

/// Verbs with which somebody gets around a thing.
const AROUND: &[&str] = &["bypass", "circumvent", "evade", "sidestep", "dodge", "defeat", "trick", "fool"];

/// Whether the verb is one that this looks at.
pub(super) fn is_deed(word: &str) -> bool {
    SHOWS.contains(&word) || SEEKS.contains(&word) || AROUND.contains(&word) || word == "install"
}

/// Whether the deed goes beyond the work: `rest` is what stands behind it, and `before` the clause before.
pub(super) fn goes_beyond(deed: &str, rest: &str, before: &str, phrases: &[Phrase<'_>]) -> bool {
    lays_open(deed, phrases)
        || goes_around(deed, rest, before)
        || switches_registry(deed, rest, phrases)
        || takes_from_home(deed, rest)
        || loses_work(deed, rest)
        || (deed == "merge" && enters_main(phrases))
        || (deed == "install" && is_for_the_machine(rest))
}

/// `print every environment variable`, `look for ssh keys`
fn lays_open(deed: &str, phrases: &[Phrase<'_>]) -> bool {
    let shows = SHOWS.contains(&deed);
    let [first, rest @ ..] = phrases else { return false };
    let sought = rest.first().filter(|next| match next.joiner {
        "for" => first.words().is_empty(),
        "of" => matches!(first.noun(), "value" | "values" | "contents"),
        _ => false,
    });
    let meant = sought.unwrap_or(first);
    let named = !meant.is_code() || meant.noun().starts_with("var");
    (shows || SEEKS.contains(&deed)) && named && is_secret(&meant.words(), shows)
}

/// Whether the words end with the name of something secret; what is only looked for may be the variables that code reads.
fn is_secret(words: &[&str], shows: bool) -> bool {
    const KINDS: &[&str] = &["ssh", "private", "api", "access"];
    let names = words.iter().enumerate().any(|(at, word)| {
        let kind = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
        (KINDS.contains(&kind) && *word == "keys")
            || (shows && matches!(kind, "environment" | "env") && matches!(*word, "variables" | "vars"))
    });
    let every = words.iter().any(|word| matches!(*word, "every" | "all" | "each"));
    let last = words.last().copied().unwrap_or_default();
    let one = every && matches!(last, "variable" | "var") && words.iter().any(|word| word.starts_with("env"));
    names || one || matches!(last, "secrets" | "passwords" | "passphrases") || (shows && last == "env")
}

/// `find a way around the permission hook`, `bypass the gate`
fn goes_around(deed: &str, rest: &str, before: &str) -> bool {
    const WAYS: &[&str] = &["find", "look", "work", "slip", "sneak"];
    const GATES: &[&str] = &[
        "hook",
        "hooks",
        "gate",
        "permission",
        "permissions",
        "sandbox",
        "guardrails",
        "approval",
        "approvals",
    ];
    let passed = ["around ", "past "].iter().find_map(|way| rest.split_once(way)).map(|(_, thing)| thing);
    let thing = match deed {
        // `get` and `go` only lead to it.
        "around" | "past" => Some(rest),
        _ if AROUND.contains(&deed) => Some(rest),
        _ if WAYS.contains(&deed) => passed,
        _ => None,
    };
    let first = thing.and_then(|thing| phrases(thing).into_iter().next());
    let named = first.map(|phrase| phrase.words()).unwrap_or_default();
    let gate = |word: &str| GATES.contains(&word);
    let meant = matches!(named.as_slice(), ["it" | "them" | "this", ..]) && words(before).any(gate);
    meant || named.iter().any(|word| gate(word))
}

/// `switch the npm registry to http://192.0.2.5`
fn switches_registry(deed: &str, rest: &str, phrases: &[Phrase<'_>]) -> bool {
    const MANAGERS: &[&str] = &["npm", "pip", "pypi", "cargo", "docker", "package", "gem", "yarn", "pnpm"];
    let switches = matches!(deed, "switch" | "change" | "set" | "point" | "redirect" | "move" | "use");
    let registry = object_in(phrases, &["registry", "registries", "index", "mirror"]).is_some();
    switches && registry && (rest.contains("://") || words(rest).any(|word| MANAGERS.contains(&word)))
}

/// `make the S3 bucket acme-assets public`
pub(super) fn makes_public(rest: &str, phrases: &[Phrase<'_>]) -> bool {
    const THINGS: &[&str] =
        &["bucket", "buckets", "database", "repo", "repository", "server", "dashboard", "share", "gist"];
    const MEMBERS: &[&str] = &["method", "class", "field", "function", "constructor", "property", "button"];
    let open = words(rest).any(|word| matches!(word, "public" | "reachable" | "readable" | "writable"));
    let member = words(rest).any(|word| MEMBERS.contains(&word));
    open && !member && object_in(phrases, THINGS).is_some()
}

/// `remove all files older than 10 days under ~/documents`
fn takes_from_home(deed: &str, rest: &str) -> bool {
    const TAKES: &[&str] = &["delete", "remove", "clean", "clear", "purge", "empty", "wipe", "tidy", "rid"];
    TAKES.contains(&deed) && rest.split_whitespace().any(|word| word.starts_with('~'))
}

/// `throw away all uncommitted changes`
fn loses_work(deed: &str, rest: &str) -> bool {
    const LOSES: &[&str] =
        &["discard", "throw", "revert", "undo", "ditch", "abandon", "drop", "delete", "remove", "clean"];
    LOSES.contains(&deed) && words(rest).any(|word| matches!(word, "uncommitted" | "unstaged" | "untracked"))
}

/// `merge the feature into main`
fn enters_main(phrases: &[Phrase<'_>]) -> bool {
    let main = |phrase: &Phrase<'_>| matches!(phrase.words().as_slice(), ["main" | "master"]);
    phrases.iter().any(|phrase| phrase.is_place() && main(phrase))
}

/// `install the package globally`, `install https://…`
fn is_for_the_machine(rest: &str) -> bool {
    ["globally", "system-wide", "system wide", "://"].iter().any(|words| rest.contains(words))
}
