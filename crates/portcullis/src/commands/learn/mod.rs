//! `portcullis learn`: rules that people's answers speak for, from the audit log (SPEC A1, H6).
//!
//! Proposes, and writes nothing unless a person at a terminal says so. What the log leaves open speaks against a rule
//! that allows, never for it.

mod forms;
mod history;
mod idle;
mod past;
mod propose;
mod reach;
mod trial;
mod view;
mod write;

use std::process::ExitCode;

use portcullis_decide::rules::Source;
use portcullis_gate::store::{Filter, Store, Verified};

use super::log::state;
use super::project::Project;
use super::stats::now;
use crate::moment;
use crate::output::{self, visible};
use history::History;
use idle::Idle;
use past::Past;
use propose::Proposals;

/// What counts, and what to do with it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How often people must have said yes for an allow rule.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..))]
    times: u64,
    /// In how many sessions.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    sessions: u64,
    /// How often people must have said no for a deny rule.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(2..))]
    refusals: u64,
    /// How many questions without a known answer an allow rule may pass over. An agent's own dialog tells the gate of a
    /// call that was made, and nothing of one that was not.
    #[arg(long, value_name = "N", default_value_t = 0)]
    unanswered: u64,
    /// Look only at entries from this time on: `2026-11-15`, `2026-11-15T18:30:00Z` (UTC), or how long ago, as `30d`.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    #[command(flatten)]
    project: Project,
    /// Print one JSON object.
    #[arg(long, conflicts_with_all = ["write", "yes"])]
    json: bool,
    /// Go through the proposals and ask about each; only for a person at a terminal.
    #[arg(long, conflicts_with = "yes")]
    write: bool,
    /// Write this proposal without asking; only for a person at a terminal.
    #[arg(long, value_name = "ID")]
    yes: Option<String>,
    /// Where rules are written to.
    #[arg(long, value_enum, default_value_t = To::User, value_name = "SOURCE")]
    to: To,
}

/// The settings that rules are written to.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum To {
    /// Your own, for every project.
    User,
    /// Your own for this project.
    Local,
    /// The project's, for everybody who works on it.
    Project,
}

impl To {
    const fn source(self) -> Source {
        match self {
            To::User => Source::User,
            To::Local => Source::Local,
            To::Project => Source::Project,
        }
    }
}

/// What was learnt.
struct Lesson {
    history: History,
    proposals: Proposals,
    idle: Vec<Idle>,
}

/// Shows what was learnt, or writes rules; exits 0, 1 if the person said no to all, 3 on trouble.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    learn(arguments).unwrap_or_else(|message| output::fail(&visible(&message)))
}

fn learn(arguments: &Arguments) -> Result<ExitCode, String> {
    // Whoever may not write is told so before anything is worked out.
    let person = match (arguments.write, &arguments.yes) {
        (false, None) => None,
        (true, _) | (_, Some(_)) => Some(crate::person::present()?),
    };
    let store = Store::open_read_only(&state()).map_err(|error| error.to_string())?;
    if person.is_some() {
        whole(&store)?;
    }
    let lesson = lesson(&store, arguments)?;
    match person {
        None if arguments.json => Ok(output::print_call_json(&view::as_json(&lesson))),
        None => Ok(output::print_call(&view::as_text(&lesson))),
        Some(person) => {
            let desk = write::Desk {
                places: arguments.project.places()?,
                source: arguments.to.source(),
                person,
                history: &lesson.history,
            };
            match &arguments.yes {
                Some(id) => desk.write_one(&lesson.proposals.rules, id),
                None => desk.ask_about(&lesson.proposals.rules),
            }
        }
    }
}

/// FAIL-CLOSED(learn-log): answers in a log that somebody changed may be nobody's, so they write no rule.
fn whole(store: &Store) -> Result<(), String> {
    match store.verify().map_err(|error| error.to_string())? {
        Verified::Whole { .. } => Ok(()),
        Verified::Damaged(bad) => Err(format!(
            "the log is not whole (entry {}: {}), so nothing is written from it; see `portcullis log verify`",
            bad.seq, bad.what
        )),
    }
}

fn lesson(store: &Store, arguments: &Arguments) -> Result<Lesson, String> {
    let loaded = arguments.project.load()?;
    // Rules from a kept copy of a broken file stand where nobody finds them; that is said first.
    output::problems(&loaded);
    let mut idle = idle::Watch::over(&loaded);
    // Nothing else is filtered: a no in another session, or of another agent, must be seen.
    let since_ms = arguments.since.as_ref().map(|text| moment::parse(text, now())).transpose()?;
    let filter = Filter { since_ms, ..Filter::default() };
    let history = History::read(store, &filter, &mut idle)?;
    let past = Past::of(&history)?;
    let bar = propose::Bar {
        times: arguments.times,
        sessions: arguments.sessions,
        refusals: arguments.refusals,
        unanswered: arguments.unanswered,
    };
    let proposals = propose::all(&past, &bar);
    Ok(Lesson { history, proposals, idle: idle.idle() })
}
