//! The files that the fields of a call name.
//!
//! Which field a tool looks at is its own affair: every field that usually names a file is taken, and a name that can
//! be read in two ways is taken in both.

use serde_json::Value;

use crate::call::ToolCall;
use crate::context::Context;
use crate::path::is_within;

/// Fields in which the tools for files name them, by one agent or another.
const PATH_FIELDS: &[&str] = &[
    "file_path",
    "path",
    "notebook_path",
    "filePath",
    "filepath",
    "file",
    "paths",
    "absolute_path",
    "relative_path",
    "target_file",
    "target_directory",
    "dir_path",
    "uri",
];

/// Fields in which other tools name files: whole names, in lower case and without `_` and `-`.
const FILE_FIELDS: &[&str] = &[
    "source",
    "sources",
    "src",
    "destination",
    "dest",
    "dst",
    "target",
    "targets",
    "from",
    "to",
    "output",
    "input",
    "root",
    "location",
    "uri",
    "uris",
];

/// How the names of such fields end.
const FILE_ENDINGS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "dir",
    "dirs",
    "directory",
    "directories",
    "folder",
    "folders",
    "fileuri",
];

/// The files that a tool for files is given.
pub(crate) fn paths(call: &ToolCall) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for value in PATH_FIELDS.iter().filter_map(|field| call.input.get(*field)) {
        match value {
            Value::String(text) => add(&mut found, text),
            Value::Array(values) => {
                values.iter().filter_map(Value::as_str).for_each(|text| add(&mut found, text));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
        }
    }
    found
}

/// The files that a tool of which nothing is known is given, at any depth of its input.
pub(crate) fn paths_anywhere(call: &ToolCall, context: &Context) -> Vec<String> {
    let mut found = Vec::new();
    gather(&call.input, false, context, &mut found);
    found
}

fn gather(value: &Value, named: bool, context: &Context, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            if (named && !is_address(text)) || is_surely_path(text, context) {
                add(found, text);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, named, context, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                gather(value, names_file(name), context, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn names_file(field: &str) -> bool {
    let name = field.trim().replace(['_', '-'], "").to_ascii_lowercase();
    FILE_FIELDS.contains(&name.as_str()) || FILE_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether it is the address of something that is no file here.
fn is_address(text: &str) -> bool {
    text.contains("://") && from_uri(text).is_none()
}

/// Whether the text is a path, whatever the field is called.
fn is_surely_path(text: &str, context: &Context) -> bool {
    let text = text.trim();
    let mut places = context.roots.iter().chain(std::iter::once(&context.home));
    let mut known = || places.any(|place| place.len() > 1 && is_within(text, place));
    !text.contains('\n') && (text.starts_with("~/") || from_uri(text).is_some() || known())
}

/// The name, and what else it is where blanks around it do not count or it is the address of a file.
fn add(found: &mut Vec<String>, text: &str) {
    let trimmed = text.trim();
    let address = from_uri(trimmed);
    for name in [Some(text), Some(trimmed), address.as_deref()].into_iter().flatten() {
        if !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    }
}

/// The path in `file:///path`.
fn from_uri(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once(':')?;
    if !scheme.trim().eq_ignore_ascii_case("file") {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.split_once('/').map_or_else(String::new, |(_, path)| format!("/{path}")),
        None => rest.to_owned(),
    };
    Some(decoded(&path))
}

/// Text with its `%2f` taken back.
pub(crate) fn decoded(text: &str) -> String {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut rest = text.as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some((first, after)) = rest.split_first() {
        let code = match after {
            [high, low, after @ ..] if *first == b'%' => {
                digit(*high).zip(digit(*low)).map(|(high, low)| (high * 16 + low, after))
            }
            _ => None,
        };
        let (byte, after) = code.unwrap_or((*first, after));
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn anywhere(input: Value) -> Vec<String> {
        let context = Context::new("/home/dev/proj", "/home/dev");
        paths_anywhere(&ToolCall::new("mcp__a__b", input, "/home/dev/proj"), &context)
    }

    #[test]
    fn files_are_found_at_any_depth() {
        assert_eq!(anywhere(json!({"source": "a", "destination": "b", "text": "c"})), ["a", "b"]);
        assert_eq!(anywhere(json!({"files": [{"path": "a", "content": "x"}]})), ["a"]);
        assert_eq!(anywhere(json!({"args": {"relative_path": "a"}, "oldPath": "b"})), ["a", "b"]);
        assert_eq!(anywhere(json!({"what": ["/home/dev/x", "~/y", "z"]})), ["/home/dev/x", "~/y"]);
        assert_eq!(anywhere(json!({"uri": "https://example.com/.env", "repo": "a/b"})), [""; 0]);
    }

    #[test]
    fn a_name_with_two_readings_is_taken_in_both() {
        assert_eq!(anywhere(json!({"uri": "file:///a%2Fb%20c"})), ["file:///a%2Fb%20c", "/a/b c"]);
        let call = ToolCall::new("Read", json!({"file_path": " /etc/passwd"}), "/p");
        assert_eq!(paths(&call), [" /etc/passwd", "/etc/passwd"]);
    }
}
