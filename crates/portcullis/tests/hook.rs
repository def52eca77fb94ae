//! `portcullis hook` and the daemon behind it, as agents meet them.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot run its program must stop"
)]

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A home of its own for every test.
struct Home {
    keep: tempfile::TempDir,
}

impl Home {
    fn new(settings: &Value) -> Home {
        let home = Home { keep: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(home.at(".config/portcullis")).unwrap();
        std::fs::create_dir_all(home.at("proj/.git")).unwrap();
        std::fs::write(home.at(".config/portcullis/settings.json"), settings.to_string()).unwrap();
        home
    }

    fn at(&self, path: &str) -> PathBuf {
        self.keep.path().join(path)
    }

    fn socket(&self) -> PathBuf {
        self.at(".local/state/portcullis/portcullis.sock")
    }

    fn portcullis(&self, words: &[&str]) -> Command {
        self.program(Path::new(env!("CARGO_BIN_EXE_portcullis")), words)
    }

    fn program(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(words).env_clear().env("HOME", self.keep.path()).env("PATH", "/usr/bin:/bin");
        // The test is the person who runs it.
        command.env("PORTCULLIS_TEST_LOGIN", format!("{}:no-terminal", std::process::id()));
        command
    }

    fn hook(&self, agent: &str, told: &[u8]) -> Output {
        said(&mut self.portcullis(&["hook", agent]), told)
    }

    /// The small program that agents start.
    fn small(&self, agent: &str, told: &[u8]) -> Output {
        said(&mut self.program(Path::new(SMALL), &["hook", agent]), told)
    }

    fn call(&self, command: &str) -> Vec<u8> {
        json!({
            "session_id": "s1", "transcript_path": "", "cwd": self.at("proj"), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": command },
            "tool_use_id": "t1",
        })
        .to_string()
        .into_bytes()
    }

    /// A daemon that listens.
    fn serve(&self) -> Daemon {
        self.serve_with(&mut self.portcullis(&["serve"]))
    }

    fn serve_with(&self, command: &mut Command) -> Daemon {
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while UnixStream::connect(self.socket()).is_err() {
            assert!(began.elapsed() < Duration::from_mins(1), "the daemon does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Daemon(child)
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut stream = UnixStream::connect(self.socket()).unwrap();
        write!(stream, "{method} {path} HTTP/1.0\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }
}

const SMALL: &str = env!("CARGO_BIN_EXE_portcullis-hook");

/// What a program says to this on its standard input.
fn said(command: &mut Command, told: &[u8]) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(told).ok();
    child.wait_with_output().unwrap()
}

struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn decision(output: &Output) -> String {
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    said["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("nothing").to_owned()
}

fn rules() -> Value {
    json!({ "permissions": { "allow": ["Bash(touch:*)"], "deny": ["Bash(curl:*)"] } })
}

const CALLS: &[(&str, &str, i32)] =
    &[("touch x", "allow", 0), ("ls", "allow", 0), ("curl http://x.test", "deny", 0), ("make", "ask", 0)];

/// [A3], [G1]
#[test]
fn the_hook_answers_with_and_without_a_daemon_alike() {
    let home = Home::new(&rules());
    let without: Vec<Output> =
        CALLS.iter().map(|(command, ..)| home.hook("claude-code", &home.call(command))).collect();
    let daemon = home.serve();
    for ((command, expected, code), before) in CALLS.iter().zip(without) {
        let after = home.hook("claude-code", &home.call(command));
        let small = home.small("claude-code", &home.call(command));
        for output in [&before, &after, &small] {
            assert_eq!(
                (decision(output).as_str(), output.status.code()),
                (*expected, Some(*code)),
                "{command}"
            );
        }
        assert_eq!(before.stdout, after.stdout, "{command}");
        assert_eq!(before.stdout, small.stdout, "{command}");
    }
    let (_, health) = home.ask("GET", "/v1/health", "");
    assert!(health["requests"].as_u64().unwrap() >= 4, "the daemon was asked: {health}");
    drop(daemon);
    let log = home.portcullis(&["log", "--json"]).output().unwrap();
    assert_eq!(String::from_utf8(log.stdout).unwrap().lines().count(), 12, "each answer has its record");
    assert!(home.portcullis(&["log", "verify"]).status().unwrap().success());
}

/// [J6], [F12], [A3]
#[test]
fn what_is_no_event_gets_the_agents_no() {
    let home = Home::new(&rules());
    let long = vec![b' '; (1 << 20) + 10];
    let deep = "[".repeat(100_000).into_bytes();
    let told: [&[u8]; 9] = [
        b"",
        b"{}",
        b"null",
        b"not json",
        b"\xff\xfe",
        br#"{"hook_event_name":"PreToolUse","hook_event_name":"PreToolUse"}"#,
        br#"{"hook_event_name":"Later"}"#,
        &long,
        &deep,
    ];
    for bytes in told {
        let output = home.hook("claude-code", bytes);
        let shown = String::from_utf8_lossy(bytes.get(..40).unwrap_or(bytes)).into_owned();
        assert_eq!((decision(&output).as_str(), output.status.code()), ("deny", Some(2)), "{shown}");
        assert!(!output.stderr.is_empty(), "{shown}");
        let plain = home.hook("generic", bytes);
        let said: Value = serde_json::from_slice(&plain.stdout).unwrap();
        assert_eq!((said["decision"].as_str(), plain.status.code()), (Some("deny"), Some(2)), "{shown}");
    }
    for agent in ["nobody", "", "--help me"] {
        assert_eq!(home.hook(agent, &home.call("ls")).status.code(), Some(2), "{agent}");
    }
}

/// [A3]
#[test]
fn a_daemon_that_is_not_right_is_a_no_and_none_is_none() {
    wrong_daemons(|home| home.hook("claude-code", &home.call("touch x")));
    wrong_daemons(|home| home.small("claude-code", &home.call("touch x")));
}

fn wrong_daemons(ask: fn(&Home) -> Output) {
    let home = Home::new(&rules());
    assert_eq!(decision(&ask(&home)), "allow");
    // A socket without anybody behind it is left over.
    drop(UnixListener::bind(home.socket()).unwrap());
    assert_eq!(decision(&ask(&home)), "allow");
    for answer in [
        &b""[..],
        b"HTTP/1.0 200 OK\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\n{\"stdout\":\"\",\"stderr\":\"\",\"code\":0",
        b"HTTP/1.0 409 Conflict\r\n\r\n{\"error\":\"another version\"}",
        b"garbage",
    ] {
        std::fs::remove_file(home.socket()).unwrap();
        let listener = UnixListener::bind(home.socket()).unwrap();
        let fake = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut part = vec![0; 64 << 10];
            let read = stream.read(&mut part).unwrap();
            assert!(read > 0);
            stream.write_all(answer).unwrap();
        });
        let output = ask(&home);
        fake.join().unwrap();
        assert_eq!(output.status.code(), Some(2), "{answer:?}");
        assert!(!output.stderr.is_empty() && decision(&output) != "allow", "{answer:?}");
    }
}

/// [A3]
#[test]
fn a_silent_daemon_is_a_no_before_the_host_loses_patience() {
    let home = Home::new(&rules());
    std::fs::create_dir_all(home.socket().parent().unwrap()).unwrap();
    let listener = UnixListener::bind(home.socket()).unwrap();
    let output = home.hook("claude-code", &home.call("touch x"));
    let small = home.small("claude-code", &home.call("touch x"));
    drop(listener);
    assert_eq!((decision(&output).as_str(), output.status.code()), ("deny", Some(2)));
    assert_eq!((decision(&small).as_str(), small.status.code()), ("nothing", Some(2)));
}

/// [H1] A host that gives up ends the shell that it started; a question that nobody waits for must not stay.
#[test]
fn a_hook_ends_with_whoever_started_it() {
    let home = Home::new(&rules());
    std::fs::create_dir_all(home.socket().parent().unwrap()).unwrap();
    let listener = UnixListener::bind(home.socket()).unwrap();
    let mut shell = home.program(Path::new("/bin/sh"), &["-c", "\"$0\" hook claude-code || exit 2", SMALL]);
    let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(&home.call("touch x")).unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    assert!(stream.read(&mut vec![0; 64 << 10]).unwrap() > 0);
    stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n").unwrap();
    shell.kill().unwrap();
    shell.wait().unwrap();
    // As the daemon does while it waits for a person: until the hook is gone.
    let hung_up = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        stream.write_all(b" ").is_err()
    });
    assert!(hung_up, "the hook still waits");
}

/// [A3]
#[test]
fn the_small_program_is_the_whole_one_or_a_no() {
    let home = Home::new(&rules());
    // No other door of the gate leads through it.
    for words in
        [&["allow", "1"][..], &["pause"], &["check", "Bash", "ls"], &["hook"], &[], &["hook", "generic", "x"]]
    {
        let output = home.program(Path::new(SMALL), words).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("there is portcullis"), "{words:?}");
    }
    // A daemon with another environment does not judge this one.
    let daemon = home.serve();
    let mut elsewhere = home.program(Path::new(SMALL), &["hook", "claude-code"]);
    let output = said(elsewhere.env("SHELL", "/bin/zsh"), &home.call("touch x"));
    assert_eq!((decision(&output).as_str(), output.status.code()), ("allow", Some(0)));
    let output = said(elsewhere.env("SHELL", "/bin/zsh"), &home.call("curl http://x.test"));
    assert_eq!((decision(&output).as_str(), output.status.code()), ("deny", Some(0)));
    for agent in ["nobody", "", "--help", "--help me", "generic HTTP/1.0\r\nx: y"] {
        assert_eq!(home.small(agent, &home.call("ls")).status.code(), Some(2), "{agent}");
    }
    for bytes in [&b""[..], b"not json", &vec![b' '; (1 << 20) + 10]] {
        assert_eq!(home.small("claude-code", bytes).status.code(), Some(2));
    }
    drop(daemon);
    // Alone it cannot judge.
    let alone = home.at("portcullis-hook");
    std::fs::copy(SMALL, &alone).unwrap();
    let output = said(&mut home.program(&alone, &["hook", "claude-code"]), &home.call("touch x"));
    assert_eq!((decision(&output).as_str(), output.status.code()), ("nothing", Some(2)));
    assert!(String::from_utf8(output.stderr).unwrap().contains("install portcullis again"));
}

