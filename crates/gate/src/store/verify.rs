//! Looking at the whole chain (SPEC A1, J5).

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};

use super::chain::{ABANDONED, Damage, Tip, Verified, Walk, agree};
use super::decided;
use super::error::StoreError;
use super::place::{Head, Place};
use super::query;
use super::record::Record;
use super::schema::number;

const LATER: &str = "SELECT seq, prev, hash, body, time, session, agent, tool, decision, rule, kind FROM entry \
     WHERE seq > ?1 ORDER BY seq";

/// How much of the chain is looked at.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// So many entries at its end; what stands before them is believed.
    End(u64),
}

/// Walks the chain to its end and compares it with the second file.
pub(super) fn verify(connection: &Connection, place: &Place, part: Part) -> Result<Verified, StoreError> {
    // Before the entries: what is written meanwhile makes the log longer, never the head that was read.
    let head = place.read_head()?;
    let walked = match walk(connection, place, &head, part) {
        Ok(walked) => walked,
        Err(StoreError::Damaged { why, .. }) => {
            Err(Damage { seq: 1, what: format!("the database is damaged: {why}") })
        }
        Err(error) => return Err(error),
    };
    Ok(match walked {
        Ok(walk) => Verified::Whole { entries: walk.entries, last: walk.last },
        Err(bad) => Verified::Damaged(bad),
    })
}

fn walk(
    connection: &Connection,
    place: &Place,
    head: &Head,
    part: Part,
) -> Result<Result<Walk, Damage>, StoreError> {
    let failed = |error: rusqlite::Error| StoreError::of_database(&place.database, &error);
    // One moment for anchor and entries, even if somebody prunes meanwhile.
    let moment = connection.unchecked_transaction().map_err(failed)?;
    let (anchor, after) = match part {
        // Also what stands before the anchor: nothing may.
        Part::Whole => (anchor(&moment).map_err(failed)?, i64::MIN),
        Part::End(most) => before_end(&moment, most).map_err(failed)?,
    };
    let named = match head {
        Head::Names(tip) => Some(tip.clone()),
        Head::Missing | Head::Empty | Head::Broken => None,
    };
    let mut walk = Walk::from(anchor, named);
    let mut derived = Derived::default();
    if let Err(bad) = entries(&moment, place, after, &mut walk, &mut derived)? {
        return Ok(Err(bad));
    }
    let lost = match head {
        Head::Names(_) => None,
        Head::Missing => Some("it cannot be told whether the end is missing: `audit.head` is gone"),
        Head::Empty => Some("it cannot be told whether the end is missing: `audit.head` was emptied"),
        Head::Broken => Some("it cannot be told whether the end is missing: `audit.head` names no entry"),
    };
    if let Some(lost) = lost {
        return Ok(Err(walk.bad(lost)));
    }
    let finished = match part {
        Part::Whole => walk.finish(),
        Part::End(_) => walk.reaches_head(),
    };
    if let Err(bad) = finished {
        return Ok(Err(bad));
    }
    if matches!(part, Part::End(_)) {
        return Ok(Ok(walk));
    }
    if !derived.agrees(&moment).map_err(failed)? {
        return Ok(Err(walk.bad("the counts kept beside the entries say something else than the entries")));
    }
    // The index answers `--session`: an entry that it leaves out would be hidden.
    let sound: String =
        moment.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(failed)?;
    if sound != "ok" {
        return Ok(Err(walk.bad(&format!("the database is damaged: {sound}"))));
    }
    Ok(Ok(walk))
}

/// Whether the entries up to `last` are whole, that one included.
pub(super) fn beginning(
    connection: &Connection,
    place: &Place,
    last: i64,
) -> Result<Result<(), Damage>, StoreError> {
    let failed = |error: rusqlite::Error| StoreError::of_database(&place.database, &error);
    let moment = connection.unchecked_transaction().map_err(failed)?;
    let mut walk = Walk::from(anchor(&moment).map_err(failed)?, None);
    let sql = "SELECT seq, prev, hash, body FROM entry WHERE seq <= ?1 ORDER BY seq";
    let mut statement = moment.prepare(sql).map_err(failed)?;
    let mut rows = statement.query([last]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        if let Err(bad) = walk.step(&query::found(row).map_err(failed)?) {
            return Ok(Err(bad));
        }
    }
    Ok(Ok(()))
}

