//! Agents' settings: whether the gate is in, unchanged, trusted, and starts this program; and what the agent does when
//! a hook fails.

use std::path::{Path, PathBuf};

use super::super::install::{Place, Standing, State, hook_program, program_in};
use super::{Health, Row};
use crate::agents;

/// What can be seen of an agent without starting it.
pub(super) fn rows(agent: &Standing, was_named: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    rows.push(match &agent.program {
        Some(program) => Row::new(agent.name, "program", Health::Good, program.display().to_string()),
        None => Row::new(agent.name, "program", Health::Note, "not on the PATH of this shell"),
    });
    if agent.is_gated() && agents::named(agent.name).is_none() {
        let found = "this version cannot answer this agent: every call of it is denied";
        let fix = format!("update portcullis, or `portcullis uninstall {}`", agent.name);
        rows.push(Row::new(agent.name, "answers", Health::Bad, found).fix(fix));
    }
    let places = agent.places.iter().filter(|place| place.was_written || !matches!(place.state, State::Out));
    rows.extend(places.flat_map(|place| of_place(agent, place)));
    if !agent.is_gated() && !agent.was_gated() {
        let health = if was_named { Health::Bad } else { Health::Doubtful };
        let row = Row::new(agent.name, "hooks", health, "it does not ask the gate");
        rows.push(row.fix(format!("portcullis install {}", agent.name)));
    }
    if agent.is_gated() {
        rows.push(when_the_hook_fails(agent));
    }
    rows
}

fn of_place(agent: &Standing, place: &Place) -> Vec<Row> {
    let name = format!("hooks, {}", place.scope);
    let install = match place.scope {
        "user" => format!("portcullis install {}", agent.name),
        scope => format!("portcullis install {} --{scope}", agent.name),
    };
    let row = match &place.state {
        State::In => Row::new(agent.name, &name, Health::Good, "as `install` writes them"),
        // Codex passes over hooks that it does not trust without a word.
        State::Changed(files) if files.ends_with("config.toml") && !files.contains(", ") => {
            Row::new(agent.name, &name, Health::Bad, format!("the hooks are not trusted: {files}"))
                .fix(install.as_str())
        }
        State::Changed(files) => {
            Row::new(agent.name, &name, Health::Bad, format!("not as `install` writes them: {files}"))
                .fix(install.as_str())
        }
        State::Out => {
            let found = "they were installed, and are gone";
            let fix = format!("{install}; or, if that was meant, `portcullis uninstall {}`", agent.name);
            Row::new(agent.name, &name, Health::Bad, found).fix(fix)
        }
        State::Unreadable(why) => {
            Row::new(agent.name, &name, Health::Bad, why).fix(format!("mend the file, then {install}"))
        }
    };
    let mut programs: Vec<PathBuf> = Vec::new();
    for command in &place.commands {
        let program = program_in(command, agent.name).unwrap_or_else(|| PathBuf::from(command));
        if !programs.contains(&program) {
            programs.push(program);
        }
    }
    let started = programs.iter().map(|program| started(agent, program, &install));
    std::iter::once(row).chain(started).collect()
}

/// Whether a hook's command starts this program.
fn started(agent: &Standing, program: &Path, install: &str) -> Row {
    let real = |path: &Path| path.canonicalize().ok();
    let own = std::env::current_exe().ok();
    let ours = |path: &Path| {
        own.as_ref().is_some_and(|own| [real(own), real(&hook_program(own))].contains(&real(path)))
    };
    let (health, found) = match real(program) {
        None => (Health::Bad, format!("{} is not there", program.display())),
        Some(_) if ours(program) => (Health::Good, format!("starts {}", program.display())),
        Some(_) => (
            Health::Doubtful,
            format!("starts {}, which is another program than this one", program.display()),
        ),
    };
    Row::new(agent.name, "hook command", health, found).fix(install)
}

/// The gate answers even when it fails; this is about a hook that is gone, killed, cannot be started or hangs. The command
/// that `install` writes denies in all cases but the last, in which most agents kill it and go on.
fn when_the_hook_fails(agent: &Standing) -> Row {
    let name = "if the hook dies";
    let is_installed = agent.places.iter().any(|place| matches!(place.state, State::In));
    if !is_installed {
        return Row::new(agent.name, name, Health::Doubtful, "it may go on as without a gate")
            .fix(format!("portcullis install {}", agent.name));
    }
    let is_strict = agent.places.iter().any(|place| place.is_strict && matches!(place.state, State::In));
    let hangs = "the call is denied; only one that hangs until the agent's own timeout lets it go on";
    match agent.name {
        "claude-code" if is_strict => {
            Row::new(agent.name, name, Health::Good, "it does only what the gate grants (`dontAsk`)")
        }
        "claude-code" => {
            Row::new(agent.name, name, Health::Note, hangs).fix("portcullis install --strict claude-code")
        }
        "codex" => {
            let found = format!("{hangs}, inside its own sandbox");
            Row::new(agent.name, name, Health::Note, found)
        }
        "gemini" | "qwen" => Row::new(agent.name, name, Health::Note, hangs),
        "copilot" => {
            Row::new(agent.name, name, Health::Note, hangs).fix("do not start it with `--allow-all-tools`")
        }
        "opencode" => Row::new(agent.name, name, Health::Good, "our plugin refuses the call"),
        _ => Row::new(agent.name, name, Health::Good, "its settings tell it to deny; not proven by a test"),
    }
}
