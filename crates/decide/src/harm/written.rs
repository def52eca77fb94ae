//! Scripts for a shell that a session or a line writes: their text, and what it does when it is run. Whoever writes a
//! script and runs it could have run its lines, so they are judged alike.

use portcullis_shell::{Command, Reading};
use serde_json::json;

use super::{Finding, ordinary};
use crate::call::ToolCall;
use crate::context::Context;
use crate::view::{Access, View};

/// Whether the file is for a shell, by its name or its first line.
pub(crate) fn is_shell_script(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    let told = first.starts_with("#!");
    matches!(name.rsplit('.').next(), Some("sh" | "bash" | "zsh" | "ksh"))
        || (told && first.trim_end().ends_with("sh"))
        // A file that says nothing about itself is run by the shell that starts it.
        || (!told && !name.contains('.'))
}

/// The harm in text for a shell, as if it were the line.
pub(crate) fn harm(text: &str, cwd: &str, context: &Context) -> Vec<Finding> {
    let (line, inner) = as_line(text, cwd, context);
    super::findings(&line, &View::of(&line, &inner), &inner)
}

/// Why text for a shell does no ordinary work; what harm there is, is told by [`harm`].
pub(super) fn unusual(text: &str, cwd: &str, context: &Context) -> Option<String> {
    let (line, inner) = as_line(text, cwd, context);
    let view = View::of(&line, &inner);
    let told: Vec<_> = super::findings(&line, &view, &inner).iter().filter_map(|found| found.span).collect();
    ordinary::unusual_deed(&line, &view, &inner, &told)
}

fn as_line(text: &str, cwd: &str, context: &Context) -> (ToolCall, Context) {
    // Files that the file runs are not followed: one look ahead is enough to tell.
    let inner = Context { facts: context.facts.without_texts(), ..context.clone() };
    (ToolCall::new("Bash", json!({ "command": text }), cwd.to_owned()), inner)
}

/// The files that the line writes by redirects, with the text that it puts there, as far as it shows.
pub(crate) fn by_line(view: &View, reading: &Reading) -> Vec<(String, String)> {
    let written = view.paths.iter().filter(|path| path.access == Access::Write && path.literal);
    let texts = written.filter_map(|path| {
        let writer = reading.commands.iter().rposition(|command| crate::reads::in_span(path, command))?;
        let (before, rest) = reading.commands.split_at_checked(writer)?;
        let own = rest.first().and_then(|command| text_of(command, &view.line));
        // `cat <<EOF | tee x.sh`
        let text = own.or_else(|| before.last().and_then(|command| text_of(command, &view.line)))?;
        Some((path.path.clone(), text))
    });
    texts.collect()
}

/// What a command prints of its own: its words, or the document that stands below it.
fn text_of(command: &Command, line: &str) -> Option<String> {
    match command.program.as_deref() {
        Some("echo" | "printf") => {
            let words = command.arguments.iter().filter(|word| !word.text.starts_with('-'));
            let words: Vec<&str> = words.map(|word| word.text.as_str()).collect();
            Some(words.join(" ").replace("\\n", "\n").replace("%s", ""))
        }
        _ => document(command, line),
    }
}

/// The text of a here-document of the command.
fn document(command: &Command, line: &str) -> Option<String> {
    let (_, after) = command.span.of(line).split_once("<<")?;
    let mark = after.trim_start_matches(['-', '~', ' ', '\t', '\'', '"', '\\']);
    let mark = mark.split(|end: char| !(end.is_alphanumeric() || end == '_' || end == '-')).next()?;
    let start = usize::try_from(command.span.start).ok()?;
    let (_, below) = line.get(start..)?.split_once('\n')?;
    let body = below.lines().take_while(|text| text.trim_start_matches('\t') != mark);
    Some(body.collect::<Vec<_>>().join("\n"))
}
