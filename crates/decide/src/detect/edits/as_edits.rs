//! Changes that commands make to files, as the edits that they are: what a stream editor replaces, what a tool sets in a
//! manifest, what the line prints into a file.

use portcullis_shell::{Argument, Command, Effects, Reading};

use crate::call::ToolCall;
use crate::context::Context;
use crate::run_files::{interpreters, written};
use crate::view::{Access, View};

/// One change of a file.
pub(super) struct Change {
    pub(super) path: String,
    pub(super) old: String,
    pub(super) new: String,
    /// Whether a command that only takes a script made it, which may hold parts of lines.
    pub(super) part: bool,
}

/// The changes that the line makes, as far as its words show them.
pub(super) fn of_line(view: &View, reading: &Reading, call: &ToolCall, context: &Context) -> Vec<Change> {
    let mut found: Vec<Change> = Vec::new();
    for command in &reading.commands {
        let place = |name: &str| {
            context.absolute(name, &context.absolute(command.directory.as_deref().unwrap_or("."), &call.cwd))
        };
        match command.program.as_deref().unwrap_or_default() {
            "sed" | "gsed" | "perl" => found.extend(by_script(command, view, reading, place)),
            "awk" | "gawk" | "mawk" => found.extend(by_calls(command, view, reading)),
            "yq" | "jq" | "gojq" | "dasel" => found.extend(by_filter(command, view, reading)),
            "npm" | "pnpm" | "yarn" if says(command, "pkg") || says(command, "set-script") => {
                found.extend(by_fields(command, &place("package.json")));
            }
            "go" if says(command, "mod") && says(command, "edit") => {
                found.extend(by_module(command, &place("go.mod")));
            }
            name if interpreters::is_language(name) && command.own.meets(Effects::EXECUTES) => {
                found.extend(by_code(&view.line, place));
            }
            _ => {}
        }
    }
    let printed = written::by_line(view, reading);
    found.extend(printed.into_iter().map(|(path, new)| Change {
        path,
        old: String::new(),
        new,
        part: false,
    }));
    found
}

fn says(command: &Command, word: &str) -> bool {
    command.arguments.iter().any(|it| it.text == word)
}

/// The files that the command changes in place.
fn changed<'v>(command: &'v Command, view: &'v View, access: Access) -> impl Iterator<Item = &'v str> {
    let own =
        view.paths.iter().filter(move |path| path.access == access && crate::view::in_span(path, command));
    own.map(|path| path.path.as_str())
}

/// `sed -i 's/old/new/' file`
fn by_script(
    command: &Command,
    view: &View,
    reading: &Reading,
    place: impl Fn(&str) -> String,
) -> Vec<Change> {
    let is_file = |word: &Argument| view.paths.iter().any(|path| path.named == word.text);
    let words = command.arguments.iter().filter(|word| !is_file(word));
    let scripts = words.filter_map(|word| {
        let text = word.text.as_str();
        let glued = text
            .strip_prefix("--expression=")
            .or_else(|| text.strip_prefix("-e").filter(|it| !it.is_empty()));
        glued.or((!text.starts_with('-')).then_some(text))
    });
    let pairs: Vec<(String, String)> = scripts.flat_map(steps).collect();
    let mut files = files(command, view, reading);
    if files.is_empty() {
        // Of some programs it is not known which words are files.
        let named = command.arguments.iter().filter(|word| super::parts::matters(&word.text));
        files.extend(named.map(|word| place(&word.text)));
    }
    let change = |path: &str, (old, new): &(String, String)| Change {
        path: path.to_owned(),
        old: old.clone(),
        new: new.clone(),
        part: true,
    };
    files.iter().flat_map(|path| pairs.iter().map(|pair| change(path, pair))).collect()
}

/// What the script of a stream editor takes away and puts there, step by step, as far as it is understood.
pub(super) fn steps(script: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = script;
    while !rest.is_empty() {
        rest = rest.trim_start_matches([';', ' ', '\n', '\t', '{', '}', '!']);
        let (address, after) = address(rest);
        let mut letters = after.chars();
        let (letter, behind) = (letters.next(), letters.as_str());
        match letter {
            Some('s') => match substitution(behind) {
                Some((old, new, after)) => {
                    found.push((plain(&old), plain(&new)));
                    rest = after;
                }
                None => return found,
            },
            Some('d') => {
                found.push((plain(&address), String::new()));
                rest = behind;
            }
            Some('a' | 'i' | 'c') => {
                let (text, after) = behind
                    .split_once('\n')
                    .filter(|(text, _)| !text.trim_end().ends_with('\\'))
                    .unwrap_or((behind, ""));
                let text = text.trim_start_matches([' ', '\\', '\n']);
                found.push((
                    if letter == Some('c') { plain(&address) } else { String::new() },
                    text.to_owned(),
                ));
                rest = after;
            }
            Some(_) => rest = behind,
            None => return found,
        }
    }
    found
}

