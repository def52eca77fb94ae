//! The harm in notebooks: in what their cells give a shell, and in their code.

use super::{harm, harm_for};
use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::Finding;
use crate::edited;
use crate::run_files::notebooks::{is_notebook, parts, shell_lines};
use crate::view::{Access, Reader, View};

/// The harm in what a notebook runs.
pub(super) fn harm_in(text: &str, cwd: &str, context: &Context) -> Vec<Finding> {
    let (shell, code) = parts(text);
    let mut found = if shell.trim().is_empty() { Vec::new() } else { harm(&shell, cwd, context) };
    found.extend(harm_for(Reader::Language, &code, cwd, context));
    found
}

/// The harm that a cell surely does when it is run: it is written to be run.
pub(in crate::detect) fn of_edit(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let path = view.paths.iter().find(|path| path.access == Access::Write);
    let Some(path) = path.filter(|path| is_notebook(&path.path)) else { return Vec::new() };
    let shell = shell_lines(&edited::texts(call).1);
    if shell.trim().is_empty() {
        return Vec::new();
    }
    let found = harm(&shell, &call.cwd, context).into_iter().filter(|finding| finding.certain);
    let about = |finding: Finding| Finding {
        what: format!("adds a notebook cell that runs a command: {}", finding.what),
        span: None,
        targets: vec![path.path.clone()],
        ..finding.doubtful()
    };
    found.map(about).collect()
}
