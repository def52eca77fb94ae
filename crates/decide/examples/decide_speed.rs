//! How long decisions take beside the reading alone, with few and with many rules, and whether memory grows.
//!
//! `cargo run --release -p portcullis-decide --example decide_speed`; prints a table and asserts nothing: run
//! it on a quiet machine. `PORTCULLIS_DECISIONS` says how many decisions the memory figure is taken over,
//! `PORTCULLIS_RULES` with how many rules (1,000 if it does not); the slowest commands are shown for the same.
#![expect(clippy::disallowed_methods, reason = "the example reads its calls and measures time")]
#![expect(clippy::print_stdout, reason = "printing figures is what this program is for")]

#[path = "../benches/load/mod.rs"]
mod load;

use std::hint::black_box;
use std::time::{Duration, Instant};

use portcullis_decide::{Context, ToolCall, decide};
use portcullis_shell::{Dialect, read};

/// How often each command is timed in each way.
const ROUNDS: usize = 21;
/// Decisions between the two looks at memory.
const DECISIONS: usize = 1_000_000;

fn main() {
    let calls = load::calls();
    let contexts: Vec<(usize, Context)> = load::SIZES.map(|size| (size, load::context(size))).into();
    println!("{} commands, best of {ROUNDS} for each", calls.len());
    let mut reading: Vec<f64> = Vec::new();
    let mut decisions: Vec<Vec<f64>> = vec![Vec::new(); contexts.len()];
    for call in &calls {
        // All ways take turns, so that a busy moment does not hit only one.
        let mut best = vec![Duration::MAX; contexts.len() + 1];
        for _ in 0..ROUNDS {
            let mut times = vec![timed(|| drop(black_box(read(load::line(call), Dialect::Bash))))];
            times
                .extend(contexts.iter().map(|(_, context)| timed(|| drop(black_box(decide(call, context))))));
            best.iter_mut().zip(times).for_each(|(best, time)| *best = time.min(*best));
        }
        let mut micros = best.into_iter().map(|time| time.as_secs_f64() * 1e6);
        reading.extend(micros.next());
        decisions.iter_mut().zip(micros).for_each(|(all, time)| all.push(time));
    }
    println!("   median       p99  p99/median  of reading  what");
    let base = row("reading alone", &mut reading, None);
    for ((size, _), times) in contexts.iter().zip(&mut decisions) {
        row(&format!("decision with {size} rules"), times, Some(base));
    }
    let size = number("PORTCULLIS_RULES").unwrap_or(1_000);
    let context = load::context(size);
    println!("with {size} rules:");
    slowest(&calls, &context);
    memory(&calls, &context);
}

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn at(sorted: &[f64], part: usize) -> f64 {
    sorted.get((sorted.len() * part / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

/// Prints one line and returns its median.
fn row(name: &str, times: &mut [f64], base: Option<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    let (median, late) = (at(times, 50), at(times, 99));
    let ratio = base.map_or_else(String::new, |base| format!("{:.2}×", median / base));
    println!("{median:>6.2} µs {late:>6.2} µs {:>10.1}× {ratio:>11}  {name}", late / median);
    median
}

/// The commands with the largest share of deciding over reading.
fn slowest(calls: &[ToolCall], context: &Context) {
    let best =
        |work: &dyn Fn()| (0..ROUNDS).map(|_| timed(work)).min().unwrap_or_default().as_secs_f64() * 1e6;
    let mut shares: Vec<(f64, f64, &str)> = Vec::new();
    for call in calls {
        let read = best(&|| drop(black_box(read(load::line(call), Dialect::Bash))));
        let decided = best(&|| drop(black_box(decide(call, context))));
        shares.push((decided, decided / read, load::line(call)));
    }
    shares.sort_unstable_by(|first, second| second.0.total_cmp(&first.0));
    println!("slowest:");
    for (time, share, line) in shares.iter().take(5) {
        let shown: String = line.chars().take(70).collect();
        println!("{time:>7.2} µs {share:>5.1}×  {shown:?}");
    }
}

fn memory(calls: &[ToolCall], context: &Context) {
    let wanted = number("PORTCULLIS_DECISIONS").unwrap_or(DECISIONS);
    calls.iter().cycle().take(calls.len() * 3).for_each(|call| drop(black_box(decide(call, context))));
    let before = resident();
    let start = Instant::now();
    calls.iter().cycle().take(wanted).for_each(|call| drop(black_box(decide(call, context))));
    let (after, seconds) = (resident(), start.elapsed().as_secs_f64());
    println!("memory: {before} before, {after} after {wanted} decisions in {seconds:.1} s");
}

/// What the system says this program holds; nothing where it does not say.
fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map_or_else(|| "unknown".to_owned(), |size| size.trim().to_owned())
}
