//! Simple commands: assignments, words, redirects.

use bumpalo::collections::Vec as ArenaVec;

use super::cursor::{Parse, Parser, is_meta, name_length};
use super::list::RESERVED;
use super::tree::{Arithmetic, Assigned, Assignment, Node, Part, Simple, Word};
use crate::dialect::Dialect;
use crate::unclear::Why;

/// Builtins whose arguments may be array assignments.
const DECLARERS: &[&str] = &["declare", "typeset", "local", "export", "readonly"];

/// How the keys of an array's elements are read.
#[derive(Clone, Copy)]
enum Keys {
    Arithmetic,
    /// `declare -A`.
    Text,
}

/// What stands before a simple command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    /// `coproc`: its first word may be a name, so the second may be a reserved word.
    Coprocess,
}

impl<'a> Parser<'a> {
    pub(super) fn simple(&mut self) -> Parse<Node<'a>> {
        self.simple_after(Before::Nothing)
    }

    pub(super) fn simple_after(&mut self, before: Before) -> Parse<Node<'a>> {
        let start = self.position;
        let mut assignments = ArenaVec::new_in(self.arena);
        let mut words: ArenaVec<'a, Word<'a>> = ArenaVec::new_in(self.arena);
        let mut redirects = ArenaVec::new_in(self.arena);
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            match self.peek() {
                Some(b'#') => break,
                Some(b'(') if words.len() == 1 && assignments.is_empty() && redirects.is_empty() => {
                    let name = words.first().and_then(Word::plain).unwrap_or_default();
                    return self.function_rest(name);
                }
                Some(b'(') if words.is_empty() && self.dialect == Dialect::Zsh => {
                    return self.stop(Why::Dialect, "an anonymous function");
                }
                Some(b'(') => return self.syntax("unexpected `(`"),
                Some(byte) if is_meta(byte) && !matches!(byte, b'<' | b'>') => break,
                None => break,
                Some(_) => {}
            }
            if before == Before::Coprocess
                && words.len() == 1
                && assignments.is_empty()
                && redirects.is_empty()
            {
                self.after_coprocess_name()?;
            }
            let from = self.position;
            if words.is_empty()
                && let Some(assignment) = self.assignment()?
            {
                assignments.push(assignment);
                continue;
            }
            let word = self.argument(&words)?;
            words.push(word);
            let read = self.text.get(from..(self.position + 2).min(self.end)).unwrap_or_default();
            if words.len() == 1 && read.contains("\\\n") {
                self.note(Why::NotModelled, "the first word is continued on the next line", from);
            }
        }
        if assignments.is_empty() && words.is_empty() && redirects.is_empty() {
            return self.syntax("a command is missing");
        }
        let span = self.span(start, self.end_of_command());
        Ok(Node::Simple(self.arena.alloc(Simple {
            assignments: assignments.into_bump_slice(),
            words: words.into_bump_slice(),
            redirects: redirects.into_bump_slice(),
            span,
        })))
    }

    /// Refuses what bash reads in another way behind `coproc word` than behind other words.
    fn after_coprocess_name(&mut self) -> Parse<()> {
        let word = self.next_plain();
        if RESERVED.contains(&word) {
            return self.syntax("a reserved word behind the name of a co-process");
        }
        if word.ends_with('\\') {
            return self.stop(Why::NotModelled, "a line is continued behind the name of a co-process");
        }
        let name = name_length(self.rest());
        if name > 0 && matches!(self.at(name), Some(b'[' | b'=' | b'+')) {
            return self.stop(Why::NotModelled, "an assignment behind the name of a co-process");
        }
        Ok(())
    }

    /// The position behind the last word, without trailing blanks.
    fn end_of_command(&self) -> usize {
        let read = self.slice(0, self.position);
        read.trim_end_matches([' ', '\t']).len()
    }

    /// A word, or `name=(…)` after a builtin that declares.
    fn argument(&mut self, words: &[Word<'a>]) -> Parse<Word<'a>> {
        let declares = words.first().and_then(Word::plain).is_some_and(|name| DECLARERS.contains(&name));
        if !declares {
            return self.word();
        }
        let name = name_length(self.rest());
        let append = usize::from(self.at(name) == Some(b'+'));
        if name > 0 && self.at(name + append) == Some(b'=') && self.at(name + append + 1) == Some(b'(') {
            let start = self.position;
            self.advance(name + append + 1);
            let head = self.slice(start, self.position);
            let associative = words
                .iter()
                .skip(1)
                .filter_map(Word::plain)
                .any(|word| word.starts_with('-') && word.contains('A'));
            let elements = self.array(if associative { Keys::Text } else { Keys::Arithmetic })?;
            let parts = self.arena.alloc_slice_copy(&[Part::Literal(head), Part::Array(elements)]);
            return Ok(Word { parts, span: self.span(start, self.position) });
        }
        self.assignment_word()
    }

    /// `name=value`, `name+=value`, `name[subscript]=value`, `name=(…)`, if one comes next.
    fn assignment(&mut self) -> Parse<Option<Assignment<'a>>> {
        let start = self.position;
        let length = name_length(self.rest());
        if length == 0 {
            return Ok(None);
        }
        let name = self.slice(start, start + length);
        self.advance(length);
        let subscript = if self.peek() == Some(b'[') { self.assigned_subscript()? } else { None };
        let append = self.peek() == Some(b'+') && self.at(1) == Some(b'=');
        if self.peek() != Some(b'=') && !append {
            self.position = start;
            return Ok(None);
        }
        self.advance(1 + usize::from(append));
        let value = if self.peek() == Some(b'(') {
            self.only_bash("an array", 1);
            Assigned::Array(self.array(Keys::Arithmetic)?)
        } else {
            Assigned::Word(self.assignment_value()?)
        };
        Ok(Some(Assignment { name, subscript, append, value, span: self.span(start, self.position) }))
    }

    /// The subscript of `name[…]=`. Where a command begins bash reads `name[` up to its bracket even if
    /// no `=` follows; only plain text in between reads the same either way.
    fn assigned_subscript(&mut self) -> Parse<Option<Word<'a>>> {
        if self.subscript_assigns()? {
            return self.subscript().map(Some);
        }
        self.plain_brackets()?;
        Ok(None)
    }

    /// Refuses brackets that assign nothing unless they hold plain text.
    fn plain_brackets(&mut self) -> Parse<()> {
        let Some(close) = self.matching_bracket()? else { return self.syntax("`[` is not closed") };
        let inside = self.slice(self.position, close);
        if inside
            .contains([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>', '\'', '"', '\\', '$', '`', '#'])
        {
            return self.stop(Why::NotModelled, "a subscript that assigns nothing");
        }
        Ok(())
    }

    /// Whether the `[` ahead belongs to `name[…]=`: its bracket closes and `=` or `+=` follows.
    fn subscript_assigns(&mut self) -> Parse<bool> {
        let Some(close) = self.matching_bracket()? else { return Ok(false) };
        let rest = self.text.get(close + 1..self.end).unwrap_or_default();
        Ok(rest.starts_with('=') || rest.starts_with("+="))
    }

    /// The elements of an array, from its opening parenthesis on.
    fn array(&mut self, keys: Keys) -> Parse<&'a [Word<'a>]> {
        self.deeper(|parser| {
            parser.advance(1);
            let mut elements = ArenaVec::new_in(parser.arena);
            loop {
                parser.skip_lines()?;
                match parser.peek() {
                    Some(b')') => {
                        parser.advance(1);
                        if parser.peek().is_some_and(|byte| !is_meta(byte)) {
                            return parser.stop(Why::NotModelled, "text right behind an array");
                        }
                        return Ok(elements.into_bump_slice());
                    }
                    Some(b'<' | b'>') if parser.at(1) == Some(b'(') => elements.push(parser.word()?),
                    Some(byte) if is_meta(byte) => return parser.syntax("unexpected operator in an array"),
                    None => return parser.syntax("an array is not closed"),
                    Some(b'[') => elements.push(parser.array_element(keys)?),
                    Some(_) => elements.push(parser.word()?),
                }
            }
        })
    }

    /// `[subscript]=value` in an array.
    fn array_element(&mut self, keys: Keys) -> Parse<Word<'a>> {
        if !self.subscript_assigns()? {
            self.plain_brackets()?;
            return self.word();
        }
        let start = self.position;
        let subscript = self.subscript()?;
        self.advance(usize::from(self.peek() == Some(b'+')) + 1);
        let value = self.assignment_value()?;
        let mut parts = ArenaVec::new_in(self.arena);
        match keys {
            Keys::Text => parts.extend_from_slice(subscript.parts),
            Keys::Arithmetic => {
                let expression = Arithmetic { parts: subscript.parts, span: subscript.span };
                parts.push(Part::Subscript(self.arena.alloc(expression)));
            }
        }
        parts.extend_from_slice(value.parts);
        Ok(Word { parts: parts.into_bump_slice(), span: self.span(start, self.position) })
    }
}
