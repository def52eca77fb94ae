//! Arithmetic expressions and subscripts: found by their closing mark, then searched for expansions.

use bumpalo::collections::Vec as ArenaVec;

use super::cursor::{Parse, Parser};
use super::tree::{Arithmetic, Part, Quoting, Word};
use crate::unclear::Why;

impl<'a> Parser<'a> {
    /// Where the `))` stands that closes the parenthesis at `open` together with the one before it;
    /// nothing if the two close apart, which makes them subshells.
    pub(super) fn double_close(&mut self, open: usize) -> Parse<Option<usize>> {
        let Some(close) = self.search(open, (b'(', b')'), 0)? else { return Ok(None) };
        Ok((self.text.as_bytes().get(close + 1) == Some(&b')') && close + 1 < self.end).then_some(close))
    }

    /// Where the bracket that opens here closes.
    pub(super) fn matching_bracket(&mut self) -> Parse<Option<usize>> {
        self.search(self.position, (b'[', b']'), 0)
    }

    pub(super) fn closing_brace(&mut self, from: usize) -> Parse<usize> {
        // The opening brace was read already.
        match self.search(from, (b'{', b'}'), 1)? {
            Some(close) => Ok(close),
            None => self.syntax("`${` is not closed"),
        }
    }

    fn search(&mut self, from: usize, marks: (u8, u8), depth: usize) -> Parse<Option<usize>> {
        let bytes = self.text.as_bytes().get(..self.end).unwrap_or_default();
        let result = find_close(bytes, from, marks, depth);
        let to = if let Search::Found(close) = result { close } else { self.end };
        self.spend(to.saturating_sub(from))?;
        match result {
            Search::Found(close) => Ok(Some(close)),
            Search::Missing => Ok(None),
            Search::Doubtful => self.stop(Why::NotModelled, "unusual quoting inside brackets"),
        }
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
                    let length =
                        rest.iter().position(|byte| matches!(byte, b'$' | b'`' | b'\\' | b'\'' | b'"'));
                    let length = length.unwrap_or(rest.len());
                    parts.push(Part::Literal(self.slice(self.position, self.position + length)));
                    self.advance(length);
                }
            }
        }
        self.spend(1 + parts.len())?;
        Ok(parts.into_bump_slice())
    }

    /// `$[…]`, from the dollar sign on.
    pub(super) fn bracket_arithmetic(&mut self, quoting: Quoting) -> Parse<Part<'a>> {
        let start = self.position;
        self.advance(1);
        self.only_bash("`$[…]`", 1);
        let Some(close) = self.matching_bracket()? else { return self.syntax("`$[` is not closed") };
        self.advance(1);
        let expression = self.deeper(|parser| parser.arithmetic_until(close))?;
        self.position = close + 1;
        Ok(Part::Arithmetic(
            self.arena.alloc(Arithmetic { span: self.span(start, self.position), ..expression }),
            quoting,
        ))
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

/// What a search for a closing mark comes to.
enum Search {
    Found(usize),
    Missing,
    /// Text in between whose quoting this search does not follow.
    Doubtful,
}

/// Where the mark closes that is `depth` levels open at `from`; plain quotes and escapes are passed over.
/// `$'…'`, comments and bare braces are rare here, and bash has rules of its own for each.
fn find_close(bytes: &[u8], from: usize, (opener, closer): (u8, u8), depth: usize) -> Search {
    let mut depth = depth;
    let mut at = from;
    let mut quote = None;
    let mut before = b' ';
    while let Some(&byte) = bytes.get(at) {
        let previous = std::mem::replace(&mut before, byte);
        if byte.is_ascii_alphanumeric() || byte == b' ' {
            // Most of the text; a hostile line is searched many times over.
            at += 1;
            continue;
        }
        match (quote, byte) {
            (Some(b'\''), b'\'') => quote = None,
            (Some(b'\''), _) => {}
            // Backticks end at the next one, whatever quotes stand in between.
            (_, b'`') => match bytes.iter().skip(at + 1).position(|byte| matches!(byte, b'`' | b'\\')) {
                Some(length) if bytes.get(at + 1 + length) == Some(&b'`') => at += 1 + length,
                Some(_) => return Search::Doubtful,
                None => return Search::Missing,
            },
            (None, b'\'') if previous == b'$' => return Search::Doubtful,
            (None, b'#') if matches!(previous, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(') => {
                return Search::Doubtful;
            }
            (None, b'{') if opener == b'{' && previous != b'$' => return Search::Doubtful,
            (None, b'(') if opener != b'(' && matches!(previous, b'<' | b'>') => return Search::Doubtful,
            (None, b'(') if opener != b'(' && previous == b'$' => {
                // What a command substitution holds does not count.
                let stops = |next: &u8| *next == b')' || *next == opener || *next == closer;
                let next = bytes.iter().skip(at + 1).find(|next| stops(next));
                if next.is_some_and(|next| *next != b')') {
                    return Search::Doubtful;
                }
            }
            (None, b'{' | b'[') if opener == b'(' && previous == b'$' => {
                // A parenthesis inside `${…}` or `$[…]` counts in some places and not in others.
                let end = if byte == b'{' { b'}' } else { b']' };
                let stops = |next: &u8| matches!(next, b'(' | b')') || *next == byte || *next == end;
                match bytes.iter().skip(at + 1).position(stops) {
                    Some(length) if bytes.get(at + 1 + length) == Some(&end) => at += 1 + length,
                    Some(_) => return Search::Doubtful,
                    None => return Search::Missing,
                }
            }
            (Some(open), _) if open == byte => quote = None,
            (_, b'\\') => at += 1,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, _) if byte == opener => depth += 1,
            (None, _) if byte == closer => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Search::Found(at);
                }
            }
            (None, _) => {}
        }
        at += 1;
    }
    Search::Missing
}
