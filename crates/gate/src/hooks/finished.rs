//! A hook that has ended, as data: how, and what it wrote.

/// The most bytes that a hook may write to standard output, and to standard error.
pub const MAX_OUTPUT: usize = 1 << 20;

/// How a hook ended, and what it printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// How a hook ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// A signal killed it.
    Killed(i32),
    /// It did not answer in time and was killed.
    TimedOut,
    /// It printed more than [`MAX_OUTPUT`] and was killed.
    Flooded,
    /// Its answer was no longer needed and it was killed.
    Cancelled,
    /// It could not be started or watched; says why.
    Broken(String),
}

impl Finished {
    /// One that printed nothing.
    #[must_use]
    pub const fn silent(ending: Ending) -> Finished {
        Finished { ending, stdout: Vec::new(), stderr: Vec::new() }
    }
}
