//! Arithmetic expressions and subscripts: found by their closing mark, then searched for expansions.

use bumpalo::collections::Vec as ArenaVec;

use super::cursor::{Parse, Parser};
use super::tree::{Arithmetic, Part, Quoting, Word};

impl<'a> Parser<'a> {
    /// Where the `))` stands that closes the parenthesis at `open` together with the one before it;
    /// nothing if the two close apart, which makes them subshells.
    pub(super) fn double_close(&mut self, open: usize) -> Parse<Option<usize>> {
        let Some(close) = self.matching(open, b'(', b')')? else { return Ok(None) };
        Ok((self.text.as_bytes().get(close + 1) == Some(&b')') && close + 1 < self.end).then_some(close))
    }

    /// Where the bracket that opens here closes.
    pub(super) fn matching_bracket(&mut self) -> Parse<Option<usize>> {
        self.matching(self.position, b'[', b']')
    }

    pub(super) fn closing_brace(&mut self, from: usize) -> Parse<usize> {
        // The opening brace was read; count from a place that stands for it.
        let bytes = self.text.as_bytes().get(..self.end).unwrap_or_default();
        let close = find_close_from(bytes, from, b'{', b'}', 1);
        self.spend(close.unwrap_or(self.end).saturating_sub(from))?;
        match close {
            Some(close) => Ok(close),
            None => self.syntax("`${` is not closed"),
        }
    }

    fn matching(&mut self, open: usize, opener: u8, closer: u8) -> Parse<Option<usize>> {
        let close = find_close(self.text.as_bytes().get(..self.end).unwrap_or_default(), open, opener, closer);
        self.spend(close.unwrap_or(self.end).saturating_sub(open))?;
        Ok(close)
    }

    /// The expression from here to `close`: its text and the expansions in it.
    pub(super) fn arithmetic_until(&mut self, close: usize) -> Parse<Arithmetic<'a>> {
        let start = self.position;
        let outer = std::mem::replace(&mut self.end, close.max(start));
        let parts = self.arithmetic_parts();
        self.end = outer;
        Ok(Arithmetic { parts: parts?, span: self.span(start, close) })
    }

    fn arithmetic_parts(&mut self) -> Parse<&'a [Part<'a>]> {
        let mut parts = ArenaVec::new_in(self.arena);
        while let Some(byte) = self.peek() {
            match byte {
                b'$' => self.dollar(&mut parts, Quoting::Double)?,
                b'`' => self.backticks(&mut parts, Quoting::Double)?,
                b'\\' => {
                    let length = self.rest().chars().nth(1).map_or(0, char::len_utf8);
                    parts.push(Part::Literal(self.slice(self.position + 1, self.position + 1 + length)));
                    self.advance(1 + length);
                }
                b'\'' | b'"' => self.advance(1),
                _ => {
                    let rest = self.rest().as_bytes();
                    let length = rest.iter().position(|byte| matches!(byte, b'$' | b'`' | b'\\' | b'\'' | b'"'));
                    let length = length.unwrap_or(rest.len());
                    parts.push(Part::Literal(self.slice(self.position, self.position + length)));
                    self.advance(length);
                }
            }
        }
        self.spend(1 + parts.len())?;
        Ok(parts.into_bump_slice())
    }

    /// `[…]` after a name.
    pub(super) fn subscript(&mut self) -> Parse<Word<'a>> {
        let start = self.position;
        let Some(close) = self.matching_bracket()? else { return self.syntax("`[` is not closed") };
        self.advance(1);
        let inside = self.deeper(|parser| parser.arithmetic_until(close))?;
        self.position = close + 1;
        Ok(Word { parts: inside.parts, span: self.span(start, self.position) })
    }
}

/// The quotes that a bracket search passes over; in `$'…'` a backslash escapes, in `'…'` it does not.
#[derive(Clone, Copy)]
enum Quote {
    Single,
    Double,
    AnsiC,
}

fn find_close(bytes: &[u8], open: usize, opener: u8, closer: u8) -> Option<usize> {
    find_close_from(bytes, open, opener, closer, 0)
}

/// Where the mark closes that is `depth` levels open at `from`; quotes and escapes are passed over.
fn find_close_from(bytes: &[u8], from: usize, opener: u8, closer: u8, depth: usize) -> Option<usize> {
    let mut depth = depth;
    let mut at = from;
    let mut quote = None;
    let mut after_dollar = false;
    while let Some(&byte) = bytes.get(at) {
        let dollar = std::mem::replace(&mut after_dollar, byte == b'$');
        match (quote, byte) {
            (Some(Quote::Single | Quote::AnsiC), b'\'') | (Some(Quote::Double), b'"') => quote = None,
            (Some(Quote::Single), _) => {}
            (_, b'\\') => at += 1,
            (Some(_), _) => {}
            (None, b'\'') => quote = Some(if dollar { Quote::AnsiC } else { Quote::Single }),
            (None, b'"') => quote = Some(Quote::Double),
            (None, _) if byte == opener => depth += 1,
            (None, _) if byte == closer => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            (None, _) => {}
        }
        at += 1;
    }
    None
}
