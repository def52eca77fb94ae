//! What a person's sentence is: a request, a question or a prohibition. Small and careful: what is not
//! surely a request gives no leave.

/// A sentence of a human turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mood {
    /// It asks for something to be done.
    Request,
    /// It asks for an answer.
    Question,
    /// It forbids something.
    Ban,
}

/// Words that turn a sentence into a ban.
const BANS: &[&str] = &[
    "don't",
    "do not",
    "dont ",
    "never",
    "must not",
    "mustn't",
    "should not",
    "shouldn't",
    "may not",
    "without",
    "hands off",
    "keep away",
    "stay away",
    "off limits",
    "not yet",
    "not to ",
    "no pushes",
    "no push",
    "no new",
    "no commit",
    "no delet",
    "no deploy",
    "no install",
    "no changes to",
    "donot ",
    "you can't",
    "you cannot",
    "you can not",
    "we can't",
    "we cannot",
    "not allowed",
    "not permitted",
    "forbidden",
    "avoid",
    "off-limits",
    "refrain",
    "nicht",
    "kein",
    "ohne ",
    "niemals",
    "finger weg",
    "ne pas",
    "jamais",
    "sans ",
    "no hagas",
    "no toques",
    "no borres",
    "nunca",
    "sin ",
    "não ",
    "nunca",
    "sem ",
    "senza",
    "не ",
    "нельзя",
    "不要",
    "别",
    "勿",
    "不许",
    "しないで",
    "するな",
    "禁止",
    "하지 마",
];

/// Words that begin a question.
const QUESTIONS: &[&str] = &[
    "what",
    "why",
    "how",
    "who",
    "which",
    "when",
    "where",
    "is ",
    "are ",
    "does",
    "do we",
    "do i",
    "did",
    "has ",
    "have ",
    "should",
    "would",
    "could it",
    "can it",
    "can we",
    "can i",
    "was ",
    "were ",
    "warum",
    "wie ",
    "was ",
    "wer ",
    "welche",
    "wann",
    "wo ",
    "ist ",
    "sind ",
    "qué",
    "por qué",
    "cómo",
    "cuánto",
    "¿",
    "pourquoi",
    "comment",
    "quel",
    "est-ce",
    "combien",
    "show me what",
    "tell me what",
    "tell me whether",
    "explain",
    "see whether",
    "check whether",
    "look into",
    "find out",
    "have a look",
    "draft",
    "plan ",
    "suggest",
    "compare",
    "describe",
    "list ",
    "review",
];

/// Where one clause ends and another begins.
const JOINS: &[&str] =
    &[" but ", " and then ", " then ", " instead of ", " rather than ", " aber ", " pero ", " mais "];

/// A part of a sentence.
pub(super) struct Clause {
    pub(super) text: String,
    /// Whether it stands by itself: a comma before it leaves open what it belongs to.
    pub(super) fresh: bool,
}

pub(super) use super::grammar::text::plain;

