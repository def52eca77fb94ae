//! Names that rules have patterns for: servers of MCP tools, sub-agents, skills.

use crate::glob::{self, Match};
use crate::rules::List;

/// The servers that an MCP name can mean. `mcp__git__hub__delete` can be of `git` or of `git__hub`: whoever
/// denies one means both, whoever allows one cannot be sure.
pub(crate) fn servers(name: &str, list: List) -> Vec<String> {
    let rest = name.strip_prefix("mcp__").unwrap_or_default();
    let splits: Vec<usize> = rest.match_indices("__").map(|(at, _)| at).collect();
    if list == List::Allow && splits.len() != 1 {
        return Vec::new();
    }
    splits.into_iter().filter_map(|at| rest.get(..at)).map(|server| format!("mcp__{server}")).collect()
}

/// Whether a name fits a pattern; a trailing ` *` also means the name alone.
pub(crate) fn is_like(pattern: &str, name: &str) -> Match {
    let signs: Vec<glob::Sign> = glob::signs(name, false).collect();
    let whole: Vec<glob::Sign> = glob::signs(pattern, true).collect();
    let alone = pattern.strip_suffix(" *").is_some_and(|start| start == name);
    Match::from_known(alone || glob::matches(&whole, &signs) == Match::Yes)
}
