//! How the reader's time grows with the length of the line, and the slowest line that a search finds.
//!
//! `cargo run --release -p portcullis-shell --example speed`; prints one slope for each shape (time against
//! length, both as logarithms: 1 is linear) and the slowest of 10,000 generated lines. It asserts nothing:
//! run it on a quiet machine.
#![expect(clippy::disallowed_methods, reason = "the program measures time")]
#![expect(clippy::print_stdout, reason = "printing figures is what this program is for")]
#![expect(clippy::cast_precision_loss, reason = "lengths and times are far below 2^52")]
#![expect(dead_code, reason = "the tests, whose modules these are, use more of them")]

#[path = "../tests/differential/lines.rs"]
mod lines;
#[path = "../tests/differential/mutants.rs"]
mod mutants;
#[path = "../tests/hostile/shapes.rs"]
mod shapes;

use std::time::{Duration, Instant};

use mutants::{FRAGMENTS, Numbers};
use portcullis_shell::{Dialect, read};

const LENGTHS: &[usize] = &[100, 200, 500, 1_000, 2_000, 5_000, 10_000];
const PASSES: usize = 10;
const MOST: usize = 10_000;
const STEEPEST: f64 = 1.1;

/// A line of about 1,000 characters, less what is missing to a whole unit.
const FIXED_COST_GONE: usize = 900;

fn main() {
    keep_memory();
    println!("slope  100 characters  10,000 characters  shape");
    let mut steep = 0;
    let shapes = all_shapes();
    for ((name, ..), times) in shapes.iter().zip(times(&shapes)) {
        let slope = slope(&times);
        steep += usize::from(slope > STEEPEST);
        let mark = if slope > STEEPEST { "  <- steeper than linear" } else { "" };
        let micros_of = |point: Option<&(usize, f64)>| point.map_or(0.0, |(_, time)| *time);
        let ends = (micros_of(times.first()), micros_of(times.last()));
        println!("{slope:>5.2}  {:>11.1} µs  {:>14.1} µs  {name}{mark}", ends.0, ends.1);
    }
    println!("{steep} shapes are steeper than {STEEPEST}");
    slowest();
}

/// Allocators hand large amounts of freed memory back to the system and then have to ask for it again with each
/// reading, but only for long lines: that is a step in time which has nothing to do with the reader. Once a large
/// block was freed they keep what they have.
fn keep_memory() {
    drop(std::hint::black_box(vec![1_u8; 16 << 20]));
}

/// Plain shapes first, then the wide and the deep ones of the hostile tests.
fn all_shapes() -> Vec<(&'static str, &'static str, &'static str)> {
    let plain = [
        ("plain commands", "ls -la src; ", ""),
        ("one long word", "a", ""),
        ("many arguments", "file ", ""),
        ("a quoted string", "word in quotes ", ""),
        ("nested quotes and expansions", "\"a ${x:-b} $(pwd)\" ", ""),
    ];
    let wide = shapes::BREADTH.iter().map(|(name, unit, end, _)| (*name, *unit, *end));
    let deep = shapes::OPENERS.iter().map(|(name, unit)| (*name, *unit, ""));
    plain.into_iter().chain(wide).chain(deep).collect()
}

/// The best time for each length of each shape. All of them take turns, so that neither a busy moment nor a busy
/// second hits only some.
fn times(shapes: &[(&str, &str, &str)]) -> Vec<Vec<(usize, f64)>> {
    let lines = |(_, unit, end): &(&str, &str, &str)| -> Vec<String> {
        LENGTHS.iter().map(|length| line_of(unit, end, *length)).collect()
    };
    let lines: Vec<Vec<String>> = shapes.iter().map(lines).collect();
    let untimed = |lines: &Vec<String>| lines.iter().map(|line| (line.len(), f64::INFINITY)).collect();
    let mut times: Vec<Vec<(usize, f64)>> = lines.iter().map(untimed).collect();
    for _ in 0..PASSES {
        for (line, (_, time)) in lines.iter().flatten().zip(times.iter_mut().flatten()) {
            *time = time.min(micros(best(line)));
        }
    }
    times
}

/// Whole units only: a line that is cut inside one may be refused where the others are read, and then the
/// slope compares two different things.
fn line_of(unit: &str, end: &str, length: usize) -> String {
    unit.repeat((length - end.len()) / unit.len()) + end
}

fn once(line: &str) -> Duration {
    let start = Instant::now();
    std::hint::black_box(read(std::hint::black_box(line), Dialect::Bash));
    start.elapsed()
}

/// The best of several readings; fewer of slow lines.
fn best(line: &str) -> Duration {
    let first = once(line);
    let rounds = (8_000 / (first.as_micros() + 20)).clamp(3, 100);
    (0..rounds).map(|_| once(line)).min().unwrap_or(first)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The slope of the line that fits best through the logarithms. The fixed cost of a reading is taken out
/// by looking only at lengths where it no longer shows.
fn slope(times: &[(usize, f64)]) -> f64 {
    let points: Vec<(f64, f64)> = times
        .iter()
        .filter(|(length, _)| *length >= FIXED_COST_GONE)
        .map(|(length, time)| ((*length as f64).ln(), time.ln()))
        .collect();
    let count = points.len() as f64;
    let (mean_x, mean_y) =
        points.iter().fold((0.0, 0.0), |sums, point| (sums.0 + point.0 / count, sums.1 + point.1 / count));
    let (above, below) = points.iter().fold((0.0, 0.0), |sums, point| {
        let x = point.0 - mean_x;
        (x.mul_add(point.1 - mean_y, sums.0), x.mul_add(x, sums.1))
    });
    above / below
}

/// Generates lines of up to 10,000 characters and prints the five slowest. More are kept at first and timed
/// again later: a busy moment must not make a line look slow.
fn slowest() {
    let mut numbers = Numbers::new(1);
    let mut found: Vec<(Duration, String)> = Vec::new();
    for _ in 0..10_000 {
        let line = generated(&mut numbers);
        let first = once(&line);
        if found.len() < 40 || found.last().is_some_and(|(time, _)| first > *time) {
            found.push((first.min(best(&line)), line));
            found.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
            found.truncate(40);
        }
    }
    for _ in 0..PASSES {
        for (time, line) in &mut found {
            *time = best(line).min(*time);
        }
    }
    found.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    println!("the slowest of 10,000 generated lines:");
    for (time, line) in found.iter().take(5) {
        println!(
            "{:>10.1} µs  {} characters: {:?}",
            micros(*time),
            line.chars().count(),
            line.chars().take(100).collect::<String>()
        );
    }
}

/// A few pieces, repeated: repetition is what hurts.
fn generated(numbers: &mut Numbers) -> String {
    let units: Vec<&str> = shapes::BREADTH
        .iter()
        .map(|shape| shape.1)
        .chain(shapes::OPENERS.iter().map(|shape| shape.1))
        .collect();
    let mut line = String::new();
    while line.len() < MOST {
        let mut piece = String::new();
        for _ in 0..=numbers.below(4) {
            piece.push_str(match numbers.below(3) {
                0 => numbers.pick(&units, "ls"),
                1 => numbers.pick(FRAGMENTS, "ls"),
                _ => numbers.pick(lines::LINES, "ls"),
            });
        }
        let times = [1, 3, 30, 300, 3_000].get(numbers.below(5)).copied().unwrap_or(1);
        line.push_str(&piece.repeat(times.min(MOST / piece.len().max(1) + 1)));
    }
    line.chars().take(MOST).collect()
}
