//! The text of a file after a tool edited it.

use serde_json::Value;

use crate::call::{Tool, ToolCall};

/// What the file holds after the call, where `before` is what is known of it; nothing where the call is no edit of text.
#[must_use]
pub fn text_after(call: &ToolCall, before: Option<&str>) -> Option<String> {
    let before = before.unwrap_or_default();
    if call.tool == Tool::Write {
        return call.text("content").map(str::to_owned);
    }
    if call.tool == Tool::Edit {
        return replaced(before.to_owned(), &call.input);
    }
    if call.tool == Tool::MultiEdit {
        let edits = call.input.get("edits")?.as_array()?;
        return edits.iter().try_fold(before.to_owned(), replaced);
    }
    // What a cell holds is run with the others.
    call.text("new_source")
        .filter(|_| call.tool == Tool::NotebookEdit)
        .map(|cell| format!("{before}\n{cell}"))
}

fn replaced(text: String, edit: &Value) -> Option<String> {
    let field = |name: &str| edit.get(name).and_then(Value::as_str);
    let (old, new) = (field("old_string")?, field("new_string")?);
    let all = edit.get("replace_all").and_then(Value::as_bool) == Some(true);
    Some(match () {
        // An edit that does not fit counts by what it puts there.
        () if old.is_empty() || !text.contains(old) => text + new,
        () if all => text.replace(old, new),
        () => text.replacen(old, new, 1),
    })
}
