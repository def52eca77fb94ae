//! Command lines from files of labelled cases, where the environment names a folder with such files.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

/// The distinct Bash commands in the folder that `PORTCULLIS_CORPUS` names; nothing if it is not set.
pub(crate) fn corpus() -> Option<Vec<String>> {
    let folder = std::env::var_os("PORTCULLIS_CORPUS")?;
    let mut lines = BTreeSet::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "jsonl") {
            lines.extend(commands(&entry.path()));
        }
    }
    Some(lines.into_iter().collect())
}

/// The Bash commands in one file, as they stand.
pub(crate) fn commands(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let rows = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    rows.filter_map(|row| bash_command(&row)).collect()
}

/// The command of a row, unless it is for another tool or another shell.
fn bash_command(row: &Value) -> Option<String> {
    let bash = row.get("shell").is_none() && row.get("tool").is_none_or(|tool| tool == "Bash");
    row.pointer("/input/command").filter(|_| bash)?.as_str().map(str::to_owned)
}
