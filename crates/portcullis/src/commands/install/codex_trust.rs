//! Codex runs a hook only when its `config.toml` holds the hash of exactly that hook, under a key made of file, event
//! and position. The hash is SHA-256 over a canonical JSON form of the hook (measured on Codex 0.166.0 and 0.169.0).

use std::path::Path;

use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item, Table, value};

use super::hooks_json;
use super::ledger::sha256;
use super::site::is_ours;

/// The time that Codex assumes where an entry names none, in seconds.
const USUAL_TIMEOUT: u64 = 600;

/// Keys and hashes of our hooks in the text of a `hooks.json`.
fn of(hooks_file: &Path, text: &str) -> Vec<(String, String)> {
    // Codex names the file by its real path.
    let file = hooks_file.parent().and_then(|folder| folder.canonicalize().ok()).map_or_else(
        || hooks_file.to_path_buf(),
        |folder| folder.join(hooks_file.file_name().unwrap_or_default()),
    );
    let mut found = Vec::new();
    let events =
        hooks_json::value(text).and_then(|root| root.get("hooks").and_then(Value::as_object).cloned());
    for (event, groups) in events.unwrap_or_default() {
        for (group_at, group) in groups.as_array().into_iter().flatten().enumerate() {
            let hooks = group.get("hooks").and_then(Value::as_array);
            for (hook_at, hook) in hooks.into_iter().flatten().enumerate() {
                let command = hook.get("command").and_then(Value::as_str).unwrap_or_default();
                if is_ours(command, "codex") {
                    let name = snake(&event);
                    let key = format!("{}:{name}:{group_at}:{hook_at}", file.display());
                    found.push((key, hash(&name, group.get("matcher"), hook, command)));
                }
            }
        }
    }
    found
}

/// `config.toml` with trust in our hooks, and with hooks switched on. `before` is the text of the `hooks.json` that this
/// one replaces: trust in a hook of ours that moved or is gone goes.
pub(super) fn put_in(text: &str, hooks_file: &Path, before: &str, hooks: &str) -> Result<String, String> {
    let mut document = parsed(text)?;
    let wanted = of(hooks_file, hooks);
    let table = table(document.as_table_mut(), &["hooks", "state"])?;
    for (key, hash) in of(hooks_file, before) {
        let trusted = table.get(&key).and_then(|entry| entry.get("trusted_hash")).and_then(Item::as_str);
        if trusted == Some(hash.as_str()) && !wanted.iter().any(|(kept, _)| *kept == key) {
            table.remove(&key);
        }
    }
    for (key, hash) in &wanted {
        let entry = table.entry(key).or_insert_with(|| Item::Table(Table::new()));
        let entry =
            entry.as_table_like_mut().ok_or_else(|| format!("`hooks.state.\"{key}\"` should be a table"))?;
        if entry.get("trusted_hash").and_then(Item::as_str) != Some(hash) {
            entry.insert("trusted_hash", value(hash));
        }
        // A hook that somebody switched off is as good as none.
        if entry.get("enabled").and_then(Item::as_bool) == Some(false) {
            entry.insert("enabled", value(true));
        }
    }
    for name in ["hooks", "codex_hooks"] {
        let switch = document.get_mut("features").and_then(|features| features.get_mut(name));
        if let Some(switch) = switch.filter(|switch| switch.as_bool() == Some(false)) {
            *switch = value(true);
        }
    }
    Ok(document.to_string())
}

/// `config.toml` without trust in our hooks, or nothing where nothing else is left of it.
pub(super) fn take_out(text: &str, hooks_file: &Path, hooks: &str) -> Result<Option<String>, String> {
    let mut document = parsed(text)?;
    let Some(state) = state(&mut document) else { return Ok(Some(text.to_owned())) };
    let mut removed = false;
    for (key, hash) in of(hooks_file, hooks) {
        let trusted = state.get(&key).and_then(|entry| entry.get("trusted_hash")).and_then(Item::as_str);
        if trusted == Some(hash.as_str()) {
            removed |= state.remove(&key).is_some();
        }
    }
    if !removed {
        return Ok(Some(text.to_owned()));
    }
    let state_is_empty = state.is_empty();
    if let Some(hooks) =
        document.get_mut("hooks").and_then(Item::as_table_like_mut).filter(|_| state_is_empty)
    {
        hooks.remove("state");
        if hooks.is_empty() {
            document.remove("hooks");
        }
    }
    let text = document.to_string();
    Ok((!text.trim().is_empty()).then_some(text))
}

fn state(document: &mut DocumentMut) -> Option<&mut dyn toml_edit::TableLike> {
    document.get_mut("hooks")?.get_mut("state")?.as_table_like_mut()
}

fn table<'a>(root: &'a mut Table, path: &[&str]) -> Result<&'a mut dyn toml_edit::TableLike, String> {
    let mut table: &mut dyn toml_edit::TableLike = root;
    for name in path {
        let fresh = || {
            let mut table = Table::new();
            // No header of its own: only the entries below get one.
            table.set_implicit(true);
            Item::Table(table)
        };
        let item = table.entry(name).or_insert_with(fresh);
        table = item.as_table_like_mut().ok_or_else(|| format!("`{name}` should be a table"))?;
    }
    Ok(table)
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| error.to_string().trim_end().replace('\n', " "))
}

fn hash(event: &str, matcher: Option<&Value>, hook: &Value, command: &str) -> String {
    let timeout = hook.get("timeout").and_then(Value::as_u64).unwrap_or(USUAL_TIMEOUT);
    let mut identity = json!({
        "event_name": event,
        "hooks": [{"async": false, "command": command, "timeout": timeout, "type": "command"}],
    });
    if let (Some(matcher), Some(fields)) = (matcher, identity.as_object_mut()) {
        fields.insert("matcher".to_owned(), matcher.clone());
    }
    // Names stand in alphabetical order: `event_name`, `hooks`, `matcher`.
    format!("sha256:{}", sha256(&identity.to_string()))
}

/// `PreToolUse` as `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut name = String::new();
    for letter in event.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
