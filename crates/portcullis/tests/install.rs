//! `install` and `uninstall`, run as people run them, in homes that are made up.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use sha2::Digest;

const AGENTS: [&str; 8] =
    ["claude-code", "codex", "gemini", "qwen", "copilot", "opencode", "cursor", "goose"];

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

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::cargo_bin("portcullis")
            .unwrap()
            .args(arguments)
            .current_dir(self.at("proj"))
            .env_clear()
            .env("HOME", self.0.path())
            .env("PATH", self.at("bin"))
            .output()
            .unwrap()
    }

    /// Runs what has to work, and gives what it printed.
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs what must not work, and gives what it said.
    fn refused(&self, arguments: &[&str]) -> String {
        let before = self.everything();
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert_eq!(self.everything(), before, "something changed");
        String::from_utf8(output.stderr).unwrap()
    }

    /// Every file and folder with its bytes, but for what the program remembers for itself.
    fn everything(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(self.0.path(), &mut found);
        found.retain(|path, _| !path.starts_with(self.at(".local")));
        found
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
            found.insert(path, Vec::new());
        } else {
            let bytes = std::fs::read(&path).unwrap_or_default();
            found.insert(path, bytes);
        }
    }
}

/// [J7] The diff is shown for every agent, whether it is installed or not, and nothing is written.
#[test]
fn a_dry_run_shows_the_diff_and_writes_nothing() {
    let home = Home::new();
    let before = home.everything();
    for agent in AGENTS {
        for scope in [&[][..], &["--project"]] {
            let shown = home.ok(&[&["install", "--dry-run", agent], scope].concat());
            assert!(shown.contains("\n--- ") && shown.contains("\n+++ ") && shown.contains("\n+"), "{shown}");
            assert!(shown.contains("portcullis"), "{shown}");
        }
    }
    assert_eq!(home.everything(), before);
}

/// [A3] Each host waits 600 seconds, in its own unit, and fails closed where it can.
#[test]
fn hosts_wait_long_enough_and_fail_closed_where_they_can() {
    let home = Home::new();
    for (agent, signs) in [
        ("claude-code", &["\"timeout\": 600\n"][..]),
        ("codex", &["\"timeout\": 600\n", "trusted_hash = \"sha256:"]),
        ("gemini", &["\"timeout\": 600000\n", "\"enabled\": true"]),
        ("qwen", &["\"timeout\": 600000\n"]),
        ("copilot", &["\"timeoutSec\": 600\n", "\"PreToolUse\""]),
        ("opencode", &["SECONDS_FOR_A_CALL = 600", "tool.execute.before"]),
        ("cursor", &["\"timeout\": 600,\n", "\"failClosed\": true"]),
        ("goose", &["\"timeout\": 600,\n", "\"on_failure\": \"block\""]),
    ] {
        let shown = home.ok(&["install", "--dry-run", agent]);
        for sign in signs {
            assert!(shown.contains(sign), "{agent} lacks {sign}: {shown}");
        }
    }
    let strict = home.ok(&["install", "--dry-run", "--strict", "claude-code"]);
    assert!(strict.contains("\"defaultMode\": \"dontAsk\""), "{strict}");
}

/// Settings as people have them.
const SETTINGS: [&str; 14] = [
    "",
    "{}",
    "{}\n",
    "{\n}\n",
    "// nothing here yet\n{}\n",
    "{\"model\":\"x\"}",
    "{\n  // the model\n  \"model\": \"x\", // fast\n  /* and */ \"env\": {\"A\": \"1\"}\n}\n",
    "{\r\n\t\"model\": \"x\",\r\n\t\"hooks\": {}\r\n}\r\n",
    "{\n\t\"hooks\": {\n\t\t\"PreToolUse\": []\n\t}\n}",
    "{\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"mine.sh\"}]}\n        ]\n    },\n    \"z\": [1, 2,\n 3]\n}",
    "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"command\":\"a\"}]}],\"Stop\":[{\"hooks\":[]}]},\"a\":null}\n\n\n",
    "{ \"disableAllHooks\": true, \"permissions\": { \"defaultMode\": \"plan\", \"deny\": [\"Bash(rm:*)\"] } }",
    "{\n  \"list\": [\n    1,\n    2,\n  ],\n}\n",
    "{\"umlaut\":\"äöü\\u00e4\",\"big\":12345678901234567890.10}\n",
];

