//! What is wrong with the settings, for people: where, what, and what to do.

use std::fmt;

/// How serious a problem is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Good to know.
    Note,
    /// A setting probably has no effect.
    Warning,
    /// Something is broken.
    Error,
}

impl Severity {
    /// The word in JSON and on the screen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A problem with the settings, with its place and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file; `None` for the command line.
    pub file: Option<String>,
    /// The line, counted from 1; 0 if there is none.
    pub line: u32,
    /// The column in characters, counted from 1; 0 if there is none.
    pub column: u32,
    /// What is wrong, and what to do.
    pub message: String,
    /// How serious it is.
    pub severity: Severity,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), 0) => write!(formatter, "{file}: ")?,
            (Some(file), line) => write!(formatter, "{file}:{line}:{}: ", self.column)?,
            (None, _) => formatter.write_str("command line: ")?,
        }
        formatter.write_str(&self.message)
    }
}
