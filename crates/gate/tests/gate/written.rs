//! What is written down, and what becomes of a call that cannot be.

use super::*;

/// [F0], [A1], [T4]
#[test]
fn every_answer_has_its_record_and_every_step_its_line() {
    let house = House::new(&rules(&["Bash(touch:*)"], &["Bash(curl:*)"]));
    let gate = house.gate();
    for (command, told) in [
        ("touch x", Enforced::Allow),
        ("curl http://x.test", Enforced::Deny),
        ("make", Enforced::Ask),
        ("ls", Enforced::Allow),
    ] {
        let answer = gate.judge_blocking(&house.bash(command));
        assert_eq!(answer.enforced, told, "{command}: {}", answer.ruling.message());
        assert!(!steps(&answer).is_empty());
        let (seq, record) = records(&gate, &Filter::default()).pop().unwrap();
        assert_eq!((Some(seq), record.answered.as_str()), (answer.seq, told.name()));
        assert_eq!(record.input, json!({ "command": command }));
    }
    assert!(matches!(gate.with_store(portcullis_gate::store::Store::verify), Ok(Verified::Whole { .. })));
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
        assert_eq!((answer.enforced, answer.ruling.reason.word()), (Enforced::Deny, "invalid"));
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
    assert_eq!(gate.judge_blocking(&house.bash("touch x")).enforced, Enforced::Allow);
    for name in ["portcullis.db", "portcullis.db-wal", "portcullis.db-shm"] {
        let path = house.places.state.join(name);
        if path.exists() {
            std::fs::rename(&path, path.with_extension("gone")).unwrap();
        }
    }
    let answer = gate.judge_blocking(&house.bash("touch x"));
    assert_eq!((answer.enforced, answer.seq), (Enforced::Deny, None));
    assert!(answer.ruling.message().contains("written down"), "{}", answer.ruling.message());
    assert_eq!(gate.failures().of("audit-unavailable"), 1);
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
            assert_eq!(answer.enforced, Enforced::Allow);
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
    assert!(matches!(gate.with_store(portcullis_gate::store::Store::verify), Ok(Verified::Whole { .. })));
}
