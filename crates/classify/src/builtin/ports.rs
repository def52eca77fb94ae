//! The process that listens on a port (SPEC C17): it has no name that the user could say, and the line finds it by the port.

use portcullis_decide::View;

use super::requests::{asks_for, words};
use super::words::places;

/// Lines that end what listens on a port, written `N`.
const LINES: &[&str] = &[
    "kill $(lsof -t -i:N)",
    "kill $(lsof -t -i :N)",
    "kill $(lsof -ti:N)",
    "kill $(lsof -ti :N)",
    "kill $(lsof -ti tcp:N)",
    "kill -9 $(lsof -t -i:N)",
    "kill -9 $(lsof -t -i :N)",
    "kill -9 $(lsof -ti:N)",
    "kill -9 $(lsof -ti :N)",
    "kill -9 $(lsof -ti tcp:N)",
    "lsof -t -i:N | xargs kill",
    "lsof -ti:N | xargs kill",
    "lsof -ti :N | xargs kill",
    "lsof -ti tcp:N | xargs kill",
    "lsof -t -i:N | xargs kill -9",
    "lsof -ti:N | xargs kill -9",
    "lsof -ti :N | xargs kill -9",
    "lsof -ti tcp:N | xargs kill -9",
    "lsof -ti:N | xargs -r kill",
    "lsof -ti:N | xargs -r kill -9",
    "fuser -k N/tcp",
];

const VERBS: &[&str] = &["kill", "stop", "end", "terminate", "free", "free up"];

/// What else may be said of it; anything more could tell of something else.
const SAID: &[&str] = &[
    "up",
    "the",
    "a",
    "process",
    "processes",
    "server",
    "whatever",
    "what",
    "anything",
    "that",
    "is",
    "that's",
    "what's",
    "running",
    "listening",
    "on",
    "using",
    "holding",
    "blocking",
    "port",
    "please",
    "now",
    "just",
    "then",
    "yes",
    "ok",
    "okay",
    "go",
    "ahead",
    "and",
    "can",
    "could",
    "you",
    "first",
    "my",
    "old",
    "dev",
];

/// Whether a sentence asks to end what listens on the port, and the line does nothing else.
pub(super) fn asks(sentences: &[Vec<String>], view: &View) -> bool {
    let Some((line, port)) = told(&view.line) else { return false };
    let on_port = format!("port {port}");
    LINES.contains(&line.as_str())
        && sentences.iter().any(|clauses| {
            let said = clauses.join(" ");
            let asks = |clause: &String| VERBS.iter().any(|verb| asks_for(clause, verb));
            let fits = |word: &str| word == port || SAID.contains(&word) || VERBS.contains(&word);
            clauses.iter().any(asks) && !places(&said, &on_port).is_empty() && words(&said).all(fits)
        })
}

/// The line with `N` for its only number of a port, and that number.
fn told(line: &str) -> Option<(String, &str)> {
    let plain = line.trim();
    let plain = plain.strip_suffix("|| true").unwrap_or(plain).trim_end();
    let plain = plain.strip_suffix("2>/dev/null").unwrap_or(plain).trim_end();
    let numbers = plain.split(|it: char| !it.is_ascii_digit()).filter(|part| part.len() > 1);
    let port = numbers.max_by_key(|part| part.len())?;
    Some((plain.replacen(port, "N", 1), port))
}
