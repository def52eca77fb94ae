//! `portcullis status`: on one screen, what is in force and what has happened today.
//!
//! It only looks: no daemon is started, nothing is written, and whatever cannot be read is said, not waited for.

mod view;

use std::process::ExitCode;
use std::time::Duration;

use portcullis_decide::Mode;
use portcullis_decide::rules::{List, Source};
use portcullis_gate::admin::{Lock, Pause, locked, paused};
use portcullis_gate::calendar_ms;
use portcullis_gate::settings::{Loaded, Places};
use portcullis_gate::store::{DecisionCounts, Store, StoreError, Verified};
use portcullis_gate::verdicts::Day;
use serde_json::Value;

use super::install::Standing;
use super::{mode, project::Project};
use crate::output::{self, visible};
use portcullis_client as client;

/// How long a daemon may take to say how it is: whoever looks at a status line waits for it.
const PATIENCE: Duration = Duration::from_millis(500);
const DAY: u64 = 86_400_000;
/// How many entries at the end of the log are checked.
const END_OF_LOG: u64 = 16;

/// How much to show.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The mode of this session.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    #[command(flatten)]
    project: Project,
    /// One line, for status lines and prompts.
    #[arg(long, conflicts_with = "json")]
    short: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Shows what is in force.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match Status::now(arguments) {
        Ok(status) if arguments.json => output::print_json(&view::as_json(&status)),
        Ok(status) if arguments.short => output::print(&view::line(&status)),
        Ok(status) => output::print(&view::screen(&status)),
        Err(message) => output::fail(&visible(&message)),
    }
}

/// What is in force, and what has happened.
struct Status {
    loaded: Loaded,
    mode: Mode,
    /// Rules that count, by source.
    rules: Vec<(Source, Counts)>,
    agents: Vec<Standing>,
    day: Day,
    /// Calls of today; nothing where there never were any.
    today: Result<Option<DecisionCounts>, String>,
    /// What is wrong with the end of the log.
    log_damage: Option<String>,
    /// Sessions of today of which nothing is known of what their user said.
    unread: Vec<Unread>,
    daemon: Daemon,
    pause: Option<Pause>,
    lock: Option<Lock>,
    now_ms: u64,
}

/// How many rules of each list.
#[derive(Default)]
struct Counts {
    deny: usize,
    ask: usize,
    allow: usize,
}

/// What is known of the daemon.
enum Daemon {
    Down,
    Up(Value),
    Broken(String),
}

impl Status {
    fn now(arguments: &Arguments) -> Result<Status, String> {
        let places = arguments.project.places()?;
        let loaded = mode::loaded(&places, arguments.session.as_deref())?;
        let now_ms = calendar_ms();
        // Agents take a look at many files, and one line does not show them.
        let agents = if arguments.short { Vec::new() } else { Standing::of_all()? };
        Ok(Status {
            mode: loaded.settings.mode.as_ref().map_or(Mode::Default, |mode| mode.value),
            rules: rules(&loaded),
            agents,
            day: Day::of_millis(now_ms),
            today: today(&places, now_ms),
            log_damage: log_damage(&places),
            unread: if arguments.short { Vec::new() } else { unread(&places, now_ms) },
            daemon: daemon(&places),
            pause: paused(&places.state, now_ms),
            lock: locked(&places.state),
            now_ms,
            loaded,
        })
    }

    /// How many calls wait for somebody.
    fn waiting(&self) -> u64 {
        match &self.daemon {
            Daemon::Up(said) => said.get("waiting").and_then(Value::as_u64).unwrap_or_default(),
            // Only the daemon lets calls wait for others.
            Daemon::Down | Daemon::Broken(_) => 0,
        }
    }

    /// Whether what is decided is also enforced.
    fn is_enforced(&self) -> bool {
        self.loaded.settings.enforce.as_ref().is_none_or(|enforce| enforce.value)
    }
}

fn rules(loaded: &Loaded) -> Vec<(Source, Counts)> {
    let mut counted: Vec<(Source, Counts)> = Vec::new();
    for rule in loaded.settings.rules() {
        let source = rule.origin.source;
        let at = counted.iter().position(|(known, _)| *known == source);
        let at = at.unwrap_or_else(|| {
            counted.push((source, Counts::default()));
            counted.len() - 1
        });
        let Some((_, counts)) = counted.get_mut(at) else { continue };
        match rule.list {
            List::Deny => counts.deny += 1,
            List::Ask => counts.ask += 1,
            List::Allow => counts.allow += 1,
        }
    }
    counted.sort_by_key(|(source, _)| *source);
    counted
}

fn today(places: &Places, now_ms: u64) -> Result<Option<DecisionCounts>, String> {
    match Store::open_read_only(&places.state).and_then(|store| store.decided_since(now_ms / DAY * DAY)) {
        Ok(decided) => Ok(Some(decided)),
        Err(StoreError::Missing(_)) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// A session of which nothing is known of what its user said.
struct Unread {
    agent: String,
    session: String,
    why: String,
}

fn unread(places: &Places, now_ms: u64) -> Vec<Unread> {
    let found = Store::open_read_only(&places.state).and_then(|store| store.unread_since(now_ms / DAY * DAY));
    // What cannot be read is said beside the calls of today.
    let rows = found.unwrap_or_default().into_iter();
    rows.filter_map(|row| Some(Unread { agent: row.agent, session: row.id, why: row.unread? })).collect()
}

/// What is wrong with the end of the log and its head; `log verify` looks at all of it.
fn log_damage(places: &Places) -> Option<String> {
    match Store::open_read_only(&places.state).and_then(|store| store.verify_end(END_OF_LOG)) {
        Ok(Verified::Damaged(bad)) => Some(format!("entry {}: {}", bad.seq, bad.what)),
        // What cannot be read is said beside the calls of today.
        Ok(Verified::Whole { .. }) | Err(_) => None,
    }
}

fn daemon(places: &Places) -> Daemon {
    match client::health(&places.state, PATIENCE) {
        None => Daemon::Down,
        Some(Ok(said)) => Daemon::Up(said),
        Some(Err(why)) => Daemon::Broken(why),
    }
}
