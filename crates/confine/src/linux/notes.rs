//! What threads of a warden have to say to whoever ran a command.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Lines that wait to be said; each is said once.
#[derive(Clone, Default)]
pub(super) struct Notes(Arc<Mutex<Said>>);

#[derive(Default)]
struct Said {
    waiting: Vec<String>,
    known: BTreeSet<String>,
}

/// More than this nobody reads.
const MOST: usize = 100;

impl Notes {
    /// Says a line, unless it was said already.
    pub(super) fn add(&self, line: String) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if said.known.len() < MOST && said.known.insert(line.clone()) {
            said.waiting.push(line);
        }
    }

    /// What was said since the last time.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).waiting)
    }
}
