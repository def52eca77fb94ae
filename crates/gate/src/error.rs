//! What can go wrong while something is written down or looked at for the user.

use std::io;
use std::path::Path;

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// The file is not one that a project brings.
    #[error(
        "`{0}` is not a settings file of a project; those are `settings.json` and `settings.local.json` in `.portcullis` or `.claude`"
    )]
    NoProjectFile(String),
    /// A file cannot be read.
    #[error("cannot read `{file}`: {why}")]
    Unreadable {
        /// Which.
        file: String,
        /// Why.
        why: String,
    },
    /// A settings file is broken, and will not be written over.
    #[error("{file}:{line}:{column}: {problem}; mend it first")]
    Broken {
        /// Which.
        file: String,
        /// Where.
        line: u32,
        /// Where on the line.
        column: u32,
        /// What is wrong.
        problem: String,
    },
    /// A file cannot be written.
    #[error("cannot write `{file}`: {error}; check its access rights and the space left")]
    Write {
        /// Which.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// What was written down about trust cannot be relied on.
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
