//! Sessions, grants and filters.

use portcullis_decide::session::{Denials, SessionFacts};

use super::super::{Filter, Grant, GrantState, SessionRow, Store, Tip};
use super::*;

fn session() -> SessionRow {
    SessionRow {
        id: "s1".to_owned(),
        agent: "claude-code".to_owned(),
        root: "/p".to_owned(),
        parent: Some("s0".to_owned()),
        headless: true,
        denials: Denials { consecutive: 1, total: 2, by_people: 3 },
        facts: SessionFacts { branch: Some("topic".to_owned()), ..SessionFacts::default() },
        allowed_tools: Some(vec!["Read".to_owned()]),
        refused: vec![("git push".to_owned(), 2)],
        rules: vec!["Bash(ls)".to_owned()],
        created: 1,
        last: 2,
        begun: true,
        prompts: vec!["do not push".to_owned()],
        prompts_lost: true,
        transcript_path: Some("/home/dev/x.jsonl".to_owned()),
        unread: Some("it is not there".to_owned()),
    }
}

/// [N3]
#[test]
fn a_session_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    assert_eq!(store.session("s1").unwrap(), None);
    let plain = SessionRow { id: "s2".to_owned(), last: 9, ..SessionRow::default() };
    store.commit(|ledger| ledger.put_session(&session()).and_then(|()| ledger.put_session(&plain))).unwrap();
    assert_eq!(store.session("s1").unwrap(), Some(session()));
    assert_eq!(store.commit(|ledger| ledger.session("s1")).unwrap(), Some(session()));
    assert_eq!(store.sessions().unwrap(), [plain, session()]);
    let changed = SessionRow { facts: SessionFacts::unknown(), last: 5, ..session() };
    store.commit(|ledger| ledger.put_session(&changed)).unwrap();
    assert_eq!(store.session("s1").unwrap(), Some(changed));
}

/// [A3]
#[test]
fn lost_facts_are_the_strictest_and_a_broken_session_is_an_error() {
    for sql in ["DELETE FROM facts", "UPDATE facts SET body = '{}'", "UPDATE facts SET body = 'x'"] {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        store.commit(|ledger| ledger.put_session(&session())).unwrap();
        tamper(folder.path(), sql);
        assert_eq!(store.session("s1").unwrap().unwrap().facts, SessionFacts::unknown());
        tamper(folder.path(), "UPDATE session SET body = replace(body, '\"total\":2', '\"total\":-2')");
        assert!(store.session("s1").is_err());
        assert!(store.sessions().is_err());
        assert!(store.commit(|ledger| ledger.session("s1")).is_err());
    }
}

/// A grant with the entry that gives it.
fn given(store: &mut Store, grant: &Grant) -> Grant {
    let record = Record {
        kind: "grant".to_owned(),
        input_hash: grant.binding.clone(),
        reason: json!({ "type": "human", "who": grant.who, "grant": grant.terms() }),
        ..Record::default()
    };
    let entry = store.commit(|ledger| ledger.append(&record)).unwrap();
    Grant { entry: Some(entry), ..grant.clone() }
}

/// [S5], attack-L4
#[test]
fn a_grant_that_no_entry_gave_lets_nothing_pass() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let plain = Grant {
        binding: "b".to_owned(),
        expires: Some(1000),
        uses_left: Some(1),
        who: "dev".to_owned(),
        created: 10,
        ..Grant::default()
    };
    let good = given(&mut store, &plain);
    let tip = good.entry.clone().unwrap();
    for bad in [
        plain.clone(),
        Grant { entry: Some(Tip { seq: tip.seq + 1, ..tip.clone() }), ..plain.clone() },
        Grant { entry: Some(Tip { hash: "0".to_owned(), ..tip }), ..plain },
        Grant { binding: "c".to_owned(), ..good.clone() },
        Grant { who: "other".to_owned(), ..good.clone() },
        Grant { uses_left: Some(2), ..good.clone() },
        Grant { uses_left: None, ..good.clone() },
        Grant { expires: Some(2000), ..good.clone() },
        Grant { expires: None, ..good.clone() },
        Grant { session: Some("s1".to_owned()), ..good.clone() },
    ] {
        store.commit(|ledger| ledger.add_grant(&bad)).unwrap();
        assert_eq!(store.matching_grant("s1", &bad.binding, 500, |_| true).unwrap(), None, "{bad:?}");
    }
    let id = store.commit(|ledger| ledger.add_grant(&good)).unwrap();
    assert_eq!(store.matching_grant("s1", "b", 500, |_| true).unwrap().map(|grant| grant.id), Some(id));
    assert_eq!(store.matching_grant("s1", "b", 5, |_| true).unwrap(), None, "a calendar that was set back");
}

