//! How many calls were decided how, from a moment on.
//!
//! There is no index over time, because every call would pay for it. Entries stand in the order in which they were
//! written, so the first one of a day is found by halving; the columns in front of the bodies say the rest.

use rusqlite::{Connection, OptionalExtension};

use super::ledger::number;

/// Calls, by what was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Decided {
    /// Allowed.
    pub allow: u64,
    /// Denied.
    pub deny: u64,
    /// Left to a person or to the host.
    pub ask: u64,
}

/// How calls were decided since a moment.
pub(super) fn since(connection: &Connection, since_ms: u64) -> rusqlite::Result<Decided> {
    let first = first_since(connection, number(since_ms))?;
    // A clock that was set back leaves older entries behind the first: the time is compared once more.
    let sql = "SELECT decision, count(*) FROM entry WHERE seq >= ?1 AND time >= ?2 AND kind = 'call' GROUP BY decision";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([first, number(since_ms)])?;
    let mut decided = Decided::default();
    while let Some(row) = rows.next()? {
        let count = u64::try_from(row.get::<_, i64>(1)?).unwrap_or_default();
        match row.get::<_, String>(0)?.as_str() {
            "allow" => decided.allow = count,
            "deny" => decided.deny = count,
            "ask" => decided.ask = count,
            _ => {}
        }
    }
    Ok(decided)
}

/// The number of the first entry that is not older, where entries stand in the order of time.
fn first_since(connection: &Connection, since: i64) -> rusqlite::Result<i64> {
    let ends = "SELECT coalesce(min(seq), 0), coalesce(max(seq), -1) FROM entry";
    let (mut low, mut high): (i64, i64) =
        connection.query_row(ends, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut at = connection.prepare("SELECT time FROM entry WHERE seq >= ?1 ORDER BY seq LIMIT 1")?;
    while low <= high {
        let middle = low + (high - low) / 2;
        let time: Option<i64> = at.query_row([middle], |row| row.get(0)).optional()?;
        if time.is_some_and(|time| time < since) {
            low = middle.saturating_add(1);
        } else {
            high = middle.saturating_sub(1);
        }
    }
    Ok(low)
}
