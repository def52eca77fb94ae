//! What a repository cannot do until it is trusted.

use super::*;
use crate::settings::trust;

/// [R11]
#[test]
fn a_project_can_only_tighten_until_it_is_trusted() {
    let machine = Machine::new();
    let text = r#"{"permissions": {"allow": ["Bash(make:*)"], "deny": ["WebFetch"], "defaultMode": "acceptEdits", "additionalDirectories": ["../other"]}}"#;
    let file = machine.write(PROJECT, text);
    let before = machine.load();
    assert_eq!(rules(&before), [("project", "deny", "WebFetch".to_owned())]);
    assert_eq!(before.settings.mode, None);
    assert_eq!(before.settings.inactive_rules().len(), 1);
    assert!(before.settings.additional_directories.is_empty());
    assert!(said(&before).contains("wait until the file is trusted"), "{}", said(&before));

    let review = trust::trust(&machine.places(), &file).unwrap();
    assert_eq!(review.loosened.len(), 3);
    assert!(
        review.loosened.iter().any(|it| it.dangerous && it.value == "Bash(make:*)" && it.origin.line == 1)
    );
    let after = machine.load();
    assert_eq!(rules(&after).len(), 2);
    assert_eq!(after.settings.mode.as_ref().map(|mode| mode.value), Some(Mode::AcceptEdits));
    let project = machine.places().project.display().to_string();
    assert_eq!(after.context(&project, "/h").roots.len(), if cfg!(target_os = "macos") { 4 } else { 2 });

    machine.write(PROJECT, &format!("{text} "));
    assert_eq!(rules(&machine.load()).len(), 1, "other content is not trusted");
    machine.write(PROJECT, text);
    assert!(trust::forget(&machine.places(), &file).unwrap());
    assert_eq!(rules(&machine.load()).len(), 1);
}

/// [R11]
#[test]
fn local_files_need_trust_too() {
    let machine = Machine::new();
    let file = machine.write(LOCAL, r#"{"permissions": {"allow": ["Bash(make:*)"]}}"#);
    assert!(rules(&machine.load()).is_empty());
    trust::trust(&machine.places(), &file).unwrap();
    assert_eq!(rules(&machine.load()), [("local", "allow", "Bash(make:*)".to_owned())]);
}

/// [R11]
#[test]
fn a_link_to_a_trusted_file_is_not_trusted() {
    let machine = Machine::new();
    let trusted = machine.write("other/.portcullis/settings.json", r#"{"permissions": {"allow": ["Bash"]}}"#);
    trust::trust(&machine.places(), &trusted).unwrap();
    std::fs::create_dir_all(machine.places().project).unwrap();
    std::os::unix::fs::symlink("../other/.portcullis", machine.places().project.join(".portcullis")).unwrap();
    assert!(rules(&machine.load()).is_empty());
}

/// [R11], [C8], [M4]
#[test]
fn no_trust_lets_a_project_choose_its_judge() {
    let machine = Machine::new();
    let file = machine.write(
        PROJECT,
        r#"{"permissions": {"defaultMode": "bypassPermissions"}, "autoMode": {"allow": ["all"]}, "hooks": {"x": 1},
            "classifier": {"model": "mine"}, "enforce": false, "honourHostMode": ["codex"], "readClaudeCode": true}"#,
    );
    trust::trust(&machine.places(), &file).unwrap();
    let settings = machine.load().settings;
    assert_eq!(settings.mode, None);
    assert!(
        settings.auto_mode.allow.is_none()
            && settings.hooks.is_empty()
            && settings.classifier.model.is_none()
    );
    assert!(
        settings.enforce.is_none()
            && settings.honour_host_mode.is_none()
            && settings.read_claude_code.is_none()
    );
    assert!(settings.values().iter().all(|shown| shown.status != ValueStatus::InForce));
}

#[test]
fn a_ledger_that_others_can_change_trusts_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new();
    let file = machine.write(PROJECT, r#"{"permissions": {"allow": ["Bash(ls)"]}}"#);
    trust::trust(&machine.places(), &file).unwrap();
    let ledger = machine.places().state.join("trust.json");
    std::fs::set_permissions(&ledger, std::fs::Permissions::from_mode(0o666)).unwrap();
    let loaded = machine.load();
    assert!(rules(&loaded).is_empty() && said(&loaded).contains("nothing is trusted"), "{}", said(&loaded));
    assert!(trust::trust(&machine.places(), &file).is_err());
}

#[test]
fn folders_are_trusted_where_they_lead_but_not_links_inside() {
    let machine = Machine::new();
    let project = machine.places().project;
    std::fs::create_dir_all(&project).unwrap();
    std::os::unix::fs::symlink("/", project.join("link")).unwrap();
    machine.write(USER, r#"{"permissions": {"additionalDirectories": ["link", "~/notes", "../docs/"]}}"#);
    let at = |name: &str| machine.folder.path().join(name).display().to_string();
    let roots = machine.load().context(&at("proj"), &at("home")).roots;
    let spelled = [at("proj"), at("home/notes"), at("docs")];
    assert_eq!(roots.iter().take(3).collect::<Vec<_>>(), spelled.iter().collect::<Vec<_>>());
    assert!(!roots.contains(&"/".to_owned()));
}
