//! What a text in YAML, JSON or HCL gives to a key, as far as its lines say it; no file is read as a whole.

/// The text in small letters, without the lines that only say something.
pub(super) fn live(text: &str) -> String {
    let remark = |line: &&str| !["#", "//", "--"].iter().any(|sign| line.trim_start().starts_with(sign));
    text.lines().filter(remark).collect::<Vec<_>>().join("\n").to_lowercase()
}

/// What the keys of this name get, in a text in small letters: single values and those of lists, without quotes.
pub(super) fn values(text: &str, key: &str) -> Vec<String> {
    let places = text.match_indices(key).filter(|(at, _)| {
        let before = text.get(..*at).and_then(|head| head.chars().next_back());
        before.is_none_or(|before| !(before.is_alphanumeric() || matches!(before, '_' | '-' | '.')))
    });
    let mut found = Vec::new();
    for (at, _) in places {
        let rest = text.get(at + key.len()..).unwrap_or_default().trim_start_matches(['"', '\'', ' ']);
        let Some(value) = rest.strip_prefix([':', '=']) else { continue };
        let (first, below) = value.split_once('\n').unwrap_or((value, ""));
        let first = first.trim();
        if first.is_empty() {
            let items = below.lines().map(str::trim).take_while(|line| line.starts_with('-'));
            found.extend(items.map(|item| bare(item.trim_start_matches(['-', ' ']))));
            // A value may be in the line below its key.
            found.extend(below.lines().next().filter(|line| line.trim().starts_with('"')).map(bare));
        } else if first.starts_with('[') {
            let list = value.split(']').next().unwrap_or_default();
            found.extend(list.split(',').map(bare).filter(|item| !item.is_empty()));
        } else {
            found.push(bare(first.split([',', '}']).next().unwrap_or_default()));
        }
    }
    found
}

/// A value without quotes, brackets and what follows it as a remark.
fn bare(value: &str) -> String {
    let value = value.split(" #").next().unwrap_or_default();
    value
        .trim_matches(|it: char| it.is_whitespace() || matches!(it, '"' | '\'' | '[' | '{' | '}' | ',' | ';'))
        .to_owned()
}
