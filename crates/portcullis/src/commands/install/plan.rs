//! What becomes of an agent's files: read, understood and worked out, with nothing written yet.

use std::path::{Path, PathBuf};

use super::agents::{Agent, Content, Target};
use super::ledger::Ledger;
use super::site::{Scope, Site};
use super::{Direction, codex_trust, files};

/// The changes for one agent.
pub(super) struct Plan {
    /// Which agent.
    pub(super) agent: &'static Agent,
    /// The files that change.
    pub(super) changes: Vec<Change>,
}

/// A file that changes.
pub(super) struct Change {
    /// The file, as it is named; it may be a link.
    pub(super) path: PathBuf,
    /// Its text; nothing where it is missing.
    pub(super) before: Option<String>,
    /// Its text afterwards; nothing where it goes.
    pub(super) after: Option<String>,
    /// What becomes of the copy of the user's own text.
    pub(super) backup: Backup,
    /// Whether the file came with us.
    pub(super) created: bool,
    /// The folders that came with us, the outermost first.
    pub(super) folders: Vec<PathBuf>,
}

/// What becomes of the copy beside a file.
pub(super) enum Backup {
    /// There is a good one, or none is needed.
    Keep,
    /// This is the user's own text.
    Write(String),
    /// It has served.
    Remove,
}

impl Plan {
    /// Works out the changes.
    pub(super) fn make(
        agent: &'static Agent,
        site: &Site,
        ledger: &Ledger,
        direction: Direction,
    ) -> Result<Plan, String> {
        let targets = (agent.files)(site).map_err(|why| format!("{}: {why}", agent.title))?;
        let mut changes = Vec::new();
        let mut file_before: Option<HooksFile> = None;
        for target in targets {
            let say = |why: String| {
                format!("{}: {}: {why}; nothing was changed", agent.title, target.path.display())
            };
            stays_inside(&target.path, site).map_err(say)?;
            let text = files::read(&target.path).map_err(say)?;
            let change = match direction {
                Direction::In => put_in(&target, text.as_deref(), ledger, file_before.as_ref()),
                Direction::Out => take_out(&target, text.as_deref(), ledger, file_before.as_ref()),
            };
            let change = change.map_err(say)?;
            let before = text.unwrap_or_default();
            let after = change.as_ref().and_then(|change| change.after.clone());
            let after = after.unwrap_or_else(|| before.clone());
            file_before = Some(HooksFile { path: target.path, before, after });
            changes.extend(change);
        }
        Ok(Plan { agent, changes })
    }
}

/// A repository can bring links; what is meant for the project must not be written elsewhere.
fn stays_inside(path: &Path, site: &Site) -> Result<(), String> {
    let Some(project) = site.places.project.canonicalize().ok().filter(|_| site.scope == Scope::Project)
    else {
        return Ok(());
    };
    let existing = path.ancestors().find_map(|above| above.canonicalize().ok());
    let named_inside = path.starts_with(&site.places.project);
    if named_inside && !existing.is_some_and(|existing| existing.starts_with(&project)) {
        return Err("it leads out of the project".to_owned());
    }
    Ok(())
}

/// The file in the list before one that holds trust in its hooks.
struct HooksFile {
    path: PathBuf,
    before: String,
    after: String,
}

type FileBefore<'a> = Option<&'a HooksFile>;

fn put_in(
    target: &Target,
    text: Option<&str>,
    ledger: &Ledger,
    file_before: FileBefore<'_>,
) -> Result<Option<Change>, String> {
    let before = text.unwrap_or_default();
    let after = match &target.content {
        Content::Hooks(hooks) => hooks.put_in(before)?,
        Content::CodexTrust => {
            let hooks = file_before.ok_or("there are no hooks to trust")?;
            codex_trust::put_in(before, &hooks.path, &hooks.before, &hooks.after)?
        }
        Content::Whole(whole) => {
            if text.is_some_and(|text| !is_our_file(text)) {
                return Err("somebody else's file has this name".to_owned());
            }
            whole.clone()
        }
    };
    if text == Some(after.as_str()) {
        return Ok(None);
    }
    // What is made from nothing ends like every text file.
    let after = if before.is_empty() && !after.ends_with('\n') { after + "\n" } else { after };
    let known = ledger.entry(&target.path);
    let (backup, created, folders) = match (text, known) {
        (None, _) => (Backup::Remove, true, files::missing_folders(&target.path)),
        (Some(text), Some(entry)) if entry.is_untouched(text) => (Backup::Keep, entry.created, entry.folders),
        (Some(text), _) => match without_ours(target, text, file_before)? {
            Some(own) => (Backup::Write(own), false, Vec::new()),
            // All of it was ours, and an empty file is none that the agent could read.
            None => (Backup::Remove, true, Vec::new()),
        },
    };
    let path = target.path.clone();
    Ok(Some(Change { path, before: text.map(str::to_owned), after: Some(after), backup, created, folders }))
}

/// The user's own text, where an older entry of ours may stand in it.
fn without_ours(target: &Target, text: &str, file_before: FileBefore<'_>) -> Result<Option<String>, String> {
    match (&target.content, file_before) {
        (Content::Hooks(hooks), _) if hooks.is_known(text) => hooks.take_out(text, None),
        (Content::CodexTrust, Some(hooks)) => codex_trust::take_out(text, &hooks.path, &hooks.before),
        (Content::Whole(_), _) => Ok(None),
        (Content::Hooks(_), _) | (Content::CodexTrust, None) => Ok(Some(text.to_owned())),
    }
}

fn take_out(
    target: &Target,
    text: Option<&str>,
    ledger: &Ledger,
    file_before: FileBefore<'_>,
) -> Result<Option<Change>, String> {
    let Some(text) = text else { return Ok(None) };
    let known = ledger.entry(&target.path);
    let copy = files::read(&backup_path(&target.path)).unwrap_or_default();
    let untouched = known.as_ref().is_some_and(|entry| entry.is_untouched(text));
    let created = known.as_ref().is_some_and(|entry| entry.created);
    let after = match (&target.content, untouched, created, &copy) {
        (_, true, true, _) => None,
        (Content::Hooks(_) | Content::CodexTrust, true, false, Some(copy)) => Some(copy.clone()),
        (Content::Hooks(hooks), ..) => hooks.take_out(text, copy.as_deref())?,
        (Content::CodexTrust, ..) => match file_before {
            Some(hooks) => codex_trust::take_out(text, &hooks.path, &hooks.before)?,
            None => Some(text.to_owned()),
        },
        (Content::Whole(_), ..) if is_our_file(text) => None,
        (Content::Whole(_), ..) => Some(text.to_owned()),
    };
    if after.as_deref() == Some(text) {
        return Ok(None);
    }
    let folders = known.map(|entry| entry.folders).unwrap_or_default();
    let path = target.path.clone();
    Ok(Some(Change { path, before: Some(text.to_owned()), after, backup: Backup::Remove, created, folders }))
}

/// Whether a file that holds nothing else came from us.
pub(super) fn is_our_file(text: &str) -> bool {
    text.contains("portcullis")
}

/// The copy beside a file.
pub(super) fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".portcullis-backup");
    PathBuf::from(name)
}
