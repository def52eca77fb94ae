//! The parser's position in the text, its budget, and the small questions asked of the next bytes.

use bumpalo::Bump;

use super::tree::{HereDocument, Stop};
use crate::dialect::Dialect;
use crate::span::Span;
use crate::unclear::{Unclear, Why};

/// How deep constructs may nest.
pub(crate) const MAX_DEPTH: u32 = 100;

/// Steps granted for each byte of the line, over all re-reading of evaluated strings.
const STEPS_PER_BYTE: u32 = 64;

/// What is left of the work allowed for one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) depth: u32,
    steps: u32,
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Budget {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        Budget { depth: 0, steps: bytes.saturating_mul(STEPS_PER_BYTE).saturating_add(4096) }
    }

    /// Takes `steps` away; false when there are not that many left.
    pub(crate) fn spend(&mut self, steps: usize) -> bool {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let enough = self.steps >= steps;
        self.steps = self.steps.saturating_sub(steps);
        enough
    }
}

/// How offsets in this text map to the line that is shown to people.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    /// The text is a stretch of the line that begins here.
    Offset(usize),
    /// The text was computed; all of it stands for this stretch.
    Fixed(Span),
}

/// What ends a list of commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Until {
    End,
    Parenthesis,
    Brace,
    Words(&'static [&'static str]),
    /// `;;`, `;&`, `;;&` or `esac`.
    CaseArm,
}

pub(super) type Parse<T> = Result<T, Stop>;

pub(super) struct Parser<'a> {
    pub(super) arena: &'a Bump,
    pub(super) text: &'a str,
    pub(super) position: usize,
    /// Reading stops at this offset.
    pub(super) end: usize,
    pub(super) dialect: Dialect,
    base: Base,
    pub(super) budget: Budget,
    pub(super) pending: Vec<&'a HereDocument<'a>>,
    pub(super) notes: Vec<Unclear>,
    /// Inside `[[ ]]`, where parentheses may be part of a pattern.
    pub(super) in_test: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        arena: &'a Bump,
        text: &'a str,
        dialect: Dialect,
        base: Base,
        budget: Budget,
    ) -> Parser<'a> {
        Parser {
            arena,
            text,
            position: 0,
            end: text.len(),
            dialect,
            base,
            budget,
            pending: Vec::new(),
            notes: Vec::new(),
            in_test: false,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.at(0)
    }

    /// The byte `ahead` bytes on.
    pub(super) fn at(&self, ahead: usize) -> Option<u8> {
        let position = self.position + ahead;
        if position < self.end { self.text.as_bytes().get(position).copied() } else { None }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.position..self.end).unwrap_or_default()
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        self.position = (self.position + bytes).min(self.end);
    }

    /// Takes `token` if it comes next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.advance(token.len());
        }
        found
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        match self.base {
            Base::Offset(base) => Span::new(base + start, base + end),
            Base::Fixed(span) => span,
        }
    }

    /// The mapping for a stretch of this text that is parsed on its own.
    pub(super) fn base_at(&self, start: usize) -> Base {
        match self.base {
            Base::Offset(base) => Base::Offset(base + start),
            Base::Fixed(span) => Base::Fixed(span),
        }
    }

    pub(super) fn stop<T>(&self, why: Why, detail: &'static str) -> Parse<T> {
        let end = self.position + self.rest().chars().next().map_or(0, char::len_utf8);
        Err(Stop { why, detail, span: self.span(self.position, end) })
    }

    pub(super) fn syntax<T>(&self, detail: &'static str) -> Parse<T> {
        self.stop(Why::Syntax, detail)
    }

    pub(super) fn note(&mut self, why: Why, detail: &'static str, start: usize) {
        let span = self.span(start, self.position.max(start));
        self.notes.push(Unclear::new(why, detail, span));
    }

    pub(super) fn spend(&mut self, steps: usize) -> Parse<()> {
        if self.budget.spend(steps) { Ok(()) } else { self.stop(Why::TooMuch, "") }
    }

    /// Runs `inner` one level deeper.
    pub(super) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.budget.depth >= MAX_DEPTH {
            return self.stop(Why::TooDeep, "");
        }
        self.budget.depth += 1;
        let result = inner(self);
        self.budget.depth -= 1;
        result
    }

    /// Skips blanks and continued lines; stays on the line.
    pub(super) fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' => self.position += 1,
                b'\\' if self.at(1) == Some(b'\n') => self.continuation(),
                _ => return,
            }
        }
    }

    /// Skips a backslash-newline. Where the halves of one token could meet across it, it is noted: the
    /// shell joins them before it looks at tokens.
    pub(super) fn continuation(&mut self) {
        let start = self.position;
        let before = start.checked_sub(1).and_then(|at| self.text.as_bytes().get(at)).copied();
        self.position = (start + 2).min(self.end);
        let after = self.peek();
        let joins = matches!(
            before,
            Some(
                b'$' | b'<' | b'>' | b'&' | b'|' | b';' | b'(' | b')' | b'!' | b'=' | b'~' | b'#' | b'0'
                    ..=b'9' | b'`'
            )
        );
        let continues = matches!(
            after,
            Some(b'<' | b'>' | b'&' | b'|' | b';' | b')' | b'!' | b'=' | b'`' | b'{' | b'[' | b'\\')
        );
        if before == Some(b'$') || after == Some(b'(') || (joins && continues) {
            self.note(Why::NotModelled, "a line is continued in the middle of a token", start);
        }
    }

    /// Skips blanks, newlines and comments; reads here-documents that are due.
    pub(super) fn skip_lines(&mut self) -> Parse<()> {
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'\n') => self.newline()?,
                Some(b'#') => self.skip_comment(),
                _ => return Ok(()),
            }
        }
    }

    /// Skips blanks and a comment up to the end of the line.
    pub(super) fn skip_to_token(&mut self) {
        self.skip_blanks();
        if self.peek() == Some(b'#') {
            self.skip_comment();
        }
    }

    fn skip_comment(&mut self) {
        let length = memchr::memchr(b'\n', self.rest().as_bytes()).unwrap_or(self.rest().len());
        self.advance(length);
    }

    /// The next unquoted run of word characters, not consumed: a reserved word, perhaps.
    pub(super) fn next_plain(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.bytes().position(is_meta).unwrap_or(rest.len());
        // A process substitution that touches the word belongs to it.
        if matches!(rest.as_bytes().get(end..end + 2), Some(b"<(" | b">(")) {
            return "";
        }
        rest.get(..end).unwrap_or_default()
    }

    /// Takes the reserved word `word` if it comes next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.next_plain() == word;
        if found {
            self.advance(word.len());
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &'static str) -> Parse<()> {
        self.skip_lines()?;
        if self.eat_word(word) { Ok(()) } else { self.syntax(word) }
    }
}

/// Bytes that end a word unless quoted.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How many bytes at the start of `text` form a variable name.
pub(super) fn name_length(text: &str) -> usize {
    match text.bytes().next() {
        Some(first) if is_name_start(first) => {
            text.bytes().position(|byte| !is_name(byte)).unwrap_or(text.len())
        }
        _ => 0,
    }
}
