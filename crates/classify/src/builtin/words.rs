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

/// The sentences of a turn, each with its mood.
pub(super) fn sentences(turn: &str) -> impl Iterator<Item = (Mood, String)> {
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    let mut characters = turn.chars().peekable();
    while let Some(character) = characters.next() {
        piece.push(character);
        let blank_next = characters.peek().is_none_or(|next| next.is_whitespace());
        let ends = matches!(character, '\n' | ';' | '。' | '?' | '!' | '？' | '！' | ',' | '，')
            || (character == '.' && blank_next);
        if ends {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    pieces.push(piece);
    let clauses: Vec<String> = pieces.iter().flat_map(|piece| clauses(piece)).collect();
    clauses
        .into_iter()
        .filter(|piece| !piece.trim().is_empty())
        .map(|piece| (mood(&piece), piece.to_lowercase()))
}

/// What stands between the joins of a sentence; what follows "instead of" is neither asked for nor forbidden.
fn clauses(sentence: &str) -> Vec<String> {
    let mut rest = sentence.to_owned();
    let mut clauses = Vec::new();
    loop {
        let lower = rest.to_lowercase();
        let join = JOINS.iter().filter_map(|join| Some((lower.find(join)?, *join))).min();
        let Some((at, join)) = join else {
            clauses.push(rest);
            return clauses;
        };
        let (head, tail) =
            (rest.get(..at).map(str::to_owned), rest.get(at + join.len()..).map(str::to_owned));
        let (Some(head), Some(tail)) = (head, tail) else {
            clauses.push(rest);
            return clauses;
        };
        clauses.push(head);
        if matches!(join, " instead of " | " rather than ") {
            return clauses;
        }
        rest = tail;
    }
}

fn mood(sentence: &str) -> Mood {
    let lower = sentence.trim().to_lowercase();
    if BANS.iter().any(|word| lower.contains(word)) {
        return Mood::Ban;
    }
    let asks = lower.ends_with(['?', '？']) || QUESTIONS.iter().any(|word| lower.starts_with(word));
    if asks { Mood::Question } else { Mood::Request }
}

/// Whether any sentence of the turn can be a ban: one look, where there are many turns to look through.
pub(super) fn may_forbid(turn: &str) -> bool {
    let lower = turn.to_lowercase();
    BANS.iter().any(|word| lower.contains(word))
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
        sentences(turn).map(|(mood, _)| mood).collect()
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

    proptest::proptest! {
        /// [C17]: the one look never misses what the long one finds.
        #[test]
        fn what_holds_a_ban_may_forbid(
            parts in proptest::collection::vec(proptest::sample::select(&[
                "Do NOT", "DON'T ", "dont", " ", "\n", "push", " but ", "не ", "НЕ", "İ", "ΟΔΟΣ", ".", ", ", "; ",
                " instead of ", "Never", "sin", "别", "nicht", "ß", "?",
            ][..]), 0..12)
        ) {
            let turn = parts.concat();
            proptest::prop_assert!(may_forbid(&turn) || !moods(&turn).contains(&Mood::Ban), "{turn}");
        }
    }

    #[test]
    fn a_name_is_not_found_inside_another() {
        assert!(names("delete feature/csv on origin", "feature/csv"));
        assert!(!names("delete feature/csv-export", "feature/csv"));
        assert!(names("push main.", "main"));
        assert!(!names("edit main.rs", "main"));
    }
}
