//! Whether a text in a language for databases only looks: Cypher, the shell of `MongoDB`, and commands of Redis. What is
//! not known to look does not.

use serde_json::Value;

use crate::harm::ordinary::tasks;

/// Words that a filter or the name of a command has only where something is changed.
pub(super) const CHANGING: &[&str] = &[
    "delete", "drop", "remove", "update", "insert", "replace", "modify", "create", "rename", "write",
    "shutdown", "eval", "merge", "kill", "truncate", "grant", "revoke", "compact", "convert", "reduce",
];

/// Whether no name in the value is a step that writes or runs code, or a command that changes.
pub(super) fn is_plain_data(value: &Value) -> bool {
    const STEPS: &[&str] = &["$out", "$merge", "$where", "$function", "$accumulator"];
    // Commands for the whole database that show who may come in, or how it is set up.
    const COMMANDS: &[&str] =
        &["usersInfo", "rolesInfo", "showCredentials", "setParameter", "getParameter", "getCmdLineOpts"];
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => !STEPS.contains(&text.as_str()),
        Value::Array(items) => items.iter().all(is_plain_data),
        Value::Object(fields) => fields.iter().all(|(name, inner)| {
            // `dropDatabase`, but not `updated_at`.
            let changes = tasks::words(name).first().is_some_and(|word| CHANGING.contains(&word.as_str()));
            !STEPS.contains(&name.as_str())
                && !COMMANDS.contains(&name.as_str())
                && !changes
                && is_plain_data(inner)
        }),
    }
}

/// Whether every step of a pipeline is called as steps are: anything else is a command for the whole database.
pub(super) fn is_plain_pipeline(steps: &[Value]) -> bool {
    steps.iter().all(|step| match step {
        Value::Object(fields) => fields.keys().all(|name| name.starts_with('$')),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => false,
    })
}

/// Whether the text says the word, by itself.
pub(super) fn says_word(text: &str, word: &str) -> bool {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_')).any(|part| part.eq_ignore_ascii_case(word))
}

/// The text with every quoted part replaced by one letter; nothing where it cannot be told where one ends.
fn without_strings(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut open = None;
    for character in text.chars() {
        match (open, character) {
            (_, '\\') => return None,
            (None, '\'' | '"' | '`') => {
                open = Some(character);
                plain.push_str(" q ");
            }
            (None, other) => plain.push(other),
            (Some(mark), other) if mark == other => open = None,
            (Some(_), _) => {}
        }
    }
    let remark = plain.contains("//") || plain.contains("/*") || plain.contains(';');
    (open.is_none() && !remark).then(|| plain.to_lowercase())
}

/// Procedures of Neo4j that only say what is there.
const PROCEDURES: &[&str] = &[
    "db.labels",
    "db.relationshiptypes",
    "db.propertykeys",
    "db.schema.visualization",
    "db.schema.nodetypeproperties",
    "db.schema.reltypeproperties",
    "db.indexes",
    "db.constraints",
    "db.info",
    "dbms.components",
];

/// What Neo4j shows of its own make-up.
const SHOWN: &[&str] = &[
    "index",
    "indexes",
    "constraint",
    "constraints",
    "database",
    "databases",
    "default",
    "home",
    "procedure",
    "procedures",
    "function",
    "functions",
    "range",
    "fulltext",
    "vector",
];

