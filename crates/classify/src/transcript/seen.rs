//! What is remembered under ids, of which a recording can hold any number: the newest are kept, by their digests.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;

/// How many ids are kept. A session that is taken up again repeats its lines at once, not a million lines later.
const MOST: usize = 1 << 16;

/// Something for each of the newest ids of a recording.
pub(super) struct Seen<T = ()> {
    keys: RandomState,
    known: HashMap<u64, T>,
    order: VecDeque<u64>,
}

impl<T> Default for Seen<T> {
    fn default() -> Seen<T> {
        Seen { keys: RandomState::new(), known: HashMap::new(), order: VecDeque::new() }
    }
}

impl<T> Seen<T> {
    /// Remembers something under an id; gives what was remembered before.
    pub(super) fn insert(&mut self, id: &str, what: T) -> Option<T> {
        let digest = self.keys.hash_one(id);
        let before = self.known.insert(digest, what);
        if before.is_none() {
            self.order.push_back(digest);
        }
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        before
    }

    /// What is remembered under an id.
    pub(super) fn get(&self, id: &str) -> Option<&T> {
        self.known.get(&self.keys.hash_one(id))
    }
}

impl Seen {
    /// Takes in an id; says whether it was met before.
    pub(super) fn again(&mut self, id: &str) -> bool {
        self.insert(id, ()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_ids_are_kept() {
        let mut seen = Seen::default();
        assert!(!seen.again("first") && seen.again("first"));
        for number in 0..2 * MOST {
            assert!(!seen.again(&number.to_string()));
        }
        assert_eq!((seen.known.len(), seen.order.len()), (MOST, MOST));
        assert!(seen.again(&(2 * MOST - 1).to_string()));
        assert!(!seen.again("first"), "the oldest is forgotten");
    }
}
