//! A pause (SPEC A5): for a while calls are judged and recorded, and nothing is enforced. Only a person can begin one.
//!
//! The pause is an entry of the log; a file beside it says which, so that calls need not search for one.

use std::io::Read;
use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use serde_json::{Value, json};

use super::actions::{Action, record_action};
use crate::error::GateError;
use crate::files;
use crate::span::{Span, Uptime};
use crate::store::{Entry, Filter, Store, StoreError, Tip};

/// The most that the file may hold.
const MOST: u64 = 4096;
/// What kind of entry begins a pause, and what ends one.
const KIND: &str = "pause";
const END: &str = "resume";

/// A pause of enforcement: calls are judged and recorded, and their answers are not enforced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pause {
    /// When it ends, in milliseconds since 1970.
    pub until: u64,
    /// The person who began it.
    pub who: String,
    /// Their terminal.
    pub place: String,
}

fn file(state: &Path) -> PathBuf {
    state.join("pause.json")
}

/// Begins a pause: appends its entry to the audit log, whose position is returned, then writes the file that names
/// the entry.
///
/// # Errors
/// If it cannot be recorded.
pub fn pause(state: &Path, pause: &Pause, now: u64) -> Result<Tip, StoreError> {
    let span = Span { begun: now, until: pause.until, uptime: Uptime::now() };
    let action = Action {
        kind: KIND,
        who: &pause.who,
        place: &pause.place,
        message: format!("{} at {} paused the gate", pause.who, pause.place),
        input: span.to_json(),
    };
    let tip = record_action(state, &action, now)?;
    let text = json!({ "entry": tip.seq, "hash": tip.hash }).to_string();
    files::write_private(&file(state), text.as_bytes())
        .map_err(|error| StoreError::Refused(GateError::write(&file(state), error).to_string()))?;
    Ok(tip)
}

/// Ends the pause early; false if there was none.
///
/// # Errors
/// If the file cannot be removed, or the end cannot be recorded; the pause is over in the second case.
pub fn resume(state: &Path, who: &str, place: &str, now: u64) -> Result<bool, StoreError> {
    let was = paused(state, now);
    match std::fs::remove_file(file(state)) {
        Ok(()) => {}
        Err(error) if files::is_missing(&error) => return Ok(false),
        Err(error) => {
            return Err(StoreError::Refused(GateError::write(&file(state), error).to_string()));
        }
    }
    let Some(was) = was else { return Ok(false) };
    let message = format!("{who} at {place} ended the pause of {}", was.who);
    record_action(state, &Action { kind: END, who, place, message, input: json!({}) }, now)?;
    Ok(true)
}

/// The pause in force at this moment, if any. It counts only together with its entry in the audit log, and ends by
/// the calendar or by the system's uptime, whichever is first.
#[must_use]
pub fn paused(state: &Path, now: u64) -> Option<Pause> {
    in_force(state, now).map(|(pause, _)| pause)
}

/// The pause in force, and the hash of its entry.
pub(crate) fn in_force(state: &Path, now: u64) -> Option<(Pause, String)> {
    // FAIL-CLOSED(broken-pause): a file that cannot be read or is not the user's own pauses nothing.
    let named: Value = serde_json::from_slice(&read_own(&file(state))?).ok()?;
    let store = Store::open_read_only(state).ok()?;
    let (seq, hash) = (named.get("entry")?.as_u64()?, named.get("hash")?.as_str()?);
    let entry = store.entry(seq).ok()?.filter(|entry| entry.hash == hash && entry.record.kind == KIND)?;
    let holds = is_last(&store, seq) && Span::from_json(&entry.record.input)?.holds(now, &Uptime::now());
    if holds { Some((of_entry(&entry)?, entry.hash)) } else { None }
}

fn of_entry(entry: &Entry) -> Option<Pause> {
    let text = |name: &str| entry.record.reason.get(name)?.as_str().map(str::to_owned);
    let until = entry.record.input.get("until")?.as_u64()?;
    Some(Pause { until, who: text("who")?, place: text("place")? })
}

/// Whether nobody ended it or began another one since.
fn is_last(store: &Store, seq: u64) -> bool {
    [KIND, END].iter().all(|kind| {
        let later =
            Filter { kind: Some((*kind).to_owned()), after: Some(seq), limit: Some(1), ..Filter::default() };
        let mut none = true;
        let looked = store.entries(&later, |_| {
            none = false;
            ControlFlow::Break(())
        });
        looked.is_ok() && none
    })
}

/// The content of a file that is the user's own and nobody else's: no link, nothing but a file, no rights for others.
pub(super) fn read_own(path: &Path) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = std::fs::File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let found = file.metadata().ok()?;
    let own = found.uid() == rustix::process::getuid().as_raw();
    if !found.is_file() || !own || found.mode() & 0o077 != 0 || found.nlink() != 1 || found.len() > MOST {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::gate::calendar_ms;

    fn begun(state: &Path) -> (Pause, u64) {
        let now = calendar_ms();
        let begun = Pause { until: now + 60_000, who: "dev".to_owned(), place: "here".to_owned() };
        pause(state, &begun, now).unwrap();
        assert_eq!(paused(state, now), Some(begun.clone()));
        (begun, now)
    }

    /// [A5]
    #[test]
    fn a_pause_ends_by_itself_and_a_broken_file_pauses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        assert_eq!(paused(state, 0), None);
        let (pause, now) = begun(state);
        assert_eq!(paused(state, pause.until), None);
        assert_eq!(paused(state, now - 1), None, "a clock that was set back ends it");
        assert!(resume(state, "dev", "here", now).unwrap());
        assert!(!resume(state, "dev", "here", now).unwrap());
        begun(state);
        std::fs::write(file(state), "{").unwrap();
        assert_eq!(paused(state, now), None);
    }

    /// [A5], [S5], attack-L4
    #[test]
    fn a_pause_counts_only_with_its_entry() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        let write = |text: &str| files::write_private(&file(state), text.as_bytes()).unwrap();
        write(r#"{"until": 99999999999999, "who": "dev", "place": "here"}"#);
        assert_eq!(paused(state, calendar_ms()), None);
        let (_, now) = begun(state);
        let good = std::fs::read_to_string(file(state)).unwrap();
        for bad in [good.replace(":1,", ":2,"), good.replace("\"hash\":\"", "\"hash\":\"0")] {
            assert_ne!(bad, good);
            write(&bad);
            assert_eq!(paused(state, now), None, "{bad}");
        }
        write(&good);
        assert!(paused(state, now).is_some());
        assert!(resume(state, "dev", "here", now).unwrap());
        write(&good);
        assert_eq!(paused(state, now), None, "it was ended, and the file was put back");
    }

    /// [S5], attack-L4
    #[test]
    fn a_file_that_is_a_link_or_open_to_others_pauses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        let (_, now) = begun(state);
        let rights = |mode| std::fs::set_permissions(file(state), PermissionsExt::from_mode(mode)).unwrap();
        rights(0o644);
        assert_eq!(paused(state, now), None);
        rights(0o600);
        std::fs::hard_link(file(state), state.join("other")).unwrap();
        assert_eq!(paused(state, now), None);
        std::fs::remove_file(file(state)).unwrap();
        std::os::unix::fs::symlink("other", file(state)).unwrap();
        assert_eq!(paused(state, now), None);
        std::fs::rename(state.join("other"), file(state)).unwrap();
        assert!(paused(state, now).is_some());
    }
}
