//! What of a turn is not asked for, though it stands there (SPEC C17): what is quoted or only shown, what has to wait, and
//! what is taken back.

use super::requests::{LEADS, SUBJECTS, VERBS, begins_with, words};
use super::words::{Clause, forbids, names, places, plain};

/// How many marks of quotation a text holds.
pub(crate) fn quote_marks(text: &str) -> usize {
    text.chars().filter(|it| matches!(it, '"' | '“' | '”' | '„')).count()
}

/// The turn without what is only shown: lines that quote somebody, and blocks that no colon leads to.
pub(crate) fn without_quotes(turn: &str) -> String {
    let mut kept = String::new();
    let (mut fenced, mut shown) = (false, false);
    for line in turn.lines() {
        let fence = line.trim_start().starts_with("```");
        if fence {
            fenced = !fenced;
            shown = fenced && !kept.trim_end().ends_with(':');
        }
        if line.trim_start().starts_with('>') || (shown && fenced) {
            continue;
        }
        kept.push_str(line);
        // What follows a block is not led by what leads to it.
        kept.push_str(if fence && !fenced { "\n\n" } else { "\n" });
    }
    kept
}

/// Words that say that what is asked for has to wait for something, or may never come.
const WAITS: &[&str] = &[
    "if",
    "unless",
    "assuming",
    "provided that",
    "provided the",
    "whenever",
    "tomorrow",
    "tonight",
    "later",
    "someday",
    "eventually",
    "next week",
    "next month",
    "at some point",
    "in case",
    "dry run",
    "dry-run",
    "simulate",
    "pretend",
    "maybe",
    "perhaps",
    "might",
    "not sure",
    "according to",
];

/// Words that begin a time.
const TIMES: &[&str] = &["once", "when", "after", "as soon as", "until"];

/// What follows them where the time is that of the work itself.
const OWN_TIMES: &[&str] = &[
    "you can",
    "you are",
    "you're",
    "you have",
    "you fix",
    "done",
    "finished",
    "ready",
    "that",
    "this",
    "possible",
    "it is done",
    "it's done",
    "it is ready",
    "it is fixed",
];

/// Words of a condition that depends on nothing, or of what happens in any case.
const IDLE: &[&str] = &["even if", "if allowed", "if possible", "if you want", "if you can", "at once"];

/// Whether a sentence asks for something only later, or under a condition that nobody here can tell.
pub(super) fn waits(sentence: &[Clause]) -> bool {
    let said: Vec<String> = sentence.iter().map(|clause| plain(&clause.text)).collect();
    let mut said = without_asides(&said.join(" "));
    for idle in IDLE {
        said = said.replace(idle, " ");
    }
    let waits_for = |word: &&str| {
        places(&said, word).into_iter().filter_map(|at| said.get(at + word.len()..)).any(|rest| {
            let rest = rest.trim_start();
            let first = rest.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
            let own = first.is_empty()
                || first.ends_with("ing")
                || (OWN_TIMES.iter().any(|words| rest.starts_with(words)) && !names(rest, "approval"));
            !own
        })
    };
    WAITS.iter().any(|word| names(&said, word)) || TIMES.iter().any(waits_for)
}

/// The text without what stands in brackets, unless that begins with a word that holds everything up.
fn without_asides(said: &str) -> String {
    let mut kept = String::new();
    let mut rest = said;
    while let Some((before, aside)) = rest.split_once('(') {
        kept.push_str(before);
        let (inside, after) = aside.split_once(')').unwrap_or((aside, ""));
        let holds = |word: &&str| begins_with(&format!("{inside} "), word);
        if WAITS.iter().chain(TIMES).chain(&["only", "but"]).any(holds) {
            kept.push_str(inside);
        }
        rest = after;
    }
    kept + rest
}

/// Words with which somebody takes back what was just said.
const TAKES_BACK: &[&str] = &[
    "no wait",
    "never mind",
    "nevermind",
    "scratch that",
    "second thought",
    "second thoughts",
    "just kidding",
    "forget it",
    "forget that",
    "changed my mind",
    "hold off",
    "actually no",
    "actually not",
];

/// Whether a clause takes back what was asked for.
pub(crate) fn takes_back(clause: &str) -> bool {
    let alone = clause.trim().trim_matches(|it: char| !it.is_alphanumeric());
    matches!(alone, "wait" | "stop" | "no" | "hold on" | "keep it" | "keep them" | "cancel" | "cancel that")
        || TAKES_BACK.iter().any(|words| names(clause, words))
}

