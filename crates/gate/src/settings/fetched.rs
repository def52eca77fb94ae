//! The fetched settings as a source: what is kept of them, never the server itself (SPEC C13).

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use portcullis_classify::redact;
use portcullis_decide::rules::Source;

use super::jsonc::Place;
use super::kept::Kept;
use super::last_good::moment;
use super::read::{Dialect, Sheet};
use crate::problem::Severity;

/// The address that settings are fetched from, as local settings have it.
#[derive(Debug, Default)]
pub(crate) struct Address {
    url: Option<String>,
    /// Whether the administrator gave it.
    managed: bool,
    /// Whether a file that may give it could not be read whole.
    doubtful: bool,
}

impl Address {
    /// What the managed and the user's own settings say; nobody else may.
    pub(crate) fn of<'s>(sheets: impl Iterator<Item = &'s Sheet> + Clone) -> Address {
        let given = sheets.clone().find_map(|sheet| {
            let entry = sheet.entries.iter().find(|entry| entry.key.name == "remoteConfig.url")?;
            Some((entry.value.as_str()?.trim().to_owned(), sheet.source == Source::Managed))
        });
        let doubtful = sheets.into_iter().any(|sheet| sheet.incomplete);
        let (url, managed) = given.map_or((None, false), |(url, managed)| (Some(url), managed));
        Address { url: url.filter(|url| !url.is_empty()), managed, doubtful }
    }

    /// What is kept of the document, as a sheet; nothing where nothing is fetched.
    pub(crate) fn sheet(&self, state: &Path) -> Option<Sheet> {
        // Where a broken file may have named the address, what was fetched before goes on guarding.
        if self.url.is_none() && !self.doubtful {
            return None;
        }
        let shown = |url: &str| redact(url).into_owned();
        let place = self.url.as_deref().map_or_else(|| state.display().to_string(), shown);
        let mut sheet = Sheet::new(Source::Remote, Some(place), None);
        sheet.trusted = self.managed;
        let kept = match Kept::read(state) {
            Ok(kept) => kept,
            Err(why) => {
                lost(&mut sheet, &why);
                return Some(sheet);
            }
        };
        let Some(Kept { url, document, failed }) = kept else {
            self.url.as_ref()?;
            lost(&mut sheet, "nothing was fetched yet");
            return Some(sheet);
        };
        let Some((text, since)) = document else {
            let (_, why) = failed.unwrap_or_default();
            lost(&mut sheet, &format!("nothing could be fetched yet: {why}"));
            return Some(sheet);
        };
        sheet.file = Some(shown(&url));
        sheet.take(text.as_bytes(), Dialect::Portcullis);
        let date = |seconds: u64| moment(UNIX_EPOCH + Duration::from_secs(seconds));
        if let Some((time, why)) = failed {
            let message = format!(
                "it could not be fetched at {}: {why}; what was fetched at {} stays in force",
                date(time),
                date(since)
            );
            sheet.problem(Place::default(), message, Severity::Warning);
        }
        if self.url.as_ref().is_some_and(|now| *now != url) {
            let message = "`remoteConfig.url` is another address now; this stays in force until `portcullis settings refresh`";
            sheet.problem(Place::default(), message.to_owned(), Severity::Warning);
        }
        Some(sheet)
    }
}

/// FAIL-CLOSED(remote-missing): what was not fetched may hold deny rules.
fn lost(sheet: &mut Sheet, why: &str) {
    let message = format!("{why}; run `portcullis settings refresh`; until then every call is asked about");
    sheet.lost(Place::default(), message);
}

/// Whether a document can be kept: one that is broken as a whole cannot.
pub(crate) fn check_document(text: &str) -> Result<(), String> {
    let read = Sheet::new(Source::Remote, None, None).read(text.as_bytes(), Dialect::Portcullis);
    read.map_err(|broken| {
        format!(
            "what was sent is broken at {}:{}: {}",
            broken.place.line, broken.place.column, broken.problem
        )
    })
}
