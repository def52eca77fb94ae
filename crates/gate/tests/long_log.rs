//! A long log is read and checked one entry at a time. In a program of its own, because it measures memory.
#![expect(clippy::unwrap_used, reason = "a test that cannot run must stop")]

use std::io::{BufReader, Write};
use std::ops::ControlFlow;

use portcullis_gate::store::{Filter, Record, Store, Verified, verify_export};
use serde_json::json;

const ENTRIES: u64 = 100_000;
/// Far less than the log is long, far more than reading one entry takes.
const MOST_MEMORY: u64 = 24 << 20;

/// The most memory that was used since the last call, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    std::fs::File::options().write(true).open("/proc/self/clear_refs").unwrap().write_all(b"5").unwrap();
    kib * 1024
}

/// [A1]
#[test]
fn memory_does_not_grow_with_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let record = Record {
        session: "s".to_owned(),
        tool: "Bash".to_owned(),
        input: json!({ "command": "x".repeat(400) }),
        decision: "allow".to_owned(),
        kind: "call".to_owned(),
        ..Record::default()
    };
    for _ in 0..ENTRIES / 10_000 {
        store.commit(|ledger| (0..10_000).try_for_each(|_| ledger.append(&record).map(drop))).unwrap();
    }
    let path = folder.path().join("export.jsonl");
    let before = {
        peak();
        peak()
    };
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    let (last, count) = store.export(&mut file).unwrap();
    drop(file);
    assert_eq!(count, ENTRIES);
    let whole = Verified::Whole { entries: ENTRIES, last };
    assert_eq!(store.verify().unwrap(), whole);
    let mut source = BufReader::new(std::fs::File::open(&path).unwrap());
    assert_eq!(verify_export(&mut source).unwrap(), whole);
    let mut seen = 0_u64;
    let each = |_| {
        seen += 1;
        ControlFlow::Continue(())
    };
    store.entries(&Filter { decision: Some("allow".to_owned()), ..Filter::default() }, each).unwrap();
    assert_eq!(seen, ENTRIES);
    let grown = peak().saturating_sub(before);
    let length = path.metadata().unwrap().len();
    assert!(length > 3 * MOST_MEMORY, "the log is too short to tell: {length}");
    assert!(grown < MOST_MEMORY, "{grown} bytes for a log of {length}");
}
