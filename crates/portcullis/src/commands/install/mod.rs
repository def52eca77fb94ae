//! `portcullis install` and `uninstall`: put the gate into agents' own settings, and take it out again (SPEC G3, J7).
//!
//! Every file is read and every change worked out before the first byte is written; what cannot be understood is
//! an error, and then nothing changes. `agents/` says what each agent needs, `plan.rs` what becomes of its files,
//! `write.rs` writes them, `ledger.rs` remembers what was written.

mod agents;
mod codex_trust;
mod files;
mod hooks_json;
mod install_status;
mod json_text;
mod ledger;
mod plan;
mod site;
mod view;
mod write;

use std::process::ExitCode;

pub(crate) use agents::on_path;
use agents::{ALL, Agent};
pub(crate) use install_status::{Place, Standing, State};
use ledger::Ledger;
use plan::Plan;
use site::{Scope, Site};
pub(crate) use site::{hook_program, program_in};

use crate::output::{self, visible};

/// Which agents, and where their settings lie.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
pub(crate) struct Arguments {
    /// claude-code, codex, gemini, qwen, copilot, opencode, cursor or goose; without a name, every agent found here.
    #[arg(value_name = "AGENT", value_parser = agents::named)]
    agents: Vec<&'static Agent>,
    /// In the settings of this project, for everybody who works on it.
    #[arg(long, conflicts_with = "managed")]
    project: bool,
    /// In the administrator's settings, for everybody on this machine.
    #[arg(long)]
    managed: bool,
    /// Show the change and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Do not ask before writing.
    #[arg(long)]
    yes: bool,
}

/// What only `install` takes.
#[derive(clap::Args)]
pub(crate) struct InstallArguments {
    #[command(flatten)]
    common: Arguments,
    /// Let an agent do nothing that the gate did not grant, even when the gate cannot answer, where it has such a mode.
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    In,
    Out,
}

/// Puts the gate in.
pub(crate) fn install(arguments: &InstallArguments) -> ExitCode {
    answer(&arguments.common, arguments.strict, Direction::In)
}

/// Takes the gate out.
pub(crate) fn uninstall(arguments: &Arguments) -> ExitCode {
    // What `--strict` added goes too.
    answer(arguments, true, Direction::Out)
}

fn answer(arguments: &Arguments, strict: bool, direction: Direction) -> ExitCode {
    match change(arguments, strict, direction) {
        Ok(code) => code,
        Err(message) => output::fail(&visible(&message)),
    }
}

fn change(arguments: &Arguments, strict: bool, direction: Direction) -> Result<ExitCode, String> {
    let site = Site::here(scope(arguments), strict)?;
    let chosen = chosen(arguments, &site, direction)?;
    let mut ledger = Ledger::read(&site);
    let mut plans = Vec::new();
    for agent in chosen {
        plans.push(Plan::make(agent, &site, &ledger, direction)?);
    }
    let changes = plans.iter().flat_map(|plan| &plan.changes).count();
    let shown = output::print_call(&view::plans(&plans, &site, direction));
    if changes == 0 || shown != ExitCode::SUCCESS {
        return Ok(shown);
    }
    if arguments.dry_run {
        return Ok(output::print("nothing was written (--dry-run)\n"));
    }
    write::check(&plans)?;
    // Where nobody can be asked, whoever typed the command has been.
    if !arguments.yes && output::agreed("write this?") == Some(false) {
        return Ok(output::print("nothing was written\n"));
    }
    record(&plans, direction)?;
    write::write(&plans, &mut ledger)?;
    Ok(output::print(&view::done(&plans, direction)))
}

/// Leaves an entry in the log before anything is written.
fn record(plans: &[Plan], direction: Direction) -> Result<(), String> {
    let (kind, did) = match direction {
        Direction::In => ("install", "installed the gate for"),
        Direction::Out => ("uninstall", "took the gate out of"),
    };
    let names: Vec<&str> =
        plans.iter().filter(|plan| !plan.changes.is_empty()).map(|plan| plan.agent.name).collect();
    let state = portcullis_gate::settings::Places::from_environment(std::path::Path::new("/")).state;
    let did = format!("{did} {}", names.join(", "));
    crate::person::record(&state, kind, &did, serde_json::json!({ "agents": names }))
}

fn scope(arguments: &Arguments) -> Scope {
    match (arguments.project, arguments.managed) {
        (true, _) => Scope::Project,
        (false, true) => Scope::Managed,
        (false, false) => Scope::User,
    }
}

fn chosen(arguments: &Arguments, site: &Site, direction: Direction) -> Result<Vec<&'static Agent>, String> {
    if !arguments.agents.is_empty() {
        let mut chosen = Vec::new();
        for agent in &arguments.agents {
            if !chosen.iter().any(|known: &&Agent| known.name == agent.name) {
                chosen.push(*agent);
            }
        }
        return Ok(chosen);
    }
    let has_place = |agent: &&Agent| (agent.files)(site).is_ok();
    match direction {
        Direction::Out => Ok(ALL.iter().filter(has_place).collect()),
        Direction::In => {
            let found: Vec<_> = ALL.iter().filter(|agent| agent.is_here(site)).filter(has_place).collect();
            if found.is_empty() {
                return Err(format!("no agent was found here; name one of: {}", agents::names()));
            }
            Ok(found)
        }
    }
}

/// The name of an agent, as the command line gives it.
pub(crate) fn known_name(name: &str) -> Result<&'static str, String> {
    agents::named(name).map(|agent| agent.name)
}
