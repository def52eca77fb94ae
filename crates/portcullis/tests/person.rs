//! What only a person at a terminal may do (`allow`, `pause`), with a real terminal, and what it changes for an agent.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot run its programs must stop, and a missing field is a failure"
)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    /// A user who denies `make clean` and is asked about everything else.
    fn new() -> Machine {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(machine.at("proj/.git")).unwrap();
        std::fs::create_dir_all(machine.at("config/portcullis")).unwrap();
        let settings = json!({ "permissions": { "deny": ["Bash(make clean)"] } });
        std::fs::write(machine.at("config/portcullis/settings.json"), settings.to_string()).unwrap();
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn prepared(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.at("proj"))
            .env_clear()
            // The test is the login of the person who types.
            .env("PORTCULLIS_TEST_LOGIN", std::process::id().to_string())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.at("home"))
            .env("XDG_STATE_HOME", self.at("state"))
            .env("XDG_CONFIG_HOME", self.at("config"))
            .env("SHELL", "/bin/sh")
            .env("USER", "dev");
        command
    }

    /// The program without a terminal.
    fn piped(&self, arguments: &[&str]) -> Output {
        self.prepared(assert_cmd::cargo::cargo_bin("portcullis")).args(arguments).output().unwrap()
    }

    /// The program as a person starts it: what the terminal shows, and the exit code.
    fn typed(&self, words: &str, variables: &[(&str, &str)]) -> (String, Option<i32>) {
        let line = format!("{} {words}", assert_cmd::cargo::cargo_bin("portcullis").display());
        let mut command = self.prepared("script");
        command.args(["-qec", &line, "/dev/null"]).envs(variables.iter().copied()).stdin(Stdio::null());
        let output = command.output().unwrap();
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    }

    /// What an agent's hook says about a command: the decision, or nothing where the agent is left alone.
    fn hook(&self, session: &str, line: &str) -> Option<String> {
        let call = json!({
            "session_id": session, "transcript_path": "", "cwd": self.at("proj"), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": line },
            "tool_use_id": "t1",
        });
        let mut command = self.prepared(assert_cmd::cargo::cargo_bin("portcullis"));
        let piped = command
            .args(["hook", "claude-code"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(call.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        said["hookSpecificOutput"]["permissionDecision"].as_str().map(str::to_owned)
    }

    /// The newest entry of the log.
    fn newest(&self) -> Value {
        let output = self.piped(&["log", "--json"]);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .max_by_key(|entry| entry["seq"].as_u64())
            .unwrap_or_else(|| panic!("nothing was written down"))
    }

    fn newest_number(&self) -> u64 {
        self.newest()["seq"].as_u64().unwrap()
    }

    fn is_whole(&self) {
        assert!(self.piped(&["log", "verify"]).status.success());
    }
}

fn is(decision: Option<String>, expected: &str) {
    assert_eq!(decision.unwrap_or_default(), expected);
}

/// [A5]
#[test]
fn a_person_clears_a_question_once() {
    let machine = Machine::new();
    is(machine.hook("s1", "make all"), "ask");
    let id = machine.newest_number();
    let (shown, code) = machine.typed(&format!("allow {id}"), &[]);
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("make all") && shown.contains("once, within an hour"), "{shown}");
    let written = machine.newest();
    assert_eq!((written["kind"].as_str(), written["about"].as_u64()), (Some("grant"), Some(id)));
    assert!(written["reason"]["who"].as_str().unwrap().contains("(uid "), "{written}");
    is(machine.hook("s1", "make all -k"), "ask");
    is(machine.hook("s2", "make all"), "allow");
    is(machine.hook("s1", "make all"), "ask");
    machine.is_whole();
}

/// [A5]
#[test]
fn a_grant_for_a_session_holds_in_that_session_until_it_is_taken_back() {
    let machine = Machine::new();
    is(machine.hook("s1", "make all"), "ask");
    let (shown, code) = machine.typed(&format!("allow {} --session", machine.newest_number()), &[]);
    assert_eq!(code, Some(0), "{shown}");
    is(machine.hook("s1", "make all"), "allow");
    is(machine.hook("s1", "make all"), "allow");
    is(machine.hook("s2", "make all"), "ask");
    assert!(machine.piped(&["grants", "--revoke", "1"]).status.success());
    is(machine.hook("s1", "make all"), "ask");
    machine.is_whole();
}

/// [A5], [F1]
#[test]
fn no_grant_for_what_a_rule_denies_or_was_allowed_or_is_not_there() {
    let machine = Machine::new();
    is(machine.hook("s1", "make clean"), "deny");
    let denied = machine.newest_number();
    is(machine.hook("s1", "ls"), "allow");
    let allowed = machine.newest_number();
    is(machine.hook("s1", "pkill portcullis"), "deny");
    let protected = machine.newest_number();
    for (id, part) in [
        (denied, "no grant beats a deny rule"),
        (protected, "nothing lets an agent do that"),
        (allowed, "was an allow already"),
        (protected + 1, "there is no decision"),
    ] {
        let (shown, code) = machine.typed(&format!("allow {id}"), &[]);
        assert!(shown.contains(part) && code == Some(3), "{code:?} {shown}");
    }
    let (shown, code) = machine.typed(&format!("allow {denied} --once --session"), &[]);
    assert_eq!(code, Some(3), "{shown}");
    is(machine.hook("s1", "make clean"), "deny");
}

/// [A5], [W1]
#[test]
fn nobody_but_a_person_at_a_terminal_grants_or_pauses() {
    let machine = Machine::new();
    is(machine.hook("s1", "make all"), "ask");
    let allow = format!("allow {}", machine.newest_number());
    for words in [allow.as_str(), "pause --for 10m"] {
        let arguments: Vec<&str> = words.split(' ').collect();
        assert_eq!(machine.piped(&arguments).status.code(), Some(3), "{words}");
        for agent in ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "CURSOR_AGENT"] {
            let (shown, code) = machine.typed(words, &[(agent, "1")]);
            assert!(shown.contains(agent) && code == Some(3), "{words} {agent}: {code:?} {shown}");
        }
    }
    is(machine.hook("s1", "make all"), "ask");
    is(machine.hook("s1", "make clean"), "deny");
}

