//! What is wrong with the settings, for people: where, what, and what to do.

use std::fmt;

/// How much a problem matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Good to know.
    Note,
    /// Something has no effect that was perhaps meant to have one.
    Warning,
    /// Something is broken.
    Error,
}

impl Severity {
    /// The name that people and programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Something about the settings that the user should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// In which file; nothing for the command line.
    pub file: Option<String>,
    /// On which line, counted from 1; 0 if there is none.
    pub line: u32,
    /// In which column, counted from 1 in characters; 0 if there is none.
    pub column: u32,
    /// What is wrong, and what to do.
    pub message: String,
    /// How much it matters.
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
