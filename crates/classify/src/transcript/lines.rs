//! JSON values from a source, one at a time: lines, or one value for the whole source. A line that is too long,
//! or is no JSON, is passed over and counted.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use serde_json::Value;

use crate::strict_from_slice;

/// The longest line that is read.
pub(super) const LONGEST_LINE: usize = 16 << 20;

/// The most of a source that is one value over many lines.
const LARGEST_VALUE: usize = 64 << 20;

/// What may stand in front of text in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Why a transcript cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The source cannot be read.
    #[error("the conversation cannot be read: {0}")]
    Source(#[from] io::Error),
    /// The source is a single value that is too large.
    #[error("the conversation is one value of more than {} MiB", LARGEST_VALUE >> 20)]
    TooLarge,
}

/// The values of a source.
pub(super) struct Values<R> {
    source: R,
    waiting: VecDeque<Value>,
    begun: bool,
    /// How many lines were passed over.
    pub(super) skipped: usize,
}

enum Line {
    Text(Vec<u8>),
    TooLong,
    End,
}

impl<R: BufRead> Values<R> {
    pub(super) fn new(source: R) -> Values<R> {
        Values { source, waiting: VecDeque::new(), begun: false, skipped: 0 }
    }

    /// The next value; nothing at the end.
    pub(super) fn next(&mut self) -> Result<Option<Value>, ReadError> {
        loop {
            if let Some(value) = self.waiting.pop_front() {
                return Ok(Some(value));
            }
            let line = match self.line()? {
                Line::End => return Ok(None),
                Line::TooLong => {
                    self.skipped += 1;
                    continue;
                }
                // Some editors put a mark in front of the first line, which may be the one that forbids something.
                Line::Text(mut line) if !self.begun && line.starts_with(MARK) => line.split_off(MARK.len()),
                Line::Text(line) => line,
            };
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let first = !std::mem::replace(&mut self.begun, true);
            match strict_from_slice(text) {
                Ok(Value::Array(items)) if first => self.waiting.extend(items),
                Ok(value) => return Ok(Some(value)),
                // One value over many lines begins with an open bracket that its line does not close.
                Err(error) if first && error.is_eof() => self.begun_with(line)?,
                Err(_) => self.skipped += 1,
            }
        }
    }

    /// A first line that is not whole: it was cut short if the next one is a value by itself, and else it begins one value
    /// over many lines.
    fn begun_with(&mut self, mut line: Vec<u8>) -> Result<(), ReadError> {
        let next = match self.line()? {
            Line::Text(next) => next,
            Line::TooLong | Line::End => {
                self.skipped += 1;
                return Ok(());
            }
        };
        // A bracket alone begins a list whose items may stand on lines of their own.
        let bare = line.trim_ascii().len() == 1;
        match strict_from_slice(next.trim_ascii()) {
            Ok(value @ Value::Object(_)) if !bare => {
                self.skipped += 1;
                self.waiting.push_back(value);
                Ok(())
            }
            Ok(_) | Err(_) => {
                line.extend_from_slice(&next);
                self.whole(line)
            }
        }
    }

    fn whole(&mut self, begun: Vec<u8>) -> Result<(), ReadError> {
        let mut text = begun;
        loop {
            let part = self.source.fill_buf()?;
            if part.is_empty() {
                break;
            }
            text.extend_from_slice(part);
            let length = part.len();
            self.source.consume(length);
            if text.len() > LARGEST_VALUE {
                return Err(ReadError::TooLarge);
            }
        }
        match strict_from_slice(&text) {
            Ok(Value::Array(items)) => self.waiting.extend(items),
            Ok(value) => self.waiting.push_back(value),
            // Not one value after all: the lines behind a broken first one may still be good.
            Err(_) => {
                for line in text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
                    match strict_from_slice(line) {
                        Ok(value) => self.waiting.push_back(value),
                        Err(_) => self.skipped += 1,
                    }
                }
            }
        }
        Ok(())
    }

    fn line(&mut self) -> Result<Line, ReadError> {
        let mut line = Vec::new();
        let (mut too_long, mut any) = (false, false);
        loop {
            let part = self.source.fill_buf()?;
            if part.is_empty() {
                break;
            }
            any = true;
            let end = part.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(part.len(), |end| end + 1);
            too_long |= line.len() + taken > LONGEST_LINE;
            if too_long {
                line = Vec::new();
            } else {
                line.extend_from_slice(part.get(..taken).unwrap_or_default());
            }
            self.source.consume(taken);
            if end.is_some() {
                break;
            }
        }
        Ok(match (any, too_long) {
            (false, _) => Line::End,
            (true, true) => Line::TooLong,
            (true, false) => Line::Text(line),
        })
    }
}
