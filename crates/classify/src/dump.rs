//! Dumps exchanges with a model to files, for people who look for the cause of a verdict (SPEC C15). Dumps are
//! redacted, readable by the owner alone, and limited in number.

use crate::client::Exchange;
use crate::failure::Failure;
use serde_json::{Value, json};
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The most files; the oldest beyond it are deleted.
pub const MOST_FILES: usize = 50;

const PREFIX: &str = "classifier-";

/// Tells files of the same moment apart.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Which exchanges are dumped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Those that failed.
    Failures,
    /// All.
    Everything,
}

impl Kept {
    /// The choice that a value of `PORTCULLIS_DUMP_AUTO_MODE` means.
    #[must_use]
    pub fn asked(value: Option<&str>) -> Kept {
        match value {
            Some("1" | "true") => Kept::Everything,
            Some(_) | None => Kept::Failures,
        }
    }
}

/// A folder of dumps.
pub struct Dump<'a> {
    /// The folder; created if missing.
    pub folder: PathBuf,
    /// Which exchanges are dumped.
    pub kept: Kept,
    /// Takes credentials out of text.
    pub redact: &'a (dyn Fn(&str) -> String + Sync),
}

impl Dump<'_> {
    /// Dumps an exchange if it is one of those to dump.
    ///
    /// # Errors
    ///
    /// If the folder or the file cannot be written. The verdict does not depend on it.
    pub fn keep(&self, name: &str, exchange: &Exchange, failure: Option<Failure>) -> io::Result<()> {
        if failure.is_none() && self.kept == Kept::Failures {
            return Ok(());
        }
        let content = json!({
            "stage": name,
            "failure": failure.map(Failure::name),
            "attempts": exchange.attempts,
            "micros": exchange.micros,
            "status": exchange.status,
            "request": self.redacted(&exchange.request),
            "response": self.redacted(&exchange.response),
        });
        make_folder(&self.folder)?;
        write_new(&self.folder.join(file_name(name)), &content)?;
        prune(&self.folder)
    }

    /// Each text of a body is redacted by itself: in the body secrets are spelled with escapes.
    fn redacted(&self, body: &str) -> Value {
        match serde_json::from_str(body) {
            Ok(value) => self.redacted_value(value),
            Err(_) => Value::String((self.redact)(body)),
        }
    }

    fn redacted_value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String((self.redact)(&text)),
            Value::Array(values) => values.into_iter().map(|value| self.redacted_value(value)).collect(),
            Value::Object(map) => {
                let redacted =
                    map.into_iter().map(|(key, value)| ((self.redact)(&key), self.redacted_value(value)));
                Value::Object(redacted.collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }
}

/// Names sort by age.
fn file_name(stage: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{now:020}-{}-{number:04}-{stage}.json", std::process::id())
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn write_new(path: &Path, content: &Value) -> io::Result<()> {
    let mut options = OpenOptions::new();
    // A file or link that is already there is not ours.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(format!("{content:#}\n").as_bytes())
}

fn prune(folder: &Path) -> io::Result<()> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX))
        })
        .collect();
    files.sort();
    let surplus = files.len().saturating_sub(MOST_FILES);
    for old in files.into_iter().take(surplus) {
        match fs::remove_file(&old) {
            // Somebody else removed it at the same moment.
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(request: &str) -> Exchange {
        Exchange {
            request: request.to_owned(),
            status: Some(200),
            response: "not JSON, key-1".to_owned(),
            result: Err(Failure::Malformed),
            attempts: 1,
            micros: 7,
        }
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    fn redact(text: &str) -> String {
        text.replace("key-1", "…").replace("-----\nkey", "…")
    }

    /// [C15] [C18]
    #[test]
    fn files_are_redacted_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("dumps");
        let dump = Dump { folder: folder.clone(), kept: Kept::Everything, redact: &redact };
        dump.keep("first", &exchange(r#"{"a":["key-1","-----\nkey"]}"#), Some(Failure::Malformed)).unwrap();
        let [file] = files(&folder).try_into().unwrap();
        let content: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(content["request"], json!({"a": ["…", "…"]}));
        assert_eq!(content["response"], "not JSON, …");
        assert_eq!(content["failure"], "malformed");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        }
    }

    /// [C15]
    #[test]
    fn failures_are_always_kept_and_the_rest_when_asked() {
        let folder = tempfile::tempdir().unwrap();
        let dump = Dump { folder: folder.path().to_owned(), kept: Kept::asked(None), redact: &redact };
        dump.keep("first", &exchange("{}"), None).unwrap();
        assert_eq!(files(folder.path()).len(), 0);
        dump.keep("first", &exchange("{}"), Some(Failure::Timeout)).unwrap();
        assert_eq!(files(folder.path()).len(), 1);
        assert_eq!(Kept::asked(Some("1")), Kept::Everything);
        assert_eq!(Kept::asked(Some("0")), Kept::Failures);
    }

    /// [C15]
    #[test]
    fn the_oldest_files_go_and_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a-note"), "mine").unwrap();
        let dump = Dump { folder: folder.path().to_owned(), kept: Kept::Everything, redact: &redact };
        for number in 0..MOST_FILES + 5 {
            dump.keep("first", &exchange(&format!("{{\"n\":{number}}}")), None).unwrap();
        }
        let files = files(folder.path());
        assert_eq!(files.len(), MOST_FILES + 1);
        assert_eq!(files[0].file_name().unwrap(), "a-note");
        let oldest: Value = serde_json::from_str(&fs::read_to_string(&files[1]).unwrap()).unwrap();
        assert_eq!(oldest["request"]["n"], 5);
    }
}
