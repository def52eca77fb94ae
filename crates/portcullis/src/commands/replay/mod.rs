//! `portcullis replay`: recorded sessions run through the gate, call by call, with nothing written down.
//!
//! Lines are read one by one and what is kept is bounded, so that the length of a recording does not matter.

mod conversation;
mod judging;
mod layer;
mod progress;
mod repeats;
mod session_replay;
mod summary;
mod table;
mod times;
mod work;

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use portcullis_classify::transcript::{Format, Recorded};

use super::asked::InForce;
use crate::output;
use judging::{Asking, Policy};
use progress::{Counted, Progress};
use repeats::Repeats;
use session_replay::{Courses, Place, Policies, Row};
use summary::{Recording, Summary};
use table::Shown;

/// The exit code of a comparison that found a difference.
const DIFFERS: u8 = 1;

/// What to replay and how to show it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Recorded sessions; `-` reads one from standard input.
    #[arg(required = true, value_name = "SESSION")]
    sessions: Vec<PathBuf>,
    /// How they are written; told from their content if not given.
    #[arg(long, value_enum)]
    format: Option<Written>,
    #[command(flatten)]
    in_force: InForce,
    /// Judge every call under these settings too and show what differs: they stand in the place of those given with
    /// `--settings`, else of the user's own.
    #[arg(long, value_name = "OTHER-SETTINGS")]
    compare: Option<PathBuf>,
    /// Ask the model that is configured. Without this, nothing is sent to anybody.
    #[arg(long)]
    model: bool,
    /// Show only calls with this ruling.
    #[arg(long, value_enum, value_name = "RULING")]
    only: Option<Only>,
    /// Show the summary alone.
    #[arg(long)]
    quiet: bool,
    /// Print JSON lines: one for each call, and last the summary.
    #[arg(long)]
    json: bool,
}

/// How a recording is written.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Written {
    /// Session files of Claude Code.
    ClaudeCode,
    /// Rollout files of Codex.
    Codex,
    /// Chat files of Gemini CLI.
    Gemini,
    /// Session files of Qwen Code.
    Qwen,
    /// A session as `OpenCode` exports it.
    Opencode,
    /// What `portcullis log --json` or `log --export` wrote.
    Audit,
    /// JSON lines of `{"tool", "input", "cwd"}` and `{"user"}`.
    Plain,
}

/// Which calls are shown.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    Allow,
    Ask,
    Deny,
    Escalate,
}

impl Only {
    const fn name(self) -> &'static str {
        match self {
            Only::Allow => "allow",
            Only::Ask => "ask",
            Only::Deny => "deny",
            Only::Escalate => "escalate",
        }
    }
}

/// Replays the sessions: 0 when all could be read and nothing differs, 1 when a comparison differs, 3 on an error.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let policies = match arguments.policies() {
        Ok(policies) => policies,
        Err(message) => return output::fail(&output::visible(&message)),
    };
    let mut trouble = output::problems(&policies.first.judge.loaded);
    trouble |= policies.other.as_ref().is_some_and(|other| output::problems(&other.judge.loaded));
    let compares = policies.other.is_some();
    let (shown, summary) = (Shown::new(arguments.json, compares), Summary::new(compares));
    let repeats = Repeats::default();
    let mut run = Run { arguments, policies, shown, summary, repeats, understood: false };
    for path in &arguments.sessions {
        match run.session(path) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(code)) => return code,
            Err(message) => {
                trouble = true;
                output::fail(&output::visible(&message));
            }
        }
    }
    if let ControlFlow::Break(code) = run.shown.summary(&run.summary) {
        return code;
    }
    match (trouble, run.summary.changed()) {
        (true, _) => ExitCode::from(output::ERROR),
        (false, 0) => ExitCode::SUCCESS,
        (false, _) => ExitCode::from(DIFFERS),
    }
}

