//! Whether the gate is in: what `status` and `doctor` say about agents, by the plans that `install` itself makes.

use std::path::PathBuf;

use serde_json::Value;

use super::agents::{ALL, Agent, Content};
use super::ledger::Ledger;
use super::plan::{Plan, is_our_file};
use super::site::{Scope, Site, is_ours};
use super::{Direction, files, hooks_json};

/// What is known about one agent.
pub(crate) struct Standing {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What people call it.
    pub(crate) title: &'static str,
    /// Whether it is installed or has been used here.
    pub(crate) is_here: bool,
    /// The program it is started with, where one is found.
    pub(crate) program: Option<PathBuf>,
    /// The settings that could hold the gate.
    pub(crate) places: Vec<Place>,
}

/// Settings of one scope.
pub(crate) struct Place {
    /// `user`, `project` or `managed`.
    pub(crate) scope: &'static str,
    /// Whether the gate is in them.
    pub(crate) state: State,
    /// Whether the agent does only what the gate grants, as `install --strict` makes it.
    pub(crate) is_strict: bool,
    /// Whether `install` wrote them and `uninstall` did not take that back.
    pub(crate) was_written: bool,
    /// What stands there for the agent to run.
    pub(crate) commands: Vec<String>,
}

/// Whether the gate is in.
pub(crate) enum State {
    /// As `install` would write it.
    In,
    /// Something of ours stands there, and `install` would change it.
    Changed(String),
    /// Nothing of ours stands there.
    Out,
    /// It cannot be told.
    Unreadable(String),
}

impl Standing {
    /// Every agent, in the order in which they are shown.
    pub(crate) fn of_all() -> Result<Vec<Standing>, String> {
        let mut found: Vec<Standing> = Vec::new();
        for (scope, name) in [(Scope::User, "user"), (Scope::Project, "project"), (Scope::Managed, "managed")]
        {
            let mut site = Site::here(scope, false)?;
            // A home folder is no project of its own.
            if scope == Scope::Project && site.places.project == site.places.home {
                continue;
            }
            let ledger = Ledger::read(&site);
            for (at, agent) in ALL.iter().enumerate() {
                if at == found.len() {
                    found.push(Standing {
                        name: agent.name,
                        title: agent.title,
                        is_here: agent.is_here(&site),
                        program: agent.program(),
                        places: Vec::new(),
                    });
                }
                let place = place(agent, &mut site, &ledger, name);
                if let (Some(standing), Some(place)) = (found.get_mut(at), place) {
                    standing.places.push(place);
                }
            }
        }
        Ok(found)
    }

    /// Whether the gate was put in once, and not taken out by us.
    pub(crate) fn was_gated(&self) -> bool {
        self.places.iter().any(|place| place.was_written)
    }

    /// Whether the agent asks the gate, by whichever settings.
    pub(crate) fn is_gated(&self) -> bool {
        self.places.iter().any(|place| matches!(place.state, State::In | State::Changed(_)))
    }
}

impl State {
    /// A word for programs.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            State::In => "in",
            State::Changed(_) => "changed",
            State::Out => "out",
            State::Unreadable(_) => "unreadable",
        }
    }
}

/// What is known about an agent's settings of one scope; nothing where it has none.
fn place(agent: &'static Agent, site: &mut Site, ledger: &Ledger, scope: &'static str) -> Option<Place> {
    let targets = (agent.files)(site).ok()?;
    let (mut ours, mut was_written) = (false, false);
    let mut commands = Vec::new();
    for target in &targets {
        was_written |= ledger.entry(&target.path).is_some();
        let Ok(Some(text)) = files::read(&target.path) else { continue };
        ours |= match &target.content {
            Content::Hooks(hooks) => hooks.is_known(&text),
            Content::Whole(_) => is_our_file(&text),
            Content::CodexTrust => false,
        };
        if let Some(value) = hooks_json::value(&text) {
            gather(&value, agent.name, &mut commands);
        }
    }
    let state = match Plan::make(agent, site, ledger, Direction::In) {
        Err(why) => State::Unreadable(why),
        Ok(_) if !ours => State::Out,
        Ok(plan) if plan.changes.is_empty() => State::In,
        Ok(plan) => {
            let files: Vec<_> = plan.changes.iter().map(|change| change.path.display().to_string()).collect();
            State::Changed(files.join(", "))
        }
    };
    site.strict = true;
    let is_strict = Plan::make(agent, site, ledger, Direction::In).is_ok_and(|plan| plan.changes.is_empty());
    site.strict = false;
    Some(Place { scope, state, is_strict, was_written, commands })
}

/// The commands of ours that stand anywhere in a value.
fn gather(value: &Value, agent: &str, commands: &mut Vec<String>) {
    match value {
        Value::String(text) if is_ours(text, agent) && !commands.contains(text) => {
            commands.push(text.clone());
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, agent, commands)),
        Value::Object(fields) => fields.values().for_each(|value| gather(value, agent, commands)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
