//! Tools that speak to agents, people and other programs: what their names and words say.

use serde_json::Value;

use super::{Category, Finding, addresses, code, tasks};
use crate::call::ToolCall;
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
    "create",
    "update",
    "delete",
    "remove",
    "set",
    "add",
    "send",
    "post",
    "write",
    "edit",
    "book",
    "buy",
    "pay",
    "order",
    "deploy",
    "rollback",
    "publish",
    "merge",
    "approve",
    "close",
    "grant",
    "share",
    "upload",
    "run",
    "execute",
    "exec",
    "invite",
    "transfer",
    "cancel",
    "drop",
    "push",
    "move",
    "rename",
    "reset",
    "restart",
    "stop",
    "start",
    "kill",
    "assign",
    "comment",
    "reply",
    "purge",
    "archive",
    "revoke",
    "enable",
    "disable",
    "submit",
    "trigger",
    "insert",
    "patch",
    "put",
    "destroy",
    "terminate",
    "wipe",
    "erase",
    "reboot",
    "retry",
    "rerun",
];

/// Of the words that act, those that name things as well: `get_merge_request` looks.
const THINGS: &[&str] = &[
    "book", "order", "merge", "post", "comment", "reply", "patch", "run", "set", "share", "push", "start",
    "stop", "pay", "deploy", "archive", "release", "reset", "transfer", "trigger", "close", "move", "add",
    "edit", "update", "cancel", "rollback", "invite",
];
/// Words with which a statement for a database does more than look.
const STATEMENTS: &[&str] = &[
    "delete",
    "drop",
    "truncate",
    "insert",
    "update",
    "alter",
    "grant",
    "revoke",
    "exec",
    "execute",
    "call",
    "merge",
    "create",
    "replace",
    "copy",
    "load",
    "do",
    "into",
    "attach",
    "detach",
    "set",
    "rename",
    "import",
    "vacuum",
    "kill",
    "shutdown",
    "xp_cmdshell",
    "sp_executesql",
    "pg_read_file",
    "pg_terminate_backend",
    "load_file",
    "load_extension",
    "dblink",
    "dblink_exec",
    "dblink_connect",
    "lo_export",
    "lo_import",
    "flushall",
    "flushdb",
    "del",
    "eval",
    "config",
];
/// Words of names that speak of a database.
const DATABASES: &[&str] = &[
    "sql",
    "db",
    "database",
    "postgres",
    "postgresql",
    "mysql",
    "sqlite",
    "mssql",
    "mariadb",
    "clickhouse",
    "bigquery",
    "snowflake",
    "redshift",
    "redis",
    "mongo",
    "mongodb",
    "duckdb",
    "oracle",
    "supabase",
];
/// Fields whose text is run.
const RUN_FIELDS: &[&str] =
    &["command", "commands", "cmd", "cmdline", "argv", "shell", "script", "exec", "execute"];

/// The words of a tool's own name.
fn words(name: &str) -> Vec<String> {
    tasks::words(name.rsplit("__").next().unwrap_or(name))
}

