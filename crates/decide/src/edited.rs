//! What an edit takes away and adds, and the text of a file after it.

use serde_json::Value;

use crate::call::{Tool, ToolCall};

impl ToolCall {
    /// The text of the edited file after the call, given its text before (`None` where that is not known). `None` where
    /// the call edits no text.
    #[must_use]
    pub fn text_after(&self, before: Option<&str>) -> Option<String> {
        text_after(self, before)
    }
}

/// See [`ToolCall::text_after`].
pub(crate) fn text_after(call: &ToolCall, before: Option<&str>) -> Option<String> {
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

/// What an edit takes away and what it adds.
pub(crate) fn texts(call: &ToolCall) -> (String, String) {
    let mut old = String::new();
    let mut new = String::new();
    let mut take = |value: &Value| {
        let text = |field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default();
        old.push_str(text("old_string"));
        old.push('\n');
        for field in ["new_string", "content", "new_source", "new_str", "file_text", "insert_text", "text"] {
            new.push_str(text(field));
            new.push('\n');
        }
    };
    take(&call.input);
    if let Some(edits) = call.input.get("edits").and_then(Value::as_array) {
        edits.iter().for_each(take);
    }
    (old, new)
}
