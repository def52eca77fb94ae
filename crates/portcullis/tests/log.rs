//! `portcullis log`, `explain --id` and `grants`, run as people run them, over logs that are made up.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use portcullis_gate::store::{Grant, Record, Store};
use serde_json::{Value, json};

struct Machine {
    folder: tempfile::TempDir,
}

fn record(seq: u64, decision: &str, command: &str) -> Record {
    Record {
        time_ms: 1_794_700_800_000 + seq * 1000,
        session: format!("s{}", seq % 2),
        agent: "claude-code".to_owned(),
        tool: "Bash".to_owned(),
        input: json!({ "command": command }),
        cwd: "/home/dev/proj".to_owned(),
        mode: "default".to_owned(),
        decision: decision.to_owned(),
        message: format!("{decision} because of `Bash(git:*)`"),
        reason: json!({ "type": "rule", "word": "deny-rule", "rule": "Bash(git:*)" }),
        trace: json!([
            { "step": "F1 deny-rules", "outcome": "no rule matched", "micros": 3 },
            { "step": "F9 allow-rules", "outcome": "matched", "micros": 9 }
        ]),
        layer: "rule".to_owned(),
        enforced: true,
        answered: decision.to_owned(),
        kind: "call".to_owned(),
        stages: json!([]),
        ..Record::default()
    }
}

impl Machine {
    fn with(records: &[Record]) -> Machine {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(machine.at("proj/.git")).unwrap();
        let mut store = Store::open(&machine.at("state/portcullis")).unwrap();
        store.commit(|ledger| records.iter().try_for_each(|record| ledger.append(record).map(drop))).unwrap();
        machine
    }

