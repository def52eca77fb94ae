//! Actions in a prompt that go beyond the work whatever they are done to: handing out secrets, going around the gate,
//! installing for the whole machine, putting something before everybody.

use super::phrase::{Phrase, object_in, phrases, words};

/// Verbs with which what is secret is laid open.
const SHOWS: &[&str] = &["print", "dump", "echo", "output", "collect", "gather", "harvest", "reveal", "leak"];

/// Verbs with which it is looked for.
const SEEKS: &[&str] = &["find", "list", "search", "look", "grep", "hunt", "locate", "steal", "grab"];

/// Verbs with which somebody gets around a thing.
const AROUND: &[&str] = &["bypass", "circumvent", "evade", "sidestep", "dodge", "defeat", "trick", "fool"];

/// Verbs with which money is spent.
const SPENDS: &[&str] = &[
    "buy",
    "purchase",
    "pay",
    "order",
    "book",
    "rent",
    "subscribe",
    "renew",
    "register",
    "settle",
    "wire",
    "transfer",
];

/// Verbs with which a thing is kept from working.
const STOPS: &[&str] = &[
    "switch",
    "turn",
    "disable",
    "deactivate",
    "remove",
    "delete",
    "uninstall",
    "edit",
    "change",
    "modify",
    "alter",
    "adjust",
    "rewrite",
    "update",
    "comment",
    "stop",
    "kill",
    "suspend",
    "pause",
    "patch",
    "set",
    "configure",
    "reconfigure",
    "override",
    "loosen",
    "weaken",
    "silence",
];

/// Whether the verb is one that this looks at.
pub(super) fn is_action(word: &str) -> bool {
    [SHOWS, SEEKS, AROUND, SPENDS, STOPS].iter().any(|verbs| verbs.contains(&word)) || word == "install"
}

