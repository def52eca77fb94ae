//! Words that comments, messages and pages do not use: each has a better one.

use super::markdown;
use super::source::Source;
use super::tree::TextFile;

/// A word, what to write instead, and the folders in which it is still found; take a folder off when it is gone there.
struct Word {
    avoided: &'static str,
    instead: &'static str,
    still_in: &'static [&'static str],
}

const WORDS: &[Word] = &[
    Word { avoided: "deed", instead: "action", still_in: &["crates/decide/src/detect"] },
    Word { avoided: "deeds", instead: "actions", still_in: &[] },
    Word { avoided: "rulers", instead: "local control APIs", still_in: &[] },
    Word { avoided: "keepers", instead: "secret tools", still_in: &[] },
    Word { avoided: "let_in", instead: "hardcoded auth", still_in: &[] },
    Word { avoided: "goes past", instead: "skips, bypasses or exceeds", still_in: &[] },
    Word { avoided: "of its own accord", instead: "by itself or unasked", still_in: &[] },
    Word { avoided: "of their own accord", instead: "by themselves or unasked", still_in: &[] },
    Word { avoided: "came of it", instead: "the result or outcome", still_in: &[] },
    Word { avoided: "comes of it", instead: "the result or outcome", still_in: &[] },
];

/// What is still to be replaced, and folders that are listed without need.
pub(crate) fn found<'a>(sources: &[Source], pages: impl Iterator<Item = &'a TextFile>) -> Vec<String> {
    let mut texts: Vec<(&str, usize, String)> = Vec::new();
    for source in sources.iter().filter(|source| !source.name.contains("/tests/tidy/")) {
        let pieces = source.comments.iter().chain(&source.strings);
        texts.extend(pieces.map(|(line, text)| (source.name.as_str(), *line, text.to_lowercase())));
    }
    // The text that a model is shown has a version of its own.
    for page in pages.filter(|page| !page.is_in(&["crates"])) {
        texts.push((&page.name, 1, markdown::prose(&page.text).to_lowercase()));
    }
    let mut found = Vec::new();
    for Word { avoided: word, instead, still_in } in WORDS {
        let mut used_in = vec![false; still_in.len()];
        for (name, first, text) in &texts {
            for at in places(text, word) {
                let folder = still_in.iter().position(|folder| name.starts_with(folder));
                if let Some(used) = folder.and_then(|at| used_in.get_mut(at)) {
                    *used = true;
                    continue;
                }
                let line = first + text.get(..at).unwrap_or_default().matches('\n').count();
                found.push(format!("{name}:{line}: `{word}`; write: {instead}"));
            }
        }
        let unused = still_in.iter().zip(used_in).filter(|(_, used)| !used);
        found.extend(unused.map(|(folder, _)| {
            format!("{folder}: `{word}` is gone; take the folder off the list in crates/portcullis/tests/tidy/words.rs")
        }));
    }
    found
}

/// Where a text has these words, and not as parts of others.
fn places(text: &str, words: &str) -> Vec<usize> {
    let is_end = |char: Option<char>| char.is_none_or(|char| !char.is_alphanumeric() && char != '_');
    let found = text.match_indices(words).filter(|(at, _)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let after = text.get(at + words.len()..).and_then(|after| after.chars().next());
        is_end(before) && is_end(after)
    });
    found.map(|(at, _)| at).collect()
}
