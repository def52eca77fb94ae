//! YAML with its anchors, aliases, types and split keys written out, so that a line says what it means.

/// How often aliases of aliases are written out, and how much longer a text may become by it.
const ROUNDS: usize = 3;
const LONGEST: usize = 200_000;

/// How long a value is at most that is always written out.
const SHORT: usize = 40;

/// The text with every alias replaced by what its anchor names, as far as that is not too long.
pub(super) fn written_out(text: &str) -> String {
    let mut text = joined_keys(text);
    for _ in 0..ROUNDS {
        let mut named = anchors(&text);
        let next = all_replaced(&text, &named).or_else(|| {
            // A switch is short. What is not may be anything, and where a switch is expected, it is on.
            let long = named.iter_mut().filter(|(_, value)| without_remark(value).len() > SHORT);
            long.for_each(|(_, value)| "true".clone_into(value));
            all_replaced(&text, &named)
        });
        let Some(next) = next.filter(|next| *next != text) else { break };
        text = next;
    }
    text.lines().map(without_marks).collect::<Vec<_>>().join("\n")
}

/// The text with its aliases replaced, if that is not too much longer.
fn all_replaced(text: &str, named: &[(&str, String)]) -> Option<String> {
    let mut all = String::new();
    for line in text.lines() {
        if !all.is_empty() {
            all.push('\n');
        }
        all.push_str(&replaced(line, named));
        if all.len() > text.len() + LONGEST {
            return None;
        }
    }
    Some(all)
}

/// `true # why`
fn without_remark(value: &str) -> &str {
    value.split(" #").next().unwrap_or(value).trim()
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
            let named = if value.is_empty() { below(&lines, at) } else { value.to_owned() };
            found.push((mark.trim_start_matches('&'), named));
        }
    }
    found
}

/// The lines that belong to the one at this place, as far as they are not too many.
fn below(lines: &[&str], at: usize) -> String {
    let own = lines.get(at).map_or(0, |line| depth(line));
    let mut all = String::new();
    for next in lines.iter().skip(at + 1) {
        let inside = depth(next) > own || (depth(next) == own && next.trim_start().starts_with("- "));
        if all.len() > LONGEST || !(next.trim().is_empty() || inside) {
            break;
        }
        all.push('\n');
        all.push_str(next);
    }
    all
}

/// The words of a line that are the sign and a name, where a value begins.
fn marks(line: &str, sign: char) -> impl Iterator<Item = &str> {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '-'))
    };
    line.split([' ', ',', '[', ']', '{', '}'])
        .filter(move |word| word.starts_with(sign) && is_name(word.trim_start_matches(sign)))
}

/// The line with its aliases replaced.
fn replaced(line: &str, named: &[(&str, String)]) -> String {
    let mut line = line.to_owned();
    let aliases: Vec<String> = marks(&line, '*').map(str::to_owned).collect();
    for alias in aliases {
        let name = alias.trim_start_matches('*');
        let value = named.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str());
        // What is named elsewhere may be anything; where a switch is expected, it is on.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn padding() -> String {
        format!("x-a: &a {}\nx-b: [{}]\n", "y".repeat(1000), "*a, ".repeat(300))
    }

    /// What makes the text too long hides no switch, short or with a remark.
    #[test]
    fn a_switch_is_written_out_in_a_text_that_becomes_too_long() {
        let text = format!("{}x-t: &t true # {}\nprivileged: *t\n", padding(), "why ".repeat(20));
        let out = written_out(&text);
        assert!(out.contains("privileged: true"), "{}", out.len());
        assert!(out.len() < text.len() + LONGEST);
    }

    /// A text that is long by itself is read to its end.
    #[test]
    fn nothing_is_cut_off() {
        let text = format!("x: {}\nx-t: &t true\nprivileged: *t", "y".repeat(LONGEST + 10));
        assert!(written_out(&text).ends_with("privileged: true"));
    }

    /// A value of forty letters is written out, a longer one may be anything.
    #[test]
    fn forty_letters_are_short() {
        let value = |length: usize| {
            let text = format!("{}x-n: &n {}\nname: *n\n", padding(), "z".repeat(length));
            written_out(&text).lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(value(SHORT), format!("name: {}", "z".repeat(SHORT)));
        assert_eq!(value(SHORT + 1), "name: true");
    }
}
