//! JSON with comments, every value and key with its line and column.
//!
//! Nothing is said here about what a setting means. A text that is broken gives the first problem and
//! whatever strings of its `deny` and `ask` lists can still be told, so that they go on guarding.

use jsonc_parser::ast::{ObjectPropName, Value as Ast};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use portcullis_decide::rules::List;
use serde_json::{Map, Number, Value};

/// A line and a column, both counted from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A value and where it begins.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) kind: Kind,
}

/// What a value is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Object(Vec<Member>),
}

/// A key of an object with its value. Keys that come twice are both there.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) place: Place,
    pub(crate) value: Node,
}

/// What is wrong with a text that cannot be read whole, and what still can be told.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Broken {
    pub(crate) place: Place,
    pub(crate) problem: String,
    pub(crate) guards: Vec<Guard>,
}

/// A string of a `deny` or `ask` list in a broken text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Guard {
    pub(crate) list: List,
    pub(crate) text: String,
    pub(crate) place: Place,
}

impl Node {
    /// The same value without places.
    pub(crate) fn to_json(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(value) => Value::Bool(*value),
            Kind::Number(number) => Value::Number(number.clone()),
            Kind::Text(text) => Value::String(text.clone()),
            Kind::List(items) => items.iter().map(Node::to_json).collect(),
            Kind::Object(members) => Value::Object(
                members.iter().map(|it| (it.key.clone(), it.value.to_json())).collect::<Map<_, _>>(),
            ),
        }
    }

    /// A member, at any depth, whose key stood before it in the same object.
    pub(crate) fn repeated(&self) -> Option<&Member> {
        match &self.kind {
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::Text(_) => None,
            Kind::List(items) => items.iter().find_map(Node::repeated),
            Kind::Object(members) => {
                let before = |at: usize, key: &str| members.iter().take(at).any(|earlier| earlier.key == key);
                let again = members.iter().enumerate().find(|(at, member)| before(*at, &member.key));
                let again = again.map(|(_, member)| member);
                again.or_else(|| members.iter().find_map(|member| member.value.repeated()))
            }
        }
    }

    /// What people call such a value.
    pub(crate) fn name(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "true or false",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "text",
            Kind::List(_) => "a list",
            Kind::Object(_) => "an object",
        }
    }
}

/// Reads a text: comments and trailing commas are fine, all else is as JSON has it.
pub(crate) fn parse(text: &str) -> Result<Node, Broken> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut places = Places::of(text);
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let problem = match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(parsed) => match parsed.value {
            Some(value) => return Ok(node(&value, &mut places)),
            None => (Place { line: 1, column: 1 }, "the file is empty; write `{}`".to_owned()),
        },
        Err(error) => (places.at(error.range().start), lower_first(&error.kind().to_string())),
    };
    let guards = salvage(text, &mut places);
    Err(Broken { place: problem.0, problem: problem.1, guards })
}

/// The strings of the `deny` and `ask` lists, whatever else the text is.
pub(crate) fn guards(text: &str) -> Vec<Guard> {
    salvage(text, &mut Places::of(text))
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
    first + characters.as_str()
}

fn node(value: &Ast<'_>, places: &mut Places<'_>) -> Node {
    use jsonc_parser::common::Ranged;
    let place = places.at(value.range().start);
    let kind = match value {
        Ast::StringLit(text) => Kind::Text(text.value.to_string()),
        Ast::NumberLit(number) => number.value.parse().map_or(Kind::Null, Kind::Number),
        Ast::BooleanLit(value) => Kind::Bool(value.value),
        Ast::NullKeyword(_) => Kind::Null,
        Ast::Array(list) => Kind::List(list.elements.iter().map(|item| node(item, places)).collect()),
        Ast::Object(object) => {
            let member = |property: &jsonc_parser::ast::ObjectProp<'_>| {
                let place = places.at(property.range.start);
                let key = match &property.name {
                    ObjectPropName::String(text) => text.value.to_string(),
                    ObjectPropName::Word(word) => word.value.to_owned(),
                };
                Member { key, place, value: node(&property.value, places) }
            };
            Kind::Object(object.properties.iter().map(member).collect())
        }
    };
    Node { place, kind }
}

/// Turns offsets into places, cheaply when they come in order: a file of one long line stays linear.
struct Places<'t> {
    text: &'t str,
    offset: usize,
    place: Place,
}