/// [A5]
#[test]
fn a_grant_lets_pass_what_it_was_given_for_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let once = Grant {
        session: Some("s1".to_owned()),
        binding: "b".to_owned(),
        expires: Some(1000),
        uses_left: Some(1),
        tool: "Bash".to_owned(),
        shown: "git push".to_owned(),
        who: "dev".to_owned(),
        place: "/dev/pts/1".to_owned(),
        about: Some(7),
        created: 10,
        ..Grant::default()
    };
    let once = given(&mut store, &once);
    let id = store.commit(|ledger| ledger.add_grant(&once)).unwrap();
    let matching = |store: &mut Store, session: &str, binding: &str, now: u64| {
        store.matching_grant(session, binding, now, |_| true).unwrap()
    };
    assert_eq!(matching(&mut store, "s1", "b", 999), Some(Grant { id, ..once.clone() }));
    assert_eq!(matching(&mut store, "s2", "b", 999), None);
    assert_eq!(matching(&mut store, "s1", "c", 999), None);
    assert_eq!(matching(&mut store, "s1", "b", 1000), None);
    assert!(store.commit(|ledger| ledger.use_grant(id)).unwrap());
    assert!(!store.commit(|ledger| ledger.use_grant(id)).unwrap(), "it is used up");
    assert_eq!(matching(&mut store, "s1", "b", 999), None);
    assert_eq!(store.grants().unwrap()[0].state(999), GrantState::Used);

    let always = given(&mut store, &Grant { session: None, expires: None, uses_left: None, ..once });
    let id = store.commit(|ledger| ledger.add_grant(&always)).unwrap();
    assert_eq!(matching(&mut store, "any", "b", u64::MAX).map(|grant| grant.id), Some(id));
    assert!(store.commit(|ledger| ledger.use_grant(id)).unwrap());
    let revoked = store.commit(|ledger| ledger.revoke_grant(id, 50)).unwrap();
    assert_eq!(revoked, Some(Grant { id, ..always }));
    assert_eq!(store.commit(|ledger| ledger.revoke_grant(id, 51)).unwrap(), None);
    assert_eq!(store.commit(|ledger| ledger.revoke_grant(999, 51)).unwrap(), None);
    assert_eq!(matching(&mut store, "any", "b", 0), None);
    assert!(!store.commit(|ledger| ledger.use_grant(id)).unwrap(), "it is revoked");
    assert_eq!(store.grants().unwrap()[1].state(999), GrantState::Revoked);
}

/// [A1]
#[test]
fn filters_give_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let parts =
        json!({ "type": "sub-commands", "parts": [{ "rule": "Bash(ls:*)" }, { "rule": "Bash(cat:*)" }] });
    let policy = json!({ "type": "classifier", "policy": "git-destructive" });
    for record in [
        Record { time_ms: 1, ..record("a", "ls") },
        Record { time_ms: 2, decision: "deny".to_owned(), reason: policy, ..record("b", "ls") },
        Record { time_ms: 3, tool: "Read".to_owned(), agent: "codex".to_owned(), ..record("a", "ls") },
        Record { time_ms: 4, reason: parts, kind: "human".to_owned(), ..record("a", "ls") },
    ] {
        store.commit(|ledger| ledger.append(&record)).unwrap();
    }
    let seen = |filter: Filter| {
        let mut seen = Vec::new();
        let each = |entry: super::super::Entry| {
            seen.push(entry.seq);
            std::ops::ControlFlow::Continue(())
        };
        store.entries(&filter, each).unwrap();
        seen
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(seen(Filter::default()), [1, 2, 3, 4]);
    assert_eq!(seen(Filter { decision: text("deny"), ..Filter::default() }), [2]);
    assert_eq!(seen(Filter { tool: text("Read"), ..Filter::default() }), [3]);
    assert_eq!(seen(Filter { session: text("a"), ..Filter::default() }), [1, 3, 4]);
    assert_eq!(seen(Filter { agent: text("codex"), ..Filter::default() }), [3]);
    assert_eq!(seen(Filter { rule: text("cat:*"), ..Filter::default() }), [4]);
    assert_eq!(seen(Filter { rule: text("git-destructive"), ..Filter::default() }), [2]);
    assert_eq!(seen(Filter { kind: text("human"), ..Filter::default() }), [4]);
    assert_eq!(seen(Filter { since_ms: Some(2), until_ms: Some(4), ..Filter::default() }), [2, 3]);
    assert_eq!(seen(Filter { after: Some(3), ..Filter::default() }), [4]);
    assert_eq!(seen(Filter { limit: Some(2), ..Filter::default() }), [3, 4]);
    assert_eq!(seen(Filter { limit: Some(2), session: text("a"), ..Filter::default() }), [3, 4]);
    assert_eq!(seen(Filter { limit: Some(0), ..Filter::default() }), [0_u64; 0]);
    assert_eq!(seen(Filter { session: text("a' OR 1 --"), ..Filter::default() }), [0_u64; 0]);
}

