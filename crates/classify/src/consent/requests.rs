//! What a person's turn asks for. Narrower than all that is no ban and no question: what is told of others asks for
//! nothing, and a verb asks only where it leads its clause.

use super::non_requests::{
    is_of_others, is_own_wish, quote_marks, reports, takes_back, waits, without_quotes,
};
use super::words::{Clause, Mood, mood, places, plain, split};

/// What a turn asks for: the asking clauses of each sentence, in small letters.
///
/// Less than all that is no ban and no question: what is told of others asks for nothing, and what follows a ban
/// or a question after a comma belongs to it, unless a word says otherwise.
pub(super) fn requests(turn: &str) -> Vec<Vec<String>> {
    let mut quoted = false;
    let asking = |sentence: Vec<Clause>| {
        let inside = quoted;
        quoted ^= sentence.iter().map(|clause| quote_marks(&clause.text)).sum::<usize>() % 2 == 1;
        if inside || waits(&sentence) {
            return Vec::new();
        }
        let questioned = sentence.last().is_some_and(|last| last.text.trim_end().ends_with(['?', '？']));
        // Whether a condition holds, nobody here can tell.
        if sentence.iter().any(|clause| CONDITIONS.iter().any(|word| begins_with(&clause.text, word))) {
            return Vec::new();
        }
        let mut held = questioned;
        let mut asked = Vec::new();
        let mut open_end = false;
        for clause in sentence {
            let text = plain(&clause.text);
            // "this will then delete it": what follows belongs to what was begun.
            if std::mem::replace(&mut open_end, ends_open(&text)) {
                continue;
            }
            let lead = text.split_whitespace().next().is_some_and(|word| TURNS.contains(&word));
            let begins = questioned && has_asked_verb(&text);
            match mood(&clause.text) {
                Mood::Ban | Mood::Question => held = !text.trim_start().starts_with("without"),
                // After a comma, more is said about what is asked for: "delete x, the branch of y".
                Mood::Request if is_told(&text) && (held || clause.fresh || tells_past(&text)) => held = true,
                Mood::Request if held && !lead && !begins && (questioned || !clause.fresh) => {}
                Mood::Request => {
                    held = questioned;
                    asked.push(text);
                }
            }
        }
        asked
    };
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut asking = asking;
    for sentence in split(&without_quotes(turn)) {
        let taken_back = sentence.iter().any(|clause| takes_back(&plain(&clause.text)));
        if taken_back {
            found.clear();
        } else {
            found.push(asking(sentence));
        }
    }
    found.retain(|asked| !asked.is_empty());
    found
}

/// Whether a clause breaks off where a verb has to follow.
fn ends_open(clause: &str) -> bool {
    words(clause).last().is_some_and(|word| {
        matches!(
            word,
            "will" | "should" | "must" | "can" | "could" | "would" | "may" | "might" | "to" | "shall"
        )
    })
}

/// Words that begin a condition.
const CONDITIONS: &[&str] =
    &["if", "unless", "only if", "but only if", "and if", "provided", "in case", "falls", "wenn", "si", "se"];