/// [A5]
#[test]
fn a_pause_tells_agents_nothing_and_writes_everything_down() {
    let machine = Machine::new();
    let tells = |part: &str| {
        let shown = machine.piped(&["pause", "--show"]);
        assert!(String::from_utf8_lossy(&shown.stdout).contains(part), "{shown:?}");
    };
    tells("not paused");
    let (shown, code) = machine.typed("pause --for 10m", &[]);
    assert_eq!(code, Some(0), "{shown}");
    tells("(uid ");
    assert_eq!(machine.hook("s1", "make clean"), None);
    let written = machine.newest();
    assert_eq!((written["decision"].as_str(), written["enforced"].as_bool()), (Some("deny"), Some(false)));
    assert!(machine.piped(&["pause", "--end"]).status.success());
    tells("not paused");
    is(machine.hook("s1", "make clean"), "deny");
    machine.is_whole();
}

/// [A7], attack-H4
#[test]
fn modes_trust_and_the_rest_need_a_person_and_leave_entries() {
    let machine = Machine::new();
    let project = machine.at("proj/.portcullis");
    std::fs::create_dir_all(&project).unwrap();
    std::fs::write(project.join("settings.json"), r#"{"permissions": {"allow": ["Bash(ls)"]}}"#).unwrap();
    for (words, kind) in [
        ("mode auto", "mode"),
        ("mode dontAsk --session s1", "mode"),
        ("trust --yes", "trust"),
        ("install claude-code --yes", "install"),
        ("uninstall claude-code --yes", "uninstall"),
    ] {
        let arguments: Vec<&str> = words.split(' ').collect();
        let output = machine.piped(&arguments);
        assert_eq!(output.status.code(), Some(3), "{words}: {output:?}");
        let (shown, code) = machine.typed(words, &[]);
        assert_eq!(code, Some(0), "{words}: {shown}");
        let written = machine.newest();
        assert_eq!(written["kind"], kind, "{written}");
        assert!(written["reason"]["who"].as_str().unwrap().contains("(uid "), "{written}");
        assert!(written["reason"]["place"].as_str().unwrap().starts_with("/dev/pts/"), "{written}");
    }
    machine.is_whole();
}

/// [A7] An agent that makes a terminal of its own is still an agent, whatever the terminal is made with.
#[test]
fn a_terminal_that_an_agent_made_is_not_a_persons() {
    let machine = Machine::new();
    let program = assert_cmd::cargo::cargo_bin("portcullis");
    let program = program.display();
    let call = r#"{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    // It asks through its hook once, so it is known; then it tries to be a person.
    let agent = format!(
        "#!/bin/bash\necho '{call}' | {program} hook claude-code >/dev/null\n\
         script -qec '{program} pause --for 1h' /dev/null </dev/null\necho code $?\n\
         setsid -w script -qec '{program} mode bypassPermissions' /dev/null </dev/null\necho code $?\n\
         nohup script -qec '{program} trust --yes' /dev/null </dev/null 2>&1\necho code $?\n"
    );
    std::fs::write(machine.at("agent.sh"), agent).unwrap();
    let output = machine.prepared("bash").arg(machine.at("agent.sh")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.matches("an agent runs it").count(), 3, "{said}");
    assert_eq!(said.matches("code 3").count(), 3, "{said}");
    let shown = machine.piped(&["pause", "--show"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("not paused"));
}

/// [A7] The real rule, without anybody in the place of a login: a chain that no login begins is nobody's.
#[test]
fn a_chain_without_a_login_is_nobodys() {
    let machine = Machine::new();
    let program = assert_cmd::cargo::cargo_bin("portcullis");
    let line = format!(
        "setsid -f script -qec '{} pause --for 1h' {}",
        program.display(),
        machine.at("said").display()
    );
    let mut command = machine.prepared("bash");
    command.env_remove("PORTCULLIS_TEST_LOGIN").args(["-c", &line]).stdin(Stdio::null());
    assert!(command.status().unwrap().success());
    let began = std::time::Instant::now();
    let said = || std::fs::read_to_string(machine.at("said")).unwrap_or_default();
    while !said().contains("person") && began.elapsed() < std::time::Duration::from_mins(1) {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(said().contains("only for a person"), "{}", said());
    assert!(!machine.at("state/portcullis/pause.json").exists());
}

/// [S5], attack-H1
#[test]
fn a_forged_pause_pauses_nothing() {
    let machine = Machine::new();
    is(machine.hook("s1", "make clean"), "deny");
    let forged = r#"{"until": 99999999999999, "who": "dev", "place": "/dev/pts/0"}"#;
    std::fs::write(machine.at("state/portcullis/pause.json"), forged).unwrap();
    is(machine.hook("s1", "make clean"), "deny");
}

/// [A7]
#[test]
fn anybody_locks_and_a_person_unlocks() {
    let machine = Machine::new();
    is(machine.hook("s1", "ls"), "allow");
    assert!(machine.piped(&["lock", "--reason", "odd calls"]).status.success());
    assert_eq!(machine.newest()["kind"], "lock");
    is(machine.hook("s1", "ls"), "deny");
    assert!(machine.newest()["message"].as_str().unwrap().contains("odd calls"));
    for words in ["unlock", "lock --lift"] {
        let arguments: Vec<&str> = words.split(' ').collect();
        assert_eq!(machine.piped(&arguments).status.code(), Some(3), "{words}");
    }
    is(machine.hook("s1", "ls"), "deny");
    let (shown, code) = machine.typed("unlock", &[]);
    assert_eq!(code, Some(0), "{shown}");
    is(machine.hook("s1", "ls"), "allow");
    machine.is_whole();
}

/// A process that does not outlive its test.
struct Ended(std::process::Child);

impl Drop for Ended {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// [S5]: while a daemon runs, a grant counts because a person told the daemon, and a forged one does not.
#[test]
fn a_daemon_counts_the_grants_of_people_and_no_others() {
    let machine = Machine::new();
    let program = assert_cmd::cargo::cargo_bin("portcullis");
    let daemon = machine.prepared(&program).arg("serve").stdout(Stdio::null()).spawn().unwrap();
    let _daemon = Ended(daemon);
    let socket = machine.at("state/portcullis/portcullis.sock");
    assert!((0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        socket.exists()
    }));
    is(machine.hook("s1", "make all"), "ask");
    let (shown, code) = machine.typed(&format!("allow {}", machine.newest_number()), &[]);
    assert_eq!(code, Some(0), "{shown}");
    let granted = machine.newest();
    is(machine.hook("s1", "make all"), "allow");
    let hash = granted["hash"].as_str().unwrap();
    let ask = |method: &str, what: &str| {
        let stream = std::os::unix::net::UnixStream::connect(&socket).unwrap();
        let path = format!("/v1/vouched/{what}");
        portcullis_client::exchange(stream, method, &path, &[], b"", std::time::Duration::from_secs(5))
            .unwrap()
            .0
    };
    assert_eq!((ask("GET", hash), ask("GET", "0000")), (200, 404));
    assert_eq!(ask("POST", &granted["about"].to_string()), 422, "a call is no grant");
    // Everything that a pause needs, made by a program: the hook is the same with the daemon and in its own process.
    let now = portcullis_gate::calendar_ms();
    let forged = portcullis_gate::admin::Pause {
        until: now + 60_000,
        who: "dev".to_owned(),
        place: "here".to_owned(),
    };
    portcullis_gate::admin::pause(&machine.at("state/portcullis"), &forged, now).unwrap();
    is(machine.hook("s1", "make clean"), "deny");
    let (shown, code) = machine.typed("pause --for 1m", &[]);
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(machine.hook("s1", "make clean"), None, "a person paused it");
}
