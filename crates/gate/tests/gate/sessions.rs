//! Sessions: what they did, their modes, their limits.

use super::*;

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
    let now = calendar_ms();
    let begun = |until| Pause { until, who: "dev".to_owned(), place: "here".to_owned() };
    pause(&house.places.state, &begun(now + 60_000), now).unwrap();
    assert_eq!(gate.judge_blocking(&house.bash("curl http://x.test")).told, Told::Nothing);
    pause(&house.places.state, &begun(now - 1), now - 2).unwrap();
    assert_eq!(gate.judge_blocking(&house.bash("curl http://x.test")).told, Told::Deny);
}

/// [A7]
#[test]
fn a_lock_denies_everything_in_a_pause_as_well() {
    let house = House::new(&rules(&["Bash(touch:*)"], &[]));
    let gate = house.gate();
    let (state, now) = (&house.places.state, calendar_ms());
    let touch = || gate.judge_blocking(&house.bash("touch a.txt"));
    assert_eq!(touch().told, Told::Allow);
    let held = Lock { who: "dev".to_owned(), place: String::new(), reason: "odd calls".to_owned() };
    lock(state, &held, now).unwrap();
    let denied = touch();
    assert_eq!(denied.told, Told::Deny);
    assert!(denied.ruling.message().contains("odd calls"), "{}", denied.ruling.message());
    assert!(gate.judge_at_once(&house.bash("touch a.txt")).is_none());
    let begun = Pause { until: now + 60_000, who: "dev".to_owned(), place: "here".to_owned() };
    pause(state, &begun, now).unwrap();
    assert_eq!(touch().told, Told::Deny);
    unlock(state, "dev", "here", now).unwrap();
    assert_eq!(touch().told, Told::Nothing);
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
