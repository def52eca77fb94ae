//! Whether a document that a database is queried with, as JSON, only reads: no step of it writes or runs code.

use serde_json::Value;

use crate::detect::routine::tasks;

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

/// Whether the text is such a document, or a pipeline of steps.
pub(super) fn reads_only(text: &str) -> bool {
    serde_json::from_str::<Value>(text.trim()).is_ok_and(|value| {
        (value.is_object() || value.is_array())
            && is_plain_data(&value)
            && value.as_array().is_none_or(|steps| is_plain_pipeline(steps))
    })
}
