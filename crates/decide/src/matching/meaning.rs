//! Whether a rule means a command, by any of its names.

use portcullis_shell::Command;

use super::skipped;
use crate::call::{Tool, ToolCall};
use crate::glob::Match;
use crate::rules::{Pattern, Rule, Words};

/// Whether the rule means the command, by any of its names and theirs.
pub(crate) fn means(rule: &Rule, command: &Command, spellings: &[Words], call: &ToolCall) -> Match {
    let Some(pattern) = rule.pattern() else { return Match::No };
    let lowered = (call.tool == Tool::PowerShell).then(|| pattern.lowered());
    let patterns = lowered.unwrap_or(pattern).by_any_name();
    let likely = patterns.enumerate().filter(|(at, pattern)| *at == 0 || could_mean(pattern, command));
    let found = likely.map(|(_, pattern)| {
        let spelled = spellings.iter().map(|words| pattern.matches(words)).max().unwrap_or(Match::No);
        spelled.max(skipped::matches(pattern, command, lowered.is_some()))
    });
    found.max().unwrap_or(Match::No)
}

/// Whether the command may have the second word of another name: a quick look before a thorough one. It stands behind the
/// program or is the sub-command, so that nothing behind a known sub-command can be it.
fn could_mean(pattern: &Pattern, command: &Command) -> bool {
    let end = command.verbs.iter().min().map_or(command.arguments.len(), |verb| verb + 1);
    let front = command.arguments.get(..end).unwrap_or(&command.arguments);
    let has = |word: &str| front.iter().any(|it| !it.literal || it.text.eq_ignore_ascii_case(word));
    pattern.leading().get(1).is_none_or(|word| has(word))
}
