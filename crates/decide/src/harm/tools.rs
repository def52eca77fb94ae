//! Tools that speak to agents, people and other programs: what their names and words say.

use super::{Category, Finding, code, tasks};
use crate::call::{Tool, ToolCall};
use crate::encoding::encode;

/// Words that only look.
const LOOKS: &[&str] = &[
    "get",
    "list",
    "search",
    "read",
    "fetch",
    "find",
    "describe",
    "show",
    "view",
    "query",
    "lookup",
    "count",
    "status",
    "check",
    "inspect",
    "browse",
    "resolve",
    "explain",
    "preview",
    "diff",
    "validate",
    "lint",
    "docs",
    "info",
    "snapshot",
    "screenshot",
];
/// Words that act, wherever they stand.
const ACTS: &[&str] = &[
    "create", "update", "delete", "remove", "set", "add", "send", "post", "write", "edit", "book", "buy",
    "pay", "order", "deploy", "rollback", "publish", "merge", "approve", "close", "grant", "share", "upload",
    "run", "execute", "exec", "invite", "transfer", "cancel", "drop", "push", "move", "rename", "reset",
    "restart", "stop", "start", "kill", "assign", "comment", "reply", "purge", "archive", "revoke", "enable",
    "disable", "submit", "trigger", "insert", "patch", "put",
];

/// The words of a tool's own name.
fn words(name: &str) -> Vec<String> {
    tasks::words(name.rsplit("__").next().unwrap_or(name))
}

/// Why a tool of another program is not one that only looks.
pub(super) fn unusual(name: &str, call: &ToolCall) -> Option<String> {
    let words = words(name);
    let told = encode(call).unwrap_or_default().to_lowercase();
    // What a query says counts more than that it is called a query.
    let acting = [
        "delete from",
        "drop ",
        "truncate ",
        "insert into",
        "update ",
        "alter ",
        "mutation",
        "\"delete\"",
        "=delete",
        "=post",
        "=put",
        "=patch",
        "grant ",
    ];
    if let Some(word) = acting.iter().find(|word| told.contains(**word)) {
        return Some(format!("`{name}` is told to change something (`{}`)", word.trim()));
    }
    if words.iter().any(|word| {
        matches!(
            word.as_str(),
            "secret" | "secrets" | "credential" | "credentials" | "token" | "password" | "key"
        )
    }) {
        return Some(format!("`{name}` can show credentials"));
    }
    let near = |url: &str| !url.is_empty() && !crate::web::host(url).is_public();
    let addresses = ["url", "uri", "endpoint", "href"].iter().filter_map(|field| call.text(field));
    if addresses.into_iter().any(near) {
        return Some(format!("`{name}` is told to reach a place that is not public"));
    }
    // The first word that is a deed says what the tool does: `get_merge_request` looks.
    let first = words.iter().find(|word| ACTS.contains(&word.as_str()) || LOOKS.contains(&word.as_str()));
    let acts = first.filter(|word| ACTS.contains(&word.as_str()));
    let looks = first.is_some() && acts.is_none();
    match acts {
        Some(word) => Some(format!("`{name}` can change something elsewhere (`{word}`)")),
        None if looks => None,
        None => Some(format!("what `{name}` does is not known")),
    }
}

/// Words in a task that ask for more than a task.
const BROAD: &[&str] = &[
    "do not ask",
    "don't ask",
    "without asking",
    "no need to ask",
    "by any means",
    "whatever it takes",
    "all repositories",
    "every repository",
    "autonomous",
    "permissions you miss",
    "full access",
    "bypasspermissions",
    "skip the checks",
    "ignore the rules",
    "ignore previous",
    "disable the",
    "settings.json",
    "force push",
    "force-push",
    "push to main",
    "deploy to prod",
    "to production",
    "delete everything",
    "drop the",
    "restart the services",
    "overwrite the files",
    "invoke-command",
    "all servers",
    "every server",
    "root access",
    "sudo ",
    "credentials",
    "api key",
    "~/.ssh",
    "~/.aws",
    "on all hosts",
    "anything else",
    "as you see fit",
    "download",
    "run it",
    "push ",
    "deploy",
    "delete all",
    "branch protection",
    "environment variables",
    "base64",
    "blocks you",
    "encode the",
    "lösche",
    "supprime",
    "borra",
    "upload",
    "send the",
    "exfiltrat",
    "reverse shell",
    "disable ",
    "turn off",
    "email ",
    "publish",
    "merge the pr",
    "force",
    "you may do anything",
];

/// The harm in what an agent, a timer or a setting is told.
#[expect(clippy::wildcard_enum_match_arm, reason = "only these tools come here")]
pub(super) fn of_words(call: &ToolCall) -> Vec<Finding> {
    let text = encode(call).unwrap_or_default();
    let lower = text.to_lowercase();
    let mut found: Vec<Finding> = code::signs(&text, "").into_iter().map(code::Sign::finding).collect();
    let category = match call.tool {
        Tool::CronCreate => Category::Persistence,
        Tool::Config => Category::SelfModification,
        _ => Category::BroadAgent,
    };
    let mode = call
        .text("mode")
        .is_some_and(|mode| matches!(mode, "bypassPermissions" | "yolo" | "dontAsk" | "bypass"));
    if mode {
        found.push(Finding::new(Category::BroadAgent, "it starts an agent that asks nobody"));
    }
    match call.tool {
        Tool::Config => found.push(Finding::new(category, "it changes the agent's own settings").doubtful()),
        Tool::CronCreate => {
            found.push(Finding::new(category, "it makes the agent start by itself").doubtful());
        }
        _ => {
            let broad = BROAD.iter().find(|words| lower.contains(**words));
            found.extend(broad.map(|words| {
                Finding::new(category, format!("the task goes beyond a task (`{}`)", words.trim())).doubtful()
            }));
        }
    }
    found
}

/// The harm that an MCP tool's name shows.
pub(super) fn of_name(name: &str, call: &ToolCall) -> Vec<Finding> {
    let words = words(name);
    let says = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let about =
        |category: Category, what: &str| vec![Finding::new(category, format!("`{name}` {what}")).soft()];
    let mut found = if says(&["book", "buy", "pay", "order", "purchase", "transfer", "charge", "refund"]) {
        about(Category::RealWorldTransaction, "orders or pays something")
    } else if says(&["deploy", "deployment", "rollback", "promote", "release"]) && says(ACTS) {
        about(Category::ProductionDeploy, "changes what is deployed")
    } else if says(&["permission", "permissions", "share", "grant", "role", "invite", "member"]) && says(ACTS)
    {
        about(Category::GrantPermissions, "changes who may do what")
    } else if says(&["delete", "remove", "drop", "purge"]) {
        about(Category::SharedResource, "deletes something that others may use")
    } else if says(&["send", "post", "comment", "reply", "publish", "tweet", "email"]) {
        about(Category::ExternalWrite, "writes where others read it")
    } else {
        Vec::new()
    };
    let text = encode(call).unwrap_or_default();
    found.extend(code::signs(&text, "").into_iter().map(code::Sign::finding).map(Finding::doubtful));
    found
}
