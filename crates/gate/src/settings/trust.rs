//! Trust of settings files that a repository can bring (SPEC R11): by their exact content, in their exact place.
//!
//! An untrusted file can only tighten. [`preview`] shows what a file would loosen, [`trust()`] or [`Preview::record`]
//! trusts that content, and [`forget`] takes the trust back. The place is the project's folder with every link
//! followed and the file's name in it as spelled, so a link to a file that is trusted elsewhere is not trusted.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis_decide::Mode;
use portcullis_decide::rules::{Extra, Origin, Source, is_dangerous};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::keys::Giver;
use super::places::{Places, ledger_file};
use super::read::{Dialect, Sheet};
use crate::error::GateError;
use crate::files::{self, Content};
use crate::problem::Problem;

/// What a file would loosen if it were trusted, bound to the content that was read.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The file, with the links of its project's folder followed.
    pub file: PathBuf,
    /// The SHA-256 of its content.
    pub sha256: String,
    /// What it would loosen.
    pub loosened: Vec<Loosened>,
    /// Problems with the file.
    pub problems: Vec<Problem>,
}

/// One setting that a file would loosen.
#[derive(Clone, Debug)]
pub struct Loosened {
    /// The setting.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// Where it is set.
    pub origin: Origin,
    /// Whether it would allow nearly anything.
    pub dangerous: bool,
    /// Whether it has no effect even in a trusted file.
    pub never: bool,
}

/// A trusted file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trusted {
    /// The path of the file.
    pub file: String,
    /// The SHA-256 of the trusted content.
    pub sha256: String,
    /// When it was trusted, in seconds since 1970.
    pub since: u64,
}

/// What `file` would loosen if it were trusted.
///
/// # Errors
/// If the file cannot be read, or is not one that a project brings.
pub fn preview(file: &Path) -> Result<Preview, GateError> {
    let place = place_of(file).ok_or_else(|| GateError::NoProjectFile(file.display().to_string()))?;
    let bytes = match files::read(&place) {
        Content::Bytes(bytes) => bytes,
        Content::Missing => return Err(GateError::unreadable(&place, "there is no such file")),
        Content::Unreadable(why) => return Err(GateError::unreadable(&place, &why)),
    };
    let foreign = place.parent().and_then(Path::file_name).is_some_and(|name| name == ".claude");
    let dialect = if foreign { Dialect::ClaudeCode } else { Dialect::Portcullis };
    let mut sheet = Sheet::new(Source::Project, Some(place.display().to_string()), None);
    sheet.take(&bytes, dialect);
    Ok(Preview { loosened: loosened(&sheet), sha256: digest(&bytes), problems: sheet.problems, file: place })
}

fn loosened(sheet: &Sheet) -> Vec<Loosened> {
    let mut found = Vec::new();
    for entry in sheet.entries.iter().filter(|entry| entry.key.giver == Giver::AfterTrust) {
        let key = entry.key.name;
        let one = |value, origin, dangerous, never| Loosened { key, value, origin, dangerous, never };
        for rule in &entry.rules {
            let dangerous = is_dangerous(rule, Extra::Keep);
            found.push(one(rule.text.clone().into(), rule.origin.clone(), dangerous, false));
        }
        match &entry.value {
            Value::Array(_) if !entry.rules.is_empty() => {}
            Value::Array(texts) => {
                let placed = texts.iter().zip(&entry.places);
                found.extend(placed.map(|(text, at)| one(text.clone(), sheet.origin(*at), false, false)));
            }
            value @ (Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_)) => {
                let never = mode(value).is_some_and(is_never_given);
                found.push(one(value.clone(), sheet.origin(entry.place), false, never));
            }
        }
    }
    found
}

/// The mode of a value.
pub(crate) fn mode(value: &Value) -> Option<Mode> {
    value.as_str().and_then(|name| name.parse().ok())
}

/// Whether no project can choose the mode, trusted or not.
pub(crate) const fn is_never_given(mode: Mode) -> bool {
    matches!(mode, Mode::Auto | Mode::Bypass)
}

/// Trusts the present content of `file`.
///
/// # Errors
/// If the file cannot be read, or the trust cannot be written down.
pub fn trust(places: &Places, file: &Path) -> Result<Preview, GateError> {
    let review = preview(file)?;
    review.record(places)?;
    Ok(review)
}

impl Preview {
    /// Trusts the content that was previewed, whatever the file holds by now.
    ///
    /// # Errors
    /// If the trust cannot be written down.
    pub fn record(&self, places: &Places) -> Result<(), GateError> {
        let mut ledger = Ledger::read(&places.state).usable()?;
        let file = self.file.display().to_string();
        ledger.trusted.retain(|known| known.file != file);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        ledger.trusted.push(Trusted { file, sha256: self.sha256.clone(), since });
        ledger.write()
    }
}

