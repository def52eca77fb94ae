//! Finds the patterns of a word list in a text: one look-up for each word of the text, however long the list is.

use std::collections::HashMap;

/// Whether a character is of a script that puts no blanks between words.
pub(super) fn is_ideograph(character: char) -> bool {
    ('\u{2e80}'..='\u{9fff}').contains(&character) || ('\u{ac00}'..='\u{d7af}').contains(&character)
}

/// A word list, ready to be looked for. `push*` begins a word, `tag` is one, `check out` is two; what has no blanks
/// between words may be anywhere.
pub(super) struct Table<T> {
    /// By the first word of a pattern.
    words: HashMap<&'static str, Vec<Pattern<T>>>,
    /// By the letters that a word begins with.
    stems: HashMap<&'static str, Vec<T>>,
    longest_stem: usize,
    anywhere: Vec<(&'static str, T)>,
}

struct Pattern<T> {
    /// What follows the first word.
    rest: &'static str,
    /// Whether the last word may go on.
    open: bool,
    value: T,
}

impl<T: Copy> Table<T> {
    pub(super) fn new(patterns: impl Iterator<Item = (&'static str, T)>) -> Table<T> {
        let mut table =
            Table { words: HashMap::new(), stems: HashMap::new(), longest_stem: 0, anywhere: Vec::new() };
        for (pattern, value) in patterns {
            let text = pattern.strip_suffix('*').unwrap_or(pattern);
            let open = text.len() < pattern.len();
            if pattern.chars().next().is_some_and(is_ideograph) {
                table.anywhere.push((pattern, value));
            } else if let Some(at) = text.find(' ') {
                let (first, rest) = text.split_at(at);
                table.words.entry(first).or_default().push(Pattern { rest, open, value });
            } else if open {
                table.longest_stem = table.longest_stem.max(text.len());
                table.stems.entry(text).or_default().push(value);
            } else {
                table.words.entry(text).or_default().push(Pattern { rest: "", open: false, value });
            }
        }
        table
    }

    /// Tells of every match: where it begins, how long it is, and what the list has for it. Words that `skipped` names are
    /// passed over.
    pub(super) fn each(
        &self,
        words: &str,
        skipped: impl Fn(&str) -> bool,
        mut found: impl FnMut(usize, usize, T),
    ) {
        let mut at = 0;
        for token in words.split(' ') {
            if !token.is_empty() && !skipped(token) {
                let behind = words.get(at + token.len()..).unwrap_or_default();
                for pattern in self.words.get(token).into_iter().flatten() {
                    let tail = behind.strip_prefix(pattern.rest);
                    if tail.is_some_and(|tail| pattern.open || tail.is_empty() || tail.starts_with(' ')) {
                        found(at, token.len() + pattern.rest.len(), pattern.value);
                    }
                }
                for end in 1..=token.len().min(self.longest_stem) {
                    let stem = token.get(..end).and_then(|stem| self.stems.get(stem));
                    stem.into_iter().flatten().for_each(|value| found(at, end, *value));
                }
            }
            at += token.len() + 1;
        }
        if words.chars().any(is_ideograph) {
            for (pattern, value) in &self.anywhere {
                if let Some(at) = words.find(pattern) {
                    found(at, pattern.len(), *value);
                }
            }
        }
    }
}
