//! What other agents call their tools: one flat table, shared by everything that reads their calls (SPEC T6).
//!
//! A name that is not in the table stays what it is: an unknown tool is never taken for a known one.

use portcullis_decide::ToolCall;
use serde_json::{Map, Value, json};

use super::patch;

/// Whose names a call uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agent {
    /// Claude Code, and everything that uses its names.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI and Qwen Code.
    Gemini,
    /// `OpenCode`.
    OpenCode,
}

/// Whose name, the name, the canonical tool, and which of its fields are called otherwise.
type Row = (Agent, &'static str, &'static str, &'static [(&'static str, &'static str)]);

const PATH: &[(&str, &str)] =
    &[("path", "file_path"), ("filePath", "file_path"), ("absolute_path", "file_path")];
const EDIT: &[(&str, &str)] = &[
    ("path", "file_path"),
    ("filePath", "file_path"),
    ("oldString", "old_string"),
    ("newString", "new_string"),
    ("replaceAll", "replace_all"),
];

const ROWS: &[Row] = &[
    (Agent::Codex, "shell", "Bash", &[]),
    (Agent::Codex, "local_shell", "Bash", &[]),
    (Agent::Codex, "container.exec", "Bash", &[]),
    (Agent::Codex, "shell_command", "Bash", &[]),
    (Agent::Codex, "exec_command", "Bash", &[("cmd", "command")]),
    (Agent::Codex, "unified_exec", "Bash", &[]),
    (Agent::Codex, "write_stdin", "Bash", &[("chars", "command")]),
    (Agent::Codex, "view_image", "Read", PATH),
    (Agent::Codex, "read_file", "Read", PATH),
    (Agent::Codex, "list_dir", "Glob", &[("dir_path", "pattern"), ("path", "pattern")]),
    (Agent::Codex, "grep_files", "Grep", &[]),
    (Agent::Codex, "update_plan", "TodoWrite", &[]),
    (Agent::Codex, "web_search", "WebSearch", &[]),
    (Agent::Codex, "request_user_input", "AskUserQuestion", &[]),
    (Agent::Codex, "spawn_agent", "Agent", &[("message", "prompt"), ("agent_type", "subagent_type")]),
    (Agent::Codex, "send_input", "SendMessage", &[("id", "to")]),
    (Agent::Gemini, "run_shell_command", "Bash", &[]),
    (Agent::Gemini, "replace", "Edit", EDIT),
    (Agent::Gemini, "edit", "Edit", EDIT),
    (Agent::Gemini, "write_file", "Write", PATH),
    (Agent::Gemini, "read_file", "Read", PATH),
    (Agent::Gemini, "read_many_files", "Glob", &[("include", "pattern"), ("paths", "pattern")]),
    (Agent::Gemini, "list_directory", "Glob", &[("dir_path", "pattern"), ("path", "pattern")]),
    (Agent::Gemini, "glob", "Glob", &[("dir_path", "path")]),
    (Agent::Gemini, "search_file_content", "Grep", &[("dir_path", "path")]),
    (Agent::Gemini, "grep_search", "Grep", &[("dir_path", "path")]),
    (Agent::Gemini, "web_fetch", "WebFetch", &[]),
    (Agent::Gemini, "google_web_search", "WebSearch", &[]),
    (Agent::Gemini, "web_search", "WebSearch", &[]),
    (Agent::Gemini, "write_todos", "TodoWrite", &[]),
    (Agent::Gemini, "todo_write", "TodoWrite", &[]),
    (Agent::Gemini, "task", "Agent", &[]),
    (Agent::Gemini, "agent", "Agent", &[]),
    (Agent::Gemini, "ask_user", "AskUserQuestion", &[]),
    (Agent::Gemini, "ask_user_question", "AskUserQuestion", &[]),
    (Agent::Gemini, "enter_plan_mode", "EnterPlanMode", &[]),
    (Agent::Gemini, "exit_plan_mode", "ExitPlanMode", &[]),
    (Agent::Gemini, "activate_skill", "Skill", &[]),
    (Agent::Gemini, "skill", "Skill", &[]),
    (Agent::Gemini, "lsp", "LSP", &[]),
    (Agent::OpenCode, "bash", "Bash", &[("workdir", "cwd")]),
    (Agent::OpenCode, "edit", "Edit", EDIT),
    (Agent::OpenCode, "multiedit", "MultiEdit", EDIT),
    (Agent::OpenCode, "write", "Write", PATH),
    (Agent::OpenCode, "read", "Read", PATH),
    (Agent::OpenCode, "list", "Glob", &[("path", "pattern")]),
    (Agent::OpenCode, "glob", "Glob", &[]),
    (Agent::OpenCode, "grep", "Grep", &[]),
    (Agent::OpenCode, "webfetch", "WebFetch", &[]),
    (Agent::OpenCode, "websearch", "WebSearch", &[]),
    (Agent::OpenCode, "task", "Agent", &[]),
    (Agent::OpenCode, "skill", "Skill", &[]),
    (Agent::OpenCode, "question", "AskUserQuestion", &[]),
    (Agent::OpenCode, "todowrite", "TodoWrite", &[]),
    (Agent::OpenCode, "todoread", "TaskList", &[]),
    (Agent::OpenCode, "lsp", "LSP", &[]),
];

/// The call that an agent's own call is: usually one, several where one call changes several files.
#[must_use]
pub fn canonical_calls(agent: Agent, name: &str, input: Value, cwd: &str) -> Vec<ToolCall> {
    if agent != Agent::ClaudeCode && matches!(name, "apply_patch" | "patch") {
        return patched(name, input, cwd);
    }
    let Some((_, _, tool, renamed)) = ROWS.iter().find(|row| row.0 == agent && row.1 == name) else {
        return vec![ToolCall::new(name, input, cwd)];
    };
    let mut fields = match input {
        Value::Object(fields) => fields,
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            return vec![ToolCall::new(name, other, cwd)];
        }
    };
    rename(&mut fields, renamed);
    let folder = ["workdir", "working_directory", "dir_path", "directory", "cwd"]
        .iter()
        .find_map(|field| fields.get(*field).and_then(Value::as_str))
        .filter(|_| *tool == "Bash")
        .map(|folder| joined(cwd, folder));
    if *tool == "Bash"
        && let Some(patch) = command_of(&mut fields)
    {
        return patched(name, json!({ "input": patch }), cwd);
    }
    vec![ToolCall::new(tool, Value::Object(fields), folder.unwrap_or_else(|| cwd.to_owned()))]
}

