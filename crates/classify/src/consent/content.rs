//! What a clause that restricts is about: the actions it names, and the words that say what they are done to.

use super::calls::{acting, kinds};
use super::cues::cues;
use super::text::{Sentence, tokens};
use super::words::{Action, FUNCTION, IDIOMS, QUALITIES, SHOWN_IN_NAMES, SUBORDINATES};

/// What is run, of what people call by a name of its own: tests, builds and the like.
pub(super) fn runs_of(words: &str) -> Vec<Action> {
    let runs = |kind: &Action| {
        matches!(kind, Action::Test | Action::Build | Action::Format | Action::Publish | Action::Migrate)
    };
    kinds(words).into_iter().map(|(_, kind)| kind).filter(runs).collect()
}

/// Of the words for actions behind an English negation, those that are its verbs: the first, and what "or", "and" or a
/// comma joins to it. "Do not touch the migrations" rules out no migrating.
pub(super) fn verbs(words: &str, found: &[(usize, Action)]) -> Vec<(usize, Action)> {
    let Some((first, _)) = found.first() else { return Vec::new() };
    let joined = |at: usize| {
        let before = words.get(..at).unwrap_or_default().split_whitespace().next_back();
        at == *first || before.is_some_and(|word| matches!(word, "or" | "and" | "nor" | "&" | "even" | "not"))
    };
    found.iter().filter(|(at, _)| joined(*at)).copied().collect()
}

/// The words that say what the verbs are about.
pub(super) fn objects(text: &str, verbs: &[(usize, Action)]) -> Vec<String> {
    let is_verb = |at: usize| verbs.iter().any(|(verb, _)| *verb == at);
    let says = |(at, token): &(usize, &str)| {
        !is_verb(*at)
            && token.len() > 2
            && token.chars().any(char::is_alphanumeric)
            && !FUNCTION.has(token)
            && cues(&format!(" {token} ")).is_empty()
    };
    // "Never push without me saying so": what the subordinate clause says is no object.
    let main = tokens(text).skip(1).take_while(|(_, token)| !SUBORDINATES.has(token));
    main.filter(says).map(|(_, token)| token.to_owned()).collect()
}

/// The kinds that every clause of a sentence names.
pub(super) fn every_kind(sentence: &Sentence) -> Vec<Action> {
    let all = sentence.clauses.iter().flat_map(|clause| acting(&IDIOMS.without(&clause.words)));
    all.map(|(_, kind)| kind).filter(|kind| *kind != Action::Edit).collect()
}

/// The words of a text that say what it is about.
pub(super) fn content(text: &str) -> Vec<String> {
    let says = |token: &&str| {
        token.len() > 2
            && token.chars().any(char::is_alphanumeric)
            && !FUNCTION.has(token)
            && acting(&format!(" {token} ")).is_empty()
            && cues(&format!(" {token} ")).is_empty()
    };
    text.split_whitespace().filter(says).map(str::to_owned).collect()
}

pub(super) fn qualities(words: &str) -> Vec<String> {
    tokens(words).filter(|(_, token)| QUALITIES.has(token)).map(|(_, token)| token.to_owned()).collect()
}

/// Whether a word names a kind of file that is recognised by its path.
pub(super) fn shows_in_names(word: &str) -> bool {
    SHOWN_IN_NAMES.has(word)
}

/// Whether words describe a quality of code, and no part of it.
pub(super) fn is_quality(described: &[String]) -> bool {
    described.iter().any(|word| QUALITIES.has(word))
}
