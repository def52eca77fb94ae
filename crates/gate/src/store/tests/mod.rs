//! The store under friendly and unfriendly conditions.

mod chain;
mod files;
mod many;
mod rows;

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Record, Store, Verified};

/// A record about a call.
fn record(session: &str, command: &str) -> Record {
    Record {
        time_ms: 1_700_000_000_000,
        session: session.to_owned(),
        agent: "test".to_owned(),
        tool: "Bash".to_owned(),
        input: json!({ "command": command }),
        cwd: "/p".to_owned(),
        mode: "default".to_owned(),
        decision: "allow".to_owned(),
        message: "allowed by `Bash(ls:*)`".to_owned(),
        reason: json!({ "type": "rule", "rule": "Bash(ls:*)", "list": "allow" }),
        trace: json!([{ "step": "F9 allow-rules", "outcome": "yes", "micros": 5 }]),
        layer: "rule".to_owned(),
        enforced: true,
        answered: "allow".to_owned(),
        kind: "call".to_owned(),
        stages: json!([]),
        ..Record::default()
    }
}

/// A store with so many entries, closed again.
fn filled(entries: u64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let mut store = Store::open(&state).unwrap();
    for number in 0..entries {
        store.commit(|ledger| ledger.append(&record("s", &format!("ls {number}")))).unwrap();
    }
    (folder, state)
}

fn verified(state: &Path) -> Verified {
    Store::open_read_only(state).unwrap().verify().unwrap()
}

/// The number of the first bad entry.
fn bad(state: &Path) -> Option<u64> {
    match verified(state) {
        Verified::Whole { .. } => None,
        Verified::Damaged(bad) => Some(bad.seq),
    }
}

/// Changes the database behind the store's back.
fn tamper(state: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(state.join("portcullis.db")).unwrap();
    connection.execute_batch(sql).unwrap();
}
