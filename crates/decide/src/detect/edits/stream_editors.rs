//! Checks that a line takes away or weakens in files: what a stream editor replaces or deletes is judged as an edit is.

use portcullis_shell::{Argument, Command, Effects, Reading};

use serde_json::json;

use super::as_edits::{self, Change, until};
use super::{builds, flips, of_edit, parts};
use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Finding, detectors, edits};
use crate::view::View;

/// A line that takes a check away or weakens one, by what it writes or by a stream editor.
pub(in crate::detect) fn of_line(view: &View, reading: &Reading) -> Option<Finding> {
    // The script of an editor is both the old text and the new.
    let texts = view.line.to_lowercase().replace(['/', '|', '#'], "\n");
    flips::weakened("", &texts).or_else(|| check_lost(view, reading))
}

/// What the changes of the line say that an edit of the same file would be asked about.
pub(in crate::detect) fn of_changes(
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    let changes = as_edits::of_line(view, reading, call, context);
    changes.iter().find_map(|change| parts::said(change).or_else(|| as_edited(change, call, context)))
}

/// What a new file of this text would be asked about.
pub(in crate::detect) fn of_text(
    path: &str,
    text: &str,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    let change = Change { path: path.to_owned(), old: String::new(), new: text.to_owned(), part: false };
    as_edited(&change, call, context)
}

/// What an edit with these texts would be asked about, where the file is one that builds, checks or agents obey.
fn as_edited(change: &Change, call: &ToolCall, context: &Context) -> Option<Finding> {
    let production = change.part && change.path.to_ascii_lowercase().contains("prod");
    if !parts::matters(&change.path) && !production {
        return None;
    }
    let input = json!({"file_path": change.path, "old_string": change.old, "new_string": change.new});
    let edit = ToolCall::new("Edit", input, call.cwd.clone());
    let view = View::of(&edit, context);
    let found = of_edit(&edit, &view).into_iter().chain(builds::of_edit(&edit, &view, context));
    found.map(Finding::doubtful).max_by_key(|finding| finding.severity)
}

fn check_lost(view: &View, reading: &Reading) -> Option<Finding> {
    let mut editors = reading.commands.iter().filter(|command| {
        matches!(command.program.as_deref(), Some("sed" | "perl")) && command.own.meets(Effects::WRITES)
    });
    let lost = editors.any(|command| changes(command, view).iter().any(|(old, new)| takes_check(old, new)));
    lost.then(|| Finding::by(&detectors::CHECK_EDITED_AWAY))
}

fn takes_check(old: &str, new: &str) -> bool {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    flips::guard_gone(&old, &new).is_some() || edits::check_gone(&old, &new).is_some()
}

/// What the script of an editor takes away, and what it puts there instead.
fn changes(command: &Command, view: &View) -> Vec<(String, String)> {
    let is_file = |word: &Argument| view.paths.iter().any(|path| path.named == word.text);
    let from_file = |word: &Argument| word.text.starts_with("-f") || word.text.starts_with("--file");
    let words: Vec<&Argument> = command.arguments.iter().filter(|word| !is_file(word)).collect();
    // What is only known at run time, or kept in a file, may be anywhere in the line.
    if words.iter().any(|word| !word.literal || from_file(word)) {
        return vec![(view.line.clone(), String::new())];
    }
    words
        .into_iter()
        .flat_map(|word| {
            substitutions(&word.text).unwrap_or_else(|| vec![(word.text.clone(), String::new())])
        })
        .collect()
}

/// The old and the new of every `s/old/new/`; nothing if the script does anything else.
fn substitutions(script: &str) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut rest = script.trim_start_matches([';', ' ', '\n']);
    while !rest.is_empty() {
        let after = rest.strip_prefix('s')?;
        let sign = after.chars().next().filter(char::is_ascii_punctuation)?;
        let (old, after) = until(after.get(1..)?, sign)?;
        let (new, after) = until(after, sign)?;
        found.push((old, new));
        let after = after.trim_start_matches(|flag: char| flag.is_ascii_digit() || "gIip".contains(flag));
        rest = after.trim_start_matches([';', ' ', '\n']);
        if rest.len() == after.len() && !rest.is_empty() {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P5]
    #[test]
    fn a_script_of_substitutions_is_taken_apart() {
        let pairs = |script: &str| {
            substitutions(script).map(|found| {
                found.into_iter().map(|(old, new)| format!("{old} > {new}")).collect::<Vec<_>>().join(", ")
            })
        };
        assert_eq!(pairs("s/a/b/g"), Some("a > b".to_owned()));
        assert_eq!(pairs("s|a/b|c|; s/x//2"), Some("a/b > c, x > ".to_owned()));
        assert_eq!(pairs(r"s/a\/b/c/"), Some(r"a\/b > c".to_owned()));
        for other in ["/a/d", "s/a/b", "5s/a/b/", "s/a/b/;/c/d", "s/a/b/e", "src/a.ts", "-i"] {
            assert_eq!(pairs(other), None, "{other}");
        }
    }
}
