//! Searches for credentials outside the project: what is looked for, and where.

use portcullis_shell::Command;

use crate::context::Context;
use crate::detect::{Finding, detectors, routine::places};
use crate::path::is_within;
use crate::view::{Access, PathUse, View};

/// Programs that show the lines in which something is found.
const SEARCHES: &[&str] =
    &["grep", "egrep", "fgrep", "rgrep", "zgrep", "ggrep", "rg", "ag", "ack", "ugrep", "awk", "gawk", "sed"];

/// How credentials themselves begin, in lower case.
const VALUES: &[&str] = phrases!(
    "sk_live|rk_live|ghp_|gho_|ghs_|github_pat|glpat|akia|asia[|xoxb|xoxp|xox[|aiza|sk-ant|sk-proj|npm_[|\
     hf_[|begin rsa|begin openssh|begin private|private key|eyj"
);

/// Words for them, which are also found in every program.
const WORDS: &[&str] = words!(
    "token tokens password passwords passwd secret secrets key keys apikey api_key credential credentials \
     auth"
);

/// Folders of a home directory in which tools keep what they brought.
const STORES: &[&str] = words!(
    ".cargo .rustup .npm .nvm .cache .m2 .gradle .pyenv .rbenv .local .vscode .claude .codex .pnpm-store \
     .yarn .bun .deno .nuget .ivy2 .sbt .gem .terraform.d go Library"
);

/// A search whose words are about credentials and whose files are not the project's.
pub(crate) fn outside(view: &View, context: &Context) -> Option<Finding> {
    let reading = view.reading.as_ref()?;
    let searches = |command: &&Command| {
        let name = command.program.as_deref().unwrap_or_default();
        let git = name == "git" && command.arguments.iter().any(|word| word.text == "grep");
        SEARCHES.contains(&name) || git
    };
    let values = |text: &str| VALUES.iter().any(|value| text.contains(value));
    let words = |text: &str| {
        let mut parts = text.split(|it: char| !(it.is_ascii_alphanumeric() || it == '_'));
        parts.any(|part| WORDS.contains(&part))
    };
    let read: Vec<&PathUse> = view
        .paths
        .iter()
        .filter(|path| path.access == Access::Read && !context.is_trusted(&path.path))
        .filter(|path| !places::is_temporary(&path.path))
        .collect();
    let elsewhere = read.iter().any(|path| is_personal(path, context));
    let start_files = read.iter().any(|path| is_start_file(path, context));
    let command = reading.commands.iter().filter(searches).find(|command| {
        command.arguments.iter().any(|word| {
            let lower = word.text.to_lowercase();
            let path = lower.starts_with(['~', '/', '.']);
            !path && ((elsewhere && values(&lower)) || (start_files && words(&lower)))
        })
    })?;
    Some(Finding::on(&detectors::SEARCH_OUTSIDE_PROJECT, command))
}

/// Whether the path lies in the home directory, or around it, and not where tools keep what they brought.
fn is_personal(path: &PathUse, context: &Context) -> bool {
    let home = context.absolute("~", "/");
    let folder = path.path.trim_end_matches(['*', '/']);
    let below = folder.strip_prefix(home.as_str()).map(|rest| rest.trim_start_matches('/'));
    let first = below.map(|rest| rest.split('/').next().unwrap_or_default());
    let around = is_within(&home, if folder.is_empty() { "/" } else { folder });
    first.map_or(around || folder.starts_with("/etc"), |first| !STORES.contains(&first))
}

/// Whether it is a file that a shell or a program starts with, or the home directory as a whole: `~/.bashrc`, `~/.config`.
fn is_start_file(path: &PathUse, context: &Context) -> bool {
    let home = context.absolute("~", "/");
    let folder = path.path.trim_end_matches('/');
    let Some(below) = folder.strip_prefix(home.as_str()) else { return false };
    let below = below.trim_start_matches('/');
    let whole = below.is_empty() || below == "*";
    whole
        || below.starts_with(".config")
        || (below.starts_with('.') && !below.contains('/') && !STORES.contains(&below))
}

/// `ln -s / public/root`: a link of the project to everything, to somebody's home, or to credentials.
pub(in crate::detect) fn linked(command: &Command, context: &Context) -> Option<Finding> {
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let symbolic = words().any(|word| {
        (word.len() > 3 && "--symbolic".starts_with(word))
            || (word.starts_with('-') && !word.starts_with("--") && word.contains('s'))
    });
    // After `-t` comes the folder that gets the link.
    let folder =
        words().position(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('t'));
    let target = words()
        .enumerate()
        .find(|(at, word)| !word.starts_with('-') && folder.is_none_or(|folder| *at != folder + 1))
        .map(|(_, word)| word)
        .filter(|_| symbolic && command.program.as_deref() == Some("ln"))?;
    let home = context.absolute("~", "/");
    let place = context.absolute(target, context.root());
    let place = if place.len() > 1 { place.trim_end_matches('/') } else { place.as_str() };
    let open = matches!(place, "/" | "/home" | "/Users" | "/etc" | "/root") || place == home;
    (open || portcullis_shell::is_secret_path(target, true))
        .then(|| Finding::on(&detectors::SYMLINK_OUT_OF_PROJECT, command))
}
