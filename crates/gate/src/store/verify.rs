//! Looking at the whole chain (SPEC A1, J5).

use rusqlite::{Connection, OptionalExtension};

use super::chain::{Bad, Tip, Verified, Walk, agree};
use super::error::StoreError;
use super::ledger::number;
use super::place::{Head, Place};
use super::query;

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
            Err(Bad { seq: 1, what: format!("the database is damaged: {why}") })
        }
        Err(error) => return Err(error),
    };
    Ok(match walked {
        Ok(walk) => Verified::Whole { entries: walk.entries, last: walk.last },
        Err(bad) => Verified::Bad(bad),
    })
}

fn walk(
    connection: &Connection,
    place: &Place,
    head: &Head,
    part: Part,
) -> Result<Result<Walk, Bad>, StoreError> {
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
        Head::Missing | Head::Broken => None,
    };
    let mut walk = Walk::from(anchor, named);
    if let Err(bad) = entries(&moment, place, after, &mut walk)? {
        return Ok(Err(bad));
    }
    let lost = match head {
        Head::Names(_) => None,
        Head::Missing => Some("it cannot be told whether the end is missing: `audit.head` is gone"),
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
    // The index answers `--session`: an entry that it leaves out would be hidden.
    let sound: String =
        moment.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(failed)?;
    if sound != "ok" {
        return Ok(Err(walk.bad(&format!("the database is damaged: {sound}"))));
    }
    Ok(Ok(walk))
}

fn entries(
    connection: &Connection,
    place: &Place,
    after: i64,
    walk: &mut Walk,
) -> Result<Result<(), Bad>, StoreError> {
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
        let checked = walk.step(&found).and_then(|record| agree(&columns, &record, found.seq));
        if checked.is_err() {
            return Ok(checked);
        }
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
