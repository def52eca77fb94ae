//! Reading entries back, one at a time: however long the log is, only one entry is held.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use rusqlite::types::Value as Sql;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::chain::{Entry, Found, Tip};
use super::error::StoreError;
use super::record::{Columns, Record};
use super::schema::number;

/// How many calls of a session are looked at for one of a given name.
const MOST_LOOKED_AT: u64 = 2000;
const ENTRY: &str = "SELECT seq, prev, hash, body FROM entry";

/// Which entries of the log to read. Fields that are `None` do not restrict.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// The decision: `allow`, `deny` or `ask`.
    pub decision: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// A part of the name of the rule, check or hook that decided.
    pub rule: Option<String>,
    /// The kind of entry: `call`, `human`, `late`, …
    pub kind: Option<String>,
    /// The earliest time, in milliseconds since 1970.
    pub since_ms: Option<u64>,
    /// The time before which it was, in milliseconds since 1970.
    pub until_ms: Option<u64>,
    /// The number of an entry; only later ones.
    pub after: Option<u64>,
    /// The most entries; the latest are returned.
    pub limit: Option<u64>,
}

impl Filter {
    /// The condition, and what stands for its question marks.
    fn condition(&self) -> (String, Vec<Sql>) {
        let mut parts: Vec<&str> = Vec::new();
        let mut values = Vec::new();
        let texts = [
            ("decision = ?", &self.decision),
            ("tool = ?", &self.tool),
            ("session = ?", &self.session),
            ("agent = ?", &self.agent),
            ("instr(rule, ?) > 0", &self.rule),
            ("kind = ?", &self.kind),
        ];
        for (part, value) in texts {
            if let Some(value) = value {
                parts.push(part);
                values.push(Sql::Text(value.clone()));
            }
        }
        let numbers = [("time >= ?", self.since_ms), ("time < ?", self.until_ms), ("seq > ?", self.after)];
        for (part, value) in numbers {
            if let Some(value) = value {
                parts.push(part);
                values.push(Sql::Integer(number(value)));
            }
        }
        let condition = if parts.is_empty() { "1".to_owned() } else { parts.join(" AND ") };
        (condition, values)
    }
}

/// Hands over the entries of a filter in order, until there are no more or `each` has enough.
pub(super) fn entries(
    connection: &Connection,
    file: &Path,
    filter: &Filter,
    each: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::of_database(file, &error);
    let (mut condition, mut values) = filter.condition();
    if let Some(limit) = filter.limit {
        let newest = format!(
            "SELECT min(seq) FROM (SELECT seq FROM entry WHERE {condition} ORDER BY seq DESC LIMIT ?)"
        );
        let mut limited = values.clone();
        limited.push(Sql::Integer(number(limit)));
        let first: Option<i64> =
            connection.query_row(&newest, params_from_iter(limited), |row| row.get(0)).map_err(failed)?;
        let Some(first) = first else { return Ok(()) };
        condition.push_str(" AND seq >= ?");
        values.push(Sql::Integer(first));
    }
    let sql = format!("{ENTRY} WHERE {condition} ORDER BY seq");
    let mut statement = connection.prepare(&sql).map_err(failed)?;
    let mut rows = statement.query(params_from_iter(values)).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let entry = read(found(row).map_err(failed)?, file)?;
        if each(entry).is_break() {
            break;
        }
    }
    Ok(())
}

/// An entry by its number.
pub(super) fn entry(connection: &Connection, file: &Path, seq: u64) -> Result<Option<Entry>, StoreError> {
    let failed = |error: rusqlite::Error| StoreError::of_database(file, &error);
    let sql = format!("{ENTRY} WHERE seq = ?1");
    let one = connection.query_row(&sql, [number(seq)], found).optional().map_err(failed)?;
    one.map(|found| read(found, file)).transpose()
}

/// The newest entry about a call with the agent's own name for it.
pub(super) fn entry_of_call(
    connection: &Connection,
    file: &Path,
    session: &str,
    call_id: &str,
) -> Result<Option<Entry>, StoreError> {
    let failed = |error: rusqlite::Error| StoreError::of_database(file, &error);
    // Newest first: what is asked for has just happened. One that is not there must not cost a look at all of them.
    let sql =
        format!("{ENTRY} WHERE session = ?1 AND kind = 'call' ORDER BY seq DESC LIMIT {MOST_LOOKED_AT}");
    let mut statement = connection.prepare(&sql).map_err(failed)?;
    let mut rows = statement.query(params![session]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let entry = read(found(row).map_err(failed)?, file)?;
        if entry.record.call_id.as_deref() == Some(call_id) {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// Entries whose answer did not reach the agent, each with the entry that says so.
pub(super) fn abandoned(connection: &Connection) -> rusqlite::Result<BTreeMap<u64, u64>> {
    let mut statement = connection.prepare("SELECT about, seq FROM abandoned")?;
    let rows = statement.query_map([], |row| Ok((unsigned(row.get(0)?), unsigned(row.get(1)?))))?;
    rows.collect()
}

/// The number and hash of a row.
pub(super) fn tip(row: &Row<'_>) -> rusqlite::Result<Tip> {
    Ok(Tip { seq: unsigned(row.get(0)?), hash: row.get(1)? })
}

/// An entry as it stands there.
pub(super) fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    Ok(Found { seq: unsigned(row.get(0)?), prev: row.get(1)?, hash: row.get(2)?, body: row.get(3)? })
}

/// The columns of a row, from the fifth on.
pub(super) fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok(Columns {
        time: unsigned(row.get(4)?),
        session: row.get(5)?,
        agent: row.get(6)?,
        tool: row.get(7)?,
        decision: row.get(8)?,
        rule: row.get(9)?,
        kind: row.get(10)?,
    })
}

fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or_default()
}

fn read(found: Found, file: &Path) -> Result<Entry, StoreError> {
    let record = serde_json::from_str(&found.body).ok().and_then(Record::from_json);
    let Some(record) = record else {
        return Err(StoreError::damaged(file, &format!("entry {} cannot be read", found.seq)));
    };
    Ok(Entry { seq: found.seq, prev: found.prev, hash: found.hash, body: found.body, record })
}
