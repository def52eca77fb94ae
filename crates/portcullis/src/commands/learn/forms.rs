//! The narrowest form of a rule that is still of use: the command itself, or the words that all commands begin with.

use std::collections::BTreeMap;

use super::past::Open;

/// The rule for exactly this command; nothing where a rule cannot spell it.
pub(super) fn exact(open: &Open<'_>) -> Option<String> {
    let text = open.command()?.trim();
    let plain = |character: char| !character.is_control() && !"()*\\".contains(character);
    let fits = !text.is_empty() && text.len() <= 200 && text.chars().all(plain);
    (fits && !open.seen.redacted).then(|| format!("{}({text})", open.seen.call.tool.name()))
}

/// A rule for all of the commands that is at most as wide as `offered`, which means all of them.
pub(super) fn common(offered: &str, calls: &[&Open<'_>]) -> String {
    let Some((tool, words)) = offered.strip_suffix(":*)").and_then(|rule| rule.split_once('(')) else {
        return offered.to_owned();
    };
    let mut lines = calls.iter().map(|open| open.command().map(words_of).unwrap_or_default());
    let mut shared: Vec<&str> = lines.next().unwrap_or_default();
    for line in lines {
        let same = shared.iter().zip(&line).take_while(|(one, other)| one == other).count();
        shared.truncate(same);
    }
    let narrower = shared.join(" ");
    // Only what begins with the words of the offered rule is narrower than it.
    let is_longer = narrower.strip_prefix(words).is_some_and(|rest| rest.starts_with(' '));
    if is_longer { format!("{tool}({narrower}:*)") } else { offered.to_owned() }
}

/// The first words of a line, up to one with anything that a shell would act on.
fn words_of(line: &str) -> Vec<&str> {
    let plain = |character: char| character.is_ascii_alphanumeric() || "_-./:=@,+%".contains(character);
    line.trim().split(' ').take_while(|word| word.chars().all(plain)).collect()
}

/// Whether a rule means more than one command.
pub(super) fn is_wide(rule: &str) -> bool {
    rule.ends_with(":*)")
}

/// Whether the rule can be for this call: one for a command as it stands cannot where something of it was hidden.
pub(super) fn can_mean(rule: &str, open: &Open<'_>) -> bool {
    is_wide(rule) || open.command().is_none() || !open.seen.redacted
}

/// The calls of each command, as far as the log shows it; those of other tools are left out.
pub(super) fn by_command<'a, 'h>(calls: &[&'a Open<'h>]) -> Vec<Vec<&'a Open<'h>>> {
    let mut groups: BTreeMap<&str, Vec<&Open<'h>>> = BTreeMap::new();
    for open in calls {
        if let Some(text) = open.command() {
            groups.entry(text.trim()).or_default().push(open);
        }
    }
    groups.into_values().collect()
}

/// Calls by the exact rule for them, those without one left out.
pub(super) fn by_text<'a, 'h>(calls: &[&'a Open<'h>]) -> BTreeMap<String, Vec<&'a Open<'h>>> {
    let mut groups: BTreeMap<String, Vec<&Open<'h>>> = BTreeMap::new();
    for open in calls {
        if let Some(rule) = exact(open) {
            groups.entry(rule).or_default().push(open);
        }
    }
    groups
}

/// What an allow rule means, for somebody who has not read how rules are written.
pub(super) fn in_words(rule: &str) -> String {
    let (tool, inner) = rule.split_once('(').unwrap_or((rule, ""));
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    match (tool, inner.strip_suffix(":*")) {
        ("Bash" | "PowerShell", Some(words)) => format!(
            "`{words}` with any words after it, in any directory, except options that run or write something else"
        ),
        ("Bash" | "PowerShell", None) => "exactly this command, in any directory".to_owned(),
        ("Read", _) => "reading this file, or everything below it if it is a folder".to_owned(),
        ("Edit", _) => "every change of this file, or of everything below it if it is a folder".to_owned(),
        ("WebFetch", _) => {
            let host = inner.strip_prefix("domain:").unwrap_or(inner);
            format!("fetching every address of {host}")
        }
        ("Skill", _) => format!("the skill {inner}, whatever it is given"),
        (_, _) => format!("{tool} with any input"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_a_shell_would_act_on_them() {
        assert_eq!(words_of(" git push origin main"), ["git", "push", "origin", "main"]);
        for line in ["a b; c", "a b' c'", "a \"b\"", "a b\nc", "a b* c", "a b\tc"] {
            assert_eq!(words_of(line), ["a"], "{line}");
        }
        for line in ["a b | c", "a b $x c", "a b 'c' d", "a b > c", "a b ~ c"] {
            assert_eq!(words_of(line), ["a", "b"], "{line}");
        }
    }

    #[test]
    fn rules_are_told_in_words() {
        assert!(in_words("Bash(git push:*)").starts_with("`git push` with any words"));
        assert!(in_words("Bash(npm test)").starts_with("exactly this command"));
        assert!(in_words("Read(//srv/x)").contains("if it is a folder"));
        assert!(in_words("Edit(//srv/x)").contains("if it is a folder"));
        assert!(in_words("WebFetch(domain:example.com)").ends_with("of example.com"));
        assert!(in_words("mcp__tracker__list").starts_with("mcp__tracker__list with any input"));
    }
}
