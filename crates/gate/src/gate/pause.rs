//! A pause (SPEC A5): for a while calls are judged and written down, and agents are told nothing. Only a person at a
//! terminal can begin one.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::error::GateError;
use crate::files::{self, Content};

/// A pause that was begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pause {
    /// When it ends, in milliseconds since 1970.
    pub until: u64,
    /// Who began it.
    pub who: String,
    /// Where they sat.
    pub place: String,
}

fn file(state: &Path) -> PathBuf {
    state.join("pause.json")
}

/// Begins a pause.
///
/// # Errors
/// If it cannot be written down.
pub fn pause(state: &Path, pause: &Pause) -> Result<(), GateError> {
    let text = json!({ "until": pause.until, "who": pause.who, "place": pause.place }).to_string();
    files::write_private(&file(state), text.as_bytes()).map_err(|error| GateError::write(&file(state), error))
}

/// Ends a pause before its time; says whether there was one.
///
/// # Errors
/// If the note cannot be removed.
pub fn resume(state: &Path) -> Result<bool, GateError> {
    match std::fs::remove_file(file(state)) {
        Ok(()) => Ok(true),
        Err(error) if files::is_missing(&error) => Ok(false),
        Err(error) => Err(GateError::write(&file(state), error)),
    }
}

/// The pause that is in force at this moment.
#[must_use]
pub fn paused(state: &Path, now: u64) -> Option<Pause> {
    let Content::Bytes(bytes) = files::read(&file(state)) else { return None };
    // FAIL-CLOSED(broken-pause): a note that cannot be read pauses nothing.
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
    let found = Pause { until: value.get("until")?.as_u64()?, who: text("who")?, place: text("place")? };
    (found.until > now).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [A5]
    #[test]
    fn a_pause_ends_by_itself_and_a_broken_note_pauses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        assert_eq!(paused(state, 0), None);
        let begun = Pause { until: 100, who: "dev".to_owned(), place: "here".to_owned() };
        pause(state, &begun).unwrap();
        assert_eq!(paused(state, 99), Some(begun));
        assert_eq!(paused(state, 100), None);
        std::fs::write(file(state), "{").unwrap();
        assert_eq!(paused(state, 0), None);
        assert!(resume(state).unwrap());
        assert!(!resume(state).unwrap());
    }
}
