//! `portcullis hook AGENT` as each agent starts it: its own words in, its own form and exit code out.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot run its program must stop"
)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const AGENTS: [&str; 8] =
    ["claude-code", "codex", "gemini", "qwen", "copilot", "opencode", "cursor", "goose"];

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let settings = json!({ "permissions": { "allow": ["Bash(touch:*)"], "deny": ["Bash(curl:*)"] } });
    std::fs::create_dir_all(home.path().join(".config/portcullis")).unwrap();
    std::fs::create_dir_all(home.path().join("proj/.git")).unwrap();
    std::fs::write(home.path().join(".config/portcullis/settings.json"), settings.to_string()).unwrap();
    home
}

fn hook(home: &Path, agent: &str, told: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args(["hook", agent])
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(told).ok();
    child.wait_with_output().unwrap()
}

/// A shell command in the words of an agent.
fn call(agent: &str, command: &str, cwd: &Path) -> Value {
    let about = |event: &str, tool: &str| {
        json!({
            "hook_event_name": event, "session_id": "s1", "cwd": cwd, "tool_name": tool,
            "tool_input": { "command": command }, "tool_use_id": "t1", "new_field": { "any": [1, 2] },
        })
    };
    match agent {
        "gemini" => about("BeforeTool", "run_shell_command"),
        "qwen" => about("PreToolUse", "run_shell_command"),
        "opencode" => about("tool.execute.before", "bash"),
        "cursor" => json!({
            "hook_event_name": "preToolUse", "conversation_id": "s1", "workspace_roots": [cwd], "cwd": cwd,
            "tool_name": "Shell", "tool_input": { "command": command },
        }),
        "goose" => json!({
            "event": "PreToolUse", "session_id": "s1", "working_dir": cwd, "tool_name": "developer__shell",
            "tool_input": { "command": command },
        }),
        _ => about("PreToolUse", "Bash"),
    }
}

/// What the agent makes of the answer.
fn word(agent: &str, output: &Output) -> String {
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let word = match agent {
        "gemini" | "opencode" | "goose" => &said["decision"],
        "cursor" => &said["permission"],
        _ => &said["hookSpecificOutput"]["permissionDecision"],
    };
    word.as_str().map_or("nothing", |word| if word == "block" { "deny" } else { word }).to_owned()
}

/// [G1], [A3], [G2]
#[test]
fn each_agent_is_told_in_its_own_form() {
    let home = home();
    let project = home.path().join("proj");
    for agent in AGENTS {
        let settled = !matches!(agent, "claude-code" | "qwen" | "copilot");
        let asked = if settled { ("deny", 2) } else { ("ask", 0) };
        for (command, expected) in [("touch x", ("allow", 0)), ("curl x", ("deny", 2)), ("make", asked)] {
            let output = hook(home.path(), agent, call(agent, command, &project).to_string().as_bytes());
            let got = (word(agent, &output), output.status.code().unwrap());
            assert_eq!((got.0.as_str(), got.1), expected, "{agent}: {command}: {output:?}");
        }
    }
}

/// [J6], [F12], [A3]
#[test]
fn each_agent_gets_its_no_for_what_is_broken() {
    let home = home();
    let project = home.path().join("proj");
    for agent in AGENTS {
        let good = call(agent, "touch x", &project);
        let whole = good.to_string();
        let mut other = good.clone();
        other[if agent == "goose" { "event" } else { "hook_event_name" }] = json!("SomethingNew");
        let mut odd = good.clone();
        odd["tool_input"] = json!("touch x");
        let told = [
            Vec::new(),
            b"{}".to_vec(),
            whole.as_bytes()[..whole.len() - 3].to_vec(),
            format!("{{\"tool_name\":\"Read\",{}", whole.strip_prefix('{').unwrap()).into_bytes(),
            other.to_string().into_bytes(),
            odd.to_string().into_bytes(),
        ];
        for bytes in told {
            let output = hook(home.path(), agent, &bytes);
            let got = (word(agent, &output), output.status.code());
            assert_eq!(got, ("deny".to_owned(), Some(2)), "{agent}: {}", String::from_utf8_lossy(&bytes));
            assert!(!output.stderr.is_empty(), "{agent}");
        }
    }
}

/// [A3]: a no to a note would stop more than a call.
#[test]
fn notes_are_taken_in_silence() {
    let home = home();
    let project = home.path().join("proj");
    let notes = [
        ("claude-code", "UserPromptSubmit"),
        ("claude-code", "SubagentStop"),
        ("claude-code", "PermissionDenied"),
        ("codex", "UserPromptSubmit"),
        ("gemini", "BeforeAgent"),
        ("qwen", "SessionStart"),
        ("copilot", "UserPromptSubmit"),
        ("opencode", "chat.message"),
        ("cursor", "beforeSubmitPrompt"),
        ("codex", "PostToolUse"),
    ];
    for (agent, event) in notes {
        let told = json!({ "hook_event_name": event, "session_id": 7, "cwd": project, "prompt": "please" });
        let output = hook(home.path(), agent, told.to_string().as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0), "{agent}: {event}");
    }
}
