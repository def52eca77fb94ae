//! Here-documents: the delimiter on the command's line, the body on the lines after it.

use std::cell::Cell;

use super::cursor::{Parse, Parser, is_meta};
use super::tree::{HereDocument, Part, Quoting, Word};
use crate::unclear::Why;

impl<'a> Parser<'a> {
    /// Reads the delimiter after `<<` and puts the document on the waiting list.
    pub(super) fn here_document(&mut self, strip_tabs: bool) -> Parse<&'a HereDocument<'a>> {
        self.skip_blanks();
        let start = self.position;
        let (delimiter, quoted) = self.delimiter()?;
        if self.position == start {
            return self.syntax("a here-document needs a delimiter");
        }
        let body = Cell::new(Word { parts: &[], span: self.span(start, self.position) });
        let document: &'a HereDocument<'a> =
            self.arena.alloc(HereDocument { delimiter, quoted, strip_tabs, body });
        self.pending.push(document);
        Ok(document)
    }

    /// The delimiter without its quotes, and whether it had any.
    fn delimiter(&mut self) -> Parse<(&'a str, bool)> {
        let mut text = String::new();
        let mut quoted = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'\'' | b'"' => {
                    quoted = true;
                    self.advance(1);
                    let length = memchr::memchr(byte, self.rest().as_bytes());
                    let Some(length) = length else { return self.syntax("a quote is not closed") };
                    let inside = self.rest().get(..length).unwrap_or_default();
                    if byte == b'"' && inside.contains(['\\', '$', '`']) {
                        return self.stop(Why::NotModelled, "an unusual here-document delimiter");
                    }
                    text.push_str(inside);
                    self.advance(length + 1);
                }
                b'\\' => {
                    quoted = true;
                    self.advance(1);
                    let Some(next) = self.rest().chars().next().filter(|next| *next != '\n') else {
                        return self.stop(Why::NotModelled, "an unusual here-document delimiter");
                    };
                    text.push(next);
                    self.advance(next.len_utf8());
                }
                b'$' | b'`' => return self.stop(Why::NotModelled, "an unusual here-document delimiter"),
                b'<' | b'>' if self.at(1) == Some(b'(') => {
                    return self.stop(Why::NotModelled, "an unusual here-document delimiter");
                }
                byte if is_meta(byte) => break,
                _ => {
                    let next = self.rest().chars().next().unwrap_or_default();
                    text.push(next);
                    self.advance(next.len_utf8());
                }
            }
        }
        if text.contains('\n') {
            return self.stop(Why::NotModelled, "an unusual here-document delimiter");
        }
        Ok((self.arena.alloc_str(&text), quoted))
    }

    /// Passes a newline and reads the bodies of the here-documents that wait for it.
    pub(super) fn newline(&mut self) -> Parse<()> {
        self.advance(1);
        for document in std::mem::take(&mut self.pending) {
            self.read_body(document)?;
        }
        Ok(())
    }

    /// At the end of a list every here-document must have had its body.
    pub(super) fn finish_documents(&mut self) -> Parse<()> {
        if self.pending.is_empty() {
            Ok(())
        } else {
            self.stop(Why::NotModelled, "a here-document has no body")
        }
    }

    fn read_body(&mut self, document: &'a HereDocument<'a>) -> Parse<()> {
        let start = self.position;
        let (body_end, after) = self.find_delimiter(document);
        self.spend(after - start)?;
        let span = self.span(start, body_end);
        let parts = if document.quoted {
            let text = self.body_text(document, start, body_end);
            self.arena.alloc_slice_copy(&[Part::Quoted(text)])
        } else {
            let outer = std::mem::replace(&mut self.end, body_end);
            let parts = self.deeper(|parser| parser.quoted_parts(Quoting::Double, None));
            self.end = outer;
            if document.strip_tabs { self.without_tabs(parts?) } else { parts? }
        };
        document.body.set(Word { parts, span });
        self.position = after;
        Ok(())
    }

    /// Takes the tabs away at the beginning of lines, as they stand in the script.
    fn without_tabs(&self, parts: &'a [Part<'a>]) -> &'a [Part<'a>] {
        let mut begins = true;
        self.arena.alloc_slice_fill_iter(parts.iter().map(|part| {
            let (Part::Quoted(text) | Part::Literal(text)) = part else {
                begins = false;
                return *part;
            };
            let mut bare = String::with_capacity(text.len());
            for character in text.chars() {
                if !(begins && character == '\t') {
                    bare.push(character);
                    begins = character == '\n';
                }
            }
            Part::Quoted(self.arena.alloc_str(&bare))
        }))
    }

    fn body_text(&mut self, document: &HereDocument<'a>, start: usize, end: usize) -> &'a str {
        let text = self.slice(start, end);
        if !document.strip_tabs {
            return text;
        }
        let lines: String = text.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect();
        self.arena.alloc_str(&lines)
    }

    /// Where the body ends, and where reading goes on.
    fn find_delimiter(&mut self, document: &HereDocument<'a>) -> (usize, usize) {
        let mut at = self.position;
        let mut joined = false;
        while at < self.end {
            let line_length = memchr::memchr(b'\n', self.slice(at, self.end).as_bytes());
            let line_end = line_length.map_or(self.end, |length| at + length);
            let line = self.slice(at, line_end);
            let bare = if document.strip_tabs { line.trim_start_matches('\t') } else { line };
            if bare == document.delimiter && !joined {
                return (at, line_end);
            }
            // In an expanded body a backslash joins lines, also with what looks like the delimiter.
            let backslashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
            joined = !document.quoted && backslashes % 2 == 1;
            at = (line_end + 1).min(self.end.max(line_end));
            if line_length.is_none() {
                break;
            }
        }
        self.note(Why::NotModelled, "a here-document is not closed", self.position);
        (self.end, self.end)
    }
}
