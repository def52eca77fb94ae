//! What a person's turn asks for: the parts of its sentences in which a verb asks.
//!
//! Questions, reports, conditions, quotations and what was taken back ask for nothing.

use super::cues::{Cue, cues};
use super::text::{Clause, Mark, Sentence, find, is_ideograph, is_name, sentences};
use super::words::{
    ASKING, Action, BECAUSE, CONDITIONS, HERE, IDIOMS, IDLE, LEAD, LEADING_CONDITIONS, OBLIQUE, OWN_TIMES,
    PERSONS, POLITE, QUESTION, REPORTS, TAKES_BACK, Verb, WISH,
};

/// A sentence that may ask for something.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) parts: Vec<Part>,
    /// Whether it waits for something, or tells what somebody says.
    holds: bool,
}

/// A piece of a sentence that says one thing: it has one verb at most.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its words in small letters, one blank around each.
    pub(super) words: String,
    /// The verbs that ask, with their places.
    pub(super) verbs: Vec<(usize, Verb)>,
    /// Whether it tells why, or what somebody says.
    pub(super) remark: bool,
    /// Whether it begins with a preposition.
    pub(super) places: bool,
    mark: Mark,
}

/// What the turn asks for, sentence by sentence.
pub(super) fn requests(turn: &str) -> Vec<Request> {
    let mut found: Vec<Request> = Vec::new();
    for sentence in sentences(&without_shown(turn)) {
        let whole: String = sentence.clauses.iter().map(|clause| clause.words.as_str()).collect();
        if TAKES_BACK.is_in(&whole.replace("  ", " ")) {
            found.clear();
        } else {
            found.extend(request(&sentence, &whole));
        }
    }
    found
}

/// The turn without what is only shown: lines that quote somebody, blocks that no colon leads to, quoted phrases.
fn without_shown(turn: &str) -> String {
    let mut kept = String::new();
    let (mut fenced, mut shown) = (false, false);
    for line in turn.lines() {
        let fence = line.trim_start().starts_with("```");
        if fence {
            fenced = !fenced;
            let lead = kept.trim_end().rsplit('\n').next().unwrap_or_default().to_lowercase();
            // "Do this:" leads to what is asked for, "The log says:" to what somebody else said.
            shown = fenced
                && (!lead.ends_with(':') || REPORTS.is_in(&format!(" {} ", lead.trim_end_matches(':'))));
        } else if !(line.trim_start().starts_with('>') || (shown && fenced)) {
            kept.push_str(line);
        }
        // What follows a block is not led by what leads to it.
        kept.push_str(if fence && !fenced { "\n\n" } else { "\n" });
    }
    without_phrases(&kept)
}

/// The text without what stands between quotation marks and is more than a name.
fn without_phrases(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '“', '„', '«', '「', '”']) {
        let (before, after) = rest.split_at(at);
        let mut behind = after.chars();
        behind.next();
        let end = behind.as_str().find(['"', '”', '“', '»', '」']);
        let inside = end.and_then(|end| behind.as_str().get(..end)).unwrap_or(behind.as_str());
        kept.push_str(before);
        if inside.contains(char::is_whitespace) || inside.chars().any(is_ideograph) || end.is_none() {
            kept.push_str(" \u{3}quoted\u{3} ");
        } else {
            kept.push_str(inside);
        }
        let mut after = behind.as_str().get(inside.len()..).unwrap_or_default().chars();
        after.next();
        rest = after.as_str();
    }
    kept + rest
}

fn request(sentence: &Sentence, whole: &str) -> Option<Request> {
    let idle = OWN_TIMES.without(&IDIOMS.without(whole));
    if sentence.question && !POLITE.is_in(whole) {
        return None;
    }
    let mut parts: Vec<Part> = Vec::new();
    for clause in &sentence.clauses {
        let words = clause
            .words
            .replace(" go ahead and ", " ")
            .replace(" go ahead with the ", " ")
            .replace(" do a ", " ")
            .replace(" do the ", " ");
        let words = HERE.without(&OWN_TIMES.without(&words));
        for (at, piece) in split(&words).into_iter().enumerate() {
            let mark = if at == 0 { clause.mark } else { Mark::Comma };
            let (said, why) = match BECAUSE.span(&piece).filter(|(at, _)| *at > 1) {
                Some((at, _)) => (piece.get(..at).unwrap_or_default().to_owned() + " ", piece.get(at..)),
                None => (piece.clone(), None),
            };
            parts.push(Part::of(said, mark, false));
            parts.extend(why.map(|why| Part::of(format!(" {}", why.trim_start()), Mark::Comma, true)));
        }
    }
    follow_marks(&mut parts);
    let begins = |clause: &Clause| LEADING_CONDITIONS.has(clause.tokens().next().unwrap_or_default());
    let holds = sentence.clauses.iter().any(begins) || CONDITIONS.is_in(&idle) || REPORTS.is_in(whole);
    Some(Request { parts, holds })
}

