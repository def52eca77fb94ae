//! Decisions with few and with many rules, beside the reading alone.
//!
//! `cargo bench -p portcullis-decide --bench decide`; the calls are those of `load`. For plain figures with
//! ratios see the example `decide_speed`.
#![expect(clippy::disallowed_methods, reason = "the bench takes its calls from a file")]

mod load;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use portcullis_decide::decide;
use portcullis_shell::{Dialect, read};

fn main() {
    let calls = load::calls();
    let mut criterion =
        Criterion::default().sample_size(20).measurement_time(Duration::from_secs(5)).configure_from_args();
    let mut group = criterion.benchmark_group("all commands");
    group.throughput(Throughput::Elements(calls.len() as u64));
    group.bench_function("reading alone", |bencher| {
        bencher.iter(|| calls.iter().for_each(|call| drop(black_box(read(load::line(call), Dialect::Bash)))));
    });
    for size in load::SIZES {
        let context = load::context(size);
        group.bench_function(format!("decision, {size} rules"), |bencher| {
            bencher.iter(|| calls.iter().for_each(|call| drop(black_box(decide(call, &context)))));
        });
    }
    group.finish();
    criterion.final_summary();
}
