//! Tokens that are written in pieces: `"gh""p_…"`, `'AKIA' + 'IOSF…'`, a line that a backslash continues.

use super::Find;
use super::bytes::{at, is_blank, is_quote, skip};
use super::scan;

/// Tokens that only show when the pieces are put together; their places are those in the text.
pub(super) fn scan_joined(text: &[u8]) -> Vec<Find> {
    let Some((joined, places)) = join(text) else { return Vec::new() };
    let place = |index: usize| places.get(index).copied();
    scan::tokens(&joined)
        .into_iter()
        .filter_map(|find| {
            let start = place(find.span.start)?;
            let end = place(find.span.end.checked_sub(1)?)? + 1;
            // What stands in one piece was found already.
            (end - start > find.span.len()).then_some(Find { span: start..end, kind: find.kind })
        })
        .collect()
}

/// The text without the seams, and where each of its bytes stood; nothing if there is no seam.
fn join(text: &[u8]) -> Option<(Vec<u8>, Vec<usize>)> {
    let mut place = 0;
    while place < text.len() && seam(text, place).is_none() {
        place += 1;
    }
    if place >= text.len() {
        return None;
    }
    let (mut joined, mut places) = (Vec::with_capacity(text.len()), Vec::with_capacity(text.len()));
    let mut place = 0;
    while place < text.len() {
        if let Some(end) = seam(text, place) {
            place = end;
            continue;
        }
        joined.push(at(text, place));
        places.push(place);
        place += 1;
    }
    Some((joined, places))
}

/// Where a seam that begins here ends: quotes inside a word, a sign that joins two texts, a backslash.
fn seam(text: &[u8], place: usize) -> Option<usize> {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let before = place.checked_sub(1).map_or(0, |before| at(text, before));
    let byte = at(text, place);
    if !is_quote(byte) && byte != b'\\' || !word(before) {
        return None;
    }
    if byte == b'\\' {
        let next = at(text, place + 1);
        if next == b'\n' {
            return Some(skip(text, place + 2, is_blank)).filter(|_| word(at(text, place + 2)));
        }
        return (word(next) && !matches!(next, b'n' | b't' | b'r' | b'u' | b'x')).then_some(place + 1);
    }
    let next = at(text, place + 1);
    if word(next) {
        return Some(place + 1);
    }
    let sign = skip(text, place + 1, |byte| byte.is_ascii_whitespace());
    let joins = matches!(at(text, sign), b'+' | b'.' | b'&' | b'~');
    let open = if joins {
        skip(text, sign + 1, |byte| byte.is_ascii_whitespace() || byte == b'.')
    } else {
        place + 1
    };
    let near = open - place < 16;
    (near && is_quote(at(text, open)) && word(at(text, open + 1))).then_some(open + 1)
}
