//! YAML with its anchors, aliases, types and split keys written out, so that a line says what it means.

/// How often aliases are written out that stand for aliases, and how much longer a text may become by it.
const ROUNDS: usize = 3;
const LONGEST: usize = 200_000;

/// How long a value is at most that is always written out.
const SHORT: usize = 40;

/// The text in which every alias stands for what its anchor names, as far as that is not too long.
pub(super) fn written_out(text: &str) -> String {
    let mut text = joined_keys(text);
    for _ in 0..ROUNDS {
        let mut named = anchors(&text);
        let write_out = |named: &[(&str, String)]| {
            text.lines().map(|line| replaced(line, named)).collect::<Vec<_>>().join("\n")
        };
        let mut next = write_out(&named);
        // A switch is short: what makes the text too long stays, and the rest is written out.
        if next.len() > LONGEST {
            named.iter_mut().filter(|(_, value)| value.len() > SHORT).for_each(|(_, value)| value.clear());
            next = write_out(&named);
        }
        if next == text || next.len() > LONGEST {
            break;
        }
        text = next;
    }
    text.lines().map(without_marks).collect::<Vec<_>>().join("\n")
}

/// `? key` and `: value` in one line.
fn joined_keys(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let value = line.trim_start().strip_prefix(": ");
        match (lines.last_mut(), value) {
            (Some(key), Some(value)) if key.trim_start().starts_with("? ") => {
                *key = format!("{}: {value}", key.replacen("? ", "", 1));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// What each anchor names: the rest of its line, or the lines below it.
fn anchors(text: &str) -> Vec<(&str, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for mark in marks(line, '&') {
            let (_, value) = line.split_once(mark).unwrap_or_default();
            let value = value.trim();
            let below = lines.iter().skip(at + 1);
            let below = below.take_while(|next| {
                next.trim().is_empty()
                    || depth(next) > depth(line)
                    || (depth(next) == depth(line) && next.trim_start().starts_with("- "))
            });
            let below: Vec<&str> = below.copied().collect();
            let named = if value.is_empty() { format!("\n{}", below.join("\n")) } else { value.to_owned() };
            found.push((mark.trim_start_matches('&'), named));
        }
    }
    found
}

/// The words of a line that are the sign and a name, where a value begins.
fn marks(line: &str, sign: char) -> impl Iterator<Item = &str> {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '-'))
    };
    line.split([' ', ',', '[', ']', '{', '}'])
        .filter(move |word| word.starts_with(sign) && is_name(word.trim_start_matches(sign)))
}

/// The line with what its aliases stand for.
fn replaced(line: &str, named: &[(&str, String)]) -> String {
    let mut line = line.to_owned();
    let aliases: Vec<String> = marks(&line, '*').map(str::to_owned).collect();
    for alias in aliases {
        let name = alias.trim_start_matches('*');
        let value = named.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str());
        // What is named elsewhere may be anything; where a switch stands, it is on.
        line = line.replacen(&alias, value.unwrap_or("true"), 1);
    }
    line
}

/// The line without anchors and types: `&a`, `!!bool "true"`.
fn without_marks(line: &str) -> String {
    let marked: Vec<&str> = marks(line, '&').chain(marks(line, '!')).collect();
    let plain = marked.iter().fold(line.to_owned(), |line, mark| line.replacen(mark, "", 1));
    if line.contains("!!bool") { plain.replace(['"', '\''], "") } else { plain.replace(":  ", ": ") }
}
