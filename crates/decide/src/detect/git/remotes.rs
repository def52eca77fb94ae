//! Where git sends things and what it moves there: remotes whose address the session changed, names that others
//! deploy from, and shared branches that are moved by hand.

use portcullis_shell::{Command, Effects};

use super::{is_shared_branch, operands};
use crate::context::Context;
use crate::detect::detectors as list;
use crate::detect::{Finding, git};

/// Names of remotes to which a push is a deployment.
const DEPLOYING: &[&str] =
    &["production", "prod", "staging", "live", "deploy", "heroku", "dokku", "piku", "gigalixir", "clever"];

/// The remote whose address the command sets; `*` where it may be any.
pub(crate) fn set(command: &Command) -> Option<String> {
    let name =
        |words: &[&str]| words.iter().find(|word| !word.starts_with('-')).map(|word| (*word).to_owned());
    match words(command)?.as_slice() {
        ["remote", "add" | "set-url", rest @ ..] => name(rest),
        ["remote", "rename", .., new] => Some((*new).to_owned()),
        ["config", rest @ ..] if command.own.meets(Effects::WRITES) => rest.iter().find_map(|key| {
            let inner = key.strip_prefix("remote.").and_then(|rest| rest.rsplit_once('.'));
            // `url.….insteadOf`, `remote.pushDefault`
            let leads = key.starts_with("remote.") || key.starts_with("url.");
            leads.then(|| inner.map_or("*", |(name, _)| name).to_owned())
        }),
        _ => None,
    }
}

/// What a git command does to remotes and shared branches that somebody should look at.
pub(in crate::detect) fn harm(command: &Command, context: &Context) -> Option<Finding> {
    let words = words(command)?;
    let verb = words.first().copied().unwrap_or_default();
    if matches!(verb, "push" | "pull") && is_redirected(command, &words, context) {
        return Some(Finding::on(&list::REDIRECTED_REMOTE, command));
    }
    if let Some(push) = git::push(command).filter(|push| !push.dry) {
        let deploys = push.remote.is_some_and(|name| DEPLOYING.contains(&name.to_ascii_lowercase().as_str()));
        let released = || push.branches.iter().any(|name| is_released(name));
        return (deploys || released()).then(|| Finding::on(&list::PUSH_DEPLOYS, command));
    }
    let detector = match words.as_slice() {
        ["update-ref", rest @ ..] if rest.iter().any(|name| names_shared(name)) => &list::MOVE_BRANCH,
        ["checkout" | "switch", "-B" | "-C" | "--force-create", name, start, ..]
            if is_shared_branch(name) && *start != format!("origin/{name}") =>
        {
            &list::MOVE_BRANCH
        }
        ["apply", rest @ ..] if rest.contains(&"--unsafe-paths") => &list::APPLY_UNSAFE_PATHS,
        _ => return None,
    };
    Some(Finding::on(detector, command))
}

/// The sub-command of git with what follows it.
fn words(command: &Command) -> Option<Vec<&str>> {
    if command.program.as_deref() != Some("git") {
        return None;
    }
    let verb = command.arguments.get(*command.verbs.first()?)?.text.as_str();
    let rest = operands(command, verb)?;
    Some(std::iter::once(verb).chain(rest.into_iter().map(|word| word.text.as_str())).collect())
}

fn names_shared(name: &str) -> bool {
    name.strip_prefix("refs/heads/").is_some_and(is_shared_branch)
}

/// Whether the remote that is meant is one that the session set; without a name it may be any.
fn is_redirected(command: &Command, words: &[&str], context: &Context) -> bool {
    let set = &context.session.remotes;
    let named = match git::push(command) {
        Some(push) => push.remote,
        None => words.iter().skip(1).find(|word| !word.starts_with('-')).map(|word| (*word).to_owned()),
    };
    named.map_or(!set.is_empty(), |name| set.iter().any(|known| *known == name || known == "*"))
}

/// Whether a branch or tag of this name is what others deploy from: `v1.2.3`, `release-2.0`, `env/production`, `prod-eu`.
fn is_released(name: &str) -> bool {
    let lower = name.trim_start_matches("refs/heads/").to_ascii_lowercase();
    let version = |text: &str| {
        let digits = text.strip_prefix('v').unwrap_or(text);
        digits.starts_with(|first: char| first.is_ascii_digit()) && digits.contains('.')
    };
    let stage = |text: &str| matches!(text, "prod" | "production" | "staging");
    let last = lower.rsplit('/').next().unwrap_or_default();
    let (first, rest) = lower.split_once(['-', '_']).unwrap_or((&lower, ""));
    version(&lower) || stage(last) || stage(first) || (matches!(first, "release" | "stable") && version(rest))
}
