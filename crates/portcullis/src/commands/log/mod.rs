//! `portcullis log`: what was decided, for whom and why; whether the log is whole; and what to keep of it (SPEC A1).

mod diff;
mod keep;
pub(crate) mod view;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use portcullis_gate::settings::Places;
use portcullis_gate::store::{Entry, Filter, Store, StoreError};

use super::stats::now;
use crate::output::{self, visible};
use crate::{log_entry, moment};

/// How many entries people are shown if they do not say.
const SHOWN: u64 = 50;
/// How often `--follow` looks.
const PAUSE: Duration = Duration::from_millis(300);
/// Lines are written together up to this size.
const CHUNK: usize = 32 << 10;

/// What to show, or what else to do with the log.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    filter: Filters,
    /// Only this decision.
    #[arg(long, value_parser = ["allow", "deny", "ask"])]
    decision: Option<String>,
    /// Only entries of this kind: call, human, late, outcome, grant, mode, pause, prune …
    #[arg(long)]
    kind: Option<String>,
    /// At most so many, the latest of them; 0 for all. Without it, 50 as text and all as JSON.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Go on showing what is added.
    #[arg(long, short)]
    follow: bool,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Write the whole log to a file, as JSON lines that can be verified elsewhere; `-` for standard output.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["follow", "json", "limit", "decision", "kind"])]
    export: Option<PathBuf>,
}

/// Which entries, for everything that shows some.
#[derive(clap::Args)]
pub(crate) struct Filters {
    /// Only this tool.
    #[arg(long)]
    tool: Option<String>,
    /// Only this session.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only this agent.
    #[arg(long)]
    agent: Option<String>,
    /// Only what was decided by a rule, check or hook whose name holds this text.
    #[arg(long, value_name = "TEXT")]
    rule: Option<String>,
    /// Not before this time: `2026-11-15`, `2026-11-15T18:30:00Z` (UTC), or how long ago, as `2h`.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Before this time.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Check that no entry was changed, left out, moved or cut off.
    Verify(keep::Verify),
    /// Print the number and hash of the last entry, to be kept where the same user cannot change it.
    Head(keep::Head),
    /// Take away old entries; what stays can still be verified.
    Prune(keep::Prune),
    /// Show what enforcement would have changed for calls that were only watched.
    Diff(diff::Diff),
}

/// Shows the log, or does what was asked for.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let done = match &arguments.action {
        Some(Action::Verify(verify)) => return keep::verify(verify),
        Some(Action::Head(head)) => keep::head(head),
        Some(Action::Prune(prune)) => keep::prune(prune),
        Some(Action::Diff(diff)) => diff::run(diff),
        None if arguments.export.is_some() => keep::export(arguments.export.as_deref()),
        None => show(arguments),
    };
    done.unwrap_or_else(|message| output::fail(&visible(&message)))
}

/// Where the log is.
pub(crate) fn state() -> PathBuf {
    Places::from_environment(Path::new("/")).state
}

/// The log, to look at.
pub(crate) fn opened() -> Result<Store, String> {
    Store::open_read_only(&state()).map_err(|error| error.to_string())
}

impl Filters {
    /// The filter; the error is one of usage.
    pub(crate) fn read(&self) -> Result<Filter, String> {
        let moment = |text: &Option<String>| text.as_ref().map(|text| moment::parse(text, now())).transpose();
        Ok(Filter {
            tool: self.tool.clone(),
            session: self.session.clone(),
            agent: self.agent.clone(),
            rule: self.rule.clone(),
            since_ms: moment(&self.since)?,
            until_ms: moment(&self.until)?,
            ..Filter::default()
        })
    }
}

fn show(arguments: &Arguments) -> Result<ExitCode, String> {
    let limit = match (arguments.limit, arguments.json) {
        (Some(0), _) | (None, true) => None,
        (Some(limit), _) => Some(limit),
        (None, false) => Some(SHOWN),
    };
    let mut filter = Filter {
        decision: arguments.decision.clone(),
        kind: arguments.kind.clone(),
        limit,
        ..arguments.filter.read()?
    };
    let store = match Store::open_read_only(&state()) {
        // Nothing to show is no trouble.
        Err(StoreError::Missing(_)) if !arguments.follow => return Ok(nothing(arguments)),
        store => store.map_err(|error| error.to_string())?,
    };
    let mut last = None;
    loop {
        // Everything up to here has been looked at after this round, whether or not it is shown.
        let newest = newest(&store)?;
        let shown = one_round(&store, &filter, arguments.json, &mut last)?;
        if let ControlFlow::Break(code) = shown {
            return Ok(code);
        }
        if !arguments.follow {
            return Ok(if last.is_none() { nothing(arguments) } else { ExitCode::SUCCESS });
        }
        // Only what is new from now on; it is not to be missed because it is much.
        filter.limit = None;
        filter.after = last.max(newest);
        std::thread::sleep(PAUSE);
    }
}

/// The last entry.
fn newest(store: &Store) -> Result<Option<u64>, String> {
    let mut newest = None;
    let each = |entry: Entry| {
        newest = Some(entry.seq);
        ControlFlow::Break(())
    };
    let filter = Filter { limit: Some(1), ..Filter::default() };
    store.entries(&filter, each).map_err(|error| error.to_string())?;
    Ok(newest)
}

fn nothing(arguments: &Arguments) -> ExitCode {
    if arguments.json { ExitCode::SUCCESS } else { output::print("no entries\n") }
}

/// Shows the entries of a filter; breaks off where nobody reads any more.
fn one_round(
    store: &Store,
    filter: &Filter,
    json: bool,
    last: &mut Option<u64>,
) -> Result<ControlFlow<ExitCode>, String> {
    let mut text = String::new();
    let mut gone = ControlFlow::Continue(());
    let abandoned = store.abandoned().map_err(|error| error.to_string())?;
    let each = |entry: Entry| {
        *last = Some(entry.seq);
        if json {
            text.push_str(&output::json_line(&log_entry::as_json(&entry, &abandoned)));
        } else {
            text.push_str(&view::line(&entry, &abandoned));
        }
        if text.len() < CHUNK {
            return ControlFlow::Continue(());
        }
        gone = output::print_more(&std::mem::take(&mut text));
        if gone.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    store.entries(filter, each).map_err(|error| error.to_string())?;
    if gone.is_continue() && !text.is_empty() {
        gone = output::print_more(&text);
    }
    Ok(gone)
}
