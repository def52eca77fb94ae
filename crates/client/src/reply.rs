//! What a host is told.

use std::io::Write;

use serde_json::Value;

/// What the hook prints for its host, and its exit code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// Standard output, which the host parses.
    pub stdout: String,
    /// Standard error, which the agent or a person reads, depending on the host.
    pub stderr: String,
    /// The exit code.
    pub code: u8,
}

/// The error if the host no longer reads.
#[derive(Debug)]
pub struct HostGone;

impl Reply {
    /// No output: the host goes on as if it had not asked.
    #[must_use]
    pub const fn silent() -> Reply {
        Reply { stdout: String::new(), stderr: String::new(), code: 0 }
    }

    /// A JSON value, with the exit code for success.
    #[must_use]
    pub fn said(value: &Value) -> Reply {
        Reply { stdout: value.to_string(), stderr: String::new(), code: 0 }
    }

    /// A refusal in the only form that every host understands: exit code 2, and the reason on standard error.
    #[must_use]
    pub fn refused(why: impl Into<String>) -> Reply {
        Reply { stdout: String::new(), stderr: why.into(), code: 2 }
    }

    /// Prints the reply.
    ///
    /// # Errors
    /// If the host reads nothing any more.
    pub fn print(&self) -> Result<(), HostGone> {
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
        stream.write_all(line.as_bytes()).and_then(|()| stream.flush()).map_err(|_| HostGone)
    }
}
