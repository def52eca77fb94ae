//! Which branch is checked out after a line of commands, as far as its words tell.

use portcullis_shell::{Command, Reading};

use super::{is_shared_branch, operands};
use crate::call::ToolCall;
use crate::context::Context;

/// The branch that a push takes where the command runs, if it is known: the one that is there, else the one that the
/// session went to, and then whatever the line does before.
pub(super) fn at(command: &Command, reading: &Reading, call: &ToolCall, context: &Context) -> Option<String> {
    let root = context.root().trim_end_matches('/');
    let here = |place: &String| place.trim_end_matches('/') == root || place == ".";
    let moved = !command.directory.as_ref().is_none_or(here);
    let folder = context.absolute(command.directory.as_deref().unwrap_or("."), &call.cwd);
    let start = match context.facts.branch(&folder) {
        Some("HEAD") => None,
        Some(branch) => Some(branch.to_owned()),
        None if moved => return None,
        None => context.session.branch.clone(),
    };
    let before = reading.commands.iter().take_while(|earlier| !std::ptr::eq(*earlier, command));
    before.fold(start, after)
}

/// The branch after the command, where `before` was checked out.
pub(crate) fn after(before: Option<String>, command: &Command) -> Option<String> {
    let says = |wanted: &str| command.arguments.iter().any(|word| word.text == wanted);
    match command.program.as_deref() {
        Some("git") => {}
        Some("gh" | "glab" | "hub" | "tea") if says("checkout") || says("co") => return None,
        Some("gt" | "jj" | "sl" | "git-town") => return None,
        Some(_) | None => return before,
    }
    let verb = command.verbs.first().and_then(|at| command.arguments.get(*at));
    let verb = verb.map_or("", |verb| verb.text.as_str());
    let words = operands(command, verb).unwrap_or_default();
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let known = words.iter().all(|word| word.literal) && command.directory.is_none();
    let names: Vec<&str> = texts.iter().copied().filter(|text| !text.starts_with('-')).collect();
    match verb {
        "checkout" | "switch" | "branch" if !known => None,
        "checkout" | "switch" => match (created(&texts), names.as_slice()) {
            (Some(name), _) => Some(name.to_owned()),
            (None, _) if says("--detach") || says("-d") || says("-") => None,
            (None, [name]) if verb == "switch" || is_shared_branch(name) => Some((*name).to_owned()),
            // A file or a branch: one that nobody else builds from, if the branch before is none.
            (None, [name]) if !says("--") && *name != "." => {
                before.filter(|branch| !is_shared_branch(branch)).map(|_| (*name).to_owned())
            }
            (None, _) if verb == "switch" => None,
            (None, _) => before,
        },
        "branch" if says("-m") || says("-M") || says("--move") => match names.as_slice() {
            [new] => Some((*new).to_owned()),
            [old, new] if before.as_deref() == Some(*old) => Some((*new).to_owned()),
            [_, _] => before,
            _ => None,
        },
        "rebase" if names.len() < 2 => before,
        "stash" if !says("branch") => before,
        "rebase" | "stash" | "bisect" | "symbolic-ref" | "flow" | "" => None,
        _ => before,
    }
}

/// The branch that the options make.
fn created<'t>(texts: &[&'t str]) -> Option<&'t str> {
    let makes = ["-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"];
    let at = texts.iter().position(|text| makes.contains(text))?;
    texts.get(at + 1).copied()
}