pub(super) fn begins_with(clause: &str, words: &str) -> bool {
    let rest = clause.trim_start().to_lowercase();
    rest.strip_prefix(words).is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// Words that begin something new after a ban or a question.
const TURNS: &[&str] = &[
    "just",
    "please",
    "but",
    "then",
    "instead",
    "only",
    "now",
    "rather",
    "simply",
    "otherwise",
    "bitte",
    "aber",
];

/// Words that begin a sentence about somebody or something.
pub(super) const SUBJECTS: &[&str] = &[
    "somebody",
    "someone",
    "everybody",
    "everyone",
    "nobody",
    "they",
    "he",
    "she",
    "it",
    "there",
    "yesterday",
    "earlier",
    "previously",
    "the",
    "a",
    "an",
    "this",
    "that",
    "these",
    "those",
    "our",
    "my",
    "your",
    "his",
    "her",
    "their",
    "its",
    "we",
    "i",
    "you",
    "who",
    "whoever",
    "because",
    "since",
    "after",
    "when",
    "last",
];

/// Words that tell of what has happened.
const PAST: &[&str] = &[
    "ran", "was", "were", "had", "did", "has", "wiped", "broke", "deleted", "dropped", "pushed", "removed",
    "failed", "happened", "used", "said", "says", "told", "does", "means",
];

/// Words with which a sentence about something asks all the same.
const ASKS: &[&str] = &[
    "i want",
    "we want",
    "i need",
    "we need",
    "needs to",
    "please",
    "can go",
    "should go",
    "should be",
    "must go",
    "must be",
    "you should",
    "you must",
    "i'd like",
    "would like",
    "let's",
    "can be",
    "may be",
    "have to",
    "has to",
    "ok to",
    "okay to",
    "fine to",
    "safe to",
    "free to",
    "you can",
    "you may",
    "go ahead",
    "i allow",
    "i approve",
    "may go",
];

/// Words that ask for something where they begin a clause.
pub(super) const VERBS: &[&str] = &[
    "run",
    "execute",
    "use",
    "try",
    "start",
    "call",
    "invoke",
    "rerun",
    "launch",
    "issue",
    "delete",
    "remove",
    "drop",
    "force",
    "force-push",
    "empty",
    "mirror",
    "destroy",
    "push",
    "merge",
    "squash-merge",
    "squash merge",
    "land",
    "deploy",
    "roll",
    "apply",
    "promote",
    "release",
    "publish",
    "ship",
    "restart",
    "copy",
    "install",
    "update",
    "check",
    "give",
    "grant",
    "share",
    "add",
    "invite",
    "make",
    "allow",
    "disable",
    "skip",
    "turn",
    "ignore",
    "switch",
    "stub",
    "stop",
    "kill",
    "close",
    "cancel",
    "end",
    "set",
    "change",
    "clear",
    "flush",
    "clean",
    "wipe",
    "prune",
    "tunnel",
    "expose",
    "open",
    "read",
    "show",
    "create",
    "write",
    "post",
    "send",
    "comment",
    "move",
    "tell",
    "reply",
    "sign",
    "buy",
    "book",
    "order",
    "pay",
    "purchase",
    "approve",
    "discard",
    "throw",
    "reset",
    "hard reset",
    "hard-reset",
    "take",
    "revert",
    "restore",
    "point",
    "commit",
    "fix",
    "rebase",
    "bump",
    "tag",
    "upload",
    "enable",
    "revoke",
    "rename",
    "edit",
    "modify",
    "overwrite",
    "put",
    "get",
    "scale",
    "drain",
    "uninstall",
    "upgrade",
    "downgrade",
    "prepare",
    "finish",
    "import",
];

/// Words after which a verb asks.
pub(super) const LEADS: &[&str] = &[
    "please",
    "now",
    "then",
    "also",
    "just",
    "yes",
    "ok",
    "okay",
    "good",
    "great",
    "right",
    "sure",
    "so",
    "first",
    "next",
    "finally",
    "again",
    "let's",
    "lets",
    "you can",
    "you may",
    "you should",
    "you must",
    "can you",
    "could you",
    "will you",
    "would you",
    "you to",
    "free to",
    "ok to",
    "okay to",
    "fine to",
    "safe to",
    "need to",
    "ready to",
    "allowed to",
    "have to",
    "want to",
    "like to",
    "ahead and",
    "ahead with the",
    "do the",
    "do a",
    "make the",
    "only",
    "simply",
    "kindly",
    "bitte",
    "jetzt",
    "dann",
    "und",
    "kannst",
    "darfst",
    "favor",
    "ahora",
    "maintenant",
    "puedes",
    "use",
    "use the",
    "thanks",
    "instead",
    "but",
];

/// Whether what begins at `at` is what the clause asks for: it begins it, or stands after a word that asks.
pub(super) fn is_asked(clause: &str, at: usize) -> bool {
    let Some(before) = clause.get(..at) else { return false };
    // A part of a longer name is no verb; languages without blanks have no borders to look at.
    match before.chars().next_back() {
        Some(last) if !last.is_ascii() && last.is_alphabetic() => return true,
        Some(last) if last.is_alphanumeric() || "_-/.@:".contains(last) => return false,
        Some(_) | None => {}
    }
    // What is quoted is asked for where the quotation itself is.
    let opened = (quote_marks(before) % 2 == 1).then(|| before.rfind(['"', '“', '„'])).flatten();
    if opened.is_some_and(|opened| !is_asked(clause, opened)) {
        return false;
    }
    let head = before.trim_end().trim_end_matches(['"', '\'', '`', '(', '*', '_', '“', '„']).trim_end();
    if head.is_empty() {
        return true;
    }
    if head.ends_with([':', '-', '–', '—', '…', '.', ')', '•', '>']) {
        return !reports(head);
    }
    if head.rsplit_once(": ").is_some_and(|(shown, _)| reports(shown)) {
        return false;
    }
    let ends = |word: &str| {
        head.strip_suffix(word)
            .is_some_and(|rest| rest.chars().next_back().is_none_or(|it| !it.is_alphanumeric()))
    };
    // What is asked for may follow what is told: "it is small: commit it and push it".
    let told = head.rsplit_once([':', '–', '—']).map_or(head, |(_, asked)| asked);
    let begins = told.split_whitespace().next().unwrap_or_default();
    let own = |lead: &str| if lead.ends_with(" to") { is_own_wish(head) } else { !is_of_others(head) };
    LEADS.iter().any(|lead| ends(lead) && own(lead))
        || (["and", "or", "&", "y", "et", "e"].iter().any(|join| ends(join)) && !SUBJECTS.contains(&begins))
}

/// Words behind a verb with which it means something else: "set up", "stop using".
const OTHERWISE: &[&str] = &["up", "out", "off", "about", "aside"];

/// Whether the clause asks for just this deed.
pub(super) fn asks_for(clause: &str, verb: &str) -> bool {
    !asked_rests(clause, verb).is_empty()
}

/// What follows where the clause asks for just this deed.
pub(super) fn asked_rests<'c>(clause: &'c str, verb: &str) -> Vec<&'c str> {
    let at = places(clause, verb).into_iter().filter(|at| is_asked(clause, *at));
    let rests = at.filter_map(|at| clause.get(at + verb.len()..));
    let itself = |rest: &&str| {
        let next = words(rest).next().unwrap_or_default();
        !OTHERWISE.contains(&next) && !next.ends_with("ing")
    };
    rests.filter(itself).collect()
}

