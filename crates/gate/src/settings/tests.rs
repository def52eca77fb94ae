//! Settings from made-up machines: which values count, what is said about the rest, and what a repository
//! cannot do.

use std::path::Path;

use portcullis_decide::{List, Mode, Source, ToolCall, decide};
use serde_json::json;

use super::*;

/// A machine of its own, in a folder that goes away.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        Machine { folder: tempfile::tempdir().unwrap() }
    }

    fn places(&self) -> Places {
        let at = |name: &str| self.folder.path().join(name);
        Places {
            home: at("home"),
            config: at("home/.config/portcullis"),
            state: at("home/.local/state/portcullis"),
            managed: at("etc/portcullis"),
            project: at("proj"),
        }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn load(&self) -> Loaded {
        load(&self.places(), &Overrides::default())
    }
}

const USER: &str = "home/.config/portcullis/settings.json";
const PROJECT: &str = "proj/.portcullis/settings.json";
const LOCAL: &str = "proj/.portcullis/settings.local.json";
const MANAGED: &str = "etc/portcullis/settings.json";

fn rules(loaded: &Loaded) -> Vec<(&'static str, &'static str, String)> {
    loaded
        .settings
        .rules()
        .iter()
        .map(|it| (it.origin.source.name(), it.list.name(), it.text.clone()))
        .collect()
}

fn said(loaded: &Loaded) -> String {
    let line = |it: &Problem| format!("{}: {it}", it.severity.name());
    loaded.problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

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
        shown.iter().filter(|it| it.key == "permissions.defaultMode").map(|it| it.standing).collect();
    assert_eq!(modes, [Standing::InForce, Standing::Overridden, Standing::Overridden]);
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
    assert_eq!(loaded.settings.set_aside().len(), 1);
    assert!(!loaded.settings.incomplete, "what is lost of rules that do not count is no loss");
}

/// [R11]
#[test]
fn a_project_can_only_tighten_until_it_is_trusted() {
    let machine = Machine::new();
    let text = r#"{"permissions": {"allow": ["Bash(make:*)"], "deny": ["WebFetch"], "defaultMode": "acceptEdits", "additionalDirectories": ["../other"]}}"#;
    let file = machine.write(PROJECT, text);
    let before = machine.load();
    assert_eq!(rules(&before), [("project", "deny", "WebFetch".to_owned())]);
    assert_eq!(before.settings.mode, None);
    assert_eq!(before.settings.set_aside().len(), 1);
    assert!(before.settings.additional_directories.is_empty());
    assert!(said(&before).contains("wait until the file is trusted"), "{}", said(&before));

    let review = trust(&machine.places(), &file).unwrap();
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
    assert!(forget(&machine.places(), &file).unwrap());
    assert_eq!(rules(&machine.load()).len(), 1);
}

