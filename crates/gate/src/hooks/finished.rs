//! A hook that has ended, as data: how, and what it wrote.

/// How many bytes a hook may write to each of its two streams.
pub const MAX_OUTPUT: usize = 1 << 20;

/// A hook that has ended.
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
    /// With this code.
    Exited(i32),
    /// By a signal.
    Killed(i32),
    /// It was killed because its time was over.
    TimedOut,
    /// It was killed because it wrote too much.
    Flooded,
    /// It was killed because its answer was not wanted any more.
    Cancelled,
    /// It did not start, or could not be watched; says why.
    Broken(String),
}

impl Finished {
    /// One that wrote nothing.
    #[must_use]
    pub const fn silent(ending: Ending) -> Finished {
        Finished { ending, stdout: Vec::new(), stderr: Vec::new() }
    }
}
