//! The parts of a sentence that may each ask for something of their own.

use super::super::grammar::text::{Sentence, find, is_ideograph, is_name};
use super::wanted::is_number;
use super::words::{ENGLISH, GENITIVE, LEADS, OBLIQUE, SCOPES};

pub(super) fn is_polite(words: &str) -> bool {
    let asks = [
        "can you",
        "could you",
        "would you",
        "will you",
        "please",
        "kannst du",
        "könntest du",
        "würdest du",
        "peux-tu",
        "tu peux",
        "puedes",
        "podrías",
        "pode",
        "você pode",
        "poderia",
        "能",
        "可以",
        "吗",
        "ください",
        "もらえ",
        "くれ",
    ];
    asks.iter().any(|word| find(words, word).is_some())
}

/// The parts of a sentence that have a verb each.
pub(super) fn segments(sentence: &Sentence) -> Vec<String> {
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
    ];
    let mut found = Vec::new();
    for clause in &sentence.clauses {
        let mut words = clause.words.replace(" go ahead and ", " ");
        for join in joins {
            words = words.replace(join, " \n ");
        }
        found.extend(
            words.split('\n').map(|part| format!(" {} ", part.trim())).filter(|part| !part.trim().is_empty()),
        );
    }
    found
}

/// Whether the verb asks: an English one leads its part, or ends a passive; others ask in the forms that the table has.
pub(super) fn is_asking(segment: &str, at: usize, form: &str) -> bool {
    let before = segment.get(..at).unwrap_or_default();
    if !form.is_ascii() || form.starts_with("be ") || form == "can go" || !ENGLISH.contains(&form) {
        return true;
    }
    before.split_whitespace().all(|word| LEADS.contains(&word) || word.chars().any(is_ideograph))
        || before
            .split_whitespace()
            .next_back()
            .is_some_and(|word| matches!(word, "faz" | "haz" | "dar" | "fais" | "mit"))
}

/// The objects that a segment names as what something is done to.
pub(super) fn acted_on(segment: &str, objects: &[String], back: bool) -> Vec<String> {
    let tokens: Vec<&str> = segment.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let bare = token.trim_end_matches('/').trim_start_matches('#');
        let named = objects.iter().find(|object| object.as_str() == bare);
        let any = named.cloned().or_else(|| (is_name(token) || is_number(bare)).then(|| bare.to_owned()));
        let Some(name) = any else { continue };
        let before =
            |steps: usize| at.checked_sub(steps).and_then(|at| tokens.get(at)).copied().unwrap_or_default();
        let article = |word: &str| {
            matches!(
                word,
                "the"
                    | "my"
                    | "our"
                    | "branch"
                    | "den"
                    | "dem"
                    | "die"
                    | "das"
                    | "la"
                    | "le"
                    | "el"
                    | "o"
                    | "a"
            )
        };
        let scoped = SCOPES.contains(&before(1));
        let steps =
            (1..=3).find(|steps| !article(before(*steps)) && !SCOPES.contains(&before(*steps))).unwrap_or(4);
        let near = before(steps);
        let after = tokens.get(at + 1).copied().unwrap_or_default();
        let oblique = OBLIQUE.contains(&near)
            || ((back || scoped) && GENITIVE.contains(&near))
            || ["到", "在", "从", "往"].iter().any(|it| near.ends_with(it))
            || ["から", "に", "へ", "で", "上"]
                .iter()
                .any(|it| after.starts_with(it) && !after.starts_with("に対"));
        if !oblique {
            found.push(name);
        }
    }
    found
}
