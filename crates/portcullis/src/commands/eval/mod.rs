//! `portcullis eval`: labelled cases run through the gate, and how often it was right (SPEC J4).
//!
//! Hermetic: nothing of the caller's home, settings or network matters; each case brings its world.

mod case;
mod classifier;
mod files;
mod hook;
mod report;
mod score;
mod sequence;
mod world;

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use portcullis_decide::Mode;

use crate::output;
use case::Case;
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
    /// List the cases that were answered wrongly.
    #[arg(long)]
    list: bool,
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

/// Runs the cases; exits 0 when all could be read, 3 otherwise. Figures are not an exit code here.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match evaluate(arguments) {
        Ok(score) => {
            let text = if arguments.json {
                format!("{}\n", report::as_json(&score))
            } else {
                report::as_text(&score, arguments.list)
            };
            output::print(&text)
        }
        Err(message) => output::fail(&message),
    }
}

fn evaluate(arguments: &Arguments) -> Result<Score, String> {
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
                let row = report::row(&case, &answered);
                writeln!(file, "{row}").map_err(|error| format!("cannot write the rows: {error}"))?;
            }
            score.add(&case, answered);
            progress(arguments, &stem, index + 1);
        }
        finish_progress(arguments);
    }
    Ok(score)
}

impl Arguments {
    fn rules(&self) -> world::ExtraRules<'_> {
        world::ExtraRules { allow: &self.allow, ask: &self.ask, deny: &self.deny }
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
