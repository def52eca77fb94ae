//! Whether a clause tells the agent what to do, or only tells of something.

use super::calls::acting;
use super::text::{find, find_any, is_name};
use super::words::{ENGLISH, FORBIDS, IMPERATIVE, MODALS, OPENERS, REMARKS};

/// Whether a negation can be nothing but an order.
pub(super) fn is_imperative(behind: &str) -> bool {
    IMPERATIVE.first(behind) == Some(0)
}

/// Whether a clause tells somebody to do something: "the bug only shows up in src/a.ts" does not.
pub(super) fn is_told_to(words: &str) -> bool {
    let mut before =
        words.split_whitespace().take_while(|token| !matches!(*token, "only" | "just" | "solely"));
    let first = before.next().unwrap_or_default();
    let remarks = ["the", "this", "that", "it", "there", "a", "an"];
    !(remarks.contains(&first) && find(words, "only").is_some() && acting(words).is_empty())
}

/// Whether a negation orders or remarks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Directed {
    Order,
    Perhaps,
}

pub(super) fn is_english(words: &str, at: usize) -> bool {
    ENGLISH.has(words.get(at..).unwrap_or_default())
}

pub(super) fn directed(words: &str, at: usize) -> Option<Directed> {
    if !is_english(words, at) {
        return Some(Directed::Order);
    }
    let before: Vec<&str> = words.get(..at).unwrap_or_default().split_whitespace().collect();
    let token = words.get(at..).unwrap_or_default().split_whitespace().next().unwrap_or_default();
    let behind = words.get(at + token.len()..).unwrap_or_default();
    // Portuguese "no" is "in the".
    let next = behind.split_whitespace().next().unwrap_or_default();
    let is_place = is_name(next)
        || matches!(next, "github" | "gitlab" | "pr" | "npm" | "cron" | "docker" | "branch" | "remoto");
    if token == "no" && !before.is_empty() && is_place {
        return None;
    }
    let acts = !acting(behind).is_empty();
    let passive = acts && find_any(words, &["be", "gets", "get"]).is_some();
    let opened = before.iter().all(|word| OPENERS.has(word));
    if matches!(token, "can't" | "cannot") && opened && acts {
        return Some(Directed::Order);
    }
    // "I'd rather you didn't."
    if before.contains(&"rather") && acts {
        return Some(Directed::Order);
    }
    if REMARKS.has(token) {
        return passive.then_some(Directed::Perhaps);
    }
    let modal = before.iter().any(|word| MODALS.has(word));
    let told = before.first().is_some_and(|word| !acting(&format!(" {word} ")).is_empty());
    let forbids = FORBIDS.has(token);
    // "Pushing is not allowed."
    if told && FORBIDS.first(words.get(at..).unwrap_or_default()) == Some(0) {
        return Some(Directed::Order);
    }
    // "Push nothing."
    if told && matches!(token, "nothing" | "none" | "nowhere" | "no") {
        return Some(Directed::Order);
    }
    // "It does not …", "the tests do not …": a remark, unless it names an action.
    if opened || (modal && acts) || (told && acts) || (forbids && acts) || passive {
        return Some(Directed::Order);
    }
    acts.then_some(Directed::Perhaps)
}
