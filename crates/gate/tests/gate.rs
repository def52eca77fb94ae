//! One call from start to finish, through the library.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

mod house;

use std::path::Path;
use std::time::Duration;

use house::{House, rules};
use portcullis_classify::{Agent, Format};
use portcullis_decide::{Decision, Source};
use portcullis_gate::{
    Answer, Changes, Choice, Filter, Gate, HumanAnswer, NotTaken, OwnCall, Pause, People, Record, Request,
    Talk, Told, Verified, calendar_ms, pause, set_session_mode,
};
use serde_json::{Value, json};

fn auto() -> Value {
    json!({ "permissions": { "defaultMode": "auto" } })
}

fn records(gate: &Gate, filter: &Filter) -> Vec<(u64, Record)> {
    let mut found = Vec::new();
    gate.with_store(|store| {
        store.entries(filter, |entry| {
            found.push((entry.seq, entry.record));
            std::ops::ControlFlow::Continue(())
        })
    })
    .unwrap();
    found
}

fn steps(answer: &Answer) -> Vec<&str> {
    answer.ruling.trace.steps.iter().map(|step| step.step).collect()
}

/// [F0], [A1], [T4]
#[test]
fn every_answer_has_its_record_and_every_step_its_line() {
    let house = House::new(&rules(&["Bash(touch:*)"], &["Bash(curl:*)"]));
    let gate = house.gate();
    for (command, told) in [
        ("touch x", Told::Allow),
        ("curl http://x.test", Told::Deny),
        ("make", Told::Ask),
        ("ls", Told::Allow),
    ] {
        let answer = gate.judge_blocking(&house.bash(command));
        assert_eq!(answer.told, told, "{command}: {}", answer.ruling.message());
        assert!(!steps(&answer).is_empty());
        let (seq, record) = records(&gate, &Filter::default()).pop().unwrap();
        assert_eq!((Some(seq), record.answered.as_str()), (answer.seq, told.name()));
        assert_eq!(record.input, json!({ "command": command }));
    }
    assert!(matches!(gate.with_store(portcullis_gate::Store::verify), Ok(Verified::Whole { .. })));
}

/// [F12]
#[test]
fn what_is_no_call_is_denied_and_written_down() {
    let house = House::new(&json!({ "permissions": { "defaultMode": "bypassPermissions" } }));
    let gate = house.gate();
    let mut relative = house.bash("ls");
    relative.call.cwd = "proj".to_owned();
    let mut odd = house.bash("ls");
    odd.call.session = Some("a\nb".to_owned());
    let mut empty = house.bash("ls");
    empty.call.input = json!([]);
    for request in [relative, odd, empty] {
        let answer = gate.judge_blocking(&request);
        assert_eq!((answer.told, answer.ruling.reason.word()), (Told::Deny, "invalid"));
        assert!(answer.seq.is_some());
    }
}

/// [C18], [A1]
#[test]
fn credentials_are_not_written_down() {
    let house = House::new(&rules(&[], &[]));
    let gate = house.gate();
    let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let _answer =
        gate.judge_blocking(&house.bash(&format!("curl -H 'Authorization: Bearer {secret}' https://x.test")));
    let text = format!("{:?}", records(&gate, &Filter::default()));
    assert!(text.contains("redacted") && !text.contains(secret), "{text}");
}

/// [A3], [A1]
#[test]
fn without_a_record_nothing_is_allowed() {
    let house = House::new(&rules(&["Bash(touch:*)"], &[]));
    let gate = house.gate();
    assert_eq!(gate.judge_blocking(&house.bash("touch x")).told, Told::Allow);
    for name in ["portcullis.db", "portcullis.db-wal", "portcullis.db-shm"] {
        let path = house.places.state.join(name);
        if path.exists() {
            std::fs::rename(&path, path.with_extension("gone")).unwrap();
        }
    }
    let answer = gate.judge_blocking(&house.bash("touch x"));
    assert_eq!((answer.told, answer.seq), (Told::Deny, None));
    assert!(answer.ruling.message().contains("written down"), "{}", answer.ruling.message());
    assert_eq!(gate.failures().of("audit-unavailable"), 1);
}

