//! What the tables of the cloud tools cannot say: operations by their verb, tunnels and stored secrets.

use super::invocation::{Invocation, Outcome};
use super::layers;
use crate::argument::Argument;
use crate::effects::Effects;

pub(super) const SECRET: Effects = Effects::SECRETS;

/// Oracle's groups end in a verb; the last word before the first option is it.
pub(super) fn oracle(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let words = invocation.words;
    let path = layers::path(
        words,
        &["--profile", "--region", "--output", "--query", "--auth"],
        &["--all", "--debug"],
    );
    let parts = path.words.as_slice();
    let verb = parts.last().copied().unwrap_or_default();
    let given = |name: &str| layers::gives(words, name);
    if layers::asks_help(words) || (parts.is_empty() && layers::has(words, "--version")) {
        out.help = true;
    } else if parts.contains(&"secrets") || parts.contains(&"secret-bundle") || verb.contains("password") {
        out.effects = SECRET;
    } else if matches!(verb, "list" | "get" | "search" | "summarize" | "list-all")
        && parts.len() > 1
        && !given("--file")
        && !given("--endpoint")
        && !given("--from-json")
    {
        out.effects = Effects::NETWORK_READ;
    }
}

/// `cloudflared tunnel` opens one unless a sub-command follows at once.
pub(super) fn tunnel(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let first = invocation.operands.first().and_then(Argument::known).unwrap_or_default();
    let plain = invocation.operands.iter().all(|word| {
        word.known().is_some_and(|text| !text.starts_with("--c") && !text.starts_with("--origin"))
    });
    match first {
        "list" | "info" | "ready" if plain => out.effects = Effects::NETWORK_READ,
        "--help" | "-h" => out.help = true,
        "token" => out.effects = SECRET,
        _ => {}
    }
}

/// A cluster keeps its secrets under a key of that name, or somewhere below the root.
pub(super) fn stored_secrets(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    const WORDS: &[&str] =
        &["secret", "passw", "token", "credential", "apikey", "api-key", "api_key", "private", "vault"];
    let names_only = invocation.has(&["--keys-only", "--count-only", "keys"]);
    let broad = |key: &str| {
        let lower = key.to_ascii_lowercase();
        WORDS.iter().any(|word| lower.contains(word))
            || matches!(lower.trim_end_matches('/'), "" | "/registry")
    };
    if !names_only && invocation.operands.first().is_none_or(|key| key.known().is_none_or(broad)) {
        out.add(SECRET);
    }
}
