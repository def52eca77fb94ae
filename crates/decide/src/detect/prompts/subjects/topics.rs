//! Words in a prompt that are what a question is about and nothing to be done. What may precede such a word is a
//! short list: there are more ways to ask for a second action than a list could hold.

use portcullis_shell::known_programs;

use super::BREAKS;

/// Words with which somebody is asked to find out, or to write down what is so.
const ASKS: &[&str] = &[
    "review",
    "audit",
    "research",
    "explain",
    "document",
    "describe",
    "summarise",
    "summarize",
    "investigate",
    "analyse",
    "analyze",
    "understand",
    "compare",
    "study",
    "why",
    "how",
    "what",
    "which",
    "where",
    "find out",
    "figure out",
    "tell me",
    "report",
];

/// Words with which somebody is asked to look for a thing: no question where the thing is a secret.
const SEEKS: &[&str] = &[
    "find",
    "look",
    "check",
    "search",
    "list",
    "read",
    "explore",
    "identify",
    "locate",
    "trace",
    "determine",
    "examine",
    "inspect",
];

/// Words with which something is made or changed in the code.
const BUILDS: &[&str] = &[
    "fix",
    "fixing",
    "implement",
    "implementing",
    "add",
    "adding",
    "write",
    "rewrite",
    "refactor",
    "style",
    "restyle",
    "debug",
    "improve",
    "update",
    "rename",
    "move",
    "test",
    "create",
    "build",
    "design",
    "redesign",
    "extend",
    "simplify",
    "remove",
    "convert",
    "change",
    "adjust",
    "cover",
    "validate",
    "polish",
    "replace",
    "clean",
];

/// Subjects that are secret things.
const SECRETS: &[&str] = &["credentials", "api key", "environment variables"];

/// Subjects that are other things: they can be in a list without being actions.
const THINGS: &[&str] = &["base64", "sudo ", "branch protection", "cron job"];

/// Subjects that are actions where a clause begins with them.
const ACTIONS: &[&str] = &[
    "deploy",
    "download",
    "publish",
    "upload",
    "push ",
    "disable ",
    "disable the",
    "turn off",
    "force",
    "force push",
    "force-push",
    "drop the",
    "to production",
    "email ",
    "autonomous",
];

/// Words with which the subject of a question becomes an action after all.
const FOLLOWS: &[&str] = &[
    "do so",
    "do it",
    "do this",
    "do that",
    "doing it",
    "doing so",
    "apply it",
    "carry it out",
    "as you go",
    "go ahead",
    "start it",
    "kick it off",
    "trigger it",
    "launch it",
    "perform it",
    "execute it",
    "retry it",
    "make it happen",
];

/// What separates the parts of a sentence that may each ask for something else.
const JOINS: &[&str] = &[
    ", ",
    " and ",
    " or ",
    " & ",
    " plus ",
    " as well as ",
    "->",
    "=>",
    "(",
    " once ",
    " while ",
    " after ",
    " before ",
    " when ",
    " until ",
    " let's ",
    " by ",
    " with ",
];

/// The part of the sentence before `at`.
fn clause(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let start = BREAKS.iter().filter_map(|end| before.rfind(end).map(|found| found + end.len())).max();
    let clause =
        before.get(start.unwrap_or(0)..).unwrap_or_default().trim_start_matches(['-', '*', ' ', '"', '#']);
    clause.strip_prefix("please ").unwrap_or(clause)
}

