//! What follows a dollar sign, backticks, and process substitution.

use bumpalo::collections::Vec as ArenaVec;

use super::cursor::{Parse, Parser, Until, is_name_start, name_length};
use super::parse;
use super::tree::{Operation, Parameter, Part, Quoting, Script, Word};
use super::word::Place;
use crate::dialect::Dialect;
use crate::unclear::Why;

impl<'a> Parser<'a> {
    pub(super) fn dollar(&mut self, parts: &mut ArenaVec<'a, Part<'a>>, quoting: Quoting) -> Parse<()> {
        let start = self.position;
        match self.at(1) {
            Some(b'=' | b'~' | b'^' | b'+') if self.dialect == Dialect::Zsh => {
                return self.stop(Why::Dialect, "an expansion flag");
            }
            Some(b'(') if self.at(2) == Some(b'(') => parts.push(self.arithmetic_or_command(quoting)?),
            Some(b'(') => {
                self.advance(2);
                parts.push(self.command_part(start, quoting)?);
            }
            Some(b'{') => parts.push(self.braced(quoting)?),
            Some(b'[') => parts.push(self.bracket_arithmetic(quoting)?),
            Some(b'\'') if quoting == Quoting::Bare => self.ansi_c(parts)?,
            Some(b'"') if quoting == Quoting::Bare => {
                self.advance(1);
                self.only_bash("`$\"…\"`", 1);
                self.double_quoted(parts)?;
            }
            Some(byte) if is_name_start(byte) => {
                self.advance(1);
                let name = self.slice(self.position, self.position + name_length(self.rest()));
                self.advance(name.len());
                parts.push(self.value(name, start, quoting));
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) => {
                let name = self.slice(start + 1, start + 2);
                self.advance(2);
                parts.push(self.value(name, start, quoting));
            }
            _ => {
                let text = self.slice(start, start + 1);
                self.advance(1);
                parts.push(if quoting == Quoting::Bare { Part::Literal(text) } else { Part::Quoted(text) });
            }
        }
        Ok(())
    }

    fn value(&mut self, name: &'a str, start: usize, quoting: Quoting) -> Part<'a> {
        let span = self.span(start, self.position);
        Part::Parameter(
            self.arena.alloc(Parameter {
                name,
                subscript: None,
                indirect: false,
                operation: Operation::Value,
                span,
            }),
            quoting,
        )
    }

    /// The inside of `$(…)`, from behind the parenthesis.
    fn command_part(&mut self, start: usize, quoting: Quoting) -> Parse<Part<'a>> {
        let script = self.nested(Until::Parenthesis, start)?;
        self.advance(1);
        Ok(Part::Command(script, quoting, self.span(start, self.position)))
    }

    /// A script inside a word. Here-documents that wait outside do not get their bodies in here.
    fn nested(&mut self, until: Until, start: usize) -> Parse<&'a Script<'a>> {
        let waiting = std::mem::take(&mut self.pending);
        let in_test = std::mem::replace(&mut self.in_test, false);
        let script = self.script(until)?;
        self.finish_documents()?;
        self.in_test = in_test;
        if !waiting.is_empty() && self.slice(start, self.position).contains('\n') {
            self.note(Why::NotModelled, "a here-document and a substitution over several lines", start);
        }
        self.pending = waiting;
        Ok(self.arena.alloc(script))
    }

