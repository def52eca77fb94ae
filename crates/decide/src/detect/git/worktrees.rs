//! Work trees that git makes beside the project.

use portcullis_shell::Command;

use crate::context::Context;
use crate::path::is_within;
use crate::view::{Access, PathUse, View};

/// Options that neither overwrite anything nor move a branch that is there.
const PLAIN: &[&str] = &["-b", "--detach", "-q", "--quiet", "--track", "--no-track"];

/// `git worktree add ../proj-fix`: a folder beside the project that bears its name, or says that it is for work trees.
/// Git fills no folder that holds something.
pub(in crate::detect) fn is_beside(path: &PathUse, view: &View, context: &Context) -> bool {
    let adds = |command: &Command| {
        let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
        command.program.as_deref() == Some("git")
            && words.starts_with(&["worktree", "add"])
            && words.iter().all(|word| !word.starts_with('-') || PLAIN.contains(word))
    };
    let commands = || view.reading.iter().flat_map(|reading| &reading.commands);
    // If the folder is there, git refuses, and what follows would work in somebody else's.
    let goes = |command: &Command| {
        matches!(command.program.as_deref(), Some("cd" | "pushd"))
            || command.arguments.iter().any(|word| word.text.starts_with("-C"))
    };
    let stays = !commands().any(goes);
    let mut named = commands();
    let added = !path.redirect
        && path.span.is_some()
        && named.any(|command| crate::view::in_span(path, command) && adds(command));
    // What may have been there before is not made here.
    let gone = view.paths.iter().any(|it| it.access == Access::Delete && is_within(&it.path, &path.path));
    let root = context.as_absolute(context.root());
    let Some((parent, name)) = root.rsplit_once('/') else { return false };
    let inner = path.path.strip_prefix(parent).and_then(|rest| rest.strip_prefix('/')).unwrap_or_default();
    let first = inner.split('/').next().unwrap_or_default();
    let called = first.strip_prefix(name).is_some_and(|rest| rest.starts_with(['-', '.', '_']));
    let kept = first.ends_with("worktrees");
    let whole = context.facts.path(&path.path).is_none_or(|fact| fact.resolved == path.path);
    added
        && stays
        && !gone
        && path.literal
        && whole
        && (called || kept)
        && !inner.split('/').any(|part| part.starts_with('.'))
}
