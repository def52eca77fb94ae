//! The conversations of sessions, each read once and then followed: they grow with every call.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use portcullis_classify::transcript::{Followed, Format, ReadError, Transcript};

/// How many are kept in mind.
const MOST: usize = 64;

/// What tells conversations apart: a call that does not say where it was made is read by the directory.
type Key = (PathBuf, Format, String);

/// The conversations that were read last.
#[derive(Default)]
pub(crate) struct Talks(Mutex<VecDeque<(Key, Arc<Mutex<Followed>>)>>);

impl Talks {
    /// A conversation as it stands now, and why it cannot be relied on, if it cannot.
    pub(crate) fn read(&self, path: &Path, format: Format, cwd: &str) -> (Transcript, Option<String>) {
        let followed = self.followed((path.to_path_buf(), format, cwd.to_owned()));
        let read = followed.lock().unwrap_or_else(PoisonError::into_inner).read(path);
        match read {
            Ok(talk) if talk.entries.is_empty() && talk.skipped > 1 => {
                (talk, Some("none of its lines is understood".to_owned()))
            }
            Ok(talk) => (talk, None),
            // The agent writes it down later than it calls.
            Err(ReadError::Source(error)) if error.kind() == ErrorKind::NotFound => {
                (Transcript::default(), None)
            }
            Err(error) => (Transcript::default(), Some(error.to_string())),
        }
    }

    fn followed(&self, key: Key) -> Arc<Mutex<Followed>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(known, _)| *known == key);
        let found = at.and_then(|at| kept.remove(at));
        let (key, followed) = found.unwrap_or_else(|| {
            let followed = Followed::new(key.1, &key.2);
            (key, Arc::new(Mutex::new(followed)))
        });
        kept.push_front((key, Arc::clone(&followed)));
        kept.truncate(MOST);
        followed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C2], [A3]
    #[test]
    fn conversations_are_kept_apart_and_only_so_many() {
        let folder = tempfile::tempdir().unwrap();
        let talks = Talks::default();
        let said = |number: usize| {
            let path = folder.path().join(format!("{number}.jsonl"));
            let (talk, problem) = talks.read(&path, Format::ClaudeCode, "/p");
            assert_eq!(problem, None);
            talk.human_turns().map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(said(0).is_empty(), "it is not written yet");
        for number in 0..MOST + 10 {
            let line = format!(r#"{{"type":"user","uuid":"1","message":{{"content":"do {number}"}}}}"#);
            std::fs::write(folder.path().join(format!("{number}.jsonl")), format!("{line}\n")).unwrap();
            assert_eq!(said(number), [format!("do {number}")]);
        }
        assert_eq!(said(0), ["do 0"], "one that was forgotten is read again");
        assert_eq!(talks.0.lock().unwrap().len(), MOST);
        std::fs::write(folder.path().join("1.jsonl"), "no\nJSON\n").unwrap();
        let (_, problem) = talks.read(&folder.path().join("1.jsonl"), Format::ClaudeCode, "/p");
        assert_eq!(problem.as_deref(), Some("none of its lines is understood"));
        assert!(talks.read(folder.path(), Format::ClaudeCode, "/p").1.is_some(), "a folder");
    }
}
