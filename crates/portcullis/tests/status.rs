//! `portcullis status`, run as people run it, in homes that are made up.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

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

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command.args(words).current_dir(self.at("proj")).env_clear();
        // The test is the person who runs it.
        command.env("PORTCULLIS_TEST_LOGIN", format!("{}:no-terminal", std::process::id()));
        command.env("HOME", self.0.path()).env("PATH", self.at("bin"));
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// What a run that has to work printed.
    fn ok(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.ok(words)).unwrap()
    }

    /// Has a hook process decide about a command, so that it stands in the log.
    fn decide(&self, command: &str) {
        use std::io::Write;
        let told = serde_json::json!({
            "session_id": "s1", "transcript_path": "", "cwd": self.at("proj"), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": command },
            "tool_use_id": "t1",
        });
        let mut hook = self.command(&["hook", "claude-code"]);
        hook.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
        let mut child = hook.stderr(std::process::Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(told.to_string().as_bytes()).unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn without_anything_there_is_still_an_answer_and_nothing_is_made() {
    let home = Home::new();
    let text = home.ok(&["status"]);
    assert!(text.contains("built-in mode") && text.contains("nothing was decided yet"), "{text}");
    assert_eq!(home.ok(&["status", "--short"]), "default · 0 allow 0 deny 0 ask · 0 waiting\n");
    assert_eq!(home.json(&["status", "--json"])["daemon"], Value::Null);
    assert!(!home.at(".local").exists() && !home.at(".config").exists(), "it only looks");
}

/// [A2], [M3]
#[test]
fn mode_rules_decisions_and_agents_are_shown() {
    let home = Home::new();
    let rules = r#"{"permissions": {"defaultMode": "auto", "deny": ["Bash(curl:*)", "Bash(wget:*)"], "allow": ["Bash(ls:*)"]}}"#;
    home.write(".config/portcullis/settings.json", rules);
    home.write("proj/.portcullis/settings.json", r#"{"permissions": {"ask": ["Bash(git push:*)"]}}"#);
    home.decide("ls");
    home.decide("curl https://example.com");
    home.ok(&["install", "claude-code", "--yes"]);
    home.write(".gemini/settings.json", "{}");
    let status = home.json(&["status", "--json"]);
    assert_eq!(status["mode"]["mode"], "auto");
    assert_eq!(status["mode"]["origin"]["source"], "user");
    assert_eq!((&status["today"]["allow"], &status["today"]["deny"]), (&1.into(), &1.into()));
    let rules: Vec<String> = status["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {} {} {}", it["source"].as_str().unwrap(), it["deny"], it["ask"], it["allow"]))
        .collect();
    assert_eq!(rules, ["project 0 1 0", "user 2 0 1"]);
    let agent = |name: &str| {
        status["agents"].as_array().unwrap().iter().find(|agent| agent["name"] == name).unwrap().clone()
    };
    assert_eq!((&agent("claude-code")["gated"], &agent("gemini")["gated"]), (&true.into(), &false.into()));
    assert_eq!((&agent("gemini")["here"], &agent("codex")["here"]), (&true.into(), &false.into()));
    assert_eq!(home.ok(&["status", "--short"]), "auto · 1 allow 1 deny 0 ask · 0 waiting\n");
    let text = home.ok(&["status"]);
    assert!(text.contains("portcullis install gemini") && text.contains("gated (user)"), "{text}");
}

/// [A2]
#[test]
fn what_is_broken_is_said_and_stops_nothing() {
    let home = Home::new();
    home.write(".config/portcullis/settings.json", r#"{"permissions": {"deny": ["Bash(rm"]}}"#);
    home.write(
        ".local/state/portcullis/portcullis.db",
        "this is no database, and it is longer than a header",
    );
    home.write(".claude/settings.json", "{ broken");
    let line = home.ok(&["status", "--short"]);
    assert!(line.contains("log unreadable") && line.contains("1 problem"), "{line}");
    let status = home.json(&["status", "--json"]);
    assert_eq!(status["today"], Value::Null);
    assert_eq!(status["problems"][0]["severity"], "error");
    let text = home.ok(&["status"]);
    assert!(text.contains("error:") && text.contains("the log cannot be read"), "{text}");
}

/// A socket that nobody listens at, and one that never answers, do not hold a status line up.
#[test]
fn a_daemon_that_is_silent_is_not_waited_for() {
    let home = Home::new();
    std::fs::create_dir_all(home.at(".local/state/portcullis")).unwrap();
    let _silent =
        std::os::unix::net::UnixListener::bind(home.at(".local/state/portcullis/portcullis.sock")).unwrap();
    let line = home.ok(&["status", "--short"]);
    assert!(line.contains("daemon broken"), "{line}");
}

/// [M4], [A5]
#[test]
fn what_is_not_enforced_is_said() {
    let home = Home::new();
    home.write(".config/portcullis/settings.json", r#"{"enforce": false}"#);
    home.ok(&["pause", "--for", "10m"]);
    home.ok(&["lock", "--reason", "odd calls"]);
    let line = home.ok(&["status", "--short"]);
    assert!(line.contains("not enforced") && line.contains("paused") && line.contains("locked"), "{line}");
    let status = home.json(&["status", "--json"]);
    assert_eq!((&status["enforced"], &status["lock"]["reason"]), (&false.into(), &"odd calls".into()));
    assert!(home.ok(&["status"]).contains("portcullis unlock"));
}
