//! The form of the database.

use std::fs::File;

use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;
use super::place::{self, Head, Place};

/// The form that this program writes; kept in the database as `user_version`.
pub(super) const FORM: i64 = 2;

/// One index only: each costs every call a page. Entries are found by number and by session; other filters read
/// the short columns in front of the body.
const TABLES: &str = "
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    tool TEXT NOT NULL,
    decision TEXT NOT NULL,
    rule TEXT NOT NULL,
    kind TEXT NOT NULL,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX entry_session ON entry (session);
CREATE TABLE anchor (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT;
CREATE TABLE session (
    id TEXT PRIMARY KEY,
    last INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE facts (
    session TEXT PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE grant_given (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT,
    binding TEXT NOT NULL,
    expires INTEGER,
    uses_left INTEGER,
    revoked INTEGER,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX grant_binding ON grant_given (binding);
";

/// What form 2 adds. Nothing here is a second truth: `verify` compares it with the entries.
/// `tally` counts the decisions of whole blocks of entries, so that nobody has to read a long log to count them;
/// `abandoned` finds the entries whose answer did not reach the agent.
const FORM_2: &str = "
CREATE TABLE tally (
    last INTEGER PRIMARY KEY,
    earliest INTEGER NOT NULL,
    allow INTEGER NOT NULL,
    deny INTEGER NOT NULL,
    ask INTEGER NOT NULL
) STRICT;
CREATE TABLE abandoned (
    about INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL
) STRICT;
";

/// What brings the database from each form to the next; the first makes form 1.
const STEPS: &[&str] = &[TABLES, FORM_2];

/// The form of the database; 0 if it is empty.
pub(super) fn form(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Brings the database to the form of this program. Only one process does this at a time.
pub(super) fn bring_up(connection: &mut Connection, place: &Place) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::of_database(&place.database, &error);
    let lock = place.lock_head()?;
    let found = form(connection).map_err(failed)?;
    if found == FORM {
        return Ok(());
    }
    if !(0..=FORM).contains(&found) {
        let file = place.database.display().to_string();
        return Err(StoreError::Newer { file, found, known: FORM });
    }
    let head = place::head_of(&lock).map_err(|error| StoreError::write(&place.head, &error))?;
    if found == 0 {
        begin(connection, place, &lock, &head)?;
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or_default()) {
        transaction.execute_batch(step).map_err(failed)?;
    }
    if found == 1 {
        // Programs of form 1 left the head empty until the first entry.
        let any = transaction.query_row("SELECT EXISTS (SELECT 1 FROM entry)", [], |row| row.get(0));
        if head == Head::Empty && !any.map_err(failed)? {
            place.begin_head(&lock)?;
        }
    }
    transaction.execute_batch(&format!("PRAGMA user_version = {FORM}")).map_err(failed)?;
    transaction.commit().map_err(failed)
}

/// Begins a new log, unless there was one.
fn begin(connection: &Connection, place: &Place, lock: &File, head: &Head) -> Result<(), StoreError> {
    match head {
        // Nobody got further than to make the file.
        Head::Empty => {}
        Head::Names(tip) if tip.seq == 0 => {}
        // FAIL-CLOSED(cut-tail): a new chain would hide that there was another one.
        Head::Names(tip) => {
            let head = place.head.display().to_string();
            return Err(StoreError::CutTail { head, expected: tip.seq, found: 0 });
        }
        Head::Broken | Head::Missing => {
            return Err(StoreError::damaged(&place.head, "it names no entry"));
        }
    }
    // Before there can be an entry: from now on an empty head is damage, not a beginning.
    place.begin_head(lock)?;
    // Kept in the file, so that every later connection has it.
    let failed = |error: rusqlite::Error| StoreError::of_database(&place.database, &error);
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).map_err(failed)
}

/// A number as the database keeps it.
pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
