//! Traces that an edit takes away, and secrets that it leaves in them: records of who did what that are no longer
//! written, and values nobody else should read that are logged or sent.

use super::exfiltration::quoted_hosts;
use super::replaced::{is_moved_away, live};
use crate::detect::{Finding, detectors};

/// The harm to what is recorded.
pub(super) fn changed(old: &str, new: &str) -> Option<Finding> {
    let (before, after) = (live(old), live(new));
    if records(&before) > records(&after) && !is_moved_away(&before, &after) {
        return Some(Finding::by(&detectors::AUDIT_RECORD_REMOVED));
    }
    if logged(&before, HIDES) > logged(&after, HIDES) && logged(&after, &["("]) >= logged(&before, &["("]) {
        return Some(Finding::by(&detectors::LOG_REDACTION_REMOVED));
    }
    let secret = secret_names(&after);
    // Most texts speak of nothing secret, and are looked through only once.
    if secret.is_empty() && !SECRETS.iter().chain(ENVIRONMENTS).any(|word| after.contains(word)) {
        return None;
    }
    let mut added = after.lines().filter(|line| !before.contains(line.trim()));
    added.find_map(|line| leak(line, &secret, &before))
}

/// Calls that make a value harmless to others.
const HIDES: &[&str] = &[
    "scrub(",
    "scrub_",
    "mask(",
    "mask_",
    "redact",
    "censor",
    "obfuscat",
    "anonymi",
    "sanitiz",
    "filter_sensitive",
    "filtersensitive",
    "strip_secrets",
];

/// What writes a line of a log or to the terminal, in small letters.
const LOGS: &[&str] = &[
    "print(",
    "println(",
    "printf(",
    "pprint(",
    "console.log(",
    "console.info(",
    "console.debug(",
    "console.warn(",
    "console.error(",
    "console.dir(",
    "console.table(",
    "console.writeline(",
    "logger.",
    "log.",
    "logging.",
    "slog.",
    "logrus.",
    "zap.",
    "println!(",
    "eprintln!(",
    "dbg!(",
    "info!(",
    "debug!(",
    "warn!(",
    "error!(",
    "trace!(",
    "puts ",
    "pp ",
    "p env",
    "error_log(",
    "var_dump(",
    "print_r(",
    "dd(",
    "nslog(",
    "timber.",
];

/// How many lines of a text write to a log and say one of the words.
fn logged(text: &str, words: &[&str]) -> usize {
    let writes = |line: &&str| call_of(line).is_some();
    text.lines().filter(writes).filter(|line| words.iter().any(|word| line.contains(word))).count()
}

/// What a line gives to a call that logs.
fn call_of(line: &str) -> Option<&str> {
    let found = LOGS.iter().flat_map(|word| line.match_indices(word));
    let starts = found.filter(|(at, _)| {
        let before = line.get(..*at).and_then(|head| head.chars().next_back());
        before.is_none_or(|before| !(before.is_alphanumeric() || before == '_'))
    });
    let (at, word) = starts.min_by_key(|(at, _)| *at)?;
    line.get(at + word.len()..)
}

/// How many calls record who did what.
fn records(text: &str) -> usize {
    let part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '!' | ':' | '>' | '-');
    let behind = text.match_indices("audit").filter_map(|(at, word)| {
        let before = text.get(..at).unwrap_or_default();
        let defined = ["def ", "function ", "func ", "fn ", "class ", "new ", "<"];
        let head = before.trim_end_matches(|it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '@'));
        (!defined.iter().any(|word| head.ends_with(word))).then(|| text.get(at + word.len()..)).flatten()
    });
    let called = behind.filter(|rest| {
        let name = rest.find(|it: char| !part(it)).unwrap_or(rest.len());
        rest.get(name..).is_some_and(|rest| rest.starts_with('('))
    });
    called.count()
}

/// Names of values that nobody else should read.
const SECRETS: &[&str] = &[
    "pw",
    "pwd",
    "passwd",
    "password",
    "passphrase",
    "api_key",
    "apikey",
    "access_token",
    "accesstoken",
    "refresh_token",
    "refreshtoken",
    "auth_token",
    "authtoken",
    "private_key",
    "privatekey",
    "client_secret",
    "clientsecret",
    "secret_key",
    "secretkey",
    "card_number",
    "cardnumber",
    "cvv",
    "ssn",
    "mnemonic",
];
/// Those of them that leaks are looked for elsewhere too.
const SHORT: &[&str] = &["pw", "pwd", "passwd"];

