//! One policy, the same calls, every client (SPEC G1): each call in the client's own words gets the same ruling.
//!
//! The table is `docs/evidence/same-policy.md`; `PORTCULLIS_WRITE_TABLE=1` writes it again after a change that was meant. What the
//! real clients were told is taken from `tests/clients/results/same-policy`, where `scripts/clients --same-policy` puts it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use portcullis_gate::settings::{Overrides, Places};
use portcullis_gate::settle::ModelEnvironment;
use portcullis_gate::{Gate, Options};
use portcullis_shell::Dialect;
use serde_json::{Value, json};

use super::super::{ProcessContext, named};
use super::{RECORDED, clients, understood};
use crate::host_event;

const CLIENTS: [&str; 8] =
    ["claude-code", "codex", "gemini", "qwen", "copilot", "opencode", "cursor", "goose"];

/// What a client says for a call; nothing where it has no such tool.
fn in_words_of(client: &str, tool: &str, input: &Value, cwd: &str) -> Option<Value> {
    let (name, input) = own(client, tool, input)?;
    let about = |event: &str| {
        json!({
            "hook_event_name": event, "session_id": "s1", "cwd": cwd, "tool_name": name, "tool_input": input,
            "tool_use_id": "t1",
        })
    };
    Some(match client {
        "gemini" => {
            let mut value = about("BeforeTool");
            if let Some((server, tool)) = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
                value["mcp_context"] = json!({ "server_name": server, "tool_name": tool });
            }
            value
        }
        "opencode" => {
            let mut value = about("tool.execute.before");
            value["project"] = json!(cwd);
            value["mcp_servers"] = json!(["notes"]);
            value
        }
        "cursor" => json!({
            "hook_event_name": "preToolUse", "conversation_id": "s1", "cwd": cwd, "workspace_roots": [cwd],
            "tool_name": name, "tool_input": input,
        }),
        "goose" => json!({
            "event": "PreToolUse", "session_id": "s1", "working_dir": cwd, "tool_name": name,
            "tool_input": input,
        }),
        _ => about("PreToolUse"),
    })
}

/// The name and the input that a client has for a tool.
fn own(client: &str, tool: &str, input: &Value) -> Option<(String, Value)> {
    if let Some((server, of_server)) = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        let name = match client {
            "gemini" => format!("mcp_{server}_{of_server}"),
            "opencode" => format!("{server}_{of_server}"),
            "copilot" => format!("{server}-{of_server}"),
            "goose" => format!("{server}__{of_server}"),
            "cursor" => format!("MCP:{of_server}"),
            _ => tool.to_owned(),
        };
        return Some((name, input.clone()));
    }
    if client == "codex" {
        return codex(tool, input);
    }
    let (_, _, name) = NAMES.iter().find(|(whose, canonical, _)| *whose == client && *canonical == tool)?;
    let mut fields = input.as_object()?.clone();
    for (_, from, to) in FIELDS.iter().filter(|(whose, ..)| *whose == client) {
        if let Some(value) = fields.shift_remove(*from) {
            fields.insert((*to).to_owned(), value);
        }
    }
    if (client, tool) == ("gemini", "WebFetch") {
        let prompt = format!("{} {}", input["prompt"].as_str()?, input["url"].as_str()?);
        fields = json!({ "prompt": prompt }).as_object()?.clone();
    }
    Some(((*name).to_owned(), Value::Object(fields)))
}

/// Codex edits files by patches in a here-document.
fn codex(tool: &str, input: &Value) -> Option<(String, Value)> {
    let text = |name: &str| input.get(name).and_then(Value::as_str).unwrap_or_default();
    let path = text("file_path");
    let applying = |body: String| {
        let command = format!("apply_patch <<'EOF'\n*** Begin Patch\n{body}\n*** End Patch\nEOF\n");
        Some(("Bash".to_owned(), json!({ "command": command })))
    };
    match tool {
        "Bash" => Some(("Bash".to_owned(), input.clone())),
        "Write" => applying(format!("*** Add File: {path}\n+{}", text("content").trim_end())),
        "Edit" => {
            applying(format!("*** Update File: {path}\n@@\n-{}\n+{}", text("old_string"), text("new_string")))
        }
        "Agent" => Some(("spawn_agent".to_owned(), json!({ "message": text("prompt") }))),
        "Read" => Some(("view_image".to_owned(), json!({ "path": path }))),
        _ => None,
    }
}