/// [G3] Install and uninstall leave the file as it was, to the byte; a second time changes nothing.
#[test]
fn uninstall_restores_to_the_byte() {
    for (agent, file) in [
        ("claude-code", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("gemini", ".gemini/settings.json"),
        ("qwen", ".qwen/settings.json"),
        ("cursor", ".cursor/hooks.json"),
    ] {
        for text in SETTINGS {
            let home = Home::new();
            home.write(file, text);
            let before = home.everything();
            home.ok(&["install", agent, "--yes"]);
            let installed = home.everything();
            let written = home.read(file);
            assert!(
                written.contains("portcullis-hook") && written.contains(&format!("hook {agent} ")),
                "{agent}: {text}"
            );
            assert_eq!(home.read(&format!("{file}.portcullis-backup")), text);
            assert!(home.ok(&["install", agent]).contains("nothing to change"), "{agent}: {text}");
            assert_eq!(home.everything(), installed);
            home.ok(&["uninstall", agent]);
            assert_eq!(home.everything(), before, "{agent}: {text}");
            assert!(home.ok(&["uninstall", agent]).contains("nothing to change"));
        }
    }
}

/// [G3] What came with us goes with us, folders included.
#[test]
fn what_was_created_is_deleted() {
    for scope in [&[][..], &["--project"]] {
        let home = Home::new();
        let before = home.everything();
        home.ok(&[&["install"], &AGENTS[..], scope].concat());
        assert_ne!(home.everything(), before);
        home.ok(&[&["uninstall"], scope].concat());
        assert_eq!(home.everything(), before);
    }
}

/// [G3] What somebody wrote after us stays, and only ours goes.
#[test]
fn later_changes_survive_uninstall() {
    let home = Home::new();
    let file = ".claude/settings.json";
    home.write(file, "{\n  // mine\n  \"model\": \"x\"\n}\n");
    home.write(".codex/config.toml", "# mine\nmodel = \"m\" # fast\n\n[features]\nhooks = true\n");
    home.ok(&["install", "claude-code", "codex", "copilot"]);
    home.write(file, &home.read(file).replace("\"model\": \"x\"", "\"model\": \"y\", \"new\": [1]"));
    let config = home.read(".codex/config.toml") + "\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n";
    home.write(".codex/config.toml", &config);
    home.ok(&["uninstall"]);
    assert_eq!(home.read(file), "{\n  // mine\n  \"model\": \"y\", \"new\": [1]\n}\n");
    let config = home.read(".codex/config.toml");
    assert!(config.starts_with("# mine\nmodel = \"m\" # fast\n\n[features]\nhooks = true\n"), "{config}");
    assert!(config.contains("[projects.\"/p\"]") && !config.contains("trusted_hash"), "{config}");
    assert!(!home.at(".codex/hooks.json").exists() && !home.at(".copilot").exists());
}

#[test]
fn an_older_entry_is_replaced_and_the_first_copy_kept() {
    let home = Home::new();
    let file = ".claude/settings.json";
    home.write(file, "{\"a\": 1}\n");
    home.ok(&["install", "claude-code"]);
    home.ok(&["install", "claude-code", "--strict"]);
    assert_eq!(home.read(&format!("{file}.portcullis-backup")), "{\"a\": 1}\n");
    let settings: Value = serde_json::from_str(&home.read(file)).unwrap();
    assert_eq!(settings.pointer("/hooks/PreToolUse").unwrap().as_array().unwrap().len(), 1);
    home.ok(&["uninstall", "claude-code"]);
    assert_eq!(home.read(file), "{\"a\": 1}\n");
}

/// What an older version wrote: without an answer for a hook that is missing or killed.
fn as_older_versions_wrote_it(text: &str, agent: &str) -> String {
    let mut old = String::new();
    let closed = format!(r#"/bin/sh -c '\"$0\" hook {agent} || "#);
    for (number, part) in text.split(&closed).enumerate() {
        match part.split_once("' ").filter(|_| number > 0) {
            None => old.push_str(part),
            Some((_, rest)) => {
                let (program, rest) = rest.split_once('"').unwrap();
                old.extend([program, " hook ", agent, "\"", rest]);
            }
        }
    }
    old
}

/// [A3], [G3]: client-D4. Entries of older versions are seen as out of date, replaced, and taken out as before.
#[test]
fn entries_of_older_versions_are_known_and_renewed() {
    for (agent, file) in [
        ("claude-code", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("gemini", ".gemini/settings.json"),
        ("qwen", ".qwen/settings.json"),
        ("copilot", ".copilot/hooks/portcullis.json"),
        ("cursor", ".cursor/hooks.json"),
    ] {
        let own = "{\n  \"model\": \"x\",\n  \"hooks\": {\"PreToolUse\": [{\"hooks\": []}]}\n}\n";
        let home = Home::new();
        if agent != "copilot" {
            home.write(file, own);
        }
        let before = home.everything();
        home.ok(&["install", agent, "--yes"]);
        let new = home.read(file);
        let old = as_older_versions_wrote_it(&new, agent);
        assert!(old != new && !old.contains("/bin/sh"), "{agent}: {old}");
        let as_it_was = || {
            home.write(file, &old);
            let memory = ".local/state/portcullis/installed.json";
            home.write(memory, &home.read(memory).replace(&sha256(&new), &sha256(&old)));
        };
        as_it_was();
        let status = home.ok(&["status", "--json"]);
        assert!(status.contains("changed"), "{agent}: {status}");
        home.ok(&["install", agent, "--yes"]);
        assert_eq!(home.read(file), new, "{agent}");
        home.ok(&["uninstall", agent]);
        assert_eq!(home.everything(), before, "{agent}");
        // Taken out without being renewed first.
        home.ok(&["install", agent, "--yes"]);
        as_it_was();
        home.ok(&["uninstall", agent]);
        assert_eq!(home.everything(), before, "{agent}");
        // And where it is not remembered what was written.
        home.write(file, &old);
        home.ok(&["uninstall", agent]);
        for (path, bytes) in home.everything().into_iter().filter(|(path, _)| path.is_file()) {
            assert!(!String::from_utf8_lossy(&bytes).contains("portcullis"), "{agent}: {}", path.display());
        }
    }
}

/// [A3] Trust in a hook that moved or is gone must not stay, nor come back with `uninstall`.
#[test]
fn renewed_hooks_leave_no_old_trust_behind() {
    let home = Home::new();
    let (file, config) = (".codex/hooks.json", ".codex/config.toml");
    home.write(config, "model = \"m\"\n");
    home.ok(&["install", "codex"]);
    let new = home.read(file);
    home.write(file, &as_older_versions_wrote_it(&new, "codex"));
    // With trust in what an older version wrote, and a change of Codex' own since.
    let trusted = home.read(config);
    home.ok(&["install", "codex"]);
    assert_eq!(home.read(config), trusted, "the same hooks, the same trust");
    home.write(config, &format!("{trusted}\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n"));
    home.ok(&["uninstall", "codex"]);
    let left = home.read(config);
    assert!(left.contains("[projects.\"/p\"]") && !left.contains("trusted_hash"), "{left}");
}

fn sha256(text: &str) -> String {
    use std::fmt::Write;
    sha2::Sha256::digest(text).iter().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").unwrap();
        digits
    })
}

/// The strict mode goes with us where it came with us; where that is not known, stricter is the safe side.
#[test]
fn the_strict_mode_goes_only_where_it_came_with_us() {
    let home = Home::new();
    let file = ".claude/settings.json";
    home.write(file, "{\n  \"a\": 1\n}\n");
    home.ok(&["install", "claude-code", "--strict"]);
    home.write(file, &home.read(file).replace("\"a\": 1", "\"a\": 2"));
    home.ok(&["uninstall", "claude-code"]);
    assert_eq!(home.read(file), "{\n  \"a\": 2\n}\n");
    home.ok(&["install", "claude-code", "--strict"]);
    std::fs::remove_dir_all(home.at(".local")).unwrap();
    std::fs::remove_file(home.at(".claude/settings.json.portcullis-backup")).unwrap();
    home.ok(&["uninstall", "claude-code"]);
    assert!(home.read(file).contains("dontAsk") && !home.read(file).contains("portcullis"));
}

#[test]
fn links_stay_links() {
    let home = Home::new();
    home.write("dotfiles/claude.json", "{\"a\": 1}");
    std::fs::create_dir(home.at(".claude")).unwrap();
    symlink("../dotfiles/claude.json", home.at(".claude/settings.json")).unwrap();
    home.ok(&["install", "claude-code"]);
    assert!(home.at(".claude/settings.json").symlink_metadata().unwrap().is_symlink());
    assert!(home.read("dotfiles/claude.json").contains("portcullis-hook"));
    home.ok(&["uninstall", "claude-code"]);
    assert!(home.at(".claude/settings.json").symlink_metadata().unwrap().is_symlink());
    assert_eq!(home.read("dotfiles/claude.json"), "{\"a\": 1}");
}

/// A repository can bring links of its own.
#[test]
fn nothing_for_the_project_is_written_outside_of_it() {
    let home = Home::new();
    home.write("elsewhere.json", "{}");
    std::fs::create_dir(home.at("proj/.claude")).unwrap();
    symlink("../../elsewhere.json", home.at("proj/.claude/settings.json")).unwrap();
    assert!(home.refused(&["install", "--project", "claude-code"]).contains("out of the project"));
    std::fs::create_dir(home.at("folder")).unwrap();
    symlink("../folder", home.at("proj/.qwen")).unwrap();
    assert!(home.refused(&["install", "--project", "qwen"]).contains("out of the project"));
    // The copy beside a file goes where the file is, whatever waits there.
    home.write("proj/.gemini/settings.json", "{\"a\": 1}");
    symlink("../../elsewhere.json", home.at("proj/.gemini/settings.json.portcullis-backup")).unwrap();
    home.ok(&["install", "--project", "gemini"]);
    assert_eq!(home.read("elsewhere.json"), "{}");
}

/// What is remembered can get lost.
#[test]
fn without_memory_only_ours_is_taken_out() {
    let home = Home::new();
    let before = home.everything();
    home.ok(&["install", "claude-code", "cursor", "copilot"]);
    std::fs::remove_dir_all(home.at(".local")).unwrap();
    home.ok(&["install", "claude-code", "cursor"]);
    std::fs::create_dir_all(home.at(".local/state/portcullis")).unwrap();
    std::fs::write(home.at(".local/state/portcullis/installed.json"), "nonsense").unwrap();
    home.ok(&["uninstall"]);
    let files =
        |all: BTreeMap<PathBuf, Vec<u8>>| all.into_keys().filter(|path| path.is_file()).collect::<Vec<_>>();
    assert_eq!(files(home.everything()), files(before));
}

#[test]
fn access_rights_stay() {
    let home = Home::new();
    home.write(".claude/settings.json", "{}");
    let rights = |name: &str| home.at(name).metadata().unwrap().permissions().mode() & 0o777;
    std::fs::set_permissions(home.at(".claude/settings.json"), PermissionsExt::from_mode(0o600)).unwrap();
    home.ok(&["install", "claude-code"]);
    assert_eq!(rights(".claude/settings.json"), 0o600);
    assert_eq!(rights(".claude/settings.json.portcullis-backup"), 0o600);
}

/// What cannot be understood or written is said, and nothing changes, for no agent.
#[test]
fn trouble_with_one_changes_none() {
    let home = Home::new();
    home.write(".gemini/settings.json", "{}");
    let all = ["install", "gemini", "claude-code"];
    for text in
        ["{", "[]", "{\"hooks\": 1}", "{\"hooks\": {\"PreToolUse\": {}}}", "{\"hooks\": {}, \"hooks\": {}}"]
    {
        home.write(".claude/settings.json", text);
        let said = home.refused(&all);
        assert!(said.contains(".claude/settings.json") && said.contains("nothing was changed"), "{said}");
    }
    std::fs::write(home.at(".claude/settings.json"), b"{\"a\": \"\xff\"}").unwrap();
    assert!(home.refused(&all).contains("UTF-8"));
    home.write(".claude/settings.json", "{}");
    std::fs::set_permissions(home.at(".claude/settings.json"), PermissionsExt::from_mode(0o444)).unwrap();
    assert!(home.refused(&all).contains("read-only"));
    std::fs::remove_file(home.at(".claude/settings.json")).unwrap();
    symlink("nowhere", home.at(".claude/settings.json")).unwrap();
    assert!(home.refused(&all).contains("link"));
    std::fs::remove_file(home.at(".claude/settings.json")).unwrap();
    std::fs::create_dir(home.at(".claude/settings.json")).unwrap();
    assert!(home.refused(&all).contains(".claude/settings.json"));
}

#[test]
fn somebody_elses_file_is_not_taken_for_ours() {
    let home = Home::new();
    home.write(".copilot/hooks/portcullis.json", "{\"version\": 1}");
    assert!(home.refused(&["install", "copilot"]).contains("somebody else"));
    home.ok(&["uninstall", "copilot"]);
    assert!(home.at(".copilot/hooks/portcullis.json").exists());
}

#[test]
fn agents_are_found_by_folder_and_by_program() {
    let home = Home::new();
    assert!(home.refused(&["install", "--dry-run"]).contains("no agent was found"));
    std::fs::create_dir(home.at(".qwen")).unwrap();
    home.write("bin/codex", "");
    std::fs::set_permissions(home.at("bin/codex"), PermissionsExt::from_mode(0o755)).unwrap();
    home.write("bin/goose", "not a program");
    let shown = home.ok(&["install", "--dry-run"]);
    assert!(shown.contains("Codex\n") && shown.contains("Qwen Code\n"), "{shown}");
    assert!(!shown.contains("Goose") && !shown.contains("Claude"), "{shown}");
    assert!(home.refused(&["install", "emacs"]).contains("claude-code"));
}

#[test]
fn administrators_settings_lie_elsewhere_or_nowhere() {
    let home = Home::new();
    let shown = home.ok(&["install", "--dry-run", "--managed", "claude-code"]);
    assert!(shown.contains("managed-settings.json"), "{shown}");
    assert!(home.refused(&["install", "--managed", "opencode"]).contains("administrator"));
}

/// [C18] Settings often hold keys, and the lines around a change are shown.
#[test]
fn credentials_in_settings_are_not_shown() {
    let home = Home::new();
    let key = format!("sk-ant-api03-{}", "Zq7".repeat(30));
    home.write(
        ".claude/settings.json",
        &format!("{{\n  \"env\": {{\"ANTHROPIC_API_KEY\": \"{key}\"}}\n}}\n"),
    );
    let shown = home.ok(&["install", "--dry-run", "claude-code"]);
    assert!(shown.contains("ANTHROPIC_API_KEY") && !shown.contains(&key), "{shown}");
}