/// Whether a file of the project is trusted with this content.
pub(crate) fn is_trusted(places: &Places, file: &Path, bytes: &[u8]) -> bool {
    place_of(file).is_some_and(|place| Ledger::read(&places.state).trusts(&place, bytes))
}

/// All trusted files.
///
/// # Errors
/// If what was written down cannot be read.
pub fn list(places: &Places) -> Result<Vec<Trusted>, GateError> {
    Ok(Ledger::read(&places.state).usable()?.trusted)
}

/// Takes the trust of `file` back; false if it was not trusted.
///
/// # Errors
/// If what was written down cannot be read or changed.
pub fn forget(places: &Places, file: &Path) -> Result<bool, GateError> {
    let mut ledger = Ledger::read(&places.state).usable()?;
    let place = place_of(file).unwrap_or_else(|| file.to_path_buf()).display().to_string();
    let before = ledger.trusted.len();
    ledger.trusted.retain(|known| known.file != place);
    if ledger.trusted.len() == before {
        return Ok(false);
    }
    ledger.write().map(|()| true)
}

/// `<project>/.portcullis/settings.json` and the like, with the links of the project's folder followed.
pub(crate) fn place_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let (name, folder_name) = (file.file_name()?, folder.file_name()?);
    let known = [".portcullis", ".claude"].iter().any(|known| folder_name == *known)
        && ["settings.json", "settings.local.json"].iter().any(|known| name == *known);
    let project = folder
        .parent()
        .map(|project| if project.as_os_str().is_empty() { Path::new(".") } else { project })?;
    let project = project.canonicalize().ok()?;
    known.then(|| project.join(folder_name).join(name))
}

/// What was trusted, as it is written down.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    trusted: Vec<Trusted>,
    /// Why it cannot be relied on; then nothing is trusted.
    pub(crate) problem: Option<String>,
}

impl Ledger {
    /// Reads the ledger; one that cannot be relied on trusts nothing.
    pub(crate) fn read(state: &Path) -> Ledger {
        let path = ledger_file(state);
        let (trusted, problem) = match entries(&path) {
            Ok(trusted) => (trusted, None),
            // FAIL-CLOSED(broken-trust): without a ledger no project file may loosen anything.
            Err(problem) => (Vec::new(), Some(format!("nothing is trusted: `{}` {problem}", path.display()))),
        };
        Ledger { path, trusted, problem }
    }

    fn usable(self) -> Result<Ledger, GateError> {
        match self.problem {
            Some(problem) => Err(GateError::Ledger(problem)),
            None => Ok(self),
        }
    }

    pub(crate) fn trusts(&self, place: &Path, bytes: &[u8]) -> bool {
        let Some(known) = self.trusted.iter().find(|known| Path::new(&known.file) == place) else {
            return false;
        };
        known.sha256 == digest(bytes)
    }

    fn write(&self) -> Result<(), GateError> {
        let trusted: Vec<Value> = self
            .trusted
            .iter()
            .map(|known| json!({ "file": known.file, "sha256": known.sha256, "since": known.since }))
            .collect();
        let text = format!("{:#}\n", json!({ "trusted": trusted }));
        files::write_private(&self.path, text.as_bytes()).map_err(|error| GateError::write(&self.path, error))
    }
}

fn entries(path: &Path) -> Result<Vec<Trusted>, String> {
    let bytes = match files::read(path) {
        Content::Missing => return Ok(Vec::new()),
        Content::Unreadable(why) => return Err(why),
        Content::Bytes(bytes) => bytes,
    };
    if files::is_shared(path) || path.parent().is_none_or(files::is_shared) {
        return Err("can be changed by other users; make it private with `chmod go-w`".to_owned());
    }
    let broken = || "is broken; remove it and trust the files again".to_owned();
    let value: Value = serde_json::from_slice(&bytes).map_err(|_| broken())?;
    let list = value.get("trusted").and_then(Value::as_array).ok_or_else(broken)?;
    let one = |entry: &Value| {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
        let since = entry.get("since").and_then(Value::as_u64).unwrap_or_default();
        Some(Trusted { file: text("file")?, sha256: text("sha256")?, since })
    };
    list.iter().map(one).collect::<Option<Vec<_>>>().ok_or_else(broken)
}

/// The SHA-256 in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let hex =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
    Sha256::digest(bytes).into_iter().flat_map(hex).collect()
}
