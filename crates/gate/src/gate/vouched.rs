//! The pauses and grants that a running daemon has seen a person make (SPEC S5).
//!
//! Files, rows and hashes can be forged by any program of the same user; the memory of the daemon cannot be written so
//! easily. A daemon remembers the hash of every entry that began a pause or gave a grant: those that are in force when it
//! starts, and those that a person tells it about. Others do not count while it runs.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::Gate;
use crate::admin;
use crate::store::{GrantState, Store, StoreError};

/// The hashes of the entries that count.
#[derive(Debug, Default)]
pub(super) struct Vouched(Mutex<HashSet<String>>);

impl Vouched {
    /// What is in force when the daemon starts.
    pub(super) fn at_start(state: &Path, store: &Store, now: u64) -> Result<Vouched, StoreError> {
        let open = store.grants()?.into_iter().filter(|grant| grant.state(now) == GrantState::Open);
        let mut hashes: HashSet<String> = open.filter_map(|grant| Some(grant.entry?.hash)).collect();
        hashes.extend(admin::in_force(state, now).map(|(_, hash)| hash));
        Ok(Vouched(Mutex::new(hashes)))
    }

    pub(super) fn add(&self, hash: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(hash);
    }

    fn has(&self, hash: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(hash)
    }
}

impl Gate {
    /// Accepts the pause or grant of a log entry while this daemon runs. The caller has made sure that a person asks
    /// for it.
    ///
    /// # Errors
    /// If there is no such entry, or it cannot be read.
    pub fn vouch(&self, seq: u64) -> Result<(), StoreError> {
        let entry =
            self.store().entry(seq)?.filter(|it| matches!(it.record.kind.as_str(), "pause" | "grant"));
        let entry =
            entry.ok_or_else(|| StoreError::Refused(format!("entry {seq} is no pause and no grant")))?;
        self.note_vouched(entry.hash);
        Ok(())
    }

    pub(super) fn note_vouched(&self, hash: String) {
        if let Some(vouched) = &self.inside.vouched {
            vouched.add(hash);
        }
    }

    /// Whether the pause or grant of the log entry with this hash is accepted.
    #[must_use]
    pub fn is_vouched(&self, hash: &str) -> bool {
        match &self.inside.vouched {
            Some(vouched) => vouched.has(hash),
            None => (self.inside.options.vouched)(&self.inside.options.places.state, hash),
        }
    }
}
