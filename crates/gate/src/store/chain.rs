//! The chain: each entry's hash covers its number, its text and the hash before it, so that no entry can be
//! changed, left out or moved without every later hash giving it away.

use sha2::{Digest, Sha256};

use super::record::{Columns, Record};

/// The hash before the first entry.
const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What an entry says of itself when entries were pruned.
pub(super) const PRUNE: &str = "prune";

/// What an entry says of itself when an answer did not reach the agent.
pub(super) const ABANDONED: &str = "abandoned";

/// An entry of the audit log.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its number; the first is 1, and there are no gaps.
    pub seq: u64,
    /// The hash of the entry before it.
    pub prev: String,
    /// Its own hash.
    pub hash: String,
    /// The exact text that was hashed.
    pub body: String,
    /// The record that the text holds.
    pub record: Record,
}

/// The position of an entry in the log: its number and hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tip {
    /// Its number; 0 is before the first.
    pub seq: u64,
    /// Its hash.
    pub hash: String,
}

impl Tip {
    /// Before the first entry.
    pub(super) fn start() -> Tip {
        Tip { seq: 0, hash: START.to_owned() }
    }

    /// The entry that follows with this text.
    pub(super) fn then(&self, body: &str) -> Tip {
        let seq = self.seq.saturating_add(1);
        Tip { seq, hash: hash(&self.hash, seq, body) }
    }
}

/// The hash of an entry: SHA-256 of the hash before, the number and the text, each on a line of its own.
fn hash(prev: &str, seq: u64, body: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(prev);
    digest.update(format!("\n{seq}\n"));
    digest.update(body);
    let hex =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
    digest.finalize().into_iter().flat_map(hex).collect()
}

pub(super) fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
}

/// The result of verifying the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verified {
    /// Nothing was changed, left out, moved or cut off.
    Whole {
        /// The number of entries.
        entries: u64,
        /// The last entry. Keep it elsewhere to prove later that the end was not cut off.
        last: Tip,
    },
    /// The log was tampered with or damaged.
    Damaged(Damage),
}

/// The first entry that is not as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Its number.
    pub seq: u64,
    /// What is wrong.
    pub what: String,
}

/// An entry as it was found, before it is believed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) seq: u64,
    pub(super) prev: String,
    pub(super) hash: String,
    pub(super) body: String,
}

/// Walks along a chain, entry by entry.
#[derive(Debug)]
pub(super) struct Walk {
    /// What was pruned before the first entry.
    anchor: Tip,
    /// The last entry that was good.
    pub(super) last: Tip,
    pub(super) entries: u64,
    /// The head that a second place kept, if any.
    head: Option<Tip>,
    /// What the last prune says it left.
    pruned: Option<Tip>,
}

impl Walk {
    pub(super) fn from(anchor: Tip, head: Option<Tip>) -> Walk {
        Walk { last: anchor.clone(), anchor, entries: 0, head, pruned: None }
    }

    /// The number that the next entry must have.
    pub(super) fn expected(&self) -> u64 {
        self.last.seq.saturating_add(1)
    }

    /// A fault at the entry that is expected next.
    pub(super) fn bad(&self, what: &str) -> Damage {
        Damage { seq: self.expected(), what: what.to_owned() }
    }

    /// Takes the next entry; gives back what it says.
    pub(super) fn step(&mut self, found: &Found) -> Result<Record, Damage> {
        let seq = found.seq;
        let bad = |what: &str| Damage { seq, what: what.to_owned() };
        if seq > self.expected() {
            return Err(self.bad("it is missing"));
        }
        if seq < self.expected() {
            return Err(bad("it stands where no entry can be"));
        }
        if found.prev != self.last.hash {
            return Err(bad("it does not follow the entry before it"));
        }
        let next = self.last.then(&found.body);
        if found.hash != next.hash {
            return Err(bad("its text, its number or its hash was changed"));
        }
        if self.head.as_ref().is_some_and(|head| head.seq == seq && head.hash != next.hash) {
            return Err(bad("the head kept beside the log names another entry with this number"));
        }
        let record = serde_json::from_str(&found.body).ok().and_then(Record::from_json);
        let record = record.ok_or_else(|| bad("its text is no record"))?;
        if record.kind == PRUNE {
            self.pruned = pruned(&record);
        }
        self.last = next;
        self.entries = self.entries.saturating_add(1);
        Ok(record)
    }

    /// Looks at the end: nothing may be missing there.
    pub(super) fn reaches_head(&self) -> Result<(), Damage> {
        if let Some(head) = &self.head {
            if head.seq > self.last.seq {
                let what =
                    format!("the end is missing: the head kept beside the log names entry {}", head.seq);
                return Err(self.bad(&what));
            }
            if head.seq == self.anchor.seq && head.hash != self.anchor.hash {
                return Err(Damage {
                    seq: head.seq,
                    what: "the head kept beside the log names another entry with this number".to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Looks at both ends: nothing may be missing, and what was pruned must have been said.
    pub(super) fn finish(&self) -> Result<(), Damage> {
        self.reaches_head()?;
        let told = self.pruned.clone().unwrap_or_else(Tip::start);
        if told != self.anchor {
            let seq = self.anchor.seq.saturating_add(1);
            let what = "the entries before it are gone, and no entry says that they were pruned";
            return Err(Damage { seq, what: what.to_owned() });
        }
        Ok(())
    }
}

/// Which entry was the last that a prune took away.
fn pruned(record: &Record) -> Option<Tip> {
    let hash = record.reason.get("hash")?.as_str()?.to_owned();
    Some(Tip { seq: record.about?, hash })
}

/// Whether the columns say what the text says.
pub(super) fn agree(columns: &Columns, record: &Record, seq: u64) -> Result<(), Damage> {
    if *columns == record.columns() {
        return Ok(());
    }
    Err(Damage { seq, what: "its columns say something else than its text".to_owned() })
}
