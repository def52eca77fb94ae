//! Names of MCP tools: each agent writes server and tool in one name, and not every one says where the border is.
//!
//! Where it can be in several places, every reading is given: a rule against any of them holds, and an allow needs all.

use portcullis_decide::Tool;

use super::own_names::Agent;

/// More places than this for the border are not tried; such a name stays an unknown tool.
const MOST_READINGS: usize = 16;

/// Own tools of `OpenCode` whose names look like those of a server.
const OPENCODE: &[&str] = &["apply_patch", "plan_enter", "plan_exit"];

/// The names that a tool which is in no table can have with us.
pub(super) fn names(agent: Agent, name: &str) -> Vec<String> {
    let known = !matches!(Tool::named(name), Tool::Unknown(_));
    let readings = match agent {
        _ if known => Vec::new(),
        Agent::OpenCode if OPENCODE.contains(&name) => Vec::new(),
        Agent::OpenCode => split(name, "_"),
        Agent::Copilot => split(name, "-"),
        Agent::Goose => split(name, "__"),
        Agent::Gemini => name.strip_prefix("mcp_").map_or_else(Vec::new, |rest| split(rest, "_")),
        Agent::ClaudeCode | Agent::Codex | Agent::Cursor => Vec::new(),
    };
    if readings.is_empty() || readings.len() > MOST_READINGS { vec![name.to_owned()] } else { readings }
}

fn split(name: &str, border: &str) -> Vec<String> {
    let places = name.match_indices(border);
    let parts = places.filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + border.len()..)?)));
    parts
        .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
        .map(|(server, tool)| format!("mcp__{server}__{tool}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [T6], [G1]
    #[test]
    fn a_name_with_one_border_has_one_reading() {
        assert_eq!(names(Agent::Copilot, "notes-write_note"), ["mcp__notes__write_note"]);
        assert_eq!(names(Agent::Goose, "notes__write_note"), ["mcp__notes__write_note"]);
        assert_eq!(names(Agent::OpenCode, "notes_write"), ["mcp__notes__write"]);
        assert_eq!(names(Agent::Gemini, "mcp_notes_write"), ["mcp__notes__write"]);
        assert_eq!(names(Agent::Codex, "mcp__notes__write"), ["mcp__notes__write"]);
    }

    /// [T6]
    #[test]
    fn an_unclear_border_gives_every_reading() {
        assert_eq!(
            names(Agent::OpenCode, "notes_write_note"),
            ["mcp__notes__write_note", "mcp__notes_write__note"]
        );
        assert_eq!(names(Agent::Copilot, "-x"), ["-x"]);
        assert_eq!(names(Agent::OpenCode, "plan_exit"), ["plan_exit"]);
        assert_eq!(names(Agent::Copilot, "Grep"), ["Grep"]);
        let long = "a_".repeat(40);
        assert_eq!(names(Agent::OpenCode, &long), [long]);
    }
}