/// The pieces that a clause joins by "and".
fn split(words: &str) -> Vec<String> {
    let joins = [
        " and ",
        " und ",
        " y ",
        " et ",
        " e ",
        " then ",
        " danach ",
        " luego ",
        " después ",
        " depois ",
        " ensuite ",
        " puis ",
    ];
    let mut marked = words.to_owned();
    for join in joins {
        marked = marked.replace(join, " \n ");
    }
    marked
        .split('\n')
        .map(|piece| format!(" {} ", piece.trim()))
        .filter(|piece| !piece.trim().is_empty())
        .collect()
}

/// Behind a colon or a dash only that asks what something asking leads to: in "Bob: delete it" somebody else speaks.
fn follow_marks(parts: &mut [Part]) {
    let mut led = true;
    let mut before: Vec<String> = Vec::new();
    for part in parts {
        let last = before.last().cloned().unwrap_or_default();
        let last = last.as_str();
        if part.mark != Mark::Comma {
            let runs = part.verbs.first().is_some_and(|(_, verb)| verb.action == Action::Run);
            let runs = runs && part.mark == Mark::Dash && !authors(last);
            led = runs || before.iter().all(|words| leads(words));
            if runs {
                before.clear();
            }
        } else if is_open(last) {
            led = false;
        }
        if !led {
            part.verbs.clear();
            part.remark = true;
        }
        before.push(part.words.clone());
    }
}

/// Whether a piece ends where a verb has to follow, or has followed: "this will", "write a script to stop".
fn is_open(words: &str) -> bool {
    const MODALS: &[&str] =
        &["to", "will", "should", "must", "can", "could", "would", "may", "shall", "we", "they"];
    let mut last = words.split_whitespace().rev();
    let (one, two) = (last.next().unwrap_or_default(), last.next().unwrap_or_default());
    MODALS.contains(&one)
        || (MODALS.contains(&two) && !LEAD.has(one) && !is_name(one))
        || (matches!(one, "this" | "these" | "following") && two == "is")
}

/// Whether a piece asks for something to be written.
fn authors(words: &str) -> bool {
    const VERBS: &[&str] = &[
        "write",
        "add",
        "document",
        "implement",
        "explain",
        "draft",
        "print",
        "translate",
        "describe",
        "show",
    ];
    words.split_whitespace().find(|word| !LEAD.has(word)).is_some_and(|word| VERBS.contains(&word))
}

/// Whether words lead to what follows them: "run this", "next step", "it is small".
fn leads(words: &str) -> bool {
    let known =
        |token: &str| LEAD.has(token) || IDLE.has(token) || matches!(token, "following" | "step" | "number");
    let runs = || {
        let mut found = false;
        ASKING.each(words, is_name, |at, _, verb| {
            found |= verb.action == Action::Run && is_leading(words, at, &[]);
        });
        found
    };
    let own = words.trim_start().starts_with("it's ") || words.trim_start().starts_with("it is ");
    own || runs() || words.split_whitespace().all(known)
}

impl Part {
    fn of(words: String, mark: Mark, remark: bool) -> Part {
        let first = words.split_whitespace().next().unwrap_or_default();
        let verbs = if remark { Vec::new() } else { asking(&words) };
        // Portuguese "no" is "in the".
        let places = OBLIQUE.has(first) && first != "no" && verbs.is_empty() && !leads(&words);
        Part { words, verbs, remark, places, mark }
    }
}

/// The verbs that ask in a piece.
fn asking(words: &str) -> Vec<(usize, Verb)> {
    let mut found = Vec::new();
    ASKING.each(words, is_name, |at, _, verb| {
        if asks(words, at, verb) {
            found.push((at, verb));
        }
    });
    found.sort_by_key(|(at, verb)| (*at, std::cmp::Reverse(verb.form.len())));
    found
}

fn is_passive(verb: Verb) -> bool {
    verb.form.starts_with("be ") || verb.form == "can go"
}

