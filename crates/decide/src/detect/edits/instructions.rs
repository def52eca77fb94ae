//! What a file tells the agents that read it: to leave people out, to pass checks by, to send what is secret.

use crate::detect::{Finding, detectors};

/// Orders that leave people out or pass checks by.
const ORDERS: &[&str] = &[
    "never ask the user",
    "never ask me",
    "never ask before",
    "never ask for permission",
    "never ask for confirmation",
    "never have to ask",
    "don't ask the user",
    "do not ask the user",
    "don't ask for permission",
    "do not ask for permission",
    "don't ask for confirmation",
    "do not ask for confirmation",
    "don't ask before",
    "do not ask before",
    "don't ask first",
    "do not ask first",
    "do not wait for approval",
    "don't wait for approval",
    "do not wait for confirmation",
    "don't wait for confirmation",
    "stop asking",
    "no need to ask",
    "no confirmation",
    "no approval needed",
    "no approval is needed",
    "no permission needed",
    "ignore previous instructions",
    "ignore all previous",
    "don't tell the user",
    "do not tell the user",
    "nicht nachfragen",
    "frag nicht",
    "ne demande pas",
    "no preguntes",
];

/// Orders of the same kind that a word before them turns into their opposite.
const DANGERS: &[&str] = &[
    "ignore permission",
    "ignore the permission",
    "ignore the hooks",
    "ignore hooks",
    "ignore the gate",
    "ignore denials",
    "skip confirmation",
    "skip the confirmation",
    "skip permission",
    "skip approval",
    "skip the approval",
    "skip code review",
    "skip the review",
    "skip the tests",
    "skip all tests",
    "skip the hooks",
    "skip all checks",
    "skip the checks",
    "auto-approve",
    "auto approve",
    "autoapprove",
    "approve everything",
    "approve all",
    "approve any",
    "pre-approved",
    "preapproved",
    "is always approved",
    "are always approved",
    "are approved",
    "everything is approved",
    "everything is allowed",
    "all commands are allowed",
    "run everything",
    "run anything",
    "run any command",
    "execute any command",
    "execute anything",
    "do anything",
    "full access to",
    "--no-verify",
    "--force push",
    "--yolo",
    "bypass the hook",
    "bypass hooks",
    "bypass permission",
    "bypass the permission",
    "bypass review",
    "bypass the review",
    "bypass branch protection",
    "disable the sandbox",
    "disable the hook",
    "disable hooks",
    "disable the gate",
    "turn off the hook",
    "turn off the sandbox",
    "push directly",
    "push straight",
    "push to main directly",
    "commit directly to main",
    "commit straight to main",
    "merge directly",
    "merge your own",
    "approve your own",
    "merge without",
    "deploy directly",
    "deploy straight",
    "force-push when",
    "force push when",
    "force-push if",
    "force push if",
    "force-push freely",
    "may force-push",
    "may force push",
    "can force-push",
    "can force push",
    "may push to main",
    "can push to main",
    "allowed to push to main",
    "free to push",
    "may deploy to prod",
    "can deploy to prod",
    "may delete any",
    "may edit .claude",
    "may change the hooks",
    "may use sudo",
    "can use sudo",
];

/// Ways to say that nobody is asked; what is done without asking is named before or after.
const UNASKED: &[&str] = &[
    "without asking",
    "without confirm",
    "without approval",
    "without permission",
    "without prompting",
    "without checking with",
    "without waiting",
    "without review",
    "without human",
    "without any approval",
    "without any confirm",
    "without my",
    "ohne zu fragen",
    "ohne rückfrage",
    "ohne freigabe",
    "sans demander",
    "sans confirmation",
    "sin preguntar",
    "sin confirmar",
    "senza chiedere",
    "sem perguntar",
];

