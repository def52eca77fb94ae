//! What outlives a process (SPEC A1, N3): sessions, grants, and the audit log.
//!
//! The log is a hash chain: each entry's hash covers the entry before it, so [`Store::verify`] finds whatever was
//! changed, removed or moved. [`Store::export`] writes it for checking elsewhere. One `SQLite` database in a private
//! folder is shared by every process of the user; a transaction that returned is on disk. A second file keeps the end
//! of the chain, so that a cut-off end is found. Every error means that there is no record, and without a record
//! nothing is allowed.

mod chain;
mod decided;
mod error;
mod export;
mod grants;
mod ledger;
mod memory;
mod place;
mod prune;
mod query;
mod record;
mod schema;
mod sessions;
#[cfg(test)]
mod tests;
mod verify;
mod writer;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

pub use chain::{Damage, Entry, Tip, Verified};
pub use decided::DecisionCounts;
pub use error::StoreError;
pub use export::verify_export;
pub use grants::{Grant, GrantState};
pub use ledger::Ledger;
pub use prune::Pruned;
pub use query::Filter;
pub use record::Record;
pub(crate) use record::hex;
pub use sessions::SessionRow;
pub(crate) use writer::Writer;

use place::{Identity, Place};
use verify::Part;

/// How long another program that writes is waited for.
const BUSY: Duration = Duration::from_secs(2);

/// How long the log of recent writes may be, in bytes, before a process that finds it moves it into the database.
/// A process that finds no other one reads that log when it starts, so it is kept short. The database's own way of
/// doing this needs a process that stays.
const LONG_WAL: u64 = 128 << 10;

/// The store of one user: sessions, grants and the audit log.
pub struct Store {
    connection: Connection,
    place: Place,
    /// Which file was opened: one that was moved away since must not be written to.
    identity: Option<Identity>,
    /// The log of recent writes was long when this was opened.
    long_wal: bool,
}

impl Store {
    /// Opens the store in `folder`, and creates it if there is none.
    ///
    /// # Errors
    /// If it cannot be opened or relied on.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let place = Place::prepare(folder)?;
        let identity = place.identity();
        let long_wal = place.wal_length() > LONG_WAL;
        let mut connection = connect(&place, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let failed = |error: rusqlite::Error| StoreError::of_database(&place.database, &error);
        if schema::form(&connection).map_err(failed)? != schema::FORM {
            schema::bring_up(&mut connection, &place)?;
        }
        // A process that ends must not spend time on moving recent writes; a later one does.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failed)?;
        connection.execute_batch("PRAGMA synchronous = FULL").map_err(failed)?;
        Ok(Store { connection, place, identity, long_wal })
    }

    /// Opens the store for reading.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn open_read_only(folder: &Path) -> Result<Store, StoreError> {
        if !folder.is_dir() {
            return Err(StoreError::Missing(folder.join("portcullis.db").display().to_string()));
        }
        let place = Place::in_folder(folder)?;
        let identity = place.identity();
        if identity.is_none() {
            return Err(place.never_written());
        }
        let connection = connect(&place, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let failed = |error: rusqlite::Error| StoreError::of_database(&place.database, &error);
        let found = schema::form(&connection).map_err(failed)?;
        if found == 0 {
            return Err(place.never_written());
        }
        if found > schema::FORM {
            let file = place.database.display().to_string();
            return Err(StoreError::Newer { file, found, known: schema::FORM });
        }
        if found < schema::FORM {
            // Nothing in an older form is read in two ways: it is brought up first.
            drop(connection);
            return Store::open(folder);
        }
        Ok(Store { connection, place, identity, long_wal: false })
    }

    /// Runs `work` in one transaction: durable when this returns without an error, rolled back otherwise.
    ///
    /// # Errors
    /// If the work fails, or something cannot be written.
    pub fn commit<T>(
        &mut self,
        work: impl FnOnce(&Ledger<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.place.identity() != self.identity {
            let why = "it was moved or replaced while it was in use; start the program again";
            return Err(StoreError::unusable(&self.place.database, why));
        }
        let ledger = Ledger::begin(&self.connection, &self.place)?;
        let done = work(&ledger)?;
        if let Some(tip) = ledger.commit()? {
            self.place.write_head(&tip)?;
        }
        if std::mem::take(&mut self.long_wal) {
            self.shorten_wal();
        }
        Ok(done)
    }

    /// Moves recent writes into the database. They are durable already: if somebody stands in the way, or the
    /// disk is full, the next process tries again.
    fn shorten_wal(&self) {
        drop(self.connection.busy_timeout(Duration::ZERO));
        drop(self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        drop(self.connection.busy_timeout(BUSY));
    }

    /// The session with this id.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn session(&self, id: &str) -> Result<Option<SessionRow>, StoreError> {
        let found = sessions::one(&self.connection, id).map_err(|error| self.failed(&error))?;
        found.map(|row| row.ok_or_else(|| self.unreadable("a session"))).transpose()
    }

    /// All sessions, the latest first.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        let rows = sessions::all(&self.connection).map_err(|error| self.failed(&error))?;
        rows.into_iter().collect::<Option<_>>().ok_or_else(|| self.unreadable("a session"))
    }

