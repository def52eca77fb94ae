//! Notebooks: lines of a cell that go to a shell, cells that are for one, and the code of all others.

use serde_json::Value;

use super::{Reader, harm, harm_for};
use crate::call::ToolCall;
use crate::context::Context;
use crate::harm::{Finding, edits};
use crate::view::{Access, View};

/// Whether the file is a notebook.
pub(super) fn is_notebook(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".ipynb")
}

/// The harm in what a notebook runs.
pub(super) fn harm_in(text: &str, cwd: &str, context: &Context) -> Vec<Finding> {
    let (shell, code) = parts(text);
    let mut found = if shell.trim().is_empty() { Vec::new() } else { harm(&shell, cwd, context) };
    found.extend(harm_for(Reader::Language, &code, cwd, context));
    found
}

/// What goes to a shell.
pub(super) fn shell_lines(text: &str) -> String {
    parts(text).0
}

/// The harm that a cell surely does when it is run: it is written to be run.
pub(in crate::harm) fn of_edit(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let path = view.paths.iter().find(|path| path.access == Access::Write);
    let Some(path) = path.filter(|path| is_notebook(&path.path)) else { return Vec::new() };
    let shell = shell_lines(&edits::texts(call).1);
    if shell.trim().is_empty() {
        return Vec::new();
    }
    let found = harm(&shell, &call.cwd, context).into_iter().filter(|finding| finding.certain);
    let about = |finding: Finding| Finding {
        what: format!("a cell runs a line in which {}", finding.what),
        span: None,
        targets: vec![path.path.clone()],
        ..finding.doubtful()
    };
    found.map(about).collect()
}

/// The lines for a shell and the rest of the code, of a whole notebook or of one cell.
fn parts(text: &str) -> (String, String) {
    let (mut shell, mut code) = (String::new(), String::new());
    for cell in cells(text) {
        let first = cell.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start();
        let magic = first.strip_prefix("%%").and_then(|rest| rest.split_whitespace().next());
        let whole = magic
            .is_some_and(|name| matches!(name, "bash" | "sh" | "script" | "zsh" | "system" | "sx" | "!"));
        for line in cell.lines() {
            let bare = line.trim_start();
            let told =
                ["!!", "!", "%sx ", "%system ", "%bash "].iter().find_map(|sign| bare.strip_prefix(sign));
            // `files = !ls`
            let caught = || line.split_once("= !").map(|(_, rest)| rest);
            let line_for_shell =
                if whole { Some(line).filter(|_| !bare.starts_with("%%")) } else { told.or_else(caught) };
            let (part, text) = line_for_shell.map_or((&mut code, line), |line| (&mut shell, line));
            part.push_str(text);
            part.push('\n');
        }
    }
    (shell, code)
}

/// The sources of the cells with code.
fn cells(text: &str) -> Vec<String> {
    let whole: Option<Value> = serde_json::from_str(text.trim()).ok();
    let Some(cells) = whole.as_ref().and_then(|whole| whole.get("cells")).and_then(Value::as_array) else {
        return vec![text.to_owned()];
    };
    let code = cells.iter().filter(|cell| cell.get("cell_type").and_then(Value::as_str) != Some("markdown"));
    let source = |cell: &Value| match cell.get("source") {
        Some(Value::Array(lines)) => {
            let lines = lines.iter().filter_map(Value::as_str).map(|line| line.trim_end_matches('\n'));
            lines.collect::<Vec<_>>().join("\n")
        }
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => String::new(),
    };
    code.map(source).collect()
}