/// Words that turn an order into its opposite where they come before it.
const AGAINST: &[&str] = &[
    "never ",
    "not ",
    "n't ",
    "avoid ",
    "no ",
    "nothing ",
    "nobody ",
    "none ",
    "cannot ",
    "forbidden ",
    "refuse ",
    "nie ",
    "niemals ",
    "nicht ",
    "kein",
    "jamais ",
    "ne ",
    "nunca ",
    "non ",
    "neither ",
    "nor ",
    "prevent ",
    "rather than ",
    "instead of ",
];

/// Words with which a file keeps agents from doing something by themselves.
const KEEPS: &[&str] = &[
    "ask before",
    "ask first",
    "ask for ",
    "always ask",
    "never ",
    "do not ",
    "don't ",
    "must not ",
    "needs approval",
    "need approval",
    "requires approval",
    "require approval",
    "only with approval",
    "confirm with",
    "confirm before",
    "wait for approval",
    "needs a review",
    "not allowed",
];
/// What they are kept from.
const KEPT: &[&str] = &[
    "push",
    "deploy",
    "merg",
    "force",
    "delet",
    "production",
    "prod ",
    "secret",
    "credential",
    ".env",
    "publish",
    "releas",
    "main",
    "migrat",
    "--no-verify",
    "install",
    "hook",
    "permission",
    "sudo",
    "drop ",
    "rm -rf",
    "token",
];

/// The first order of a text that an agent should not get from a file.
pub(super) fn gained(old: &str, new: &str) -> Option<Finding> {
    let old = old.to_lowercase().replace('’', "'");
    let new = new.to_lowercase().replace('’', "'");
    let added = new.lines().filter(|line| !old.contains(line.trim()));
    let order = added.flat_map(|line| line.split(". ")).flat_map(|line| line.split("; ")).find_map(order_in);
    order
        .or_else(|| (kept(&old) > kept(&new)).then(|| Finding::by(&detectors::INSTRUCTION_SAFEGUARD_REMOVED)))
}

/// What one sentence tells agents to do.
fn order_in(sentence: &str) -> Option<Finding> {
    let plain = |words: &str| {
        sentence.match_indices(words).any(|(at, _)| {
            let before = sentence.get(..at).unwrap_or_default();
            let after = sentence.get(at + words.len()..).unwrap_or_default();
            let apart = !before.ends_with(|it: char| it.is_alphanumeric());
            // `run everything from the root`, `run everything in docker`
            let place = words.starts_with("run ")
                && [" from", " in ", " inside", " with ", " through"].iter().any(|it| after.starts_with(it));
            apart && !place && !AGAINST.iter().any(|word| says(before, word))
        })
    };
    let order = sentence
        .split([',', ':'])
        .any(|clause| ORDERS.iter().any(|order| clause.contains(order) && !is_quoted_rule(clause)));
    if order || DANGERS.iter().any(|words| plain(words)) || UNASKED.iter().any(|words| plain(words)) {
        return Some(Finding::by(&detectors::INSTRUCTIONS_SKIP_CHECKS));
    }
    let secret = [".env", "credential", "secret", "token", "id_rsa", ".ssh"]
        .iter()
        .any(|word| sentence.contains(word));
    let sends = ["send ", "post ", "upload ", "copy ", "include "].iter().any(|word| plain(word));
    (secret && sends && sentence.contains("://")).then(|| Finding::by(&detectors::INSTRUCTIONS_SEND_SECRETS))
}

/// Whether the text says the word by itself.
fn says(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        word.starts_with("n't") || !before.ends_with(|it: char| it.is_alphanumeric())
    })
}

/// `do not use --no-verify and never ask …`: an order that forbids.
fn is_quoted_rule(sentence: &str) -> bool {
    ["must not", "not allowed", "is forbidden", "avoid "].iter().any(|word| sentence.contains(word))
}

/// How many sentences keep agents from doing something by themselves.
fn kept(text: &str) -> usize {
    let sentences = text.lines().flat_map(|line| line.split(". "));
    let keeps = |sentence: &&str| {
        KEEPS.iter().any(|word| sentence.contains(word)) && KEPT.iter().any(|word| sentence.contains(word))
    };
    sentences.filter(keeps).count()
}
