//! Redirects: where a command's input comes from and its output goes.

use super::cursor::{Parse, Parser, is_meta, name_length};
use super::tree::{Descriptor, Part, Redirect, RedirectKind, Word};
use crate::dialect::Dialect;
use crate::unclear::Why;

impl<'a> Parser<'a> {
    /// A redirect, if one comes next.
    pub(super) fn redirect(&mut self) -> Parse<Option<Redirect<'a>>> {
        let start = self.position;
        let descriptor = self.descriptor();
        let operator = self.position;
        let kind = match (self.peek(), self.at(1)) {
            (Some(b'&'), Some(b'>')) if descriptor.is_none() => self.both_streams()?,
            // `<(` and `>(` begin a word, not a redirect.
            (Some(b'<' | b'>'), Some(b'(')) if descriptor.is_none() => return Ok(None),
            (Some(b'<'), _) => self.input()?,
            (Some(b'>'), _) => self.output()?,
            _ => {
                self.position = start;
                return Ok(None);
            }
        };
        if matches!(descriptor, Some(Descriptor::Variable(_))) {
            self.only_bash("`{name}>`", self.position - operator);
        }
        Ok(Some(Redirect { kind, descriptor, span: self.span(start, self.position) }))
    }

    /// Digits or `{name}` that touch a redirect operator.
    pub(super) fn descriptor(&mut self) -> Option<Descriptor<'a>> {
        let rest = self.rest();
        let digits = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 && matches!(self.at(digits), Some(b'<' | b'>')) {
            let number = rest.get(..digits)?;
            self.advance(digits);
            return Some(Descriptor::Number(number));
        }
        let inner = rest.strip_prefix('{')?;
        let length = name_length(inner);
        let closes = length > 0 && self.at(length + 1) == Some(b'}');
        if closes && matches!(self.at(length + 2), Some(b'<' | b'>')) {
            self.advance(length + 2);
            return inner.get(..length).map(Descriptor::Variable);
        }
        None
    }

    /// `&>` and `&>>`.
    fn both_streams(&mut self) -> Parse<RedirectKind<'a>> {
        self.advance(2);
        self.only_bash("`&>`", 2);
        if self.peek() == Some(b'>') {
            self.advance(1);
        }
        self.zsh_force();
        Ok(RedirectKind::Write(self.target()?))
    }

    fn input(&mut self) -> Parse<RedirectKind<'a>> {
        if self.eat("<<<") {
            self.only_bash("`<<<`", 3);
            return Ok(RedirectKind::HereString(self.target()?));
        }
        if self.eat("<<") {
            let strip_tabs = self.peek() == Some(b'-');
            self.advance(usize::from(strip_tabs));
            return Ok(RedirectKind::HereDocument(self.here_document(strip_tabs)?));
        }
        if self.eat("<>") {
            return Ok(RedirectKind::ReadWrite(self.target()?));
        }
        if self.eat("<&") {
            return Ok(RedirectKind::Duplicate { word: self.duplicated()?, output: false });
        }
        self.advance(1);
        Ok(RedirectKind::Read(self.target()?))
    }

    fn output(&mut self) -> Parse<RedirectKind<'a>> {
        if self.eat(">&") {
            self.zsh_force();
            return Ok(RedirectKind::Duplicate { word: self.duplicated()?, output: true });
        }
        if !(self.eat(">>") || self.eat(">|")) {
            self.advance(1);
        }
        self.zsh_force();
        Ok(RedirectKind::Write(self.target()?))
    }

    /// zsh reads `>!` and `>>|` as "even if noclobber is set".
    fn zsh_force(&mut self) {
        if self.dialect == Dialect::Zsh && matches!(self.peek(), Some(b'!' | b'|')) {
            let start = self.position;
            self.advance(1);
            self.note(Why::Dialect, "`>!`", start);
        }
    }

    /// The word after `<&` or `>&`: a `-` stands for itself, whatever touches it.
    fn duplicated(&mut self) -> Parse<Word<'a>> {
        self.skip_blanks();
        if self.peek() != Some(b'-') {
            return self.target();
        }
        let start = self.position;
        self.advance(1);
        if self.dialect == Dialect::Zsh && self.peek().is_some_and(|byte| !is_meta(byte)) {
            return self.stop(Why::Dialect, "text right behind `>&-`");
        }
        let parts = self.arena.alloc_slice_copy(&[Part::Literal("-")]);
        Ok(Word { parts, span: self.span(start, self.position) })
    }

    fn target(&mut self) -> Parse<Word<'a>> {
        self.skip_blanks();
        if self.descriptor().is_some() {
            return self.syntax("a redirect needs a target");
        }
        match self.peek() {
            Some(b'#') => self.syntax("a redirect needs a target"),
            Some(b'<' | b'>') if self.at(1) == Some(b'(') => self.word(),
            Some(byte) if !is_meta(byte) => self.word(),
            _ => self.syntax("a redirect needs a target"),
        }
    }
}
