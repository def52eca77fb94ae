//! `portcullis doctor`: whether the gate really works here, row by row, and what to do where it does not (SPEC G4, A3).
//!
//! `checks.rs` looks at this machine, `agents.rs` at the agents' settings, `live.rs` starts real clients against
//! `model.rs`. Nothing of the user's is changed: what has to be tried out is tried out in a folder that goes away.

mod agents;
mod checks;
mod clients;
mod live;
mod model;
mod sandbox;
mod view;
mod wire;

use std::io::IsTerminal;
use std::process::ExitCode;

use super::install::{self, Standing};
use super::project::Project;
use crate::output::{self, visible};

/// Something is red.
const BAD: u8 = 1;

/// What to look at.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
pub(crate) struct Arguments {
    /// Only these agents; without a name, every agent found here.
    #[arg(value_name = "AGENT", value_parser = install::known_name)]
    agents: Vec<&'static str>,
    /// Start the installed agents against a model of our own, and see that a deny blocks. Done without being asked for
    /// where a person sits at the terminal.
    #[arg(long, conflicts_with = "no_live")]
    live: bool,
    /// Do not start agents.
    #[arg(long)]
    no_live: bool,
    /// Check the whole log, not only its end.
    #[arg(long)]
    deep: bool,
    #[command(flatten)]
    project: Project,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// One thing that was looked at.
struct Row {
    /// What it belongs to: `gate`, or an agent's name.
    about: &'static str,
    /// What was looked at.
    name: String,
    health: Health,
    /// What was found.
    found: String,
    /// What to do.
    fix: Option<String>,
}

/// How something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Health {
    /// As it should be.
    Good,
    /// Only good to know.
    Note,
    /// It works, and could be better; or it could not be told.
    Doubtful,
    /// It does not work.
    Bad,
}

impl Health {
    const fn name(self) -> &'static str {
        match self {
            Health::Good => "ok",
            Health::Note => "note",
            Health::Doubtful => "warning",
            Health::Bad => "bad",
        }
    }
}

impl Row {
    fn new(about: &'static str, name: &str, health: Health, found: impl Into<String>) -> Row {
        Row { about, name: name.to_owned(), health, found: found.into(), fix: None }
    }

    fn fix(mut self, fix: impl Into<String>) -> Row {
        self.fix = Some(fix.into());
        self
    }
}

/// Looks at everything; exits 1 where something is red.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let rows = match examined(arguments) {
        Ok(rows) => rows,
        Err(message) => return output::fail(&visible(&message)),
    };
    let written = if arguments.json {
        output::print_call_json(&view::as_json(&rows))
    } else {
        output::print_call(&view::as_text(&rows))
    };
    let is_bad = rows.iter().any(|row| row.health == Health::Bad);
    if written == ExitCode::SUCCESS && is_bad { ExitCode::from(BAD) } else { written }
}

fn examined(arguments: &Arguments) -> Result<Vec<Row>, String> {
    let places = arguments.project.places()?;
    let loaded = arguments.project.load()?;
    let is_named = |agent: &Standing| arguments.agents.contains(&agent.name);
    let mut chosen = Standing::of_all()?;
    chosen.retain(|agent| {
        if arguments.agents.is_empty() {
            agent.is_here || agent.is_gated() || agent.was_gated()
        } else {
            is_named(agent)
        }
    });
    let mut rows = checks::all(&places, &loaded, arguments.deep);
    if chosen.is_empty() {
        let row = Row::new("gate", "agents", Health::Doubtful, "no agent was found here");
        rows.push(row.fix("install one, then `portcullis install`"));
    }
    let a_person_looks = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    for agent in &chosen {
        rows.extend(agents::rows(agent, is_named(agent)));
        if !arguments.no_live && (arguments.live || a_person_looks) {
            rows.extend(live::rows(agent));
        }
    }
    Ok(rows)
}
