//! What can go wrong with the store. Whoever gets such an error has no record, and so may not allow.

use std::path::Path;

use rusqlite::ErrorCode;

/// Why the store cannot be read or written. Without a record nothing is allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no store yet.
    #[error("there is no audit log yet: `{0}` does not exist")]
    Missing(String),
    /// A file or folder is not as it must be.
    #[error("`{file}` cannot be used: {why}")]
    Unusable {
        /// Which.
        file: String,
        /// Why, and what to do.
        why: String,
    },
    /// The database cannot be read any more.
    #[error(
        "`{file}` is damaged: {why}; keep a copy, then move it, its `-wal` and `-shm` files and `audit.head` away together, and a new log begins"
    )]
    Damaged {
        /// Which file.
        file: String,
        /// What was seen.
        why: String,
    },
    /// Another program holds the database.
    #[error("`{file}` is held by another program; end that program, or try again")]
    Busy {
        /// Which file.
        file: String,
    },
    /// A newer program made the database.
    #[error(
        "`{file}` was written by a newer portcullis (form {found}, known up to {known}); use that version"
    )]
    Newer {
        /// Which file.
        file: String,
        /// Its form.
        found: i64,
        /// The newest form that is known here.
        known: i64,
    },
    /// The second file knows of entries that the database does not have.
    #[error(
        "the end of the audit log is missing: `{head}` names entry {expected}, the log ends with entry {found}; keep a copy of the folder, then move `portcullis.db` with its `-wal` and `-shm` files and `audit.head` away together, and a new log begins"
    )]
    CutTail {
        /// The second file.
        head: String,
        /// The entry that it names.
        expected: u64,
        /// The last entry that there is.
        found: u64,
    },
    /// Something could not be written.
    #[error("cannot write `{file}`: {why}; check its access rights and the space left")]
    Write {
        /// Which file.
        file: String,
        /// Why.
        why: String,
    },
    /// The thread that writes has ended.
    #[error("the audit log is closed: the program is stopping")]
    Stopped,
    /// The job itself gave up; nothing of it was written.
    #[error("{0}")]
    Refused(String),
}

impl StoreError {
    pub(super) fn unusable(file: &Path, why: &str) -> StoreError {
        StoreError::Unusable { file: file.display().to_string(), why: why.to_owned() }
    }

    pub(super) fn write(file: &Path, why: &std::io::Error) -> StoreError {
        StoreError::Write { file: file.display().to_string(), why: why.to_string() }
    }

    pub(super) fn damaged(file: &Path, why: &str) -> StoreError {
        StoreError::Damaged { file: file.display().to_string(), why: why.to_owned() }
    }

    /// What an error of the database means.
    pub(super) fn of_database(file: &Path, error: &rusqlite::Error) -> StoreError {
        let name = file.display().to_string();
        let why = error.to_string();
        let code = error.sqlite_error_code();
        if matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) {
            return StoreError::Busy { file: name };
        }
        if matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)) {
            return StoreError::Damaged { file: name, why };
        }
        // No code: a column is missing or is of another type, which this program never writes.
        let damaged = code.is_none() || matches!(code, Some(ErrorCode::TypeMismatch | ErrorCode::Unknown));
        if damaged { StoreError::Damaged { file: name, why } } else { StoreError::Write { file: name, why } }
    }
}
