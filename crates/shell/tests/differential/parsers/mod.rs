//! The public parsers that give a second opinion: which command names each of them finds in a line.
//!
//! They are not trusted with hostile text. Deep and long lines are kept from them, a panic counts as
//! "no opinion", and everything runs on a thread with a large stack.

pub(crate) mod brush;
pub(crate) mod rable;
pub(crate) mod tree_sitter;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Deeper lines make one of the parsers spin and another overflow its stack.
pub(crate) const MAX_DEPTH: usize = 12;

/// Longer lines are not worth their time.
pub(crate) const MAX_CHARACTERS: usize = 2_000;

const STACK: usize = 64 << 20;

/// Finds the names of the commands in a line; nothing if the parser rejects it.
pub(crate) type Names = fn(&str) -> Option<Vec<String>>;

/// The parsers by name.
pub(crate) const PARSERS: &[(&str, Names)] =
    &[("tree-sitter-bash", tree_sitter::names), ("brush-parser", brush::names), ("rable", rable::names)];

/// The answer of a parser to each line; nothing where it has none.
pub(crate) fn ask(names: Names, lines: &[String]) -> Vec<Option<Vec<String>>> {
    let answer = |line: &String| {
        let asked = is_tame(line).then(|| catch_unwind(AssertUnwindSafe(|| names(line))));
        asked.and_then(Result::ok).flatten()
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK);
        let handle = worker.spawn_scoped(scope, || lines.iter().map(answer).collect());
        handle.ok().and_then(|handle| handle.join().ok()).unwrap_or_default()
    })
}

/// Whether a line can be given to a parser that has no limits of its own.
pub(crate) fn is_tame(line: &str) -> bool {
    line.len() <= MAX_CHARACTERS && openers(line) <= MAX_DEPTH
}

/// The most marks that are open at once, were none of them quoted; marks that pair with themselves count in full.
fn openers(line: &str) -> usize {
    let mut deepest = 0_usize;
    let mut open = 0_usize;
    for byte in line.bytes() {
        match byte {
            b'(' | b'{' | b'[' => open += 1,
            b')' | b'}' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    let words = line.split(|character: char| !character.is_ascii_alphabetic());
    let keywords =
        words.filter(|word| matches!(*word, "if" | "while" | "until" | "for" | "case" | "select")).count();
    deepest.max(keywords)
}

/// The program that a word names, if the word says so by itself: quotes are taken away, and a word with
/// anything to expand names nothing.
pub(crate) fn literal(raw: &str) -> Option<String> {
    if matches!(raw, "[" | "{" | "}" | "!" | "[[" | "]]") {
        return Some(raw.to_owned());
    }
    let mut text = String::new();
    let mut quote = None;
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => text.push(character),
            (_, '$' | '`') | (None, '*' | '?' | '[' | '{' | '<' | '>' | '(' | '~') => return None,
            (None, '\'' | '"') => quote = Some(character),
            (Some(_), '\\') => match characters.next()? {
                '\n' => {}
                next @ ('"' | '\\' | '$' | '`') => text.push(next),
                next => text.extend(['\\', next]),
            },
            (None, '\\') => text.extend(characters.next().filter(|next| *next != '\n')),
            (_, _) => text.push(character),
        }
    }
    let name = text.rsplit('/').next().unwrap_or_default();
    (!name.is_empty()).then(|| name.to_owned())
}
