//! A tool's input from one line of text, as people write it: the field that the tool is about, or JSON.

use portcullis_decide::Tool;
use serde_json::{Map, Value, json};

/// The input of a tool from one line of text: the value of its main field, or the whole input where the text begins
/// with `{` and the tool runs no command line (in which a brace is a command).
///
/// # Errors
/// Says what is wrong with the JSON, or that the tool needs JSON.
pub fn input_from_text(tool: &Tool, text: &str) -> Result<Value, String> {
    match main_field(tool) {
        Some(field) if tool.is_shell() || !text.starts_with('{') => Ok(in_field(field, text)),
        _ if text.starts_with('{') => input_from_json(text),
        _ => Err(format!(
            "`{}` takes its input as a JSON object, such as `{{\"name\": \"value\"}}`",
            tool.name()
        )),
    }
}

/// The input of a tool from JSON text.
///
/// # Errors
/// Says what is wrong with it.
pub fn input_from_json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("the input is not JSON: {error}"))
}

fn in_field(field: &str, text: &str) -> Value {
    let mut fields = Map::new();
    fields.insert(field.to_owned(), json!(text));
    Value::Object(fields)
}

/// The field that a person means who writes only one.
fn main_field(tool: &Tool) -> Option<&'static str> {
    match tool {
        Tool::Bash | Tool::PowerShell => Some("command"),
        Tool::Read | Tool::Edit | Tool::MultiEdit | Tool::Write => Some("file_path"),
        Tool::NotebookEdit => Some("notebook_path"),
        Tool::Glob | Tool::Grep => Some("pattern"),
        Tool::WebFetch => Some("url"),
        Tool::WebSearch => Some("query"),
        Tool::Agent => Some("prompt"),
        Tool::Skill => Some("name"),
        Tool::Lsp
        | Tool::TodoWrite
        | Tool::TaskCreate
        | Tool::TaskGet
        | Tool::TaskUpdate
        | Tool::TaskList
        | Tool::TaskStop
        | Tool::AskUserQuestion
        | Tool::EnterPlanMode
        | Tool::ExitPlanMode
        | Tool::TeamCreate
        | Tool::SendMessage
        | Tool::Sleep
        | Tool::CronCreate
        | Tool::Config
        | Tool::Repl
        | Tool::BashOutput
        | Tool::KillShell
        | Tool::TaskOutput
        | Tool::ToolSearch
        | Tool::ClassifyResult
        | Tool::Mcp(_)
        | Tool::Unknown(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_the_main_field_or_json() {
        let input = |tool: &str, text: &str| input_from_text(&Tool::named(tool), text);
        assert_eq!(input("Bash", "{ ls; }"), Ok(json!({ "command": "{ ls; }" })));
        assert_eq!(input("Edit", "src/a.rs"), Ok(json!({ "file_path": "src/a.rs" })));
        assert_eq!(input("Edit", r#"{"file_path":"a"}"#), Ok(json!({ "file_path": "a" })));
        assert_eq!(input("mcp__a__b", r#"{"x":1}"#), Ok(json!({ "x": 1 })));
        assert!(input("mcp__a__b", "x").is_err());
        assert!(input("Edit", "{x").is_err());
    }
}