/// Gives fields the names that the canonical tool has for them. A field that is there already stays.
fn rename(fields: &mut Map<String, Value>, renamed: &[(&str, &str)]) {
    for (from, to) in renamed {
        if !fields.contains_key(*to)
            && let Some(value) = fields.shift_remove(*from)
        {
            let value = match value {
                Value::Array(items) => {
                    let texts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                    Value::String(texts.join(" "))
                }
                value @ (Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Object(_)) => value,
            };
            fields.insert((*to).to_owned(), value);
        }
    }
}

/// Makes a list of words a command line. Gives the patch, where the command is one.
fn command_of(fields: &mut Map<String, Value>) -> Option<String> {
    let words: Vec<String> = match fields.get("command")? {
        Value::Array(words) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => return None,
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let command = match words.as_slice() {
        ["apply_patch" | "applypatch", patch] => return Some((*patch).to_owned()),
        [shell, "-c" | "-lc" | "-ic", script] if is_shell(shell) => (*script).to_owned(),
        words => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    };
    fields.insert("command".to_owned(), Value::String(command));
    None
}

fn is_shell(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    matches!(name, "bash" | "sh" | "zsh" | "dash")
}

/// A word as a shell reads it back.
pub(super) fn quoted(word: &str) -> String {
    let plain = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'=' | b',' | b'+' | b'@' | b'%')
    };
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn joined(cwd: &str, folder: &str) -> String {
    if folder.starts_with('/') {
        folder.to_owned()
    } else {
        format!("{}/{folder}", cwd.trim_end_matches('/'))
    }
}

