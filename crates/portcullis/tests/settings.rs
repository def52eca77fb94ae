//! The commands about settings, run as people run them, on machines that are made up.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

use std::io::{Read, Write};
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
        std::fs::create_dir_all(machine.at("proj/deep")).unwrap();
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> &Machine {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::cargo_bin("portcullis")
            .unwrap()
            .args(arguments)
            .current_dir(self.at("proj/deep"))
            .env_clear()
            // The test is the person who runs it.
            .env("PORTCULLIS_TEST_LOGIN", format!("{}:no-terminal", std::process::id()))
            .env("HOME", self.at("home"))
            .output()
            .unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_slice(&self.run(arguments).stdout).unwrap()
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const USER: &str = "home/.config/portcullis/settings.json";
const PROJECT: &str = "proj/.portcullis/settings.json";

#[test]
fn settings_show_values_with_their_origin_and_problems_first() {
    let machine = Machine::new();
    machine.write(USER, "{\n  \"permissions\": {\"defaultMode\": \"plan\"},\n  \"enforse\": true\n}");
    machine.write(PROJECT, r#"{"permissions": {"allow": ["Bash(make:*)"], "deny": ["WebFetch"]}}"#);
    let output = machine.run(&["settings"]);
    let shown = text(&output);
    assert!(shown.starts_with("warning: "), "{shown}");
    assert!(
        shown.contains("settings.json:3:3: there is no setting `enforse`; did you mean `enforce`?"),
        "{shown}"
    );
    assert!(shown.contains("\"plan\"") && shown.contains("your user settings ("), "{shown}");
    assert!(shown.contains("no effect: the file is not trusted"), "{shown}");
    assert!(output.status.success());

    let json = machine.json(&["settings", "--json"]);
    let standing = |key: &str| {
        let values = json["values"].as_array().unwrap();
        values.iter().find(|value| value["key"] == key).unwrap()["standing"].clone()
    };
    assert_eq!(standing("permissions.allow"), "untrusted");
    assert_eq!(standing("permissions.deny"), "in-force");
    assert_eq!(json["problems"][0]["column"], 3);
}

/// [R2]
#[test]
fn broken_settings_end_with_a_code_of_their_own() {
    let machine = Machine::new();
    machine.write(USER, "{\"permissions\": {\"deny\": [\"Bash(rm:*)\" }}");
    let output = machine.run(&["settings"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).starts_with("error: "), "{}", text(&output));
    assert_eq!(machine.json(&["settings", "--json"])["incomplete"], true);
}

/// [R11]
#[test]
fn trust_shows_records_lists_and_forgets() {
    let machine = Machine::new();
    machine.write(
        PROJECT,
        r#"{"permissions": {"allow": ["Bash(python:*)", "Bash(ls)"], "defaultMode": "auto"}}"#,
    );
    let asked = machine.run(&["trust"]);
    assert_eq!(asked.status.code(), Some(3), "nobody can be asked in a test");
    assert!(text(&asked).contains("lets nearly anything run"), "{}", text(&asked));
    assert!(text(&asked).contains("a project may not choose this mode"), "{}", text(&asked));
    assert_eq!(text(&machine.run(&["trust", "--list"])), "no file is trusted\n");

    assert!(machine.run(&["trust", "--yes"]).status.success());
    let in_force = |machine: &Machine| {
        let rules = machine.json(&["rules", "--json"]);
        rules["rules"].as_array().unwrap().iter().filter(|rule| rule["standing"] == "in-force").count()
    };
    assert_eq!(in_force(&machine), 2);
    assert!(text(&machine.run(&["trust", "--list"])).contains(".portcullis/settings.json"));

    machine.write(PROJECT, r#"{"permissions": {"allow": ["Bash"]}}"#);
    assert_eq!(in_force(&machine), 0);
    assert!(text(&machine.run(&["trust", "--list"])).contains("changed since"));
    let file = machine.at(PROJECT).display().to_string();
    assert!(text(&machine.run(&["trust", "--forget", &file])).contains("is trusted no longer"));
    assert_eq!(text(&machine.run(&["trust", "--list"])), "no file is trusted\n");
}

#[test]
fn trust_is_for_files_of_projects() {
    let machine = Machine::new();
    machine.write("notes.json", "{}");
    let output = machine.run(&["trust", "--yes", &machine.at("notes.json").display().to_string()]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not a settings file of a project"));
    assert!(text(&machine.run(&["trust"])).contains("there is nothing to trust"));
}

#[test]
fn rules_are_listed_with_what_is_odd_about_them() {
    let machine = Machine::new();
    machine.write(
        USER,
        r#"{"permissions": {"allow": ["Bash(git push origin:*)", "Bash(python:*)", "Bash(x", "Bash(rm -rf /)"], "deny": ["Bash(git push:*)", "WebFetch"]}}"#,
    );
    machine.write(PROJECT, r#"{"permissions": {"deny": ["WebFetch"], "allow": ["Read"]}}"#);
    let json = machine.json(&["rules", "--json"]);
    let marks = |source: &str, text: &str| -> Vec<String> {
        let rules = json["rules"].as_array().unwrap();
        let rule = rules.iter().find(|it| it["rule"] == text && it["origin"]["source"] == source).unwrap();
        rule["marks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mark| mark["kind"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(marks("user", "Bash(git push origin:*)"), ["shadowed"]);
    assert_eq!(marks("user", "Bash(python:*)"), ["dangerous"]);
    assert_eq!(marks("user", "Bash(x"), ["never"]);
    assert_eq!(marks("user", "Bash(rm -rf /)"), ["never"]);
    assert_eq!(marks("user", "WebFetch"), ["duplicate"]);
    assert!(marks("user", "Bash(git push:*)").is_empty());
    let shown = text(&machine.run(&["rules"]));
    assert!(shown.contains("shadowed: the deny rule `Bash(git push:*)` in your user settings"), "{shown}");
    assert!(shown.contains("no effect: the file is not trusted"), "{shown}");
}

#[test]
fn import_takes_over_and_keeps() {
    let machine = Machine::new();
    let from = "home/.claude/settings.json";
    let none = machine.run(&["import"]);
    assert_eq!(none.status.code(), Some(3));
    machine.write(from, r#"{"permissions": {"allow": ["Bash(ls)"], "deny": ["WebFetch"]}, "model": "x"}"#);
    machine.write(USER, "{ // mine\n  \"permissions\": {\"deny\": [\"WebFetch\"]}\n}\n");
    let dry = machine.run(&["import", "--dry-run"]);
    assert!(text(&dry).contains("1 would be taken over"), "{}", text(&dry));
    let before = std::fs::read_to_string(machine.at(USER)).unwrap();
    assert!(!before.contains("Bash(ls)"));
    assert!(machine.run(&["import", "--from", "claude-code"]).status.success());
    let after = std::fs::read_to_string(machine.at(USER)).unwrap();
    assert!(after.contains("Bash(ls)") && after.contains("// mine"), "{after}");
    assert!(text(&machine.run(&["import"])).contains("nothing to take over"));
}

#[test]
fn the_schema_is_json_and_names_every_group() {
    let schema = Machine::new().json(&["schema"]);
    for group in ["permissions", "autoMode", "classifier", "hooks"] {
        assert!(schema["properties"].get(group).is_some(), "{group}");
    }
}

#[test]
fn what_a_terminal_would_act_on_is_shown() {
    let machine = Machine::new();
    machine.write(USER, "{\"permissions\": {\"deny\": [\"Bash(a\\u001b[2Jb)\"]}}");
    for verb in ["settings", "rules"] {
        assert!(!text(&machine.run(&[verb])).contains("\u{1b}[2J"), "{verb}");
    }
}

/// [C12] [C13]
#[test]
fn refresh_fetches_and_says_what_came_of_it() {
    let machine = Machine::new();
    let nothing = machine.run(&["settings", "refresh"]);
    assert!(nothing.status.success() && text(&nothing).contains("`remoteConfig.url` is not set"));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/p.json", listener.local_addr().unwrap());
    machine.write(USER, &format!(r#"{{"remoteConfig": {{"url": "{url}"}}}}"#));
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let length = stream.read(&mut request).unwrap();
        let body = "{\n  \"permissions\": {\"deny\": [\"WebFetch\"], \"allow\": [\"Bash\"]}\n}";
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length:";
        stream.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
        String::from_utf8_lossy(request.get(..length).unwrap()).into_owned()
    });
    let fetched = machine.run(&["settings", "refresh"]);
    assert!(fetched.status.success(), "{fetched:?}");
    assert_eq!(text(&fetched), format!("fetched from {url}\n"));
    assert!(server.join().unwrap().starts_with("GET /p.json HTTP/1.1\r\n"));
    let shown = text(&machine.run(&["settings"]));
    assert!(shown.contains(&format!("the fetched settings ({url}:2:27)")), "{shown}");
    assert!(shown.contains("`permissions.allow` has no effect"), "{shown}");
    // Nobody listens any more: what was fetched stays.
    let failed = machine.run(&["settings", "refresh"]);
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    assert!(text(&failed).contains("what was fetched before stays in force"), "{failed:?}");
    let shown = text(&machine.run(&["settings"]));
    assert!(shown.contains("\"WebFetch\"") && shown.contains("could not be fetched at"), "{shown}");
}
