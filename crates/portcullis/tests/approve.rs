//! A person at a terminal, an agent that asks, and the daemon between them: the real programs, a real terminal.
//!
//! `script` of util-linux gives the approver a terminal; what it draws is only looked through for words without blanks,
//! since a screen is drawn in pieces.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot run its programs must stop, and a missing field is a failure"
)]

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Far more than anything takes, on a machine that has much else to do.
const LONGEST: Duration = Duration::from_secs(90);
/// Between two looks.
const STEP: Duration = Duration::from_millis(50);

struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(machine.at("proj/.git")).unwrap();
        std::fs::create_dir_all(machine.at("home")).unwrap();
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn prepared(&self, mut command: Command) -> Command {
        command
            .current_dir(self.at("proj"))
            .env_clear()
            // The test is the person who runs it.
            .env("PORTCULLIS_TEST_LOGIN", format!("{}:no-terminal", std::process::id()))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.at("home"))
            .env("XDG_STATE_HOME", self.at("state"))
            .env("XDG_CONFIG_HOME", self.at("config"))
            .env("SHELL", "/bin/sh")
            .env("LANG", "C.UTF-8")
            .env("TERM", "xterm");
        command
    }

    fn portcullis(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("portcullis"));
        command.args(arguments);
        self.prepared(command)
    }

    /// The approver in a terminal of its own.
    fn approver(&self, extra: &str) -> Approver {
        let program = assert_cmd::cargo::cargo_bin("portcullis");
        let line = format!("stty rows 24 cols 100; exec {} approve {extra}", program.display());
        let mut command = Command::new("script");
        command.args(["-qfec", &line, "/dev/null"]);
        let mut child = self
            .prepared(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let screen = Arc::new(Mutex::new(Vec::new()));
        let (mut stream, drawn) = (child.stdout.take().unwrap(), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(read) = stream.read(&mut part) {
                if read == 0 {
                    return;
                }
                drawn.lock().unwrap().extend_from_slice(&part[..read]);
            }
        });
        let keys = child.stdin.take().unwrap();
        Approver { child, keys, screen }
    }

    /// Whether a daemon runs and somebody looks at what waits.
    fn is_attended(&self) -> bool {
        let Ok(mut stream) = UnixStream::connect(self.at("state/portcullis/portcullis.sock")) else {
            return false;
        };
        let mut answer = String::new();
        let asked = stream.write_all(b"GET /v1/health HTTP/1.0\r\nhost: portcullis\r\n\r\n");
        asked.and_then(|()| stream.read_to_string(&mut answer)).is_ok()
            && answer.contains("\"attended\":true")
    }

    /// Waits until the approver looks at what waits; before that, an ask is handed to the host.
    fn is_soon_attended(&self, approver: &Approver) {
        let began = Instant::now();
        while !self.is_attended() {
            assert!(began.elapsed() < LONGEST, "nobody looks: {:?}", approver.drawn());
            std::thread::sleep(STEP);
        }
    }

    /// The hook of an agent that is about to run a command.
    fn asks(&self, command: &str) -> Child {
        let call = json!({
            "session_id": "s1", "transcript_path": "", "cwd": self.at("proj"), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": command },
            "tool_use_id": "t1",
        });
        let mut child = self
            .portcullis(&["hook", "claude-code"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(call.to_string().as_bytes()).unwrap();
        child
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        drop(self.portcullis(&["serve", "--stop"]).output());
    }
}

struct Approver {
    child: Child,
    keys: ChildStdin,
    screen: Arc<Mutex<Vec<u8>>>,
}

impl Approver {
    fn drawn(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned()
    }

    fn sees(&self, word: &str) {
        let began = Instant::now();
        while !self.drawn().contains(word) {
            assert!(began.elapsed() < LONGEST, "`{word}` is nowhere in {:?}", self.drawn());
            std::thread::sleep(STEP);
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).unwrap();
    }

    /// Presses the keys until the agent has its answer. Keys for a request that came up in the same moment are passed
    /// over, so once is not always enough.
    fn answers(&mut self, hook: Child, keys: &str) -> Output {
        let mut hook = hook;
        let began = Instant::now();
        loop {
            self.press(keys);
            let pressed = Instant::now();
            while pressed.elapsed() < Duration::from_secs(2) {
                if hook.try_wait().unwrap().is_some() {
                    return hook.wait_with_output().unwrap();
                }
                std::thread::sleep(STEP);
            }
            assert!(began.elapsed() < LONGEST, "no answer; the screen: {:?}", self.drawn());
            // Whatever half of the keys has opened is closed again.
            self.press("\u{1b}");
            std::thread::sleep(Duration::from_millis(500));
        }
    }

    fn ends(mut self) -> String {
        let began = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < LONGEST, "it does not end: {:?}", self.drawn());
            std::thread::sleep(STEP);
        }
        self.drawn()
    }
}