fn entries(
    connection: &Connection,
    place: &Place,
    after: i64,
    walk: &mut Walk,
    derived: &mut Derived,
) -> Result<Result<(), Damage>, StoreError> {
    let failed = |error: rusqlite::Error| StoreError::of_database(&place.database, &error);
    let mut statement = connection.prepare(LATER).map_err(failed)?;
    let mut rows = statement.query([after]).map_err(failed)?;
    loop {
        let read = rows
            .next()
            .and_then(|row| row.map(|row| Ok((query::found(row)?, query::columns(row)?))).transpose());
        let (found, columns) = match read {
            Ok(Some(read)) => read,
            Ok(None) => return Ok(Ok(())),
            Err(error) => match StoreError::of_database(&place.database, &error) {
                StoreError::Damaged { why, .. } => {
                    return Ok(Err(walk.bad(&format!("the database is damaged here: {why}"))));
                }
                other @ (StoreError::Missing(_)
                | StoreError::Unusable { .. }
                | StoreError::Busy { .. }
                | StoreError::Newer { .. }
                | StoreError::CutTail { .. }
                | StoreError::Write { .. }
                | StoreError::Stopped
                | StoreError::Refused(_)) => return Err(other),
            },
        };
        let checked = walk.step(&found).and_then(|record| {
            derived.add(found.seq, &record);
            agree(&columns, &record, found.seq)
        });
        if checked.is_err() {
            return Ok(checked);
        }
    }
}

/// What is kept beside the entries to find and count them, made anew from the entries.
#[derive(Default)]
struct Derived {
    /// By the last number of each block: earliest time, and how many were allowed, denied, asked about.
    blocks: BTreeMap<u64, [u64; 4]>,
    /// Which entry says of which that its answer was abandoned.
    abandoned: BTreeMap<u64, u64>,
}

impl Derived {
    fn add(&mut self, seq: u64, record: &Record) {
        let last = seq.div_ceil(decided::BLOCK).saturating_mul(decided::BLOCK);
        let [earliest, allow, deny, ask] = self.blocks.entry(last).or_insert([u64::MAX, 0, 0, 0]);
        *earliest = record.time_ms.min(*earliest);
        match (record.kind.as_str(), record.decision.as_str()) {
            ("call", "allow") => *allow += 1,
            ("call", "deny") => *deny += 1,
            ("call", "ask") => *ask += 1,
            (ABANDONED, _) => {
                if let Some(about) = record.about {
                    self.abandoned.entry(about).or_insert(seq);
                }
            }
            (_, _) => {}
        }
    }

    /// Whether the database holds the same. A block that was never counted is read whenever it is asked for.
    fn agrees(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let unsigned = |value: i64| u64::try_from(value).unwrap_or_default();
        let mut statement = connection.prepare("SELECT last, earliest, allow, deny, ask FROM tally")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let mut counted = [0; 4];
            for (at, place) in counted.iter_mut().enumerate() {
                *place = unsigned(row.get(at + 1)?);
            }
            if self.blocks.get(&unsigned(row.get(0)?)) != Some(&counted) {
                return Ok(false);
            }
        }
        Ok(query::abandoned(connection)? == self.abandoned)
    }
}

/// The entry before the last so many, and its number; the anchor where there are no more than that.
fn before_end(connection: &Connection, most: u64) -> rusqlite::Result<(Tip, i64)> {
    let sql = "SELECT seq, hash FROM entry WHERE seq <= (SELECT max(seq) FROM entry) - ?1 ORDER BY seq DESC LIMIT 1";
    let found = connection.query_row(sql, [number(most)], query::tip).optional()?;
    match found {
        Some(tip) => {
            let after = number(tip.seq);
            Ok((tip, after))
        }
        None => Ok((anchor(connection)?, i64::MIN)),
    }
}

/// The last entry that was pruned; the start if none was.
pub(super) fn anchor(connection: &Connection) -> rusqlite::Result<Tip> {
    let found = connection.query_row("SELECT seq, hash FROM anchor", [], query::tip).optional()?;
    Ok(found.unwrap_or_else(Tip::start))
}
