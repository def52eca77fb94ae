//! People who are asked.

use super::*;

/// [H6], [F10d]
#[test]
fn a_person_is_asked_and_heard() {
    let house = House::new(&rules(&[], &[]));
    let (yes, shown) = answered(&house, house.bash("make && git push"), says(Choice::Once));
    assert_eq!((yes.enforced, yes.ruling.reason.word()), (Enforced::Allow, "human"));
    assert_eq!(shown[0]["input"]["command"], "make && git push");
    assert!(!shown[0]["suggestions"].as_array().unwrap().is_empty(), "{}", shown[0]);
    let no = HumanAnswer { message: Some("use the other branch".to_owned()), ..says(Choice::No) };
    let (no, _) = answered(&house, house.bash("make"), no);
    assert_eq!(no.enforced, Enforced::Deny);
    assert!(no.ruling.message().contains("use the other branch"));
    let (safe, shown) = answered(&house, house.bash("ls"), says(Choice::No));
    assert_eq!((safe.enforced, shown.len()), (Enforced::Allow, 0), "nobody is asked about what is settled");
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
    assert_eq!(once.enforced, Enforced::Allow);
    assert_eq!(house.gate().judge_blocking(&house.bash("touch b")).enforced, Enforced::Allow);
    let mut other = house.bash("touch b");
    other.call.session = Some("s2".to_owned());
    assert_eq!(house.gate().judge_blocking(&other).enforced, Enforced::Ask);
    let always = HumanAnswer { rule: Some("Bash(mkdir:*)".to_owned()), ..says(Choice::Always) };
    let (yes, _) = answered(&house, house.bash("mkdir a"), always);
    assert_eq!(yes.enforced, Enforced::Allow);
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
    assert_eq!((denied.enforced, denied.ruling.reason.word()), (Enforced::Deny, "deny-rule"));
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
        assert_eq!((answer.enforced, answer.ruling.reason.word()), (Enforced::Deny, "deny-rule"));
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
        assert_eq!(gate.approvals().answer(&id, says(Choice::Once)), Err(AnswerRejected::Settled));
        let waiting = start("touch y");
        while gate.approvals().waiting().1.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        gate.stop();
        assert_eq!(waiting.await.unwrap().enforced, Enforced::Deny);
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
