//! What the user said later that lifts a restriction.

use super::calls::kinds;
use super::content::content;
use super::cues::restricts;
use super::restriction::{Restriction, What, names_of};
use super::text::{Clause, Sentence, is_ideograph};
use super::words::{Action, LIFT_LEAD, POLITE, WORKS};

/// What a sentence asks for before it restricts anything.
pub(super) struct Lift {
    kinds: Vec<Action>,
    names: Vec<String>,
    /// The parts that ask for files to be changed.
    works: Vec<String>,
    words: Vec<String>,
}

impl Lift {
    pub(super) fn of(sentence: &Sentence) -> Lift {
        let mut lift = Lift { kinds: Vec::new(), names: Vec::new(), works: Vec::new(), words: Vec::new() };
        for clause in sentence.clauses.iter().take_while(|clause| !restricts(clause)) {
            lift.words.extend(content(&clause.words));
            lift.words.extend(clause.names());
            if sentence.question && !is_polite(clause) {
                continue;
            }
            for part in clause.words.split(" and ") {
                let part = format!(" {} ", part.trim());
                let asked = kinds(&part).into_iter().filter(|(at, _)| is_led(&part, *at));
                let asked: Vec<Action> = asked.map(|(_, kind)| kind).collect();
                let works = WORKS.first(&part).is_some_and(|at| is_led(&part, at));
                if !asked.is_empty() {
                    lift.names.extend(names_of(clause));
                }
                // Where it matters what it is done to, it is lifted for that.
                if asked.iter().any(|kind| !matches!(kind, Action::Push | Action::Commit | Action::Edit)) {
                    lift.names.extend(content(&part));
                }
                if works || asked.iter().any(|kind| matches!(kind, Action::Edit | Action::Delete)) {
                    lift.works.push(part);
                }
                lift.kinds.extend(asked);
            }
        }
        lift
    }

    /// Whether nothing is left of the restriction.
    pub(super) fn ends(&self, restriction: &mut Restriction, of_earlier_turn: bool) -> bool {
        match &mut restriction.what {
            What::Change => of_earlier_turn && !self.works.is_empty(),
            What::Actions { kinds, .. } => {
                let asked: Vec<Action> =
                    kinds.iter().filter(|kind| self.kinds.contains(kind)).copied().collect();
                if asked.is_empty() {
                    return false;
                }
                if self.names.is_empty() {
                    kinds.retain(|kind| !asked.contains(kind));
                    return kinds.is_empty();
                }
                restriction.lifted.extend(self.names.iter().cloned());
                false
            }
            What::Places(places) => {
                places.retain(|place| !self.works.iter().any(|part| has_token(part, place)));
                places.is_empty()
            }
            What::Outside(_) => {
                restriction.lifted.extend(self.words.iter().filter(|_| of_earlier_turn).cloned());
                false
            }
            What::Words(_) | What::Untied => false,
        }
    }
}

fn is_polite(clause: &Clause) -> bool {
    let first = clause.tokens().next().unwrap_or_default();
    POLITE.is_in(&clause.words)
        || matches!(first, "can" | "could" | "would" | "will")
        || first.starts_with(is_ideograph)
}

/// Whether nothing stands before the verb but words that lead to it.
fn is_led(part: &str, at: usize) -> bool {
    let before = part.get(..at).unwrap_or_default();
    let verb = part.get(at..).unwrap_or_default().split_whitespace().next().unwrap_or_default();
    let in_the_past = verb.len() > 4 && verb.ends_with("ed");
    !in_the_past
        && before.split_whitespace().all(|word| LIFT_LEAD.has(word) || word.chars().any(is_ideograph))
}

fn has_token(words: &str, name: &str) -> bool {
    words.split_whitespace().any(|token| token.trim_end_matches('/') == name.trim_end_matches('/'))
}
