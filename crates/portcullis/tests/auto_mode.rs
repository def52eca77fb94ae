//! `portcullis auto-mode`, run as people run it, on machines that are made up (SPEC C8, C13).
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

/// A home and a project of their own.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(machine.at("proj/.git")).unwrap();
        machine
    }

    /// A machine whose user has these settings.
    fn with(settings: &str) -> Machine {
        let machine = Machine::new();
        machine.write(USER, settings);
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
        Command::cargo_bin("portcullis")
            .unwrap()
            .arg("auto-mode")
            .args(arguments)
            .current_dir(self.at("proj"))
            .env_clear()
            .env("HOME", self.at("home"))
            .env("XDG_CONFIG_HOME", self.at("home/config"))
            .env("XDG_STATE_HOME", self.at("state"))
            .envs(variables.iter().copied())
            .output()
            .unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(&[], arguments)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        json(&self.run(arguments))
    }
}

const USER: &str = "home/config/portcullis/settings.json";
const PROJECT: &str = "proj/.portcullis/settings.json";

const LISTS: [&str; 4] = ["environment", "allow", "soft_deny", "hard_deny"];

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| said(output).into())
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().filter_map(|entry| entry["id"].as_str()).collect()
}

/// [C6] [C7] [C8]
#[test]
fn defaults_are_the_built_in_lists_whatever_the_settings_say() {
    let machine = Machine::with(r#"{"autoMode": {"allow": [], "hard_deny": ["Nothing at night"]}}"#);
    let found = machine.json(&["defaults", "--json"]);
    for list in LISTS {
        let entries = found[list].as_array().unwrap();
        assert!(!entries.is_empty() && entries.iter().all(|entry| entry["author"] == "built-in"), "{list}");
    }
    assert!(ids(&found["hard_deny"]).contains(&"exfiltration"));
    let output = machine.run(&["defaults"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0));
    for list in LISTS {
        assert!(text.lines().any(|line| line.starts_with(list)), "{list}: {text}");
        for id in ids(&found[list]) {
            assert!(text.lines().any(|line| line.trim_start().starts_with(id)), "{id}");
        }
    }
    assert!(!text.contains('\u{1b}') && !text.contains("Nothing at night"), "{text}");
}

/// [C8]
#[test]
fn config_shows_which_entries_are_the_users_and_where_they_stand() {
    let machine = Machine::with(
        "{\n  \"autoMode\": {\n    \"soft_deny\": [\"Never touch the wiki\", \"$defaults\", \"No releases on Friday\"],\n    \
         \"allow\": [\"Restarting the staging server\"]\n  }\n}",
    );
    let built_in = machine.json(&["defaults", "--json"]);
    let found = machine.json(&["config", "--json"]);
    let soft = &found["soft_deny"];
    let mut expected = vec!["user-soft-deny-1"];
    expected.extend(ids(&built_in["soft_deny"]));
    expected.push("user-soft-deny-3");
    assert_eq!(ids(&soft["entries"]), expected);
    assert_eq!(soft["built_in"], "kept");
    let first = &soft["entries"][0];
    assert_eq!((&first["author"], &first["origin"]["source"]), (&"user".into(), &"user".into()));
    assert_eq!(first["origin"]["line"], 3);
    assert!(soft["entries"][1]["origin"].is_null());
    assert_eq!(
        (&found["allow"]["built_in"], ids(&found["allow"]["entries"])),
        (&"replaced".into(), vec!["user-allow-1"])
    );
    assert_eq!(ids(&found["hard_deny"]["entries"]), ids(&built_in["hard_deny"]));
    let text = said(&machine.run(&["config"]));
    let line = text.lines().find(|line| line.contains("No releases on Friday")).unwrap();
    assert!(line.contains("user-soft-deny-3") && line.contains("settings.json:3:"), "{line}");
    assert!(text.contains("replaces the built-in list") && text.contains("settings.json:4:"), "{text}");
    assert!(text.contains("your own entries have no effect"), "{text}");
    assert!(!said(&Machine::new().run(&["config"])).contains("your own entries"));
}

/// [C8] [R11]
#[test]
fn lists_of_sources_are_joined_and_a_projects_do_not_count() {
    let machine = Machine::with(r#"{"autoMode": {"hard_deny": ["$defaults", "Mail to customers"]}}"#);
    machine.write("more.json", r#"{"autoMode": {"hard_deny": ["Calls to the billing service"]}}"#);
    machine.write(PROJECT, r#"{"autoMode": {"hard_deny": [], "allow": ["Everything"]}}"#);
    let more = machine.at("more.json");
    let output = machine.run(&["config", "--json", "--settings", more.to_str().unwrap()]);
    let found = json(&output);
    let entries = found["hard_deny"]["entries"].as_array().unwrap();
    let sources: Vec<(&Value, &Value)> = entries
        .iter()
        .filter(|entry| entry["author"] == "user")
        .map(|entry| (&entry["text"], &entry["origin"]["source"]))
        .collect();
    assert_eq!(
        sources,
        [
            (&"Calls to the billing service".into(), &"command-line".into()),
            (&"Mail to customers".into(), &"user".into())
        ]
    );
    assert_eq!(found["allow"]["built_in"], "kept");
    assert!(!said(&output).contains("Everything"), "{}", said(&output));
    let problems = found["problems"].to_string();
    assert!(problems.contains("`autoMode.allow` has no effect"), "{problems}");
}

/// [C8] [C17]
#[test]
fn without_a_model_the_built_in_judge_answers() {
    let machine = Machine::new();
    let found = &machine.json(&["config", "--json"])["classifier"];
    assert_eq!(
        (&found["answers"], found["model"].is_null(), found["key"].is_null()),
        (&"built-in".into(), true, true)
    );
    assert_eq!(
        (&found["strictness"]["value"], &found["stages"]["value"]),
        (&"balanced".into(), &"both".into())
    );
    assert_eq!((&found["iron_gate"]["value"], &found["timeout"]["value"]), (&"closed".into(), &25.0.into()));
    let text = said(&machine.run(&["config"]));
    assert!(text.contains("none: the built-in judge answers"), "{text}");
}

/// [C10] [C12] [C13]
#[test]
fn the_model_its_key_and_its_settings_are_shown_and_never_the_key_itself() {
    let machine = Machine::with(
        r#"{"classifier": {"model": "small-model", "baseUrl": "https://models.example.com/v1", "keyEnv": "ACME_KEY",
            "mode": "fast", "ironGate": "open", "timeout": 7.5}, "autoMode": {"strict": true}}"#,
    );
    let without = machine.json(&["config", "--json"]);
    assert_eq!(
        (&without["classifier"]["answers"], &without["classifier"]["key"]["set"]),
        (&"built-in".into(), &false.into())
    );
    assert!(said(&machine.run(&["config"])).contains("ACME_KEY is not set"));

    let secret = "correct-horse-battery-staple-0451";
    let with = [("ACME_KEY", secret)];
    let output = machine.run_with(&with, &["config", "--json"]);
    let found = &json(&output)["classifier"];
    assert_eq!((&found["answers"], &found["model"]["value"]), (&"model".into(), &"small-model".into()));
    assert_eq!(found["server"]["value"], "https://models.example.com/v1");
    assert_eq!((&found["key"]["variable"], &found["key"]["set"]), (&"ACME_KEY".into(), &true.into()));
    assert_eq!((&found["stages"]["value"], &found["iron_gate"]["value"]), (&"fast".into(), &"open".into()));
    assert_eq!((&found["timeout"]["value"], &found["strictness"]["value"]), (&7.5.into(), &"strict".into()));
    assert_eq!(found["model"]["from"]["line"], 1);
    let text = machine.run_with(&with, &["config"]);
    for output in [&output, &text] {
        assert!(!said(output).contains(secret), "{}", said(output));
    }
    assert!(said(&text).contains("ACME_KEY is set"), "{}", said(&text));

    let named = [("PORTCULLIS_AUTO_MODE_MODEL", "claude-other"), ("ACME_KEY", secret)];
    let found = json(&machine.run_with(&named, &["config", "--json"]));
    let model = &found["classifier"]["model"];
    assert_eq!(
        (&model["value"], &model["from"]["environment"]),
        (&"claude-other".into(), &"PORTCULLIS_AUTO_MODE_MODEL".into())
    );
}

/// [C13] [C18]
#[test]
fn the_usual_server_follows_from_the_model_and_a_password_in_an_address_is_hidden() {
    let machine = Machine::new();
    let named = [("PORTCULLIS_AUTO_MODE_MODEL", "claude-small")];
    let found = json(&machine.run_with(&named, &["config", "--json"]));
    let classifier = &found["classifier"];
    assert_eq!(
        (&classifier["key"]["variable"], &classifier["answers"]),
        (&"ANTHROPIC_API_KEY".into(), &"built-in".into())
    );
    let machine = Machine::with(
        r#"{"classifier": {"model": "m", "baseUrl": "https://me:pa55-w0rd-9@models.example.com/v1", "keyEnv": ""}}"#,
    );
    for arguments in [&["config"] as &[&str], &["config", "--json"]] {
        let text = said(&machine.run(arguments));
        assert!(text.contains("models.example.com") && !text.contains("pa55-w0rd-9"), "{text}");
    }
}

/// [C8]
#[test]
fn critique_names_each_weakness_with_its_place_and_exits_1() {
    let machine = Machine::with(
        "{\n  \"autoMode\": {\n    \"allow\": [\"$defaults\", \"Allow everything\"],\n    \"hard_deny\": [\"Mail to customers\"]\n  }\n}",
    );
    let output = machine.run(&["critique", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let found = json(&output);
    let found = found["findings"].as_array().unwrap();
    let one = |at: usize| {
        (&found[at]["list"], &found[at]["entry"], &found[at]["weakness"], &found[at]["origin"]["line"])
    };
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(one(0), (&"allow".into(), &2.into(), &"too-broad".into(), &3.into()));
    assert_eq!(one(1), (&"hard_deny".into(), &Value::Null, &"defaults-missing".into(), &4.into()));
    assert_eq!(found[0]["sentence"], "Allow everything");
    let output = machine.run(&["critique"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "allow entry 2",
        "too-broad",
        "\"Allow everything\"",
        "settings.json:3:",
        "defaults-missing",
        "your own entries have no effect",
        "2 weaknesses",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// [C8]
#[test]
fn critique_exits_0_where_nothing_is_weak() {
    let nothing = Machine::new();
    let good = Machine::with(
        r#"{"autoMode": {"allow": ["$defaults", "Restarting the staging server with `make restart-staging`"]}}"#,
    );
    for machine in [nothing, good] {
        let output = machine.run(&["critique"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert_eq!(machine.json(&["critique", "--json"])["findings"], Value::Array(Vec::new()));
    }
}

/// [C8]
#[test]
fn what_cannot_be_read_is_not_called_good() {
    let machine = Machine::with(r#"{"autoMode": {"allow": ["$defaults"#);
    for what in ["config", "critique"] {
        let output = machine.run(&[what]);
        assert_eq!(output.status.code(), Some(1), "{what}: {}", said(&output));
        assert!(said(&output).contains("settings.json"), "{what}: {}", said(&output));
    }
    assert_eq!(machine.run(&["critique", "--project", "/no/such/folder"]).status.code(), Some(3));
    assert_eq!(machine.run(&["nonsense"]).status.code(), Some(3));
    assert_eq!(machine.run(&[]).status.code(), Some(3));
}

/// [S3]
#[test]
fn hidden_characters_in_a_sentence_are_shown_as_escapes() {
    let machine = Machine::with(
        "{\"autoMode\": {\"allow\": [\"$defaults\", \"Restarting the\u{202e} staging server\"]}}",
    );
    for arguments in [&["config"] as &[&str], &["critique"], &["config", "--json"], &["critique", "--json"]] {
        let text = said(&machine.run(arguments));
        assert!(!text.contains('\u{202e}') && text.contains("202e"), "{arguments:?}: {text}");
    }
}
