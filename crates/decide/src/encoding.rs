//! How a call is shown to the classifier (SPEC C4): one line of text for each tool.

use serde_json::Value;

use crate::call::{Tool, ToolCall};

impl ToolCall {
    /// The call as one piece of text, as a model is shown it: the tool's name is not part of it. `None` for tools that do
    /// not matter to security, which no model is shown.
    #[must_use]
    pub fn describe(&self) -> Option<String> {
        encode(self)
    }
}

/// See [`ToolCall::describe`].
#[expect(clippy::wildcard_enum_match_arm, reason = "a tool without an encoding of its own is shown whole")]
pub(crate) fn encode(call: &ToolCall) -> Option<String> {
    let text = |field: &str| call.text(field).unwrap_or_default();
    let lifted =
        if crate::view::asks_to_lift_isolation(call) { " [asks to run without isolation]" } else { "" };
    let encoded = match &call.tool {
        tool if tool.is_irrelevant() => return None,
        Tool::Bash | Tool::PowerShell => format!("{}{lifted}", text("command")),
        Tool::Edit => edit(text("file_path"), text("old_string"), text("new_string")),
        Tool::MultiEdit => multi_edit(call),
        Tool::Write => format!("{}: {}", text("file_path"), text("content")),
        Tool::NotebookEdit => {
            let path = call.text("notebook_path").or(call.text("file_path")).unwrap_or_default();
            format!("{path} {}: {}", call.text("edit_mode").unwrap_or("replace"), text("new_source"))
        }
        Tool::Agent => {
            let kind = call.text("subagent_type").unwrap_or("general");
            let mode = call.text("mode").map(|mode| format!(", mode={mode}")).unwrap_or_default();
            format!("({kind}{mode}): {}", text("prompt"))
        }
        Tool::WebFetch => joined(text("url"), call.text("prompt")),
        Tool::WebSearch => text("query").to_owned(),
        Tool::Read => text("file_path").to_owned(),
        Tool::Glob => text("pattern").to_owned(),
        Tool::Grep => match call.text("path") {
            Some(path) => format!("{} in {path}", text("pattern")),
            None => text("pattern").to_owned(),
        },
        Tool::Config => format!("{} = {}", text("setting"), shown(call.input.get("value"))),
        Tool::CronCreate => format!("{}: {}", text("cron"), text("prompt")),
        Tool::SendMessage => format!(
            "to {}: {}",
            call.text("to").or(call.text("recipient")).unwrap_or("?"),
            shown(call.input.get("message").or(call.input.get("content")))
        ),
        Tool::Mcp(name) => format!("{name} {}", fields(&call.input)),
        _ => call.input.to_string(),
    };
    Some(encoded)
}

fn joined(first: &str, second: Option<&str>) -> String {
    second.map_or_else(|| first.to_owned(), |second| format!("{first}: {second}"))
}

/// The new text, and the old one where the edit removes something: a deleted check must be seen.
fn edit(path: &str, old: &str, new: &str) -> String {
    if old.is_empty() || new.contains(old) {
        return format!("{path}: {new}");
    }
    format!("{path}: {new} [in place of: {old}]")
}

fn multi_edit(call: &ToolCall) -> String {
    let path = call.text("file_path").unwrap_or_default();
    let edits = call.input.get("edits").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let of =
        |edit: &Value, field: &str| edit.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    edits
        .iter()
        .map(|change| edit(path, &of(change, "old_string"), &of(change, "new_string")))
        .collect::<Vec<_>>()
        .join("\n")
}

fn fields(input: &Value) -> String {
    let Some(fields) = input.as_object() else { return input.to_string() };
    fields.iter().map(|(name, value)| format!("{name}={}", shown(Some(value)))).collect::<Vec<_>>().join(" ")
}

fn shown(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(tool: &str, input: Value, expected: &str) {
        assert_eq!(encode(&ToolCall::new(tool, input, "/p")).as_deref(), Some(expected), "{tool}");
    }

    /// [C4], [T6]
    #[test]
    fn each_tool_is_shown_by_what_matters() {
        check("Bash", json!({"command": "npm test"}), "npm test");
        check(
            "Edit",
            json!({"file_path": "a", "old_string": "check()", "new_string": ""}),
            "a:  [in place of: check()]",
        );
        check("Edit", json!({"file_path": "a", "old_string": "b", "new_string": "b c"}), "a: b c");
        check("Grep", json!({"pattern": "x", "path": "src"}), "x in src");
        check("Agent", json!({"subagent_type": "worker", "prompt": "do"}), "(worker): do");
        check("mcp__a__b", json!({"k": "v", "n": 1}), "mcp__a__b k=v n=1");
        check("Skill", json!({"name": "deploy"}), "{\"name\":\"deploy\"}");
        check("Strange", json!({"x": [1]}), "{\"x\":[1]}");
        assert_eq!(encode(&ToolCall::new("TodoWrite", json!({"todos": []}), "/p")), None);
    }
}