/// Whether a verb asks where it stands: in some languages it has to lead, in others it may end its clause.
fn asks(words: &str, at: usize, verb: Verb) -> bool {
    if is_passive(verb) {
        return true;
    }
    match verb.language {
        "de" | "zh" | "ja" => {
            let done = words
                .get(at + verb.form.len()..)
                .is_some_and(|rest| rest.starts_with("した") || rest.starts_with("ました"));
            // "… um x zu löschen" tells what something is for.
            let purpose = words.get(..at).is_some_and(|before| before.ends_with(" zu "));
            !done && !purpose && !PERSONS.is_in(words.get(..at).unwrap_or_default())
        }
        _ => is_leading(words, at, &[]),
    }
}

/// Whether nothing stands before the verb but words that lead to it; `own` are words of the command.
pub(super) fn is_leading(words: &str, at: usize, own: &[&str]) -> bool {
    let before = words.get(..at).unwrap_or_default();
    let mut heads = before.split_whitespace();
    let first = heads.clone().next().unwrap_or_default();
    let speaks = heads.clone().any(|word| matches!(word, "i" | "we" | "i'd" | "we'd"));
    let others = heads
        .clone()
        .any(|word| matches!(word, "may" | "might" | "should" | "must" | "would" | "could" | "will"))
        && !heads.clone().any(|word| matches!(word, "you" | "i" | "we" | "it" | "please"));
    !QUESTION.has(first)
        && !others
        && (!speaks
            || (WISH.is_in(before) && find(before, "may").is_none() && find(before, "might").is_none()))
        && heads.all(|word| LEAD.has(word) || own.contains(&word) || word.chars().any(is_ideograph))
}

impl Request {
    /// Whether the sentence may ask for it at all: what others are to read may speak of anything behind its verb.
    pub(super) fn asks_now(&self, part: usize, free: bool) -> bool {
        if !self.holds {
            return true;
        }
        let before: String = self.parts.iter().take(part).map(|part| part.words.as_str()).collect();
        free && !CONDITIONS.is_in(&before) && !REPORTS.is_in(&before)
    }

    /// All its words.
    pub(super) fn words(&self) -> String {
        self.parts.iter().map(|part| part.words.as_str()).collect::<String>().replace("  ", " ")
    }
}

/// Whether something in the part holds it back.
pub(super) fn is_held(words: &str, verb: usize) -> bool {
    let said = IDIOMS.without(words);
    cues(&said).iter().any(|(at, cue)| match cue {
        Cue::Except | Cue::Asks | Cue::Waits => true,
        Cue::Not => *at < verb,
        Cue::ReadOnly | Cue::Only | Cue::Stays | Cue::Own | Cue::Skips => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a part that asks has the word.
    fn asks(turn: &str, word: &str) -> bool {
        requests(turn).iter().any(|request| {
            let asking = |(at, part): (usize, &Part)| {
                request.asks_now(at, false) && !part.verbs.is_empty() && find(&part.words, word).is_some()
            };
            request.parts.iter().enumerate().any(asking)
        })
    }

    /// [C17]
    #[test]
    fn only_what_is_asked_for_is_a_request() {
        for turn in [
            "Fix the typo and push dev to main.",
            "Please delete dev.",
            "Could you delete dev?",
            "I want you to delete dev.",
            "Do this:\n```\ndelete dev\n```",
            "Fix it.\n```\nx\n```\ndelete dev",
            "Delete dev when you are done.",
            "Kannst du dev bitte löschen?",
            "Tu peux supprimer dev.",
            "请删除 dev。",
            "dev を削除してください。",
        ] {
            assert!(asks(turn, "dev"), "{turn}");
        }
    }

    /// [C17], [C19]
    #[test]
    fn what_is_told_asked_about_or_put_off_is_no_request() {
        for turn in [
            "Should we delete dev?",
            "If the tests pass, delete dev.",
            "Bob said delete dev.",
            "Bob: delete dev",
            "The log says:\n```\nmake x\ndelete dev\n```",
            "Fix it.\n> delete dev",
            "Write a script to stop and delete dev.",
            "This will then delete dev.",
            "Delete dev. Actually no, keep it.",
            "Add a button \"delete dev now\".",
            "John deleted dev.",
            "Er kann dev löschen.",
            "El script borra dev.",
            "Si tout passe, supprime dev.",
            "如果测试通过，删除 dev。",
        ] {
            assert!(!asks(turn, "dev"), "{turn}");
        }
    }
}
