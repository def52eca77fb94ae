//! `portcullis learn`, run as people run it, over logs that the gate itself wrote.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use portcullis_classify::judge::Handback;
use portcullis_decide::ToolCall;
use portcullis_decide::rules::Source;
use portcullis_gate::approvals::{Choice, HumanAnswer};
use portcullis_gate::settings::{Overrides, Places};
use portcullis_gate::settle::ModelEnvironment;
use portcullis_gate::{Enforced, Gate, Options, People, Request, calendar_ms};
use portcullis_shell::Dialect;
use serde_json::{Value, json};

/// A home of its own with a log.
struct House {
    folder: tempfile::TempDir,
    calls: std::cell::Cell<u32>,
}

/// Every call is made in one of so many sessions, in turn.
const SESSIONS: u32 = 2;

impl House {
    fn new(settings: &Value) -> House {
        let house = House { folder: tempfile::tempdir().unwrap(), calls: std::cell::Cell::new(0) };
        for folder in ["home", "proj/.git", "config/portcullis"] {
            std::fs::create_dir_all(house.at(folder)).unwrap();
        }
        std::fs::write(house.settings_file(), settings.to_string()).unwrap();
        house
    }

    fn plain() -> House {
        House::new(&json!({}))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn settings_file(&self) -> PathBuf {
        self.at("config/portcullis/settings.json")
    }

    fn gate(&self) -> Gate {
        let places = Places {
            home: self.at("home"),
            config: self.at("config/portcullis"),
            state: self.at("state/portcullis"),
            managed: self.at("managed"),
            project: self.at("proj"),
        };
        Gate::open(Options {
            places,
            overrides: Overrides::default(),
            environment: ModelEnvironment::default(),
            dialect: Dialect::Bash,
            group_commit: false,
            now: calendar_ms,
            waiting: |_| {},
            vouched: |_, _| true,
        })
        .unwrap()
    }

    fn request(&self, tool: &str, input: Value) -> Request {
        let number = self.calls.get();
        self.calls.set(number + 1);
        let mut call = ToolCall::new(tool, input, self.at("proj").to_str().unwrap());
        call.session = Some(format!("s{}", number % SESSIONS));
        call.id = Some(format!("t{number}"));
        Request::new("test", call)
    }

    fn bash(&self, command: &str) -> Request {
        self.request("Bash", json!({ "command": command }))
    }

    /// The host asks its user, who lets it run; the host says so.
    fn approves(&self, command: &str) {
        let gate = self.gate();
        let request = self.bash(command);
        assert_eq!(gate.judge_blocking(&request).enforced, Enforced::Ask, "{command}");
        gate.done(request).unwrap();
    }

    /// The same for any tool, as often as a rule needs.
    fn approves_often(&self, tool: &str, input: &Value) {
        for _ in 0..5 {
            let gate = self.gate();
            let request = self.request(tool, input.clone());
            assert_eq!(gate.judge_blocking(&request).enforced, Enforced::Ask, "{tool} {input}");
            gate.done(request).unwrap();
        }
    }

    /// The host asks its user, and nothing more is heard of it.
    fn leaves_open(&self, command: &str) {
        assert_eq!(self.gate().judge_blocking(&self.bash(command)).enforced, Enforced::Ask, "{command}");
    }

    /// A person answers in the approver.
    fn answers(&self, command: &str, choice: Choice, told: Enforced) {
        let request = Request { people: People::Approver, ..self.bash(command) };
        let answer = HumanAnswer {
            choice,
            message: None,
            input: None,
            rule: None,
            source: Source::User,
            who: "dev".to_owned(),
            place: "test".to_owned(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let gate = self.gate();
            gate.approvals().attend();
            let person = gate.clone();
            let answering = tokio::spawn(async move {
                loop {
                    if let Some(parked) = person.approvals().waiting().1.pop() {
                        person.approvals().answer(&parked.id, answer).unwrap();
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            });
            assert_eq!(gate.judge(request).await.enforced, told, "{command}");
            answering.await.unwrap();
        });
    }

    fn refuses(&self, command: &str) {
        self.answers(command, Choice::No, Enforced::Deny);
    }

    fn prepared(&self, mut command: Command) -> Command {
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
            .env("TERM", "dumb")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("portcullis"));
        command.arg("learn").args(arguments);
        self.prepared(command).output().unwrap()
    }

    /// The same in a terminal, with `answer` typed into it.
    fn at_terminal(&self, arguments: &str, answer: &str, inside_agent: bool) -> (i32, String) {
        let program = assert_cmd::cargo::cargo_bin("portcullis");
        let line = format!("exec {} learn {arguments}", program.display());
        let mut command = Command::new("script");
        command.args(["-qfec", &line, "/dev/null"]);
        let mut command = self.prepared(command);
        if inside_agent {
            command.env("CLAUDECODE", "1");
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut keys = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut keys, answer.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        drop(keys);
        (output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn learns(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&["--json"], arguments].concat());
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn proposed(&self, arguments: &[&str]) -> Vec<String> {
        let found = self.learns(arguments);
        let proposals = found.get("proposals").and_then(Value::as_array).unwrap();
        let text = |it: &Value, name: &str| it.get(name).and_then(Value::as_str).unwrap().to_owned();
        proposals.iter().map(|it| format!("{} {}", text(it, "list"), text(it, "rule"))).collect()
    }

    fn settings(&self) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.settings_file()).unwrap()).unwrap()
    }
}

/// [H6], [A1]
#[test]
fn a_command_that_is_always_approved_is_proposed_as_it_is() {
    let house = House::plain();
    for _ in 0..5 {
        house.approves("cargo test --workspace");
    }
    let found = house.learns(&[]);
    let proposal = &found["proposals"][0];
    assert_eq!(
        (&proposal["list"], &proposal["rule"]),
        (&json!("allow"), &json!("Bash(cargo test --workspace)"))
    );
    assert_eq!((&proposal["count"], &proposal["sessions"]), (&json!(5), &json!(2)));
    // Each question is followed by its outcome.
    assert_eq!(proposal["entries"], json!([1, 3, 5, 7, 9]));
    assert_eq!(proposal["places"], json!([house.at("proj")]));
    assert_eq!(found["log"]["entries"], 10);
    assert!(proposal["first"].as_str().unwrap() <= proposal["last"].as_str().unwrap());
    let output = house.run(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    for part in
        ["approved 5 times in 2 sessions", "never refused", "exactly this command", "Nothing is written"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(house.settings(), json!({}), "looking writes nothing");
}

/// [H6]
#[test]
fn too_few_answers_or_sessions_speak_for_nothing() {
    let house = House::plain();
    for _ in 0..4 {
        house.approves("cargo test --workspace");
    }
    assert_eq!(house.proposed(&[]), Vec::<String>::new());
    assert_eq!(house.proposed(&["--times", "4"]), ["allow Bash(cargo test --workspace)"]);
    assert_eq!(house.proposed(&["--times", "4", "--sessions", "3"]), Vec::<String>::new());
    assert_eq!(house.run(&["--times", "1"]).status.code(), Some(3), "one answer is no habit");
}

/// [H6] The words that all of them begin with, and what else such a rule would let pass.
#[test]
fn commands_that_differ_share_their_first_words() {
    let house = House::plain();
    for number in 0..5 {
        house.approves(&format!("cargo test --workspace name{number}"));
    }
    // Nobody could be asked about this one.
    let headless = Request { people: People::Nobody, ..house.bash("cargo test --workspace other") };
    assert_eq!(house.gate().judge_blocking(&headless).enforced, Enforced::Deny);
    let found = house.learns(&[]);
    let proposal = &found["proposals"][0];
    assert_eq!(proposal["rule"], "Bash(cargo test --workspace:*)");
    assert_eq!(proposal["also"], json!(["Bash cargo test --workspace other"]));
    assert!(proposal["means"].as_str().unwrap().contains("any words after it"));
}

/// [H6]
#[test]
fn one_no_and_silence_speak_against_a_rule() {
    let refused = House::plain();
    for number in 0..5 {
        refused.approves(&format!("cargo test name{number}"));
    }
    assert_eq!(refused.proposed(&[]), ["allow Bash(cargo test:*)"]);
    refused.refuses("cargo test other");
    assert_eq!(refused.proposed(&[]), Vec::<String>::new());
    let dropped = &refused.learns(&[])["dropped"][0];
    assert_eq!((&dropped["what"], &dropped["count"]), (&json!("Bash(cargo test:*)"), &json!(5)));
    assert_eq!(dropped["why"], "somebody said no to `Bash cargo test other`");

    let open = House::plain();
    for _ in 0..5 {
        open.approves("cargo test");
    }
    open.leaves_open("cargo test");
    assert_eq!(open.proposed(&[]), Vec::<String>::new(), "the agent's user may have said no");
    assert_eq!(open.proposed(&["--unanswered", "1"]), ["allow Bash(cargo test)"]);
}

/// [D1], [C6] Programs that run what they are given, commands with harm in them, and files that others run.
#[test]
fn what_is_dangerous_is_never_proposed() {
    let house = House::plain();
    let calls = ["python3 tool.py", "git push --force origin main", "npm run build --if-present", "make all"];
    for command in calls {
        for _ in 0..6 {
            house.approves(command);
        }
    }
    for _ in 0..6 {
        let gate = house.gate();
        let file = house.at("proj/package.json");
        let request = house.request("Write", json!({ "file_path": file, "content": "{}" }));
        assert_eq!(gate.judge_blocking(&request).enforced, Enforced::Ask);
        gate.done(request).unwrap();
    }
    let proposed = house.proposed(&[]);
    for word in ["python", "--force", "git push", "make", "package.json", "npm run:*"] {
        assert!(!proposed.iter().any(|rule| rule.contains(word)), "{word}: {proposed:?}");
    }
    let found = house.learns(&[]);
    let dropped: Vec<&str> =
        found["dropped"].as_array().unwrap().iter().map(|it| it["what"].as_str().unwrap()).collect();
    for word in ["python3 tool.py", "git push", "package.json"] {
        assert!(dropped.iter().any(|what| what.contains(word)), "{word}: {dropped:?}");
    }
}

/// [D1], [R10] What runs its input, and what takes away, ends or installs, is no habit, however exactly it is spelled.
#[test]
fn what_runs_its_input_is_no_habit() {
    let house = House::plain();
    let calls = [
        "python3 <<'EOF'\nprint(1)\nEOF",
        "echo 'drop table users' | psql",
        "python3",
        "irb",
        "rm -rf old",
        "kill 1234",
        "chmod -R 777 .",
        "apt-get install -y jq",
    ];
    for command in calls {
        house.approves_often("Bash", &json!({ "command": command }));
    }
    assert_eq!(house.proposed(&[]), Vec::<String>::new());
    assert!(!house.learns(&[])["dropped"].as_array().unwrap().is_empty());
}

/// [H6] One command that no rule can spell is not proposed by what it begins with.
#[test]
fn what_a_rule_cannot_spell_is_not_proposed() {
    let house = House::plain();
    let long = format!("touch {}", ["name"; 60].join(" "));
    let token = format!("touch ghp_{}", "16C7e42F292c6912E771".repeat(2).split_at(36).0);
    for command in ["touch \"a*b\"", "mkdir x\\(1\\)", &long, &token, "mytool lint \"a*\""] {
        house.approves_often("Bash", &json!({ "command": command }));
    }
    let found = house.learns(&[]);
    assert_eq!(found["proposals"], json!([]), "not even together");
    let why: Vec<&str> =
        found["dropped"].as_array().unwrap().iter().map(|it| it["why"].as_str().unwrap()).collect();
    assert_eq!(why.len(), 5, "{found}");
    assert_eq!(why.iter().filter(|why| why.contains("one command")).count(), 4, "{found}");
}

/// [H6] Programs that are not known are proposed as they were run, and not as a habit.
#[test]
fn programs_that_are_not_known_get_no_wildcard() {
    let house = House::plain();
    for number in 0..6 {
        house.approves(&format!("mytool check part{number}"));
    }
    house.approves_often("Bash", &json!({ "command": "mytool lint --all" }));
    assert_eq!(house.proposed(&[]), ["allow Bash(mytool lint --all)"]);
}

/// [H6] What is quoted is no word that commands share, and those before it are.
#[test]
fn words_before_a_quote_are_shared() {
    let house = House::plain();
    for number in 0..5 {
        house.approves(&format!("git commit -m 'part {number}'"));
    }
    assert_eq!(house.proposed(&[]), ["allow Bash(git commit -m:*)"]);
}

/// [H6] Names that mean more than themselves, tools that do more than look, and folders that hold everything.
#[test]
fn what_no_narrow_rule_means_is_not_proposed() {
    let house = House::plain();
    let file = house.at("proj/**");
    house.approves_often("Write", &json!({ "file_path": file, "content": "x" }));
    house.approves_often("Skill", &json!({ "skill": "*" }));
    house.approves_often("Grep", &json!({ "pattern": "x", "path": house.at("home") }));
    for tool in ["mcp__sh__run_command", "mcp__fs__write_file", "mcp__pg__query"] {
        house.approves_often(tool, &json!({ "text": "x" }));
    }
    house.approves_often("mcp__tracker__list_issues", &json!({ "text": "x" }));
    assert_eq!(house.proposed(&[]), ["allow mcp__tracker__list_issues"]);
    assert_eq!(house.learns(&[])["dropped"].as_array().unwrap().len(), 6);
}

/// [H6] A sub-agent that came back was let go; no rule is proposed for that, and it is said.
#[test]
fn sub_agents_that_people_let_go_are_counted() {
    let house = House::plain();
    for _ in 0..5 {
        let gate = house.gate();
        let input = json!({ "subagent_type": "reviewer", "prompt": "look around" });
        let request = house.request("Agent", input);
        assert_eq!(gate.judge_blocking(&request).enforced, Enforced::Ask);
        let handback = Handback { report: "all is well".to_owned(), ..Handback::default() };
        assert_eq!(gate.handed_back(request, handback), None);
    }
    let found = house.learns(&[]);
    assert_eq!((&found["proposals"], &found["dropped"][0]["count"]), (&json!([]), &json!(5)), "{found}");
}

/// [H6], [A1] An answer in the approver counts as one in the agent's own dialog does.
#[test]
fn answers_given_in_the_approver_count() {
    let house = House::plain();
    for _ in 0..5 {
        house.answers("cargo build", Choice::Once, Enforced::Allow);
    }
    assert_eq!(house.proposed(&[]), ["allow Bash(cargo build)"]);
    // Who answered, and from where, is for whoever reads the proposal to judge.
    assert_eq!(house.learns(&[])["proposals"][0]["by"], json!(["dev at test"]));
    house.approves("cargo build");
    assert_eq!(house.learns(&[])["proposals"][0]["by"], json!(["dev at test", "the host's user at test"]));
    let text = String::from_utf8(house.run(&[]).stdout).unwrap();
    assert!(text.contains("answered by dev at test, the host's user at test"), "{text}");
}

/// [N4] A deny tells of every other call that would be denied, whatever became of it.
#[test]
fn a_deny_tells_what_else_it_would_deny() {
    let house = House::plain();
    for name in ["a", "b", "c"] {
        house.refuses(&format!("git push origin {name}"));
    }
    house.leaves_open("git push origin main");
    house.leaves_open("cargo build");
    let found = house.learns(&[]);
    assert_eq!(found["proposals"][0]["rule"], "Bash(git push origin:*)");
    assert_eq!(found["proposals"][0]["also"], json!(["Bash git push origin main"]));
}

/// [N4]
#[test]
fn what_is_always_refused_is_proposed_as_a_deny() {
    let house = House::plain();
    for _ in 0..3 {
        house.refuses("git push origin main");
    }
    assert_eq!(house.proposed(&[]), ["deny Bash(git push origin main)"]);
    house.refuses("git push origin release");
    assert_eq!(house.proposed(&[]), ["deny Bash(git push origin:*)"]);
    house.answers("git push origin main --dry-run", Choice::Once, Enforced::Allow);
    assert_eq!(house.proposed(&[]), Vec::<String>::new(), "somebody said yes to what it would deny");
}

/// [M4] What was only watched was put before nobody.
#[test]
fn calls_that_were_only_watched_teach_nothing() {
    let house = House::new(&json!({ "enforce": false }));
    for _ in 0..6 {
        let gate = house.gate();
        let request = house.bash("cargo test");
        assert_eq!(gate.judge_blocking(&request).enforced, Enforced::Nothing);
        gate.done(request).unwrap();
    }
    let found = house.learns(&[]);
    assert_eq!((&found["proposals"], &found["log"]["questions"]), (&json!([]), &json!(0)));
}

/// [A1]
#[test]
fn rules_that_never_decided_anything_are_shown() {
    let allow = ["Bash(cargo build:*)", "Bash(cargo doc:*)"];
    let house = House::new(&json!({ "permissions": { "allow": allow, "deny": ["Bash(shutdown:*)"] } }));
    assert_eq!(house.gate().judge_blocking(&house.bash("cargo build --release")).enforced, Enforced::Allow);
    let found = house.learns(&[]);
    let idle: Vec<&str> =
        found["idle"].as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap()).collect();
    assert_eq!(idle, ["Bash(cargo doc:*)", "Bash(shutdown:*)"], "{found}");
    assert!(found["log"]["first"].is_string());
    let text = String::from_utf8(house.run(&[]).stdout).unwrap();
    assert!(text.contains("Rules that decided nothing since 20"), "{text}");
}

/// [H6], [W1]
#[test]
fn only_a_person_at_a_terminal_writes() {
    let house = House::plain();
    for _ in 0..5 {
        house.approves("cargo test");
    }
    let id = house.learns(&[])["proposals"][0]["id"].as_str().unwrap().to_owned();
    for arguments in [&["--yes", &id][..], &["--write"]] {
        let output = house.run(arguments);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
    }
    let (code, text) = house.at_terminal(&format!("--yes {id}"), "", true);
    assert!(code == 3 && text.contains("CLAUDECODE"), "{code}: {text}");
    let (code, text) = house.at_terminal("--yes 00000000", "", false);
    assert!(code == 3 && text.contains("no proposal"), "{code}: {text}");
    let (code, text) = house.at_terminal("--write", "n\n", false);
    assert_eq!(code, 1, "{text}");
    assert_eq!(house.settings(), json!({}));

    let (code, text) = house.at_terminal(&format!("--yes {id}"), "", false);
    assert_eq!(code, 0, "{text}");
    assert_eq!(house.settings(), json!({ "permissions": { "allow": ["Bash(cargo test)"] } }));
    assert_eq!(house.gate().judge_blocking(&house.bash("cargo test")).enforced, Enforced::Allow);
    assert_eq!(house.proposed(&[]), Vec::<String>::new(), "it is there now");
    let mut log = Command::new(assert_cmd::cargo::cargo_bin("portcullis"));
    log.args(["log", "--json", "--kind", "rule"]);
    let output = house.prepared(log).output().unwrap();
    let entry: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        entry["message"].as_str().unwrap().contains("wrote the allow rule `Bash(cargo test)`"),
        "{entry}"
    );
    let mut verify = Command::new(assert_cmd::cargo::cargo_bin("portcullis"));
    verify.args(["log", "verify"]);
    assert!(house.prepared(verify).output().unwrap().status.success());
}

/// [H6]
#[test]
fn a_yes_at_the_terminal_writes_where_it_was_told_to() {
    let house = House::plain();
    for _ in 0..3 {
        house.refuses("git push origin main");
    }
    let (code, text) = house.at_terminal("--write --to local", "y\n", false);
    assert_eq!(code, 0, "{text}");
    let local = std::fs::read_to_string(house.at("proj/.portcullis/settings.local.json")).unwrap();
    let local: Value = serde_json::from_str(&local).unwrap();
    assert_eq!(local, json!({ "permissions": { "deny": ["Bash(git push origin main)"] } }));
    assert_eq!(house.gate().judge_blocking(&house.bash("git push origin main")).enforced, Enforced::Deny);
}

/// [A1], [H6] Answers that somebody may have put there write nothing.
#[test]
fn a_log_that_was_changed_writes_no_rule() {
    let house = House::plain();
    for _ in 0..5 {
        house.approves("cargo test");
    }
    let id = house.learns(&[])["proposals"][0]["id"].as_str().unwrap().to_owned();
    for name in ["portcullis.db", "portcullis.db-wal"] {
        let path = house.at("state/portcullis").join(name);
        let text = std::fs::read(&path).unwrap();
        let mut changed = text.clone();
        let places = text.windows(10).enumerate().filter(|(_, part)| *part == b"cargo test");
        places.for_each(|(at, _)| changed[at..at + 10].copy_from_slice(b"cargo TEST"));
        std::fs::write(&path, changed).unwrap();
    }
    let (code, text) = house.at_terminal(&format!("--yes {id}"), "", false);
    assert_eq!(code, 3, "{text}");
    assert_eq!(house.settings(), json!({}));
}

#[test]
fn without_a_log_there_is_nothing_to_learn_from() {
    let house = House::plain();
    let output = house.run(&[]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}