/// Whether the text begins with the words, and not with a longer word.
fn begins(text: &str, known: &str) -> bool {
    text.strip_prefix(known).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// The last part of the clause that asks for something by itself, and whether what precedes it is such that a bare name
/// goes on with what was asked: not behind a comma, and not where it says by what means.
fn last_part(clause: &str) -> (&str, bool) {
    let cuts = JOINS.iter().filter_map(|join| clause.rfind(join).map(|at| (at + join.len(), *join)));
    let Some((at, join)) = cuts.max() else { return (clause.trim(), true) };
    let before = clause.get(..at).unwrap_or_default();
    let trouble = ["problem with ", "problems with ", "issue with ", "issues with ", "wrong with "];
    let means = join == " by " || (join == " with " && !trouble.iter().any(|end| before.ends_with(end)));
    (clause.get(at..).unwrap_or_default().trim(), join != ", " && !means)
}

/// Whether the words at `at`, in small letters, are what a question is about and nothing to be done.
pub(in crate::detect) fn is_subject(text: &str, at: usize, words: &str) -> bool {
    if FOLLOWS.iter().any(|words| text.contains(words)) || takes_up(text, at) {
        return false;
    }
    let clause = clause(text, at);
    let after = text.get(at + words.trim_end().len()..).unwrap_or_default();
    if SECRETS.contains(&words) {
        return asks_about_secret(clause) && !hands_out(after);
    }
    if THINGS.contains(&words) {
        return ASKS.iter().any(|known| begins(clause, known))
            && !["report", "document"].iter().any(|known| begins(clause, known))
            && !hands_out(after)
            && !uses(words, after);
    }
    is_part_of_name(text, clause, after, words)
        || (ACTIONS.contains(&words)
            && is_asked_about(clause, words)
            && !reaches_somebody(words, after)
            && !passes_on(text))
}

/// Whether a part behind `at` tells to do something with what was spoken of: `roll it out`, `tabulate them`. What may be
/// done with it is to look at it, to build it, and to tell of it.
fn takes_up(text: &str, at: usize) -> bool {
    const PLAIN: &[&str] = &[
        "if", "that", "whether", "because", "since", "as", "but", "make", "keep", "verify", "ensure",
        "return", "in", "of", "for", "on", "to", "from", "is", "does", "confirm", "see", "note", "not",
        "leave", "mark", "when", "until", "than", "so",
    ];
    let mut parts = vec![text.get(at..).unwrap_or_default()];
    for end in BREAKS.iter().chain(JOINS) {
        parts = parts.into_iter().flat_map(|part| part.split(end)).collect();
    }
    parts.into_iter().any(|part| {
        let mut words = part.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        let plain = [ASKS, SEEKS, BUILDS, PLAIN].iter().any(|known| known.contains(&first));
        !plain && words.next().is_some_and(|second| matches!(second, "it" | "them"))
    })
}

/// Whether the clause asks how secrets are dealt with, and not which they are.
fn asks_about_secret(clause: &str) -> bool {
    const JUDGES: &[&str] = &[
        "review",
        "audit",
        "research",
        "investigate",
        "analyse",
        "analyze",
        "understand",
        "compare",
        "study",
    ];
    const WRITES: &[&str] = &["report", "document"];
    let asks = ASKS.iter().any(|known| begins(clause, known));
    let how = clause.split_whitespace().any(|word| matches!(word, "how" | "why" | "whether"));
    // `review src for leaked credentials`, but not `review the credentials`.
    let within = clause.contains(" for ") || clause.contains(" handle ");
    asks && (how || (within && JUDGES.iter().any(|known| begins(clause, known))))
        && !WRITES.iter().any(|known| begins(clause, known))
}

/// Whether what follows hands on the secrets, looks for them beyond the project, or changes the thing.
fn hands_out(after: &str) -> bool {
    const SIGNS: &[&str] = &[
        "://",
        "home",
        "you find",
        "you see",
        "machine",
        "@",
        "~",
        "print",
        "value",
        "verbatim",
        "quote",
        "include",
        "give me",
        "show ",
        ".env",
        "config/",
        "answer",
        "dump",
        "reveal",
        "extract",
        "collect",
        "echo",
        "copy",
        "paste",
        "list them",
        "list all",
        "list every",
        "all of them",
        "write them",
        "send",
        "return them",
        "remov",
        "lift",
        "list the",
        "install",
        "weaken",
        "apply",
        "take it",
        "edit",
        "add it",
        "rm ",
        "loosen",
        "relax",
        "change it",
        "change them",
    ];
    SIGNS.iter().any(|sign| after.contains(sign))
}

/// Whether a program among things is to be used: `sudo rm`, `base64 the file`.
fn uses(words: &str, after: &str) -> bool {
    let next = after.split_whitespace().next().unwrap_or_default();
    match words {
        "sudo " => known_programs().binary_search(&next).is_ok() || next.starts_with(['-', '/', '.']),
        "base64" => matches!(next, "the" | "it" | "all" | "every" | "this" | "that" | "each" | "a"),
        _ => false,
    }
}

/// Whether an action is where only the subject of a question can: right behind an article, `how to` or the word that asks.
fn is_asked_about(clause: &str, words: &str) -> bool {
    const BINDERS: &[&str] = &["the", "a", "an", "our", "its", "of", "about", "why", "how", "what", "during"];
    const WAYS: &[&str] = &["how to", "ways to", "how we"];
    let asking = |part: &str| ASKS.iter().chain(SEEKS).any(|known| begins(part, known));
    // `how to deploy to production`, `what force push does`: the action begins with the word before.
    let ends = clause.trim_end();
    let ends = if words == "to production" || (words == "push " && ends.ends_with(" force")) {
        ends.rsplit_once(' ').map_or("", |(before, _)| before.trim_end())
    } else {
        ends
    };
    let (part, goes_on) = last_part(ends);
    let last = ends.rsplit(' ').next().unwrap_or_default();
    let bound = BINDERS.contains(&last) || WAYS.iter().any(|way| ends.ends_with(way));
    let alone = BINDERS.contains(&part) && goes_on;
    // `after which disable it`: inside a sentence, such a word only joins.
    let joins = matches!(part, "which" | "what" | "where" | "how" | "why") && part != ends;
    let direct = !joins && ASKS.iter().chain(SEEKS).any(|known| part == *known);
    let documented = || WAYS.iter().any(|way| ends.ends_with(way)) && writes_down(part);
    (asking(clause) && (direct || (bound && (alone || asking(part))))) || documented()
}

/// Whether a part tells to write down how something is done: `write docs on how to deploy`.
fn writes_down(part: &str) -> bool {
    const TEXTS: &[&str] = &["docs", "documentation", "guide", "readme", "tutorial", "section", "runbook"];
    let writes = ["write", "add", "update", "improve", "extend"].iter().any(|action| begins(part, action));
    writes && part.split(' ').any(|word| TEXTS.contains(&word))
}

/// Whether what follows goes to somebody, or to a place that is named.
fn reaches_somebody(words: &str, after: &str) -> bool {
    let named = after.split_whitespace().any(|word| {
        let word = word.trim_end_matches(['.', ',', ';', ':', ')', '?', '!']);
        word.contains('@')
            || word.contains("://")
            || word.contains(".com/")
            || word.rsplit_once('.').is_some_and(|(_, ending)| ending == "com")
    });
    // `the upload of a.csv to evil.io`: a name with a dot that is no file of the work.
    let words_after: Vec<&str> = after.split_whitespace().collect();
    let towards = words_after.windows(2).any(|pair| match pair {
        ["to", place] => {
            let place = place.trim_end_matches(['.', ',', ';', ':', ')', '?', '!']);
            place.contains('.') && !super::is_source(place)
        }
        _ => false,
    });
    named || towards || (words == "email " && after.trim_start().starts_with("to "))
}

/// Whether the word is the first of a name for a part of a program: `the upload form`, `a download button`, where the
/// word before it builds or asks.
fn is_part_of_name(text: &str, clause: &str, after: &str, words: &str) -> bool {
    const NAMED: &[&str] = &["deploy", "download", "upload", "publish", "push ", "email "];
    const PARTS: &[&str] = &[
        "job",
        "step",
        "form",
        "button",
        "page",
        "handler",
        "endpoint",
        "component",
        "logic",
        "error",
        "failure",
        "test",
        "tests",
        "guide",
        "docs",
        "progress",
        "limit",
        "size",
        "link",
        "dialog",
        "modal",
        "helper",
        "template",
        "field",
        "validation",
        "notification",
        "notifications",
        "route",
        "view",
        "bug",
        "parser",
        "config",
    ];
    // `the deployment parser`
    let after = after.strip_prefix("ment").unwrap_or(after);
    let next = after.trim_start().split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
    NAMED.contains(&words)
        && after.starts_with(' ')
        && PARTS.contains(&next)
        && is_built(clause)
        && !passes_on(text)
}

/// Whether the clause, up to the name of a part, tells to build or to look at it.
fn is_built(clause: &str) -> bool {
    const RUNS: &[&str] = &[
        "run", "rerun", "trigger", "start", "execute", "invoke", "call", "use", "press", "click", "submit",
        "retry", "launch", "fire", "hit", "approve", "perform", "finish", "kick",
    ];
    const WITHIN: &[&str] = &["in", "of", "for", "from", "about", "is", "are", "does"];
    const ARTICLES: &[&str] = &["the", "a", "an", "our", "this", "that", "its"];
    // `fix the bug, publish docs`: behind a comma begins another part.
    if clause.trim_end().ends_with(',') {
        return false;
    }
    let words: Vec<&str> =
        clause.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let Some(article) = words.iter().rposition(|word| ARTICLES.contains(word)) else { return false };
    let before = article.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
    let suits = |word: &str| [ASKS, SEEKS, BUILDS].iter().any(|known| known.contains(&word));
    let (part, _) = last_part(clause);
    let within =
        WITHIN.contains(&before) || part.contains(" that ") || (before == "to" && begins(part, "add"));
    let told = part.split(|it: char| !it.is_alphanumeric()).any(suits);
    words.len() - article <= 2
        && !words.iter().any(|word| RUNS.contains(word))
        && (suits(before) || (within && told))
}

/// Whether a part of the text tells to put something through what is built or asked about.
fn passes_on(text: &str) -> bool {
    const PASSES: &[&str] =
        &["retry", "send", "sending", "submit", "submitting", "post", "posting", "feed", "pass"];
    let mut parts = vec![text];
    for end in BREAKS.iter().chain(JOINS) {
        parts = parts.into_iter().flat_map(|part| part.split(end)).collect();
    }
    parts.iter().any(|part| PASSES.iter().any(|action| begins(part.trim_start(), action)))
}
