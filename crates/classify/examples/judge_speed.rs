//! How long the built-in judge takes beside the reading alone (SPEC C17), on labelled commands.
//!
//! `PORTCULLIS_CORPUS=… cargo run --release -p portcullis-classify --example judge_speed`; prints a table and asserts
//! nothing: run it on a quiet machine.
#![expect(clippy::print_stdout, reason = "printing figures is what this program is for")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use portcullis_classify::judge::{Strictness, judge};
use portcullis_classify::transcript::Transcript;
use portcullis_decide::facts::Facts;
use portcullis_decide::view::View;
use portcullis_decide::{Context, Mode, Reason, ToolCall};
use portcullis_shell::{Dialect, read};
use serde_json::{Value, json};

/// How often each command is timed in each way.
const ROUNDS: usize = 15;
/// Commands for whoever has no labelled ones.
const OWN: &[&str] = &[
    "git status",
    "cargo test --workspace 2>&1 | tail -20",
    "npm run build && npm test",
    "git add -A && git commit -m 'Fix the parser'",
    "for f in src/*.rs; do wc -l \"$f\"; done",
    "curl -s localhost:3000/health",
];

fn main() {
    let lines = lines();
    let mut context = Context::new("/home/dev/proj", "/home/dev");
    context.facts = Facts::plain();
    context.mode = Mode::Auto;
    let mut talk = Transcript::default();
    talk.push_human("Please continue.");
    let (mut reading, mut judging) = (Vec::new(), Vec::new());
    for line in &lines {
        let call = ToolCall::new("Bash", json!({ "command": line }), "/home/dev/proj");
        let (mut read_best, mut judge_best) = (Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            read_best = read_best.min(timed(|| drop(black_box(read(line, Dialect::Bash)))));
            let verdict = || {
                drop(black_box(judge(
                    &call,
                    &View::of(&call, &context),
                    &context,
                    &talk,
                    &Reason::NoRule,
                    Strictness::Balanced,
                )));
            };
            judge_best = judge_best.min(timed(verdict));
        }
        reading.push(read_best);
        judging.push(judge_best);
    }
    println!("{} commands, best of {ROUNDS} for each", lines.len());
    let base = row("reading alone", &mut reading, None);
    row("built-in judge, reading included", &mut judging, Some(base));
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn row(what: &str, times: &mut [Duration], base: Option<f64>) -> f64 {
    times.sort_unstable();
    let at = |share: usize| {
        let index = times.len().saturating_sub(1) * share / 100;
        times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1e6)
    };
    let ratio = base.map_or_else(String::new, |base| format!("{:.2} × the reading", at(50) / base));
    println!("{:8.2} µs median {:8.2} µs p99  {what}  {ratio}", at(50), at(99));
    at(50)
}

fn lines() -> Vec<String> {
    let folder = std::env::var("PORTCULLIS_CORPUS").unwrap_or_default();
    let text = std::fs::read_to_string(format!("{folder}/benign-dev.jsonl")).unwrap_or_default();
    let command = |line: &str| {
        let row: Value = serde_json::from_str(line).ok()?;
        Some(row.get("input")?.get("command")?.as_str()?.to_owned())
    };
    let found: Vec<String> = text.lines().filter_map(command).collect();
    if found.is_empty() { OWN.iter().map(|line| (*line).to_owned()).collect() } else { found }
}
