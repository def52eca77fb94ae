//! What a PowerShell line would run: every command at any depth, its canonical name, its arguments,
//! what it does where that is proven, and what cannot be told.
//!
//! It proves little: a short list of cmdlets with known parameters. Whatever else the line holds is
//! named in `unclear`. It never runs, resolves or looks up anything.

mod aliases;
mod binding;
mod bypass;
mod cmdlet;
mod cmdlets;
mod cmdlets_changing;
mod cmdlets_reading;
mod command;
pub(crate) mod convert;
mod expression;
mod nested;
mod path;
mod shells;
mod tree;
mod walk;
mod word;

pub use aliases::aliases;

#[cfg(test)]
mod tests;

use crate::effects::Effects;
use crate::span::Span;
use crate::unclear::{Unclear, Why};

/// Longest line that is read, in characters.
const LONGEST: usize = 10_000;

/// What is done with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileUse {
    Read,
    Write,
    Delete,
}

/// What a line would run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PowerShellReading {
    pub(crate) commands: Vec<PowerShellCommand>,
    pub(crate) unclear: Vec<Unclear>,
    /// Set when the line was not read at all.
    pub(crate) refused: Option<Unclear>,
}

/// One command of the line. An assignment is shown as the cmdlet that does the same (`Set-Variable`,
/// `Set-Item env:…`), and so is a redirected expression (`Out-File`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PowerShellCommand {
    /// Canonical cmdlet or program name; `None` when it is only known at run time.
    pub(crate) program: Option<String>,
    /// Text, whether it is exactly that text, and where it stands. Otherwise the text is a pattern in
    /// which `*` stands for what is not known.
    pub(crate) arguments: Vec<(String, bool, Span)>,
    pub(crate) span: Span,
    pub(crate) effects: Effects,
    /// As for arguments: the text of the path and whether it is exactly that.
    pub(crate) files: Vec<(FileUse, String, bool)>,
    /// Which of the files a redirection opens, whatever the command does.
    pub(crate) redirects: Vec<usize>,
    /// `direct`, `piped`, `script-block`, `substitution` or `function`.
    pub(crate) placement: &'static str,
    /// Not a cmdlet: what it does with its arguments is for the tables of programs to say.
    pub(crate) external: bool,
}

/// Reads `line`.
pub(crate) fn read(line: &str) -> PowerShellReading {
    let mut reading = PowerShellReading::default();
    if line.chars().nth(LONGEST).is_some() {
        reading.refused = Some(Unclear::new(Why::TooLong, "", Span::new(0, line.len())));
        return reading;
    }
    if let Some((at, hidden)) = bypass::hidden(line) {
        let detail = format!("U+{:04X}", u32::from(hidden));
        reading.refused = Some(Unclear::new(Why::Hidden, detail, Span::new(at, at + hidden.len_utf8())));
        return reading;
    }
    nested::Source::line(line).read_into(&mut reading);
    if let Some(position) = reading.unclear.iter().position(|unclear| unclear.why.is_refusal()) {
        reading.refused = Some(reading.unclear.remove(position));
    }
    reading
}