    /// Four calls: allow, deny, ask, allow.
    fn usual() -> Machine {
        let calls = [("allow", "git status"), ("deny", "git push -f"), ("ask", "make"), ("allow", "ls")];
        let records: Vec<Record> =
            (1..).zip(calls).map(|(seq, (decision, command))| record(seq, decision, command)).collect();
        Machine::with(&records)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("portcullis").unwrap();
        command
            .args(arguments)
            .current_dir(self.at("proj"))
            .env_clear()
            .env("HOME", self.at("home"))
            .env("XDG_STATE_HOME", self.at("state"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn lines(&self, arguments: &[&str]) -> Vec<Value> {
        self.text(arguments).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn numbers(&self, arguments: &[&str]) -> Vec<u64> {
        let lines = self.lines(&[&["log", "--json"], arguments].concat());
        lines.iter().map(|line| line["seq"].as_u64().unwrap()).collect()
    }

    fn tamper(&self, text: &[u8], other: &[u8]) {
        for name in ["portcullis.db", "portcullis.db-wal"] {
            let path = self.at("state/portcullis").join(name);
            let mut bytes = std::fs::read(&path).unwrap();
            let places: Vec<usize> =
                (0..bytes.len()).filter(|at| bytes.get(*at..*at + text.len()) == Some(text)).collect();
            for at in places {
                bytes.splice(at..at + text.len(), other.iter().copied());
            }
            std::fs::write(&path, bytes).unwrap();
        }
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// [J1], [J5]
#[test]
fn the_log_as_json_has_the_shape_that_programs_rely_on() {
    let machine = Machine::usual();
    let lines = machine.lines(&["log", "--json"]);
    assert_eq!(lines.len(), 4);
    for field in [
        "decision", "message", "reason", "trace", "seq", "time", "session", "agent", "tool", "input", "prev",
        "hash",
    ] {
        assert!(lines.iter().all(|line| line.get(field).is_some()), "{field}");
    }
    let second = lines.get(1).unwrap();
    assert_eq!(second["decision"], "deny");
    assert_eq!(second["reason"]["type"], "rule");
    assert_eq!(second["trace"][1]["step"], "F9 allow-rules");
    assert_eq!(second["input"]["command"], "git push -f");
    assert_eq!(second["time"], "2026-11-15T00:00:02.000Z");
    assert_eq!(second["prev"], lines.first().unwrap()["hash"]);
}

/// [A1]
#[test]
fn the_log_can_be_filtered() {
    let machine = Machine::usual();
    assert_eq!(machine.numbers(&["--decision", "deny"]), [2]);
    assert_eq!(machine.numbers(&["--session", "s0"]), [2, 4]);
    assert_eq!(machine.numbers(&["--tool", "Read"]), [0_u64; 0]);
    assert_eq!(machine.numbers(&["--agent", "claude-code", "--rule", "git"]), [1, 2, 3, 4]);
    assert_eq!(
        machine.numbers(&["--since", "2026-11-15T00:00:02Z", "--until", "2026-11-15 00:00:04"]),
        [2, 3]
    );
    assert_eq!(machine.numbers(&["--limit", "1"]), [4]);
    assert_eq!(machine.numbers(&["--kind", "human"]), [0_u64; 0]);
    assert_eq!(machine.run(&["log", "--since", "yesterday"]).status.code(), Some(3));
    assert_eq!(machine.run(&["log", "--decision", "maybe"]).status.code(), Some(3));
}

/// [A1]
#[test]
fn the_log_as_text_is_one_line_an_entry() {
    let machine = Machine::usual();
    let text = machine.text(&["log"]);
    assert_eq!(text.lines().count(), 4);
    let second = text.lines().nth(1).unwrap();
    for part in ["2", "2026-11-15 00:00:02", "DENY", "Bash git push -f", "claude-code", "s0"] {
        assert!(second.contains(part), "{part}: {second}");
    }
    assert!(!text.contains('\u{1b}'), "colour in a pipe");
    assert_eq!(machine.text(&["log", "--limit", "2"]).lines().count(), 2);
}

/// [C18], [S3]
#[test]
fn nothing_that_is_shown_hides_text_or_holds_credentials() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let machine = Machine::with(&[Record {
        message: format!("\u{202e}{secret}"),
        ..record(1, "ask", &format!("curl -H 'Authorization: token {secret}' x\u{1b}[2J\u{200b}"))
    }]);
    for arguments in [&["log"][..], &["log", "--json"], &["log", "diff"], &["explain", "--id", "1"]] {
        let shown = said(&machine.run(arguments));
        assert!(!shown.contains(secret), "{arguments:?}: {shown}");
        assert!(!shown.contains(['\u{202e}', '\u{1b}', '\u{200b}']), "{arguments:?}: {shown}");
    }
}

/// [A1], [J5]
#[test]
fn verify_names_the_first_entry_that_is_bad() {
    let machine = Machine::usual();
    let whole = machine.text(&["log", "verify"]);
    assert!(whole.contains("4 entries"), "{whole}");
    machine.tamper(b"\"ask because", b"\"ASK because");
    let output = machine.run(&["log", "verify"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    // A changed page of recent writes does not count any more: either the entry is bad, or the end is missing.
    assert!(said(&output).contains("not whole: entry "), "{}", said(&output));
    let json = machine.run(&["log", "verify", "--json"]);
    assert_eq!(serde_json::from_slice::<Value>(&json.stdout).unwrap()["whole"], false);
}

/// [A1]
#[test]
fn a_log_that_is_gone_is_not_whole() {
    let machine = Machine::usual();
    for name in ["portcullis.db", "portcullis.db-wal", "portcullis.db-shm"] {
        drop(std::fs::remove_file(machine.at("state/portcullis").join(name)));
    }
    let output = machine.run(&["log", "verify"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("entry 1"), "{}", said(&output));
}

#[test]
fn where_nothing_was_written_there_is_nothing_to_show() {
    let machine = Machine { folder: tempfile::tempdir().unwrap() };
    std::fs::create_dir_all(machine.at("proj")).unwrap();
    assert_eq!(machine.text(&["log"]), "no entries\n");
    assert_eq!(machine.text(&["log", "--json"]), "");
    assert_eq!(machine.text(&["grants"]), "no grants\n");
    for arguments in
        [&["log", "verify"][..], &["explain", "--id", "1"], &["log", "prune", "--keep", "1", "--yes"]]
    {
        assert_eq!(machine.run(arguments).status.code(), Some(3), "{arguments:?}");
    }
    assert!(!machine.at("state").exists(), "looking made a store");
}

/// [A1]
#[test]
fn an_export_is_verified_without_the_log() {
    let machine = Machine::usual();
    let export = machine.at("export.jsonl");
    let path = export.to_str().unwrap();
    machine.text(&["log", "--export", path]);
    let mode = std::os::unix::fs::PermissionsExt::mode(&export.metadata().unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(machine.run(&["log", "--export", path]).status.code(), Some(3), "it would be written over");
    assert_eq!(machine.text(&["log", "--export", "-"]), std::fs::read_to_string(&export).unwrap());
    std::fs::remove_dir_all(machine.at("state")).unwrap();
    assert!(machine.text(&["log", "verify", "--file", path]).contains("4 entries"));
    let changed = std::fs::read_to_string(&export).unwrap().replace("git push -f", "git push");
    std::fs::write(&export, changed).unwrap();
    let output = machine.run(&["log", "verify", "--file", path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("entry 2"), "{}", said(&output));
}

/// [A1]
#[test]
fn pruning_is_asked_for_and_leaves_a_log_that_is_whole() {
    let machine = Machine::usual();
    let arguments = ["log", "prune", "--before", "2026-11-15T00:00:03Z"];
    assert_eq!(machine.run(&arguments).status.code(), Some(3), "nobody agreed");
    assert_eq!(machine.numbers(&[]).len(), 4);
    machine.text(&[&arguments[..], &["--yes"]].concat());
    assert_eq!(machine.numbers(&[]), [3, 4, 5]);
    assert_eq!(machine.numbers(&["--kind", "prune"]), [5]);
    assert!(machine.text(&["log", "verify"]).contains("3 entries"));
    assert_eq!(machine.run(&["log", "prune", "--yes"]).status.code(), Some(3), "how old is not said");
}

/// [M4]
#[test]
fn diff_groups_what_enforcement_would_have_changed() {
    let watched = |seq, decision: &str, command: &str| Record {
        enforced: false,
        answered: "none".to_owned(),
        ..record(seq, decision, command)
    };
    let machine = Machine::with(&[
        watched(1, "deny", "git push"),
        watched(2, "deny", "git push -f"),
        watched(3, "allow", "ls"),
        Record { reason: json!({ "type": "no-rule", "word": "no-rule" }), ..watched(4, "ask", "make") },
        record(5, "deny", "git push"),
    ]);
    let text = machine.text(&["log", "diff"]);
    assert!(text.contains("3 of 4 watched calls"), "{text}");
    let lines = machine.lines(&["log", "diff", "--json"]);
    let groups = lines.first().unwrap()["groups"].as_array().unwrap();
    let counts: Vec<_> =
        groups.iter().map(|group| (group["decision"].as_str(), group["count"].as_u64())).collect();
    assert_eq!(counts, [(Some("ask"), Some(1)), (Some("deny"), Some(2))]);
    assert_eq!(machine.lines(&["log", "diff", "--json", "--session", "s0"]).first().unwrap()["changed"], 2);
}

/// [A1]
#[test]
fn a_past_decision_is_explained_with_what_came_later_and_what_holds_today() {
    let later = Record {
        kind: "human".to_owned(),
        about: Some(1),
        decision: "allow".to_owned(),
        message: "answered by dev".to_owned(),
        ..record(3, "allow", "git push")
    };
    let machine = Machine::with(&[record(1, "deny", "git push"), record(2, "allow", "ls"), later]);
    let output = machine.run(&["explain", "--id", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    for part in ["entry 1", "git push", "allow-rules", "DENY", "answered by dev", "with today's rules", "ASK"]
    {
        assert!(said(&output).contains(part), "{part}: {}", said(&output));
    }
    let json = machine.run(&["explain", "--id", "1", "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["decision"], "deny");
    assert_eq!(json["later"][0]["seq"], 3);
    assert_eq!(json["today"]["decision"], "ask");
    assert_eq!(machine.run(&["explain", "--id", "9"]).status.code(), Some(3));
    assert_eq!(machine.run(&["explain", "--id", "1", "Bash", "ls"]).status.code(), Some(3));
}

/// [A5]
#[test]
fn grants_are_listed_and_taken_back_and_the_log_tells() {
    let machine = Machine::usual();
    let grant = |expires| Grant {
        session: Some("s0".to_owned()),
        binding: "b".to_owned(),
        expires: Some(expires),
        tool: "Bash".to_owned(),
        shown: "git push".to_owned(),
        who: "dev".to_owned(),
        about: Some(2),
        ..Grant::default()
    };
    let mut store = Store::open(&machine.at("state/portcullis")).unwrap();
    for expires in [1, u64::from(u32::MAX) * 1000] {
        store.commit(|ledger| ledger.add_grant(&grant(expires))).unwrap();
    }
    let text = machine.text(&["grants"]);
    assert!(text.contains("expired") && text.contains("open") && text.contains("git push"), "{text}");
    machine.text(&["grants", "--revoke", "2"]);
    let listed = machine.lines(&["grants", "--json"]);
    assert_eq!(listed.first().unwrap()["grants"][1]["state"], "revoked");
    assert_eq!(machine.run(&["grants", "--revoke", "2"]).status.code(), Some(3), "it is taken back already");
    let told = machine.lines(&["log", "--json", "--kind", "grant"]);
    assert_eq!((told.len(), &told.first().unwrap()["about"]), (1, &json!(2)));
}

/// [A1]
#[test]
fn following_shows_what_is_added() {
    use std::io::{BufRead, BufReader};
    let machine = Machine::usual();
    let program = assert_cmd::cargo::cargo_bin("portcullis");
    let mut child = std::process::Command::new(program)
        .args(["log", "--follow", "--json", "--limit", "1"])
        .env_clear()
        .env("HOME", machine.at("home"))
        .env("XDG_STATE_HOME", machine.at("state"))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap()["seq"].clone();
    assert_eq!(next(), 4);
    let mut store = Store::open(&machine.at("state/portcullis")).unwrap();
    for seq in 5..8 {
        store.commit(|ledger| ledger.append(&record(seq, "allow", "ls"))).unwrap();
        assert_eq!(next(), seq);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
