//! Nouns for kinds of files, and the names under which projects keep them: who rules out changing "the lockfile" means
//! `package-lock.json`.

use super::text::find;
use super::words::{Line, nouns};

/// The names of the kinds of files that a clause speaks of.
pub(super) fn kept_places(words: &str) -> Vec<String> {
    let spoken = |line: &Line| line.labels().any(|noun| find(words, noun).is_some());
    nouns("FileKinds").filter(spoken).flat_map(Line::words).map(str::to_owned).collect()
}