impl Arguments {
    fn policies(&self) -> Result<Policies, String> {
        let asking = if self.model { Asking::Model } else { Asking::Nobody };
        let first = Policy::new(self.in_force.open()?, asking);
        let Some(file) = &self.compare else { return Ok(Policies { first, other: None }) };
        // A file that is not there would silently be no settings at all.
        File::open(file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
        let other = Some(Policy::new(self.in_force.open_with(file)?, asking));
        Ok(Policies { first, other })
    }

    fn format(&self) -> Format {
        match self.format {
            None => Format::Detect,
            Some(Written::ClaudeCode) => Format::ClaudeCode,
            Some(Written::Codex) => Format::Codex,
            Some(Written::Gemini) => Format::Gemini,
            Some(Written::Qwen) => Format::Qwen,
            Some(Written::Opencode) => Format::OpenCode,
            Some(Written::Audit) => Format::AuditLog,
            Some(Written::Plain) => Format::Plain,
        }
    }

    fn shows(&self, row: &Row) -> bool {
        let other = row.other.as_ref().map(|other| other.decision);
        let has = |only: Only| row.ruled.decision == only.name() || other == Some(only.name());
        !self.quiet && (self.compare.is_none() || row.differs()) && self.only.is_none_or(has)
    }
}

/// A replay that goes on.
struct Run<'a> {
    arguments: &'a Arguments,
    policies: Policies,
    shown: Shown,
    summary: Summary,
    repeats: Repeats,
    /// Whether any line of the recording at hand was understood.
    understood: bool,
}

impl Run<'_> {
    /// Replays one recording. The error is said, and the next recording follows.
    fn session(&mut self, path: &Path) -> Result<ControlFlow<ExitCode>, String> {
        let name = path.display().to_string();
        let (source, size) = opened(path).map_err(|error| format!("cannot read `{name}`: {error}"))?;
        let (counted, read) = Counted::new(source);
        let mut progress = Progress::new(&name, size, read);
        let source = BufReader::with_capacity(1 << 16, counted);
        let mut recorded = Recorded::new(source, self.arguments.format(), &self.policies.first.judge.cwd());
        if self.arguments.sessions.len() > 1 {
            self.shown.begin(&name);
        }
        let before = self.summary.calls;
        let went = self.passages(&name, &mut recorded, &mut progress);
        progress.clear();
        let skipped = u64::try_from(recorded.skipped()).unwrap_or(u64::MAX);
        let (format, calls) = (recorded.format(), self.summary.calls - before);
        self.summary.file(Recording { name: name.clone(), format, calls, skipped });
        let went = went.map_err(|error| format!("cannot read `{name}` to its end: {error}"))?;
        if !self.understood && skipped > 0 {
            return Err(format!("`{name}` is no session in a known form: none of its lines is understood"));
        }
        Ok(went)
    }

    fn passages<R: BufRead>(
        &mut self,
        name: &str,
        recorded: &mut Recorded<R>,
        progress: &mut Progress,
    ) -> Result<ControlFlow<ExitCode>, String> {
        let Run { arguments, policies, shown, summary, repeats, understood } = self;
        *understood = false;
        let mut courses = Courses::new(policies);
        let went = loop {
            let passage = match recorded.next_passage() {
                Ok(Some(passage)) => passage,
                Ok(None) => break Ok(ControlFlow::Continue(())),
                Err(error) => break Err(error.to_string()),
            };
            *understood = true;
            let time_ms = passage.moment.as_ref().and_then(progress::millis);
            let place = Place { time_ms, cwd: passage.cwd.as_deref() };
            let mut went = ControlFlow::Continue(());
            if passage.entries.is_empty() {
                courses.hear(place, &mut summary.work);
            }
            for entry in passage.entries {
                let Some(row) = courses.take(entry, place, recorded, &mut summary.work) else { continue };
                if recorded.format() == Some(Format::ClaudeCode) && repeats.is_one(&row) {
                    summary.repeated += 1;
                    continue;
                }
                summary.add(&row);
                if went.is_continue() && arguments.shows(&row) {
                    progress.clear();
                    went = shown.row(summary.calls, name, &row);
                }
            }
            if went.is_break() {
                break Ok(went);
            }
            progress.show(summary.calls);
        };
        summary.sessions += courses.begun;
        repeats.next_recording();
        went
    }
}

/// A recording to read from, and how large it is.
fn opened(path: &Path) -> std::io::Result<(Box<dyn Read>, Option<u64>)> {
    if path == Path::new("-") {
        return Ok((Box::new(std::io::stdin().lock()), None));
    }
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(std::io::Error::other("it is a folder; name the files in it"));
    }
    Ok((Box::new(file), about.is_file().then_some(about.len())))
}
