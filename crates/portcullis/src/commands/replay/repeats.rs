//! Calls that stand in several recordings: a session of Claude Code that is taken up again or forked begins with a copy
//! of the old one. They are judged again, because later calls build on them, but counted and shown once.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use super::session_replay::Row;

/// How many ids are kept; past them, copies count again.
const MOST: usize = 1 << 18;

/// The ids of calls in earlier recordings, by their digests.
#[derive(Default)]
pub(super) struct Repeats {
    keys: RandomState,
    earlier: HashSet<u64>,
    /// Those of the recording at hand: what it repeats itself its reader knows.
    present: HashSet<u64>,
}

impl Repeats {
    /// Whether an earlier recording held the call.
    pub(super) fn is_one(&mut self, row: &Row) -> bool {
        let Some(id) = &row.id else { return false };
        let digest = self.keys.hash_one(id);
        let known = self.earlier.contains(&digest);
        if !known && self.earlier.len() + self.present.len() < MOST {
            self.present.insert(digest);
        }
        known
    }

    pub(super) fn next_recording(&mut self) {
        self.earlier.extend(self.present.drain());
    }
}
