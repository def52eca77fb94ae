//! What texts of a session's facts say, for those read last: a session that wrote thousands of files is read with
//! every call, and seldom says anything new.

use std::sync::{Mutex, PoisonError};

use portcullis_decide::session::SessionFacts;

/// How many texts are kept. A text has a few hundred kilobytes at most, its facts about as much.
const MAX_KEPT: usize = 16;
/// Shorter ones are read as fast as they are looked for, and would take the place of the long.
const LONG: usize = 4 << 10;

/// The texts and what they say, the one used last in front. That a text says something is true for every store.
static KEPT: Mutex<Vec<(String, SessionFacts)>> = Mutex::new(Vec::new());

/// The facts of a text; nothing if it is not understood.
pub(super) fn facts_of(text: &str) -> Option<SessionFacts> {
    if let Some(facts) = find(|(known, _)| known == text, |(_, facts)| facts.clone()) {
        return Some(facts);
    }
    let facts = SessionFacts::from_json(serde_json::from_str(text).ok()?)?;
    keep(text, &facts);
    Some(facts)
}

/// The facts as a text.
pub(super) fn text_of(facts: &SessionFacts) -> String {
    let known = find(|(_, known)| known == facts, |(text, _)| text.clone());
    known.unwrap_or_else(|| {
        let text = facts.to_json().to_string();
        keep(&text, facts);
        text
    })
}

fn find<T>(
    is_it: impl Fn(&(String, SessionFacts)) -> bool,
    take: impl FnOnce(&(String, SessionFacts)) -> T,
) -> Option<T> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let at = kept.iter().position(is_it)?;
    kept.get_mut(..=at)?.rotate_right(1);
    kept.first().map(take)
}

fn keep(text: &str, facts: &SessionFacts) {
    if text.len() >= LONG {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(0, (text.to_owned(), facts.clone()));
        kept.truncate(MAX_KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrote(count: usize, name: &str) -> SessionFacts {
        let written: Vec<String> = (0..count).map(|number| format!("/p/{name}/{number}.rs")).collect();
        SessionFacts { written: written.into(), ..SessionFacts::default() }
    }

    /// [N3] [R12] However often, in whichever order and past whatever is kept: a text says what it says.
    #[test]
    fn a_text_says_the_same_each_time() {
        for count in [0, 1, 40, 500] {
            for round in 0..3 {
                for session in 0..MAX_KEPT + 4 {
                    let facts = wrote(count, &format!("s{session}"));
                    let text = text_of(&facts);
                    assert_eq!(text, facts.to_json().to_string(), "{count} {round} {session}");
                    assert_eq!(facts_of(&text), Some(facts), "{count} {round} {session}");
                }
            }
        }
        assert!(KEPT.lock().unwrap().len() <= MAX_KEPT);
    }

    /// [N3] One fact more is another text, whatever is shared with what was there before.
    #[test]
    fn what_is_added_is_not_lost() {
        let before = wrote(500, "x");
        let read = facts_of(&text_of(&before)).unwrap();
        for after in [
            SessionFacts { redefined: true, ..read.clone() },
            SessionFacts { branch: Some("topic".to_owned()), ..read.clone() },
            SessionFacts { remotes: vec!["*".to_owned()], ..read.clone() },
        ] {
            assert_eq!(facts_of(&text_of(&after)), Some(after));
        }
        assert_eq!(facts_of(&text_of(&before)), Some(before));
    }

    /// [N3] What is not understood is not kept as anything.
    #[test]
    fn what_is_not_understood_says_nothing() {
        let text = text_of(&wrote(500, "y")).replacen("\"strange\":false", "\"strange\":7", 1);
        for _ in 0..2 {
            assert_eq!(facts_of(&text), None);
            assert_eq!(facts_of("{"), None);
        }
    }
}
