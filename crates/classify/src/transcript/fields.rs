//! The fields of an agent's call: named as ours are, and never passed over where two of them disagree.

use portcullis_decide::ToolCall;
use serde_json::{Map, Value, json};

/// Fields that say where a command is run.
const FOLDERS: [&str; 5] = ["workdir", "working_directory", "dir_path", "directory", "cwd"];

/// Gives fields the names that the canonical tool has for them. Two that disagree become one that holds both: it is no
/// text, so the call is not valid (F12).
pub(super) fn rename(fields: &mut Map<String, Value>, renamed: &[(&str, &str)]) {
    for (from, to) in renamed {
        let Some(value) = fields.shift_remove(*from) else { continue };
        let both = match fields.get(*to) {
            None | Some(Value::Null) => value,
            Some(known) if value.is_null() || *known == value => continue,
            Some(known) => json!({ (*to): known, (*from): value }),
        };
        fields.insert((*to).to_owned(), both);
    }
}

/// The folder that a command is run in, if one is named; where several are, the fields that disagree.
pub(super) fn folder(fields: &Map<String, Value>) -> Result<Option<&str>, Value> {
    let given = || FOLDERS.iter().filter_map(|field| Some((*field, fields.get(*field)?.as_str()?)));
    let Some((_, first)) = given().next() else { return Ok(None) };
    if given().all(|(_, folder)| folder == first) {
        return Ok(Some(first));
    }
    Err(given().map(|(field, folder)| (field.to_owned(), Value::from(folder))).collect())
}

/// Takes away where a recorded command was run: the call itself says it already.
pub(super) fn without_folder(call: &mut ToolCall) {
    if call.tool.is_shell()
        && let Value::Object(fields) = &mut call.input
        && folder(fields).is_ok()
    {
        fields.retain(|name, value| !(FOLDERS.contains(&name.as_str()) && value.is_string()));
    }
}

/// The one text that the fields give; nothing if there is none, or something that is no text.
pub(super) fn one_text<'v>(input: &'v Value, names: &[&str]) -> Result<Option<&'v str>, Value> {
    let given: Vec<&Value> =
        names.iter().filter_map(|name| input.get(*name)).filter(|value| !value.is_null()).collect();
    let Some((first, others)) = given.split_first() else { return Ok(None) };
    if others.iter().any(|other| other != first) {
        return Err(input.clone());
    }
    Ok(first.as_str())
}

/// A list of texts; nothing if anything else is in it, so that it stays what it is and is refused as such.
pub(super) fn listed(value: Option<&Value>) -> Vec<String> {
    let Some(Value::Array(items)) = value else { return Vec::new() };
    let texts: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
    texts.unwrap_or_default()
}

/// One set of fields for each text; the fields as they are where there is none.
pub(super) fn spread(fields: &Map<String, Value>, name: &str, texts: Vec<String>) -> Vec<Map<String, Value>> {
    if texts.is_empty() {
        return vec![fields.clone()];
    }
    let with = |text: String| {
        let mut fields = fields.clone();
        fields.insert(name.to_owned(), Value::String(text));
        fields
    };
    texts.into_iter().map(with).collect()
}

/// The addresses that a fetch names: its own, and those in its prompt, which some agents fetch as well.
pub(super) fn addresses(fields: &Map<String, Value>) -> Vec<String> {
    let mut found = match fields.get("url") {
        Some(Value::String(url)) => vec![url.clone()],
        None | Some(Value::Null) => Vec::new(),
        Some(_) => return Vec::new(),
    };
    let prompt = match fields.get("prompt") {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    for address in prompt.split_whitespace().flat_map(in_word) {
        if !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

/// Everything in a word that begins as an address does, to the end of the word: where it ends is the reader's opinion,
/// and one that is no plain address has no clear host.
fn in_word(word: &str) -> Vec<String> {
    let ends = |c: char| matches!(c, '.' | ',' | ';' | '!' | '?' | ')' | ']' | '>' | '"' | '\'' | '`' | '*');
    let lower = word.to_ascii_lowercase();
    let starts = lower.match_indices("http").filter_map(|(at, _)| {
        let after = lower.get(at..)?.trim_start_matches("http");
        (after.starts_with(':') || after.starts_with("s:")).then(|| word.get(at..))?
    });
    starts.map(|address| address.trim_end_matches(ends).to_owned()).collect()
}

/// Files that are read whole, by names and patterns: each as the file that it names, and as a search of the folder
/// that it begins in.
pub(super) fn many_files(name: &str, fields: &Map<String, Value>, cwd: &str) -> Vec<ToolCall> {
    let mut calls = Vec::new();
    for value in ["include", "paths"].iter().filter_map(|field| fields.get(*field)) {
        let patterns = match value {
            Value::Null => continue,
            Value::String(text) => vec![text.clone()],
            Value::Array(items) if items.is_empty() => continue,
            Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::Object(_) => listed(Some(value)),
        };
        if patterns.is_empty() {
            return vec![ToolCall::new("Read", json!({ "file_path": value }), cwd)];
        }
        for pattern in patterns {
            let (folder, alternatives) = start(&pattern);
            let search = json!({ "pattern": pattern, "path": folder });
            calls.push(ToolCall::new("Read", json!({ "file_path": pattern }), cwd));
            calls.push(ToolCall::new("Grep", search, cwd));
            if alternatives {
                // One of them may lead anywhere.
                calls.push(ToolCall::new(name, Value::Object(fields.clone()), cwd));
            }
        }
    }
    if calls.is_empty() { vec![ToolCall::new("Read", Value::Object(fields.clone()), cwd)] } else { calls }
}

/// The folder that a pattern begins in, and whether alternatives in it name others. A plain name is its own folder: it
/// may be one.
fn start(pattern: &str) -> (&str, bool) {
    let Some(at) = pattern.find(['*', '?', '[', '{', '(', '!']) else { return (pattern, false) };
    let (known, rest) = pattern.split_at_checked(at).unwrap_or((pattern, ""));
    let inside = rest.split_once(['{', '(']).map(|(_, inside)| inside.split([',', '|', '{', '(']));
    let elsewhere = |part: &str| part.starts_with(['/', '~', '\\']);
    let alternatives = rest.contains("..") || inside.is_some_and(|mut parts| parts.any(elsewhere));
    let folder = match known.rfind('/') {
        Some(0) => "/",
        Some(end) => known.get(..end).unwrap_or(known),
        None => ".",
    };
    (folder, alternatives)
}
