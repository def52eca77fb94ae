//! What `verify` sees.

use super::super::{Filter, Store, StoreError, verify_export};
use super::*;

/// [A1]
#[test]
fn entries_are_numbered_and_each_follows_the_one_before() {
    let (_folder, state) = filled(3);
    let store = Store::open_read_only(&state).unwrap();
    let mut seen = Vec::new();
    store
        .entries(&Filter::default(), |entry| {
            seen.push(entry);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(seen.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(seen[0].prev, "0".repeat(64));
    assert_eq!((&seen[1].prev, &seen[2].prev), (&seen[0].hash, &seen[1].hash));
    assert_eq!(seen[2].record, record("s", "ls 2"));
    let Verified::Whole { entries: 3, last } = store.verify().unwrap() else { panic!("not whole") };
    assert_eq!((last.seq, &last.hash), (3, &seen[2].hash));
}

/// The hash is what the documentation says, so that others can compute it. [A1]
#[test]
fn the_hash_is_of_the_lines_that_are_documented() {
    use sha2::{Digest, Sha256};
    let (_folder, state) = filled(2);
    let second = Store::open_read_only(&state).unwrap().entry(2).unwrap().unwrap();
    let digest = Sha256::digest(format!("{}\n2\n{}", second.prev, second.body));
    let hex = digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    assert_eq!(second.hash, hex);
}

/// [A1], [J5]
#[test]
fn every_change_is_found_at_the_first_entry_that_is_bad() {
    for (sql, seq) in [
        ("UPDATE entry SET body = replace(body, 'ls 2', 'rm 2') WHERE seq = 3", 3),
        ("UPDATE entry SET body = body || ' ' WHERE seq = 1", 1),
        ("UPDATE entry SET prev = replace(prev, substr(prev, 1, 1), 'f') WHERE seq = 4", 4),
        ("UPDATE entry SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE seq = 4", 4),
        ("UPDATE entry SET decision = 'deny' WHERE seq = 2", 2),
        ("UPDATE entry SET time = 1 WHERE seq = 2", 2),
        ("UPDATE entry SET session = 'other' WHERE seq = 2", 2),
        ("UPDATE entry SET agent = 'other' WHERE seq = 2", 2),
        ("UPDATE entry SET tool = 'Read' WHERE seq = 2", 2),
        ("UPDATE entry SET rule = '' WHERE seq = 2", 2),
        ("UPDATE entry SET kind = 'late' WHERE seq = 2", 2),
        ("DELETE FROM entry WHERE seq = 3", 3),
        ("DELETE FROM entry WHERE seq = 1", 1),
        ("DELETE FROM entry WHERE seq >= 4", 4),
        ("DELETE FROM entry", 1),
        ("UPDATE entry SET seq = -1 WHERE seq = 1", 0),
        (
            "UPDATE entry SET seq = 9 WHERE seq = 2; UPDATE entry SET seq = 2 WHERE seq = 3; UPDATE entry SET seq = 3 WHERE seq = 9",
            2,
        ),
        (
            "INSERT INTO entry SELECT 6, time, session, agent, tool, decision, rule, kind, hash, hash, body FROM entry WHERE seq = 5",
            6,
        ),
        // Cutting off the beginning needs an entry that tells of it.
        (
            "INSERT INTO anchor SELECT 1, seq, hash FROM entry WHERE seq = 2; DELETE FROM entry WHERE seq <= 2",
            3,
        ),
    ] {
        let (_folder, state) = filled(5);
        assert_eq!(bad(&state), None);
        tamper(&state, sql);
        assert_eq!(bad(&state), Some(seq), "{sql}");
    }
}

/// An end that was cut and written anew has other hashes than the head that was kept. [A1]
#[test]
fn an_end_that_was_written_anew_is_found() {
    let (_folder, state) = filled(5);
    let head = std::fs::read(state.join("audit.head")).unwrap();
    tamper(&state, "DELETE FROM entry WHERE seq >= 4");
    // As somebody does who knows of the second file and forgets to keep it.
    std::fs::remove_file(state.join("audit.head")).unwrap();
    let third = Store::open_read_only(&state).unwrap().entry(3).unwrap().unwrap();
    std::fs::write(state.join("audit.head"), format!("{:020} {}\n", 3, third.hash)).unwrap();
    let mut store = Store::open(&state).unwrap();
    for _ in 0..3 {
        store.commit(|ledger| ledger.append(&record("s", "another"))).unwrap();
    }
    std::fs::write(state.join("audit.head"), head).unwrap();
    assert_eq!(bad(&state), Some(5));
}

/// [A1], [A3]
#[test]
fn nothing_is_added_to_a_log_whose_end_is_missing() {
    let (_folder, state) = filled(5);
    tamper(&state, "DELETE FROM entry WHERE seq >= 4");
    let mut store = Store::open(&state).unwrap();
    let refused = store.commit(|ledger| ledger.append(&record("s", "ls"))).unwrap_err();
    assert!(matches!(refused, StoreError::CutTail { expected: 5, found: 3, .. }), "{refused}");
    assert_eq!(bad(&state), Some(4));
}

/// [A1], [A3]
#[test]
fn a_lost_or_broken_head_is_said_and_nothing_is_added() {
    for change in ["gone", "broken", "other"] {
        let (_folder, state) = filled(2);
        let head = state.join("audit.head");
        match change {
            "gone" => std::fs::remove_file(&head).unwrap(),
            "broken" => std::fs::write(&head, "nonsense").unwrap(),
            _ => std::fs::write(&head, format!("{:020} {}\n", 2, "a".repeat(64))).unwrap(),
        }
        assert!(bad(&state).is_some(), "{change}");
        let mut store = Store::open(&state).unwrap();
        assert!(store.commit(|ledger| ledger.append(&record("s", "ls"))).is_err(), "{change}");
    }
}

/// A head that a crash left behind is no fault, and catches up. [A1]
#[test]
fn a_head_that_lags_is_no_fault() {
    let (_folder, state) = filled(2);
    let old = std::fs::read(state.join("audit.head")).unwrap();
    let mut store = Store::open(&state).unwrap();
    store.commit(|ledger| ledger.append(&record("s", "ls"))).unwrap();
    std::fs::write(state.join("audit.head"), old).unwrap();
    assert_eq!(bad(&state), None);
    store.commit(|ledger| ledger.append(&record("s", "ls"))).unwrap();
    assert!(std::fs::read_to_string(state.join("audit.head")).unwrap().starts_with("00000000000000000004 "));
}

/// [A1]
#[test]
fn pruning_keeps_the_rest_provable() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    for time in 1..=10_u64 {
        let record = Record { time_ms: time * 1000, ..record("s", "ls") };
        store.commit(|ledger| ledger.append(&record)).unwrap();
    }
    let pruned = store.prune(4500, 20_000, "dev").unwrap();
    assert_eq!((pruned.entries, pruned.through), (4, 4));
    assert_eq!(bad(folder.path()), None);
    assert_eq!(store.entry(4).unwrap(), None);
    let told = store.entry(11).unwrap().unwrap();
    assert_eq!((told.record.kind.as_str(), told.record.about), ("prune", Some(4)));
    // Again, over the entry that told of the first time.
    store.prune(u64::MAX, 30_000, "dev").unwrap();
    let Verified::Whole { entries: 2, last } = store.verify().unwrap() else { panic!("not whole") };
    assert_eq!(last.seq, 12);
    // Nothing to take away is no entry.
    assert_eq!(store.prune(0, 40_000, "dev").unwrap().entries, 0);
    assert_eq!(store.verify().unwrap(), Verified::Whole { entries: 2, last });
    // The anchor itself cannot be moved.
    tamper(folder.path(), "UPDATE anchor SET hash = replace(hash, substr(hash, 1, 1), 'x')");
    assert!(bad(folder.path()).is_some());
}

/// Pruning would take away the proof that something was changed. [A1]
#[test]
fn a_log_that_is_not_whole_is_not_pruned() {
    let (_folder, state) = filled(5);
    tamper(&state, "UPDATE entry SET decision = 'deny' WHERE seq = 2");
    let refused = Store::open(&state).unwrap().prune(u64::MAX, 0, "dev").unwrap_err();
    assert!(matches!(refused, StoreError::Refused(_)), "{refused}");
    assert_eq!(bad(&state), Some(2));
}

/// An index that leaves an entry out would hide it from `--session`. [A1]
#[test]
fn an_index_that_hides_an_entry_is_found() {
    let (_folder, state) = filled(5);
    tamper(
        &state,
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX entry_session ON entry (session) WHERE seq <> 3' WHERE name = 'entry_session'; PRAGMA writable_schema = RESET; REINDEX; \
         PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX entry_session ON entry (session)' WHERE name = 'entry_session'",
    );
    assert!(bad(&state).is_some());
}

/// [A1]
#[test]
fn an_export_can_be_checked_elsewhere() {
    let (_folder, state) = filled(4);
    let store = Store::open_read_only(&state).unwrap();
    let mut export = Vec::new();
    let (last, 4) = store.export(&mut export).unwrap() else { panic!("not four") };
    assert_eq!(verify_export(&mut export.as_slice()).unwrap(), Verified::Whole { entries: 4, last });
    let text = String::from_utf8(export).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let bad = |lines: Vec<String>| match verify_export(&mut lines.join("\n").as_bytes()) {
        Ok(Verified::Damaged(bad)) => Some(bad.seq),
        Ok(Verified::Whole { .. }) | Err(_) => None,
    };
    let with = |change: &dyn Fn(usize, &str) -> Option<String>| {
        lines.iter().enumerate().filter_map(|(number, line)| change(number, line)).collect::<Vec<_>>()
    };
    assert_eq!(bad(with(&|number, line| (number != 2).then(|| line.to_owned()))), Some(2));
    assert_eq!(bad(with(&|number, line| (number < 4).then(|| line.to_owned()))), Some(4));
    assert_eq!(bad(with(&|number, line| (number != 4).then(|| line.to_owned()))), Some(4));
    assert_eq!(bad(with(&|_, line| Some(line.replace("ls 1", "rm 1")))), Some(2));
    assert!(verify_export(&mut "{}".as_bytes()).is_err());
}

/// [A1]
#[test]
fn a_look_at_the_end_finds_what_is_young_and_what_was_cut_off() {
    let end = |sql: &str| {
        let (_folder, state) = filled(6);
        tamper(&state, sql);
        Store::open_read_only(&state).unwrap().verify_end(3).unwrap()
    };
    let Verified::Whole { entries: 3, last } = end("SELECT 1") else { panic!("not whole") };
    assert_eq!(last.seq, 6);
    for (sql, seq) in [
        ("UPDATE entry SET body = replace(body, 'ls 4', 'rm 4') WHERE seq = 5", 5),
        ("UPDATE entry SET tool = 'Read' WHERE seq = 4", 4),
        ("DELETE FROM entry WHERE seq = 5", 5),
        ("DELETE FROM entry WHERE seq = 6", 6),
        ("DELETE FROM entry", 1),
    ] {
        let Verified::Damaged(bad) = end(sql) else { panic!("{sql}") };
        assert_eq!(bad.seq, seq, "{sql}");
    }
    // What is older is for the look at everything.
    let old = "UPDATE entry SET body = body || ' ' WHERE seq = 1";
    assert!(matches!(end(old), Verified::Whole { .. }));
    let (_folder, state) = filled(2);
    let store = Store::open_read_only(&state).unwrap();
    assert!(matches!(store.verify_end(50).unwrap(), Verified::Whole { entries: 2, .. }));
}

/// [A1] attack-L3 From the first moment on an empty head is damage, before and after the first entry.
#[test]
fn an_emptied_head_is_damage() {
    for entries in [0, 1, 3] {
        let (_folder, state) = filled(entries);
        assert_eq!(bad(&state), None, "{entries}");
        std::fs::write(state.join("audit.head"), "").unwrap();
        let Verified::Damaged(found) = verified(&state) else { panic!("{entries}: it is not seen") };
        assert_eq!(found.seq, entries + 1);
        assert!(found.what.contains("was emptied"), "{}", found.what);
        let end = Store::open_read_only(&state).unwrap().verify_end(16).unwrap();
        assert!(matches!(end, Verified::Damaged(_)), "{entries}");
        let mut store = Store::open(&state).unwrap();
        let added = store.commit(|ledger| ledger.append(&record("s", "ls")));
        assert!(matches!(added, Err(StoreError::Damaged { .. })), "{added:?}");
    }
}

/// [A1] A process that is killed between the first commit and the first write of the head leaves a log that is whole.
#[test]
fn the_first_entry_may_be_ahead_of_the_head() {
    let (_folder, state) = filled(0);
    let beginning = std::fs::read(state.join("audit.head")).unwrap();
    assert!(beginning.starts_with(b"00000000000000000000 0"));
    Store::open(&state).unwrap().commit(|ledger| ledger.append(&record("s", "ls"))).unwrap();
    std::fs::write(state.join("audit.head"), beginning).unwrap();
    assert_eq!(bad(&state), None);
    Store::open(&state).unwrap().commit(|ledger| ledger.append(&record("s", "ls"))).unwrap();
    assert_eq!(bad(&state), None);
}

/// [A1] A log in the first form goes on in the second, with and without entries.
#[test]
fn a_log_of_the_first_form_is_brought_up() {
    for entries in [0, 2] {
        let (_folder, state) = filled(entries);
        tamper(&state, "DROP TABLE tally; DROP TABLE abandoned; PRAGMA user_version = 1");
        if entries == 0 {
            // As programs of that form left it.
            std::fs::write(state.join("audit.head"), "").unwrap();
        }
        assert_eq!(bad(&state), None, "{entries}");
        Store::open(&state).unwrap().commit(|ledger| ledger.append(&record("s", "ls"))).unwrap();
        assert_eq!(bad(&state), None, "{entries}");
    }
}

/// attack-L8 What the limits no longer keep goes, and the rest can be proven.
#[test]
fn the_log_is_kept_within_its_limits() {
    use crate::settings::LogRetention;
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let fill = |store: &mut Store, time_ms: u64, entries: u64| {
        let old = Record { time_ms, ..record("s", &"x".repeat(800)) };
        let add = |ledger: &super::super::Ledger<'_>| {
            (0..entries).try_for_each(|_| ledger.append(&old).map(|_| ()))
        };
        store.commit(add).unwrap();
    };
    fill(&mut store, 1_000, 3000);
    fill(&mut store, 9_000, 1500);
    let by_age = LogRetention { age_ms: Some(5_000), bytes: None };
    assert_eq!(store.retain(LogRetention::default(), 10_000, "test").unwrap().entries, 0);
    let pruned = store.retain(by_age, 10_000, "test").unwrap();
    assert_eq!((pruned.entries, pruned.through), (3000, 3000));
    assert_eq!(bad(folder.path()), None);
    assert_eq!(store.retain(by_age, 10_000, "test").unwrap().entries, 0, "nothing else is that old");
    let by_size = LogRetention { age_ms: None, bytes: Some(1_000_000) };
    assert!(store.retain(by_size, 10_000, "test").unwrap().entries > 0);
    let Verified::Whole { entries, .. } = verified(folder.path()) else { panic!("not whole") };
    assert!((1024..1300).contains(&entries), "the latest stay whatever the limit: {entries}");
    fill(&mut store, 9_000, 3000);
    tamper(
        folder.path(),
        "UPDATE entry SET body = replace(body, 'xx', 'yy') WHERE seq = (SELECT min(seq) FROM entry)",
    );
    let refused = store.retain(by_size, 10_000, "test");
    assert!(matches!(refused, Err(StoreError::Refused(_))), "pruning would hide the change: {refused:?}");
}
