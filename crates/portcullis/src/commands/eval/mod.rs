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
mod names;
mod outcome;
mod outputs;
mod report;
mod score;
mod sequence;
mod shapes;
mod table;
mod world;
mod worst;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use portcullis_decide::Mode;

use crate::output;
use against::{Comparison, Earlier};
use case::Case;
use limits::{Limits, Standing};
use outputs::Output;
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
    let text = if arguments.json {
        output::json_line(&json::as_json(&run))
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
    let names = names::of(&arguments.files)?;
    arguments.rules().check()?;
    arguments.outputs_apart()?;
    // Before anything is written: the new rows may go to the same file.
    let comparison = match &arguments.against {
        Some(path) => Some(Comparison::with(Earlier::read(path)?)),
        None => None,
    };
    // Before the cases are run: who waited for them should not learn only then that there is no place for them.
    let begin = |path: &Option<PathBuf>| path.as_deref().map(Output::begin).transpose();
    let (rows, page) = (begin(&arguments.rows)?, begin(&arguments.html)?);
    let mut going = Going { arguments, rows, comparison, score: Score::default() };
    for (path, name) in arguments.files.iter().zip(&names) {
        going.file(path, name)?;
    }
    let Going { rows, comparison, score, .. } = going;
    if let Some(comparison) = comparison.as_ref().filter(|it| it.compared == 0 && score.total().cases > 0) {
        return Err(comparison.nothing_in_common());
    }
    // Before anything is put in its place: a run that fails leaves all files as they were.
    let standings = arguments.limits.check(&score, comparison.as_ref())?;
    rows.map_or(Ok(()), Output::finish)?;
    let run = Run { score, standings, comparison };
    if let Some(mut page) = page {
        page.write(&html::page(&run, &arguments.heading()))?;
        page.finish()?;
    }
    Ok(run)
}

/// A run that goes on.
struct Going<'a> {
    arguments: &'a Arguments,
    rows: Option<Output>,
    comparison: Option<Comparison>,
    score: Score,
}

impl Going<'_> {
    /// Runs the cases of one file.
    fn file(&mut self, path: &Path, name: &str) -> Result<(), String> {
        let shown = path.display();
        let file = File::open(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        let mut waiting = Waiting { silent: self.arguments.json, drawn: false };
        for (index, line) in BufReader::new(file).split(b'\n').enumerate() {
            let line = line.map_err(|error| format!("cannot read `{shown}`: {error}"))?;
            let at = |problem: &str| format!("{shown}:{}: {problem}", index + 1);
            let line = String::from_utf8(line).map_err(|_| at("it is not UTF-8 text"))?;
            // Some editors begin a file with a mark.
            let line = line.strip_prefix('\u{feff}').filter(|_| index == 0).unwrap_or(&line);
            if line.trim().is_empty() {
                continue;
            }
            let mut case = Case::parse(line, name, self.arguments.blind).map_err(|problem| at(&problem))?;
            case.problem = case.problem.map(|problem| at(&format!("{problem}, and was left out")));
            self.case(&case)?;
            waiting.show(name, index + 1);
        }
        Ok(())
    }

    fn case(&mut self, case: &Case) -> Result<(), String> {
        let answered = world::answer(case, self.arguments.mode, &self.arguments.rules());
        if let Some(rows) = &mut self.rows {
            rows.write(&format!("{}\n", json::row(case, &answered)))?;
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.add(case, &answered);
        }
        self.score.add(case, answered);
        Ok(())
    }
}

impl Arguments {
    /// Says no where an output would take the place of something that is read.
    fn outputs_apart(&self) -> Result<(), String> {
        let cases: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        let outputs: Vec<&Path> = self.rows.iter().chain(&self.html).map(PathBuf::as_path).collect();
        outputs::apart(&outputs, &cases)?;
        match (&self.html, &self.against) {
            (Some(page), Some(earlier)) => outputs::apart(&[page], &[earlier]),
            (Some(_) | None, None) | (None, Some(_)) => Ok(()),
        }
    }

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
struct Waiting {
    silent: bool,
    drawn: bool,
}

impl Waiting {
    fn show(&mut self, name: &str, done: usize) {
        if !self.silent && done.is_multiple_of(500) {
            output::status(&format!("{name}: {done} cases"));
            self.drawn = true;
        }
    }
}

impl Drop for Waiting {
    /// However it ends, what follows stands on a clean line.
    fn drop(&mut self) {
        if self.drawn {
            output::status("");
        }
    }
}