/// [N1], [N2], [N3]
#[test]
fn blocks_are_counted_across_processes_and_restarts() {
    let house = House::new(&auto());
    let force = "git push --force origin main";
    for _ in 0..2 {
        // A new gate each time: nothing is kept in memory.
        assert_eq!(house.gate().judge_blocking(&house.bash(force)).told, Told::Deny);
    }
    let third = house.gate().judge_blocking(&house.bash(force));
    assert_eq!(third.told, Told::Ask);
    assert!(third.ruling.message().contains("3 calls in a row"), "{}", third.ruling.message());
    assert_eq!(house.gate().judge_blocking(&house.bash("ls")).told, Told::Allow);
    assert_eq!(house.gate().judge_blocking(&house.bash(force)).told, Told::Deny, "an allow resets");
    let mut other = house.bash(force);
    other.call.session = Some("s2".to_owned());
    assert_eq!(house.gate().judge_blocking(&other).told, Told::Deny, "another session counts for itself");
}

/// [N2], [M1]
#[test]
fn where_nobody_can_be_asked_the_limit_stops_the_agent() {
    let house = House::new(&auto());
    let force = || Request { people: People::Nobody, ..house.bash("git push --force origin main") };
    for _ in 0..2 {
        assert_eq!(house.gate().judge_blocking(&force()).told, Told::Deny);
    }
    let last = house.gate().judge_blocking(&force());
    assert!(matches!(last.ruling.decision, Decision::Deny { stop: true, .. }), "{last:?}");
    let asked = Request { people: People::Nobody, ..house.bash("no-such-program --now") };
    assert_eq!(house.gate().judge_blocking(&asked).told, Told::Deny);
}

/// [R12]
#[test]
fn what_a_session_did_counts_in_later_calls() {
    let house = House::new(&auto());
    let told = |command: &str| house.gate().judge_blocking(&house.bash(command)).told;
    assert_eq!(told("rm made.txt"), Told::Ask, "nobody knows whose file it is");
    assert_eq!(told("echo hi > made.txt"), Told::Allow);
    assert_eq!(told("rm made.txt"), Told::Allow, "the session made it");
    let mut other = house.bash("rm made.txt");
    other.call.session = Some("s2".to_owned());
    assert_eq!(house.gate().judge_blocking(&other).told, Told::Ask, "another session did not");
}

/// [T1]
#[test]
fn the_root_is_fixed_when_the_session_begins() {
    let house = House::new(&json!({ "permissions": { "defaultMode": "acceptEdits" } }));
    let gate = house.gate();
    assert_eq!(gate.judge_blocking(&house.bash("ls")).told, Told::Allow);
    let outside = house.places.home.join("x");
    let mut moved = house.call("Write", json!({ "file_path": outside.to_str().unwrap(), "content": "" }));
    moved.call.cwd = house.places.home.to_str().unwrap().to_owned();
    assert_eq!(gate.judge_blocking(&moved).told, Told::Ask);
}

/// [M3]
#[test]
fn a_hosts_mode_only_tightens_unless_it_is_honoured() {
    let house = House::new(&rules(&["Bash(touch:*)"], &[]));
    let with =
        |command: &str, mode: &str| Request { host_mode: Some(mode.to_owned()), ..house.bash(command) };
    assert_eq!(house.gate().judge_blocking(&with("make", "bypassPermissions")).told, Told::Ask);
    assert_eq!(house.gate().judge_blocking(&with("touch x", "plan")).told, Told::Deny);
    let mut settings = rules(&[], &[]);
    settings["honourHostMode"] = json!(["test"]);
    house.settings(&settings);
    assert_eq!(house.gate().judge_blocking(&with("make", "bypassPermissions")).told, Told::Allow);
}

/// [M3], [M2]
#[test]
fn a_mode_that_a_person_chooses_counts_from_the_next_call() {
    let house = House::new(&rules(&["Bash(python3:*)"], &[]));
    let gate = house.gate();
    let run = || gate.judge_blocking(&house.bash("python3 setup.py sdist")).ruling;
    assert!(run().decision.is_allow());
    set_session_mode(&house.places, "s1", portcullis_decide::Mode::Auto).unwrap();
    assert_ne!(run().reason.word(), "allow-rule", "a dangerous rule is set aside in auto mode");
    set_session_mode(&house.places, "s1", portcullis_decide::Mode::Default).unwrap();
    assert_eq!(run().reason.word(), "allow-rule", "and restored exactly");
}