/// The pattern before a step, and what follows it.
fn address(text: &str) -> (String, &str) {
    let mut found = String::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([',', ' ', '~', '+']);
        rest = rest.trim_start_matches(|it: char| it.is_ascii_digit() || it == '$');
        let Some(behind) = rest.strip_prefix('/') else { break };
        let Some((pattern, after)) = until(behind, '/') else { break };
        found.push_str(&pattern);
        found.push('\n');
        rest = after.trim_start_matches(['I', 'M']);
        if !rest.trim_start().starts_with(',') {
            break;
        }
    }
    (found, rest.trim_start_matches([' ', '!']))
}

/// The old and the new of `/old/new/flags`, and what follows.
fn substitution(text: &str) -> Option<(String, String, &str)> {
    let sign = text.chars().next().filter(char::is_ascii_punctuation)?;
    let pair = match sign {
        '{' => '}',
        '(' => ')',
        '[' => ']',
        '<' => '>',
        other => other,
    };
    let (old, after) = until(text.get(1..)?, pair)?;
    let after = if pair == sign { after } else { after.trim_start().strip_prefix(sign)? };
    let (new, after) = until(after, pair)?;
    Some((old, new, after.trim_start_matches(|flag: char| flag.is_ascii_alphanumeric())))
}

/// The text before the next `sign` that no backslash hides, and what follows it.
pub(super) fn until(text: &str, sign: char) -> Option<(String, &str)> {
    let mut hidden = false;
    let at = text.char_indices().find(|(_, letter)| {
        let ends = *letter == sign && !hidden;
        hidden = *letter == '\\' && !hidden;
        ends
    })?;
    let (before, after) = text.split_at_checked(at.0)?;
    Some((before.to_owned(), after.get(1..)?))
}

/// A pattern without the signs that only belong to patterns.
fn plain(pattern: &str) -> String {
    let mut text = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some('n')) => {
                letters.next();
                text.push('\n');
            }
            // The border of a word is no letter.
            ('\\', Some('b' | 'B')) => {
                letters.next();
            }
            ('\\', Some(next)) if next.is_ascii_punctuation() => text.extend(letters.next()),
            ('^', _) if text.is_empty() => {}
            (other, _) => text.push(other),
        }
    }
    text.trim_end_matches('$').to_owned()
}

/// The files that the command changes: in place, or by printing what then takes the place of the file that was read.
fn files(command: &Command, view: &View, reading: &Reading) -> Vec<String> {
    let moves = |it: &Command| matches!(it.program.as_deref(), Some("mv" | "sponge" | "cp" | "tee"));
    let printed = view.paths.iter().any(|path| path.redirect && path.access == Access::Write);
    let mut files: Vec<String> = changed(command, view, Access::Write).map(str::to_owned).collect();
    if printed || reading.commands.iter().any(moves) {
        files.extend(changed(command, view, Access::Read).map(str::to_owned));
    }
    files
}

/// `awk '{gsub("old", "new")}1' file > other`
fn by_calls(command: &Command, view: &View, reading: &Reading) -> Vec<Change> {
    let text = command.arguments.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join("\n");
    let pairs = calls(&text);
    let change = |path: &String, (old, new): &(String, String)| Change {
        path: path.clone(),
        old: old.clone(),
        new: new.clone(),
        part: true,
    };
    let files = files(command, view, reading);
    files.iter().flat_map(|path| pairs.iter().map(|pair| change(path, pair))).collect()
}

/// `yq -i '.jobs.test.uses = "x"' file`, `jq '.a = 1' file > other`
fn by_filter(command: &Command, view: &View, reading: &Reading) -> Vec<Change> {
    let mut found = Vec::new();
    for path in files(command, view, reading) {
        for word in command.arguments.iter().filter(|word| word.text.contains(['=', '('])) {
            found.extend(assigned(&word.text).map(|(keys, value)| of_field(&path, &keys, value.as_deref())));
        }
    }
    found
}

/// The fields that a filter sets, with their values, and those that it deletes, without one.
fn assigned(filter: &str) -> impl Iterator<Item = (Vec<String>, Option<String>)> {
    filter.split(['|', ',']).filter_map(|part| {
        let part = part.trim();
        if let Some(inside) = part.strip_prefix("del(") {
            return Some((keys(inside.trim_end_matches(')')), None));
        }
        let (field, value) = part.split_once('=').or_else(|| Some((part.strip_suffix('=')?, "")))?;
        let value = value.trim().trim_matches(['"', '\'', '\\']).to_owned();
        let keys = keys(field.trim_end_matches(['+', '*', '/', '?', ' ']));
        (!keys.is_empty()).then_some((keys, Some(value)))
    })
}

