//! Whether a path surely lies in the trusted directories, by its name and where it leads.

use portcullis_shell::Command;

use super::path_resolution::{self, Way};
use super::path_use::PathUse;
use super::spans::directories;
use crate::call::ToolCall;
use crate::context::Context;
use crate::facts::PathKind;
use crate::path::is_doubtful;

/// Whether the path surely lies in a trusted directory, by its name and where it leads.
pub(crate) fn is_inside(path: &PathUse, context: &Context) -> bool {
    if is_harmless_device(&path.path) {
        return true;
    }
    // The home directory of somebody else.
    let other_home = path.named.starts_with('~') && path.named != "~" && !path.named.starts_with("~/");
    if other_home || is_doubtful(&path.named, context.platform) || climbs_through_link(path, context) {
        return false;
    }
    if path.literal {
        let fact = context.facts.path(&path.path);
        let fact = fact.filter(|fact| fact.kind != PathKind::Special);
        return context.is_trusted(&path.path) && fact.is_some_and(|fact| context.is_trusted(&fact.resolved));
    }
    // Names of existing files in a folder that is known.
    let folder = path.path.split(['*', '?', '[']).next().and_then(|known| known.rsplit_once('/'));
    path.glob
        && folder
            .is_some_and(|(folder, _)| leads_inside(if folder.is_empty() { "/" } else { folder }, context))
}

pub(crate) fn leads_inside(path: &str, context: &Context) -> bool {
    let resolved = context.facts.path(path).map(|fact| fact.resolved);
    context.is_trusted(path) && resolved.is_some_and(|resolved| context.is_trusted(&resolved))
}

/// A directory of the command that is not trusted.
pub(crate) fn outside_directory(command: &Command, call: &ToolCall, context: &Context) -> Option<String> {
    let Some(places) = directories(command, call, context) else {
        return Some(command.directory.clone().unwrap_or_default());
    };
    // Going back and forth between folders is no reading; being somewhere else when reading is.
    let only_moves = matches!(command.program.as_deref(), Some("cd" | "pushd" | "popd"));
    places.into_iter().find(|place| !only_moves && !leads_inside(place, context))
}

/// Whether `..` stands behind a name that is a link: then it leads to where the link leads, and up from there.
pub(crate) fn climbs_through_link(path: &PathUse, context: &Context) -> bool {
    path_resolution::way(path, context) != Way::AsWritten
}

fn is_harmless_device(path: &str) -> bool {
    const DEVICES: &[&str] = &[
        "/dev/null",
        "/dev/zero",
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/tty",
        "/dev/random",
        "/dev/urandom",
    ];
    DEVICES.contains(&path)
        || path
            .strip_prefix("/dev/fd/")
            .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*'))
}
