//! A file that a line runs, as far as it is known.

use portcullis_shell::Span;

/// A file that the line runs.
#[derive(Clone, Debug)]
pub(crate) struct RunFile {
    /// Where it lies.
    pub(crate) path: String,
    /// Who reads it.
    pub(crate) reader: Reader,
    /// What of it is run; the error says why it could not be read.
    pub(crate) text: Result<String, &'static str>,
    /// Whether it is the user's code: tracked and unchanged since the session began, or a locked dependency.
    pub(crate) settled: bool,
    /// Whether a script that the command names runs it; a test run or a build takes in what it finds.
    pub(crate) direct: bool,
    /// Whether it holds tasks, of which some are run.
    pub(crate) tasks: bool,
    /// The command that runs it.
    pub(crate) span: Span,
}

/// Who reads a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reader {
    /// A shell.
    Shell,
    /// The program of another language.
    Language,
    /// A program that runs the cells of a notebook.
    Notebook,
    /// Nobody that is known: it may be data for what runs.
    Data,
}
