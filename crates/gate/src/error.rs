//! Errors of commands that read or change what the user has: settings, trust, session modes.

use std::io;
use std::path::Path;

/// Why settings, trust or a session's mode could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// The file is not one that a project brings.
    #[error(
        "`{0}` is not a settings file of a project; those are `settings.json` and `settings.local.json` in `.portcullis` or `.claude`"
    )]
    NoProjectFile(String),
    /// A file is there and cannot be read.
    #[error("cannot read `{file}`: {why}")]
    Unreadable {
        /// The path of the file.
        file: String,
        /// The reason, for people.
        why: String,
    },
    /// A settings file has a syntax error; it is not overwritten.
    #[error("{file}:{line}:{column}: {problem}; mend it first")]
    Broken {
        /// The path of the file.
        file: String,
        /// The line of the error, counted from 1.
        line: u32,
        /// The column of the error, counted from 1.
        column: u32,
        /// The error, for people.
        problem: String,
    },
    /// A file cannot be written.
    #[error("cannot write `{file}`: {error}; check its access rights and the space left")]
    Write {
        /// The path of the file.
        file: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The list of trusted files is damaged or can be changed by others.
    #[error("{0}")]
    Ledger(String),
}

impl GateError {
    pub(crate) fn unreadable(path: &Path, why: &str) -> GateError {
        GateError::Unreadable { file: path.display().to_string(), why: why.to_owned() }
    }

    pub(crate) fn write(path: &Path, error: io::Error) -> GateError {
        GateError::Write { file: path.display().to_string(), error }
    }
}