/// [M4]
#[test]
fn shadow_judges_and_records_and_says_nothing() {
    let mut settings = rules(&[], &["Bash(curl:*)"]);
    settings["enforce"] = json!(false);
    let house = House::new(&settings);
    let gate = house.gate();
    let answer = gate.judge_blocking(&house.bash("curl http://x.test"));
    assert_eq!((answer.told, answer.ruling.decision.name()), (Told::Nothing, "deny"));
    let (_, record) = records(&gate, &Filter::default()).pop().unwrap();
    assert_eq!(
        (record.enforced, record.decision.as_str(), record.answered.as_str()),
        (false, "deny", "none")
    );
}

/// [A5]
#[test]
fn a_pause_enforces_nothing_and_ends() {
    let house = House::new(&rules(&[], &["Bash(curl:*)"]));
    let gate = house.gate();
    let begun = |until| Pause { until, who: "dev".to_owned(), place: "here".to_owned() };
    pause(&house.places.state, &begun(calendar_ms() + 60_000)).unwrap();
    assert_eq!(gate.judge_blocking(&house.bash("curl http://x.test")).told, Told::Nothing);
    pause(&house.places.state, &begun(calendar_ms() - 1)).unwrap();
    assert_eq!(gate.judge_blocking(&house.bash("curl http://x.test")).told, Told::Deny);
}

/// [H5]
#[test]
fn sub_agents_have_fewer_tools_and_nobody_to_ask() {
    let house = House::new(&rules(&["WebFetch", "Bash(touch:*)"], &[]));
    let gate = house.gate();
    let worker = |mut request: Request| {
        request.call.agent = Some("a1".to_owned());
        gate.judge_blocking(&request)
    };
    assert_eq!(worker(house.bash("touch x")).told, Told::Allow);
    assert_eq!(worker(house.bash("make")).told, Told::Deny, "undecided");
    let fetch = json!({ "url": "https://x.test/", "prompt": "x" });
    assert_eq!(gate.judge_blocking(&house.call("WebFetch", fetch.clone())).told, Told::Allow);
    let refused = worker(house.call("WebFetch", fetch));
    assert_eq!((refused.told, refused.ruling.reason.word()), (Told::Deny, "limit"));
    let child = Request { parent: Some("s0".to_owned()), ..house.call("mcp__x__y", json!({})) };
    let mut child = child;
    child.call.session = Some("child".to_owned());
    assert_eq!(gate.judge_blocking(&child).told, Told::Deny);
}

/// [A2]
#[test]
fn changed_settings_count_at_once_in_a_running_gate() {
    let house = House::new(&rules(&["Bash(touch:*)"], &[]));
    let gate = house.gate();
    assert_eq!(gate.judge_blocking(&house.bash("touch x")).told, Told::Allow);
    house.settings(&rules(&["Bash(touch:*)"], &["Bash(touch:*)"]));
    assert_eq!(gate.judge_blocking(&house.bash("touch x")).told, Told::Deny);
}

fn says(choice: Choice) -> HumanAnswer {
    HumanAnswer {
        choice,
        message: None,
        input: None,
        rule: None,
        source: Source::User,
        who: "dev".to_owned(),
        place: "test".to_owned(),
    }
}

