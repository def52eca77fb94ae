//! `git config`: whether it reads or sets, and what it shows or makes git run.

use super::git_checks::{is_secret, named_files, several};
use super::git_settings::{self, Setting};
use super::invocation::{Invocation, Outcome};
use crate::argument::Argument;
use crate::effects::Effects;

/// Settings that hold credentials, as they look in practice.
const CREDENTIALS: &[&str] = &[
    "http.https://github.com/.extraheader",
    "http.cookiefile",
    "http.sslkey",
    "http.sslcertpasswordprotected",
    "credential.helper",
    "sendemail.smtppass",
    "imap.pass",
    "github.oauth-token",
    "gitlab.password",
    "url.https://x:secret@github.com/.insteadof",
];

/// Whether the setting, or one that the pattern finds, holds a credential. With `whole` a section's name
/// stands for all of it.
fn shows_credential(key: &Argument<'_>, pattern: bool, whole: bool) -> bool {
    const TELLING: &[&str] = &[
        "extraheader",
        "token",
        "passw",
        "smtppass",
        "imap.pass",
        "cookie",
        "credential",
        "secret",
        "apikey",
    ];
    let lower = key.text.to_ascii_lowercase();
    if pattern {
        return !key.literal || finds_credential(&lower);
    }
    let section = lower.split('.').next().unwrap_or_default();
    let broad = ["http", "credential", "url"].contains(&section);
    let unclear = !key.literal && (broad || !key.prefix().contains('.'));
    unclear || (whole && broad && !lower.contains('.')) || TELLING.iter().any(|word| lower.contains(word))
}

/// Whether a regular expression could find one of them. Only plain ones are understood: each alternative must have
/// three letters in a row that none of them has.
fn finds_credential(pattern: &str) -> bool {
    let odd = ["[", "?", "{", ")*"].iter().any(|sign| pattern.contains(sign));
    let rules_out = |run: &str| run.len() > 2 && !CREDENTIALS.iter().any(|known| known.contains(run));
    let wide = |part: &str| {
        let certain = part.replace(".*", " ");
        // A letter before `*` need not be there.
        certain.contains('*') || !certain.split(|c: char| !c.is_alphanumeric()).any(rules_out)
    };
    odd || pattern.split('|').any(wide)
}

/// A name alone is read, a name with a value is set.
pub(super) fn config<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const READS: &[&str] = &[
        "l",
        "--list",
        "--get",
        "--get-all",
        "--get-regexp",
        "--get-urlmatch",
        "--get-color",
        "--get-colorbool",
    ];
    const WRITES: &[&str] = &[
        "e",
        "--edit",
        "--add",
        "--replace-all",
        "--unset",
        "--unset-all",
        "--rename-section",
        "--remove-section",
    ];
    let verb = invocation.chain.get(2).map(|spec| spec.names).unwrap_or_default();
    let file = invocation.value(&["f", "--file"]);
    let sets = match verb {
        "" => invocation.has(WRITES) || (several(invocation, 1) && !invocation.has(READS)),
        _ => verb != "get list",
    };
    if !sets {
        let patterns = invocation.has(&["--get-regexp", "--regexp"]);
        let whole = invocation.has(&["--get-urlmatch", "--url"]);
        if invocation.operands.first().is_some_and(|key| shows_credential(key, patterns, whole)) {
            out.add(Effects::SECRETS);
        }
        if let Some(file) = file.filter(|_| verb.is_empty()) {
            out.reads(file);
        }
        if let Some(blob) = invocation.value(&["--blob"]) {
            if is_secret(&blob) {
                out.add(Effects::SECRETS);
            }
            named_files(&[blob], out);
        }
        return;
    }
    if invocation.has(&["e", "--edit"]) {
        out.add(Effects::EXECUTES);
    }
    let shared = invocation.has(&["--global", "--system"]);
    out.add(Effects::WRITES.and(if shared { Effects::SYSTEM } else { Effects::REPOSITORY }));
    if let Some(file) = file {
        out.writes(file);
    }
    let value = invocation.operands.get(1).and_then(Argument::known);
    let key = invocation.operands.first().map(Argument::prefix).unwrap_or_default();
    if value.is_some() && git_settings::judge(key, value) == Setting::Runs {
        out.add(Effects::EXECUTES);
    }
}