/// Words with which something is held back from what is asked for.
const RESERVES: &[&str] = &[
    "but",
    "except",
    "excluding",
    "besides",
    "keep",
    "keeps",
    "leave",
    "spare",
    "instead",
    "rather",
    "stays",
    "stay",
    "other than",
    "apart from",
    "not",
    "only",
];

/// Whether the turn holds something back, or forbids something: then not all is meant that is said.
pub(crate) fn holds_back(turn: &str) -> bool {
    let turn = plain(turn);
    forbids(&turn) || RESERVES.iter().any(|word| names(&turn, word))
}

/// Words that show what somebody else says, or what is only to be written or played through.
const REPORTS: &[&str] = &[
    "said",
    "says",
    "say",
    "wrote",
    "writes",
    "write",
    "asked",
    "asks",
    "told",
    "tells",
    "message",
    "log",
    "logs",
    "output",
    "ticket",
    "email",
    "mail",
    "comment",
    "quote",
    "translate",
    "explain",
    "describe",
    "review",
    "simulate",
    "dry",
    "means",
    "reads",
    "shows",
    "prints",
];

/// Nouns and verbs that lead to what is only thought of, or made to be read.
const MADE: &[&str] = &[
    "plan",
    "idea",
    "option",
    "title",
    "subject",
    "example",
    "proposal",
    "variant",
    "add",
    "create",
    "open",
    "implement",
    "file",
    "draft",
    "make",
    "build",
    "rename",
    "document",
    "post",
    "send",
    "reply",
    "tell",
    "commit",
    "story",
    "feature",
    "goal",
    "scenario",
    "suppose",
    "imagine",
];

/// Whether somebody or something else will, may or should do it: "the script should first delete …".
pub(crate) fn is_of_others(head: &str) -> bool {
    const MODALS: &[&str] =
        &["will", "should", "must", "shall", "can", "would", "could", "may", "to", "does", "did"];
    const OWN: &[&str] =
        &["you", "i", "we", "i'd", "please", "can", "could", "would", "will", "so", "ok", "yes", "then"];
    let last = head.rsplit_once([':', '–', '—']).map_or(head, |(_, last)| last);
    let last = last.rsplit_once(" and ").map_or(last, |(_, last)| last);
    let first = words(last).next().unwrap_or_default();
    words(last).any(|word| MODALS.contains(&word)) && !OWN.contains(&first)
}

/// Words that may stand alone before a colon or a dash without being the name of who speaks.
const OPENERS: &[&str] =
    &["todo", "task", "step", "note", "next", "no", "do", "that", "hi", "hey", "thanks", "request"];

/// Whether what leads to a colon or a dash says that somebody else speaks: `Bob: …`, "the log says: …".
pub(crate) fn reports(head: &str) -> bool {
    let of_colon = head.ends_with(':');
    let last = head.rsplit_once(" - ").map_or(head, |(_, last)| last);
    let letters = |word: &&str| word.chars().any(char::is_alphabetic);
    let told: Vec<&str> = words(last).filter(letters).collect();
    let known = |word: &str| OPENERS.contains(&word) || LEADS.contains(&word) || VERBS.contains(&word);
    let alone = matches!(told.as_slice(), [word] if !known(word));
    // "the error is: …" shows one, "fix the error: …" does not.
    let shows = told.first().is_some_and(|word| SUBJECTS.contains(word)) && told.contains(&"error");
    let made = of_colon && told.iter().any(|word| MADE.contains(word));
    alone || shows || made || told.iter().any(|word| REPORTS.contains(word))
}

/// Whether "want to", "have to" and their like speak of who talks or who is talked to, and of nobody else.
pub(crate) fn is_own_wish(head: &str) -> bool {
    const OWN: &[&str] = &[
        "i", "we", "you", "i'd", "we'd", "i'll", "would", "want", "need", "like", "have", "just", "also",
        "now", "so", "then", "please", "ok", "okay", "yes", "really", "still", "it", "it's", "is", "that's",
        "feel", "be", "are", "you're", "fine", "safe", "free", "to", "allowed", "ready", "all", "good",
        "and", "do", "am", "i'm", "sure",
    ];
    let last = head.rsplit_once([':', '–', '—']).map_or(head, |(_, last)| last);
    let last = last.rsplit_once(" and ").map_or(last, |(_, last)| last);
    words(last).all(|word| OWN.contains(&word))
}