/// [A3], [M1]
#[test]
fn the_daemon_stops_when_told_and_only_one_serves() {
    let home = Home::new(&rules());
    let mut daemon = home.serve();
    let second = home.portcullis(&["serve"]).output().unwrap();
    assert_eq!(second.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&second.stderr).contains("already"));
    assert!(home.portcullis(&["serve", "--stop"]).status().unwrap().success());
    assert!(daemon.0.wait().unwrap().success());
    assert!(!home.socket().exists());
    assert_eq!(decision(&home.hook("claude-code", &home.call("touch x"))), "allow");
}

/// [J1]
#[test]
fn the_api_is_what_its_description_says() {
    let home = Home::new(&rules());
    let _daemon = home.serve();
    let (_, described) = home.ask("GET", "/v1/openapi.json", "");
    let paths = described["paths"].as_object().unwrap();
    let source = include_str!("../src/serve/api.rs");
    let routes: Vec<&str> =
        source.lines().filter_map(|line| line.trim().strip_prefix(".route(\"")?.split('"').next()).collect();
    assert_eq!(routes.len(), paths.len());
    for route in routes {
        assert!(paths.contains_key(route), "{route} is not described");
    }
    let call =
        json!({ "tool": "Bash", "input": { "command": "touch x" }, "cwd": home.at("proj"), "session": "s" });
    let (status, answer) = home.ask("POST", "/v1/judge", &call.to_string());
    assert_eq!(
        (status, answer["decision"].as_str(), answer["told"].as_str()),
        (200, Some("allow"), Some("allow"))
    );
    let seq = answer["seq"].as_u64().unwrap();
    let (status, entry) = home.ask("GET", &format!("/v1/audit/{seq}"), "");
    assert_eq!((status, entry["input"]["command"].as_str()), (200, Some("touch x")));
    let (_, all) = home.ask("GET", "/v1/audit?decision=allow&limit=5", "");
    assert_eq!(all["entries"].as_array().unwrap().len(), 1);
    let (_, sessions) = home.ask("GET", "/v1/sessions", "");
    assert_eq!(sessions["sessions"][0]["id"], "s");
    assert_eq!(home.ask("GET", "/v1/sessions/none", "").0, 404);
    assert_eq!(home.ask("POST", "/v1/judge", "{}").0, 422);
    assert_eq!(home.ask("POST", "/v1/speculate", &call.to_string()).0, 202);
    let answer = json!({ "answer": "once", "who": "dev", "place": "here" }).to_string();
    assert_eq!(home.ask("POST", "/v1/approvals/a-9", &answer).0, 404);
    assert_eq!(home.ask("POST", "/v1/approvals/a-9", "{}").0, 422);
}