/// [A5]
#[test]
fn a_call_is_found_by_the_agents_own_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    for (session, call) in [("a", "c1"), ("a", "c2"), ("b", "c1"), ("a", "c1")] {
        let record = Record { call_id: Some(call.to_owned()), ..record(session, "ls") };
        store.commit(|ledger| ledger.append(&record)).unwrap();
    }
    let mut find = |session: &str, call: &str| {
        store.commit(|ledger| ledger.entry_of_call(session, call)).unwrap().map(|entry| entry.seq)
    };
    assert_eq!(find("a", "c1"), Some(4));
    assert_eq!(find("a", "c2"), Some(2));
    assert_eq!(find("b", "c1"), Some(3));
    assert_eq!(find("b", "c2"), None);
}

#[test]
fn calls_of_a_day_are_counted_by_decision() {
    use super::super::DecisionCounts;
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    assert_eq!(store.decided_since(0).unwrap(), DecisionCounts::default());
    let days = [
        (1, "allow", "call"),
        (1, "deny", "call"),
        (2, "allow", "call"),
        (2, "ask", "call"),
        (2, "allow", "human"),
        // The clock was set back, and forth again.
        (1, "deny", "call"),
        (2, "deny", "call"),
        (3, "allow", "call"),
    ];
    for (time_ms, decision, kind) in days {
        let record =
            Record { time_ms, decision: decision.to_owned(), kind: kind.to_owned(), ..record("s", "ls") };
        store.commit(|ledger| ledger.append(&record)).unwrap();
    }
    assert_eq!(store.decided_since(2).unwrap(), DecisionCounts { allow: 2, deny: 1, ask: 1, abandoned: 0 });
    assert_eq!(store.decided_since(3).unwrap(), DecisionCounts { allow: 1, ..DecisionCounts::default() });
    assert_eq!(store.decided_since(4).unwrap(), DecisionCounts::default());
}

/// [A8] An answer that did not reach the agent counts as neither allowed nor denied.
#[test]
fn an_abandoned_answer_is_counted_and_found_as_such() {
    use super::super::DecisionCounts;
    let (_folder, state) = super::filled(3);
    let mut store = Store::open(&state).unwrap();
    let gone = Record {
        kind: "abandoned".to_owned(),
        about: Some(2),
        decision: String::new(),
        ..record("s", "ls 1")
    };
    store.commit(|ledger| ledger.append(&gone)).unwrap();
    assert_eq!(
        store.decided_since(0).unwrap(),
        DecisionCounts { allow: 2, abandoned: 1, ..DecisionCounts::default() }
    );
    assert_eq!(store.abandoned().unwrap().into_iter().collect::<Vec<_>>(), [(2, 4)]);
    assert_eq!(super::bad(&state), None);
    super::tamper(&state, "DELETE FROM abandoned");
    assert!(super::bad(&state).is_some(), "what is kept beside the entries is no second truth");
}

/// attack-L8 Blocks that were counted say the same as the entries, whatever part of them is asked for.
#[test]
fn counts_of_whole_blocks_agree_with_the_entries() {
    use super::super::DecisionCounts;
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let decisions = ["allow", "deny", "ask"];
    let entries: Vec<(u64, &str)> = (0..2500_u64)
        // The clock is set back once, in the middle of a block.
        .map(|number| if number == 1500 { 10 } else { 1000 + number })
        .zip(decisions.into_iter().cycle())
        .collect();
    store
        .commit(|ledger| {
            for (time_ms, decision) in &entries {
                let decision = (*decision).to_owned();
                ledger.append(&Record { time_ms: *time_ms, decision, ..record("s", "ls") })?;
            }
            Ok(())
        })
        .unwrap();
    for since in [0, 1000, 1001, 1700, 2024, 2025, 3100, 3499, 3500] {
        let first = entries.iter().position(|(time, _)| *time >= since).unwrap_or(entries.len());
        let count = |wanted: &str| {
            let later = entries.iter().skip(first);
            later.filter(|(time, decision)| *time >= since && *decision == wanted).count() as u64
        };
        let expected =
            DecisionCounts { allow: count("allow"), deny: count("deny"), ask: count("ask"), abandoned: 0 };
        assert_eq!(store.decided_since(since).unwrap(), expected, "{since}");
    }
    assert_eq!(super::bad(folder.path()), None);
    super::tamper(folder.path(), "UPDATE tally SET allow = allow + 1 WHERE last = 1024");
    assert!(super::bad(folder.path()).is_some());
}