/// Every text in the input, wherever it stands.
pub(super) fn texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => {
            for (name, field) in fields {
                found.push(name);
                texts(field, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The text in small letters, with one blank between its words and without remarks.
fn folded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        plain.push_str(before);
        plain.push(' ');
        // What a remark for one program hides, another one runs: `/*!50000 DROP */`.
        rest =
            if after.starts_with('!') { after } else { after.split_once("*/").map_or("", |(_, rest)| rest) };
    }
    plain.push_str(rest);
    plain.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a tool of another program is not one that only looks.
pub(super) fn unusual(name: &str, call: &ToolCall) -> Option<String> {
    let words = words(name);
    let mut told = Vec::new();
    texts(&call.input, &mut told);
    if let Some(word) = acting(name, call, &told) {
        return Some(format!("`{name}` is told to change something (`{word}`)"));
    }
    if RUN_FIELDS.iter().any(|field| call.input.get(field).is_some()) {
        return Some(format!("`{name}` is given something to run"));
    }
    if told.iter().flat_map(|text| text.split_whitespace()).any(|word| word.starts_with("--output")) {
        return Some(format!("`{name}` is told to write a file"));
    }
    if call.input.get("url").is_some()
        && let Some(sends) = addresses::sends_with(call)
    {
        return Some(format!("`{name}` is told to reach another machine, and {sends}"));
    }
    let file =
        |text: &&str| !text.contains(char::is_whitespace) && portcullis_shell::is_secret_path(text, true);
    if words.iter().any(|word| SECRETS.contains(&word.as_str()))
        || shows_secrets(&call.input)
        || told.iter().any(|text| text.contains(['/', '\\']) && file(text))
    {
        return Some(format!("`{name}` can show credentials"));
    }
    let near = |url: &str| !url.is_empty() && !crate::web::host(url).is_public();
    let addresses = ["url", "uri", "endpoint", "href"].iter().filter_map(|field| call.text(field));
    let spelled = told.iter().copied().filter(|text| {
        let lower = text.trim_start().to_ascii_lowercase();
        lower.starts_with("http:") || lower.starts_with("https:")
    });
    if addresses.chain(spelled).any(near) {
        return Some(format!("`{name}` is told to reach a place that is not public"));
    }
    // The first word that is a deed says what the tool does, unless a later one can be nothing else.
    let first = words.iter().position(|word| ACTS.contains(&word.as_str()) || LOOKS.contains(&word.as_str()));
    let joined = words.iter().position(|word| matches!(word.as_str(), "and" | "or" | "then"));
    let acts = words.iter().enumerate().find(|(at, word)| {
        let surely = Some(*at) == first || joined.is_some_and(|join| join < *at);
        ACTS.contains(&word.as_str()) && (surely || !THINGS.contains(&word.as_str()))
    });
    match acts {
        Some((_, word)) => Some(format!("`{name}` can change something elsewhere (`{word}`)")),
        None if first.is_some() => None,
        None => Some(format!("what `{name}` does is not known")),
    }
}

/// Words of names and kinds of things that are secret.
const SECRETS: &[&str] = &[
    "secret",
    "secrets",
    "credential",
    "credentials",
    "token",
    "password",
    "key",
    "cookie",
    "cookies",
    "env",
];

/// Whether a field asks for a thing of a secret kind, or for what is kept encrypted.
fn shows_secrets(input: &Value) -> bool {
    let mut fields = input.as_object().into_iter().flatten();
    fields.any(|(name, value)| {
        let kind = matches!(name.as_str(), "kind" | "type" | "resource")
            && value.as_str().is_some_and(|kind| SECRETS.contains(&kind.to_lowercase().as_str()));
        kind || (name.to_lowercase().contains("decrypt") && *value != Value::Bool(false))
    })
}

/// A word in what the tool is told that changes something: what a query says counts more than that it is called one.
fn acting(name: &str, call: &ToolCall, told: &[&str]) -> Option<String> {
    const PHRASES: &[&str] = &[
        "delete from",
        "drop ",
        "truncate ",
        "insert into",
        "update ",
        "alter ",
        "mutation",
        "grant ",
        "exec ",
        "xp_cmdshell",
    ];
    const METHODS: &[&str] = &["delete", "post", "put", "patch"];
    let database = tasks::words(name).iter().any(|word| DATABASES.contains(&word.as_str()))
        || call.input.get("sql").is_some()
        || call.input.get("statement").is_some();
    told.iter().find_map(|text| {
        let text = folded(text);
        let phrase =
            PHRASES.iter().find(|phrase| text.contains(**phrase)).map(|phrase| phrase.trim().to_owned());
        let method = METHODS.iter().find(|method| text == **method).map(|method| (*method).to_owned());
        let statement = || {
            let mut words = text.split(|it: char| !(it.is_alphanumeric() || it == '_'));
            words.find(|word| database && STATEMENTS.contains(word)).map(str::to_owned)
        };
        phrase.or(method).or_else(statement)
    })
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
