//! The mode of one session, chosen by a person while it runs (SPEC M3): one file per session in the state folder,
//! which only its owner can change.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis_decide::Mode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::places::Places;
use crate::error::GateError;
use crate::files::{self, Content};

/// How many sessions are remembered; of more, the oldest are forgotten.
const MOST: usize = 1000;

/// The mode that a person chose for a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionMode {
    /// The mode.
    pub mode: Mode,
    /// The file that holds it.
    pub file: PathBuf,
    /// When it was chosen, in seconds since 1970.
    pub since: u64,
}

/// The mode chosen for a session; `None` if none was.
///
/// # Errors
/// If something is written down and cannot be relied on: then the session has no mode that may be assumed.
pub fn session_mode(places: &Places, session: &str) -> Result<Option<SessionMode>, GateError> {
    let file = place(places, session);
    let bytes = match files::read(&file) {
        Content::Missing => return Ok(None),
        // FAIL-CLOSED(broken-session): what cannot be read may have been a stricter mode.
        Content::Unreadable(why) => return Err(GateError::unreadable(&file, &why)),
        Content::Bytes(bytes) => bytes,
    };
    let shared = |path: &Path| path.metadata().map_or(0o777, |it| it.permissions().mode()) & 0o022 != 0;
    if shared(&file) || file.parent().is_none_or(shared) {
        let why = "it can be changed by other users; make it private with `chmod go-w`";
        return Err(GateError::unreadable(&file, why));
    }
    let broken = || GateError::unreadable(&file, "it is broken; set the session's mode again");
    let value: Value = serde_json::from_slice(&bytes).map_err(|_| broken())?;
    let text = |field: &str| value.get(field).and_then(Value::as_str);
    let mode = text("mode").and_then(|mode| mode.parse().ok()).ok_or_else(broken)?;
    if text("session") != Some(session) {
        return Err(broken());
    }
    let since = value.get("since").and_then(Value::as_u64).unwrap_or_default();
    Ok(Some(SessionMode { mode, file, since }))
}

/// Chooses the mode of a session.
///
/// # Errors
/// If it cannot be written down.
pub fn set_session_mode(places: &Places, session: &str, mode: Mode) -> Result<SessionMode, GateError> {
    let file = place(places, session);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let text = format!("{}\n", json!({ "session": session, "mode": mode.name(), "since": since }));
    files::write_private(&file, text.as_bytes()).map_err(|error| GateError::write(&file, error))?;
    if let Some(folder) = file.parent() {
        forget_oldest(folder);
    }
    Ok(SessionMode { mode, file, since })
}

/// A name for the session's file that no id can lead elsewhere with.
fn place(places: &Places, session: &str) -> PathBuf {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let short = !session.is_empty() && session.len() <= 64 && session.bytes().all(plain);
    let name = if short { session.to_owned() } else { format!("sha256-{}", digest(session)) };
    places.state.join("sessions").join(format!("{name}.json"))
}

fn digest(text: &str) -> String {
    let hex =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
    Sha256::digest(text).into_iter().flat_map(hex).collect()
}

/// Keeps the folder from growing without end. What cannot be removed stays.
fn forget_oldest(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let changed = |entry: &std::fs::DirEntry| entry.metadata().and_then(|it| it.modified()).ok();
    let mut known: Vec<_> =
        entries.flatten().filter_map(|entry| Some((changed(&entry)?, entry.path()))).collect();
    if known.len() <= MOST {
        return;
    }
    known.sort();
    let surplus = known.len() - MOST;
    for (_, path) in known.into_iter().take(surplus) {
        drop(std::fs::remove_file(path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(folder: &Path) -> Places {
        Places { state: folder.join("state"), ..Places::none(folder) }
    }

    /// [M3]
    #[test]
    fn a_sessions_mode_is_private_and_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        assert_eq!(session_mode(&places, "a").unwrap(), None);
        let set = set_session_mode(&places, "a", Mode::Plan).unwrap();
        assert_eq!(set.file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(set.file.parent().unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(session_mode(&places, "a").unwrap().map(|it| it.mode), Some(Mode::Plan));
        assert_eq!(session_mode(&places, "b").unwrap(), None);
    }

    #[test]
    fn no_id_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        for session in ["../../x", "/etc/x", "", "a/b", "a\0b", "..", &"x".repeat(5000)] {
            let set = set_session_mode(&places, session, Mode::Auto).unwrap();
            assert_eq!(set.file.parent(), Some(places.state.join("sessions").as_path()), "{session}");
            assert_eq!(session_mode(&places, session).unwrap().map(|it| it.mode), Some(Mode::Auto));
        }
    }

    /// [A3]
    #[test]
    fn what_cannot_be_relied_on_is_no_mode() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        let file = set_session_mode(&places, "a", Mode::Plan).unwrap().file;
        for text in
            ["", "{", "{\"session\":\"a\",\"mode\":\"yolo\"}", "{\"session\":\"b\",\"mode\":\"plan\"}"]
        {
            std::fs::write(&file, text).unwrap();
            assert!(session_mode(&places, "a").is_err(), "{text}");
        }
        set_session_mode(&places, "a", Mode::Plan).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o622)).unwrap();
        assert!(session_mode(&places, "a").is_err());
    }
}