/// The sentences of a turn in their clauses. What follows a colon, and the items of a list, belong to the sentence
/// before them.
pub(super) fn split(turn: &str) -> Vec<Vec<Clause>> {
    let fence = |line: &&str| !line.trim_start().starts_with("```");
    let turn = turn.lines().filter(fence).collect::<Vec<_>>().join("\n");
    let mut found: Vec<Vec<Clause>> = Vec::new();
    let mut sentence: Vec<Clause> = Vec::new();
    let mut piece = String::new();
    let mut last = ' ';
    // The lines behind a colon, up to an empty one, belong to what leads to them: "Never run these:".
    let mut led = false;
    let mut characters = turn.chars().peekable();
    while let Some(character) = characters.next() {
        piece.push(character);
        if character == '\n' {
            let more = characters.peek().is_some_and(|next| *next != '\n');
            led = (led || last == ':') && more;
        }
        let blank_next = characters.peek().is_none_or(|next| next.is_whitespace());
        let item = || characters.clone().find(|next| *next != ' ').is_some_and(|next| "-*•".contains(next));
        let goes_on = character == '\n' && (led || last == ':' || item());
        let ends = matches!(character, '\n' | ';' | '。' | '?' | '!' | '？' | '！')
            || (character == '.' && blank_next);
        let pauses = (character == ',' && blank_next) || character == '，' || goes_on;
        if !character.is_whitespace() {
            last = character;
        }
        if ends || pauses {
            clauses(&std::mem::take(&mut piece), &mut sentence);
        }
        if ends && !goes_on {
            found.push(std::mem::take(&mut sentence));
        }
    }
    clauses(&piece, &mut sentence);
    found.push(sentence);
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Adds what stands between the joins of a piece; what follows "instead of" is neither asked for nor forbidden.
fn clauses(piece: &str, found: &mut Vec<Clause>) {
    let mut fresh = found.is_empty();
    let mut add = |text: &str, fresh: bool| {
        if !text.trim().is_empty() {
            found.push(Clause { text: text.to_owned(), fresh });
        }
    };
    let mut rest = piece;
    loop {
        let lower = rest.to_lowercase();
        let join = JOINS.iter().filter_map(|join| Some((lower.find(join)?, *join))).min();
        let parts = join.and_then(|(at, join)| Some((rest.get(..at)?, join, rest.get(at + join.len()..)?)));
        let Some((head, join, tail)) = parts else { return add(rest, fresh) };
        add(head, fresh);
        if matches!(join, " instead of " | " rather than ") || (join == " but " && takes_out(head, tail)) {
            return;
        }
        fresh = true;
        rest = tail;
    }
}

/// Whether "but" takes something out of all that was named: "every branch but main".
fn takes_out(head: &str, tail: &str) -> bool {
    let mut words = head.split_whitespace();
    let next = tail.split_whitespace().next().unwrap_or_default().to_lowercase();
    let goes_on =
        ["do", "don't", "dont", "not", "never", "no", "leave", "keep", "only", "just", "please", "first"];
    words.any(|word| matches!(word.to_lowercase().as_str(), "all" | "every" | "everything" | "any"))
        && !goes_on.contains(&plain(&next).as_str())
}

/// What a clause is.
pub(super) fn mood(sentence: &str) -> Mood {
    let lower = plain(sentence.trim());
    if forbids(&lower) {
        return Mood::Ban;
    }
    let asks = lower.ends_with(['?', '？']) || QUESTIONS.iter().any(|word| lower.starts_with(word));
    if asks { Mood::Question } else { Mood::Request }
}

/// Deeds that are forbidden by a word before or after them: "stop pushing", "push nothing".
const STOPPED: &[&str] = &[
    "push", "delet", "remov", "commit", "install", "deploy", "publish", "chang", "edit", "touch", "send",
    "upload",
];

/// Whether small letters forbid something.
pub(super) fn forbids(lower: &str) -> bool {
    let left = lower.contains("leave ")
        && [" alone", " untouched", " unchanged", " as is", " as it is", " as they are"]
            .iter()
            .any(|end| lower.contains(end));
    // Every turn of a long conversation comes by here: first the word that is rare, then the deeds.
    let stopped = ["stop ", "quit ", "no more "].iter().any(|word| {
        let mut rests = lower.match_indices(word).filter_map(|(at, _)| lower.get(at + word.len()..));
        rests.any(|rest| {
            STOPPED.iter().any(|deed| rest.starts_with(deed))
                && rest.split_whitespace().next().is_some_and(|it| it.contains("ing"))
        })
    });
    let nothing = lower.match_indices(" nothing").filter_map(|(at, _)| lower.get(..at)).any(|head| {
        let stem = head.strip_suffix('e').unwrap_or(head);
        STOPPED.iter().any(|deed| head.ends_with(deed) || stem.ends_with(deed))
    });
    left || stopped || nothing || BANS.iter().any(|word| lower.contains(word))
}

/// Where `text` holds `word` as a whole word.
pub(super) fn places(text: &str, word: &str) -> Vec<usize> {
    let end_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '/');
    let whole = |(at, _): &(usize, &str)| {
        let after = text.get(at + word.len()..).and_then(|tail| tail.chars().next());
        let before = text.get(..*at).and_then(|head| head.chars().next_back());
        before.is_none_or(|it| !end_part(it)) && after.is_none_or(|it| !end_part(it))
    };
    text.match_indices(word).filter(whole).map(|(at, _)| at).collect()
}

/// Whether `text` holds `word` not as a part of a longer name.
pub(super) fn names(text: &str, word: &str) -> bool {
    let part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '/');
    if word.is_empty() {
        return false;
    }
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(word)) {
        let start = from + found;
        let end = start + word.len();
        let before = text.get(..start).and_then(|head| head.chars().next_back());
        let after = text.get(end..).and_then(|tail| tail.chars().next());
        let dotted = after == Some('.')
            && text.get(end + 1..).and_then(|tail| tail.chars().next()).is_some_and(char::is_alphanumeric);
        if before.is_none_or(|it| !part(it) && it != '.') && after.is_none_or(|it| !part(it)) && !dotted {
            return true;
        }
        from = end;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moods(turn: &str) -> Vec<Mood> {
        split(turn).into_iter().flatten().map(|clause| mood(&clause.text)).collect()
    }

    /// [C17]
    #[test]
    fn a_question_or_a_ban_is_no_request() {
        assert_eq!(moods("Push it to main."), [Mood::Request]);
        assert_eq!(moods("Why is main behind?"), [Mood::Question]);
        assert_eq!(moods("Fix the test. Don't push."), [Mood::Request, Mood::Ban]);
        assert_eq!(moods("Bitte nicht pushen!"), [Mood::Ban]);
        assert_eq!(moods("不要动其他页面"), [Mood::Ban]);
        assert_eq!(moods("Commit but don't push."), [Mood::Request, Mood::Ban]);
        assert_eq!(moods("Push to fix/x instead of main."), [Mood::Request]);
        assert_eq!(moods("Stop the containers."), [Mood::Request]);
        assert_eq!(moods("What would happen if you deleted it"), [Mood::Question]);
    }

    #[test]
    fn a_name_is_not_found_inside_another() {
        assert!(names("delete feature/csv on origin", "feature/csv"));
        assert!(!names("delete feature/csv-export", "feature/csv"));
        assert!(names("push main.", "main"));
        assert!(!names("edit main.rs", "main"));
    }
}
