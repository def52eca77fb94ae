//! Whether what a call writes may have been there before.

use portcullis_shell::PatchChange;

use super::path_use::PathUse;
use super::spans::in_span;
use super::{View, patches};

/// Whether a command that names the path only changes what may have been there, or brings it from another place.
pub(crate) fn is_changed(path: &PathUse, view: &View) -> bool {
    const CHANGERS: &[&str] = &["sed", "perl", "chmod", "chown", "truncate", "patch", "touch", "mv"];
    let mut naming = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut patched = view.reading.iter().flat_map(patches::files);
    let updated = patched.any(|file| {
        file.change == PatchChange::Update
            && (path.named == file.path || Some(&path.named) == file.moved.as_ref())
    });
    updated
        || naming.any(|command| {
            in_span(path, command)
                && !path.redirect
                && command.program.as_deref().is_some_and(|name| CHANGERS.contains(&name))
        })
}
