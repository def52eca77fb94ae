//! What was written where, so that it can be taken back to the byte. Without this file, or with a broken one, only what
//! is recognisably ours is taken out.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::files;
use super::site::Site;
use crate::output::append;

const ONLY_FOR_THE_USER: u32 = 0o600;

/// What is remembered, by file.
pub(super) struct Ledger {
    file: PathBuf,
    entries: Map<String, Value>,
}

/// What is remembered of one file.
pub(super) struct Entry {
    /// Whether the file came with us.
    pub(super) created: bool,
    /// The folders that came with it, the outermost first.
    pub(super) folders: Vec<PathBuf>,
    written: String,
}

impl Entry {
    /// Whether the text is what we left.
    pub(super) fn is_untouched(&self, text: &str) -> bool {
        self.written == sha256(text)
    }
}

impl Ledger {
    /// Reads what is remembered.
    pub(super) fn read(site: &Site) -> Ledger {
        let file = site.places.state.join("installed.json");
        let text = files::read(&file).ok().flatten().unwrap_or_default();
        let entries = match serde_json::from_str(&text) {
            Ok(Value::Object(entries)) => entries,
            Ok(_) | Err(_) => Map::new(),
        };
        Ledger { file, entries }
    }

    /// What is remembered of a file.
    pub(super) fn entry(&self, path: &Path) -> Option<Entry> {
        let entry = self.entries.get(path.to_str()?)?;
        let folders = entry.get("folders").and_then(Value::as_array).into_iter().flatten();
        Some(Entry {
            written: entry.get("written")?.as_str()?.to_owned(),
            created: entry.get("created")?.as_bool()?,
            folders: folders.filter_map(Value::as_str).map(PathBuf::from).collect(),
        })
    }

    /// Remembers what was written.
    pub(super) fn remember(&mut self, path: &Path, text: &str, created: bool, folders: &[PathBuf]) {
        let folders: Vec<_> = folders.iter().filter_map(|folder| folder.to_str()).collect();
        let entry = json!({"written": sha256(text), "created": created, "folders": folders});
        self.entries.insert(path.to_string_lossy().into_owned(), entry);
    }

    /// Forgets a file.
    pub(super) fn forget(&mut self, path: &Path) {
        self.entries.remove(path.to_string_lossy().as_ref());
    }

    /// Writes all of it down.
    pub(super) fn save(&self) -> Result<(), String> {
        let written = self.file.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| {
            files::write(
                &self.file,
                &format!("{:#}\n", Value::Object(self.entries.clone())),
                ONLY_FOR_THE_USER,
            )
        });
        written.map_err(|error| format!("cannot write {}: {error}", self.file.display()))
    }
}

/// SHA-256 in hexadecimal digits.
pub(super) fn sha256(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(text) {
        append(&mut digits, format_args!("{byte:02x}"));
    }
    digits
}
