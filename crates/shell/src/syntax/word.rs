//! Words: literal text, quotes, escapes, globs, braces, tildes, and the expansions between them.

use bumpalo::collections::Vec as ArenaVec;

use super::cursor::{Parse, Parser, is_meta};
use super::tree::{Part, Quoting, Word};
use crate::dialect::Dialect;
use crate::unclear::Why;

/// Where a word stands; decides which bytes end it and which are special.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Argument,
    /// After `name=`: `~` also counts after `:`.
    Value,
    /// The operand of `${x…}`: ends at `}`; blanks are text.
    Operand,
    /// A pattern in `[[ ]]`: parentheses belong to it.
    Pattern,
    /// The right side of `=~`.
    Regex,
}

impl<'a> Parser<'a> {
    pub(super) fn word(&mut self) -> Parse<Word<'a>> {
        let place = if self.in_test { Place::Pattern } else { Place::Argument };
        self.word_in(place)
    }

    pub(super) fn assignment_value(&mut self) -> Parse<Word<'a>> {
        self.word_in(Place::Value)
    }

    /// An argument of `export` and its kin: tildes count after `=`, as in an assignment.
    pub(super) fn assignment_word(&mut self) -> Parse<Word<'a>> {
        self.word_in(Place::Value)
    }

    pub(super) fn word_in(&mut self, place: Place) -> Parse<Word<'a>> {
        let start = self.position;
        let mut parts = ArenaVec::new_in(self.arena);
        self.parts_into(&mut parts, place)?;
        self.spend(1 + parts.len())?;
        Ok(Word { parts: parts.into_bump_slice(), span: self.span(start, self.position) })
    }

    fn parts_into(&mut self, parts: &mut ArenaVec<'a, Part<'a>>, place: Place) -> Parse<()> {
        let start = self.position;
        let mut parentheses = 0_usize;
        loop {
            let run = self.plain_run(place);
            if !run.is_empty() {
                parts.push(Part::Literal(run));
            }
            let Some(byte) = self.peek() else { return self.word_ends(place, parentheses) };
            match byte {
                b'\'' => self.single_quoted(parts)?,
                b'"' => self.double_quoted(parts)?,
                b'\\' => self.escape(parts),
                b'$' => self.dollar(parts, Quoting::Bare)?,
                b'`' => self.backticks(parts, Quoting::Bare)?,
                b'<' | b'>'
                    if self.at(1) == Some(b'(')
                        && matches!(place, Place::Argument | Place::Value | Place::Operand) =>
                {
                    parts.push(self.process()?);
                }
                b'}' if place == Place::Operand => return Ok(()),
                b'(' | b'|' if place == Place::Regex || parentheses > 0 => {
                    parentheses += usize::from(byte == b'(');
                    self.glob(parts, 1);
                }
                b'(' if place == Place::Pattern && self.position > start => {
                    if !extends(parts.last()) {
                        return self.syntax("unexpected `(`");
                    }
                    parentheses += 1;
                    self.glob(parts, 1);
                }
                b')' if parentheses > 0 => {
                    parentheses -= 1;
                    self.glob(parts, 1);
                }
                b' ' | b'\t' | b'<' | b'>' | b';' | b'&' if parentheses > 0 && place == Place::Regex => {
                    self.glob(parts, 1);
                }
                b'(' if place == Place::Argument && self.dialect == Dialect::Zsh && self.position > start => {
                    return self.stop(Why::Dialect, "a glob qualifier");
                }
                byte if is_meta(byte) && place != Place::Operand => {
                    return self.word_ends(place, parentheses);
                }
                b'[' if self.at(1).is_none_or(is_meta) => self.literal_byte(parts),
                b'*' | b'?' | b'[' => self.glob(parts, 1),
                b'{' | b',' | b'}' => self.brace(parts),
                b'~' => self.tilde(parts, start, place),
                b'=' if self.dialect == Dialect::Zsh
                    && self.position == start
                    && place == Place::Argument =>
                {
                    self.zsh_equals(parts);
                }
                _ => self.literal_byte(parts),
            }
        }
    }

    fn word_ends(&self, place: Place, parentheses: usize) -> Parse<()> {
        if parentheses > 0 {
            return self.syntax("a parenthesis in a pattern is not closed");
        }
        if place == Place::Operand { self.syntax("`${` is not closed") } else { Ok(()) }
    }

    /// The longest run of bytes that mean themselves.
    fn plain_run(&mut self, place: Place) -> &'a str {
        let rest = self.rest();
        let end = rest.bytes().position(|byte| {
            is_special(byte) && !(place == Place::Operand && is_meta(byte) && !matches!(byte, b'<' | b'>'))
        });
        let run = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.advance(run.len());
        run
    }

    fn literal_byte(&mut self, parts: &mut ArenaVec<'a, Part<'a>>) {
        let length = self.rest().chars().next().map_or(1, char::len_utf8);
        let text = self.slice(self.position, self.position + length);
        self.advance(length);
        parts.push(Part::Literal(text));
    }

    fn glob(&mut self, parts: &mut ArenaVec<'a, Part<'a>>, length: usize) {
        let text = self.slice(self.position, self.position + length);
        self.advance(length);
        parts.push(Part::Glob(text));
    }

    fn brace(&mut self, parts: &mut ArenaVec<'a, Part<'a>>) {
        let text = self.slice(self.position, self.position + 1);
        self.advance(1);
        if self.dialect == Dialect::Sh
            && text == "{"
            && self.peek().is_some_and(|byte| byte != b'}' && !is_meta(byte))
        {
            self.note(Why::Dialect, "brace expansion", self.position - 1);
        }
        parts.push(Part::Brace(text));
    }

    /// `~` counts at the start of a word and, in values, after `=` and `:`.
    fn tilde(&mut self, parts: &mut ArenaVec<'a, Part<'a>>, start: usize, place: Place) {
        let before = self.text.as_bytes().get(self.position.wrapping_sub(1)).copied();
        let counts = self.position == start || (place == Place::Value && matches!(before, Some(b'=' | b':')));
        if !counts {
            return self.literal_byte(parts);
        }
        let rest = self.rest();
        let length = rest
            .bytes()
            .skip(1)
            .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'.')));
        let text = rest.get(..length.map_or(rest.len(), |length| length + 1)).unwrap_or_default();
        self.advance(text.len());
        parts.push(Part::Tilde(text));
    }

    fn zsh_equals(&mut self, parts: &mut ArenaVec<'a, Part<'a>>) {
        let start = self.position;
        self.advance(1);
        if self.peek().is_some_and(|byte| !is_meta(byte) && byte != b'=') {
            self.note(Why::Dialect, "`=command`", start);
        }
        parts.push(Part::Literal("="));
    }

    fn single_quoted(&mut self, parts: &mut ArenaVec<'a, Part<'a>>) -> Parse<()> {
        let Some(length) = memchr::memchr(b'\'', self.rest().as_bytes().get(1..).unwrap_or_default()) else {
            return self.syntax("a single quote is not closed");
        };
        let start = self.position + 1;
        parts.push(Part::Quoted(self.slice(start, start + length)));
        self.advance(length + 2);
        Ok(())
    }

    pub(super) fn double_quoted(&mut self, parts: &mut ArenaVec<'a, Part<'a>>) -> Parse<()> {
        self.advance(1);
        let inside = self.deeper(|parser| parser.quoted_parts(Quoting::Double, Some(b'"')))?;
        self.advance(1);
        if inside.is_empty() {
            parts.push(Part::Quoted(""));
        }
        parts.extend_from_slice(inside);
        Ok(())
    }

    /// A backslash outside quotes.
    fn escape(&mut self, parts: &mut ArenaVec<'a, Part<'a>>) {
        if self.at(1) == Some(b'\n') {
            return self.continuation();
        }
        self.advance(1);
        let Some(next) = self.rest().chars().next() else {
            // Bash takes `fi\` for `fi` here, but keeps the backslash of an argument.
            self.note(Why::NotModelled, "a backslash at the end", self.position - 1);
            parts.push(Part::Quoted("\\"));
            return;
        };
        parts.push(Part::Quoted(self.slice(self.position, self.position + next.len_utf8())));
        self.advance(next.len_utf8());
    }

    /// The inside of double quotes up to `closer`, or of a here-document up to the end.
    pub(super) fn quoted_parts(&mut self, quoting: Quoting, closer: Option<u8>) -> Parse<&'a [Part<'a>]> {
        let mut parts = ArenaVec::new_in(self.arena);
        loop {
            let rest = self.rest().as_bytes();
            let plain =
                rest.iter().position(|byte| matches!(byte, b'\\' | b'$' | b'`') || Some(*byte) == closer);
            let length = plain.unwrap_or(rest.len());
            if length > 0 {
                parts.push(Part::Quoted(self.slice(self.position, self.position + length)));
                self.advance(length);
            }
            match self.peek() {
                None if closer.is_none() => break,
                None => return self.syntax("a double quote is not closed"),
                Some(byte) if Some(byte) == closer => break,
                Some(b'\\') => self.quoted_escape(&mut parts, closer),
                Some(b'$') => self.dollar(&mut parts, quoting)?,
                Some(_) => self.backticks(&mut parts, quoting)?,
            }
        }
        self.spend(1 + parts.len())?;
        Ok(parts.into_bump_slice())
    }

    fn quoted_escape(&mut self, parts: &mut ArenaVec<'a, Part<'a>>, closer: Option<u8>) {
        match self.at(1) {
            Some(b'\n') => self.continuation(),
            Some(next) if matches!(next, b'$' | b'`' | b'\\') || Some(next) == closer => {
                parts.push(Part::Quoted(self.slice(self.position + 1, self.position + 2)));
                self.advance(2);
            }
            _ => {
                parts.push(Part::Quoted("\\"));
                self.advance(1);
            }
        }
    }
}

/// Whether a parenthesis after this part begins an extended pattern.
fn extends(part: Option<&Part<'_>>) -> bool {
    match part {
        Some(Part::Literal(text) | Part::Glob(text)) => text.ends_with(['?', '*', '+', '@', '!']),
        Some(_) | None => false,
    }
}

/// Bytes that need a look; everything else in a word means itself.
fn is_special(byte: u8) -> bool {
    is_meta(byte)
        || matches!(
            byte,
            b'\'' | b'"' | b'\\' | b'$' | b'`' | b'*' | b'?' | b'[' | b'{' | b',' | b'}' | b'~' | b'='
        )
}
