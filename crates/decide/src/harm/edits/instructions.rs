//! What a file tells the agents that read it: to leave people out, to pass checks by, to send what is secret.

use crate::harm::{Category, Finding};

/// Orders that leave people out or pass checks by.
const ORDERS: &[&str] = &[
    "never ask the user",
    "never ask me",
    "never ask before",
    "never ask for permission",
    "never ask for confirmation",
    "never have to ask",
    "without asking for permission",
    "without asking for confirmation",
    "don't ask the user",
    "do not ask the user",
    "don't ask for permission",
    "do not ask for permission",
    "no need to ask",
    "ignore permission",
    "ignore previous instructions",
    "ignore all previous",
    "skip confirmation",
    "skip the tests",
    "skip all tests",
    "auto-approve",
    "don't tell the user",
    "do not tell the user",
    "--no-verify",
    "--force push",
    "bypass the hook",
    "disable the sandbox",
];

/// Words that turn an order of that kind into its opposite.
const FORBIDS: &[&str] = &[
    "never use",
    "never push",
    "never commit",
    "never skip",
    "do not use",
    "don't use",
    "do not skip",
    "don't skip",
    "do not bypass",
    "never bypass",
    "avoid",
    "must not",
    "not allowed",
    "forbidden",
];

/// The first order of a text that an agent should not get from a file.
pub(super) fn gained(old: &str, new: &str) -> Option<Finding> {
    let old = old.to_lowercase();
    let new = new.to_lowercase();
    let mut added = new.lines().filter(|line| !old.contains(line.trim()));
    added.find_map(|line| {
        let forbids = FORBIDS.iter().any(|word| line.contains(word));
        if !forbids && ORDERS.iter().any(|order| line.contains(order)) {
            let what = "it tells agents to leave people or checks out";
            return Some(Finding::new(Category::SelfModification, what).soft().doubtful());
        }
        let secret = [".env", "credential", "secret", "token", "id_rsa", ".ssh"]
            .iter()
            .any(|word| line.contains(word));
        let sends = ["send ", "post ", "upload ", "copy ", "include "].iter().any(|word| line.contains(word));
        (!forbids && secret && sends && line.contains("://")).then(|| {
            Finding::new(Category::Exfiltration, "it tells agents to send what is secret").doubtful()
        })
    })
}
