//! Paths in texts: those of this repository exist, and none leads to the machine of whoever wrote them.

use super::tree::{FILES, TextFile, exists};

/// Folders whose paths are looked at.
const FOLDERS: &[&str] = &["crates/", "docs/", "spec/", "scripts/", "tests/", "examples/", "fuzz/"];

/// Pages that speak of other versions, and pages of made-up projects.
const ELSEWHERE: &[&str] =
    &["CHANGELOG.md", "docs/decisions", "docs/evidence", "tests/mutants", "tests/regressions", "tests/cases"];

/// Folders where work is done, written in pieces so that this file does not name them.
const WORKPLACES: &[&str] = &[concat!("/wo", "rk/"), concat!("/tmp/", "wt")];

/// Paths of this repository in comments, pages and settings that lead nowhere.
pub(crate) fn missing() -> Vec<String> {
    let mut found = Vec::new();
    for file in FILES.iter().filter(|file| speaks_of_us(file)) {
        for (number, line) in (1..).zip(file.text.lines()) {
            // Code of made-up projects is full of paths; comments are about this one.
            let line =
                if file.is("rs") { line.split_once("//").map_or("", |(_, comment)| comment) } else { line };
            let paths = if file.is("toml") { in_settings(line) } else { in_prose(line) };
            let missing =
                paths.iter().map(|path| fixed(path)).filter(|path| path.contains('/') && !exists(path));
            found.extend(missing.map(|path| {
                format!("{}:{number}: `{path}` is not there; name the right file, or leave it out", file.name)
            }));
        }
    }
    found
}

fn speaks_of_us(file: &TextFile) -> bool {
    let listed = ELSEWHERE.contains(&file.name.as_str()) || file.is_in(ELSEWHERE);
    !listed && (file.is("rs") || file.is("md") || file.is("toml"))
}

/// The paths of this repository in a line of prose, as far as they are marked as such.
fn in_prose(line: &str) -> Vec<String> {
    let ends = |char: char| char.is_whitespace() || matches!(char, '`' | '"' | '(' | ')' | ',' | ';' | '[');
    let marked = |word: &&str| word.starts_with("crates/") || line.contains(&format!("`{word}"));
    line.split(ends).filter(|word| is_ours(word)).filter(marked).map(str::to_owned).collect()
}

/// The paths of this repository in a line of settings, which write several as `src/{one,other}.rs`.
fn in_settings(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in line.split('"').filter(|word| is_ours(word)) {
        match word.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?))) {
            Some((before, (names, after))) => {
                found.extend(names.split(',').map(|name| format!("{before}{name}{after}")));
            }
            None => found.push(word.to_owned()),
        }
    }
    found
}

fn is_ours(word: &str) -> bool {
    FOLDERS.iter().any(|folder| word.starts_with(folder)) && !word.contains("..")
}

/// A path up to its first placeholder: whatever `NAME` or `*` stands for, its folder is there.
fn fixed(path: &str) -> String {
    let path = path.split(['<', '{', ':', ']', '|', '#', '\'', '…']).next().unwrap_or(path);
    let open = |part: &str| {
        let stem = part.split('.').next().unwrap_or(part);
        part.contains('*') || (stem.chars().any(char::is_uppercase) && !exists(path))
    };
    let parts: Vec<&str> = path.split('/').take_while(|part| !open(part)).collect();
    parts.join("/").trim_end_matches(['.', '/', '?', '!']).to_owned()
}

/// Places in files that name a folder where somebody works, and file names that nobody can have meant.
pub(crate) fn of_workplaces() -> Vec<String> {
    let mut found = Vec::new();
    for file in FILES.iter() {
        let is_plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '/' | '.' | '_' | '-');
        if !file.name.chars().all(is_plain) {
            found.push(format!("{}:1: odd characters in its name; rename or delete the file", file.name));
        }
        for place in WORKPLACES {
            for (at, _) in file.text.match_indices(place) {
                let before = file.text.get(..at).unwrap_or_default();
                if before.ends_with(|char: char| {
                    char.is_alphanumeric() || matches!(char, '.' | '~' | '-' | '_' | '}')
                }) {
                    continue;
                }
                let line = 1 + before.matches('\n').count();
                found.push(format!(
                    "{}:{line}: names `{place}`; write the path from the repository's root",
                    file.name
                ));
            }
        }
    }
    found
}
