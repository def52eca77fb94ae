//! `portcullis replay` as people run it: every form of recording, comparisons, hostile and broken input.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

mod forms;
mod hours;
mod policies;
mod trouble;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use portcullis_gate::store::{Record, Store};
use serde_json::{Value, json};

/// A home of its own, with nobody's settings in it.
struct Machine {
    folder: tempfile::TempDir,
}

/// What a replay said.
struct Replayed {
    code: i32,
    rows: Vec<Value>,
    summary: Value,
    errors: String,
}

impl Machine {
    fn new() -> Machine {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(machine.at("project")).unwrap();
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    fn command(&self) -> Command {
        let mut command = Command::cargo_bin("portcullis").unwrap();
        command.env_clear().env("HOME", self.folder.path()).current_dir(self.at("project"));
        command
    }

    fn text(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.command().arg("replay").args(arguments).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    }

    fn replay(&self, arguments: &[&str]) -> Replayed {
        let output = self.command().args(["replay", "--json"]).args(arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let mut rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let last = rows.pop().unwrap_or_default();
        let summary = last.get("summary").cloned().unwrap_or_default();
        let errors = String::from_utf8(output.stderr).unwrap();
        Replayed { code: output.status.code().unwrap(), rows, summary, errors }
    }
}

fn lines(values: &[Value]) -> String {
    values.iter().fold(String::new(), |mut text, value| {
        writeln!(text, "{value}").unwrap();
        text
    })
}

fn bash(command: &str) -> Value {
    json!({"tool": "Bash", "input": {"command": command}})
}

fn decisions(replayed: &Replayed) -> Vec<(&str, &str)> {
    replayed
        .rows
        .iter()
        .map(|row| (row["decision"].as_str().unwrap(), row["layer"].as_str().unwrap()))
        .collect()
}

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.join(name).to_str().unwrap().to_owned()
}

/// A line of a Claude Code session.
fn claude(kind: &str, content: &Value) -> Value {
    json!({"type": kind, "sessionId": "s", "cwd": "/home/dev/proj", "timestamp": "2026-10-14T13:00:00.000Z",
        "message": {"role": kind, "content": content}})
}

/// A line of a Codex rollout.
fn codex(kind: &str, payload: &Value) -> Value {
    json!({"timestamp": "2026-10-14T13:00:00.000Z", "type": kind, "payload": payload})
}

/// A line of a Qwen Code session.
fn qwen(kind: &str, parts: &Value) -> Value {
    json!({"uuid": parts.to_string(), "sessionId": "s", "type": kind, "cwd": "/home/dev/proj",
        "timestamp": "2026-10-14T13:00:00.000Z", "message": {"role": kind, "parts": parts}})
}

fn used(id: &str) -> Value {
    json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "touch x"}}])
}