/// Whose name, for which tool, and the name. Written down apart from the table that is tested.
const NAMES: &[(&str, &str, &str)] = &[
    ("claude-code", "Bash", "Bash"),
    ("claude-code", "Read", "Read"),
    ("claude-code", "Write", "Write"),
    ("claude-code", "Edit", "Edit"),
    ("claude-code", "Glob", "Glob"),
    ("claude-code", "Grep", "Grep"),
    ("claude-code", "WebFetch", "WebFetch"),
    ("claude-code", "Agent", "Agent"),
    ("gemini", "Bash", "run_shell_command"),
    ("gemini", "Read", "read_file"),
    ("gemini", "Write", "write_file"),
    ("gemini", "Edit", "replace"),
    ("gemini", "Glob", "glob"),
    ("gemini", "Grep", "grep_search"),
    ("gemini", "WebFetch", "web_fetch"),
    ("gemini", "Agent", "invoke_agent"),
    ("qwen", "Bash", "run_shell_command"),
    ("qwen", "Read", "read_file"),
    ("qwen", "Write", "write_file"),
    ("qwen", "Edit", "edit"),
    ("qwen", "Glob", "glob"),
    ("qwen", "Grep", "grep_search"),
    ("qwen", "WebFetch", "web_fetch"),
    ("qwen", "Agent", "agent"),
    ("copilot", "Bash", "Bash"),
    ("copilot", "Read", "Read"),
    ("copilot", "Write", "Write"),
    ("copilot", "Edit", "Edit"),
    ("copilot", "Glob", "Glob"),
    ("copilot", "Grep", "Grep"),
    ("copilot", "WebFetch", "web_fetch"),
    ("copilot", "Agent", "Agent"),
    ("opencode", "Bash", "bash"),
    ("opencode", "Read", "read"),
    ("opencode", "Write", "write"),
    ("opencode", "Edit", "edit"),
    ("opencode", "Glob", "glob"),
    ("opencode", "Grep", "grep"),
    ("opencode", "WebFetch", "webfetch"),
    ("opencode", "Agent", "task"),
    ("cursor", "Bash", "Shell"),
    ("cursor", "Read", "Read"),
    ("cursor", "Write", "Write"),
    ("cursor", "Edit", "Edit"),
    ("cursor", "Glob", "Glob"),
    ("cursor", "Grep", "Grep"),
    ("cursor", "WebFetch", "WebFetch"),
    ("cursor", "Agent", "Task"),
    ("goose", "Bash", "developer__shell"),
    ("goose", "Write", "developer__write"),
    ("goose", "Edit", "developer__edit"),
];

/// Whose name, for which field, and the name.
const FIELDS: &[(&str, &str, &str)] = &[
    ("gemini", "subagent_type", "agent_name"),
    ("copilot", "file_path", "path"),
    ("copilot", "content", "file_text"),
    ("copilot", "old_string", "old_str"),
    ("copilot", "new_string", "new_str"),
    ("copilot", "subagent_type", "agent_type"),
    ("opencode", "file_path", "filePath"),
    ("opencode", "old_string", "oldString"),
    ("opencode", "new_string", "newString"),
    ("goose", "file_path", "path"),
    ("goose", "old_string", "before"),
    ("goose", "new_string", "after"),
];

struct Table {
    keep: tempfile::TempDir,
    policy: Value,
}

impl Table {
    fn new() -> Table {
        let keep = tempfile::tempdir().unwrap();
        let text = std::fs::read_to_string(clients("same_policy.json")).unwrap();
        std::fs::create_dir_all(keep.path().join("proj/.git")).unwrap();
        Table { keep, policy: serde_json::from_str(&text).unwrap() }
    }

    fn project(&self) -> String {
        self.keep.path().join("proj").to_str().unwrap().to_owned()
    }

    /// A gate with a store of its own, so that no client sees what another one did.
    fn gate(&self, client: &str) -> Gate {
        let home = self.keep.path().join(client);
        let places = Places {
            config: home.join("config"),
            state: home.join("state"),
            managed: home.join("managed"),
            project: PathBuf::from(self.project()),
            home,
        };
        std::fs::create_dir_all(&places.config).unwrap();
        std::fs::write(places.config.join("settings.json"), self.policy["settings"].to_string()).unwrap();
        Gate::open(Options {
            places,
            overrides: Overrides::default(),
            environment: ModelEnvironment::default(),
            dialect: Dialect::Bash,
            group_commit: false,
            now: || 1_700_000_000_000,
            waiting: |_| {},
            vouched: |_, _| true,
        })
        .unwrap()
    }