/// [H1], [H6], [A3]
#[test]
fn a_hook_waits_for_a_person_and_gets_the_answer() {
    let home = Home::new(&rules());
    let _daemon = home.serve();
    assert_eq!(home.ask("GET", "/v1/approvals", "").0, 200, "somebody is there");
    let told = home.call("make");
    let asking = std::thread::scope(|scope| {
        let hook = scope.spawn(|| home.hook("claude-code", &told));
        let (_, state) = home.ask("GET", "/v1/approvals?since=0&wait=30", "");
        let waiting = &state["waiting"][0];
        assert_eq!(waiting["input"]["command"], "make", "{state}");
        // Longer than the daemon may be silent: it says that it works on it.
        std::thread::sleep(Duration::from_secs(6));
        let answer = json!({ "answer": "once", "who": "dev", "place": "test" }).to_string();
        let id = waiting["id"].as_str().unwrap();
        assert_eq!(home.ask("POST", &format!("/v1/approvals/{id}"), &answer).0, 200);
        assert_eq!(home.ask("POST", &format!("/v1/approvals/{id}"), &answer).0, 410);
        hook.join().unwrap()
    });
    let (_, log) = home.ask("GET", "/v1/audit?decision=allow", "");
    let reason = &log["entries"][0]["reason"];
    assert!(
        reason["who"].as_str().unwrap().contains("(uid "),
        "the kernel says who, and nobody else: {reason}"
    );
    assert!(reason["place"].as_str().unwrap().contains(&std::process::id().to_string()), "{reason}");
    assert_eq!(decision(&asking), "allow", "{}", String::from_utf8_lossy(&asking.stdout));
}