/// Judges a call while a person is there who gives `answer` to whatever waits.
fn answered(house: &House, request: Request, answer: HumanAnswer) -> (Answer, Vec<Value>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let gate = house.gate();
        gate.approvals().attend();
        let person = gate.clone();
        let answering = tokio::spawn(async move {
            let mut shown = Vec::new();
            loop {
                for parked in person.approvals().waiting().1 {
                    shown.push(parked.shown.clone());
                    person.approvals().answer(&parked.id, answer.clone()).unwrap();
                }
                if !shown.is_empty() {
                    return shown;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        let answer = gate.judge(request).await;
        let shown = if answering.is_finished() { answering.await.unwrap() } else { Vec::new() };
        (answer, shown)
    })
}

/// [H6], [F10d]
#[test]
fn a_person_is_asked_and_heard() {
    let house = House::new(&rules(&[], &[]));
    let (yes, shown) = answered(&house, house.bash("make && git push"), says(Choice::Once));
    assert_eq!((yes.told, yes.ruling.reason.word()), (Told::Allow, "human"));
    assert_eq!(shown[0]["input"]["command"], "make && git push");
    assert!(!shown[0]["suggestions"].as_array().unwrap().is_empty(), "{}", shown[0]);
    let no = HumanAnswer { message: Some("use the other branch".to_owned()), ..says(Choice::No) };
    let (no, _) = answered(&house, house.bash("make"), no);
    assert_eq!(no.told, Told::Deny);
    assert!(no.ruling.message().contains("use the other branch"));
    let (safe, shown) = answered(&house, house.bash("ls"), says(Choice::No));
    assert_eq!((safe.told, shown.len()), (Told::Allow, 0), "nobody is asked about what is settled");
}

/// [H6]
#[test]
fn an_answer_for_the_session_or_for_always_lasts() {
    let house = House::new(&rules(&[], &[]));
    let session = HumanAnswer { rule: Some("Bash(make:*)".to_owned()), ..says(Choice::Session) };
    // `make` runs what its file says: a rule for it is dangerous and is not taken, not even for a session.
    let gate = house.gate();
    drop(gate);
    let (once, _) = answered(
        &house,
        house.bash("touch a"),
        HumanAnswer { rule: Some("Bash(touch:*)".to_owned()), ..session },
    );
    assert_eq!(once.told, Told::Allow);
    assert_eq!(house.gate().judge_blocking(&house.bash("touch b")).told, Told::Allow);
    let mut other = house.bash("touch b");
    other.call.session = Some("s2".to_owned());
    assert_eq!(house.gate().judge_blocking(&other).told, Told::Ask);
    let always = HumanAnswer { rule: Some("Bash(mkdir:*)".to_owned()), ..says(Choice::Always) };
    let (yes, _) = answered(&house, house.bash("mkdir a"), always);
    assert_eq!(yes.told, Told::Allow);
    let mut other = house.bash("mkdir b");
    other.call.session = Some("s3".to_owned());
    assert_eq!(house.gate().judge_blocking(&other).ruling.reason.word(), "allow-rule");
}

/// [T5], [H6]
#[test]
fn an_edited_input_is_judged_again() {
    let house = House::new(&rules(&[], &["Bash(curl:*)"]));
    let edited =
        |command: &str| HumanAnswer { input: Some(json!({ "command": command })), ..says(Choice::Once) };
    let (fine, _) = answered(&house, house.bash("make all"), edited("make test"));
    assert_eq!(
        fine.ruling.decision,
        Decision::Allow { updated_input: Some(json!({ "command": "make test" })) }
    );
    let (denied, _) = answered(&house, house.bash("make all"), edited("curl http://x.test"));
    assert_eq!((denied.told, denied.ruling.reason.word()), (Told::Deny, "deny-rule"));
}

/// [N4]
#[test]
fn the_third_no_to_one_shape_offers_a_rule() {
    let house = House::new(&rules(&[], &[]));
    let mut last = Value::Null;
    for _ in 0..3 {
        let (_, shown) = answered(&house, house.bash("touch x"), says(Choice::No));
        last = shown[0].clone();
    }
    assert_eq!(last["refused"], 2);
    assert!(last["deny_rule"].is_string(), "{last}");
}

/// [R12], [H1]
#[test]
fn a_verdict_that_comes_after_the_rules_changed_is_dropped() {
    let house = House::new(&rules(&[], &[]));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let gate = house.gate();
        gate.approvals().attend();
        let judging = tokio::spawn({
            let (gate, request) = (gate.clone(), house.bash("touch x"));
            async move { gate.judge(request).await }
        });
        let parked = loop {
            if let Some(parked) = gate.approvals().waiting().1.pop() {
                break parked;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        house.settings(&rules(&[], &["Bash(touch:*)"]));
        gate.approvals().answer(&parked.id, says(Choice::Once)).unwrap();
        let answer = judging.await.unwrap();
        assert_eq!((answer.told, answer.ruling.reason.word()), (Told::Deny, "deny-rule"));
    });
}

/// [H1], [F10c]
#[test]
fn who_stops_or_goes_away_leaves_no_answer_behind() {
    let house = House::new(&rules(&[], &[]));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let gate = house.gate();
        gate.approvals().attend();
        let start = |command: &str| {
            let (gate, request) = (gate.clone(), house.bash(command));
            tokio::spawn(async move { gate.judge(request).await })
        };
        let gone = start("touch x");
        let id = loop {
            if let Some(parked) = gate.approvals().waiting().1.pop() {
                break parked.id;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        gone.abort();
        assert!(gone.await.is_err());
        assert_eq!(gate.approvals().answer(&id, says(Choice::Once)), Err(NotTaken::Settled));
        let waiting = start("touch y");
        while gate.approvals().waiting().1.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        gate.stop();
        assert_eq!(waiting.await.unwrap().told, Told::Deny);
    });
    let abandoned = Filter { kind: Some("abandoned".to_owned()), ..Filter::default() };
    for _ in 0..200 {
        if records(&house.gate(), &abandoned).len() == 1 {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("nobody wrote down that the call was abandoned");
}

/// [A1]
#[test]
fn many_at_once_are_written_down_together_and_none_is_lost() {
    let house = House::new(&rules(&["Bash(touch:*)"], &[]));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let gate = Gate::open(house.options(true)).unwrap();
    runtime.block_on(async {
        let calls = (0..200).map(|number| {
            let (gate, mut request) = (gate.clone(), house.bash(&format!("touch file-{number}")));
            request.call.session = Some(format!("s{}", number % 7));
            tokio::spawn(async move { (number, gate.judge(request).await) })
        });
        let mut seen = std::collections::BTreeMap::new();
        for call in calls.collect::<Vec<_>>() {
            let (number, answer) = call.await.unwrap();
            assert_eq!(answer.told, Told::Allow);
            seen.insert(answer.seq.unwrap(), number);
        }
        assert_eq!(seen.len(), 200);
        for (seq, record) in records(&gate, &Filter::default()) {
            assert_eq!(
                record.input["command"],
                format!("touch file-{}", seen[&seq]),
                "answers are not crossed"
            );
        }
    });
    assert!(matches!(gate.with_store(portcullis_gate::Store::verify), Ok(Verified::Whole { .. })));
}

/// [R11]
#[test]
fn a_broken_session_mode_denies() {
    let house = House::new(&rules(&["Bash(touch:*)"], &[]));
    set_session_mode(&house.places, "s1", portcullis_decide::Mode::Plan).unwrap();
    let file = house.places.state.join("sessions/s1.json");
    assert!(Path::new(&file).exists());
    std::fs::write(&file, "{").unwrap();
    assert_eq!(house.gate().judge_blocking(&house.bash("touch x")).told, Told::Deny);
}

/// Settings with a hook of the user that turns every command into another one.
fn changing_to(command: &str, permissions: &Value) -> Value {
    let said = json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": { "command": command } } });
    let hook = json!({ "type": "command", "command": format!("echo '{said}'") });
    json!({ "permissions": permissions, "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [hook] }] } })
}

/// [T5], [A1] A host that would run the call as it was sent gets one no with one record, not a yes that is taken back:
/// `FAIL-CLOSED(rewrite-form)`.
#[test]
fn a_change_that_the_host_passes_over_is_one_deny() {
    let house = House::new(&changing_to("touch other", &json!({ "allow": ["Bash(touch:*)"] })));
    let gate = house.gate();
    let patch = OwnCall {
        agent: Agent::Codex,
        name: "Bash".to_owned(),
        input: json!({ "command": "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nE" }),
    };
    for changes in [Changes::Never, Changes::Own(patch.into())] {
        let before = records(&gate, &Filter::default()).len();
        let answer = gate.judge_blocking(&Request { changes, ..house.bash("touch x") });
        assert_eq!(answer.told, Told::Deny, "{}", answer.ruling.message());
        let (seq, record) = records(&gate, &Filter::default()).pop().unwrap();
        assert_eq!((Some(seq), record.answered.as_str()), (answer.seq, "deny"));
        assert_eq!(record.input, json!({ "command": "touch x" }), "what the host sent");
        assert_eq!(records(&gate, &Filter::default()).len(), before + 1);
    }
    let answer = gate.judge_blocking(&house.bash("touch x"));
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "touch other" })) };
    assert_eq!((answer.told, answer.ruling.decision), (Told::Allow, changed));
}

/// [T5], [R1], [G2] The host's own user would see, and run, the input that was sent, which nobody has judged:
/// `FAIL-CLOSED(rewrite-ask)`.
#[test]
fn a_question_about_a_changed_input_is_not_left_to_the_host() {
    let rules = json!({ "ask": ["Bash(git push:*)"], "deny": ["Bash(curl:*)"] });
    let house = House::new(&changing_to("git push", &rules));
    let answer = house.gate().judge_blocking(&house.bash("curl http://x.test"));
    assert_eq!(answer.told, Told::Deny, "{}", answer.ruling.message());
    let (answer, _) = answered(&house, house.bash("curl http://x.test"), says(Choice::Once));
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "git push" })) };
    assert_eq!((answer.told, answer.ruling.decision), (Told::Allow, changed), "who saw it may allow it");
    // The same where a judge lets the changed call pass.
    let auto = json!({ "defaultMode": "auto", "deny": ["Bash(curl:*)"] });
    house.settings(&changing_to("./gradlew test", &auto));
    let answer = house.gate().judge_blocking(&house.bash("curl http://x.test"));
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "./gradlew test" })) };
    assert_eq!((answer.told, answer.ruling.decision), (Told::Allow, changed));
}