impl<'t> Places<'t> {
    fn of(text: &'t str) -> Places<'t> {
        Places { text, offset: 0, place: Place { line: 1, column: 1 } }
    }

    fn at(&mut self, offset: usize) -> Place {
        if offset < self.offset {
            *self = Places::of(self.text);
        }
        let between = self.text.get(self.offset..offset.min(self.text.len())).unwrap_or_default();
        for character in between.chars() {
            if character == '\n' {
                self.place = Place { line: self.place.line.saturating_add(1), column: 1 };
            } else {
                self.place.column = self.place.column.saturating_add(1);
            }
        }
        self.offset = offset;
        self.place
    }
}

/// What a broken text is made of, as far as it matters for its lists.
enum Piece {
    Text(String),
    Sign(char),
}

/// The strings of every `"deny": [` and `"ask": [`, up to the end of the list or to the next key.
fn salvage(text: &str, places: &mut Places<'_>) -> Vec<Guard> {
    let pieces = pieces(text);
    let mut found = Vec::new();
    let mut index = 0;
    while let Some((_, piece)) = pieces.get(index) {
        index += 1;
        let list = match piece {
            Piece::Text(key) if key == "deny" => List::Deny,
            Piece::Text(key) if key == "ask" => List::Ask,
            Piece::Text(_) | Piece::Sign(_) => continue,
        };
        while sign_at(&pieces, index).is_some_and(|sign| matches!(sign, ':' | '[')) {
            index += 1;
        }
        while let Some((offset, Piece::Text(text))) = pieces.get(index) {
            if sign_at(&pieces, index + 1) == Some(':') {
                break;
            }
            found.push((list, text.clone(), *offset));
            index += 1;
            while sign_at(&pieces, index) == Some(',') {
                index += 1;
            }
        }
    }
    let guard = |(list, text, offset)| Guard { list, text, place: places.at(offset) };
    found.into_iter().map(guard).collect()
}

fn sign_at(pieces: &[(usize, Piece)], index: usize) -> Option<char> {
    match pieces.get(index) {
        Some((_, Piece::Sign(sign))) => Some(*sign),
        Some((_, Piece::Text(_))) | None => None,
    }
}

fn pieces(text: &str) -> Vec<(usize, Piece)> {
    let mut pieces = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        match (character, characters.peek().map(|(_, next)| *next)) {
            ('"' | '\'', _) => pieces.push((offset, Piece::Text(string(character, &mut characters)))),
            ('/', Some('/')) => while characters.next_if(|(_, next)| *next != '\n').is_some() {},
            ('/', Some('*')) => {
                let mut last = ' ';
                for (_, next) in characters.by_ref().skip(1) {
                    if last == '*' && next == '/' {
                        break;
                    }
                    last = next;
                }
            }
            ('[' | ']' | '{' | '}' | ':' | ',', _) => pieces.push((offset, Piece::Sign(character))),
            (_, _) => {}
        }
    }
    pieces
}

/// A string up to its quote, or to the end of the line where the quote is missing.
fn string(quote: char, characters: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> String {
    let mut raw = String::from("\"");
    while let Some((_, character)) = characters.next_if(|(_, next)| *next != '\n') {
        match character {
            '\\' => raw.extend(std::iter::once('\\').chain(characters.next().map(|(_, next)| next))),
            _ if character == quote => break,
            '"' => raw.push_str("\\\""),
            _ => raw.push(character),
        }
    }
    raw.push('"');
    serde_json::from_str(&raw).unwrap_or_else(|_| raw.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(broken: &Broken) -> Vec<(&str, &str)> {
        broken.guards.iter().map(|guard| (guard.list.name(), guard.text.as_str())).collect()
    }

    #[test]
    fn every_value_has_its_place() {
        let node = parse("{\n  // why\n  \"ä\": [true, \"x\",], /* é */ \"b\": 1\n}").unwrap();
        let Kind::Object(members) = &node.kind else { panic!("{node:?}") };
        assert_eq!(members[0].place, Place { line: 3, column: 3 });
        let Kind::List(items) = &members[0].value.kind else { panic!("{members:?}") };
        assert_eq!(items[1].place, Place { line: 3, column: 15 });
        assert_eq!(members[1].place, Place { line: 3, column: 30 });
    }

    #[test]
    fn keys_that_come_twice_are_both_there() {
        let node = parse(r#"{"a": 1, "a": 2}"#).unwrap();
        assert!(matches!(node.kind, Kind::Object(members) if members.len() == 2));
    }

    /// [R2]
    #[test]
    fn a_broken_text_keeps_guarding() {
        let broken = parse("{\"permissions\": {\"deny\": [\"Bash(rm:*)\" \"Read(.env)\"], \"ask\": [\"Bash(git push:*)\", // x\n \"unclosed\n \"allow\": [\"Bash\"]").unwrap_err();
        assert_eq!(broken.place, Place { line: 1, column: 39 });
        assert_eq!(
            texts(&broken),
            [
                ("deny", "Bash(rm:*)"),
                ("deny", "Read(.env)"),
                ("ask", "Bash(git push:*)"),
                ("ask", "unclosed")
            ]
        );
    }

    #[test]
    fn an_empty_file_is_broken() {
        assert!(parse("").is_err());
        assert!(parse("// nothing\n").is_err());
    }

    #[test]
    fn hostile_texts_end() {
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert!(parse(&"\"deny\":[".repeat(10_000)).is_err());
        let long = format!("[{}1]", "\"ü\",".repeat(100_000));
        assert!(parse(&long).is_ok());
    }
}