/// [W1], attack-H3
#[test]
fn a_process_that_is_no_person_cannot_answer_or_stop_the_daemon() {
    let home = Home::new(&rules());
    // Nobody is the login here: the real rule, for a test that no terminal started.
    let mut served = home.portcullis(&["serve"]);
    let _daemon = home.serve_with(served.env_remove("PORTCULLIS_TEST_LOGIN"));
    let answer = json!({ "answer": "once", "who": "dev", "place": "/dev/pts/0" }).to_string();
    // Whoever runs the tests by hand is a person.
    if std::fs::File::open("/dev/tty").is_err() {
        let (status, said) = home.ask("POST", "/v1/approvals/a-1", &answer);
        assert_eq!(status, 403, "{said}");
        assert!(said["error"].as_str().unwrap().contains("person"), "{said}");
        assert_eq!(home.ask("POST", "/v1/stop", "").0, 403);
    }
    assert_eq!(home.ask("GET", "/v1/approvals", "").0, 200, "looking is free");
    let program = env!("CARGO_BIN_EXE_portcullis");
    let mut stop = home.program(Path::new("setsid"), &["-w", program, "serve", "--stop"]);
    assert!(!stop.status().unwrap().success());
    assert_eq!(home.ask("GET", "/v1/health", "").0, 200, "it runs on");
}

