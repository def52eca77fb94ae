//! Small questions about bytes that every part of the search asks.

use std::ops::Range;

/// The byte at a place; 0 outside the text.
pub(super) fn at(text: &[u8], place: usize) -> u8 {
    text.get(place).copied().unwrap_or_default()
}

/// A part of the text; nothing where there is none.
pub(super) fn part(text: &[u8], range: Range<usize>) -> &[u8] {
    text.get(range).unwrap_or_default()
}

/// The text from a place on.
pub(super) fn rest(text: &[u8], place: usize) -> &[u8] {
    text.get(place..).unwrap_or_default()
}

/// The first place from `place` on whose byte does not pass.
pub(super) fn skip(text: &[u8], place: usize, passes: impl Fn(u8) -> bool) -> usize {
    rest(text, place).iter().position(|byte| !passes(*byte)).map_or(text.len(), |found| place + found)
}

/// Bytes that names are made of.
pub(super) const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

pub(super) const fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub(super) fn has_digit(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_digit)
}

pub(super) fn has_letter(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_alphabetic)
}

/// Whether the text is not a word that people write: letters with digits, or capitals strewn among small ones.
pub(super) fn looks_random(text: &[u8]) -> bool {
    let lower = text.iter().any(u8::is_ascii_lowercase);
    let upper = text.iter().any(u8::is_ascii_uppercase);
    has_letter(text) && has_digit(text) || lower && upper && text.len() >= 16
}

/// Whether the text holds a needle, without regard to case; the needle is in small letters.
pub(super) fn holds(text: &[u8], needle: &[u8]) -> bool {
    text.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle))
}

/// A set of first two bytes, so that nearly every word is passed over without a look at a table.
pub(super) struct Pairs([u64; 64]);

impl Pairs {
    pub(super) const NONE: Pairs = Pairs([0; 64]);

    /// With the first two bytes of `word` in it.
    #[expect(
        clippy::indexing_slicing,
        reason = "worked out by the compiler, which would refuse a wrong index"
    )]
    pub(super) const fn with(mut self, word: &str) -> Pairs {
        let bytes = word.as_bytes();
        self.0[(bytes[0] & 63) as usize] |= 1 << (bytes[1] & 63);
        self
    }

    /// Whether a word of the set could begin so.
    pub(super) fn may_hold(&self, first: u8, second: u8) -> bool {
        self.0.get(usize::from(first & 63)).is_some_and(|bits| bits & (1 << (second & 63)) != 0)
    }
}
