//! Taking away old entries so that the rest can still be proven.
//!
//! Only the beginning of the chain is ever taken. The number and hash of the last entry that went stay behind as
//! the anchor, and a new entry, which is part of the chain, says so too.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};

use super::chain::{Damage, PRUNE, Tip, Verified};
use super::decided;
use super::error::StoreError;
use super::ledger::Ledger;
use super::record::Record;
use super::schema::number;
use super::{Store, query, verify};
use crate::settings::LogRetention;

/// What pruning deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pruned {
    /// The number of log entries.
    pub entries: u64,
    /// The number of the last deleted entry.
    pub through: u64,
    /// The number of sessions without later entries.
    pub sessions: usize,
    /// The number of grants that were no longer in force.
    pub grants: usize,
}

/// How many entries go in one transaction where agents are at work: others must not wait long.
const CHUNK: u64 = 2048;
/// How many have to be too many before some go for their size: each step leaves an entry itself.
const WORTHWHILE: i64 = 256;
/// How many entries stay whatever the limits say.
const ALWAYS: u64 = 1024;
/// How many transactions one look makes at most.
const MOST_CHUNKS: usize = 2000;
/// Between two transactions others come to write.
const PAUSE: Duration = Duration::from_millis(20);

impl Store {
    /// Deletes entries older than `before_ms`, in milliseconds since 1970; the last entry always stays. `who` is
    /// named in the log entry about it.
    ///
    /// # Errors
    /// If the chain is not whole (pruning would hide that), or something cannot be written.
    pub fn prune(&mut self, before_ms: u64, now_ms: u64, who: &str) -> Result<Pruned, StoreError> {
        if let Verified::Damaged(bad) = self.verify()? {
            return Err(not_whole(&bad));
        }
        let pruned = self.commit(|ledger| {
            let last = ledger.last()?;
            let keep = first_to_stay(ledger.connection(), before_ms, number(last.seq))
                .map_err(|error| ledger.failed(&error))?;
            let Some(keep) = keep else { return Ok(Pruned::default()) };
            take_away(ledger, keep, Cause { before_ms, now_ms, who })
        })?;
        if pruned.entries > 0 {
            // The text that was taken away is to leave the file, too. Another program may hold it: then the space
            // is used again by later entries.
            drop(self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
        }
        Ok(pruned)
    }

    /// Deletes entries beyond the limits, in small transactions, so that others can write in between. The file does
    /// not shrink; later entries use the space.
    ///
    /// # Errors
    /// If the part that is to go is not whole, or something cannot be written.
    pub fn retain(&mut self, keep: LogRetention, now_ms: u64, who: &str) -> Result<Pruned, StoreError> {
        // What goes is overwritten, since the file stays as it is.
        self.connection.execute_batch("PRAGMA secure_delete = ON").map_err(|error| self.failed(&error))?;
        let mut sum = Pruned::default();
        for _ in 0..MOST_CHUNKS {
            let Some((cut, before_ms)) = self.overdue(keep, now_ms).map_err(|error| self.failed(&error))?
            else {
                break;
            };
            if let Err(bad) = verify::beginning(&self.connection, &self.place, cut)? {
                return Err(not_whole(&bad));
            }
            let pruned = self.commit(|ledger| take_away(ledger, cut, Cause { before_ms, now_ms, who }))?;
            sum.add(pruned);
            if pruned.entries == 0 {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        Ok(sum)
    }

    /// The first entry that stays for now, and since when sessions are kept; nothing where all may stay.
    fn overdue(&self, keep: LogRetention, now_ms: u64) -> rusqlite::Result<Option<(i64, u64)>> {
        let Some((first, last)) = decided::ends(&self.connection)? else { return Ok(None) };
        let most = (last - number(ALWAYS)).min(first.saturating_add(number(CHUNK)));
        let before_ms = keep.age_ms.map_or(0, |age| now_ms.saturating_sub(age));
        let old = match first_to_stay(&self.connection, before_ms, most.max(first))? {
            Some(old) if keep.age_ms.is_some() => old,
            Some(_) | None => first,
        };
        let full = match keep.bytes {
            Some(bytes) => most - first >= WORTHWHILE && number(bytes) < self.used_bytes()?,
            None => false,
        };
        let cut = if full { most } else { old.min(most) };
        Ok((cut > first).then_some((cut, before_ms)))
    }

    /// How much of the file is in use.
    fn used_bytes(&self) -> rusqlite::Result<i64> {
        let pragma =
            |name: &str| self.connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
        Ok((pragma("page_count")? - pragma("freelist_count")?).saturating_mul(pragma("page_size")?))
    }
}

impl Pruned {
    fn add(&mut self, more: Pruned) {
        self.entries += more.entries;
        self.through = self.through.max(more.through);
        self.sessions += more.sessions;
        self.grants += more.grants;
    }
}

/// Why entries go.
#[derive(Clone, Copy)]
struct Cause<'a> {
    /// What is older goes, sessions and grants too.
    before_ms: u64,
    now_ms: u64,
    who: &'a str,
}

fn not_whole(bad: &Damage) -> StoreError {
    let why = format!("the log is not whole, nothing was pruned: entry {}: {}", bad.seq, bad.what);
    StoreError::Refused(why)
}

/// The first entry that is not older, or `most` if that comes before it. Clocks go back: only what stands before the first
/// entry that is to stay goes.
fn first_to_stay(connection: &Connection, before_ms: u64, most: i64) -> rusqlite::Result<Option<i64>> {
    let first = "SELECT min(seq) FROM entry WHERE time >= ?1 OR seq >= ?2";
    connection.query_row(first, [number(before_ms), most], |row| row.get(0))
}

/// Takes away what stands before `keep`, and says so in an entry.
fn take_away(ledger: &Ledger<'_>, keep: i64, cause: Cause<'_>) -> Result<Pruned, StoreError> {
    let connection = ledger.connection();
    let failed = |error: rusqlite::Error| ledger.failed(&error);
    // The head is compared before anything goes.
    ledger.last()?;
    let newest = "SELECT seq, hash FROM entry WHERE seq < ?1 ORDER BY seq DESC LIMIT 1";
    let newest = connection.query_row(newest, [keep], query::tip).optional().map_err(failed)?;
    let Some(through) = newest else { return Ok(Pruned::default()) };
    let entries = connection.execute("DELETE FROM entry WHERE seq < ?1", [keep]).map_err(failed)?;
    connection
        .execute(
            "INSERT OR REPLACE INTO anchor (one, seq, hash) VALUES (1, ?1, ?2)",
            params![number(through.seq), through.hash],
        )
        .map_err(failed)?;
    let block = number(decided::BLOCK);
    connection.execute("DELETE FROM tally WHERE last - ?1 + 1 < ?2", [block, keep]).map_err(failed)?;
    connection.execute("DELETE FROM abandoned WHERE seq < ?1", [keep]).map_err(failed)?;
    let old = number(cause.before_ms);
    let facts = "DELETE FROM facts WHERE session IN (SELECT id FROM session WHERE last < ?1)";
    connection.execute(facts, [old]).map_err(failed)?;
    let sessions = connection.execute("DELETE FROM session WHERE last < ?1", [old]).map_err(failed)?;
    let grants = "DELETE FROM grant_given WHERE expires < ?1 OR revoked < ?1";
    let grants = connection.execute(grants, [old]).map_err(failed)?;
    let entries = u64::try_from(entries).unwrap_or(u64::MAX);
    let pruned = Pruned { entries, through: through.seq, sessions, grants };
    ledger.append(&told(pruned, &through, cause))?;
    Ok(pruned)
}

fn told(pruned: Pruned, last: &Tip, cause: Cause<'_>) -> Record {
    let Cause { before_ms, now_ms, who } = cause;
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
