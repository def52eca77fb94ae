//! What only a person at a terminal may do (`allow`, `pause`), with a real terminal, and what it changes for an agent.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot run its programs must stop, and a missing field is a failure"
)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    /// A user who denies `make clean` and is asked about everything else.
    fn new() -> Machine {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(machine.at("proj/.git")).unwrap();
        std::fs::create_dir_all(machine.at("config/portcullis")).unwrap();
        let settings = json!({ "permissions": { "deny": ["Bash(make clean)"] } });
        std::fs::write(machine.at("config/portcullis/settings.json"), settings.to_string()).unwrap();
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn prepared(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.at("proj"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.at("home"))
            .env("XDG_STATE_HOME", self.at("state"))
            .env("XDG_CONFIG_HOME", self.at("config"))
            .env("SHELL", "/bin/sh")
            .env("USER", "dev");
        command
    }

    /// The program without a terminal.
    fn piped(&self, arguments: &[&str]) -> Output {
        self.prepared(assert_cmd::cargo::cargo_bin("portcullis")).args(arguments).output().unwrap()
    }

    /// The program as a person starts it: what the terminal shows, and the exit code.
    fn typed(&self, words: &str, variables: &[(&str, &str)]) -> (String, Option<i32>) {
        let line = format!("{} {words}", assert_cmd::cargo::cargo_bin("portcullis").display());
        let mut command = self.prepared("script");
        command.args(["-qec", &line, "/dev/null"]).envs(variables.iter().copied()).stdin(Stdio::null());
        let output = command.output().unwrap();
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    }

    /// What an agent's hook says about a command: the decision, or nothing where the agent is left alone.
    fn hook(&self, session: &str, line: &str) -> Option<String> {
        let call = json!({
            "session_id": session, "transcript_path": "", "cwd": self.at("proj"), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": line },
            "tool_use_id": "t1",
        });
        let mut command = self.prepared(assert_cmd::cargo::cargo_bin("portcullis"));
        let piped = command
            .args(["hook", "claude-code"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(call.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        said["hookSpecificOutput"]["permissionDecision"].as_str().map(str::to_owned)
    }

    /// The newest entry of the log.
    fn newest(&self) -> Value {
        let output = self.piped(&["log", "--json"]);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .max_by_key(|entry| entry["seq"].as_u64())
            .unwrap_or_else(|| panic!("nothing was written down"))
    }

    fn newest_number(&self) -> u64 {
        self.newest()["seq"].as_u64().unwrap()
    }

    fn is_whole(&self) {
        assert!(self.piped(&["log", "verify"]).status.success());
    }
}

fn is(decision: Option<String>, expected: &str) {
    assert_eq!(decision.unwrap_or_default(), expected);
}

/// [A5]
#[test]
fn a_person_clears_a_question_once() {
    let machine = Machine::new();
    is(machine.hook("s1", "make all"), "ask");
    let id = machine.newest_number();
    let (shown, code) = machine.typed(&format!("allow {id}"), &[]);
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("make all") && shown.contains("once, within an hour"), "{shown}");
    let written = machine.newest();
    assert_eq!((written["kind"].as_str(), written["about"].as_u64()), (Some("grant"), Some(id)));
    assert!(written["reason"]["who"].as_str().unwrap().starts_with("dev (uid "), "{written}");
    is(machine.hook("s1", "make all -k"), "ask");
    is(machine.hook("s2", "make all"), "allow");
    is(machine.hook("s1", "make all"), "ask");
    machine.is_whole();
}

/// [A5]
#[test]
fn a_grant_for_a_session_holds_in_that_session_until_it_is_taken_back() {
    let machine = Machine::new();
    is(machine.hook("s1", "make all"), "ask");
    let (shown, code) = machine.typed(&format!("allow {} --session", machine.newest_number()), &[]);
    assert_eq!(code, Some(0), "{shown}");
    is(machine.hook("s1", "make all"), "allow");
    is(machine.hook("s1", "make all"), "allow");
    is(machine.hook("s2", "make all"), "ask");
    assert!(machine.piped(&["grants", "--revoke", "1"]).status.success());
    is(machine.hook("s1", "make all"), "ask");
    machine.is_whole();
}

/// [A5], [F1]
#[test]
fn no_grant_for_what_a_rule_denies_or_was_allowed_or_is_not_there() {
    let machine = Machine::new();
    is(machine.hook("s1", "make clean"), "deny");
    let denied = machine.newest_number();
    is(machine.hook("s1", "ls"), "allow");
    let allowed = machine.newest_number();
    for (id, part) in [
        (denied, "no grant beats a deny rule"),
        (allowed, "was an allow already"),
        (allowed + 1, "there is no decision"),
    ] {
        let (shown, code) = machine.typed(&format!("allow {id}"), &[]);
        assert!(shown.contains(part) && code == Some(3), "{code:?} {shown}");
    }
    let (shown, code) = machine.typed(&format!("allow {denied} --once --session"), &[]);
    assert_eq!(code, Some(3), "{shown}");
    is(machine.hook("s1", "make clean"), "deny");
}

/// [A5], [W1]
#[test]
fn nobody_but_a_person_at_a_terminal_grants_or_pauses() {
    let machine = Machine::new();
    is(machine.hook("s1", "make all"), "ask");
    let allow = format!("allow {}", machine.newest_number());
    for words in [allow.as_str(), "pause --for 10m"] {
        let arguments: Vec<&str> = words.split(' ').collect();
        assert_eq!(machine.piped(&arguments).status.code(), Some(3), "{words}");
        for agent in ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "CURSOR_AGENT"] {
            let (shown, code) = machine.typed(words, &[(agent, "1")]);
            assert!(shown.contains(agent) && code == Some(3), "{words} {agent}: {code:?} {shown}");
        }
    }
    is(machine.hook("s1", "make all"), "ask");
    is(machine.hook("s1", "make clean"), "deny");
}

/// [A5]
#[test]
fn a_pause_tells_agents_nothing_and_writes_everything_down() {
    let machine = Machine::new();
    let tells = |part: &str| {
        let shown = machine.piped(&["pause", "--show"]);
        assert!(String::from_utf8_lossy(&shown.stdout).contains(part), "{shown:?}");
    };
    tells("not paused");
    let (shown, code) = machine.typed("pause --for 10m", &[]);
    assert_eq!(code, Some(0), "{shown}");
    tells("paused by dev (uid ");
    assert_eq!(machine.hook("s1", "make clean"), None);
    let written = machine.newest();
    assert_eq!((written["decision"].as_str(), written["enforced"].as_bool()), (Some("deny"), Some(false)));
    assert!(machine.piped(&["pause", "--end"]).status.success());
    tells("not paused");
    is(machine.hook("s1", "make clean"), "deny");
    machine.is_whole();
}
