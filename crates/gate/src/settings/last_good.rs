//! The last good version of each settings file (SPEC A2): while a file is broken as a whole, it counts in its place.
//!
//! Copies are private to the user and bear the time of the file they were made of, so one look tells whether a copy
//! is up to date. Nothing here makes a load fail: what cannot be written is not there later.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::day::Day;
use crate::files::{self, Content};

use super::trust::digest;

/// Where copies are kept; nowhere for loads that may not touch the machine.
#[derive(Debug)]
pub(crate) struct Shelf {
    folder: Option<PathBuf>,
}

/// A version of a file that could be read.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) bytes: Vec<u8>,
    /// When the file was changed to it, for people.
    pub(crate) date: String,
}

impl Shelf {
    /// The copies in a state folder.
    pub(crate) fn in_state(state: &Path) -> Shelf {
        let folder = (!state.as_os_str().is_empty()).then(|| state.join("good"));
        Shelf { folder }
    }

    /// No copies: nothing is kept and nothing is found.
    pub(crate) const fn none() -> Shelf {
        Shelf { folder: None }
    }

    /// Keeps this version of the file, unless it is kept already. This runs for every call: two looks, no reading.
    pub(crate) fn keep(&self, path: &Path, bytes: &[u8]) {
        let Some(copy) = self.copy_of(path) else { return };
        let Some(changed) = path.metadata().ok().and_then(|file| file.modified().ok()) else { return };
        let kept = copy.symlink_metadata().is_ok_and(|copy| {
            copy.is_file()
                && copy.modified().is_ok_and(|time| time == changed)
                && u64::try_from(bytes.len()).is_ok_and(|length| length == copy.len())
        });
        if kept || files::write_private(&copy, bytes).is_err() {
            return;
        }
        // Without its time the copy is written again next time; nothing is lost.
        drop(File::options().write(true).open(&copy).and_then(|copy| copy.set_modified(changed)));
    }

    /// The version of the file that was kept. One that others could have changed is none.
    pub(crate) fn last(&self, path: &Path) -> Option<Version> {
        let copy = self.copy_of(path)?;
        let Content::Bytes(bytes) = files::read(&copy) else { return None };
        // FAIL-CLOSED(good-copy): whoever can write a copy could loosen by breaking the file.
        if files::is_shared(&copy) || copy.parent().is_none_or(files::is_shared) {
            return None;
        }
        let changed = copy.metadata().ok()?.modified().ok()?;
        Some(Version { bytes, date: moment(changed) })
    }

    /// The file is gone, and what it said with it: a later one that is broken does not bring it back.
    pub(crate) fn forget(&self, path: &Path) {
        if let Some(copy) = self.copy_of(path) {
            drop(std::fs::remove_file(copy));
        }
    }

    fn copy_of(&self, path: &Path) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        let path = std::path::absolute(path).ok()?;
        Some(folder.join(format!("{}.json", digest(path.as_os_str().as_encoded_bytes()))))
    }
}

/// A moment for people, to the minute.
pub(crate) fn moment(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let minutes = seconds / 60;
    let day = Day::of_millis(seconds.saturating_mul(1000));
    format!("{day} {:02}:{:02} UTC", minutes / 60 % 24, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_to_the_minute() {
        assert_eq!(moment(UNIX_EPOCH), "1970-01-01 00:00 UTC");
        let later = UNIX_EPOCH + std::time::Duration::from_secs(86_400 + 3600 * 13 + 60 * 7 + 59);
        assert_eq!(moment(later), "1970-01-02 13:07 UTC");
    }

    #[test]
    fn a_copy_is_written_when_the_file_changed_and_only_then() {
        let folder = tempfile::tempdir().unwrap();
        let (state, file) = (folder.path().join("state"), folder.path().join("settings.json"));
        let shelf = Shelf::in_state(&state);
        std::fs::write(&file, "{}").unwrap();
        shelf.keep(&file, b"{}");
        let copy = shelf.copy_of(&file).unwrap();
        // What is kept with the same time and length is not written again.
        std::fs::write(&copy, "[]").unwrap();
        let changed = file.metadata().unwrap().modified().unwrap();
        File::options().write(true).open(&copy).unwrap().set_modified(changed).unwrap();
        shelf.keep(&file, b"{}");
        assert_eq!(shelf.last(&file).unwrap().bytes, b"[]");
        let later = changed + std::time::Duration::from_secs(1);
        File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
        shelf.keep(&file, b"{}");
        assert_eq!(shelf.last(&file).unwrap().bytes, b"{}");
        shelf.forget(&file);
        assert!(shelf.last(&file).is_none() && Shelf::none().last(&file).is_none());
    }
}
