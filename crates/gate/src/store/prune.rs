//! Taking away old entries so that the rest can still be proven.
//!
//! Only the beginning of the chain is ever taken. The number and hash of the last entry that went stay behind as
//! the anchor, and a new entry, which is part of the chain, says so too.

use rusqlite::{OptionalExtension, params};
use serde_json::{Value, json};

use super::chain::{PRUNE, Tip, Verified};
use super::error::StoreError;
use super::ledger::{Ledger, number};
use super::record::Record;
use super::{Store, query};

/// What was taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pruned {
    /// How many entries.
    pub entries: u64,
    /// The last of them.
    pub through: u64,
    /// How many sessions that were not heard of since.
    pub sessions: usize,
    /// How many grants that were over by then.
    pub grants: usize,
}

impl Store {
    /// Takes away what is older than `before_ms`, in milliseconds since 1970; the last entry always stays.
    /// `who` is kept with the entry that tells of it.
    ///
    /// # Errors
    /// If the chain is not whole (pruning would hide that), or something cannot be written.
    pub fn prune(&mut self, before_ms: u64, now_ms: u64, who: &str) -> Result<Pruned, StoreError> {
        if let Verified::Bad(bad) = self.verify()? {
            let why = format!("the log is not whole, nothing was pruned: entry {}: {}", bad.seq, bad.what);
            return Err(StoreError::Refused(why));
        }
        let pruned = self.commit(|ledger| {
            let pruned = take_away(ledger, before_ms)?;
            if let Some((pruned, last)) = &pruned {
                ledger.append(&told(*pruned, last, now_ms, before_ms, who))?;
            }
            Ok(pruned)
        })?;
        let Some((pruned, _)) = pruned else {
            return Ok(Pruned { entries: 0, through: 0, sessions: 0, grants: 0 });
        };
        // The text that was taken away is to leave the file, too. Another program may hold it: then the space
        // is used again by later entries.
        drop(self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
        Ok(pruned)
    }
}

fn take_away(ledger: &Ledger<'_>, before_ms: u64) -> Result<Option<(Pruned, Tip)>, StoreError> {
    let connection = ledger.connection();
    let failed = |error: rusqlite::Error| ledger.failed(&error);
    let last = ledger.last()?;
    // Clocks go back: only what stands before the first entry that is to stay goes.
    let first = "SELECT min(seq) FROM entry WHERE time >= ?1 OR seq = ?2";
    let keep: Option<i64> = connection
        .query_row(first, params![number(before_ms), number(last.seq)], |row| row.get(0))
        .map_err(failed)?;
    let Some(keep) = keep else { return Ok(None) };
    let newest = "SELECT seq, hash FROM entry WHERE seq < ?1 ORDER BY seq DESC LIMIT 1";
    let newest = connection.query_row(newest, [keep], query::tip).optional().map_err(failed)?;
    let Some(through) = newest else { return Ok(None) };
    let entries = connection.execute("DELETE FROM entry WHERE seq < ?1", [keep]).map_err(failed)?;
    connection
        .execute(
            "INSERT OR REPLACE INTO anchor (one, seq, hash) VALUES (1, ?1, ?2)",
            params![number(through.seq), through.hash],
        )
        .map_err(failed)?;
    let old = number(before_ms);
    let facts = "DELETE FROM facts WHERE session IN (SELECT id FROM session WHERE last < ?1)";
    connection.execute(facts, [old]).map_err(failed)?;
    let sessions = connection.execute("DELETE FROM session WHERE last < ?1", [old]).map_err(failed)?;
    let grants = "DELETE FROM grant_given WHERE expires < ?1 OR revoked < ?1";
    let grants = connection.execute(grants, [old]).map_err(failed)?;
    let entries = u64::try_from(entries).unwrap_or(u64::MAX);
    Ok(Some((Pruned { entries, through: through.seq, sessions, grants }, through)))
}

fn told(pruned: Pruned, last: &Tip, now_ms: u64, before_ms: u64, who: &str) -> Record {
    let message = format!("{} entries up to {} were pruned by {who}", pruned.entries, pruned.through);
    Record {
        time_ms: now_ms,
        message,
        reason: json!({ "type": PRUNE, "hash": last.hash, "before_ms": before_ms, "who": who }),
        trace: Value::Array(Vec::new()),
        stages: Value::Array(Vec::new()),
        layer: PRUNE.to_owned(),
        kind: PRUNE.to_owned(),
        about: Some(pruned.through),
        enforced: true,
        answered: "none".to_owned(),
        ..Record::default()
    }
}