/// All variables of the environment at once; what follows must not pick one.
const ENVIRONMENTS: &[&str] = &[
    "process.env",
    "os.environ",
    "env.to_h",
    "env.to_hash",
    "env.inspect",
    "env.to_a",
    "system.getenv()",
    "os.environ()",
    "env::vars()",
    "getenv()",
    "$_env",
    "deno.env.toobject()",
    "environment.getenvironmentvariables()",
    "bun.env",
    "import.meta.env",
];

/// Names that get a secret from the environment: `const key = process.env.API_KEY`.
fn secret_names(text: &str) -> Vec<String> {
    const SOURCES: &[&str] =
        &["process.env", "os.environ", "getenv(", "env[", "env.fetch(", "env::var(", "env("];
    const KINDS: &[&str] = &["key", "token", "secret", "passw", "credential", "dsn"];
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let secret = lines.filter(|(_, value)| {
        SOURCES.iter().any(|word| value.contains(word)) && KINDS.iter().any(|word| value.contains(word))
    });
    let names = secret.filter_map(|(left, _)| left.trim().trim_end_matches(':').split(':').next());
    let names = names.filter_map(|left| {
        left.rsplit(|it: char| !(it.is_alphanumeric() || it == '_')).find(|it| !it.is_empty())
    });
    names.map(str::to_owned).collect()
}

/// The leak in a line that is new.
fn leak(line: &str, names: &[String], old: &str) -> Option<Finding> {
    let values = shown_values(call_of(line).unwrap_or(line));
    let all = ENVIRONMENTS.iter().any(|word| {
        values.match_indices(word).any(|(at, word)| {
            let rest = values.get(at + word.len()..).unwrap_or_default();
            !rest.starts_with(['.', '[', '?', '_']) && !rest.starts_with(|it: char| it.is_alphanumeric())
        })
    });
    let holds = |known: &dyn Fn(&str) -> bool| bare_names(&values).any(known);
    let secret = holds(&|word| SECRETS.contains(&word) || names.iter().any(|name| name == word));
    if call_of(line).is_some() && (all || secret) {
        return Some(Finding::by(&detectors::SECRET_LOGGED));
    }
    let sends = [".post(", ".put(", ".get(", "fetch(", "urlopen(", "curl ", "net::http", "request("]
        .iter()
        .any(|word| line.contains(word));
    let strange = quoted_hosts(line).any(|host| !old.contains(host));
    let short = holds(&|word| SHORT.contains(&word));
    (sends && strange && (short || all)).then(|| Finding::by(&detectors::CODE_SENDS_CREDENTIALS))
}

/// What of a line are values: what is outside of quotes, and what is put into texts.
fn shown_values(line: &str) -> String {
    let mut values = String::new();
    let mut quote: Option<char> = None;
    let mut depth = 0_usize;
    let mut before = ' ';
    for it in line.chars() {
        match quote {
            Some(open) => {
                // `${x}`, `#{x}`, `{x}` and `\(x)` put a value into a text.
                if it == '{' || (it == '(' && before == '\\') {
                    depth += 1;
                } else if depth > 0 && matches!(it, '}' | ')') {
                    depth -= 1;
                    values.push(' ');
                } else if depth > 0 {
                    values.push(it);
                } else if it == open {
                    quote = None;
                }
            }
            None if matches!(it, '"' | '\'' | '`') => {
                quote = Some(it);
                values.push(' ');
            }
            None => values.push(it),
        }
        before = it;
    }
    values
}

/// The names in a text that are read as values: no calls, no keys, and nothing that is only asked for.
fn bare_names(values: &str) -> impl Iterator<Item = &str> {
    let asked = ["len(", "bool(", "!!", "typeof ", "is none", "is not none", ".length", "isnil", "is_none"]
        .iter()
        .any(|word| values.contains(word));
    let part = |it: char| it.is_alphanumeric() || it == '_';
    let mut rest = values;
    std::iter::from_fn(move || {
        if asked {
            return None;
        }
        loop {
            let start = rest.find(part)?;
            let from = rest.get(start..)?;
            let end = from.find(|it: char| !part(it)).unwrap_or(from.len());
            let (word, after) = from.split_at_checked(end)?;
            rest = after;
            let next = after.trim_start();
            // `password(`, `password=` and `password:` are names of something else; `pw.id` is a part of it.
            let named = next.starts_with(['(', '.', '?'])
                || after.starts_with("::")
                || (next.starts_with('=') && !next.starts_with("=="));
            if !named {
                return Some(word);
            }
        }
    })
}
