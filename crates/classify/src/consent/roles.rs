//! What the names in a request stand for: what something is done to, or where, with what, from where.

use super::act::Act;
use super::text::{is_name, names};
use super::words::{GENITIVE, KINDS, OBLIQUE, REFS, SCOPES};

/// The names that stand as what something is done to.
pub(super) fn direct(act: &Act, words: &str, back: bool) -> Vec<String> {
    let direct = roles(act, words, back).into_iter().filter(|(_, near)| near.is_empty());
    direct.map(|(name, _)| name).collect()
}

/// The names in the words, each with the preposition that it depends on.
pub(super) fn roles(act: &Act, words: &str, back: bool) -> Vec<(String, String)> {
    let tokens: Vec<&str> = words.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let bare = token.trim_end_matches('/').trim_start_matches('#').trim_end_matches("'s");
        let number = !bare.is_empty() && bare.bytes().all(|it| it.is_ascii_digit());
        let known = act.objects.iter().chain(&act.values).any(|object| object.to_lowercase() == bare);
        if !(known || is_name(token) || number || REFS.has(bare)) {
            continue;
        }
        let before =
            |steps: usize| at.checked_sub(steps).and_then(|at| tokens.get(at)).copied().unwrap_or_default();
        let passed = |word: &str| ARTICLES.contains(&word) || SCOPES.has(word);
        let steps = (1..=3).find(|steps| !passed(before(*steps))).unwrap_or(4);
        let near = before(steps);
        let after = tokens.get(at + 1).copied().unwrap_or_default();
        let genitive = (back || SCOPES.has(before(1))) && GENITIVE.has(near);
        let cjk = ["到", "在", "从", "往"].iter().any(|it| near.ends_with(it))
            || (["から", "に", "へ", "で", "上"].iter().any(|it| after.starts_with(it))
                && !after.starts_with("に対"));
        let oblique = (OBLIQUE.has(near) && !GENITIVE.has(near)) || genitive || cjk;
        let near = match (near, after) {
            (near, after) if near.ends_with('到') || after.starts_with(['に', 'へ']) => "到 ".to_owned(),
            (near, _) if oblique => format!("{near} "),
            _ => String::new(),
        };
        let parts = bare
            .split('@')
            .chain(bare.split_once('/').filter(|(kind, _)| KINDS.has(kind)).map(|(_, name)| name))
            .filter(|part| *part != bare && !part.is_empty());
        found.extend(parts.map(|part| (part.to_owned(), near.clone())));
        found.push((bare.to_owned(), near));
    }
    found
}

/// Words between a preposition and its noun.
const ARTICLES: &[&str] = &[
    "the", "my", "our", "branch", "branche", "rama", "den", "dem", "die", "das", "la", "le", "el", "o", "a",
];

/// Whether words have a name, not as a part of a longer one.
pub(super) fn is_named(name: &str, words: &str) -> bool {
    let lower = name.to_lowercase();
    let name = lower.trim_end_matches('/');
    matches!(name, "head" | "" | "localhost" | "127.0.0.1")
        || names(words, name)
        || words.split_whitespace().any(|token| token.trim_end_matches('/').trim_start_matches('#') == name)
        || words
            .split_whitespace()
            .any(|token| token.split_once('/').is_some_and(|(kind, it)| KINDS.has(kind) && it == name))
}
