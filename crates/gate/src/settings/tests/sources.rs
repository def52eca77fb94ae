//! Which values count where several files say something.

use super::*;

/// [R1]
#[test]
fn rule_lists_of_all_sources_count_together() {
    let machine = Machine::new();
    machine.write(USER, r#"{"permissions": {"allow": ["Bash(ls:*)"], "deny": ["Bash(rm:*)"]}}"#);
    machine.write(MANAGED, r#"{"permissions": {"deny": ["WebFetch"]}}"#);
    machine.write(PROJECT, r#"{"permissions": {"ask": ["Bash(git push:*)"]}}"#);
    let overrides = Overrides { deny: vec!["Read(.env)".to_owned()], ..Overrides::default() };
    let loaded = load(&machine.places(), &overrides);
    assert_eq!(
        rules(&loaded),
        [
            ("managed", "deny", "WebFetch".to_owned()),
            ("command-line", "deny", "Read(.env)".to_owned()),
            ("project", "ask", "Bash(git push:*)".to_owned()),
            ("user", "allow", "Bash(ls:*)".to_owned()),
            ("user", "deny", "Bash(rm:*)".to_owned()),
        ]
    );
    assert_eq!(said(&loaded), "");
}

/// [R1]
#[test]
fn of_values_the_highest_source_counts() {
    let machine = Machine::new();
    machine.write(USER, r#"{"permissions": {"defaultMode": "acceptEdits"}, "powershellAutoMode": true}"#);
    let mode = |loaded: &Loaded| loaded.settings.mode.clone().map(|mode| (mode.value, mode.origin.source));
    assert_eq!(mode(&machine.load()), Some((Mode::AcceptEdits, Source::User)));
    let overrides = Overrides { mode: Some(Mode::Plan), ..Overrides::default() };
    assert_eq!(mode(&load(&machine.places(), &overrides)), Some((Mode::Plan, Source::CommandLine)));
    machine.write(MANAGED, r#"{"permissions": {"defaultMode": "dontAsk"}}"#);
    let loaded = load(&machine.places(), &overrides);
    assert_eq!(mode(&loaded), Some((Mode::DontAsk, Source::Managed)));
    let shown = loaded.settings.values();
    let modes: Vec<_> =
        shown.iter().filter(|it| it.key == "permissions.defaultMode").map(|it| it.status).collect();
    assert_eq!(modes, [ValueStatus::InForce, ValueStatus::Overridden, ValueStatus::Overridden]);
    assert!(loaded.context("/p", "/h").switches.powershell_auto);
}

/// [R1]
#[test]
fn drop_ins_count_after_their_names() {
    let machine = Machine::new();
    machine.write(MANAGED, r#"{"classifier": {"mode": "both"}}"#);
    machine.write("etc/portcullis/settings.d/10-a.json", r#"{"classifier": {"mode": "fast"}}"#);
    machine.write("etc/portcullis/settings.d/20-b.json", r#"{"classifier": {"mode": "thinking"}}"#);
    machine.write("etc/portcullis/settings.d/.hidden.json", "broken");
    machine.write("etc/portcullis/settings.d/notes.txt", "broken");
    let loaded = machine.load();
    assert_eq!(loaded.settings.classifier.mode.unwrap().value, Stages::Thinking);
    assert!(loaded.problems.is_empty());
}

/// [R1]
#[test]
fn managed_rules_can_be_the_only_ones() {
    let machine = Machine::new();
    machine.write(
        MANAGED,
        r#"{"allowManagedPermissionRulesOnly": true, "permissions": {"deny": ["WebFetch"]}}"#,
    );
    machine.write(USER, r#"{"permissions": {"allow": ["Bash"]}, "allowManagedPermissionRulesOnly": false}"#);
    machine.write(LOCAL, "broken");
    let loaded = machine.load();
    assert_eq!(rules(&loaded), [("managed", "deny", "WebFetch".to_owned())]);
    assert_eq!(loaded.settings.inactive_rules().len(), 1);
    assert!(!loaded.settings.incomplete, "what is lost of rules that do not count is no loss");
}

/// [M3]
#[test]
fn modes_can_be_forbidden_from_anywhere() {
    let machine = Machine::new();
    machine.write(MANAGED, r#"{"permissions": {"disableAutoMode": false}}"#);
    machine.write(
        PROJECT,
        r#"{"disableBypassPermissionsMode": "disable", "permissions": {"disableAutoMode": "yes"}}"#,
    );
    let loaded = machine.load();
    let switches = loaded.context("/p", "/h").switches;
    assert!(switches.bypass_disabled && switches.auto_disabled);
    assert!(said(&loaded).contains("it is taken as `\"disable\"`"));
}

/// [C8]
#[test]
fn what_the_classifier_blocks_comes_from_all_sources_and_what_passes_from_the_highest() {
    let machine = Machine::new();
    machine.write(MANAGED, r#"{"autoMode": {"allow": [], "soft_deny": ["a"], "askRules": "classify"}}"#);
    machine.write(
        USER,
        r#"{"autoMode": {"allow": ["everything"], "soft_deny": ["b"]}, "dangerousRules": "standard"}"#,
    );
    machine.write(PROJECT, r#"{"dangerousRules": "extended"}"#);
    let loaded = machine.load();
    let auto = &loaded.settings.auto_mode;
    assert_eq!(auto.allow.as_ref().unwrap().value, Vec::<String>::new());
    assert_eq!(auto.soft_deny.len(), 2);
    let switches = loaded.context("/p", "/h").switches;
    assert!(switches.classify_ask_rules);
    assert_eq!(switches.extra_dangerous, Extra::SetAside);
}

/// [D1], [R11] A source that counts more cannot loosen what another one says.
#[test]
fn of_dangerous_rules_the_strictest_word_counts_whoever_says_it() {
    for words in [
        ["standard", "standard", "standard"],
        ["extended", "standard", "standard"],
        ["standard", "extended", "standard"],
        ["standard", "standard", "extended"],
        ["extended", "extended", "standard"],
        ["extended", "extended", "extended"],
    ] {
        let machine = Machine::new();
        for (name, word) in [MANAGED, PROJECT, USER].into_iter().zip(words) {
            machine.write(name, &json!({ "dangerousRules": word }).to_string());
        }
        let loaded = machine.load();
        let strict = words.contains(&"extended");
        let expected = if strict { Extra::SetAside } else { Extra::Keep };
        assert_eq!(loaded.context("/p", "/h").switches.extra_dangerous, expected, "{words:?}");
        let shown = loaded.settings.values();
        let in_force: Vec<_> = shown.iter().filter(|it| it.status == ValueStatus::InForce).collect();
        assert_eq!((in_force.len(), in_force[0].value == "extended"), (1, strict), "{words:?}");
        assert_eq!(shown.len(), 3, "{words:?}");
    }
}

/// [C2]
#[test]
fn the_conversation_is_written_down_as_the_settings_say() {
    use portcullis_classify::transcript::Layout;
    for (word, layout) in [("text", Layout::PlainText), ("jsonl", Layout::JsonLines)] {
        let machine = Machine::new();
        machine.write(USER, &json!({ "classifier": { "transcript": word } }).to_string());
        assert_eq!(machine.load().settings.classifier.transcript.unwrap().value, layout);
    }
}

#[test]
fn claude_code_is_read_when_the_user_says_so() {
    let machine = Machine::new();
    machine.write(
        "home/.claude/settings.json",
        r#"{"permissions": {"allow": ["Bash(ls:*)"]}, "statusLine": 1, "env": {}}"#,
    );
    machine
        .write("proj/.claude/settings.json", r#"{"permissions": {"allow": ["Bash"], "deny": ["WebFetch"]}}"#);
    assert!(rules(&machine.load()).is_empty());
    machine.write(PROJECT, r#"{"readClaudeCode": true}"#);
    assert!(rules(&machine.load()).is_empty());
    machine.write(USER, r#"{"readClaudeCode": true}"#);
    let loaded = machine.load();
    let expected = [("project", "deny", "WebFetch".to_owned()), ("user", "allow", "Bash(ls:*)".to_owned())];
    assert_eq!(rules(&loaded), expected);
    assert!(!said(&loaded).contains("statusLine"));
}

/// [H4]
#[test]
fn hooks_of_claude_code_are_its_own() {
    let machine = Machine::new();
    let hooks = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "guard"}]}]}, "readClaudeCode": true}"#;
    machine.write("home/.claude/settings.json", hooks);
    machine.write(USER, r#"{"readClaudeCode": true}"#);
    assert!(machine.load().settings.hooks.is_empty());
    machine.write(USER, hooks);
    assert_eq!(machine.load().settings.hooks.len(), 1);
}

#[test]
fn without_places_nothing_is_read() {
    let machine = Machine::new();
    let file = machine.write("given.json", r#"{"permissions": {"deny": ["Bash"]}}"#);
    machine.write(PROJECT, "broken");
    let places = Places::none(&machine.places().project);
    assert!(load(&places, &Overrides::default()).settings.values().is_empty());
    let overrides = Overrides { settings: vec![file, "/nowhere/none.json".into()], ..Overrides::default() };
    let loaded = load(&places, &overrides);
    assert_eq!(rules(&loaded), [("command-line", "deny", "Bash".to_owned())]);
    assert!(loaded.settings.incomplete, "a file that was named and is missing may have held deny rules");
}

/// [M3]
#[test]
fn the_mode_of_a_session_counts_after_managed_and_command_line() {
    let machine = Machine::new();
    machine.write(USER, r#"{"permissions": {"defaultMode": "acceptEdits"}}"#);
    let session = SessionMode { mode: Mode::Plan, file: "/state/s.json".into(), since: 0 };
    let mut overrides = Overrides { session: Some(session), ..Overrides::default() };
    let mode = |overrides: &Overrides| load(&machine.places(), overrides).settings.mode.unwrap().value;
    assert_eq!(mode(&overrides), Mode::Plan);
    overrides.mode = Some(Mode::Default);
    assert_eq!(mode(&overrides), Mode::Default);
    machine.write(MANAGED, r#"{"permissions": {"defaultMode": "dontAsk"}}"#);
    assert_eq!(mode(&overrides), Mode::DontAsk);
}
