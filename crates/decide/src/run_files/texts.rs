//! The texts of files that a line runs, and texts as if they were the line.

use serde_json::json;

use super::{embedded, notebooks, of_view};
use crate::call::ToolCall;
use crate::context::Context;
use crate::view::{Reader, RunFile, View};

/// The longest script that is read, in characters.
const LONGEST_SCRIPT: usize = 1 << 20;

pub(crate) fn as_line(text: &str, cwd: &str, context: &Context) -> (ToolCall, Context) {
    // Files that the file runs are not followed: one look ahead is enough to tell.
    let facts = context.facts.without_texts();
    let inner = Context { facts, longest_line: LONGEST_SCRIPT, ..context.clone() };
    (ToolCall::new("Bash", json!({ "command": text }), cwd.to_owned()), inner)
}

/// The lines for a shell in a file that is run. A task may bring code of its own: `node -e "…"`.
pub(crate) fn shell_lines(file: &RunFile, text: &str) -> Vec<String> {
    let embedded = || embedded::lines(text).into_iter().map(|line| line.text);
    match file.reader {
        Reader::Shell if file.tasks => std::iter::once(text.to_owned()).chain(embedded()).collect(),
        Reader::Shell => vec![text.to_owned()],
        Reader::Notebook => vec![notebooks::shell_lines(text)],
        Reader::Data => Vec::new(),
        Reader::Language => embedded().collect(),
    }
}

/// The texts for a shell that the line runs from files, and whether each is of the user's own code.
pub(crate) fn shell_texts(call: &ToolCall, view: &View, context: &Context) -> Vec<(String, bool)> {
    let lines = of_view(call, view, context).iter().flat_map(|file| {
        let lines = shell_lines(file, file.text.as_deref().unwrap_or_default());
        lines.into_iter().map(move |text| (text, file.settled))
    });
    lines.collect()
}

/// A file that is run and that is not the user's own.
pub(crate) struct StrangeFile {
    pub(crate) path: String,
    pub(crate) text: String,
    /// What of it goes to a shell.
    pub(crate) lines: Vec<String>,
}

/// The files that the line runs and that are not the user's own.
pub(crate) fn strange_texts(call: &ToolCall, view: &View, context: &Context) -> Vec<StrangeFile> {
    let files = of_view(call, view, context).iter().filter(|file| !file.settled);
    let known = files.filter_map(|file| {
        let text = file.text.clone().ok()?;
        Some(StrangeFile { lines: shell_lines(file, &text), path: file.path.clone(), text })
    });
    known.collect()
}
