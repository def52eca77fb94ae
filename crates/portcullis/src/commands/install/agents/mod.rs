//! The agents that the gate can be put into: one file each says where its settings lie, what is added, and what its
//! user has to know.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod goose;
mod opencode;
mod qwen;

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::hooks_json::HookEntries;
use super::site::Site;

/// Every agent, in the order in which they are shown.
pub(super) static ALL: [Agent; 8] = [
    claude_code::AGENT,
    codex::AGENT,
    gemini::AGENT,
    qwen::AGENT,
    copilot::AGENT,
    opencode::AGENT,
    cursor::AGENT,
    goose::AGENT,
];

/// How long a host waits for an answer about a call, in seconds (SPEC A3).
const SECONDS_FOR_A_CALL: u32 = 600;
/// How long it waits where we only take note.
const SECONDS_FOR_A_NOTE: u32 = 60;

/// One agent.
pub(super) struct Agent {
    /// What it is called on the command line, and after `portcullis hook`.
    pub(super) name: &'static str,
    /// What people call it.
    pub(super) title: &'static str,
    /// The programs it is started with.
    programs: &'static [&'static str],
    /// The folder that shows that it is used here.
    folder: fn(&Site) -> PathBuf,
    /// The files that make it ask the gate; an error where it has none in this scope.
    pub(super) files: fn(&Site) -> Result<Vec<Target>, String>,
    /// What its user has to know or do.
    pub(super) notes: fn(&Site) -> Vec<String>,
}

/// A file, and what shall stand in it.
pub(super) struct Target {
    /// Which file.
    pub(super) path: PathBuf,
    /// What shall stand in it.
    pub(super) content: Content,
}

/// What shall stand in a file.
pub(super) enum Content {
    /// Entries among others.
    Hooks(HookEntries),
    /// Codex' trust in the hooks of the file before this one in the list.
    CodexTrust,
    /// Nothing but ours; the text names us, so that somebody else's file is never taken for it.
    Whole(String),
}

impl Agent {
    /// Whether it is installed or has been used here.
    pub(super) fn is_here(&self, site: &Site) -> bool {
        (self.folder)(site).is_dir() || self.program().is_some()
    }

    /// The program it is started with, as a shell would find it.
    pub(super) fn program(&self) -> Option<PathBuf> {
        self.programs.iter().find_map(|program| on_path(program))
    }
}

/// The program of this name that a shell would start.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let runs = |file: &PathBuf| {
        file.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(runs)
}

/// The agent of that name.
pub(super) fn named(name: &str) -> Result<&'static Agent, String> {
    ALL.iter().find(|agent| agent.name == name).ok_or_else(|| format!("the agents are: {}", names()))
}

/// All names.
pub(super) fn names() -> String {
    ALL.iter().map(|agent| agent.name).collect::<Vec<_>>().join(", ")
}

/// Entries in the form that Claude Code brought up and others took over: groups with a matcher.
fn grouped(
    site: &Site,
    agent: &str,
    asked: &[&'static str],
    told: &[&'static str],
    milliseconds: bool,
) -> Vec<(&'static str, Value)> {
    let (for_calls, for_notes) = (site.call_command(agent), site.note_command(agent));
    let group = |event: &&'static str, command: &str, seconds: u32, matcher: Option<&str>| {
        let timeout = if milliseconds { seconds * 1000 } else { seconds };
        let hook = json!({"type": "command", "command": command, "timeout": timeout});
        let group = match matcher {
            Some(matcher) => json!({"matcher": matcher, "hooks": [hook]}),
            None => json!({"hooks": [hook]}),
        };
        (*event, group)
    };
    let asked = asked.iter().map(|event| group(event, &for_calls, SECONDS_FOR_A_CALL, Some(".*")));
    let told = told.iter().map(|event| group(event, &for_notes, SECONDS_FOR_A_NOTE, None));
    asked.chain(told).collect()
}
