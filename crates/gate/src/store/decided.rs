//! How many calls were decided how, from a moment on.
//!
//! There is no index over time, because every call would pay for it. Entries stand in the order in which they were
//! written, so the first one of a day is found by halving. Each full block of entries is counted once, when its last entry
//! is written; what stands before and after full blocks is read.

use rusqlite::{Connection, OptionalExtension};

use super::schema::number;

/// How many entries are counted together.
pub(super) const BLOCK: u64 = 1024;
/// Counts the block that ends with an entry.
pub(super) const TALLY: &str = "INSERT OR REPLACE INTO tally (last, earliest, allow, deny, ask) \
     SELECT ?1, min(time), \
     count(*) FILTER (WHERE kind = 'call' AND decision = 'allow'), \
     count(*) FILTER (WHERE kind = 'call' AND decision = 'deny'), \
     count(*) FILTER (WHERE kind = 'call' AND decision = 'ask') \
     FROM entry WHERE seq > ?1 - 1024 AND seq <= ?1 HAVING count(*) = 1024";

/// Numbers of calls by decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DecisionCounts {
    /// Calls that were allowed.
    pub allow: u64,
    /// Calls that were denied.
    pub deny: u64,
    /// Calls that were left to a person or to the host.
    pub ask: u64,
    /// Calls whose answer did not reach the agent; not counted above.
    pub abandoned: u64,
}

impl DecisionCounts {
    fn decision(&mut self, decision: &str) -> Option<&mut u64> {
        match decision {
            "allow" => Some(&mut self.allow),
            "deny" => Some(&mut self.deny),
            "ask" => Some(&mut self.ask),
            _ => None,
        }
    }
}

/// How calls were decided since a moment.
pub(super) fn since(connection: &Connection, since_ms: u64) -> rusqlite::Result<DecisionCounts> {
    let since = number(since_ms);
    let first = first_since(connection, since)?;
    let mut decided = DecisionCounts::default();
    let block = number(BLOCK);
    // A clock that was set back leaves older entries behind the first: a block that holds one is read.
    let sql =
        "SELECT last, allow, deny, ask FROM tally WHERE last - ?1 + 1 >= ?2 AND earliest >= ?3 ORDER BY last";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([block, first, since])?;
    let mut from = first;
    while let Some(row) = rows.next()? {
        let last: i64 = row.get(0)?;
        read(connection, from, last - block, since, &mut decided)?;
        decided.allow += unsigned(row.get(1)?);
        decided.deny += unsigned(row.get(2)?);
        decided.ask += unsigned(row.get(3)?);
        from = last.saturating_add(1);
    }
    read(connection, from, i64::MAX, since, &mut decided)?;
    without_abandoned(connection, first, since, &mut decided)?;
    Ok(decided)
}

/// Counts the entries of a stretch one by one.
fn read(
    connection: &Connection,
    from: i64,
    to: i64,
    since: i64,
    decided: &mut DecisionCounts,
) -> rusqlite::Result<()> {
    if from > to {
        return Ok(());
    }
    let sql = "SELECT decision, count(*) FROM entry WHERE seq >= ?1 AND seq <= ?2 AND time >= ?3 AND kind = 'call' \
         GROUP BY decision";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([from, to, since])?;
    while let Some(row) = rows.next()? {
        let count = unsigned(row.get(1)?);
        if let Some(counted) = decided.decision(&row.get::<_, String>(0)?) {
            *counted += count;
        }
    }
    Ok(())
}

/// What the agent was not given does not count as allowed, denied or asked.
fn without_abandoned(
    connection: &Connection,
    first: i64,
    since: i64,
    decided: &mut DecisionCounts,
) -> rusqlite::Result<()> {
    // A cross join keeps the order: the few that were abandoned are looked up among the many.
    let sql = "SELECT entry.decision FROM abandoned CROSS JOIN entry ON entry.seq = abandoned.about \
         WHERE abandoned.about >= ?1 AND entry.time >= ?2 AND entry.kind = 'call'";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([first, since])?;
    while let Some(row) = rows.next()? {
        if let Some(counted) = decided.decision(&row.get::<_, String>(0)?) {
            *counted = counted.saturating_sub(1);
            decided.abandoned += 1;
        }
    }
    Ok(())
}

/// The numbers of the first and the last entry. Asked for one by one: together they would take a look at every entry.
pub(super) fn ends(connection: &Connection) -> rusqlite::Result<Option<(i64, i64)>> {
    let ends = "SELECT (SELECT min(seq) FROM entry), (SELECT max(seq) FROM entry)";
    let (first, last): (Option<i64>, Option<i64>) =
        connection.query_row(ends, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(first.zip(last))
}

/// The number of the first entry that is not older, where entries stand in the order of time.
fn first_since(connection: &Connection, since: i64) -> rusqlite::Result<i64> {
    let (mut low, mut high) = ends(connection)?.unwrap_or((0, -1));
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

fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or_default()
}
