//! Where settings are, and in which order they count.
//!
//! Only the given folders are looked at; nothing here knows what a setting means.

use std::path::{Path, PathBuf};

use portcullis_decide::rules::Source;

use super::jsonc::{self, Broken, Place};
use super::last_good::Shelf;
use super::places::Places;
use super::read::{Dialect, Sheet};
use super::trust::{self, Ledger};
use crate::files::{self, Content};
use crate::problem::Severity;

/// The project folder that a folder belongs to: the nearest folder upwards with `.portcullis` or `.git` in it, or the
/// folder itself.
#[must_use]
pub fn find_project(folder: &Path) -> PathBuf {
    let marked = |folder: &&Path| {
        [".portcullis", ".git"].iter().any(|name| folder.join(name).symlink_metadata().is_ok())
    };
    folder.ancestors().find(marked).unwrap_or(folder).to_path_buf()
}

/// The managed settings, highest first: of the drop-ins the last by name counts before the others.
pub(crate) fn managed(places: &Places, shelf: &Shelf) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    let folder = places.managed.join("settings.d");
    match std::fs::read_dir(&folder) {
        Ok(entries) => {
            let mut paths: Vec<PathBuf> =
                entries.filter_map(|entry| entry.ok().map(|it| it.path())).collect();
            paths.retain(|path| is_drop_in(path));
            paths.sort();
            sheets.extend(
                paths
                    .iter()
                    .rev()
                    .filter_map(|path| sheet(Source::Managed, path, None, Dialect::Portcullis, shelf)),
            );
        }
        Err(error) if files::is_missing(&error) => {}
        Err(error) => {
            let mut sheet = Sheet::new(Source::Managed, Some(folder.display().to_string()), None);
            // FAIL-CLOSED(broken-settings): a folder that cannot be listed may hold deny rules.
            sheet.lost(Place::default(), format!("the folder cannot be listed: {error}"));
            sheets.push(sheet);
        }
    }
    let path = places.managed.join("settings.json");
    sheets.extend(sheet(Source::Managed, &path, None, Dialect::Portcullis, shelf));
    sheets
}

fn is_drop_in(path: &Path) -> bool {
    let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
    !hidden && path.extension().is_some_and(|extension| extension == "json")
}

/// A file that the command line names; it has to be there.
pub(crate) fn named(path: &Path, shelf: &Shelf) -> Sheet {
    let base = path.parent().and_then(|folder| folder.canonicalize().ok());
    sheet(Source::CommandLine, path, base.as_deref(), Dialect::Portcullis, shelf).unwrap_or_else(|| {
        let mut sheet = Sheet::new(Source::CommandLine, Some(path.display().to_string()), None);
        sheet.lost(Place::default(), "there is no such file".to_owned());
        sheet
    })
}

/// The user's own settings.
pub(crate) fn user(places: &Places, shelf: &Shelf) -> Option<Sheet> {
    sheet(Source::User, &places.user_settings(), Some(&places.config), Dialect::Portcullis, shelf)
}

/// A file that is read as the user's settings would be.
pub(crate) fn in_place_of_user(places: &Places, file: &Path, shelf: &Shelf) -> Option<Sheet> {
    sheet(Source::User, file, Some(&places.config), Dialect::Portcullis, shelf)
}

/// The settings that Claude Code keeps for the user.
pub(crate) fn claude_code_user(places: &Places, shelf: &Shelf) -> Option<Sheet> {
    let path = places.claude_code_settings();
    sheet(Source::User, &path, path.parent(), Dialect::ClaudeCode, shelf)
}

/// The files that the project can bring, local ones first; each counts in full only when it is trusted.
pub(crate) fn project(places: &Places, claude_code: bool, shelf: &Shelf) -> Vec<Sheet> {
    let mut ledger = None;
    let mut sheets = Vec::new();
    for (source, path) in places.project_files() {
        let foreign = path.components().any(|part| part.as_os_str() == ".claude");
        let dialect = if foreign { Dialect::ClaudeCode } else { Dialect::Portcullis };
        // In the home folder Claude Code's project settings are the user's own.
        let own = foreign && path == places.claude_code_settings();
        if (foreign && !claude_code) || own {
            continue;
        }
        let mut sheet = Sheet::new(source, Some(path.display().to_string()), base(&places.project));
        sheet.trusted = false;
        let Some(bytes) = fill(&mut sheet, &path, dialect, shelf) else { continue };
        let ledger = ledger.get_or_insert_with(|| Ledger::read(&places.state));
        sheet.trusted = trust::place_of(&path).is_some_and(|place| ledger.trusts(&place, &bytes));
        if let Some(why) = files::read_owned(&path).1.and_then(|owner| owner.is_foreign(&path)) {
            // FAIL-CLOSED(foreign-settings): what another user wrote can forbid and never allow.
            sheet.trusted = false;
            sheet.problem(Place::default(), why, Severity::Warning);
        }
        sheets.push(sheet);
    }
    if let (Some(first), Some(problem)) = (sheets.first_mut(), ledger.and_then(|ledger| ledger.problem)) {
        first.problem(Place::default(), problem, Severity::Error);
    }
    sheets
}

fn base(folder: &Path) -> Option<String> {
    folder.to_str().filter(|text| text.starts_with('/')).map(str::to_owned)
}

fn sheet(
    source: Source,
    path: &Path,
    folder: Option<&Path>,
    dialect: Dialect,
    shelf: &Shelf,
) -> Option<Sheet> {
    let mut sheet = Sheet::new(source, Some(path.display().to_string()), folder.and_then(base));
    fill(&mut sheet, path, dialect, shelf).map(|_| sheet)
}

/// Reads a file into its sheet and says which bytes are in force, its own or those of its last good version (A2).
/// Nothing if there is no such file: one that was deleted is not broken.
fn fill(sheet: &mut Sheet, path: &Path, dialect: Dialect, shelf: &Shelf) -> Option<Vec<u8>> {
    let (content, owner) = files::read_owned(path);
    let distrusted = owner.and_then(|owner| match sheet.source {
        Source::User | Source::Managed => owner.is_foreign(path).or_else(|| owner.is_shared(path)),
        // A project's files count only once they are trusted, and then by their content.
        Source::Local | Source::Project | Source::Remote | Source::CommandLine | Source::Session => None,
    });
    let broken = match content {
        Content::Missing => {
            shelf.forget(path);
            return None;
        }
        // FAIL-CLOSED(broken-settings): a file that is there and cannot be read may hold deny rules.
        Content::Unreadable(problem) => Broken { place: Place::default(), problem, guards: Vec::new() },
        // FAIL-CLOSED(foreign-settings): what somebody else could have written can forbid and never allow.
        Content::Bytes(bytes) if let Some(problem) = distrusted => {
            let guards = jsonc::guards(&String::from_utf8_lossy(&bytes));
            Broken { place: Place::default(), problem, guards }
        }
        Content::Bytes(bytes) => match sheet.read(&bytes, dialect) {
            Ok(()) => {
                if !sheet.incomplete {
                    shelf.keep(path, &bytes);
                }
                return Some(bytes);
            }
            Err(broken) => broken,
        },
    };
    let Some(last) = shelf.last(path) else {
        sheet.take_broken(broken);
        return Some(Vec::new());
    };
    match sheet.take_last(broken, &last.bytes, &last.date, dialect) {
        Ok(()) => Some(last.bytes),
        Err(broken) => {
            sheet.take_broken(broken);
            Some(Vec::new())
        }
    }
}
