//! The last good version of a file that is broken.

use super::*;
use crate::settings::trust;

/// [A2]
#[test]
fn while_a_file_is_broken_its_last_good_version_is_in_force() {
    let good = r#"{"permissions": {"allow": ["Bash(ls:*)"], "deny": ["Bash(rm:*)"]}}"#;
    for name in [USER, MANAGED, "etc/portcullis/settings.d/10-a.json"] {
        let machine = Machine::new();
        machine.write(name, good);
        let before = rules(&machine.load());
        assert_eq!(before.len(), 2, "{name}");
        machine.write(name, "{\n  \"permissions\": {,");
        let loaded = machine.load();
        assert_eq!(rules(&loaded), before, "{name}");
        assert!(!loaded.settings.incomplete && loaded.has_errors(), "{name}");
        let (said, today) = (said(&loaded), last_good::moment(std::time::SystemTime::now()));
        let date = today.split(' ').next().unwrap();
        assert!(said.contains(".json:2:19: ") && said.contains("the version of "), "{said}");
        assert!(said.contains(" UTC is in force") && said.contains(date.get(..4).unwrap()), "{said}");
        // Mended, it counts itself again.
        machine.write(name, r#"{"permissions": {"deny": ["WebFetch"]}}"#);
        assert_eq!(rules(&machine.load()).len(), 1, "{name}");
    }
}

/// [A2]
#[test]
fn every_way_of_being_broken_as_a_whole_leaves_the_last_version() {
    for make in [
        |path: &Path| std::fs::create_dir(path).unwrap(),
        |path: &Path| std::os::unix::fs::symlink("nowhere", path).unwrap(),
        |path: &Path| std::fs::write(path, "").unwrap(),
        |path: &Path| std::fs::write(path, "[]").unwrap(),
        |path: &Path| std::fs::write(path, b"{\"enforce\": \"\xff\"}").unwrap(),
        |path: &Path| std::fs::write(path, format!("{{}}{}", " ".repeat(1 << 20))).unwrap(),
    ] {
        let machine = Machine::new();
        let path = machine.write(USER, r#"{"permissions": {"deny": ["Bash(rm:*)"]}}"#);
        machine.load();
        std::fs::remove_file(&path).unwrap();
        make(&path);
        let loaded = machine.load();
        assert_eq!((rules(&loaded).len(), loaded.settings.incomplete), (1, false), "{}", said(&loaded));
        assert!(loaded.has_errors() && said(&loaded).contains("is in force"), "{}", said(&loaded));
    }
}

/// [A2] [R1] A deny rule that was added together with the mistake guards all the same.
#[test]
fn what_guards_in_the_broken_version_guards_too() {
    let machine = Machine::new();
    machine.write(USER, r#"{"permissions": {"deny": ["Bash(rm:*)"]}}"#);
    machine.load();
    machine.write(USER, r#"{"permissions": {"deny": ["Bash(curl:*)", "WebFetch"}}"#);
    let texts: Vec<String> = rules(&machine.load()).into_iter().map(|(_, _, text)| text).collect();
    assert_eq!(texts, ["Bash(rm:*)", "Bash(curl:*)", "WebFetch"]);
}

/// [A2] [R11] A copy of a project's file is a project's file: what it loosens counts as long as it is trusted.
#[test]
fn the_last_version_of_a_project_file_needs_its_own_trust() {
    for name in [PROJECT, LOCAL] {
        let machine = Machine::new();
        let good = r#"{"permissions": {"allow": ["Bash(make:*)"], "deny": ["Bash(rm:*)"]}}"#;
        let path = machine.write(name, good);
        trust::trust(&machine.places(), &path).unwrap();
        assert_eq!(rules(&machine.load()).len(), 2);
        machine.write(name, "{");
        assert_eq!(rules(&machine.load()).len(), 2, "trusted by its content");
        trust::forget(&machine.places(), &path).unwrap();
        let left = rules(&machine.load());
        assert_eq!(left.iter().map(|rule| rule.1).collect::<Vec<_>>(), ["deny"]);
    }
}

/// [A2]
#[test]
fn a_file_that_was_deleted_is_gone_and_does_not_come_back() {
    let machine = Machine::new();
    let path = machine.write(USER, r#"{"permissions": {"allow": ["Bash(make:*)"]}}"#);
    machine.load();
    std::fs::remove_file(&path).unwrap();
    let loaded = machine.load();
    assert!(rules(&loaded).is_empty() && loaded.problems.is_empty());
    machine.write(USER, "{");
    let loaded = machine.load();
    assert!(rules(&loaded).is_empty() && loaded.settings.incomplete);
}

/// [A2] A version that lost a deny rule is not good, and is not kept.
#[test]
fn only_whole_versions_are_kept() {
    let machine = Machine::new();
    machine.write(USER, r#"{"permissions": {"allow": ["Bash(ls:*)"], "deny": 1}}"#);
    assert!(machine.load().settings.incomplete);
    machine.write(USER, "{");
    let loaded = machine.load();
    assert!(loaded.settings.incomplete && rules(&loaded).is_empty());
}

/// [A2] [A3] Where no copy can be written everything else goes on; one that others can write is not used.
#[test]
fn copies_never_make_a_load_fail_and_are_not_believed_blindly() {
    let machine = Machine::new();
    machine.write(USER, r#"{"permissions": {"deny": ["Bash(rm:*)"]}}"#);
    let good = machine.write("home/.local/state/portcullis/good", "in the way");
    assert_eq!(said(&machine.load()), "");
    std::fs::remove_file(&good).unwrap();
    machine.load();
    let opened = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(&good, opened).unwrap();
    machine.write(USER, "{");
    assert!(machine.load().settings.incomplete);
}

/// [A2] [J4]
#[test]
fn hermetic_loads_write_nothing() {
    let machine = Machine::new();
    let path = machine.write("x/named.json", r#"{"permissions": {"deny": ["WebFetch"]}}"#);
    let overrides = Overrides { settings: vec![path.clone()], ..Overrides::default() };
    let places = Places::none(&machine.places().project);
    assert_eq!(rules(&load(&places, &overrides)).len(), 1);
    machine.write("x/named.json", "{");
    assert!(load(&places, &overrides).settings.incomplete);
    assert!(!machine.places().state.exists());
    // With places, a file that the command line names is kept like any other.
    machine.write("x/named.json", r#"{"permissions": {"deny": ["WebFetch"]}}"#);
    assert_eq!(rules(&load(&machine.places(), &overrides)).len(), 1);
    machine.write("x/named.json", "{");
    assert_eq!(rules(&load(&machine.places(), &overrides)).len(), 1);
}
