//! `portcullis eval`: labelled cases run through the gate, and how often it was right (SPEC J4).
//!
//! Hermetic: nothing of the caller's home, settings or network matters; each case brings its world.

mod against;
mod case;
mod classifier;
mod files;
mod hook;
mod html;
mod interval;
mod json;
mod limits;
mod report;
mod score;
mod sequence;
mod world;
mod worst;

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use portcullis_decide::Mode;

use crate::output;
use against::{Comparison, Earlier};
use case::Case;
use limits::{Limits, Standing};
use report::Shown;
use score::Score;

/// What to run and how to show it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files with one case a line.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The mode for cases that name none.
    #[arg(long, default_value = "default")]
    mode: Mode,
    /// Replace every user turn and directory by the defaults, so that they cannot be what decides.
    #[arg(long)]
    blind: bool,
    /// Print one JSON object with the figures.
    #[arg(long)]
    json: bool,
    /// Write one line for each case: id, expected, got, reason, microseconds.
    #[arg(long, value_name = "OUT.jsonl")]
    rows: Option<PathBuf>,
    #[command(flatten)]
    shown: Shown,
    /// Write a report with plots: one file that needs nothing else.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Show what changed since an earlier run, whose rows `--rows` wrote.
    #[arg(long, value_name = "ROWS.jsonl")]
    against: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// An allow rule for every case; may be given several times.
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
    /// An ask rule for every case.
    #[arg(long, value_name = "RULE")]
    ask: Vec<String>,
    /// A deny rule for every case.
    #[arg(long, value_name = "RULE")]
    deny: Vec<String>,
}

/// What came out of a run.
struct Run {
    score: Score,
    /// How the limits stand.
    standings: Vec<Standing>,
    comparison: Option<Comparison>,
}

/// Failed limits end with this code.
const FAILED: u8 = 1;

/// Runs the cases; exits 0 when all could be read and every limit holds, 1 when one does not, 3 otherwise.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let run = match evaluate(arguments) {
        Ok(run) => run,
        Err(message) => return output::fail(&message),
    };
    if let Some(path) = &arguments.html {
        let page = html::page(&run, &arguments.heading());
        if let Err(error) = std::fs::write(path, page) {
            return output::fail(&format!("cannot write `{}`: {error}", path.display()));
        }
    }
    let text = if arguments.json {
        format!("{}\n", json::as_json(&run))
    } else {
        report::as_text(&run, arguments.shown)
    };
    let printed = output::print(&text);
    if printed == ExitCode::SUCCESS && run.standings.iter().any(|standing| !standing.held) {
        return ExitCode::from(FAILED);
    }
    printed
}

fn evaluate(arguments: &Arguments) -> Result<Run, String> {
    // Before anything is written: the new rows may go to the same file.
    let mut comparison = match &arguments.against {
        Some(path) => Some(Comparison::with(Earlier::read(path)?)),
        None => None,
    };
    let mut rows = match &arguments.rows {
        Some(path) => {
            Some(File::create(path).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?)
        }
        None => None,
    };
    let mut score = Score::default();
    for path in &arguments.files {
        let shown = path.display();
        let file = File::open(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        for (index, line) in BufReader::new(file).lines().enumerate() {
            let line = line.map_err(|error| format!("cannot read `{shown}`: {error}"))?;
            if line.trim().is_empty() {
                continue;
            }
            let case = Case::parse(&line, &stem, arguments.blind)
                .map_err(|problem| format!("{shown}:{}: {problem}", index + 1))?;
            let answered = world::answer(&case, arguments.mode, &arguments.rules());
            if let Some(file) = &mut rows {
                let row = json::row(&case, &answered);
                writeln!(file, "{row}").map_err(|error| format!("cannot write the rows: {error}"))?;
            }
            if let Some(comparison) = &mut comparison {
                comparison.add(&case, &answered);
            }
            score.add(&case, answered);
            progress(arguments, &stem, index + 1);
        }
        finish_progress(arguments);
    }
    let standings = arguments.limits.check(&score)?;
    Ok(Run { score, standings, comparison })
}

impl Arguments {
    fn rules(&self) -> world::ExtraRules<'_> {
        world::ExtraRules { allow: &self.allow, ask: &self.ask, deny: &self.deny }
    }

    /// What was run, in one line.
    fn heading(&self) -> String {
        let files: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
        let mut heading = format!("{}, mode {}", files.join(", "), self.mode);
        if self.blind {
            heading.push_str(", blind");
        }
        for (list, rules) in [("allow", &self.allow), ("ask", &self.ask), ("deny", &self.deny)] {
            heading.extend(rules.iter().map(|rule| format!(", {list} {rule}")));
        }
        heading
    }
}

/// How far it is, for people who wait.
fn progress(arguments: &Arguments, stem: &str, done: usize) {
    if !arguments.json && done.is_multiple_of(500) && std::io::stderr().is_terminal() {
        output::status(&format!("{stem}: {done} cases"));
    }
}

fn finish_progress(arguments: &Arguments) {
    if !arguments.json && std::io::stderr().is_terminal() {
        output::status("");
    }
}
