//! `portcullis doctor`, run as people run it, in homes that are made up; and on the real Claude Code where it is found.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot run its program must stop"
)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        std::fs::create_dir_all(home.at("proj/.git")).unwrap();
        home
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        std::fs::write(self.at(name), text).unwrap();
    }

    fn settings(&self, settings: &Value) {
        self.write(".config/portcullis/settings.json", &settings.to_string());
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command.args(words).current_dir(self.at("proj")).env_clear();
        // The test is the person who runs it.
        command.env("PORTCULLIS_TEST_LOGIN", format!("{}:no-terminal", std::process::id()));
        command.env("HOME", self.0.path()).env("PATH", self.at("bin"));
        command
    }

    fn install(&self, agent: &str) {
        let output = self.command(&["install", agent, "--yes"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Has a hook process decide about a command, so that it stands in the log.
    fn decide(&self) {
        use std::io::Write;
        let told = json!({
            "session_id": "s1", "transcript_path": "", "cwd": self.at("proj"), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": "ls" },
        });
        let mut hook = self.command(&["hook", "claude-code"]);
        let hook = hook.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = hook.spawn().unwrap();
        child.stdin.take().unwrap().write_all(told.to_string().as_bytes()).unwrap();
        child.wait().unwrap();
    }

    fn examined(&self, words: &[&str]) -> Found {
        examined(self.command(&[&["doctor", "--json"], words].concat()))
    }
}

/// What was found, and whether the exit code agrees with it.
struct Found(Value);

fn examined(mut command: Command) -> Found {
    examined_with(&mut command)
}

fn examined_with(command: &mut Command) -> Found {
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let value: Value = serde_json::from_str(&said)
        .unwrap_or_else(|_| panic!("{said}{}", String::from_utf8_lossy(&output.stderr)));
    let code = i32::from(value["healthy"] != true);
    assert_eq!(output.status.code(), Some(code), "{value:#}");
    Found(value)
}

impl Found {
    fn rows(&self) -> impl Iterator<Item = &Value> {
        self.0["rows"].as_array().unwrap().iter()
    }

    /// The health of every row of this name.
    fn health(&self, about: &str, name: &str) -> Vec<&str> {
        let rows = self.rows().filter(|row| row["about"] == about && row["name"] == name);
        rows.map(|row| row["health"].as_str().unwrap()).collect()
    }

    /// What is red, with what to do about it.
    fn bad(&self) -> Vec<String> {
        let bad = self.rows().filter(|row| row["health"] == "bad");
        bad.map(|row| {
            assert!(row["fix"].as_str().is_some_and(|fix| !fix.is_empty()), "{row}: no fix");
            format!("{}/{}: {}", row["about"], row["name"], row["found"]).replace('"', "")
        })
        .collect()
    }
}

/// [G4]
#[test]
fn a_fresh_home_is_healthy_and_stays_as_it_is() {
    let home = Home::new();
    let found = home.examined(&[]);
    assert_eq!(found.bad(), [""; 0]);
    assert_eq!(found.health("gate", "log"), ["ok"]);
    assert_eq!(found.health("gate", "a hook takes").len(), 1);
    assert_eq!(found.health("gate", "model"), ["note"], "nothing is asked that is not configured");
    assert!(!home.at(".local").exists(), "it only looks");
}

/// [R2]
#[test]
fn broken_rules_are_red_one_by_one() {
    let home = Home::new();
    home.settings(
        &json!({"permissions": {"deny": ["Bash(rm", "Read(~/.ssh/**)"], "ask": ["(x)"]}, "colour": 1}),
    );
    let found = home.examined(&[]);
    let bad = found.bad();
    assert!(bad.iter().filter(|row| row.starts_with("gate/settings: ")).count() >= 2, "{bad:?}");
    assert!(bad.iter().any(|row| row.contains("settings.json:1:")), "{bad:?}");
}

/// [A1]
#[test]
fn a_log_that_was_changed_is_red() {
    let home = Home::new();
    for _ in 0..3 {
        home.decide();
    }
    let found = home.examined(&["--deep"]);
    assert_eq!(found.bad(), [""; 0]);
    assert_eq!(found.health("gate", "log is writable"), ["ok"]);
    assert_eq!(found.health("gate", "log is private"), ["ok"]);
    // As whoever wants to hide something does it: the end is cut off.
    let head = home.at(".local/state/portcullis/audit.head");
    let text = std::fs::read_to_string(&head).unwrap();
    std::fs::write(&head, text.replacen("3 ", "4 ", 1)).unwrap();
    for words in [&["--deep"][..], &[]] {
        let bad = home.examined(words).bad();
        assert!(bad[0].starts_with("gate/log: not whole: entry 4"), "{bad:?}");
    }
}

/// [A3]
#[test]
fn a_log_that_cannot_be_used_is_red() {
    let home = Home::new();
    home.decide();
    let state = home.at(".local/state/portcullis");
    let mode = |mode: u32| std::fs::set_permissions(&state, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o755);
    assert_eq!(home.examined(&[]).health("gate", "log is private"), ["bad"]);
    mode(0o777);
    assert_eq!(
        home.examined(&[]).health("gate", "log is writable"),
        ["bad"],
        "the gate refuses such a folder"
    );
    mode(0o700);
    // Without the recent writes, which would mend it.
    for name in ["portcullis.db-wal", "portcullis.db-shm"] {
        std::fs::remove_file(state.join(name)).unwrap();
    }
    std::fs::write(state.join("portcullis.db"), "this is no database, and it is longer than a header")
        .unwrap();
    assert_eq!(home.examined(&[]).health("gate", "log"), ["bad"]);
}

/// [G3], [G4]
#[test]
fn entries_that_are_missing_changed_or_gone_are_red() {
    let home = Home::new();
    home.install("claude-code");
    let found = home.examined(&["claude-code"]);
    assert_eq!(found.bad(), [""; 0]);
    assert_eq!(found.health("claude-code", "hooks, user"), ["ok"]);
    assert_eq!(found.health("claude-code", "hook command"), ["ok"]);

    let file = home.at(".claude/settings.json");
    let written = std::fs::read_to_string(&file).unwrap();
    let mut value: Value = serde_json::from_str(&written).unwrap();
    value["hooks"].as_object_mut().unwrap().remove("PreToolUse").unwrap();
    std::fs::write(&file, value.to_string()).unwrap();
    assert_eq!(home.examined(&[]).health("claude-code", "hooks, user"), ["bad"]);

    let elsewhere = written.replace(env!("CARGO_BIN_EXE_portcullis"), "/nowhere/portcullis");
    std::fs::write(&file, elsewhere).unwrap();
    let bad = home.examined(&[]).bad();
    assert!(bad.iter().any(|row| row.contains("/nowhere/portcullis-hook is not there")), "{bad:?}");

    std::fs::write(&file, "{}").unwrap();
    let bad = home.examined(&[]).bad();
    assert!(bad[0].contains("they were installed, and are gone"), "{bad:?}");

    std::fs::write(&file, "{ broken").unwrap();
    assert_eq!(home.examined(&[]).health("claude-code", "hooks, user"), ["bad"]);
}

#[test]
fn an_agent_without_the_gate_is_red_only_if_it_is_named() {
    let home = Home::new();
    std::fs::create_dir_all(home.at(".claude")).unwrap();
    assert_eq!(home.examined(&[]).health("claude-code", "hooks"), ["warning"]);
    assert_eq!(home.examined(&["claude-code"]).health("claude-code", "hooks"), ["bad"]);
    let output = home.command(&["doctor", "nobody"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
}

/// [A3] Codex passes over hooks that it does not trust.
#[test]
fn trust_that_is_gone_is_red() {
    let home = Home::new();
    home.install("codex");
    std::fs::write(home.at(".codex/config.toml"), "").unwrap();
    let bad = home.examined(&["codex"]).bad();
    assert!(bad.iter().any(|row| row.contains("the hooks are not trusted")), "{bad:?}");
}

/// What `--strict` wrote is shown, and what is only advice is not red.
#[test]
fn a_client_that_goes_on_is_said_and_strict_is_good() {
    let home = Home::new();
    home.install("claude-code");
    assert_eq!(home.examined(&[]).health("claude-code", "if the hook dies"), ["note"]);
    let output = home.command(&["install", "--strict", "claude-code", "--yes"]).output().unwrap();
    assert!(output.status.success());
    let found = home.examined(&[]);
    assert_eq!(found.health("claude-code", "if the hook dies"), ["ok"]);
    assert_eq!(found.health("claude-code", "hooks, user"), ["ok"]);
}

/// A client that does nothing at all proves nothing, and a program that ignores the gate is found out.
#[test]
fn a_client_that_ignores_the_gate_is_red() {
    let home = Home::new();
    let program = home.at("bin/claude");
    let client = |script: &str| {
        home.write("bin/claude", &format!("#!/bin/sh\n{script}\n"));
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = home.command(&["doctor", "--json", "--live", "claude-code"]);
        command.env("PATH", format!("{}:/usr/bin:/bin", home.at("bin").display()));
        examined_with(command.env("REAL_API_KEY", "x").env("HTTPS_PROXY", "http://127.0.0.1:9"))
    };
    let found = client("echo I did nothing");
    assert_eq!(found.health("claude-code", "live: deny"), ["warning"]);
    assert_eq!(found.health("claude-code", "version"), ["ok"]);
    let found = client("touch marker.txt");
    assert_eq!(found.health("claude-code", "live: deny"), ["bad"]);
    assert_eq!(found.health("claude-code", "live: allow"), ["bad"], "the gate was not asked");
    // Nothing of the caller's reaches a client: no key, no proxy, no home.
    let own = home.0.path().display();
    let reached =
        format!(r#"[ -n "$REAL_API_KEY$HTTPS_PROXY" ] || [ "$HOME" = "{own}" ] && touch marker.txt"#);
    assert_eq!(client(&reached).health("claude-code", "live: deny"), ["warning"]);
}

/// The clients in the folder that `PORTCULLIS_CLIENTS` names, as `scripts/clients` leaves them.
fn client_folders(agent: &str) -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("PORTCULLIS_CLIENTS") else { return Vec::new() };
    let mut found: Vec<PathBuf> = std::fs::read_dir(Path::new(&folder))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&format!("{agent}-")))
        .map(|entry| entry.path().join("node_modules/.bin"))
        .filter(|folder| folder.is_dir())
        .collect();
    found.sort();
    found
}

/// [G4], [A3] The proof on the real client.
#[test]
fn the_real_claude_code_is_held() {
    let folders = client_folders("claude-code");
    if folders.is_empty() {
        eprintln!("SKIPPED: no Claude Code; set PORTCULLIS_CLIENTS to a folder that scripts/clients filled");
        return;
    }
    for folder in folders {
        let home = Home::new();
        home.install("claude-code");
        let mut command = home.command(&["doctor", "--json", "--live", "claude-code"]);
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", folder.display()));
        let found = examined(command);
        assert_eq!(found.bad(), [""; 0], "{}", folder.display());
        assert_eq!(found.health("claude-code", "live: deny"), ["ok"]);
        assert_eq!(found.health("claude-code", "live: allow"), ["ok"]);
        for row in ["live: hook crashes", "live: hook killed", "live: hook missing"] {
            assert_eq!(found.health("claude-code", row), ["ok"], "{row}: the call has to be denied");
        }
        assert_eq!(found.health("claude-code", "live: hook hangs"), ["note"], "it goes on, as measured");
    }
}
