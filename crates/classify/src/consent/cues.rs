//! Function words that restrict: negation, exclusivity, exception, and what is to stay, to wait, or to be left to the
//! person. They are closed classes in every language; what is restricted is told by the other words of the clause.

use std::sync::LazyLock;

use super::table::Table;
use super::text::{Clause, Sentence, find};
use super::words::{self, Action, BEFORE, IDIOMS, SHOWS};

/// How a clause restricts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Cue {
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
    /// "skip the tests".
    Skips,
}

static CUES: LazyLock<Table<Cue>> = LazyLock::new(|| {
    words::cues(&[
        (Cue::ReadOnly, "ReadOnly"),
        (Cue::Except, "Except"),
        (Cue::Only, "Only"),
        (Cue::Not, "Not"),
        (Cue::Stays, "Stays"),
        (Cue::Waits, "Waits"),
        (Cue::Asks, "Asks"),
        (Cue::Own, "Own"),
        (Cue::Skips, "Skips"),
    ])
});

/// The cues of a clause and their places, the first of each.
pub(super) fn cues(words: &str) -> Vec<(usize, Cue)> {
    let mut found: Vec<(usize, Cue)> = Vec::new();
    CUES.each(words, |_| false, |at, _, cue| found.push((at, cue)));
    found.sort_by_key(|(at, cue)| (*cue, *at));
    found.dedup_by_key(|(_, cue)| *cue);
    // French "ne … que" is "only".
    let que = find(words, "que").filter(|que| find(words, "ne").is_some_and(|ne| ne < *que));
    let negated = found.iter().any(|(_, cue)| *cue == Cue::Not);
    found.extend(que.filter(|_| !negated).map(|at| (at, Cue::Only)));
    // French "c'est X qui …": somebody else does it.
    let est = find(words, "est").filter(|est| find(words, "qui").is_some_and(|qui| *est < qui));
    found.extend(est.map(|at| (at, Cue::Own)));
    // English "stop pushing", "quit editing".
    let mut tokens = words.split_whitespace().peekable();
    while let Some(token) = tokens.next() {
        let ing = tokens.peek().is_some_and(|next| next.ends_with("ing"));
        if matches!(token, "stop" | "quit") && ing {
            found.push((find(words, token).unwrap_or(0), Cue::Not));
        }
    }
    found
}

/// Whether any clause of a turn could restrict: one look before all else.
pub(super) fn restricts(clause: &Clause) -> bool {
    !cues(&IDIOMS.without(&clause.words)).is_empty()
}

/// The actions that are to wait until the person has seen something: "show me the diff before you commit".
pub(super) fn seen_first(sentence: &Sentence) -> Vec<Action> {
    let shows = sentence.clauses.iter().any(|clause| SHOWS.is_in(&clause.words));
    let before = |words: &str| {
        let at = BEFORE.first(words)?;
        // Chinese and Japanese say the action first.
        let ideograph = words.get(at..).is_some_and(|rest| rest.starts_with(super::text::is_ideograph));
        if ideograph { words.get(..at).map(str::to_owned) } else { words.get(at..).map(str::to_owned) }
    };
    let waiting = sentence.clauses.iter().filter(|_| shows).filter_map(|clause| before(&clause.words));
    waiting.flat_map(|words| super::calls::kinds(&format!("{words} "))).map(|(_, action)| action).collect()
}
