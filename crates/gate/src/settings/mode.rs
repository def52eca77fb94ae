//! Writing the mode that sessions start in to the user's settings (SPEC M3). Everything else in the file stays as
//! it is, comments included.

use std::path::PathBuf;

use jsonc_parser::cst::CstInputValue;
use portcullis_decide::Mode;
use portcullis_decide::rules::Source;

use super::edit;
use super::places::Places;
use super::read::{Dialect, Sheet};
use super::values::Settings;
use crate::error::GateError;
use crate::files;

const KEY: &str = "permissions.defaultMode";

/// Writes the mode that new sessions start in to the user's settings, and returns the file. Comments and layout stay.
///
/// # Errors
/// If the file is there and cannot be read, or cannot be written.
pub fn set_default_mode(places: &Places, mode: Mode) -> Result<PathBuf, GateError> {
    let file = places.user_settings();
    let before = edit::content(&file)?.unwrap_or_else(|| "{}\n".to_owned());
    let (root, group) = edit::opened(&file, &before)?;
    let value = || CstInputValue::String(mode.name().to_owned());
    match group.get("defaultMode") {
        Some(there) => there.set_value(value()),
        None => drop(group.append("defaultMode", value())),
    }
    let after = root.to_string();
    // A key that comes twice would leave another value in force.
    if read_back(&after) != Some(mode) {
        return Err(edit::wrong(&file, "`permissions.defaultMode` is given more than once"));
    }
    files::write_over(&file, after.as_bytes()).map_err(|error| GateError::write(&file, error))?;
    Ok(file)
}

/// The mode that a text gives when it is the user's settings.
fn read_back(text: &str) -> Option<Mode> {
    let mut sheet = Sheet::new(Source::User, None, None);
    sheet.take(text.as_bytes(), Dialect::Portcullis);
    let mut given = sheet.entries.iter().filter(|entry| entry.key.name == KEY);
    given.next().and_then(|entry| super::trust::mode(&entry.value)).filter(|_| given.next().is_none())
}

impl Settings {
    /// Why a mode cannot be chosen under these settings; `None` if it can.
    #[must_use]
    pub fn refuses(&self, mode: Mode) -> Option<String> {
        let (switch, name) = match mode {
            Mode::Bypass => (&self.bypass_disabled, "disableBypassPermissionsMode"),
            Mode::Auto => (&self.auto_disabled, "disableAutoMode"),
            Mode::Default | Mode::AcceptEdits | Mode::Plan | Mode::DontAsk => return None,
        };
        let switch = switch.as_ref().filter(|switch| switch.value)?;
        Some(format!("`{mode}` is switched off by `{name}` in {}", switch.origin))
    }
}
