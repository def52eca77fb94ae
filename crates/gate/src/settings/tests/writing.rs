//! What is written into files of people.

use super::*;

#[test]
fn an_import_keeps_what_is_there() {
    let machine = Machine::new();
    machine.write(
        "home/.claude/settings.json",
        r#"{"permissions": {"allow": ["Bash(ls:*)", "Bash(pwd)"], "defaultMode": "plan", "additionalDirectories": ["~/x"]}, "hooks": {}, "model": "m"}"#,
    );
    machine.write(USER, "{\n  // mine\n  \"permissions\": {\n    \"defaultMode\": \"default\", // why\n    \"allow\": [\"Bash(pwd)\"]\n  }\n}\n");
    let import = import::from_claude_code(&machine.places()).unwrap();
    assert_eq!((import.taken.len(), import.kept.len()), (2, 2));
    import.write().unwrap();
    let text = std::fs::read_to_string(machine.folder.path().join(USER)).unwrap();
    assert!(text.contains("// mine") && text.contains("// why"), "{text}");
    let loaded = machine.load();
    assert_eq!(loaded.settings.rules().len(), 2);
    assert_eq!(loaded.settings.mode.unwrap().value, Mode::Default);
    assert_eq!(import::from_claude_code(&machine.places()).unwrap().taken.len(), 0);
}

#[test]
fn an_import_writes_over_nothing_broken() {
    let machine = Machine::new();
    machine.write("home/.claude/settings.json", "{}");
    machine.write(USER, "{");
    assert!(import::from_claude_code(&machine.places()).is_err());
}

/// [M3]
#[test]
fn the_mode_is_written_and_everything_else_stays() {
    let machine = Machine::new();
    let places = machine.places();
    let file = set_default_mode(&places, Mode::Plan).unwrap();
    assert_eq!(machine.load().settings.mode.unwrap().value, Mode::Plan);
    let before = "{\n  // mine\n  \"permissions\": {\n    \"defaultMode\": \"plan\", // why\n    \"deny\": [\"WebFetch\",]\n  },\n  \"enforce\": true /* x */\n}\n";
    std::fs::write(&file, before).unwrap();
    set_default_mode(&places, Mode::Auto).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before.replace("plan", "auto"));
    let without = "{\n  // only this\n  \"enforce\": true\n}\n";
    std::fs::write(&file, without).unwrap();
    set_default_mode(&places, Mode::DontAsk).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("// only this") && text.contains("\"enforce\": true"), "{text}");
    assert_eq!(machine.load().settings.mode.unwrap().value, Mode::DontAsk);
}

/// [M3]
#[test]
fn a_file_that_is_broken_or_says_it_twice_is_not_written() {
    let machine = Machine::new();
    for text in [
        "{",
        "[]",
        r#"{"permissions": 1}"#,
        r#"{"permissions": {"defaultMode": "plan", "defaultMode": "auto"}}"#,
        r#"{"permissions": {"defaultMode": "plan"}, "permissions": {"defaultMode": "auto"}}"#,
    ] {
        let file = machine.write(USER, text);
        assert!(set_default_mode(&machine.places(), Mode::Default).is_err(), "{text}");
        assert_eq!(std::fs::read_to_string(file).unwrap(), text);
    }
}
