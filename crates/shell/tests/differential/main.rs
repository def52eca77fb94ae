//! The reader against the public parsers and against bash itself.
//!
//! Two promises: every command name that another parser finds, the reader finds too, unless it says that
//! it could not read the line; and it never reads without complaint what bash rejects.
#![expect(clippy::disallowed_methods, reason = "the test asks bash, and reads the labelled cases")]
#![expect(clippy::print_stdout, reason = "the counts by class are part of the result")]

mod bash;
mod corpus;
mod explained;
mod lines;
mod mutants;
mod parsers;

use std::collections::BTreeMap;

use explained::{CLASSES, Difference};
use portcullis_shell::{Dialect, Reading, Why, read};

/// How many mutants are made of the hand-written lines; `PORTCULLIS_MUTANTS` asks for more.
const MUTANTS: usize = 4_000;

/// Any number will do; a fixed one makes failures repeat. `PORTCULLIS_SEED` gives others.
const SEED: u64 = 20_261_115;

fn hand_written() -> Vec<String> {
    lines::LINES.iter().map(|line| (*line).to_owned()).collect()
}

fn mutated() -> Vec<String> {
    let asked = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let count = asked("PORTCULLIS_MUTANTS").and_then(|count| usize::try_from(count).ok()).unwrap_or(MUTANTS);
    mutants::mutants(lines::LINES, count, asked("PORTCULLIS_SEED").unwrap_or(SEED))
}

#[test]
fn hand_written_lines_show_every_name() {
    assert!(lines::LINES.len() >= 250, "the list is meant to cover every construct");
    compare_names("hand-written lines", &hand_written());
}

#[test]
fn mutated_lines_show_every_name() {
    compare_names("mutated lines", &mutated());
}

#[test]
fn corpus_lines_show_every_name() {
    match corpus::corpus() {
        Some(lines) => compare_names("corpus lines", &lines),
        None => println!("skipped: PORTCULLIS_CORPUS is not set"),
    }
}

#[test]
fn hand_written_lines_that_bash_rejects_are_refused() {
    compare_with_bash("hand-written lines", &hand_written());
}

#[test]
fn mutated_lines_that_bash_rejects_are_refused() {
    compare_with_bash("mutated lines", &mutated());
}

#[test]
fn corpus_lines_that_bash_rejects_are_refused() {
    match corpus::corpus() {
        Some(lines) => compare_with_bash("corpus lines", &lines),
        None => println!("skipped: PORTCULLIS_CORPUS is not set"),
    }
}

/// What the reader says about a line as a whole when it could not follow its grammar.
fn complaint(reading: &Reading) -> Option<String> {
    let grammatical = |why: Why| {
        matches!(
            why,
            Why::TooLong
                | Why::TooDeep
                | Why::TooMuch
                | Why::Hidden
                | Why::Syntax
                | Why::Dialect
                | Why::NotModelled
        )
    };
    let unclear = reading.unclear.iter().find(|unclear| grammatical(unclear.why))?;
    Some(format!("{}: {}", unclear.why.name(), unclear.detail))
}

/// The names in `theirs` that are more often there than in `ours`.
fn missing(theirs: &[String], ours: &Reading) -> Vec<String> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for name in theirs {
        *counts.entry(name).or_default() += 1;
    }
    for command in &ours.commands {
        let Some(program) = command.program.as_deref() else { continue };
        // A program that is known without its case is compared as it is written.
        let written = command.word.rsplit('/').next().unwrap_or_default();
        let name = if written.eq_ignore_ascii_case(program) { written } else { program };
        *counts.entry(name).or_default() -= 1;
    }
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, _)| name.to_owned()).collect()
}

/// Counts differences by class, and keeps those that fit none.
#[derive(Default)]
struct Tally {
    classes: BTreeMap<String, usize>,
    unexplained: Vec<String>,
}

impl Tally {
    fn add(&mut self, difference: &Difference<'_>) {
        let holds = |class: &&explained::Class| (class.holds)(difference);
        if let Some(class) = CLASSES.iter().find(holds) {
            *self.classes.entry(format!("{} {}", difference.parser, class.name)).or_default() += 1;
        } else {
            let finds = if difference.missing.is_empty() {
                String::new()
            } else {
                format!(" finds {:?}", difference.missing)
            };
            self.unexplained.push(format!("{}{finds}: {:?}", difference.parser, difference.line));
        }
    }

    fn settle(self) {
        self.classes.iter().for_each(|(name, count)| println!("    {count:>5} explained: {name}"));
        assert!(
            self.unexplained.is_empty(),
            "{} unexplained:\n{}",
            self.unexplained.len(),
            self.unexplained.join("\n")
        );
    }
}

fn compare_names(title: &str, lines: &[String]) {
    let readings: Vec<Reading> = lines.iter().map(|line| read(line, Dialect::Bash)).collect();
    let mut tally = Tally::default();
    for (parser, names) in parsers::PARSERS {
        let answers = parsers::ask(*names, lines);
        assert_eq!(answers.len(), lines.len(), "{parser} did not come back");
        let (mut compared, mut refused) = (0, 0);
        for ((line, reading), answer) in lines.iter().zip(&readings).zip(answers) {
            let Some(theirs) = answer else { continue };
            compared += 1;
            let missing = missing(&theirs, reading);
            match complaint(reading) {
                _ if missing.is_empty() => {}
                Some(_) => refused += 1,
                None => tally.add(&Difference { line, parser, missing }),
            }
        }
        println!(
            "{title}: {parser} has an opinion on {compared} of {}; {refused} differ but are refused",
            lines.len()
        );
    }
    tally.settle();
}

fn compare_with_bash(title: &str, lines: &[String]) {
    let Some(rejected) = bash::rejected(lines) else {
        println!("skipped: there is no bash 5.2 or later");
        return;
    };
    let mut tally = Tally::default();
    let mut needless: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (line, rejected) in lines.iter().zip(&rejected) {
        let reading = read(line, Dialect::Bash);
        match (complaint(&reading), rejected) {
            (None, true) => tally.add(&Difference { line, parser: "bash", missing: Vec::new() }),
            (Some(complaint), false) => needless.entry(complaint).or_default().push(line),
            (None, false) | (Some(_), true) => {}
        }
    }
    let refused = rejected.iter().filter(|rejected| **rejected).count();
    let count: usize = needless.values().map(Vec::len).sum();
    println!(
        "{title}: bash accepts {}, of which {count} are refused needlessly; it rejects {refused}",
        lines.len() - refused
    );
    for (complaint, examples) in &needless {
        let shown =
            examples.iter().take(3).map(|line| format!("{:?}", line.chars().take(80).collect::<String>()));
        println!("    {:>5} {complaint}, as in {}", examples.len(), shown.collect::<Vec<_>>().join("  "));
    }
    tally.settle();
}
