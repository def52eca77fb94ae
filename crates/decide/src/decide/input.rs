//! Whether the input of a call is in order, before anything else looks at it.

use serde_json::Value;

use crate::call::{Tool, ToolCall};
use crate::view::names;

/// Fields that say where a command is run.
const FOLDER_FIELDS: &[&str] = &["cwd", "workdir", "working_directory", "directory", "dir", "dir_path"];

/// What is wrong with the input, if anything (F12).
pub(crate) fn invalid(call: &ToolCall) -> Option<String> {
    let Some(fields) = call.fields() else { return Some("the input is not a JSON object".to_owned()) };
    let required = required(&call.tool);
    for (names, _) in required.iter().filter(|(_, kind)| *kind != Kind::Optional) {
        if !names.iter().any(|name| fields.contains_key(*name)) {
            return Some(format!("the field `{}` is missing", names.first().unwrap_or(&"")));
        }
    }
    for (names, _) in required {
        for name in *names {
            if fields.get(*name).is_some_and(|value| !value.is_string()) {
                return Some(format!("the field `{name}` is not text"));
            }
            // A tool that does not care about case would read the other one.
            let twin = |key: &&String| key.trim().eq_ignore_ascii_case(name) && key != name;
            if let Some(twin) = fields.keys().find(twin) {
                return Some(format!("the field `{twin}` is not known; it is spelled `{name}`"));
            }
        }
    }
    let sane = |value: &Value| value.as_f64().is_some_and(|number| (0.0..=86_400_000.0).contains(&number));
    if call.tool.is_shell() && !fields.get("timeout").is_none_or(sane) {
        return Some("the field `timeout` is not a number of milliseconds".to_owned());
    }
    if let Some(problem) = disagreeing(call) {
        return Some(problem);
    }
    let flags = ["run_in_background", "dangerouslyDisableSandbox", "replace_all"];
    if let Some(flag) = flags.iter().find(|flag| fields.get(**flag).is_some_and(|value| !value.is_boolean()))
    {
        return Some(format!("the field `{flag}` is neither true nor false"));
    }
    if call.tool == Tool::MultiEdit && !fields.get("edits").is_none_or(Value::is_array) {
        return Some("the field `edits` is not a list".to_owned());
    }
    call.text("command")
        .filter(|text| text.contains('\0'))
        .map(|_| "the command holds a NUL character".to_owned())
}

/// Fields that say two things, where the tool could heed either.
fn disagreeing(call: &ToolCall) -> Option<String> {
    let named = matches!(call.tool, Tool::Agent | Tool::Skill);
    if let ([first, second, ..], true) = (names(call).as_slice(), named) {
        return Some(format!("it names both `{first}` and `{second}`"));
    }
    if !call.tool.is_shell() {
        return None;
    }
    if call.input.get("cmd").is_some_and(|cmd| cmd.as_str() != call.text("command")) {
        return Some("the fields `command` and `cmd` do not say the same".to_owned());
    }
    let text =
        |field: &&&str| call.input.get(**field).is_none_or(|value| value.is_string() || value.is_null());
    let odd = FOLDER_FIELDS.iter().find(|field| !text(field));
    odd.map(|field| format!("the field `{field}` is not text"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Required,
    Optional,
}

/// The text fields of a tool; of several names one must be there.
#[expect(clippy::wildcard_enum_match_arm, reason = "other tools have no field that must be there")]
fn required(tool: &Tool) -> &'static [(&'static [&'static str], Kind)] {
    match tool {
        Tool::Bash | Tool::PowerShell => &[(&["command"], Kind::Required)],
        Tool::Read | Tool::MultiEdit => &[(&["file_path"], Kind::Required)],
        Tool::Write => &[(&["file_path"], Kind::Required), (&["content"], Kind::Optional)],
        Tool::Edit => &[(&["file_path"], Kind::Required), (&["old_string", "new_string"], Kind::Optional)],
        Tool::NotebookEdit => &[(&["notebook_path", "file_path"], Kind::Required)],
        Tool::Glob | Tool::Grep => &[(&["pattern"], Kind::Required), (&["path"], Kind::Optional)],
        Tool::WebFetch => &[(&["url"], Kind::Required)],
        Tool::WebSearch => &[(&["query"], Kind::Required)],
        Tool::Agent => &[(&["prompt"], Kind::Required), (&["subagent_type"], Kind::Optional)],
        Tool::Skill => &[(&["name", "skill", "command"], Kind::Optional)],
        Tool::SendMessage => &[(&["to"], Kind::Optional)],
        _ => &[],
    }
}