/// Whether a statement in Cypher only looks: its clauses are few, and every procedure or function of others has a dot.
pub(super) fn cypher_looks(text: &str) -> bool {
    const FIRST: &[&str] = &["match", "optional", "return", "with", "unwind", "call", "show", "explain"];
    const CHANGES: &[&str] = &[
        "create",
        "merge",
        "delete",
        "detach",
        "set",
        "remove",
        "drop",
        "load",
        "foreach",
        "alter",
        "grant",
        "revoke",
        "deny",
        "insert",
        "start",
        "stop",
        "terminate",
        "enable",
        "rename",
        "use",
        "deallocate",
        "reallocate",
    ];
    let text = text.trim().trim_end_matches(';');
    let Some(plain) = without_strings(text) else { return false };
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ").replace(" (", "(");
    let words: Vec<&str> = plain
        .split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '.')))
        .filter(|word| !word.is_empty())
        .collect();
    let calls = words.windows(2).all(|pair| match pair {
        ["call", named] => PROCEDURES.contains(named),
        _ => true,
    });
    let dotted = plain.match_indices('(').all(|(at, _)| {
        let before = plain.get(..at).unwrap_or_default();
        let named = before
            .rsplit(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '.')))
            .next()
            .unwrap_or_default();
        !named.contains('.') || PROCEDURES.contains(&named)
    });
    // Who may come in, and with what, is not for everybody.
    let shown = words.windows(2).all(|pair| match pair {
        ["show", named] => SHOWN.contains(named),
        _ => true,
    });
    words.first().is_some_and(|first| FIRST.contains(first))
        && shown
        && words.last() != Some(&"show")
        && words.last() != Some(&"call")
        && !words.iter().any(|word| CHANGES.contains(word))
        && calls
        && dotted
}

/// Whether a text for the shell of `MongoDB` only looks: everything that is called is known to.
pub(super) fn mongo_looks(text: &str) -> bool {
    const CALLS: &[&str] = &[
        "find",
        "findone",
        "aggregate",
        "count",
        "countdocuments",
        "estimateddocumentcount",
        "distinct",
        "getindexes",
        "stats",
        "explain",
        "getcollection",
        "getcollectionnames",
        "getcollectioninfos",
        "sort",
        "limit",
        "skip",
        "toarray",
        "project",
        "pretty",
        "size",
        "objectid",
        "isodate",
        "date",
        "numberlong",
        "numberint",
    ];
    let text = text.trim().trim_end_matches(';');
    if text.starts_with(['{', '['])
        && let Ok(value) = serde_json::from_str::<Value>(text)
    {
        return is_plain_data(&value) && value.as_array().is_none_or(|steps| is_plain_pipeline(steps));
    }
    if matches!(
        text.to_ascii_lowercase().as_str(),
        "show collections" | "show dbs" | "show databases" | "show tables"
    ) {
        return true;
    }
    let Some(plain) = without_strings(text) else { return false };
    let packed: String = plain.split_whitespace().collect();
    let called = packed.match_indices('(').all(|(at, _)| {
        let before = packed.get(..at).unwrap_or_default();
        let named = before
            .rsplit(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '$')))
            .next()
            .unwrap_or_default();
        CALLS.contains(&named.strip_prefix("new").filter(|rest| CALLS.contains(rest)).unwrap_or(named))
    });
    let odd = ["system.", "=", "function", "$out", "$merge", "$where", "$accumulator", "`"];
    // A quoted name of a step is hidden by what stands for it.
    let steps = ["$out", "$merge", "$where", "$function", "$accumulator"];
    packed.starts_with("db.")
        && called
        && !odd.iter().any(|part| packed.contains(part))
        && !steps.iter().any(|step| text.contains(step))
}

/// Whether a command for Redis only looks.
pub(super) fn redis_looks(text: &str) -> bool {
    const LOOKS: &[&str] = &[
        "get",
        "mget",
        "keys",
        "scan",
        "type",
        "ttl",
        "pttl",
        "info",
        "exists",
        "strlen",
        "getrange",
        "hget",
        "hgetall",
        "hmget",
        "hkeys",
        "hvals",
        "hlen",
        "hexists",
        "hscan",
        "lrange",
        "llen",
        "lindex",
        "smembers",
        "scard",
        "sismember",
        "sscan",
        "zrange",
        "zcard",
        "zscore",
        "zrank",
        "zscan",
        "xrange",
        "xlen",
        "dbsize",
        "ping",
        "time",
    ];
    let line = text.trim();
    let first = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    LOOKS.contains(&first.as_str()) && !line.contains(['\n', '\r', ';']) && !line.contains("\\n")
}