/// A patch as the edits it makes; what cannot be read as one stays an unknown tool with its whole text.
fn patched(name: &str, input: Value, cwd: &str) -> Vec<ToolCall> {
    let text =
        ["input", "patch", "patchText"].iter().find_map(|field| input.get(*field).and_then(Value::as_str));
    match text.and_then(patch::calls) {
        Some(calls) => calls.into_iter().map(|(tool, input)| ToolCall::new(tool, input, cwd)).collect(),
        None => vec![ToolCall::new(name, input, cwd)],
    }
}

#[cfg(test)]
mod tests {
    use portcullis_decide::{TOOLS, encode};

    use super::*;

    fn shown(agent: Agent, name: &str, input: Value) -> Vec<(String, String)> {
        let calls = canonical_calls(agent, name, input, "/p");
        calls.iter().map(|call| (call.tool.name().to_owned(), encode(call).unwrap_or_default())).collect()
    }

    fn check(agent: Agent, name: &str, input: Value, tool: &str, text: &str) {
        assert_eq!(shown(agent, name, input), [(tool.to_owned(), text.to_owned())], "{name}");
    }

    /// [T6]
    #[test]
    fn other_names_lead_to_the_same_tools() {
        check(Agent::Codex, "shell", json!({"command": ["bash", "-lc", "npm test"]}), "Bash", "npm test");
        check(Agent::Codex, "shell", json!({"command": ["rm", "a b"]}), "Bash", "rm 'a b'");
        check(Agent::Codex, "exec_command", json!({"cmd": "ls"}), "Bash", "ls");
        check(Agent::Gemini, "run_shell_command", json!({"command": "ls"}), "Bash", "ls");
        check(Agent::Gemini, "write_file", json!({"file_path": "a", "content": "x"}), "Write", "a: x");
        check(
            Agent::OpenCode,
            "edit",
            json!({"filePath": "a", "oldString": "b", "newString": "c"}),
            "Edit",
            "a: c [in place of: b]",
        );
        check(Agent::ClaudeCode, "Bash", json!({"command": "ls"}), "Bash", "ls");
        check(Agent::Gemini, "strange", json!({"x": 1}), "strange", "{\"x\":1}");
        let lifted = json!({"command": ["ls"], "with_escalated_permissions": true});
        check(Agent::Codex, "shell", lifted, "Bash", "ls [asks to run without isolation]");
    }

    #[test]
    fn every_row_names_a_canonical_tool() {
        for (_, name, tool, _) in ROWS {
            assert!(TOOLS.contains(tool), "{name}");
        }
    }

    #[test]
    fn a_command_is_run_where_it_says() {
        let calls =
            canonical_calls(Agent::Codex, "shell", json!({"command": ["ls"], "workdir": "sub"}), "/p");
        assert_eq!(calls[0].cwd, "/p/sub");
    }

    /// [T6]
    #[test]
    fn a_patch_is_the_edits_it_makes() {
        let patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** Update File: b.rs\n@@ fn f\n keep\n-check();\n+pass();\n*** Delete File: c'd\n*** End Patch";
        let expected = [
            ("Write", "a.txt: one\ntwo\n"),
            ("MultiEdit", "b.rs: keep\npass(); [in place of: keep\ncheck();]"),
            ("Bash", "rm -- 'c'\\''d'"),
        ]
        .map(|(tool, text)| (tool.to_owned(), text.to_owned()));
        assert_eq!(shown(Agent::Codex, "apply_patch", json!({"input": patch})), expected);
        assert_eq!(shown(Agent::Codex, "shell", json!({"command": ["apply_patch", patch]})), expected);
        assert_eq!(shown(Agent::Codex, "apply_patch", json!({"input": "nonsense"}))[0].0, "apply_patch");
    }
}
