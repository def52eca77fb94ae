//! What a record costs: alone, with many in one commit, and what reading the log back costs.
//!
//! `cargo bench --workspace --bench store`. Every commit is synced to the disk, so that this measures the disk too.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made must stop")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput};
use portcullis_gate::store::{Filter, Record, Store};
use serde_json::json;

/// Records in one commit, and in the log that is read back.
const MANY: u64 = 256;

fn main() {
    let mut criterion =
        Criterion::default().sample_size(20).measurement_time(Duration::from_secs(5)).configure_from_args();
    let mut group = criterion.benchmark_group("store");
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    group.throughput(Throughput::Elements(1));
    group.bench_function("open", |bencher| {
        bencher.iter(|| drop(black_box(Store::open(folder.path()).unwrap())));
    });
    group.bench_function("one record, durable", |bencher| {
        bencher.iter_batched(record, |record| append(&mut store, &[record]), BatchSize::SmallInput);
    });
    group.throughput(Throughput::Elements(MANY));
    group.bench_function("256 records in one commit, durable", |bencher| {
        let records = || (0..MANY).map(|_| record()).collect::<Vec<_>>();
        bencher.iter_batched(records, |records| append(&mut store, &records), BatchSize::SmallInput);
    });
    let read_back = tempfile::tempdir().unwrap();
    let mut log = Store::open(read_back.path()).unwrap();
    append(&mut log, &(0..MANY).map(|_| record()).collect::<Vec<_>>());
    group.bench_function("verify 256 records", |bencher| {
        bencher.iter(|| black_box(log.verify().unwrap()));
    });
    group.bench_function("list 256 records", |bencher| {
        bencher.iter(|| {
            log.entries(&Filter::default(), |entry| {
                black_box(entry);
                ControlFlow::Continue(())
            })
            .unwrap();
        });
    });
    group.finish();
    criterion.final_summary();
}

fn append(store: &mut Store, records: &[Record]) {
    store.commit(|ledger| records.iter().try_for_each(|record| ledger.append(record).map(drop))).unwrap();
}

/// A call that a rule allows, as the gate writes it down.
fn record() -> Record {
    Record {
        time_ms: 1_700_000_000_000,
        session: "session".to_owned(),
        agent: "claude-code".to_owned(),
        tool: "Bash".to_owned(),
        input: json!({ "command": "cargo test --workspace 2>&1 | tail -20" }),
        cwd: "/home/dev/proj".to_owned(),
        mode: "default".to_owned(),
        decision: "allow".to_owned(),
        message: "allowed by `Bash(cargo test:*)` in your settings".to_owned(),
        reason: json!({ "type": "rule", "rule": "Bash(cargo test:*)", "source": "user", "line": 4 }),
        trace: json!([
            { "step": "F1 deny rules", "outcome": "none", "micros": 1 },
            { "step": "F9 allow rules", "outcome": "allow", "micros": 3 },
        ]),
        layer: "rule".to_owned(),
        enforced: true,
        answered: "allow".to_owned(),
        kind: "call".to_owned(),
        ..Record::default()
    }
}
