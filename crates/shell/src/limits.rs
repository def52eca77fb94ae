//! The front door: what is refused before anything is parsed.

use crate::dialect::Dialect;
use crate::reading::Reading;
use crate::span::Span;
use crate::unclear::{Unclear, Why};
use crate::walk;

/// The limit of a line's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most characters.
    pub characters: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { characters: 10_000 }
    }
}

/// Reads a command line of at most 10,000 characters.
#[must_use]
pub fn read(line: &str, dialect: Dialect) -> Reading {
    read_within(line, dialect, Limits::default())
}

/// As [`read_within`], for a line that may not be valid UTF-8.
#[must_use]
pub fn read_bytes(line: &[u8], dialect: Dialect, limits: Limits) -> Reading {
    match std::str::from_utf8(line) {
        Ok(text) => read_within(text, dialect, limits),
        Err(error) => {
            let at = error.valid_up_to();
            refuse(Why::Hidden, "bytes that are not text", Span::new(at, at + 1))
        }
    }
}

/// As [`read`], with a limit of the caller's choice.
#[must_use]
pub fn read_within(line: &str, dialect: Dialect, limits: Limits) -> Reading {
    read_among(line, dialect, limits, &[])
}

/// As [`read_within`], where these folders, relative to where the line starts, are known to exist: a `cd` into one of
/// them does not fail.
#[must_use]
pub fn read_among(line: &str, dialect: Dialect, limits: Limits, folders: &[String]) -> Reading {
    // Bytes are never fewer than characters, so most lines need no counting.
    if line.len() > limits.characters && line.chars().nth(limits.characters).is_some() {
        let detail = format!("more than {} characters", limits.characters);
        return refuse(Why::TooLong, detail, Span::new(0, line.len()));
    }
    if let Some((at, character)) = line.char_indices().find(|(_, character)| hides_text(*character)) {
        let detail = format!("{}", character.escape_unicode());
        return refuse(Why::Hidden, detail, Span::new(at, at + character.len_utf8()));
    }
    match dialect {
        Dialect::Bash | Dialect::Sh | Dialect::Zsh => walk::read_script(line, dialect, folders),
        Dialect::PowerShell => read_powershell(line),
    }
}

#[cfg(feature = "powershell")]
fn read_powershell(line: &str) -> Reading {
    crate::powershell::convert::reading(line)
}

#[cfg(not(feature = "powershell"))]
fn read_powershell(line: &str) -> Reading {
    refuse(Why::NotModelled, "PowerShell is not built in", Span::new(0, line.len()))
}

fn refuse(why: Why, detail: impl Into<String>, span: Span) -> Reading {
    Reading { unclear: vec![Unclear::new(why, detail, span)], ..Reading::default() }
}

/// Whether a character is invisible, or changes the order in which text is shown.
#[must_use]
pub fn hides_text(character: char) -> bool {
    match character {
        '\t' | '\n' | ' '..='~' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // Blanks that the shell does not split at, and marks of no width.
        '\u{a0}' | '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{1680}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180e}' => true,
        '\u{2000}'..='\u{200f}'
        | '\u{2028}'..='\u{202f}'
        | '\u{205f}'..='\u{206f}'
        | '\u{3000}'
        | '\u{3164}' => true,
        '\u{fe00}'..='\u{fe0e}' => true,
        '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}
