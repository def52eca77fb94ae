//! What is said about files that are broken or wrong, and what still guards.

use super::*;

/// [R2], [A2]
#[test]
fn a_broken_file_keeps_guarding_and_makes_calls_ask() {
    let machine = Machine::new();
    machine.write(
        USER,
        "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls:*)\"]\n    \"deny\": [\"Bash(rm:*)\"]\n  }\n}",
    );
    let loaded = machine.load();
    assert_eq!(rules(&loaded), [("user", "deny", "Bash(rm:*)".to_owned())]);
    assert!(said(&loaded).contains("settings.json:3:28: expected comma"), "{}", said(&loaded));
    let context = loaded.context("/home/dev/proj", "/home/dev");
    let ruling = |command: &str| {
        let mut context = context.clone();
        context.mode = Mode::Bypass;
        decide(&ToolCall::new("Bash", json!({ "command": command }), "/home/dev/proj"), &context)
            .decision
            .name()
    };
    assert_eq!((ruling("rm x"), ruling("ls")), ("deny", "ask"));
}

/// [A3]
#[test]
fn what_cannot_be_read_is_a_loss() {
    for make in [
        |path: &Path| std::fs::create_dir_all(path).unwrap(),
        |path: &Path| std::os::unix::fs::symlink("nowhere", path).unwrap(),
        |path: &Path| std::fs::write(path, "").unwrap(),
        |path: &Path| std::fs::write(path, "[]").unwrap(),
        |path: &Path| {
            std::fs::write(path, b"{\"permissions\": {\"deny\": [\"Bash(rm:*)\", \"\xff\"]}}").unwrap();
        },
        |path: &Path| std::fs::write(path, format!("{{}}{}", " ".repeat(1 << 20))).unwrap(),
        |path: &Path| std::fs::write(path, r#"{"permissions": {"deny": [{"tool": "Bash"}]}}"#).unwrap(),
        |path: &Path| std::fs::write(path, r#"{"permissions": {"deny": 1}}"#).unwrap(),
        |path: &Path| std::fs::write(path, r#"{"permissions": ["deny"]}"#).unwrap(),
        |path: &Path| std::fs::write(path, r#"{"deny": ["Bash"]}"#).unwrap(),
        |path: &Path| std::fs::write(path, r#"{"permissions": {"Deny": ["Bash"]}}"#).unwrap(),
        |path: &Path| std::fs::write(path, r#"{"permissions": {"deny": [""]}}"#).unwrap(),
    ] {
        let machine = Machine::new();
        let path = machine.folder.path().join(USER);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        make(&path);
        let loaded = machine.load();
        assert!(loaded.settings.incomplete && loaded.has_errors(), "{}", said(&loaded));
    }
}

/// [R2]
#[test]
fn mistakes_that_loosen_nothing_are_said_with_their_place() {
    let machine = Machine::new();
    machine.write(
        USER,
        r#"{"permissions": {"allow": [1, "Bash(x", "Bash(ls)"], "deny": ["bash(rm:*)"], "defaultMode": "yolo"},
 "enforce": "no", "permision": 1, "powershelAutoMode": true, "statusLine": {}, "classifier": {"timeout": -1}}"#,
    );
    let loaded = machine.load();
    let said = said(&loaded);
    for part in [
        "settings.json:1:28: a rule is text",
        "settings.json:1:38: the allow rule `Bash(x` is not understood",
        "did you mean `Bash`?; it guards its literal text only",
        "`yolo` is not a mode",
        "`enforce` is `\"no\"`; it should be `true` or `false`",
        "there is no setting `powershelAutoMode`; did you mean `powershellAutoMode`?",
        "there is no setting `statusLine`; it has no effect",
        "`classifier.timeout` is `-1`",
    ] {
        assert!(said.contains(part), "{part}\n\n{said}");
    }
    assert_eq!(loaded.settings.mode.map(|mode| mode.value), Some(Mode::Default));
}

#[test]
fn of_a_key_that_comes_twice_the_last_counts_but_all_guards_do() {
    let machine = Machine::new();
    machine.write(
        USER,
        r#"{"permissions": {"allow": ["Read"], "deny": ["WebFetch"]}, "permissions": {"allow": ["Edit"], "deny": ["Bash"], "deny": ["Skill"]}}"#,
    );
    let loaded = machine.load();
    let texts: Vec<_> = loaded.settings.rules().iter().map(|rule| rule.text.as_str()).collect();
    assert_eq!(texts, ["WebFetch", "Edit", "Bash", "Skill"]);
    assert!(said(&loaded).contains("`permissions` comes twice"));
    assert!(
        loaded.settings.incomplete,
        "which of the two is meant is not known, so everything is asked about"
    );
}

/// [H4]
#[test]
fn hooks_that_are_not_understood_are_said_with_their_place() {
    let machine = Machine::new();
    machine.write(USER, "{\n  \"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"prompt\"}]}]}\n}");
    let loaded = machine.load();
    assert!(loaded.has_errors());
    assert!(
        said(&loaded).contains("settings.json:2:12: `hooks.PreToolUse[0].hooks[0]`"),
        "{}",
        said(&loaded)
    );
    // Of two values none is lost.
    let one = r#""hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "guard"}]}]}"#;
    machine.write(USER, &format!("{{{one}, {one}}}"));
    assert_eq!(machine.load().settings.hooks.len(), 2);
    machine.write(USER, r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}], "PreToolUse": []}}"#);
    let loaded = machine.load();
    assert!(
        loaded.settings.incomplete && said(&loaded).contains("`PreToolUse` comes twice"),
        "{}",
        said(&loaded)
    );
}

/// Every key of the table has a field, and is shown with its example as value.
#[test]
fn every_key_is_kept() {
    let machine = Machine::new();
    let mut root = serde_json::Map::new();
    for key in keys::KEYS {
        let value: serde_json::Value = serde_json::from_str(key.example).unwrap();
        match key.name.split_once('.') {
            Some((group, name)) => {
                let group = root.entry(group).or_insert_with(|| json!({}));
                group.as_object_mut().unwrap().insert(name.to_owned(), value);
            }
            None => {
                root.insert(key.name.to_owned(), value);
            }
        }
    }
    machine.write(MANAGED, &serde_json::Value::Object(root).to_string());
    let kept = r#"{"url": "https://settings.example.com/portcullis.json", "fetched": 1, "document": "{}", "failed": null}"#;
    machine.write("home/.local/state/portcullis/remote.json", kept);
    let loaded = machine.load();
    assert_eq!(said(&loaded), "");
    assert_eq!(loaded.settings.values().len(), keys::KEYS.len());
    assert!(loaded.settings.rules().iter().any(|rule| rule.list == List::Allow));
}