    pub(super) fn process(&mut self) -> Parse<Part<'a>> {
        let start = self.position;
        self.advance(2);
        self.only_bash("process substitution", 2);
        let script = self.nested(Until::Parenthesis, start)?;
        self.advance(1);
        Ok(Part::Process(script))
    }

    /// `$((…))` is arithmetic where the parentheses close together, else a subshell in `$(…)`.
    fn arithmetic_or_command(&mut self, quoting: Quoting) -> Parse<Part<'a>> {
        let start = self.position;
        if let Some(close) = self.double_close(start + 2)? {
            self.position = start + 3;
            let mut expression = self.deeper(|parser| parser.arithmetic_until(close))?;
            self.position = close + 2;
            expression.span = self.span(start, self.position);
            return Ok(Part::Arithmetic(self.arena.alloc(expression), quoting));
        }
        self.advance(2);
        let part = self.command_part(start, quoting)?;
        if self.slice(start, self.position).contains("case") {
            // Bash counts parentheses first, and those of patterns have no opening one.
            self.note(Why::NotModelled, "`case` in `$((` that is not arithmetic", start);
        }
        Ok(part)
    }

    /// `` `…` ``: one level of backslashes is taken away, then the text is read as a script.
    pub(super) fn backticks(&mut self, parts: &mut ArenaVec<'a, Part<'a>>, quoting: Quoting) -> Parse<()> {
        let start = self.position;
        self.advance(1);
        let mut text = String::new();
        let mut escaped = false;
        loop {
            match self.peek() {
                None => return self.syntax("a backtick is not closed"),
                Some(b'`') => break,
                Some(b'\\')
                    if matches!(self.at(1), Some(b'$' | b'`' | b'\\'))
                        || (quoting == Quoting::Double && self.at(1) == Some(b'"')) =>
                {
                    escaped = true;
                    text.push_str(self.slice(self.position + 1, self.position + 2));
                    self.advance(2);
                }
                Some(_) => {
                    let rest = self.rest().as_bytes();
                    let length = rest
                        .iter()
                        .skip(1)
                        .position(|byte| matches!(byte, b'`' | b'\\'))
                        .map_or(rest.len(), |at| at + 1);
                    text.push_str(self.slice(self.position, self.position + length));
                    self.advance(length);
                }
            }
        }
        let inside = start + 1;
        let base = if escaped {
            super::Base::Fixed(self.span(start, self.position + 1))
        } else {
            self.base_at(inside)
        };
        let source = if escaped { self.arena.alloc_str(&text) } else { self.slice(inside, self.position) };
        self.spend(source.len())?;
        self.advance(1);
        let script = self.deeper(|parser| parser.separate(source, base))?;
        parts.push(Part::Command(script, quoting, self.span(start, self.position)));
        Ok(())
    }

    /// Parses text that is a script of its own.
    fn separate(&mut self, source: &'a str, base: super::Base) -> Parse<&'a Script<'a>> {
        let parsed = parse(self.arena, source, self.dialect, base, &mut self.budget);
        self.notes.extend(parsed.notes);
        match parsed.error {
            Some(stop) => Err(stop),
            None => Ok(self.arena.alloc(parsed.script)),
        }
    }

    /// `${…}`.
    fn braced(&mut self, quoting: Quoting) -> Parse<Part<'a>> {
        let start = self.position;
        self.advance(2);
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            return self.function_substitution(start, quoting);
        }
        self.deeper(|parser| {
            let parameter = parser.parameter(start, quoting)?;
            Ok(Part::Parameter(parser.arena.alloc(parameter), quoting))
        })
    }

    /// `${ …; }` runs commands in bash 5.3 and later.
    fn function_substitution(&mut self, start: usize, quoting: Quoting) -> Parse<Part<'a>> {
        self.advance(1);
        let script = self.nested(Until::Brace, start)?;
        self.advance(1);
        self.note(Why::Dialect, "`${ …; }` runs commands only in newer shells", start);
        Ok(Part::Command(script, quoting, self.span(start, self.position)))
    }

    fn parameter(&mut self, start: usize, quoting: Quoting) -> Parse<Parameter<'a>> {
        if self.dialect == Dialect::Zsh
            && matches!(self.peek(), Some(b'(' | b'=' | b'~' | b'^' | b'$' | b'+'))
        {
            return self.stop(Why::Dialect, "an expansion flag");
        }
        let length = self.peek() == Some(b'#')
            && !matches!(self.at(1), Some(b'}' | b':' | b'-' | b'+' | b'=' | b'?' | b'%' | b'/') | None);
        let indirect = self.peek() == Some(b'!')
            && !matches!(self.at(1), Some(b'}' | b':' | b'-' | b'+' | b'=' | b'?') | None);
        self.advance(usize::from(length || indirect));
        let name = self.parameter_name()?;
        let subscript = if self.peek() == Some(b'[') { Some(self.parameter_subscript()?) } else { None };
        let operation = match self.peek() {
            Some(b'}') if length => Operation::Length,
            Some(b'}') if indirect && subscript.is_some() => Operation::Names,
            Some(b'*' | b'@') if indirect && self.at(1) == Some(b'}') => {
                self.advance(1);
                Operation::Names
            }
            Some(b'}') => Operation::Value,
            Some(_) if length => return self.syntax("`${#` with an operation"),
            Some(_) => self.operation(quoting)?,
            None => return self.syntax("`${` is not closed"),
        };
        if self.peek() != Some(b'}') {
            return self.syntax("`${` is not closed");
        }
        self.advance(1);
        let indirect = indirect && !matches!(operation, Operation::Names);
        Ok(Parameter { name, subscript, indirect, operation, span: self.span(start, self.position) })
    }

    /// The subscript of `${x[…]}`. Bash finds the closing brace first, whatever brackets are open.
    fn parameter_subscript(&mut self) -> Parse<Word<'a>> {
        let subscript = self.subscript()?;
        let braces = |part: &Part<'a>| matches!(part, Part::Literal(text) if text.contains(['{', '}']));
        if subscript.parts.iter().any(braces) {
            return self.stop(Why::NotModelled, "a brace in a subscript");
        }
        Ok(subscript)
    }

    fn parameter_name(&mut self) -> Parse<&'a str> {
        let rest = self.rest();
        let digits = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        let special = rest.bytes().next().is_some_and(|byte| b"@*#?-$!".contains(&byte));
        let length = name_length(rest).max(digits).max(usize::from(special));
        if length == 0 {
            return self.syntax("`${` needs a name");
        }
        self.advance(length);
        Ok(rest.get(..length).unwrap_or_default())
    }

    fn operation(&mut self, quoting: Quoting) -> Parse<Operation<'a>> {
        let colon = usize::from(self.peek() == Some(b':'));
        match self.at(colon) {
            Some(b'-' | b'+' | b'?') => {
                self.advance(colon + 1);
                Ok(Operation::Alternative(self.operand(quoting)?))
            }
            Some(b'=') => {
                self.advance(colon + 1);
                Ok(Operation::Assign(self.operand(quoting)?))
            }
            _ if colon == 1 => {
                self.advance(1);
                self.substring()
            }
            Some(b'#') => {
                self.advance(1 + usize::from(self.at(1) == Some(b'#')));
                Ok(Operation::RemovePrefix(self.operand(quoting)?))
            }
            Some(b'%') => {
                self.advance(1 + usize::from(self.at(1) == Some(b'%')));
                Ok(Operation::RemoveSuffix(self.operand(quoting)?))
            }
            Some(b'/' | b'^' | b',' | b'~') => {
                self.advance(1);
                Ok(Operation::Change(self.operand(quoting)?))
            }
            Some(b'@') => {
                let length = self.rest().chars().nth(1).map_or(0, char::len_utf8);
                let letter = self.slice(self.position + 1, self.position + 1 + length);
                self.advance(1 + length);
                Ok(Operation::Transform(letter))
            }
            _ => self.syntax("an unknown operation in `${`"),
        }
    }

    /// The word of `${x:-word}` and its kin, up to the closing brace.
    fn operand(&mut self, quoting: Quoting) -> Parse<Word<'a>> {
        let start = self.position;
        if quoting == Quoting::Bare {
            return self.word_in(Place::Operand);
        }
        let parts = self.quoted_operand()?;
        let text = self.slice(start, self.position);
        if text.contains('\'') {
            self.note(Why::NotModelled, "a single quote inside an expansion in double quotes", start);
        }
        // Nothing runs here, but bash looks for the closing parenthesis.
        if text.contains("<(") || text.contains(">(") {
            self.note(Why::NotModelled, "a process substitution in double quotes", start);
        }
        Ok(Word { parts, span: self.span(start, self.position) })
    }

    /// Inside double quotes the operand follows their rules, and may hold quotes of its own.
    fn quoted_operand(&mut self) -> Parse<&'a [Part<'a>]> {
        let mut parts = ArenaVec::new_in(self.arena);
        loop {
            let rest = self.rest().as_bytes();
            let length = rest
                .iter()
                .position(|byte| matches!(byte, b'\\' | b'$' | b'`' | b'"' | b'}'))
                .unwrap_or(rest.len());
            if length > 0 {
                parts.push(Part::Quoted(self.slice(self.position, self.position + length)));
                self.advance(length);
            }
            match self.peek() {
                None => return self.syntax("`${` is not closed"),
                Some(b'}') => return Ok(parts.into_bump_slice()),
                Some(b'"') => self.double_quoted(&mut parts)?,
                Some(b'\\') if self.at(1) == Some(b'\n') => self.continuation(),
                Some(b'\\') => {
                    let length = self.rest().chars().nth(1).map_or(0, char::len_utf8);
                    parts.push(Part::Quoted(self.slice(self.position + 1, self.position + 1 + length)));
                    self.advance(1 + length);
                }
                Some(b'$') => self.dollar(&mut parts, Quoting::Double)?,
                Some(_) => self.backticks(&mut parts, Quoting::Double)?,
            }
        }
    }

    fn substring(&mut self) -> Parse<Operation<'a>> {
        let start = self.position;
        let close = self.closing_brace(start)?;
        let expression = self.arithmetic_until(close)?;
        self.position = close;
        Ok(Operation::Substring(self.arena.alloc(expression)))
    }

    /// `$'…'`. As in bash its end is found first, a backslash skipping one byte, and then it is decoded.
    fn ansi_c(&mut self, parts: &mut ArenaVec<'a, Part<'a>>) -> Parse<()> {
        let start = self.position;
        self.advance(2);
        let mut close = self.position;
        loop {
            match self.text.as_bytes().get(close).filter(|_| close < self.end) {
                None => return self.syntax("a quote is not closed"),
                Some(b'\'') => break,
                Some(b'\\') => close += 2,
                Some(_) => close += 1,
            }
        }
        let outer = std::mem::replace(&mut self.end, close);
        let decoded = self.ansi_c_text();
        self.end = outer;
        self.position = close + 1;
        self.only_bash("`$'…'`", self.position - start);
        if let Ok(text) = String::from_utf8(decoded) {
            parts.push(Part::Quoted(self.arena.alloc_str(&text)));
        } else {
            self.note(Why::Hidden, "bytes that are not text", start);
            parts.push(Part::Unknown);
        }
        Ok(())
    }

    /// Decodes up to the end. Bash keeps the text as a C string: what follows a NUL is lost.
    fn ansi_c_text(&mut self) -> Vec<u8> {
        let mut decoded = Vec::new();
        while let Some(byte) = self.peek() {
            self.advance(1);
            let before = decoded.len();
            match byte {
                b'\\' => self.ansi_c_escape(&mut decoded),
                byte => decoded.push(byte),
            }
            if decoded.get(before..).is_some_and(|added| added.contains(&0)) {
                decoded.truncate(before);
                return decoded;
            }
        }
        decoded
    }

    fn ansi_c_escape(&mut self, decoded: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.advance(1);
        match byte {
            b'n' => decoded.push(b'\n'),
            b't' => decoded.push(b'\t'),
            b'r' => decoded.push(b'\r'),
            b'a' => decoded.push(7),
            b'b' => decoded.push(8),
            b'e' | b'E' => decoded.push(27),
            b'f' => decoded.push(12),
            b'v' => decoded.push(11),
            b'\\' | b'\'' | b'"' | b'?' => decoded.push(byte),
            b'0'..=b'7' => {
                self.position -= 1;
                let value = self.digits(8, 3);
                decoded.push(u8::try_from(value & 0xff).unwrap_or_default());
            }
            b'x' if self.peek().is_some_and(|next| next.is_ascii_hexdigit()) => {
                let value = self.digits(16, 2);
                decoded.push(u8::try_from(value).unwrap_or_default());
            }
            b'u' | b'U' if self.peek().is_some_and(|next| next.is_ascii_hexdigit()) => {
                let value = self.digits(16, if byte == b'u' { 4 } else { 8 });
                let character = char::from_u32(value).unwrap_or('\u{fffd}');
                decoded.extend(character.encode_utf8(&mut [0; 4]).bytes());
            }
            b'c' => {
                let control = self.peek().map_or(0, |next| next & 0x1f);
                self.advance(1);
                decoded.push(control);
            }
            other => decoded.extend([b'\\', other]),
        }
    }

    fn digits(&mut self, radix: u32, most: usize) -> u32 {
        let rest = self.rest().as_bytes();
        let count = rest.iter().take(most).take_while(|byte| char::from(**byte).is_digit(radix)).count();
        let value =
            u32::from_str_radix(self.slice(self.position, self.position + count), radix).unwrap_or(u32::MAX);
        self.advance(count);
        value
    }
}
