//! Adding to JSON text by putting text between what is there: no other byte changes, neither space nor comment.

use jsonc_parser::ast::{Object, Value as Node};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, ParseResult, parse_to_ast};
use serde_json::Value;

const USUAL_INDENT: &str = "  ";

/// A text that is being added to.
pub(super) struct Edited(pub(super) String);

/// The text, with an empty object where it holds no value at all.
pub(super) fn with_a_value(text: &str) -> Result<String, String> {
    if parse(text)?.value.is_some() {
        return Ok(text.to_owned());
    }
    let between = if text.is_empty() || text.ends_with('\n') { "" } else { line_end(text) };
    Ok(format!("{text}{between}{{}}"))
}

impl Edited {
    /// Whether something stands at the path.
    pub(super) fn has(&self, path: &[&str]) -> bool {
        parse(&self.0).is_ok_and(|parsed| parsed.value.as_ref().is_some_and(|root| at(root, path).is_some()))
    }

    /// Writes a value at the path: in the place of what stands there, or as a new property with what has to be around it.
    pub(super) fn set(&mut self, path: &[&str], value: &Value) -> Result<(), String> {
        let Some((last, above)) = path.split_last() else { return Ok(()) };
        if self.has(path) {
            let parsed = parse(&self.0)?;
            let range = parsed.value.as_ref().and_then(|root| at(root, path)).map(Ranged::range);
            return self.replace(range.ok_or("the value went away")?, &value.to_string());
        }
        if self.has(above) {
            return self.append(above, Some(last), value);
        }
        self.set(above, &Value::Object([((*last).to_owned(), value.clone())].into_iter().collect()))
    }

    /// Adds an element to the list, or a property to the object, at the path.
    pub(super) fn append(&mut self, path: &[&str], name: Option<&str>, value: &Value) -> Result<(), String> {
        let text = self.0.as_str();
        let parsed = parse(text)?;
        let tokens = parsed.tokens.unwrap_or_default();
        let container = parsed.value.as_ref().and_then(|root| at(root, path)).ok_or("the list went away")?;
        let place =
            Place::of(text, container, &tokens).ok_or("what should hold a list or an object does not")?;
        let unit = unit(text, parsed.value.as_ref());
        let indent = place.indent.unwrap_or_else(|| format!("{}{unit}", place.outer));
        let end = line_end(text);
        let item = laid_out(value, unit, &indent, end);
        let item = name.map_or_else(|| item.clone(), |name| format!("{}: {item}", Value::from(name)));
        let after =
            if place.closes_on_its_own_line { String::new() } else { format!("{end}{}", place.outer) };
        let comma = place.comma_at.is_some_and(|comma| comma == place.end);
        let before = if comma { "," } else { "" };
        let inserted = format!("{before}{end}{indent}{item}{after}");
        let comma_at = place.comma_at.filter(|_| !comma);
        self.replace(Range::new(place.end, place.end), &inserted)?;
        comma_at.map_or(Ok(()), |at| self.replace(Range::new(at, at), ","))
    }

    fn replace(&mut self, range: Range, with: &str) -> Result<(), String> {
        let (before, rest) = self.0.split_at_checked(range.start).ok_or("a place outside of the text")?;
        let (_, after) =
            rest.split_at_checked(range.end - range.start).ok_or("a place outside of the text")?;
        self.0 = format!("{before}{with}{after}");
        Ok(())
    }
}

/// Where something can be added to a list or an object.
struct Place {
    /// After everything in it, comments included.
    end: usize,
    /// Where a comma has to be put, when one is missing.
    comma_at: Option<usize>,
    /// The indentation of what is in it, when each stands on a line of its own.
    indent: Option<String>,
    /// The indentation of the line that it begins on.
    outer: String,
    closes_on_its_own_line: bool,
}

impl Place {
    fn of(text: &str, container: &Node<'_>, tokens: &[TokenAndRange<'_>]) -> Option<Place> {
        let inside: Vec<Range> = match container {
            Node::Object(object) => object.properties.iter().map(|property| property.range).collect(),
            Node::Array(list) => list.elements.iter().map(Ranged::range).collect(),
            Node::StringLit(_) | Node::NumberLit(_) | Node::BooleanLit(_) | Node::NullKeyword(_) => {
                return None;
            }
        };
        let range = container.range();
        let close = range.end.checked_sub(1)?;
        let last_end = inside.last().map(|last| last.end);
        let since = last_end.unwrap_or(range.start + 1);
        let rest: Vec<_> =
            tokens.iter().filter(|token| token.range.start >= since && token.range.end <= close).collect();
        let has_comma = rest.iter().any(|token| matches!(token.token, Token::Comma));
        let end = rest.last().map_or(since, |token| token.range.end);
        Some(Place {
            end,
            comma_at: last_end.filter(|_| !has_comma),
            indent: inside.first().and_then(|first| indent_before(text, first.start)).map(str::to_owned),
            outer: indent_of_line(text, range.start).to_owned(),
            closes_on_its_own_line: text.get(end..close)?.contains('\n'),
        })
    }
}

fn parse(text: &str) -> Result<ParseResult<'_>, String> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    parse_to_ast(text, &collect, &ParseOptions::default()).map_err(|error| error.to_string())
}

fn at<'a, 'b>(root: &'b Node<'a>, path: &[&str]) -> Option<&'b Node<'a>> {
    let mut node = root;
    for name in path {
        node = &node.as_object().and_then(|object: &Object<'_>| object.get(name))?.value;
    }
    Some(node)
}

/// What stands between the beginning of the line and a place, when that is only space.
fn indent_before(text: &str, place: usize) -> Option<&str> {
    let line = text.get(..place)?.rsplit_once('\n')?.1;
    line.chars().all(|letter| letter == ' ' || letter == '\t').then_some(line)
}

/// The space that the line of a place begins with.
fn indent_of_line(text: &str, place: usize) -> &str {
    let before = text.get(..place).unwrap_or_default();
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    let space = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..space).unwrap_or_default()
}

/// One step of indentation, as the file has it.
fn unit<'a>(text: &'a str, root: Option<&Node<'_>>) -> &'a str {
    let first = root.and_then(Node::as_object).and_then(|object| object.properties.first());
    let unit = first.and_then(|first| indent_before(text, first.range.start));
    unit.filter(|unit| !unit.is_empty()).unwrap_or(USUAL_INDENT)
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A value over several lines; the first one has no indentation.
fn laid_out(value: &Value, unit: &str, indent: &str, end: &str) -> String {
    let mut text = String::new();
    for line in format!("{value:#}").lines() {
        if !text.is_empty() {
            text.push_str(end);
            text.push_str(indent);
        }
        let content = line.trim_start_matches(' ');
        for _ in 0..(line.len() - content.len()) / USUAL_INDENT.len() {
            text.push_str(unit);
        }
        text.push_str(content);
    }
    text
}