impl Drop for Approver {
    /// Without its terminal the approver ends; otherwise it would start the daemon again.
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn ended(hook: Child) -> Output {
    hook.wait_with_output().unwrap()
}

/// What the host is told: the decision and the reason.
fn told(output: &Output) -> (String, String) {
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let said = &said["hookSpecificOutput"];
    let text = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

/// [H1], [H6], [A3]
#[test]
fn a_person_answers_what_an_agent_asks() {
    let machine = Machine::new();
    // No daemon runs: the approver starts one.
    let mut approver = machine.approver("");
    machine.is_soon_attended(&approver);

    let hook = machine.asks("git push origin qqqq1111");
    approver.sees("qqqq1111");
    let output = approver.answers(hook, "o");
    assert_eq!((told(&output).0.as_str(), output.status.code()), ("allow", Some(0)));

    let hook = machine.asks("git push origin wwww2222");
    approver.sees("wwww2222");
    let output = approver.answers(hook, "n");
    assert_eq!((told(&output).0.as_str(), output.status.code()), ("deny", Some(0)));

    let hook = machine.asks("git push origin eeee3333");
    approver.sees("eeee3333");
    let output = approver.answers(hook, "mnot-on-Fridays\r");
    let (decision, reason) = told(&output);
    assert!(decision == "deny" && reason.contains("not-on-Fridays"), "{decision}: {reason}");

    let hook = machine.asks("git push origin rrrr4444");
    approver.sees("rrrr4444");
    let output = approver.answers(hook, "e --dry-run\r");
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let input = &said["hookSpecificOutput"]["updatedInput"]["command"];
    assert_eq!(input, "git push origin rrrr4444 --dry-run");

    approver.press("q");
    let drawn = approver.ends();
    assert!(drawn.contains("\u{1b}[?1049h") && drawn.contains("\u{1b}[?1049l"), "the terminal is given back");
}

/// [H6], [H2]
#[test]
fn always_writes_a_rule_and_the_next_call_is_not_asked() {
    let machine = Machine::new();
    let mut approver = machine.approver("");
    machine.is_soon_attended(&approver);
    let hook = machine.asks("make tttt5555");
    approver.sees("tttt5555");
    // `make` runs whatever a Makefile says: no rule is proposed, and the exact command is where typing begins.
    let output = approver.answers(hook, "a\r");
    assert_eq!(told(&output).0, "allow", "{:?}", approver.drawn());
    let settings = std::fs::read_to_string(machine.at("config/portcullis/settings.json")).unwrap();
    assert!(settings.contains("Bash(make tttt5555"), "{settings}");
    let output = ended(machine.asks("make tttt5555"));
    assert_eq!(told(&output).0, "allow");
    let log = machine.portcullis(&["log", "verify"]).output().unwrap();
    assert!(log.status.success(), "{log:?}");
    approver.press("\u{3}");
    assert!(approver.ends().contains("\u{1b}[?1049l"), "Ctrl-C gives the terminal back");
}

/// [H6]
#[test]
fn plain_lines_do_the_same() {
    let machine = Machine::new();
    let mut approver = machine.approver("--plain");
    machine.is_soon_attended(&approver);
    let hook = machine.asks("git push origin yyyy6666");
    approver.sees("yyyy6666");
    approver.sees("q leave:");
    approver.press("m\n");
    approver.sees("Tell the agent:");
    approver.press("later\n");
    let output = ended(hook);
    assert!(told(&output).1.contains("later"), "{output:?}");
    approver.sees("Answered.");
    assert!(!approver.drawn().contains("\u{1b}["), "no escape sequences");
}

/// [W1]
#[test]
fn nobody_approves_without_a_terminal_or_inside_an_agent() {
    let machine = Machine::new();
    let mut without = machine.portcullis(&["approve"]);
    without.env("PORTCULLIS_TEST_LOGIN", std::process::id().to_string());
    let output = without.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("terminal"), "{output:?}");

    let program = assert_cmd::cargo::cargo_bin("portcullis");
    let mut inside = Command::new("script");
    inside.args(["-qfec", &format!("exec {} approve", program.display()), "/dev/null"]);
    let output = machine.prepared(inside).env("CLAUDECODE", "1").stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("CLAUDECODE") && !said.contains("1049h"), "{said}");
    assert!(!machine.at("state/portcullis/portcullis.sock").exists(), "nothing was started");
}

/// [A3]
#[test]
fn a_daemon_that_goes_away_is_said_and_found_again() {
    let machine = Machine::new();
    let mut approver = machine.approver("");
    machine.is_soon_attended(&approver);
    let stopped = machine.portcullis(&["serve", "--stop"]).output().unwrap();
    assert!(stopped.status.success(), "{stopped:?}");
    approver.sees("again");
    machine.is_soon_attended(&approver);
    let hook = machine.asks("git push origin uuuu7777");
    approver.sees("uuuu7777");
    let output = approver.answers(hook, "n");
    assert_eq!(told(&output).0, "deny");
    approver.press("q");
    approver.ends();
}

/// [M1], [A3]: an approver that nobody sees must not keep requests waiting.
#[test]
fn an_approver_ends_with_its_terminal() {
    let machine = Machine::new();
    let approver = machine.approver("");
    machine.is_soon_attended(&approver);
    drop(approver);
    let began = Instant::now();
    while machine.is_attended() {
        assert!(began.elapsed() < LONGEST, "somebody still looks");
        std::thread::sleep(STEP);
    }
}
