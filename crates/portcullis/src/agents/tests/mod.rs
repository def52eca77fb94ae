//! Every adapter against what real clients said to hooks, whole and broken, and one policy against all of them.

mod mutated;
mod policy;
mod recorded;

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Adapter, ProcessContext, Reply, named};

/// Files with recorded inputs, and whose they are.
const RECORDED: [(&str, &str); 7] = [
    ("claude-code-2.1.197", "claude-code"),
    ("claude-code-2.1.327", "claude-code"),
    ("codex-0.169.0", "codex"),
    ("copilot-1.0.102", "copilot"),
    ("gemini-0.61.0", "gemini"),
    ("opencode-1.18.33", "opencode"),
    ("qwen-0.24.4", "qwen"),
];

/// The events about a call that has not been made.
const ASKING: [&str; 5] =
    ["PreToolUse", "PermissionRequest", "BeforeTool", "tool.execute.before", "preToolUse"];

fn clients(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients").join(file)
}

/// Everything that was recorded: whose it is, the line, and the line as a value.
fn recorded() -> Vec<(&'static Adapter, String, Value)> {
    let mut all = Vec::new();
    for (file, name) in RECORDED {
        let adapter = named(name).unwrap();
        let text = std::fs::read_to_string(clients(&format!("inputs/{file}.jsonl"))).unwrap();
        all.extend(text.lines().map(|line| (adapter, line.to_owned(), serde_json::from_str(line).unwrap())));
    }
    // By their documentation only.
    all.extend(documented().map(|(name, value)| (named(name).unwrap(), value.to_string(), value)));
    all
}

/// What Cursor and Goose say by their documentation.
fn documented() -> impl Iterator<Item = (&'static str, Value)> {
    let cursor = |tool: &str, input: Value| {
        json!({
            "conversation_id": "c1", "generation_id": "g1", "model": "m", "hook_event_name": "preToolUse",
            "cursor_version": "2.4.0", "workspace_roots": ["/home/dev/proj"], "user_email": null,
            "transcript_path": null, "tool_name": tool, "tool_input": input, "tool_use_id": "t1",
            "cwd": "/home/dev/proj",
        })
    };
    let goose = |tool: &str, input: Value| {
        json!({
            "event": "PreToolUse", "session_id": "s1", "matcher_context": tool, "tool_name": tool,
            "tool_input": input, "working_dir": "/home/dev/proj", "tool_call_id": "t1",
        })
    };
    [
        ("cursor", cursor("Shell", json!({ "command": "ls", "working_directory": "/home/dev/proj" }))),
        ("cursor", cursor("Write", json!({ "file_path": "/home/dev/proj/a", "content": "x" }))),
        ("cursor", cursor("Read", json!({ "file_path": "/home/dev/proj/a" }))),
        ("goose", goose("developer__shell", json!({ "command": "ls" }))),
        ("goose", goose("developer__write", json!({ "path": "a", "content": "x" }))),
        ("goose", goose("developer__edit", json!({ "path": "a", "before": "x", "after": "y" }))),
        ("goose", goose("notes__write_note", json!({ "path": "a", "text": "x" }))),
    ]
    .into_iter()
}

fn asks(value: &Value) -> bool {
    let event = value.get("hook_event_name").or(value.get("event")).and_then(Value::as_str);
    event.is_some_and(|event| ASKING.contains(&event))
}

fn around() -> ProcessContext {
    ProcessContext { project: None, cwd: Some("/home/dev/proj".to_owned()) }
}

/// What a host makes of a reply: the word of its own form, or that it has none.
fn understood(agent: &str, reply: &Reply) -> String {
    let said: Value = serde_json::from_str(&reply.stdout).unwrap_or(Value::Null);
    let word = match agent {
        "gemini" | "opencode" => &said["decision"],
        "goose" => &said["decision"],
        "cursor" => &said["permission"],
        _ => &said["hookSpecificOutput"]["permissionDecision"],
    };
    match word.as_str() {
        Some("block") => "deny".to_owned(),
        Some(word) => word.to_owned(),
        None => "nothing".to_owned(),
    }
}

/// [R12] What a command sets counts for the next where the agent's shell keeps it, or may.
#[test]
fn agents_that_were_measured_start_a_new_shell_for_every_command() {
    for (file, name) in RECORDED {
        let results = std::fs::read_to_string(clients(&format!("results/{file}.jsonl"))).unwrap();
        let rows = results.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let measured = rows.into_iter().find(|row| row["row"] == "each shell is new").unwrap();
        assert_eq!(measured["got"], "ran", "{file}");
        assert!(!named(name).unwrap().keeps_shell, "{name}");
    }
    for name in ["cursor", "goose", "generic"] {
        assert!(named(name).unwrap().keeps_shell, "{name}");
    }
}