/// [R11]
#[test]
fn local_files_need_trust_too() {
    let machine = Machine::new();
    let file = machine.write(LOCAL, r#"{"permissions": {"allow": ["Bash(make:*)"]}}"#);
    assert!(rules(&machine.load()).is_empty());
    trust(&machine.places(), &file).unwrap();
    assert_eq!(rules(&machine.load()), [("local", "allow", "Bash(make:*)".to_owned())]);
}

/// [R11]
#[test]
fn a_link_to_a_trusted_file_is_not_trusted() {
    let machine = Machine::new();
    let trusted = machine.write("other/.portcullis/settings.json", r#"{"permissions": {"allow": ["Bash"]}}"#);
    trust(&machine.places(), &trusted).unwrap();
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
    trust(&machine.places(), &file).unwrap();
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
    assert!(settings.values().iter().all(|shown| shown.standing != Standing::InForce));
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
        let in_force: Vec<_> = shown.iter().filter(|it| it.standing == Standing::InForce).collect();
        assert_eq!((in_force.len(), in_force[0].value == "extended"), (1, strict), "{words:?}");
        assert_eq!(shown.len(), 3, "{words:?}");
    }
}

/// What counts of the classifier's settings where the user says one thing and a fetched document another, and whether
/// the fetched value does.
fn tightened(user: &serde_json::Value, fetched: &serde_json::Value) -> (Classifier, Standing) {
    let machine = Machine::new();
    let url = "https://settings.example.com/portcullis.json";
    machine.write(USER, &json!({ "remoteConfig": { "url": url }, "classifier": user }).to_string());
    let document = json!({ "classifier": fetched }).to_string();
    let kept = json!({ "url": url, "fetched": 1, "document": document, "failed": null });
    machine.write("home/.local/state/portcullis/remote.json", &kept.to_string());
    let settings = machine.load().settings;
    let shown = settings.values();
    let of_remote = shown.iter().find(|it| it.origin.source == Source::Remote).unwrap();
    let in_force = |it: &&Shown| it.key == of_remote.key && it.standing == Standing::InForce;
    assert_eq!(shown.iter().filter(in_force).count(), 1, "{user} {fetched}");
    (settings.classifier, of_remote.standing)
}

/// [C13]
#[test]
fn a_fetched_value_counts_only_where_it_is_stricter() {
    use Standing::{InForce, OnlyTightens, Overridden};
    let of = |word: Option<&str>, name: &str| word.map_or(json!({}), |word| json!({ name: word }));
    for (user, fetched, expected, standing) in [
        (None, "fast", Stages::Fast, InForce),
        (None, "thinking", Stages::Thinking, InForce),
        (None, "both", Stages::Both, InForce),
        (Some("both"), "fast", Stages::Fast, InForce),
        (Some("both"), "both", Stages::Both, Overridden),
        (Some("fast"), "fast", Stages::Fast, Overridden),
        (Some("fast"), "both", Stages::Fast, OnlyTightens),
        (Some("fast"), "thinking", Stages::Fast, OnlyTightens),
        (Some("thinking"), "both", Stages::Thinking, OnlyTightens),
        (Some("thinking"), "fast", Stages::Thinking, OnlyTightens),
    ] {
        let (classifier, stands) = tightened(&of(user, "mode"), &json!({ "mode": fetched }));
        assert_eq!((classifier.mode.unwrap().value, stands), (expected, standing), "{user:?} {fetched}");
    }
    for (user, fetched, expected, standing) in [
        (None, "closed", IronGate::Closed, InForce),
        (Some("open"), "closed", IronGate::Closed, InForce),
        (Some("closed"), "closed", IronGate::Closed, Overridden),
        (Some("closed"), "open", IronGate::Closed, OnlyTightens),
    ] {
        let (classifier, stands) = tightened(&of(user, "ironGate"), &json!({ "ironGate": fetched }));
        assert_eq!((classifier.iron_gate.unwrap().value, stands), (expected, standing), "{user:?} {fetched}");
    }
    for (user, fetched, expected, standing) in [
        (json!({}), 5, 5.0, InForce),
        (json!({ "timeout": 20 }), 5, 5.0, InForce),
        (json!({ "timeout": 20 }), 20, 20.0, Overridden),
        (json!({ "timeout": 20 }), 21, 20.0, OnlyTightens),
    ] {
        let (classifier, stands) = tightened(&user, &json!({ "timeout": fetched }));
        let timeout = classifier.timeout.unwrap().value;
        assert!(
            (timeout - expected).abs() < f64::EPSILON && stands == standing,
            "{user} {fetched}: {timeout}"
        );
    }
}

/// [C13] A fetched model is asked only where the agent's own would be; it makes nobody ask one.
#[test]
fn a_fetched_model_stands_in_for_the_agents_own_only() {
    let (classifier, standing) = tightened(&json!({}), &json!({ "model": "theirs" }));
    assert_eq!((classifier.model, standing), (None, Standing::InForce));
    assert_eq!(classifier.in_agents_place.unwrap().value, "theirs");
    let (classifier, standing) = tightened(&json!({ "model": "mine" }), &json!({ "model": "theirs" }));
    assert_eq!((classifier.model.unwrap().value.as_str(), standing), ("mine", Standing::OnlyTightens));
    assert_eq!(classifier.in_agents_place, None);
}

/// [C2]
#[test]
fn the_conversation_is_written_down_as_the_settings_say() {
    use portcullis_classify::Layout;
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

#[test]
fn a_ledger_that_others_can_change_trusts_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new();
    let file = machine.write(PROJECT, r#"{"permissions": {"allow": ["Bash(ls)"]}}"#);
    trust(&machine.places(), &file).unwrap();
    let ledger = machine.places().state.join("trust.json");
    std::fs::set_permissions(&ledger, std::fs::Permissions::from_mode(0o666)).unwrap();
    let loaded = machine.load();
    assert!(rules(&loaded).is_empty() && said(&loaded).contains("nothing is trusted"), "{}", said(&loaded));
    assert!(trust(&machine.places(), &file).is_err());
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

#[test]
fn an_import_keeps_what_is_there() {
    let machine = Machine::new();
    machine.write(
        "home/.claude/settings.json",
        r#"{"permissions": {"allow": ["Bash(ls:*)", "Bash(pwd)"], "defaultMode": "plan", "additionalDirectories": ["~/x"]}, "hooks": {}, "model": "m"}"#,
    );
    machine.write(USER, "{\n  // mine\n  \"permissions\": {\n    \"defaultMode\": \"default\", // why\n    \"allow\": [\"Bash(pwd)\"]\n  }\n}\n");
    let import = import_claude_code(&machine.places()).unwrap();
    assert_eq!((import.taken.len(), import.kept.len()), (2, 2));
    import.write().unwrap();
    let text = std::fs::read_to_string(machine.folder.path().join(USER)).unwrap();
    assert!(text.contains("// mine") && text.contains("// why"), "{text}");
    let loaded = machine.load();
    assert_eq!(loaded.settings.rules().len(), 2);
    assert_eq!(loaded.settings.mode.unwrap().value, Mode::Default);
    assert_eq!(import_claude_code(&machine.places()).unwrap().taken.len(), 0);
}

#[test]
fn an_import_writes_over_nothing_broken() {
    let machine = Machine::new();
    machine.write("home/.claude/settings.json", "{}");
    machine.write(USER, "{");
    assert!(import_claude_code(&machine.places()).is_err());
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
        let (said, today) = (said(&loaded), good::moment(std::time::SystemTime::now()));
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
        trust(&machine.places(), &path).unwrap();
        assert_eq!(rules(&machine.load()).len(), 2);
        machine.write(name, "{");
        assert_eq!(rules(&machine.load()).len(), 2, "trusted by its content");
        forget(&machine.places(), &path).unwrap();
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
