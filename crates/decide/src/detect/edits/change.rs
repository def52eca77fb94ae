//! An edit as it is compared: the lines that do something, before and after, and those that only one of them has.

use std::collections::HashMap;

use crate::call::ToolCall;
use crate::edited::texts;

/// What an edit of a file takes away and adds.
pub(super) struct Change {
    pub(super) path: String,
    /// The name of the file and its ending, in small letters.
    pub(super) name: String,
    pub(super) ending: String,
    /// The texts as they are.
    pub(super) old: String,
    pub(super) new: String,
    /// The lines that do something, in small letters.
    pub(super) before: String,
    pub(super) after: String,
    /// Those that are in one of the two only.
    pub(super) gone: Vec<String>,
    pub(super) added: Vec<String>,
}

impl Change {
    pub(super) fn of(call: &ToolCall, path: &str) -> Change {
        let (old, new) = texts(call);
        Change::new(path, &old, &new)
    }

    pub(super) fn new(path: &str, old: &str, new: &str) -> Change {
        let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        let ending = name.rsplit('.').next().unwrap_or_default().to_owned();
        let (before, after) = (live(old), live(new));
        let (gone, added) = (only_in(&before, &after), only_in(&after, &before));
        Change {
            path: path.to_owned(),
            name,
            ending,
            old: old.to_owned(),
            new: new.to_owned(),
            before,
            after,
            gone,
            added,
        }
    }

    /// Whether there was something before.
    pub(super) fn replaces(&self) -> bool {
        !self.old.trim().is_empty()
    }

    /// How many more of the words, split at blanks, the text has after the edit than before.
    pub(super) fn gains(&self, words: &str) -> bool {
        words
            .split_whitespace()
            .any(|word| self.after.matches(word).count() > self.before.matches(word).count())
    }

    /// The lines that the edit adds, as they are written.
    pub(super) fn new_lines(&self) -> impl Iterator<Item = &str> {
        self.new.lines().filter(|line| !line.trim().is_empty() && !self.old.contains(line.trim()))
    }
}

/// The lines of a text that do something, in small letters, without what they only say at their end.
pub(super) fn live(text: &str) -> String {
    let lines = text.lines().filter(|line| !is_remark(line)).map(without_remark);
    lines.collect::<Vec<_>>().join("\n").to_lowercase()
}

fn without_remark(line: &str) -> &str {
    let end = [" # ", " // ", " -- "].iter().filter_map(|sign| line.find(sign)).min();
    end.and_then(|end| line.get(..end)).unwrap_or(line)
}

/// A line that says something to people only.
pub(super) fn is_remark(line: &str) -> bool {
    const SIGNS: &[&str] = &["//", "# ", "#!", "-- ", "/*", "* ", "*/", "<!--"];
    let line = line.trim_start();
    SIGNS.iter().any(|sign| line.starts_with(sign)) || line == "#" || line == "*"
}

/// The lines of one text that the other does not have, or not as often.
fn only_in(text: &str, other: &str) -> Vec<String> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    for line in other.lines() {
        *known.entry(line.trim()).or_default() += 1;
    }
    let mut only = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match known.get_mut(line) {
            Some(count) if *count > 0 => *count -= 1,
            _ => only.push(line.to_owned()),
        }
    }
    only
}

/// The names in a text in small letters, without what joins their words: `require_role` is `requirerole`.
pub(super) fn names(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '-' | '$')));
    parts.filter(|name| !name.is_empty()).map(|name| name.replace(['_', '-', '$'], ""))
}

/// Whether the list, split at blanks, has the word.
pub(super) fn lists(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Whether the text holds one of the words of the list.
pub(super) fn holds(text: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|word| text.contains(word))
}
