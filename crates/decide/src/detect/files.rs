//! Harm that shows in which files are touched.

use portcullis_shell::Command;

use crate::context::Context;
use crate::detect::{Detector, Finding, detectors as list, routine::places};
use crate::facts::PathKind;
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
    const PLACES: &[&str] = words!(
        "/etc /usr /bin /sbin /lib /lib64 /boot /opt /srv /var /sys /proc /System /Library /Applications \
         /root"
    );
    PLACES.iter().any(|place| is_within(path, place)) && !places::is_temporary(path)
}

/// The harm in the files that a call writes or deletes.
pub(super) fn of_paths(view: &View, context: &Context) -> Vec<Finding> {
    let touched = view.paths.iter().filter(|path| path.access != Access::Read);
    touched.into_iter().filter_map(|path| of_path(path, view, context)).collect()
}

/// A record that a project keeps of who did what.
fn is_audit(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.contains("audit") && name.contains(".log")
}

/// Whether the line empties a file that it may not delete either: what was in it is gone.
pub(crate) fn empties(view: &View, context: &Context) -> bool {
    view.paths.iter().any(|path| is_emptied(path, view, context) && of_path(path, view, context).is_some())
}

/// Whether nothing is left in the file: it is cut off, overwritten with nothing, or moved to where nothing stays.
fn is_emptied(path: &PathUse, view: &View, context: &Context) -> bool {
    const VOID: &[&str] = &["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];
    // What is not there yet can only be made.
    let there = context.facts.path(&path.path).is_none_or(|fact| fact.kind != PathKind::Missing);
    if path.access == Access::Read || !there {
        return false;
    }
    let commands = || view.reading.iter().flat_map(|reading| &reading.commands);
    let mut naming = commands().filter(|command| crate::view::in_span(path, command)).peekable();
    let overwrites = path.redirect && holds_data(&path.path) && !is_added_to(path, view);
    // `> x` alone
    if naming.peek().is_none() {
        return overwrites;
    }
    naming.any(|command| {
        // `cp /dev/null x`, `dd if=/dev/zero of=x`
        let by_void =
            command.arguments.iter().any(|word| VOID.contains(&word.text.trim_start_matches("if=")));
        let cut = match command.program.as_deref() {
            Some("truncate") => true,
            Some("dd" | "cp" | "ln" | "mv") => by_void,
            _ => false,
        };
        cut || (overwrites && says_nothing(command))
    })
}

/// Files whose content is what they are for, and in no repository.
fn holds_data(path: &str) -> bool {
    const ENDINGS: &[&str] =
        words!(".db .sqlite .sqlite3 .csv .parquet .tfstate .sql .dump .bak .mdb .pem .key");
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with(".env") || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// `: > x`, `echo > x`, `cat /dev/null > x`
fn says_nothing(command: &Command) -> bool {
    let mut words = command.arguments.iter();
    match command.program.as_deref() {
        None | Some(":" | "true") => true,
        Some("echo" | "printf") => {
            words.all(|word| word.literal && matches!(word.text.trim(), "" | "-n" | "-e"))
        }
        Some("cat") => words.all(|word| word.text == "/dev/null") && !command.arguments.is_empty(),
        Some(_) => false,
    }
}

/// Whether what is written comes after what is there: `>> x`.
fn is_added_to(path: &PathUse, view: &View) -> bool {
    let before = path.span.and_then(|span| view.line.get(..span.start as usize)).unwrap_or_default();
    before.trim_end().ends_with(">>")
}

fn of_path(path: &PathUse, view: &View, context: &Context) -> Option<Finding> {
    let emptied = is_emptied(path, view, context);
    let deletes = path.access == Access::Delete || emptied;
    let detector = if is_record(&path.path) {
        &list::LOG_FILES
    } else if let Some(place) = protected::place(&path.path, path.literal) {
        of_place(place)
    } else if is_system(&path.path) && !context.is_trusted(&path.path) {
        if deletes { &list::DELETE_SYSTEM_FILE } else { &list::WRITE_SYSTEM_FILE }
    } else if deletes && is_audit(&path.path) {
        &list::AUDIT_LOG_DELETE
    } else if deletes && (!places::may_go(path, view, context) || (emptied && path.access == Access::Delete))
    {
        let near = context.is_trusted(&path.path) || places::is_temporary(&path.path);
        if near { &list::DELETE_PROJECT_FILE } else { &list::DELETE_OUTSIDE_PROJECT }
    } else {
        return None;
    };
    let mut finding = Finding::by(detector).about(&path.named);
    finding.span = path.span;
    finding.targets = vec![path.named.clone()];
    Some(finding)
}

fn of_place(place: Place) -> &'static Detector {
    match place {
        Place::Own => &list::PORTCULLIS_FILES,
        Place::AgentSettings => &list::AGENT_SETTINGS,
        Place::StartUp => &list::STARTUP_FILES,
        Place::Credentials => &list::WRITE_CREDENTIAL_FILE,
        Place::Git | Place::Repository => &list::REPOSITORY_INTERNALS,
        Place::Packages => &list::PACKAGE_MANAGER_CONFIG,
        Place::Editor => &list::EDITOR_SETTINGS,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::call::ToolCall;
    use crate::facts::{Answer, PathFact, Question};

    /// [C6]
    #[test]
    fn a_file_that_is_not_there_cannot_be_emptied() {
        for (kind, expected) in [(PathKind::Missing, false), (PathKind::File, true)] {
            let mut context = Context::new("/p", "/home/dev");
            let fact = PathFact { kind, ..PathFact::plain("/p/disk.img") };
            context.facts.add(Question::Path("/p/disk.img".to_owned()), Answer::Path(fact));
            let call = ToolCall::new("Bash", json!({ "command": "truncate -s 1M disk.img" }), "/p");
            assert_eq!(empties(&View::of(&call, &context), &context), expected, "{kind:?}");
        }
    }
}