/// Whether the clause asks for something by a verb.
fn has_asked_verb(clause: &str) -> bool {
    VERBS.iter().any(|verb| places(clause, verb).into_iter().any(|at| is_asked(clause, at)))
}

/// The words of a clause, without the signs around them.
pub(super) fn words(clause: &str) -> impl Iterator<Item = &str> {
    let edge = |it: char| !it.is_alphanumeric();
    clause.split_whitespace().map(move |word| word.trim_matches(edge)).filter(|word| !word.is_empty())
}

/// Whether a clause tells of what has happened.
fn tells_past(clause: &str) -> bool {
    words(clause).any(|word| PAST.contains(&word))
}

/// Whether a clause only tells of something.
fn is_told(clause: &str) -> bool {
    let subject = words(clause).next().is_some_and(|word| SUBJECTS.contains(&word));
    let tells = subject || tells_past(clause);
    tells && !ASKS.iter().any(|phrase| clause.contains(phrase)) && !has_asked_verb(clause)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C17]
    #[test]
    fn only_what_is_asked_for_is_a_request() {
        let asks =
            |turn: &str, words: &str| requests(turn).iter().flatten().any(|clause| clause.contains(words));
        assert!(asks("Fix the typo and push it to main.", "main"));
        assert!(!asks("Never run these:\n- make x\n- delete dev", "dev"));
        assert!(!asks("Never run these:\nmake x\ndelete dev", "dev"));
        assert!(!asks("Never run these:\n```\nmake x\ndelete dev\n```", "dev"));
        assert!(!asks("The log says:\n```\nmake x\ndelete dev\n```", "dev"));
        assert!(asks("Never run these:\nmake x\n\nDelete dev", "dev"));
        assert!(asks("Never run these:\n```\nmake x\n```\nDelete dev", "dev"));
        assert!(!asks("Fix it.\n```\ndelete dev\n```", "dev"));
        assert!(asks("Do this:\n```\ndelete dev\n```", "dev"));
        assert!(!asks("Delete dev. But:\n```\nnever mind\n```", "dev"));
        assert!(!asks("Fix it.\n> delete dev", "dev"));
        assert!(asks("Fix it.\n```\nx\n```\ndelete dev", "dev"));
        assert!(asks("Never run make x\nDelete dev", "dev"));
        assert!(!asks("If the tests pass, delete dev", "dev"));
        assert!(asks("Don't push, just delete dev.", "dev"));
        assert!(asks("Delete the branch that was merged.", "branch"));
        assert!(asks("I want you to delete dev.", "dev"));
        assert!(asks("Don't push but delete dev.", "dev"));
        assert!(asks("Delete these:\n- a/x\n- a/y", "a/y"));
        assert!(!asks("Never run a, b, delete dev.", "dev"));
        assert!(!asks("Never run this:\n```bash\ndelete dev\n```", "dev"));
        assert!(!asks("Somebody ran it and dropped dev.", "dev"));
        assert!(!asks("John deleted dev.", "dev"));
        assert!(!asks("Do you think, as it stands, dev is fine?", "dev"));
        assert!(!asks("This is what broke it:\ndelete dev", "dev"));
    }

    /// [C17]
    #[test]
    fn a_verb_asks_where_it_leads() {
        let asked = |clause: &str, verb: &str| clause.find(verb).is_some_and(|at| is_asked(clause, at));
        assert!(asked("push it", "push"));
        assert!(asked("you can push now", "push"));
        assert!(asked("go ahead and push", "push"));
        assert!(asked("fix it and push", "push"));
        assert!(!asked("fix the push handler", "push"));
        assert!(!asked("somebody came and push", "push"));
        assert!(!asked("pre-push hooks", "push"));
    }
}
