//! What a host is told.

use std::io::Write;

use serde_json::Value;

/// What a host is told: what is printed, and the exit code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// For the host.
    pub stdout: String,
    /// For the agent or a person, depending on the host.
    pub stderr: String,
    /// The exit code.
    pub code: u8,
}

/// Nobody could read the answer.
#[derive(Debug)]
pub struct Unheard;

impl Reply {
    /// Nothing at all: the host goes on as if nobody was asked.
    #[must_use]
    pub const fn silent() -> Reply {
        Reply { stdout: String::new(), stderr: String::new(), code: 0 }
    }

    /// These words, and the exit code of a hook that worked.
    #[must_use]
    pub fn said(value: &Value) -> Reply {
        Reply { stdout: value.to_string(), stderr: String::new(), code: 0 }
    }

    /// A no in the only form that every host takes for one: exit code 2, and why on standard error.
    #[must_use]
    pub fn refused(why: impl Into<String>) -> Reply {
        Reply { stdout: String::new(), stderr: why.into(), code: 2 }
    }

    /// Prints it.
    ///
    /// # Errors
    /// If the host reads nothing any more.
    pub fn print(&self) -> Result<(), Unheard> {
        if !self.stderr.is_empty() {
            let mut stream = std::io::stderr().lock();
            drop(writeln!(stream, "{}", self.stderr).and_then(|()| stream.flush()));
        }
        if self.stdout.is_empty() {
            return Ok(());
        }
        let mut stream = std::io::stdout().lock();
        // One write: half an answer must not be seen.
        let line = format!("{}\n", self.stdout);
        stream.write_all(line.as_bytes()).and_then(|()| stream.flush()).map_err(|_| Unheard)
    }
}
