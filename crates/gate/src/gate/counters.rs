//! How often what happened, by name: answers, and everything that failed closed (SPEC A4).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

/// Counters by name.
#[derive(Default)]
pub(crate) struct Counters {
    counts: Mutex<BTreeMap<String, u64>>,
}

impl Counters {
    /// Counts one.
    pub(crate) fn add(&self, name: &str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get_mut(name) {
            Some(count) => *count = count.saturating_add(1),
            None => drop(counts.insert(name.to_owned(), 1)),
        }
    }

    /// All of them.
    pub(crate) fn to_json(&self) -> Value {
        json!(*self.counts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
