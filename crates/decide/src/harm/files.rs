//! Harm that shows in which files are touched.

use super::{Category, Finding, places};
use crate::context::Context;
use crate::path::is_within;
use crate::protected::{self, Place};
use crate::view::{Access, PathUse, View};

/// Files that keep a record of what happened on a machine.
fn is_record(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let history = name.starts_with('.') && name.ends_with("_history");
    let places = ["/var/log", "/var/audit", "/Library/Logs", "/private/var/log", "/var/account"];
    history
        || places.iter().any(|place| is_within(path, place))
        || matches!(name, "wtmp" | "utmp" | "btmp" | "lastlog")
}

/// Parts of the machine that all its users share.
pub(super) fn is_system(path: &str) -> bool {
    const PLACES: &[&str] = &[
        "/etc",
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib64",
        "/boot",
        "/opt",
        "/srv",
        "/var",
        "/sys",
        "/proc",
        "/System",
        "/Library",
        "/Applications",
        "/root",
    ];
    PLACES.iter().any(|place| is_within(path, place)) && !places::is_temporary(path)
}

/// The harm in the files that a call writes or deletes.
pub(super) fn of_paths(view: &View, context: &Context) -> Vec<Finding> {
    let touched = view.paths.iter().filter(|path| path.access != Access::Read);
    touched.into_iter().filter_map(|path| of_path(path, view, context)).collect()
}

fn of_path(path: &PathUse, view: &View, context: &Context) -> Option<Finding> {
    let deletes = path.access == Access::Delete;
    let mut finding = if is_record(&path.path) {
        Finding::new(Category::LogTampering, format!("`{}` is a record of what happened", path.named))
    } else if let Some(place) = protected::place(&path.path, path.literal) {
        of_place(place, path)
    } else if is_system(&path.path) && !context.is_trusted(&path.path) {
        let category = if deletes { Category::LocalDestruction } else { Category::SharedResource };
        let finding = Finding::new(category, format!("`{}` belongs to the whole machine", path.named));
        if deletes { finding.hard() } else { finding }
    } else if deletes && !places::may_go(path, view, context) {
        let inside = context.is_trusted(&path.path);
        let finding = Finding::new(
            Category::LocalDestruction,
            format!("`{}` was not made in this session", path.named),
        );
        if inside || places::is_temporary(&path.path) { finding.doubtful() } else { finding }
    } else {
        return None;
    };
    finding.span = path.span;
    finding.targets = vec![path.named.clone()];
    Some(finding)
}

fn of_place(place: Place, path: &PathUse) -> Finding {
    let what = format!("`{}` {}", path.named, place.sentence());
    match place {
        Place::Own | Place::AgentSettings => Finding::new(Category::SelfModification, what),
        Place::StartUp => Finding::new(Category::Persistence, what),
        Place::Credentials => Finding::new(Category::Persistence, what).hard(),
        Place::Git | Place::Repository => Finding::new(Category::Persistence, what).doubtful(),
        Place::Packages => Finding::new(Category::SupplyChain, what).doubtful(),
        Place::Editor => Finding::new(Category::Persistence, what).doubtful(),
    }
}