    /// The sessions since a moment in which no words of the user are known (C19), the latest first.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn unread_since(&self, moment: u64) -> Result<Vec<SessionRow>, StoreError> {
        let mut rows = self.sessions()?;
        rows.retain(|row| row.last >= moment && row.unread.is_some());
        Ok(rows)
    }

    /// Passes the entries that match a filter to `each`, in order and one at a time, until it returns a break.
    ///
    /// # Errors
    /// If an entry cannot be read.
    pub fn entries(
        &self,
        filter: &Filter,
        mut each: impl FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        query::entries(&self.connection, &self.place.database, filter, &mut each)
    }

    /// The entry with this number.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn entry(&self, seq: u64) -> Result<Option<Entry>, StoreError> {
        query::entry(&self.connection, &self.place.database, seq)
    }

    /// All grants, the oldest first, including those no longer in force.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn grants(&self) -> Result<Vec<Grant>, StoreError> {
        grants::all(&self.connection).map_err(|error| self.failed(&error))
    }

    /// The grant that allows a call, if the hash of its entry is vouched for.
    ///
    /// # Errors
    /// If grants cannot be read.
    pub fn matching_grant(
        &self,
        session: &str,
        binding: &str,
        now_ms: u64,
        vouched: impl Fn(&str) -> bool,
    ) -> Result<Option<Grant>, StoreError> {
        grants::matching(&self.connection, &self.place.database, session, binding, now_ms, vouched)
    }

    /// The newest entry of a session with this id of a call.
    ///
    /// # Errors
    /// If entries cannot be read.
    pub fn entry_of_call(&self, session: &str, call_id: &str) -> Result<Option<Entry>, StoreError> {
        query::entry_of_call(&self.connection, &self.place.database, session, call_id)
    }

    /// The entries whose answer did not reach the agent, each with the entry that says so.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn abandoned(&self) -> Result<BTreeMap<u64, u64>, StoreError> {
        query::abandoned(&self.connection).map_err(|error| self.failed(&error))
    }

    /// Verifies the whole log.
    ///
    /// # Errors
    /// If it could not be looked at; what is wrong with it is no error but the answer.
    pub fn verify(&self) -> Result<Verified, StoreError> {
        verify::verify(&self.connection, &self.place, Part::Whole)
    }

    /// Verifies the last `most` entries of the log and its end, in a time that does not grow with the log. Finds a
    /// cut-off end and recent changes; only [`Store::verify`] finds all.
    ///
    /// # Errors
    /// If it could not be looked at; what is wrong with it is no error but the answer.
    pub fn verify_end(&self, most: u64) -> Result<Verified, StoreError> {
        verify::verify(&self.connection, &self.place, Part::End(most))
    }

    /// Numbers of calls by decision since a moment, in milliseconds since 1970.
    ///
    /// # Errors
    /// If entries cannot be read.
    pub fn decided_since(&self, since_ms: u64) -> Result<DecisionCounts, StoreError> {
        decided::since(&self.connection, since_ms).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of_database(&self.place.database, error)
    }

    fn unreadable(&self, what: &str) -> StoreError {
        StoreError::damaged(&self.place.database, &format!("{what} in it cannot be read"))
    }
}

/// Opens the database. It is used by one thread at a time, and no link is followed.
fn connect(place: &Place, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let failed = |error: rusqlite::Error| StoreError::of_database(&place.database, &error);
    let connection = Connection::open_with_flags(&place.database, flags).map_err(failed)?;
    connection.busy_timeout(BUSY).map_err(failed)?;
    // Without this a statement is planned anew each time that it is used with another value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed)?;
    Ok(connection)
}
