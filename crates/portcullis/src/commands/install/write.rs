//! Writes what was planned: all of it, or nothing.

use std::path::Path;

use super::files;
use super::ledger::Ledger;
use super::plan::{Backup, Change, Plan, backup_path};

/// Rights of a file that is new: settings are no secret, and an administrator's must be readable for all.
const NEW_FILE: u32 = 0o644;

/// Finds what would stop the writing before it begins.
pub(super) fn check(plans: &[Plan]) -> Result<(), String> {
    for change in changes(plans) {
        let path = files::target(&change.path);
        let refused = |why: &str| Err(format!("{}: {why}; nothing was changed", change.path.display()));
        // Even an administrator, who could, does not write over what somebody locked.
        if path.metadata().is_ok_and(|facts| facts.permissions().readonly()) {
            return refused("it is read-only");
        }
        let Some(folder) = path.ancestors().skip(1).find(|folder| folder.exists()) else {
            return refused("there is no folder for it");
        };
        if !folder.is_dir() {
            return refused(&format!("{} is no folder", folder.display()));
        }
        if let Err(error) = rustix::fs::access(folder, rustix::fs::Access::WRITE_OK) {
            return refused(&format!("{} cannot be written to: {error}", folder.display()));
        }
    }
    Ok(())
}

/// Writes; what fails half-way is taken back.
pub(super) fn write(plans: &[Plan], ledger: &mut Ledger) -> Result<(), String> {
    let mut done: Vec<&Change> = Vec::new();
    for change in changes(plans) {
        if let Err(why) = apply(change) {
            return Err(format!("{}: {why}; {}", change.path.display(), take_back_all(&done)));
        }
        done.push(change);
        match &change.after {
            Some(after) if !matches!((&change.backup, change.created), (Backup::Remove, false)) => {
                ledger.remember(&change.path, after, change.created, &change.folders);
            }
            Some(_) | None => ledger.forget(&change.path),
        }
    }
    ledger.save().map_err(|why| format!("{why}; {}", take_back_all(&done)))
}

fn take_back_all(done: &[&Change]) -> String {
    let left: Vec<_> = done.iter().filter_map(|change| take_back(change).err()).collect();
    if left.is_empty() { "nothing was changed".to_owned() } else { left.join("; ") }
}

fn changes(plans: &[Plan]) -> impl Iterator<Item = &Change> {
    plans.iter().flat_map(|plan| &plan.changes)
}

fn apply(change: &Change) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    if let Ok(Some(now)) | Err(now) = files::read(&change.path)
        && Some(&now) != change.before.as_ref()
    {
        return Err("it was changed in the meantime".to_owned());
    }
    let copy = backup_path(&change.path);
    if let Backup::Write(own) = &change.backup {
        let rights = change.path.metadata().map_or(NEW_FILE, |facts| rights(&facts));
        // A link in its place would lead the copy elsewhere.
        remove_if_there(&copy).and_then(|()| files::write(&copy, own, rights)).map_err(text)?;
    }
    if let Some(after) = &change.after {
        change.path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(text)?;
        files::write(&change.path, after, NEW_FILE).map_err(text)?;
    } else {
        std::fs::remove_file(&change.path).map_err(text)?;
        remove_folders(change);
    }
    if matches!(change.backup, Backup::Remove) {
        remove_if_there(&copy).map_err(text)?;
    }
    Ok(())
}

/// Folders that came with us go when nothing else has moved in.
fn remove_folders(change: &Change) {
    for folder in change.folders.iter().rev() {
        drop(std::fs::remove_dir(folder));
    }
}

fn remove_if_there(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn take_back(change: &Change) -> Result<(), String> {
    let done = match &change.before {
        Some(before) => files::write(&change.path, before, NEW_FILE),
        None => std::fs::remove_file(&change.path).map(|()| remove_folders(change)),
    };
    done.map_err(|error| format!("{} could not be taken back: {error}", change.path.display()))
}

fn rights(facts: &std::fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    facts.permissions().mode() & 0o777
}
