//! Files of a project that decide what a command does: those that it obeys, and those that it makes where they are missing.

use portcullis_shell::{Command, Effects};

use super::View;
use super::path_use::{Access, PathUse};
use super::spans::{directories, in_span};
use crate::call::ToolCall;
use crate::context::Context;
use crate::facts::PathKind;

/// Whether no file of the project makes the command run other code: git's configuration, and the files that
/// the reader names.
pub(crate) fn obeys_nobody(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let git = command.program.as_deref() == Some("git")
        && command.effects.meets(Effects::READS.and(Effects::NETWORK_READ));
    let obeying = command.effects.meets(Effects::OBEYS_PROJECT);
    if !git && !obeying {
        return true;
    }
    directories(command, call, context).is_some_and(|directories| {
        directories.iter().all(|directory| {
            let repository = || context.facts.repository(directory).is_some_and(|keys| keys.is_empty());
            let names = obeyed(command);
            let files = || context.facts.present(directory, &names).is_some_and(|found| found.is_empty());
            (!git || repository()) && (!obeying || files())
        })
    })
}

/// Whether each file is there of which the command would make one.
pub(crate) fn finds_its_files(command: &Command, view: &View, context: &Context) -> bool {
    let there = |path: &PathUse| {
        let fact = if path.literal { context.facts.path(&path.path) } else { None };
        path.access != Access::Read
            || path.redirect
            || fact.is_some_and(|fact| fact.kind != PathKind::Missing)
    };
    !command.effects.meets(Effects::CREATES_MISSING)
        || view.paths.iter().filter(|path| in_span(path, command)).all(there)
}

/// The files with which a project can make the command run its code.
pub(crate) fn obeyed(command: &Command) -> Vec<String> {
    let names = portcullis_shell::obeyed_files(command.program.as_deref().unwrap_or_default());
    names.iter().map(|name| (*name).to_owned()).collect()
}