    /// What each call gets from one client.
    fn column(&self, client: &str) -> Vec<String> {
        let (gate, adapter, project) = (self.gate(client), named(client).unwrap(), self.project());
        let around = ProcessContext { project: None, cwd: Some(project.clone()) };
        let calls = self.policy["calls"].as_array().unwrap();
        let judged = calls.iter().map(|call| {
            let input = call[1].to_string().replace("/P/", &format!("{project}/"));
            let input: Value = serde_json::from_str(&input).unwrap();
            let Some(said) = in_words_of(client, call[0].as_str().unwrap(), &input, &project) else {
                return "–".to_owned();
            };
            let reply =
                host_event::answer_blocking(&gate, adapter, said.to_string().as_bytes(), &around).reply;
            let word = understood(client, &reply);
            // A deny that was proven on the real client needs no exit code, which would hide why.
            let by_code = word == "deny" && matches!(client, "cursor" | "goose");
            assert_eq!(
                (reply.code, reply.stderr.is_empty()),
                if by_code { (2, false) } else { (0, true) },
                "{client}: {call}: {reply:?}"
            );
            word
        });
        judged.collect()
    }
}

/// What the gate's log says that the real client was told about each call, in each version; nothing where it did not make
/// the call.
fn really_told(client: &str) -> Vec<Vec<Option<String>>> {
    let versions = RECORDED.iter().filter(|(_, whose)| *whose == client);
    let told = |line: &str| serde_json::from_str::<Value>(line).unwrap()["told"].as_str().map(str::to_owned);
    versions
        .map(|(version, _)| {
            let path = clients(&format!("results/same-policy/{version}.jsonl"));
            std::fs::read_to_string(path).unwrap().lines().map(told).collect()
        })
        .collect()
}

/// A cell of the table: what is decided, and whether the real client was told the same.
fn cell(client: &str, word: &str, row: usize, real: &[Vec<Option<String>>]) -> String {
    let told: Vec<&String> = real.iter().filter_map(|version| version[row].as_ref()).collect();
    assert!(told.iter().all(|told| *told == word), "{client}: {row}: {told:?} and not {word}");
    if told.is_empty() { word.to_owned() } else { format!("{word} ✓") }
}

/// Whether two clients agree: where one asks, one that cannot ask denies.
fn agree(first: &str, other: &str) -> bool {
    first == other || other == "–" || (first == "ask" && other == "deny")
}

/// Calls about which a client says too little.
fn is_explained(client: &str, tool: &str) -> bool {
    // It does not say which server a tool belongs to.
    client == "cursor" && tool.starts_with("mcp__")
}

/// [G1], [G2]
#[test]
fn one_policy_means_the_same_to_every_client() {
    let table = Table::new();
    let columns: Vec<Vec<String>> = CLIENTS.iter().map(|client| table.column(client)).collect();
    let calls = table.policy["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 60);
    let real: Vec<_> = CLIENTS.iter().map(|client| really_told(client)).collect();
    let made = real.iter().flatten().flatten().flatten().count();
    assert!(made >= 380, "real clients made only {made} of the calls");
    let mut lines = String::new();
    for (row, call) in calls.iter().enumerate() {
        let tool = call[0].as_str().unwrap();
        for (client, column) in CLIENTS.iter().zip(&columns) {
            let same = agree(&columns[0][row], &column[row]) || is_explained(client, tool);
            assert!(same, "{client}: {call}: {} and not {}", column[row], columns[0][row]);
        }
        let input = call[1].as_object().unwrap().values().next().unwrap().as_str().unwrap();
        let shown = input.replace("/P/", "").replace('|', "\\|");
        let row_of_all = CLIENTS.iter().zip(&columns).zip(&real);
        let words: Vec<String> =
            row_of_all.map(|((client, column), real)| cell(client, &column[row], row, real)).collect();
        writeln!(lines, "| {tool} | `{shown}` | {} |", words.join(" | ")).unwrap();
    }
    for word in ["allow", "ask", "deny"] {
        assert!(columns[0].iter().filter(|said| *said == word).count() >= 8, "the table has few {word}");
    }
    compare(&lines);
}

fn compare(lines: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/evidence/same-policy.md");
    let head =
        format!("| tool | call | {} |\n|---|---|{}\n", CLIENTS.join(" | "), "---|".repeat(CLIENTS.len()));
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    let before = page.split_once("| tool |").map_or(page.as_str(), |(before, _)| before);
    let whole = format!("{before}{head}{lines}");
    if std::env::var_os("PORTCULLIS_WRITE_TABLE").is_some() {
        std::fs::write(&path, &whole).unwrap();
        return;
    }
    assert!(page == whole, "docs/evidence/same-policy.md is out of date; PORTCULLIS_WRITE_TABLE=1 writes it");
}
