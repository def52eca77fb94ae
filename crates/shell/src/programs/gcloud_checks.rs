//! What a line of gcloud does, by its groups and its verb.

use super::gcloud::{FLAGS, GROUPS, READING, READING_STARTS, RELEASES, TOP_GROUPS, VALUED, WRITES_CONFIG};
use super::invocation::{Invocation, Outcome};
use super::layers;
use crate::effects::Effects;
use crate::unclear::Why;

/// Only a query that begins with SELECT, with nothing after it that changes, reads.
pub(super) fn query(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let reads = invocation.operands.iter().all(|text| text.known().is_some_and(super::aws::is_reading_query));
    if !reads || invocation.operands.is_empty() {
        out.add(Effects::NETWORK_WRITE);
    }
}

fn is_reading(word: &str) -> bool {
    READING.contains(&word) || layers::starts(word, READING_STARTS)
}

pub(super) fn gcloud(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let words = invocation.words;
    let path = layers::path(words, VALUED, FLAGS);
    let parts = path.words.as_slice();
    let explains = matches!(parts, ["help" | "topic" | "info" | "version" | "cheat-sheet", ..]);
    if explains || layers::asks_help(words) || (parts.is_empty() && layers::has(words, "--version")) {
        out.add(Effects::READS);
        return;
    }
    let tracks = parts.iter().take_while(|word| RELEASES.contains(word)).count();
    let leads = |at: usize, word: &str| {
        GROUPS.contains(&format!(" {word} ")) || (at == tracks && TOP_GROUPS.contains(&word))
    };
    let at = parts
        .iter()
        .enumerate()
        .skip(tracks)
        .find(|(at, word)| is_reading(word) || !leads(*at, word))
        .map(|(at, _)| at);
    let verb = at.and_then(|at| parts.get(at).copied());
    let effects = match (at, verb) {
        (Some(0), Some("feedback" | "survey")) => Effects::NETWORK_WRITE,
        (Some(0), Some("init")) => Effects::WRITES,
        (Some(0), Some("interactive")) => Effects::EXECUTES,
        (Some(at), Some(verb)) if at > tracks => effects(parts.get(tracks..at).unwrap_or_default(), verb),
        (_, _) => Effects::UNKNOWN,
    };
    out.add(effects);
    if effects == Effects::UNKNOWN {
        let span = path.unclear.or(words.first().copied()).map(|word| word.span).unwrap_or_default();
        out.doubt(Why::UnknownCommand, format!("gcloud {}", parts.join(" ")), span);
    }
    options(invocation, effects, out);
}

/// What a verb under these groups does.
fn effects(groups: &[&str], verb: &str) -> Effects {
    let first = groups.first().copied().unwrap_or_default();
    let last = groups.last().copied().unwrap_or_default();
    let telling = ["token", "key-string", "password", "auth-string", "secret", "credential"];
    match (first, verb) {
        (_, "get-credentials") => Effects::NETWORK_READ.and(Effects::WRITES).and(Effects::SECRETS),
        ("secrets", "access") | ("parametermanager" | "parameter-manager", "render") => {
            Effects::NETWORK_READ.and(Effects::SECRETS)
        }
        (_, verb) if verb.starts_with("print-") => Effects::SECRETS,
        (_, verb)
            if is_reading(verb)
                && groups.contains(&"oauth-clients")
                && (first == "iap" || groups.contains(&"credentials")) =>
        {
            Effects::NETWORK_READ.and(Effects::SECRETS)
        }
        (_, verb) if is_reading(verb) && telling.iter().any(|part| verb.contains(part)) => {
            Effects::NETWORK_READ.and(Effects::SECRETS)
        }
        ("config", "config-helper") | ("storage", "sign-url") => Effects::SECRETS,
        ("auth" | "config", verb) if is_reading(verb) => Effects::READS,
        ("auth", _) => Effects::WRITES,
        ("config", verb) if WRITES_CONFIG.contains(&verb) && last != "connections" => Effects::WRITES,
        ("components", verb) if is_reading(verb) => Effects::NETWORK_READ,
        ("components", _) => Effects::INSTALLS_NAMED,
        (
            _,
            "ssh"
            | "start-iap-tunnel"
            | "connect-to-serial-port"
            | "connect"
            | "call"
            | "execute"
            | "start-tcp-tunnel",
        ) => Effects::NETWORK_WRITE.and(Effects::EXECUTES),
        (_, "scp") | ("storage", "cp" | "mv" | "rsync") => {
            Effects::NETWORK_WRITE.and(Effects::WRITES).and(Effects::SENDS_DATA)
        }
        ("storage", "cat" | "ls" | "du" | "hash") | ("builds", "log") => Effects::NETWORK_READ,
        (_, "cat" | "ls" | "du" | "hash" | "log" | "stat") => Effects::NETWORK_WRITE,
        ("iam", "create") if last == "keys" => {
            Effects::NETWORK_WRITE.and(Effects::WRITES).and(Effects::SECRETS)
        }
        ("builds", "submit") | (_, "deploy") => Effects::NETWORK_WRITE.and(Effects::PUBLISHES),
        ("kms", "decrypt" | "encrypt") => Effects::WRITES.and(Effects::SECRETS),
        (_, verb) if verb.ends_with("-iam-policy-binding") || verb == "set-iam-policy" => {
            Effects::NETWORK_WRITE.and(Effects::PERMISSIONS)
        }
        (_, verb) if is_reading(verb) => Effects::NETWORK_READ,
        (_, verb) if is_name(verb) => Effects::NETWORK_WRITE,
        (_, _) => Effects::UNKNOWN,
    }
}

fn is_name(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// Options that take the rights of another, further options, or a file to write.
fn options(invocation: &Invocation<'_, '_>, effects: Effects, out: &mut Outcome<'_>) {
    let words = invocation.words;
    if layers::gives(words, "--impersonate-service-account") {
        out.add(Effects::PRIVILEGE);
    }
    if layers::gives(words, "--access-token-file") {
        out.add(Effects::SECRETS);
    }
    for word in words {
        let name = layers::name_of(word.prefix());
        if name.len() > 4 && "--flags-file".starts_with(name) {
            out.doubt(Why::UnknownOption, word.text, word.span);
        }
        if effects.is_harmless()
            && layers::starts(
                name,
                &[
                    "--output",
                    "--out-",
                    "--dest",
                    "--local-",
                    "--plaintext-file",
                    "--certificate-file",
                    "--attest",
                ],
            )
        {
            out.add(Effects::WRITES);
        } else if effects.is_harmless() && name.ends_with("-file") && name != "--access-token-file" {
            out.doubt(Why::UnknownOption, word.text, word.span);
        }
    }
}