/// [T5], [H6] A person's change that has to be asked about again runs as it was changed, not as it was sent.
#[test]
fn an_edited_input_that_is_asked_about_again_is_the_one_that_runs() {
    let house = House::new(&json!({ "permissions": { "ask": ["Bash(git push:*)"] } }));
    let edited = HumanAnswer { input: Some(json!({ "command": "git push" })), ..says(Choice::Once) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answer = runtime.block_on(async {
        let gate = house.gate();
        gate.approvals().attend();
        let person = gate.clone();
        let answering = tokio::spawn(async move {
            let mut answers = vec![says(Choice::Once), edited];
            while let Some(next) = answers.pop() {
                let parked = loop {
                    if let Some(parked) = person.approvals().waiting().1.pop() {
                        break parked;
                    }
                    tokio::time::sleep(Duration::from_millis(5)).await;
                };
                person.approvals().answer(&parked.id, next).unwrap();
            }
        });
        let answer = gate.judge(house.bash("make all")).await;
        answering.await.unwrap();
        answer
    });
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "git push" })) };
    assert_eq!((answer.told, answer.ruling.decision), (Told::Allow, changed));
}

/// Settings with a program of the user that answers questions.
fn answering_with(command: &str, permissions: &Value) -> Value {
    let hook = json!({ "type": "command", "command": command });
    json!({ "permissions": permissions, "hooks": { "PermissionRequest": [{ "matcher": "Bash", "hooks": [hook] }] } })
}

