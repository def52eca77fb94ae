//! What was sent to a judging model and what came back, for people who look for a fault (SPEC C15): redacted,
//! private, and never more than a few.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis_classify::redact;

use crate::error::GateError;
use crate::files;

/// How many files of each kind are kept.
const KEPT: usize = 50;

/// The most of a text that is kept.
const LONGEST: usize = 4 << 20;

/// Why something is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dump {
    /// Somebody asked for every request and its answer.
    Exchange,
    /// A request failed.
    Failure,
}

impl Dump {
    const fn ending(self) -> &'static str {
        match self {
            Dump::Exchange => ".exchange.txt",
            Dump::Failure => ".failure.txt",
        }
    }

    /// Writes the text down, without credentials, and says where. The oldest files of its kind make room.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(self, state: &Path, text: &str) -> Result<PathBuf, GateError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let folder = state.join("auto-mode");
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // Names in the order of time, which no two processes share.
        let name = format!("{millis:014}-{number:04}-{}{}", std::process::id(), self.ending());
        let path = folder.join(name);
        let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default();
        files::write_private(&path, redact(text).as_bytes())
            .map_err(|error| GateError::write(&path, error))?;
        self.make_room(&folder);
        Ok(path)
    }

    /// What cannot be removed stays.
    fn make_room(self, folder: &Path) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let of_kind = |path: &PathBuf| path.to_string_lossy().ends_with(self.ending());
        let mut known: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(of_kind).collect();
        known.sort();
        let surplus = known.len().saturating_sub(KEPT);
        for path in known.into_iter().take(surplus) {
            drop(std::fs::remove_file(path));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// [C15], [C18]
    #[test]
    fn dumps_are_private_and_hold_no_credentials() {
        let folder = tempfile::tempdir().unwrap();
        let path = Dump::Failure.write(folder.path(), "Authorization: Bearer abcd1234efgh5678\n500").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("abcd1234") && text.ends_with("500"), "{text}");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(path.parent().unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }

    /// [C15]
    #[test]
    fn the_newest_of_each_kind_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let failure = Dump::Failure.write(folder.path(), "x").unwrap();
        let first = Dump::Exchange.write(folder.path(), "1").unwrap();
        let later: Vec<PathBuf> =
            (0..KEPT).map(|_| Dump::Exchange.write(folder.path(), "2").unwrap()).collect();
        assert!(failure.exists() && !first.exists() && later.iter().all(|path| path.exists()));
        assert_eq!(std::fs::read_dir(folder.path().join("auto-mode")).unwrap().count(), KEPT + 1);
    }
}
