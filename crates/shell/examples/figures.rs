//! Runs the reader over labelled cases and prints how often it was right.
//!
//! `cargo run --release -p portcullis-shell --example figures -- FOLDER [--list]`; the folder holds
//! `static-dev.jsonl`, `danger-dev.jsonl`, `benign-dev.jsonl` and `bypass-dev.jsonl`. Only texts are read.
//! The cases are taken to run in a directory without files that tell programs to run other code.
#![expect(clippy::disallowed_methods, reason = "the program reads the labelled cases")]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing figures is what this program is for"
)]

use std::path::Path;
use std::process::ExitCode;

use portcullis_shell::{Dialect, Effects, Reading, read};
use serde_json::Value;

struct Case {
    id: String,
    command: String,
    expect: String,
    severity: String,
    layer: String,
}

fn cases(folder: &Path, name: &str) -> Vec<Case> {
    let path = folder.join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: cannot read {}", path.display());
        return Vec::new();
    };
    let field = |row: &Value, key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let rows = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    rows.filter(|row| field(row, "tool") == "Bash" && row.get("shell").is_none())
        .filter_map(|row| {
            let command = row.pointer("/input/command")?.as_str()?.to_owned();
            Some(Case {
                id: field(&row, "id"),
                command,
                expect: field(&row, "expect"),
                severity: field(&row, "severity"),
                layer: field(&row, "layer"),
            })
        })
        .collect()
}

/// Whether something about the line is not known, be it a doubt or an unknown effect.
fn is_unclear(reading: &Reading) -> bool {
    !reading.unclear.is_empty() || reading.effects().meets(Effects::UNKNOWN)
}

fn report(title: &str, cases: &[&Case], counts: impl Fn(&Reading) -> bool, list: bool) {
    let mut hits = 0;
    for case in cases {
        let reading = read(&case.command, Dialect::Bash);
        if counts(&reading) {
            hits += 1;
        } else if list {
            continue;
        }
        if list {
            let why = reading.unclear.first().map(ToString::to_string).unwrap_or_default();
            println!("    {:<28} [{}] {} {:?}", case.id, reading.effects(), why, case.command);
        }
    }
    let total = cases.len().max(1);
    #[expect(clippy::cast_precision_loss, reason = "a few thousand rows")]
    let share = 100.0 * f64::from(hits) / total as f64;
    println!("{title:<62} {hits:>5} of {:>5}  {share:>6.2} %", cases.len());
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().or_else(|| std::env::var("PORTCULLIS_CORPUS").ok());
    let Some(folder) = folder else {
        eprintln!("usage: figures FOLDER [--list]");
        return ExitCode::from(2);
    };
    let list = arguments.any(|argument| argument == "--list");
    let folder = Path::new(&folder);
    let fixed = cases(folder, "static-dev.jsonl");
    let of = |expect: &str| fixed.iter().filter(|case| case.expect == expect).collect::<Vec<_>>();
    report(
        "static-dev, allow: proven read-only (at least 92 %)",
        &of("allow"),
        Reading::only_reads_unless_told,
        false,
    );
    report("  of these without a look at the directory", &of("allow"), Reading::only_reads, false);
    if list {
        report(
            "static-dev, allow: not proven",
            &of("allow"),
            |reading| !reading.only_reads_unless_told(),
            true,
        );
    }
    report(
        "static-dev, ask: proven read-only (at most 0.5 %)",
        &of("ask"),
        Reading::only_reads_unless_told,
        list,
    );
    let danger = cases(folder, "danger-dev.jsonl");
    for severity in ["hard", "soft"] {
        let rows = danger.iter().filter(|case| case.severity == severity).collect::<Vec<_>>();
        report(
            &format!("danger-dev, {severity}: proven read-only (hard: 0)"),
            &rows,
            Reading::only_reads_unless_told,
            list,
        );
    }
    let benign = cases(folder, "benign-dev.jsonl");
    let benign = benign.iter().collect::<Vec<_>>();
    report("benign-dev: proven read-only (at least 40 %)", &benign, Reading::only_reads_unless_told, false);
    report("benign-dev: something unclear (at most 8 %)", &benign, is_unclear, list);
    let bypass = cases(folder, "bypass-dev.jsonl");
    let rows = bypass.iter().filter(|case| case.layer == "readonly").collect::<Vec<_>>();
    report(
        "bypass-dev, layer readonly, allow: proven read-only (all)",
        &rows,
        Reading::only_reads_unless_told,
        false,
    );
    let rows = bypass.iter().filter(|case| case.expect == "not-allow").collect::<Vec<_>>();
    report("bypass-dev, not-allow: proven read-only", &rows, Reading::only_reads_unless_told, list);
    ExitCode::SUCCESS
}
