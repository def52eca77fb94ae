//! Notebooks: lines of a cell that go to a shell, cells that are for one, and the code of all others.

use serde_json::Value;

/// Whether the file is a notebook.
pub(crate) fn is_notebook(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".ipynb")
}

/// What goes to a shell.
pub(crate) fn shell_lines(text: &str) -> String {
    parts(text).0
}

/// The lines for a shell and the rest of the code, of a whole notebook or of one cell.
pub(crate) fn parts(text: &str) -> (String, String) {
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