fn request_decision(decision: &Value) -> String {
    let said =
        json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } });
    format!("echo '{said}'")
}

/// [H1], [H4]
#[test]
fn a_hook_answers_a_question_or_leaves_it() {
    let house = House::new(&json!({}));
    let judged = |command: &str, asked: &str| {
        house.settings(&answering_with(command, &json!({ "deny": ["Bash(curl:*)"] })));
        house.gate().judge_blocking(&house.bash(asked))
    };
    let allows = request_decision(&json!({ "behavior": "allow" }));
    let yes = judged(&allows, "touch x");
    assert_eq!((yes.told, yes.ruling.reason.word()), (Told::Allow, "hook"), "{}", yes.ruling.message());
    let no = judged(&request_decision(&json!({ "behavior": "deny", "message": "not today" })), "touch x");
    assert_eq!((no.told, no.ruling.reason.word()), (Told::Deny, "hook"));
    assert!(no.ruling.message().contains("not today"), "{}", no.ruling.message());
    let stops = judged(&request_decision(&json!({ "behavior": "deny", "interrupt": true })), "touch x");
    assert!(matches!(stops.ruling.decision, Decision::Deny { stop: true, .. }));
    assert_eq!(judged("exit 2", "touch x").told, Told::Deny);
    for leaves in ["true", "exit 1", "echo no answer", "echo '{}'"] {
        assert_eq!(judged(leaves, "touch x").told, Told::Ask, "{leaves}: the host asks its user");
    }
    // What is denied is no question, and what only a person may answer is not put to it.
    assert_eq!(judged(&allows, "curl http://x.test").told, Told::Deny);
    assert_eq!(judged(&allows, "rm -rf ~").told, Told::Ask);
}

