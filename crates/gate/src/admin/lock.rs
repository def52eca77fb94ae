//! Locking the gate (SPEC A7): everything is denied until a person unlocks it. Anybody may lock.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::actions::{Action, record_action};
use super::pause::read_own;
use crate::error::GateError;
use crate::files;
use crate::store::StoreError;

/// A lock in force: who locked the gate, and why. Everything is denied until a person unlocks it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lock {
    /// The user who locked it.
    pub who: String,
    /// Their terminal; empty without one.
    pub place: String,
    /// Their reason; may be empty.
    pub reason: String,
}

impl Lock {
    /// The message that agents and people get with every denial.
    #[must_use]
    pub fn message(&self) -> String {
        let why = if self.reason.is_empty() { String::new() } else { format!(" ({})", self.reason) };
        format!(
            "{} locked the gate{why}: everything is denied until a person runs `portcullis unlock` in a terminal",
            self.who
        )
    }
}

fn file(state: &Path) -> PathBuf {
    state.join("lock.json")
}

/// Locks the gate, then records it. The order matters: a log that cannot be written must not keep the gate open.
///
/// # Errors
/// If the lock cannot be written (nothing is locked then), or cannot be recorded (it is locked).
pub fn lock(state: &Path, lock: &Lock, now_ms: u64) -> Result<(), StoreError> {
    let Lock { who, place, reason } = lock;
    let text = json!({ "who": who, "place": place, "reason": reason }).to_string();
    files::write_private(&file(state), text.as_bytes())
        .map_err(|error| StoreError::Refused(GateError::write(&file(state), error).to_string()))?;
    let message = format!("{who} locked the gate: {reason}");
    let action = Action { kind: "lock", who, place, message, input: json!({ "reason": reason }) };
    record_action(state, &action, now_ms).map(|_| ())
}

/// Unlocks the gate; false if it was not locked.
///
/// # Errors
/// If it cannot be recorded or removed: it stays.
pub fn unlock(state: &Path, who: &str, place: &str, now_ms: u64) -> Result<bool, StoreError> {
    let Some(was) = locked(state) else { return Ok(false) };
    let message = format!("{who} at {place} lifted the lock of {}", was.who);
    let input = json!({ "locked_by": was.who, "reason": was.reason });
    record_action(state, &Action { kind: "unlock", who, place, message, input }, now_ms)?;
    match std::fs::remove_file(file(state)) {
        Ok(()) => Ok(true),
        Err(error) if files::is_missing(&error) => Ok(true),
        Err(error) => Err(StoreError::Refused(GateError::write(&file(state), error).to_string())),
    }
}

/// The lock in force, if any.
#[must_use]
pub fn locked(state: &Path) -> Option<Lock> {
    match std::fs::symlink_metadata(file(state)) {
        Err(error) if files::is_missing(&error) => None,
        // FAIL-CLOSED(broken-lock): a lock that cannot be read is one.
        _ => Some(read(state).unwrap_or_else(|| Lock {
            who: "somebody".to_owned(),
            place: String::new(),
            reason: "the lock cannot be read".to_owned(),
        })),
    }
}

fn read(state: &Path) -> Option<Lock> {
    let value: Value = serde_json::from_slice(&read_own(&file(state))?).ok()?;
    let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
    Some(Lock { who: text("who")?, place: text("place")?, reason: text("reason")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [A7] `FAIL-CLOSED(broken-lock)`.
    #[test]
    fn a_lock_holds_until_it_is_lifted_and_a_broken_one_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        assert_eq!(locked(state), None);
        let odd = Lock { who: "dev".to_owned(), place: String::new(), reason: "odd calls".to_owned() };
        lock(state, &odd, 1).unwrap();
        assert_eq!(locked(state), Some(odd.clone()));
        assert!(odd.message().contains("dev") && odd.message().contains("odd calls"));
        assert!(odd.message().contains("portcullis unlock"));
        assert!(unlock(state, "dev", "here", 2).unwrap());
        assert!(!unlock(state, "dev", "here", 2).unwrap());
        std::fs::write(file(state), "{").unwrap();
        assert!(locked(state).is_some());
        std::fs::remove_file(file(state)).unwrap();
        std::os::unix::fs::symlink("nowhere", file(state)).unwrap();
        assert!(locked(state).is_some());
        assert!(unlock(state, "dev", "here", 2).unwrap());
        assert_eq!(locked(state), None);
    }
}