/// The names of a path of fields: `.jobs.test.steps[0]["uses"]`.
fn keys(path: &str) -> Vec<String> {
    let parts = path.split(['.', '[', ']']).map(|part| part.trim_matches(['"', '\'', ' ', '(', ')', '\\']));
    parts
        .filter(|part| !part.is_empty() && !part.bytes().all(|it| it.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// A field of a file as the text of the file would have it.
fn of_field(path: &str, keys: &[String], value: Option<&str>) -> Change {
    let json = path.rsplit('.').next() == Some("json");
    let text = keys.iter().rev().fold(None, |inner: Option<String>, key| {
        let value = value.unwrap_or("x");
        Some(match inner {
            None if json => format!("\"{key}\": \"{value}\""),
            None => format!("{key}: {value}"),
            Some(inner) if json => format!("\"{key}\": {{\n{inner}\n}}"),
            Some(inner) => format!("{key}:\n  {}", inner.replace('\n', "\n  ")),
        })
    });
    let text = text.unwrap_or_default();
    let (old, new) = if value.is_some() { (String::new(), text) } else { (text, String::new()) };
    Change { path: path.to_owned(), old, new, part: false }
}

/// `npm pkg set scripts.test=x`, `npm set-script test x`
fn by_fields(command: &Command, path: &str) -> Vec<Change> {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    if let Some(at) = words.iter().position(|word| *word == "set-script") {
        let value = words.get(at + 2).copied();
        let name = words.get(at + 1).map_or_else(String::new, |name| (*name).to_owned());
        return vec![of_field(path, &["scripts".to_owned(), name], value)];
    }
    let takes_away = words.contains(&"delete");
    let fields = words.into_iter().filter(|word| !word.starts_with('-'));
    let fields = fields.filter_map(|word| {
        let (field, value) = word.split_once('=').map_or((word, None), |(field, value)| (field, Some(value)));
        let deleted = takes_away && value.is_none() && !matches!(field, "pkg" | "delete");
        (value.is_some() || deleted).then(|| of_field(path, &keys(field), value))
    });
    fields.collect()
}

/// `go mod edit -replace a=b`
fn by_module(command: &Command, path: &str) -> Vec<Change> {
    let words = command.arguments.iter().map(|word| word.text.as_str());
    let replaced = words.filter_map(|word| {
        let pair = word.trim_start_matches('-');
        let pair = pair.strip_prefix("replace=").or((pair.len() == word.len()).then_some(pair))?;
        pair.split_once('=')
    });
    let line =
        |(old, new): (&str, &str)| format!("replace {} => {}", old.replace('@', " "), new.replace('@', " "));
    replaced
        .map(|pair| Change { path: path.to_owned(), old: String::new(), new: line(pair), part: false })
        .collect()
}

/// Calls that put one text in the place of another.
const REPLACES: &[&str] = &[".replace(", ".replaceAll(", "re.sub(", "gsub(", ".sub(", "str_replace("];

/// The texts in quotes.
fn quoted(text: &str) -> Vec<String> {
    let parts = text.split(['\'', '"', '`', '\\']).map(str::trim);
    parts.filter(|part| !part.is_empty() && *part != ",").map(str::to_owned).collect()
}

/// What the calls in code replace, and with what.
fn calls(text: &str) -> Vec<(String, String)> {
    let calls = REPLACES.iter().flat_map(|word| text.split(word).skip(1));
    let pairs = calls.filter_map(|call| {
        let mut given = quoted(call.split(')').next().unwrap_or_default()).into_iter();
        Some((given.next()?, given.next().unwrap_or_default()))
    });
    pairs.collect()
}

/// `open(p, 'w').write(text.replace('a', 'b'))`: the files that the code names, and what it replaces.
fn by_code(line: &str, place: impl Fn(&str) -> String) -> Vec<Change> {
    if !REPLACES.iter().any(|word| line.contains(word)) {
        return Vec::new();
    }
    let names =
        quoted(line).into_iter().filter(|name| super::parts::matters(name) && !name.contains([' ', '(']));
    let names: Vec<String> = names.collect();
    let pairs = calls(line);
    let change = |name: &str, (old, new): &(String, String)| Change {
        path: place(name),
        old: old.clone(),
        new: new.clone(),
        part: true,
    };
    names.iter().flat_map(|name| pairs.iter().map(|pair| change(name, pair))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P5]
    #[test]
    fn the_steps_of_a_script_are_told_apart() {
        let shown = |script: &str| {
            let steps = steps(script).into_iter().map(|(old, new)| format!("{} > {new}", old.trim()));
            steps.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown("s#^FROM node:20#FROM x/node:20#"), "FROM node:20 > FROM x/node:20");
        assert_eq!(shown(r"/audit\.record/d"), "audit.record > ");
        assert_eq!(shown("5s/a/b/g;/c/,/d/d"), "a > b, c\nd > ");
        assert_eq!(shown("1i import x"), " > import x");
        assert_eq!(shown(r"s/a\/b/c/; s{x}{y}"), "a/b > c, x > y");
    }

    /// [P5]
    #[test]
    fn a_field_stands_as_in_its_file() {
        let text = |filter: &str, path: &str| {
            let fields = assigned(filter).map(|(keys, value)| of_field(path, &keys, value.as_deref()).new);
            fields.collect::<Vec<_>>().join(";")
        };
        assert_eq!(text(".services.db.image=\"x/pg\"", "a.yml"), "services:\n  db:\n    image: x/pg");
        assert_eq!(
            text(".dependencies.lodash=\"x\"", "package.json"),
            "\"dependencies\": {\n\"lodash\": \"x\"\n}"
        );
    }
}