/// [T5], [H1]
#[test]
fn what_a_hook_makes_of_a_question_is_judged_again() {
    let house = House::new(&json!({}));
    let judged = |command: &str| {
        let decision = json!({ "behavior": "allow", "updatedInput": { "command": command } });
        let permissions = json!({ "allow": ["Bash(touch y)"], "deny": ["Bash(curl:*)"] });
        house.settings(&answering_with(&request_decision(&decision), &permissions));
        house.gate().judge_blocking(&house.bash("touch x"))
    };
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "touch y" })) };
    let answer = judged("touch y");
    assert_eq!((answer.told, answer.ruling.decision), (Told::Allow, changed));
    assert_eq!(judged("curl http://x.test").told, Told::Deny);
    assert_eq!(judged("rm -rf ~").told, Told::Deny, "nobody is there who may answer it");
}

/// [H4], [T1] A hook that guards reads the conversation and the project that the session began in.
#[test]
fn hooks_are_told_where_the_conversation_and_the_project_are() {
    for event in ["PreToolUse", "PermissionRequest"] {
        let house = House::new(&json!({}));
        let sub = house.places.project.join("sub");
        std::fs::create_dir(&sub).unwrap();
        let heard = house.places.home.join("heard.json");
        let command = format!(
            "cat > '{}'; printf '%s' \"$CLAUDE_PROJECT_DIR\" > '{}.dir'",
            heard.display(),
            heard.display()
        );
        house.settings(
            &json!({ "hooks": { event: [{ "hooks": [{ "type": "command", "command": command }] }] } }),
        );
        let talk = house.places.home.join("talk.jsonl");
        std::fs::write(&talk, "").unwrap();
        let mut request = house.bash("touch x");
        request.call.cwd = sub.to_str().unwrap().to_owned();
        request.root = Some(house.project());
        request.talk = Talk::File(talk.clone(), Format::ClaudeCode);
        assert_eq!(house.gate().judge_blocking(&request).told, Told::Ask, "{event}");
        let told: Value = serde_json::from_slice(&std::fs::read(&heard).unwrap()).unwrap();
        assert_eq!(told["transcript_path"], json!(talk), "{event}");
        assert_eq!(told["cwd"], json!(sub), "{event}");
        let folder = std::fs::read_to_string(house.places.home.join("heard.json.dir")).unwrap();
        assert_eq!(folder, house.project(), "{event}");
        if event == "PermissionRequest" {
            assert!(!told["permission_suggestions"].as_array().unwrap().is_empty(), "{told}");
        }
    }
}

/// [C12], [H1] A no of the judge is no question: nobody is asked to overrule it.
#[test]
fn what_a_model_that_cannot_be_asked_leaves_denied_is_put_to_nobody() {
    let settings = json!({
        "permissions": { "defaultMode": "auto" },
        "classifier": { "model": "judge-1", "baseUrl": "no address", "keyEnv": "", "proxy": "none" },
    });
    let house = House::new(&settings);
    let (answer, shown) = answered(&house, house.bash("no-such-program --now"), says(Choice::Once));
    assert_eq!((answer.told, shown.len()), (Told::Deny, 0), "{}", answer.ruling.message());
}

/// [N1], [N2], [N4] A block counts whether or not somebody could be asked, and so does what people refuse.
#[test]
fn blocks_and_refusals_are_counted_where_a_person_is_there() {
    let house = House::new(&auto());
    let denials = |house: &House| house.gate().sessions().unwrap().pop().unwrap().denials;
    for count in 1..=2 {
        let (answer, shown) =
            answered(&house, house.bash("git push --force origin main"), says(Choice::Once));
        assert_eq!((answer.told, shown.len()), (Told::Deny, 0));
        assert_eq!(denials(&house).consecutive, count);
    }
    for refused in 1..=2 {
        let (answer, shown) = answered(&house, house.bash("git push --force origin main"), says(Choice::No));
        assert_eq!((answer.told, shown.len()), (Told::Deny, 1), "from the third on a person is asked");
        assert_eq!(denials(&house).by_people, refused);
    }
    let house = House::new(&answering_with(&request_decision(&json!({ "behavior": "deny" })), &json!({})));
    assert_eq!(house.gate().judge_blocking(&house.bash("touch x")).told, Told::Deny);
    assert_eq!(denials(&house).by_people, 0, "a hook is nobody");
}
