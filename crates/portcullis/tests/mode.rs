//! `portcullis mode` and the modes of sessions, run as people run them, on machines that are made up (SPEC M3).
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(machine.at("proj/.git")).unwrap();
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::cargo_bin("portcullis")
            .unwrap()
            .args(arguments)
            .current_dir(self.at("proj"))
            .env_clear()
            // The test is the person who runs it.
            .env("PORTCULLIS_TEST_LOGIN", format!("{}:no-terminal", std::process::id()))
            .env("HOME", self.at("home"))
            .env("XDG_STATE_HOME", self.at("state"))
            .output()
            .unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| String::from_utf8_lossy(&output.stderr).into())
    }
}

const USER: &str = "home/.config/portcullis/settings.json";

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// [M3]
#[test]
fn without_a_mode_it_says_which_one_is_in_force_and_why() {
    let machine = Machine::new();
    let nothing = machine.json(&["mode", "--json"]);
    assert_eq!((nothing["mode"].as_str(), nothing["origin"].is_null()), (Some("default"), true));
    machine.write(USER, "{\n  \"permissions\": {\"defaultMode\": \"plan\"}\n}");
    machine
        .write("proj/.portcullis/settings.json", r#"{"permissions": {"defaultMode": "bypassPermissions"}}"#);
    let found = machine.json(&["mode", "--json"]);
    assert_eq!(found["mode"], "plan");
    assert_eq!((&found["origin"]["source"], &found["origin"]["line"]), (&"user".into(), &2.into()));
    assert_eq!(found["others"][0]["standing"], "never-from-project");
    let text = said(&machine.run(&["mode"]));
    for part in
        ["plan", "your user settings", "settings.json:2:", "overridden by", "managed", "bypassPermissions"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// [M3]
#[test]
fn a_mode_is_written_to_the_users_settings_and_nothing_else_changes() {
    let machine = Machine::new();
    let before =
        "{\n  // mine\n  \"permissions\": {\"deny\": [\"WebFetch\"], \"defaultMode\": \"plan\"} // end\n}\n";
    let file = machine.write(USER, before);
    let output = machine.run(&["mode", "dontAsk"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(std::fs::read_to_string(file).unwrap(), before.replace("plan", "dontAsk"));
    assert_eq!(machine.run(&["check", "Bash", "npm publish"]).status.code(), Some(1));
    assert_eq!(machine.run(&["mode", "bypass"]).status.code(), Some(0));
    assert_eq!(machine.json(&["mode", "--json"])["mode"], "bypassPermissions");
}

/// [M3]
#[test]
fn a_session_has_a_mode_of_its_own() {
    let machine = Machine::new();
    machine.write(USER, r#"{"permissions": {"defaultMode": "default"}}"#);
    assert_eq!(machine.run(&["mode", "dontAsk", "--session", "a1"]).status.code(), Some(0));
    let file = machine.at("state/portcullis/sessions/a1.json");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(file.parent().unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let check = |more: &[&str]| {
        let arguments = [&["check", "Bash", "npm publish"], more].concat();
        machine.run(&arguments).status.code()
    };
    assert_eq!(
        (check(&[]), check(&["--session", "a1"]), check(&["--session", "b2"])),
        (Some(2), Some(1), Some(2))
    );
    assert_eq!(check(&["--session", "a1", "--mode", "default"]), Some(2));
    let shown = machine.json(&["mode", "--session", "a1", "--json"]);
    assert_eq!((&shown["mode"], &shown["origin"]["source"]), (&"dontAsk".into(), &"session".into()));
    std::fs::write(file, "{").unwrap();
    assert_eq!(check(&["--session", "a1"]), Some(3));
    assert_eq!(machine.run(&["mode", "--session", "a1"]).status.code(), Some(3));
}

/// [M3]
#[test]
fn a_mode_that_is_switched_off_is_refused() {
    let machine = Machine::new();
    let file = machine
        .write(USER, r#"{"permissions": {"disableBypassPermissionsMode": true, "defaultMode": "plan"}}"#);
    machine.write("proj/.portcullis/settings.json", r#"{"permissions": {"disableAutoMode": true}}"#);
    let before = std::fs::read_to_string(&file).unwrap();
    for arguments in [
        &["mode", "bypassPermissions"] as &[&str],
        &["mode", "auto"],
        &["mode", "auto", "--session", "x"],
        &["mode", "yolo"],
    ] {
        let output = machine.run(arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
    assert!(said(&machine.run(&["mode", "auto"])).contains("disableAutoMode"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
    assert!(!machine.at("state/portcullis/sessions").exists());
    assert_eq!(machine.run(&["mode", "acceptEdits"]).status.code(), Some(0));
}

/// [M3]
#[test]
fn a_broken_file_is_not_written_over() {
    let machine = Machine::new();
    let file = machine.write(USER, "{ broken");
    assert_eq!(machine.run(&["mode", "plan"]).status.code(), Some(3));
    assert_eq!(std::fs::read_to_string(file).unwrap(), "{ broken");
}

/// [C16]
#[test]
fn stats_add_up_what_was_recorded() {
    let machine = Machine::new();
    assert!(said(&machine.run(&["stats"])).contains("no verdicts"));
    machine.run(&["check", "Bash", "git status"]);
    assert!(!machine.at("state/portcullis/verdicts").exists(), "a check is a question");
    assert_eq!(machine.run(&["check", "--record", "Bash", "ls"]).status.code(), Some(0));
    machine.run(&["check", "--record", "Bash", "npm publish"]);
    machine.run(&["check", "--record", "Bash", "npm publish", "--mode", "dontAsk"]);
    let files: Vec<_> =
        std::fs::read_dir(machine.at("state/portcullis/verdicts")).unwrap().flatten().collect();
    let file = files.first().unwrap().path();
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::write(&file, std::fs::read_to_string(&file).unwrap() + "nonsense\n").unwrap();
    let found = machine.json(&["stats", "--json", "--days", "2"]);
    let all = &found["all"];
    let counts = ["count", "allow", "deny", "ask"].map(|field| all[field].as_u64().unwrap_or_default());
    assert_eq!((counts, &found["unreadable"]), ([3, 1, 1, 1], &1.into()));
    assert_eq!(found["by"]["agent"][0]["name"], "check");
    assert_eq!(found["by"]["agent"][0]["share"], 1.0);
    let layers = found["by"]["layer"].as_array().unwrap();
    assert!(layers.iter().any(|layer| layer["name"] == "read-only" && layer["allow"] == 1), "{layers:?}");
    let text = said(&machine.run(&["stats"]));
    assert!(
        text.contains("3 verdicts")
            && text.contains("by layer")
            && text.contains("1 lines could not be read")
    );
    assert!(!text.contains('█') && !text.contains('\u{1b}'), "plain when piped");
    assert_eq!(machine.run(&["stats", "--days", "0"]).status.code(), Some(3));
}