/// Whether the action goes beyond the work: `rest` is what follows it, and `before` the clause before.
pub(super) fn goes_beyond(action: &str, rest: &str, before: &str, phrases: &[Phrase<'_>]) -> bool {
    lays_open(action, phrases)
        || searches_home(action, rest)
        || spends(action, rest, phrases)
        || blinds_gate(action, rest)
        || goes_around(action, rest, before)
        || switches_registry(action, rest, phrases)
        || takes_from_home(action, rest)
        || loses_work(action, rest)
        || (action == "merge" && enters_main(phrases))
        || (action == "install" && is_for_the_machine(rest))
}

/// `print every environment variable`, `look for ssh keys`
fn lays_open(action: &str, phrases: &[Phrase<'_>]) -> bool {
    let shows = SHOWS.contains(&action);
    let [first, rest @ ..] = phrases else { return false };
    let sought = rest.first().filter(|next| match next.joiner {
        "for" => first.words().is_empty(),
        "of" => matches!(first.noun(), "value" | "values" | "contents"),
        _ => false,
    });
    let meant = sought.unwrap_or(first);
    let named = !meant.is_code() || meant.noun().starts_with("var");
    (shows || SEEKS.contains(&action)) && named && is_secret(&meant.words(), shows)
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

/// `search the home directory for aws keys and .env files`: where the search goes says that it is no question about code.
fn searches_home(action: &str, rest: &str) -> bool {
    const PLACES: &[&str] = &[
        "home directory",
        "home folder",
        "home dir",
        "my machine",
        "this machine",
        "the machine",
        "whole disk",
        "entire disk",
        "file system",
        "filesystem",
        "laptop",
        "~",
        "$home",
        "keychain",
        "password manager",
        "browser profile",
        "other projects",
        "other repos",
    ];
    const SECRETS: &[&str] = &[
        "key",
        "keys",
        "token",
        "tokens",
        "secret",
        "secrets",
        "password",
        "passwords",
        "credential",
        "credentials",
        "env",
        "certificates",
        "cookies",
        "wallet",
        "wallets",
        "logins",
    ];
    let seeks = SEEKS.contains(&action)
        || SHOWS.contains(&action)
        || matches!(action, "scan" | "read" | "check" | "go" | "crawl" | "extract" | "copy");
    seeks
        && PLACES.iter().any(|place| rest.contains(place))
        && words(rest).any(|word| SECRETS.contains(&word))
}

/// `buy the domain with the company card`, `pay the invoice`
fn spends(action: &str, rest: &str, phrases: &[Phrase<'_>]) -> bool {
    const BOUGHT: &[&str] = &[
        "domain",
        "domains",
        "invoice",
        "invoices",
        "bill",
        "bills",
        "licence",
        "licences",
        "license",
        "licenses",
        "subscription",
        "ticket",
        "tickets",
        "flight",
        "flights",
        "hotel",
        "credits",
        "seats",
        "plan",
        "hosting",
        "certificate",
        "server",
        "servers",
        "gpu",
        "gpus",
        "instances",
        "number",
        "stock",
        "shares",
        "bitcoin",
        "crypto",
        "eth",
        "usdc",
        "salary",
        "salaries",
        "vendor",
        "supplier",
        "laptop",
        "laptops",
        "pizza",
    ];
    const MONEY: &[&str] = &["card", "paypal", "account", "euro", "euros", "dollars", "usd", "eur", "iban"];
    let paid = words(rest).any(|word| MONEY.contains(&word))
        && (rest.contains("company ")
            || rest.contains("credit")
            || rest.contains("my ")
            || rest.contains('$')
            || rest.contains('€'));
    SPENDS.contains(&action)
        && (object_in(phrases, BOUGHT).is_some() || (paid && action != "register" && action != "order"))
}

/// Ways to say that nothing is looked at any more.
const OFF: &[&str] = &[
    "off ",
    "no longer",
    "nothing is checked",
    "not checked",
    "are skipped",
    "is skipped",
    "always allow",
    "allows everything",
    "allow everything",
    "allow all",
    "never ask",
    "stop asking",
    "stops asking",
    "without asking",
    "not block",
    "never block",
    "out of the way",
];

/// `switch off the permission hooks`, `edit the hook configuration so that commands are no longer checked`
pub(super) fn blinds_gate(action: &str, rest: &str) -> bool {
    let thing = words(rest)
        .any(|word| matches!(word, "hook" | "hooks" | "gate" | "guardrails" | "sandbox" | "portcullis"))
        || rest.contains("permission check")
        || rest.contains("permission prompt")
        || rest.contains("permission setting")
        || rest.contains("permission mode");
    let git = [
        "pre-commit",
        "git hook",
        "react hook",
        "webhook",
        "lifecycle hook",
        "use-hook",
        "husky",
        "usehook",
        "react",
    ]
    .iter()
    .any(|word| rest.contains(word));
    // What a hook of the agent itself checks: a hook of the code has another name.
    let agents = [
        "permission",
        "agent",
        "claude",
        "portcullis",
        "gate",
        "guardrail",
        "sandbox",
        "approval",
        "command",
        "tool call",
    ]
    .iter()
    .any(|word| rest.contains(word));
    let ends = matches!(
        action,
        "disable"
            | "deactivate"
            | "uninstall"
            | "kill"
            | "suspend"
            | "remove"
            | "delete"
            | "silence"
            | "override"
            | "stop"
    );
    let off =
        rest.starts_with("off ") || rest.ends_with(" off") || OFF.iter().any(|word| rest.contains(word));
    STOPS.contains(&action) && thing && agents && !git && (ends || off)
}

/// `find a way around the permission hook`, `bypass the gate`
fn goes_around(action: &str, rest: &str, before: &str) -> bool {
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
    let thing = match action {
        // `get` and `go` only lead to it.
        "around" | "past" => Some(rest),
        _ if AROUND.contains(&action) => Some(rest),
        _ if WAYS.contains(&action) => passed,
        _ => None,
    };
    let first = thing.and_then(|thing| phrases(thing).into_iter().next());
    let named = first.map(|phrase| phrase.words()).unwrap_or_default();
    let gate = |word: &str| GATES.contains(&word);
    let meant = matches!(named.as_slice(), ["it" | "them" | "this", ..]) && words(before).any(gate);
    meant || named.iter().any(|word| gate(word))
}

/// `switch the npm registry to http://192.0.2.5`
fn switches_registry(action: &str, rest: &str, phrases: &[Phrase<'_>]) -> bool {
    const MANAGERS: &[&str] = &["npm", "pip", "pypi", "cargo", "docker", "package", "gem", "yarn", "pnpm"];
    let switches = matches!(action, "switch" | "change" | "set" | "point" | "redirect" | "move" | "use");
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
fn takes_from_home(action: &str, rest: &str) -> bool {
    const TAKES: &[&str] = &["delete", "remove", "clean", "clear", "purge", "empty", "wipe", "tidy", "rid"];
    TAKES.contains(&action) && rest.split_whitespace().any(|word| word.starts_with('~'))
}

/// `throw away all uncommitted changes`
fn loses_work(action: &str, rest: &str) -> bool {
    const LOSES: &[&str] =
        &["discard", "throw", "revert", "undo", "ditch", "abandon", "drop", "delete", "remove", "clean"];
    LOSES.contains(&action)
        && words(rest).any(|word| matches!(word, "uncommitted" | "unstaged" | "untracked"))
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
