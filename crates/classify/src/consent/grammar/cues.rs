//! Function words that restrict: negation, exclusivity, exception, and what is to stay, to wait, or to be left to the
//! person. They are closed classes in every language; what is restricted is told by the other words of the clause.

use std::sync::LazyLock;

use super::cue_words::{CUES, IDIOMS};
use super::table::Table;
use super::text::Clause;

/// How a clause restricts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Cue {
    /// Nothing is to be changed: "read-only".
    ReadOnly,
    /// All but what is named: "except".
    Except,
    /// Nothing but what is named: "only".
    Only,
    /// "not", "never", "without".
    Not,
    /// "leave alone", "off limits", "untouched".
    Stays,
    /// "wait with", "hold off".
    Waits,
    /// "ask me before".
    Asks,
    /// "I'll do that myself".
    Own,
}

/// The clause without idioms.
pub(in super::super) fn without_idioms(words: &str) -> String {
    static TABLE: LazyLock<Table<()>> = LazyLock::new(|| Table::new(IDIOMS.iter().map(|idiom| (*idiom, ()))));
    let mut kept = words.to_owned();
    loop {
        let mut first: Option<(usize, usize)> = None;
        TABLE.each(
            &kept,
            |_| false,
            |at, length, ()| {
                first = Some(first.map_or((at, length), |known| known.min((at, length))));
            },
        );
        let Some((at, length)) = first else { return kept };
        kept.replace_range(at..at + length, "");
    }
}

/// The cues of a clause and their places.
pub(in super::super) fn cues(words: &str) -> Vec<(usize, Cue)> {
    static TABLE: LazyLock<Table<Cue>> = LazyLock::new(|| {
        Table::new(CUES.iter().flat_map(|(cue, words)| words.iter().map(move |word| (*word, *cue))))
    });
    let mut each: Vec<(usize, Cue)> = Vec::new();
    TABLE.each(words, |_| false, |at, _, cue| each.push((at, cue)));
    let first = |cue: Cue| each.iter().filter(|(_, other)| *other == cue).map(|(at, _)| *at).min();
    let mut found: Vec<(usize, Cue)> =
        CUES.iter().filter_map(|(cue, _)| Some((first(*cue)?, *cue))).collect();
    // French "ne … que" is "only".
    let que = super::text::find(words, "que")
        .filter(|que| super::text::find(words, "ne").is_some_and(|ne| ne < *que));
    let negated = found.iter().any(|(_, cue)| *cue == Cue::Not);
    if let Some(at) = que.filter(|_| !negated) {
        found.push((at, Cue::Only));
    }
    // French "c'est X qui …": somebody else does it.
    let est = super::text::find(words, "est")
        .filter(|est| super::text::find(words, "qui").is_some_and(|qui| *est < qui));
    found.extend(est.map(|at| (at, Cue::Own)));
    // English "show me the diff before you commit".
    let before = super::text::find(words, "before you");
    let shows = super::text::find(words, "me").or_else(|| super::text::find(words, "let me"));
    if let Some(at) = before.filter(|before| shows.is_some_and(|me| me < *before)) {
        found.push((at, Cue::Asks));
    }
    // English "stop pushing", "quit editing".
    let mut tokens = words.split_whitespace().peekable();
    while let Some(token) = tokens.next() {
        let ing = tokens.peek().is_some_and(|next| next.ends_with("ing"));
        if matches!(token, "stop" | "quit") && ing {
            found.push((super::text::find(words, token).unwrap_or(0), Cue::Not));
        }
    }
    found
}

/// Whether any clause of a turn could restrict: one look before all else.
pub(in super::super) fn restricts(clause: &Clause) -> bool {
    !cues(&without_idioms(&clause.words)).is_empty()
}