/// [A5], [W1]
#[test]
fn ways_back_are_for_people_at_a_terminal() {
    let home = Home::new(&rules());
    home.hook("claude-code", &home.call("make"));
    for words in [&["allow", "1"][..], &["pause", "--for", "10m"]] {
        let mut command = home.portcullis(words);
        command.env("PORTCULLIS_TEST_LOGIN", std::process::id().to_string());
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("person"), "{words:?}");
    }
}

impl Home {
    /// The entries of the log as JSON.
    fn log(&self, words: &[&str]) -> Vec<Value> {
        let output = self.portcullis(&[&["log", "--json"], words].concat()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// [A8] attack-L1 A deny that the hook made on its own is entered by the next process that can write the log.
#[test]
fn a_deny_of_the_hook_program_itself_comes_into_the_log() {
    let home = Home::new(&rules());
    assert_eq!(decision(&home.hook("claude-code", &home.call("touch x"))), "allow");
    let listener = UnixListener::bind(home.socket()).unwrap();
    let fake = std::thread::spawn(move || {
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().unwrap();
            assert!(stream.read(&mut vec![0; 64 << 10]).unwrap() > 0);
            stream.write_all(b"garbage").unwrap();
        }
    });
    let secret = "touch x; export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY";
    assert_eq!(home.small("claude-code", &home.call(secret)).status.code(), Some(2));
    assert_eq!(home.hook("claude-code", &home.call("touch y")).status.code(), Some(2));
    fake.join().unwrap();
    std::fs::remove_file(home.socket()).unwrap();
    assert!(home.log(&["--kind", "hook-deny"]).is_empty());
    assert_eq!(decision(&home.hook("claude-code", &home.call("touch z"))), "allow");
    let entered = home.log(&["--kind", "hook-deny"]);
    assert_eq!(entered.len(), 2, "{entered:?}");
    for entry in &entered {
        assert_eq!((&entry["decision"], &entry["answered"]), (&json!("deny"), &json!("deny")), "{entry}");
        assert_eq!((&entry["tool"], &entry["session"]), (&json!("Bash"), &json!("s1")), "{entry}");
        assert!(!entry.to_string().contains("wJalrXUtnFEMI"), "{entry}");
    }
    assert!(home.portcullis(&["log", "verify"]).status().unwrap().success());
}

/// [A8] A forged note can only say deny.
#[test]
fn a_forged_note_becomes_a_deny_and_nothing_else() {
    let home = Home::new(&rules());
    let folder = home.at(".local/state/portcullis/hook-denies");
    assert_eq!(decision(&home.hook("claude-code", &home.call("touch x"))), "allow");
    std::fs::create_dir_all(&folder).unwrap();
    let note = json!({
        "time_ms": 1, "agent": "claude-code", "why": "x", "decision": "allow", "answered": "allow", "kind": "call",
        "call": serde_json::from_slice::<Value>(&home.call("curl x")).unwrap(),
    });
    std::fs::write(folder.join("1.json"), note.to_string()).unwrap();
    home.hook("claude-code", &home.call("touch x"));
    let entered: Vec<Value> =
        home.log(&[]).into_iter().filter(|entry| entry["input"]["command"] == "curl x").collect();
    assert_eq!(entered.len(), 1);
    assert_eq!((&entered[0]["kind"], &entered[0]["decision"]), (&json!("hook-deny"), &json!("deny")));
}

/// [A8] attack-L1 A hook that goes away with its answer unread leaves an entry that says so.
#[test]
fn an_answer_that_nobody_takes_is_abandoned() {
    let home = Home::new(&rules());
    let daemon = home.serve();
    let body = home.call("touch x");
    assert_eq!(decision(&home.hook("claude-code", &body)), "allow");
    let environment = environment_of(&home);
    let mut stream = UnixStream::connect(home.socket()).unwrap();
    write!(
        stream,
        "POST /v1/hook/claude-code HTTP/1.0\r\nx-portcullis-version: {}\r\n\
         x-portcullis-environment: {environment}\r\nx-portcullis-confirms: yes\r\ncontent-length: {}\r\n\r\n",
        env!("CARGO_PKG_VERSION"),
        body.len()
    )
    .unwrap();
    stream.write_all(&body).unwrap();
    let mut part = [0; 4096];
    assert!(stream.read(&mut part).unwrap() > 0, "there is an answer");
    drop(stream);
    let began = Instant::now();
    let abandoned = loop {
        let found = home.log(&["--kind", "abandoned"]);
        if let Some(entry) = found.first() {
            break entry.clone();
        }
        assert!(began.elapsed() < Duration::from_mins(1), "nobody wrote it down");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(abandoned["about"], 2);
    let all = home.log(&[]);
    assert_eq!((&all[0]["answered"], &all[1]["answered"]), (&json!("allow"), &json!("abandoned")), "{all:?}");
    drop(daemon);
    let status = home.portcullis(&["status", "--json"]).output().unwrap();
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(
        (&status["today"]["allow"], &status["today"]["abandoned"]),
        (&json!(1), &json!(1)),
        "{status}"
    );
    let explained = home.portcullis(&["explain", "--id", "2"]).output().unwrap();
    assert!(String::from_utf8_lossy(&explained.stdout).contains("abandoned"));
}

/// What a hook in this home says of its environment: a listener in the place of the daemon hears it.
fn environment_of(home: &Home) -> String {
    let socket = home.at("elsewhere/portcullis/portcullis.sock");
    std::fs::create_dir_all(socket.parent().unwrap()).unwrap();
    let listener = UnixListener::bind(&socket).unwrap();
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut part = vec![0; 64 << 10];
        let read = stream.read(&mut part).unwrap();
        String::from_utf8_lossy(&part[..read]).into_owned()
    });
    // Another state folder would be another environment; a link in the place of the socket is not.
    let real = home.at(".local/state/portcullis/portcullis.sock");
    let aside = home.at(".local/state/portcullis/aside.sock");
    std::fs::rename(&real, &aside).unwrap();
    std::os::unix::fs::symlink(&socket, &real).unwrap();
    home.hook("claude-code", &home.call("ls"));
    std::fs::remove_file(&real).unwrap();
    std::fs::rename(&aside, &real).unwrap();
    let heard = heard.join().unwrap();
    let line = heard.lines().find_map(|line| line.strip_prefix("x-portcullis-environment: ")).unwrap();
    line.to_owned()
}

/// [A3] attack-L2 A signal that would end the hook without an answer makes it answer deny.
#[test]
fn a_hook_that_is_told_to_end_says_no_first() {
    use std::os::unix::process::ExitStatusExt;
    let home = Home::new(&rules());
    std::fs::create_dir_all(home.socket().parent().unwrap()).unwrap();
    // Somebody who takes the connection, so that the small program waits for the call itself.
    let _listener = UnixListener::bind(home.socket()).unwrap();
    for program in [Path::new(SMALL), Path::new(env!("CARGO_BIN_EXE_portcullis"))] {
        for signal in ["TERM", "INT", "HUP", "USR1"] {
            let mut command = home.program(program, &["hook", "claude-code"]);
            let mut child =
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            // It waits for the call, which does not come.
            assert!(handles_signals(&child), "no handler was set");
            let killed = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
            assert!(killed.unwrap().success());
            let input = child.stdin.take();
            let output = child.wait_with_output().unwrap();
            drop(input);
            assert_eq!(output.status.signal(), None, "{signal}");
            assert_eq!(output.status.code(), Some(2), "{signal}");
            assert!(!output.stderr.is_empty() || decision(&output) == "deny", "{signal}");
        }
    }
}

/// Waits until a process handles SIGTERM itself.
fn handles_signals(child: &Child) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_mins(1) {
        let text = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:\t"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or_default();
        // SIGTERM is number 15; SIGXFSZ, number 25, is the last that gets a handler.
        if caught & (1 << 14) != 0 && caught & (1 << 24) != 0 {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}
