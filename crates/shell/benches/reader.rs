//! The full reading of a command (parse, walk, effects) against parsing alone by the public parsers.
//!
//! `cargo bench -p portcullis-shell --bench reader`; commands come from `benign-dev.jsonl` in the folder that
//! `PORTCULLIS_CORPUS` names, or from the hand-written lines. Ratios are printed first, criterion's details after.
#![expect(clippy::disallowed_methods, reason = "the bench reads the labelled cases")]
#![expect(clippy::print_stdout, reason = "printing figures is what this program is for")]
#![expect(dead_code, reason = "the differential tests, whose modules these are, use more of them")]

#[path = "../tests/differential/corpus.rs"]
mod corpus;
#[path = "../tests/differential/lines.rs"]
mod lines;
#[path = "../tests/differential/parsers/mod.rs"]
mod parsers;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use portcullis_shell::{Dialect, read};

/// How often each command is read by each reader for the ratios.
const ROUNDS: usize = 15;

type Work = fn(&str);

const READERS: &[(&str, Work)] = &[
    ("portcullis (full reading)", |line| drop(black_box(read(black_box(line), Dialect::Bash)))),
    ("rable (parse)", |line| drop(black_box(parsers::rable::parse(black_box(line))))),
    ("brush-parser (parse)", |line| drop(black_box(parsers::brush::parse(black_box(line))))),
    ("tree-sitter-bash (parse)", |line| drop(black_box(parsers::tree_sitter::parse(black_box(line))))),
];

fn main() {
    let commands = commands();
    ratios(&commands);
    let mut criterion =
        Criterion::default().sample_size(20).measurement_time(Duration::from_secs(5)).configure_from_args();
    let mut group = criterion.benchmark_group("all commands");
    group.throughput(Throughput::Elements(commands.len() as u64));
    for (name, work) in READERS {
        group.bench_function(*name, |bencher| bencher.iter(|| commands.iter().for_each(|line| work(line))));
    }
    group.finish();
    criterion.final_summary();
}

/// Commands that every parser can be trusted with.
fn commands() -> Vec<String> {
    let folder = std::env::var_os("PORTCULLIS_CORPUS");
    let found = folder
        .map(|folder| corpus::commands(&Path::new(&folder).join("benign-dev.jsonl")))
        .unwrap_or_default();
    let all = if found.is_empty() {
        println!("no benign-dev.jsonl in PORTCULLIS_CORPUS: the hand-written lines are used");
        lines::LINES.iter().map(|line| (*line).to_owned()).collect()
    } else {
        found
    };
    let tame: Vec<String> = all.into_iter().filter(|line| parsers::is_tame(line)).collect();
    println!("{} commands", tame.len());
    tame
}

/// The readers take turns on each command, so that whatever else the machine does hits all of them alike.
fn ratios(commands: &[String]) {
    let mut medians: Vec<Vec<Duration>> = vec![Vec::new(); READERS.len()];
    for line in commands {
        let mut times: Vec<Vec<Duration>> = vec![Vec::new(); READERS.len()];
        for _ in 0..ROUNDS {
            for ((_, work), times) in READERS.iter().zip(&mut times) {
                let start = Instant::now();
                work(line);
                times.push(start.elapsed());
            }
        }
        for (times, medians) in times.iter_mut().zip(&mut medians) {
            medians.push(median(times));
        }
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let middle: Vec<f64> = medians.iter_mut().map(|times| micros(median(times))).collect();
    let mean: Vec<f64> = medians
        .iter()
        .map(|times| micros(times.iter().sum()) / f64::from(u32::try_from(times.len().max(1)).unwrap_or(1)))
        .collect();
    let ours = middle.first().copied().unwrap_or_default();
    println!("   median      mean  of ours  reader");
    for (((name, _), middle), mean) in READERS.iter().zip(&middle).zip(&mean) {
        println!("{middle:>6.2} µs {mean:>6.2} µs {:>7.2}×  {name}", middle / ours);
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
