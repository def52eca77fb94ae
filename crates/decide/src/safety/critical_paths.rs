//! Folders whose loss cannot be made good (SPEC S2), also where a path with wildcards only could be one.

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::glob;
use crate::path::Platform;

/// The root, what lies directly in it, system folders, the home directory, the project and what holds it.
/// A path with wildcards is one of them where it could be.
pub(crate) fn is_critical(path: &str, call: &ToolCall, context: &Context) -> bool {
    is_of_system(path, call, context) || holds_kept(path, call, context)
}

/// The names of a path, in order.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

/// The names of a path that stand for one folder each: `**` may stand for none.
fn firm_names(path: &str) -> Vec<&str> {
    names(path).filter(|name| *name != "**").collect()
}

/// The root, what lies directly in it, and system folders.
pub(crate) fn is_of_system(path: &str, call: &ToolCall, context: &Context) -> bool {
    const SYSTEM: &[&str] = &[
        "usr",
        "etc",
        "bin",
        "sbin",
        "lib",
        "boot",
        "System",
        "Library",
        "Applications",
        "sys",
        "proc",
        "var",
        "mnt",
        "media",
        "Volumes",
        "private",
    ];
    match firm_names(path).as_slice() {
        [] | [_] => true,
        [first, _] => {
            context.platform == Platform::Windows
                || is_on_drive(path, call)
                || SYSTEM.iter().any(|folder| glob::could_be(first, folder))
        }
        _ => false,
    }
}

/// The home directory of anybody, the project, and what holds them.
pub(crate) fn holds_kept(path: &str, call: &ToolCall, context: &Context) -> bool {
    let homes = match firm_names(path).as_slice() {
        [first, _] => ["home", "Users"].iter().any(|folder| glob::could_be(first, folder)),
        _ => false,
    };
    let own = ["~", call.cwd.as_str()].into_iter().chain(context.roots.iter().map(String::as_str));
    let mut kept = own.map(|place| context.absolute(place, "/"));
    homes || kept.any(|place| could_hold(path, &place))
}

/// Whether a path that may have wildcards could be `place` or a folder above it.
fn could_hold(path: &str, place: &str) -> bool {
    let place: Vec<&str> = names(place).collect();
    // At which of the place's names the path can have arrived.
    let mut reached: Vec<bool> = (0..=place.len()).map(|at| at == 0).collect();
    for name in names(path) {
        let mut next = vec![false; reached.len()];
        if name == "**" {
            let first = reached.iter().position(|here| *here).unwrap_or(reached.len());
            next.iter_mut().skip(first).for_each(|here| *here = true);
        } else {
            for ((now, known), next) in reached.iter().zip(&place).zip(next.iter_mut().skip(1)) {
                *next = *now && glob::could_be(name, known);
            }
        }
        reached = next;
    }
    reached.into_iter().any(|here| here)
}

/// Whether PowerShell named a drive: `/c/windows` stands for `C:\Windows`.
fn is_on_drive(path: &str, call: &ToolCall) -> bool {
    let first = path.split('/').find(|part| !part.is_empty()).unwrap_or_default();
    call.tool == Tool::PowerShell
        && first.len() == 1
        && first.bytes().all(|letter| letter.is_ascii_alphabetic())
}
