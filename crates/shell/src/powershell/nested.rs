//! Code inside code: the line itself, and strings that another command would run.
//!
//! Reads only text that is fully known; what is run from anything else is unclear.

use super::walk::Walker;
use super::{LONGEST, PowerShellReading, bypass, tree};
use crate::span::Span;
use crate::unclear::{Unclear, Why};

/// How often code may hold code in a string.
const DEEPEST: usize = 4;

/// A text to read, and how what it holds is shown.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    text: &'a str,
    /// Where commands that stand in no block are said to stand.
    placement: &'static str,
    /// For code in a string: where the string stands in the line.
    outer: Option<Span>,
    depth: usize,
}

impl<'a> Source<'a> {
    pub(super) fn line(text: &'a str) -> Source<'a> {
        Source { text, placement: "direct", outer: None, depth: 0 }
    }

    /// Code in a string that stands at `outer` and is run by something `depth` strings deep.
    pub(super) fn string(text: &'a str, outer: Span, depth: usize) -> Source<'a> {
        Source { text, placement: "substitution", outer: Some(outer), depth: depth + 1 }
    }

    /// Adds what the text would run to `reading`.
    pub(super) fn read_into(self, reading: &mut PowerShellReading) {
        let whole = self.outer.unwrap_or(Span::new(0, self.text.len()));
        if let Some((why, detail)) = self.obstacle() {
            reading.unclear.push(Unclear::new(why, detail, whole));
            return;
        }
        if let Some((at, character)) = bypass::curly(self.text) {
            let span = self.outer.unwrap_or(Span::new(at, at + character.len_utf8()));
            reading.unclear.push(Unclear::new(
                Why::Dialect,
                format!("`{character}` is a quote or a dash here"),
                span,
            ));
        }
        let Some(parsed) = tree::parse(&bypass::for_grammar(self.text)) else {
            reading.unclear.push(Unclear::new(Why::NotModelled, "the grammar is not available", whole));
            return;
        };
        if tree::is_too_deep(&parsed) {
            reading.unclear.push(Unclear::new(Why::TooDeep, "", whole));
            return;
        }
        let mut walker = Walker::new(self.text, self.outer, self.depth, reading);
        walker.walk(parsed.root_node(), self.placement);
        walker.finish();
    }

    fn obstacle(self) -> Option<(Why, String)> {
        if self.depth > DEEPEST {
            return Some((Why::UnclearCode, String::from("code in strings in strings")));
        }
        if self.depth > 0 && self.text.chars().nth(LONGEST).is_some() {
            return Some((Why::UnclearCode, String::from("too long")));
        }
        let hidden = if self.depth > 0 { bypass::hidden(self.text) } else { None };
        hidden.map(|(_, character)| (Why::UnclearCode, format!("U+{:04X}", u32::from(character))))
    }
}

/// The text of an `-EncodedCommand`: base64 of UTF-16, low byte first.
pub(super) fn decode(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in encoded.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        held = (held << 6) | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((held >> bits) & 0xff).ok()?);
            held &= (1 << bits) - 1;
        }
    }
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    if odd.is_empty() { String::from_utf16(&units).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_commands_are_utf16() {
        assert_eq!(decode("cgBtACAAeAA=").as_deref(), Some("rm x"));
        assert_eq!(decode("cm0geA=").as_deref(), Some("浲砠"));
        assert_eq!(decode("!!"), None);
    }
}
