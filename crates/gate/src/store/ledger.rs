//! One transaction. What is written in it is durable when it is committed, and gone otherwise.

use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Statement, params};

use super::chain::{ABANDONED, Entry, Tip};
use super::decided;
use super::error::StoreError;
use super::place::{Head, Place};
use super::query;
use super::record::Record;
use super::schema::number;

const INSERT: &str = "INSERT INTO entry (seq, time, session, agent, tool, decision, rule, kind, prev, hash, body) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
/// How often the head is looked at before it is taken to be wrong.
const LOOKS: usize = 4;
/// An answer is abandoned once, whatever is said of it later.
const NOT_DELIVERED: &str = "INSERT OR IGNORE INTO abandoned (about, seq) VALUES (?1, ?2)";
const LAST: &str = "SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1";

/// An open transaction of the store; see [`Store::commit`](super::Store::commit).
pub struct Ledger<'a> {
    connection: &'a Connection,
    place: &'a Place,
    /// The last entry, once it was looked up.
    tip: RefCell<Option<Tip>>,
    /// Whether an entry was added.
    added: RefCell<bool>,
}

impl<'a> Ledger<'a> {
    pub(super) fn begin(connection: &'a Connection, place: &'a Place) -> Result<Ledger<'a>, StoreError> {
        let ledger = Ledger { connection, place, tip: RefCell::default(), added: RefCell::default() };
        // Immediate: what is read from here on cannot change before it is written back.
        ledger.run("BEGIN IMMEDIATE", |statement| statement.execute([]))?;
        Ok(ledger)
    }

    /// Makes everything durable; says which entry is the last, if one was added.
    pub(super) fn commit(self) -> Result<Option<Tip>, StoreError> {
        self.run("COMMIT", |statement| statement.execute([]))?;
        let added = *self.added.borrow();
        Ok(self.tip.borrow_mut().take().filter(|_| added))
    }

    /// Runs `work` so that nothing of it stays if it fails.
    pub(super) fn apart<T>(
        &self,
        work: impl FnOnce(&Ledger<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.run("SAVEPOINT job", |statement| statement.execute([]))?;
        let guard = Savepoint { ledger: self, before: self.tip.borrow().clone(), kept: false };
        let done = work(self)?;
        guard.keep()?;
        Ok(done)
    }

    /// Whether the transaction still stands: some errors of the disk end it as a whole.
    pub(super) fn stands(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// Appends a record to the log and returns its position.
    ///
    /// # Errors
    /// If it cannot be written, or the log is not the one that the second file knows.
    pub fn append(&self, record: &Record) -> Result<Tip, StoreError> {
        let last = self.last()?;
        let body = record.to_text();
        let next = last.then(&body);
        let columns = record.columns();
        self.run(INSERT, |statement| {
            statement.execute(params![
                number(next.seq),
                number(columns.time),
                columns.session,
                columns.agent,
                columns.tool,
                columns.decision,
                columns.rule,
                columns.kind,
                last.hash,
                next.hash,
                body,
            ])
        })?;
        *self.tip.borrow_mut() = Some(next.clone());
        *self.added.borrow_mut() = true;
        if let (ABANDONED, Some(about)) = (record.kind.as_str(), record.about) {
            self.run(NOT_DELIVERED, |statement| statement.execute([number(about), number(next.seq)]))?;
        }
        if next.seq.is_multiple_of(decided::BLOCK) {
            self.run(decided::TALLY, |statement| statement.execute([number(next.seq)]))?;
        }
        Ok(next)
    }

    /// The entry with this number.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn entry(&self, seq: u64) -> Result<Option<Entry>, StoreError> {
        query::entry(self.connection, self.file(), seq)
    }

    /// The newest entry of a session with this id of a call.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn entry_of_call(&self, session: &str, call_id: &str) -> Result<Option<Entry>, StoreError> {
        query::entry_of_call(self.connection, self.file(), session, call_id)
    }

    /// The last entry. Looked up once; afterwards nobody else can add one before this transaction ends.
    pub(super) fn last(&self) -> Result<Tip, StoreError> {
        if let Some(tip) = self.tip.borrow().as_ref() {
            return Ok(tip.clone());
        }
        let found = self.run(LAST, |statement| statement.query_row([], query::tip).optional())?;
        let found = found.unwrap_or_else(Tip::start);
        self.compare_with_head(&found)?;
        *self.tip.borrow_mut() = Some(found.clone());
        Ok(found)
    }

    /// The head is written after the transaction that it is about has ended, so another process may be writing it
    /// right now, and a look may meet half of that. Half a head is whole a moment later; a wrong one stays wrong.
    fn compare_with_head(&self, found: &Tip) -> Result<(), StoreError> {
        for _ in 1..LOOKS {
            if self.compare_once(found).is_ok() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.compare_once(found)
    }

    fn compare_once(&self, found: &Tip) -> Result<(), StoreError> {
        match self.place.read_head()? {
            Head::Names(head) if head.seq < found.seq || head == *found => Ok(()),
            // FAIL-CLOSED(cut-tail): going on would write over the only trace of what is missing.
            Head::Names(head) if head.seq > found.seq => Err(StoreError::CutTail {
                head: self.place.head.display().to_string(),
                expected: head.seq,
                found: found.seq,
            }),
            Head::Names(_) => {
                Err(StoreError::damaged(self.file(), "its last entry is not the one in `audit.head`"))
            }
            Head::Missing => Err(StoreError::damaged(&self.place.head, "it is missing")),
            Head::Empty => Err(StoreError::damaged(&self.place.head, "it was emptied")),
            Head::Broken => Err(StoreError::damaged(&self.place.head, "it names no entry")),
        }
    }

    pub(super) fn connection(&self) -> &Connection {
        self.connection
    }

    pub(super) fn file(&self) -> &Path {
        &self.place.database
    }

    pub(super) fn failed(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of_database(self.file(), error)
    }

    /// Uses a statement, which is made once for each connection.
    pub(super) fn run<T>(
        &self,
        sql: &'static str,
        used: impl FnOnce(&mut Statement<'a>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(|error| self.failed(&error))?;
        used(&mut statement).map_err(|error| self.failed(&error))
    }

    pub(super) fn execute(&self, sql: &'static str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.failed(&error))
    }
}

impl Drop for Ledger<'_> {
    /// What was not committed is undone, a panic included.
    fn drop(&mut self) {
        if self.stands() {
            // What cannot be undone now is undone when the file is opened next.
            drop(self.connection.execute_batch("ROLLBACK"));
        }
    }
}

/// Part of a transaction that can be undone alone.
struct Savepoint<'l, 'a> {
    ledger: &'l Ledger<'a>,
    before: Option<Tip>,
    kept: bool,
}

impl Savepoint<'_, '_> {
    fn keep(mut self) -> Result<(), StoreError> {
        self.ledger.run("RELEASE job", |statement| statement.execute([]))?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Savepoint<'_, '_> {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        self.ledger.tip.replace(self.before.take());
        if self.ledger.stands() && self.ledger.execute("ROLLBACK TO job; RELEASE job").is_err() {
            // Nothing of the whole transaction may stay if one part of it cannot be undone.
            drop(self.ledger.connection.execute_batch("ROLLBACK"));
        }
    }
}
