//! Whether a sentence says the words of a command: in its own words and in their order, or in others that mean the same
//! (SPEC C17).

use portcullis_shell::{Argument, Command};

use super::grammar::text::find;
use super::grammar::verbs::VERBS;
use super::literal::step;

/// Words for taking away that people use for one another.
const AWAY: &[&str] = &["delete", "remove", "rm", "destroy", "del"];

/// Words between a program and its operands, in a sentence.
const BETWEEN: &[&str] = &["the", "exactly", "this", "on", "to", "with", "command", "and", "process", "pid"];

/// Whether a word says what the command does or to what kind of thing, and the sentence says that in other words: `rm` by
/// "delete", `volumes` by "volume", `app` by "application". What it is done to is named as it is.
pub(super) fn is_kind_said(said: &str, word: &Argument, command: &Command) -> bool {
    let lower = word.text.to_lowercase();
    let mut plain = command.arguments.iter().filter(|it| !it.text.starts_with('-'));
    let is_last = plain.next_back().is_some_and(|last| std::ptr::eq(last, word));
    let letters = lower.len() > 1 && lower.bytes().all(|it| it.is_ascii_lowercase());
    letters && !is_last && word.literal && (is_verb_said(said, &lower) || is_noun_said(said, &lower))
}

fn is_verb_said(said: &str, word: &str) -> bool {
    let forms = |deed| VERBS.iter().filter(move |(of, _)| *of == deed).flat_map(|(_, forms)| *forms);
    step(word).is_some_and(|deed| forms(deed).any(|form| find(&format!(" {said} "), form).is_some()))
}

/// Whether the noun is said in the singular, the plural or in full.
fn is_noun_said(said: &str, noun: &str) -> bool {
    let stem = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    let full = |word: &str| noun.len() > 2 && word.len() >= 2 * noun.len() && word.starts_with(noun);
    let mut words = said.split(|it: char| !it.is_alphanumeric());
    words.any(|word| stem(word) == stem(noun) || full(word))
}

/// Whether the text goes on with the words of the command, in their order, and then ends or goes on with one of `ends`: in
/// "kubectl delete pod x hangs" nobody asks for anything.
pub(super) fn goes_on(text: &str, command: &Command, ends: &[&str]) -> bool {
    let mut told = text.split_whitespace();
    let trim = |word: &str| word.trim_matches(|it: char| "\"'`,;:.!?()*".contains(it)).to_owned();
    let wanted = command.arguments.iter().map(|word| word.text.to_lowercase());
    let same = |word: &str, wanted: &str| word == wanted || (AWAY.contains(&word) && AWAY.contains(&wanted));
    let mut over = false;
    for wanted in wanted.filter(|word| !word.starts_with('-')) {
        let next =
            told.by_ref().find(|word| !BETWEEN.contains(&trim(word).as_str()) && !word.starts_with('-'));
        let Some(next) = next.filter(|word| same(&trim(word), &wanted)) else { return false };
        over = next.ends_with(['.', ',', ';', '!', ')', '`', '"']);
    }
    let mut rest = told.skip_while(|word| word.starts_with('-'));
    over || rest.next().is_none_or(|word| ends.contains(&trim(word).as_str()))
}
