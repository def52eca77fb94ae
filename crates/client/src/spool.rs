//! Notes of denies that a hook program made on its own, until somebody who can write the log takes them over (SPEC A8).
//!
//! A hook denies by itself where the daemon or the log cannot be used, so it cannot write an entry. It leaves a small file
//! in the state folder instead. Such a file can only ever become an entry that says deny.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, OFlags};
use serde_json::{Value, json};

/// The most notes that wait; a hook that finds more leaves none.
const MOST_NOTES: usize = 500;
/// The longest note; the call itself is left out where it would be longer.
const LONGEST: usize = 64 << 10;
/// The longest reason.
const LONGEST_REASON: usize = 2 << 10;
/// How many notes are taken over in one go.
const TAKEN: usize = 100;

/// A denial that a hook made on its own, because no daemon answered in time.
#[derive(Clone, PartialEq, Debug)]
pub struct Note {
    /// When, in milliseconds since 1970.
    pub time_ms: u64,
    /// The agent that started the hook.
    pub agent: String,
    /// The reason.
    pub why: String,
    /// The host's event without credentials; null if it could not be read.
    pub call: Value,
}

impl Note {
    /// A denial made now.
    #[must_use]
    pub fn now(agent: &str, why: &str, call: Value) -> Note {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let why = why.chars().take(LONGEST_REASON).collect();
        Note { time_ms, agent: agent.to_owned(), why, call }
    }

    /// Leaves the note in the state folder. Nobody waits for the disk: the answer is a deny with or without it.
    ///
    /// # Errors
    /// If it cannot be written, or too many are there already.
    pub fn leave(&self, state: &Path) -> io::Result<()> {
        let folder = folder(state);
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        if std::fs::read_dir(&folder)?.take(MOST_NOTES).count() >= MOST_NOTES {
            return Err(io::Error::other("too many notes are waiting"));
        }
        let mut text = self.to_json().to_string();
        if text.len() > LONGEST {
            text = Note { call: Value::Null, ..self.clone() }.to_json().to_string();
        }
        let name = format!("{:020}-{}", self.time_ms, std::process::id());
        let (new, path) = (folder.join(format!("{name}.new")), folder.join(format!("{name}.json")));
        // What appears under its name is whole.
        let written =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new).and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                std::fs::rename(&new, path)
            });
        if written.is_err() {
            drop(std::fs::remove_file(&new));
        }
        written
    }

    fn to_json(&self) -> Value {
        json!({ "time_ms": self.time_ms, "agent": self.agent, "why": self.why, "call": self.call })
    }

    fn from_json(value: &Value) -> Option<Note> {
        let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
        Some(Note {
            time_ms: value.get("time_ms")?.as_u64()?,
            agent: text("agent")?,
            why: text("why")?.chars().take(LONGEST_REASON).collect(),
            call: value.get("call")?.clone(),
        })
    }
}

/// Hands the notes that wait to `enter`, the oldest first, and removes those that it took. Only one process does this at a
/// time; one that is killed in between may leave a note that was entered already, which is then entered twice.
pub fn take_notes(state: &Path, mut enter: impl FnMut(Note) -> bool) {
    let folder = folder(state);
    let Ok(found) = std::fs::read_dir(&folder) else { return };
    let mut names: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
    if names.is_empty() {
        return;
    }
    let Ok(lock) = File::open(&folder) else { return };
    if rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    names.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    names.sort();
    for path in names.into_iter().take(TAKEN) {
        let note = match read(&path) {
            Ok(note) => note,
            // Somebody else was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(_) => None,
        };
        let note =
            note.unwrap_or_else(|| Note::now("unknown", "a note of a hook cannot be read", Value::Null));
        if !enter(note) {
            return;
        }
        drop(std::fs::remove_file(&path));
    }
}

/// The note in a file; nothing if it holds none of ours.
fn read(path: &Path) -> io::Result<Option<Note>> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.uid() != rustix::process::geteuid().as_raw() {
        return Ok(None);
    }
    let mut text = Vec::new();
    file.take(LONGEST as u64 + 1).read_to_end(&mut text)?;
    let value = serde_json::from_slice::<Value>(&text).ok().filter(|_| text.len() <= LONGEST);
    Ok(value.as_ref().and_then(Note::from_json))
}

fn folder(state: &Path) -> PathBuf {
    state.join("hook-denies")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn taken(state: &Path) -> Vec<Note> {
        let mut notes = Vec::new();
        take_notes(state, |note| {
            notes.push(note);
            true
        });
        notes
    }

    /// [A8]
    #[test]
    fn a_note_is_private_and_taken_over_once() {
        let state = tempfile::tempdir().unwrap();
        assert!(taken(state.path()).is_empty());
        let note = Note::now("generic", "the daemon is silent", json!({ "id": "1" }));
        note.leave(state.path()).unwrap();
        let path = std::fs::read_dir(folder(state.path())).unwrap().next().unwrap().unwrap().path();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        take_notes(state.path(), |_| false);
        assert_eq!(taken(state.path()), [note], "what could not be entered stays");
        assert!(taken(state.path()).is_empty());
    }

    /// [A8]
    #[test]
    fn notes_are_bounded_in_number_and_size() {
        let state = tempfile::tempdir().unwrap();
        let long = Note::now("generic", &"w".repeat(9999), json!("x".repeat(LONGEST)));
        long.leave(state.path()).unwrap();
        let notes = taken(state.path());
        assert_eq!(
            notes.first().map(|note| (note.call.clone(), note.why.len())),
            Some((Value::Null, LONGEST_REASON))
        );
        for number in 0..MOST_NOTES {
            std::fs::write(folder(state.path()).join(format!("{number}.new")), "").unwrap();
        }
        assert!(long.leave(state.path()).is_err());
    }

    /// [A8]
    #[test]
    fn what_is_no_note_is_entered_as_one_that_cannot_be_read() {
        let state = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder(state.path())).unwrap();
        let at = |name: &str| folder(state.path()).join(name);
        std::fs::write(at("1.json"), "no JSON").unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("2.json")).unwrap();
        std::fs::write(at("half.new"), "{").unwrap();
        assert!(taken(state.path()).iter().all(|note| note.call.is_null() && note.agent == "unknown"));
        assert!(at("half.new").exists() && !at("1.json").exists() && !at("2.json").exists());
    }
}
