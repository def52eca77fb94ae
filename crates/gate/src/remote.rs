//! The fetched settings (SPEC C12, C13): fetched now and then from the address in the settings, and kept in the state
//! folder. Loading settings reads what is kept and never waits for a server.
//!
//! A fetch that fails keeps what is there: it only tightens, so it does not grow stale in a harmful way.

use std::path::{Path, PathBuf};
use std::time::Duration;

use portcullis_classify::client::fetch_document;
use portcullis_classify::redact;
use serde_json::{Value, json};

use crate::files::{self, Content};
use crate::settings::{Places, Settings, check_document};
use crate::settle::classifier_settings;

/// How old what was fetched may be before it is fetched again (C12).
const REFRESH_AFTER: u64 = 30 * 60;
/// How long a server that failed is left alone.
const RETRY_AFTER: u64 = 60;
/// The time for one fetch.
const DEADLINE: Duration = Duration::from_secs(10);

/// What came of a refresh.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refreshed {
    /// No address is set.
    NotConfigured,
    /// What is kept is new enough.
    Fresh,
    /// It was fetched and is kept.
    Fetched,
    /// It could not be fetched or kept: why. What was there before stays in force.
    Failed(String),
}

/// Fetches the settings from the configured address if what is kept is older than 30 minutes. `now` is in seconds
/// since 1970.
pub async fn refresh_remote(places: &Places, settings: &Settings, now: u64) -> Refreshed {
    let Some(url) = address(places, settings) else { return Refreshed::NotConfigured };
    let kept = Kept::read(&places.state).ok().flatten().filter(|kept| kept.url == url);
    if kept.is_some_and(|kept| kept.is_fresh(now)) {
        return Refreshed::Fresh;
    }
    fetch(places, settings, url, now).await
}

/// Fetches the settings from the configured address however old they are, for callers that are not asynchronous.
#[must_use]
pub fn refresh_remote_now(places: &Places, settings: &Settings, now: u64) -> Refreshed {
    let Some(url) = address(places, settings) else { return Refreshed::NotConfigured };
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => {
            let refreshed = runtime.block_on(fetch(places, settings, url, now));
            runtime.shutdown_background();
            refreshed
        }
        Err(error) => Refreshed::Failed(format!("no runtime: {error}")),
    }
}

fn address<'s>(places: &Places, settings: &'s Settings) -> Option<&'s str> {
    let url = settings.remote_config_url.as_ref()?;
    (!places.is_none() && !url.value.trim().is_empty()).then_some(url.value.as_str())
}

async fn fetch(places: &Places, settings: &Settings, url: &str, now: u64) -> Refreshed {
    let mut way = classifier_settings(settings, "");
    way.timeout = DEADLINE;
    let fetched = fetch_document(url, &way).await.map_err(|error| error.to_string());
    let (kept, failed) = match fetched.and_then(|document| check_document(&document).map(|()| document)) {
        Ok(document) => {
            let kept = Kept { url: url.to_owned(), document: Some((document, now)), failed: None };
            (kept, None)
        }
        Err(why) => {
            // FAIL-CLOSED(remote-failed): a server that does not answer takes no rule out of force.
            let before = match Kept::read(&places.state) {
                Ok(before) => before,
                Err(broken) => return Refreshed::Failed(format!("{why}; {broken}")),
            };
            let before = before.unwrap_or_else(|| Kept { url: url.to_owned(), document: None, failed: None });
            (Kept { failed: Some((now, why.clone())), ..before }, Some(why))
        }
    };
    match (kept.write(&places.state), failed) {
        (Ok(()), None) => Refreshed::Fetched,
        (Ok(()), Some(why)) => Refreshed::Failed(why),
        (Err(error), None) => Refreshed::Failed(format!("what was fetched cannot be kept: {error}")),
        (Err(error), Some(why)) => Refreshed::Failed(format!("{why}; that cannot be written down: {error}")),
    }
}

/// What is kept of the fetched settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Kept {
    /// Where it came from.
    pub(crate) url: String,
    /// The text, and when it was fetched.
    pub(crate) document: Option<(String, u64)>,
    /// When it could last not be fetched, and why.
    pub(crate) failed: Option<(u64, String)>,
}

impl Kept {
    /// What is kept, if anything; the error says why it cannot be relied on.
    pub(crate) fn read(state: &Path) -> Result<Option<Kept>, String> {
        let path = place(state);
        let bytes = match files::read(&path) {
            Content::Missing => return Ok(None),
            Content::Unreadable(why) => return Err(format!("`{}`: {why}", path.display())),
            Content::Bytes(bytes) => bytes,
        };
        if files::is_shared(&path) || files::is_shared(state) {
            return Err(format!(
                "`{}` can be changed by other users; make it private with `chmod go-w`",
                path.display()
            ));
        }
        let value: Option<Value> = serde_json::from_slice(&bytes).ok();
        let kept = value.as_ref().and_then(Kept::from_json);
        kept.map(Some).ok_or_else(|| format!("`{}` is broken", path.display()))
    }

    fn write(&self, state: &Path) -> std::io::Result<()> {
        files::write_private(&place(state), format!("{:#}\n", self.to_json()).as_bytes())
    }

    /// Whether it needs no fetch yet. A time in the future is no time.
    fn is_fresh(&self, now: u64) -> bool {
        let within = |since: u64, seconds: u64| now.checked_sub(since).is_some_and(|age| age < seconds);
        self.document.as_ref().is_some_and(|(_, since)| within(*since, REFRESH_AFTER))
            || self.failed.as_ref().is_some_and(|(since, _)| within(*since, RETRY_AFTER))
    }

    fn to_json(&self) -> Value {
        json!({
            "url": self.url,
            "fetched": self.document.as_ref().map(|(_, time)| time),
            "document": self.document.as_ref().map(|(text, _)| text),
            "failed": self.failed.as_ref().map(|(time, why)| json!({ "time": time, "why": redact(why) })),
        })
    }

    fn from_json(value: &Value) -> Option<Kept> {
        let url = value.get("url")?.as_str()?.to_owned();
        let document = match (value.get("document")?, value.get("fetched")?) {
            (Value::Null, Value::Null) => None,
            (text, time) => Some((text.as_str()?.to_owned(), time.as_u64()?)),
        };
        let failed = value.get("failed")?;
        let failed = if failed.is_null() {
            None
        } else {
            Some((failed.get("time")?.as_u64()?, failed.get("why")?.as_str()?.to_owned()))
        };
        Some(Kept { url, document, failed })
    }
}

/// Where what was fetched is kept.
pub(crate) fn place(state: &Path) -> PathBuf {
    state.join("remote.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C12]
    #[test]
    fn what_is_kept_is_fetched_again_after_thirty_minutes() {
        let kept = |fetched: u64, failed: Option<u64>| Kept {
            url: String::new(),
            document: Some((String::new(), fetched)),
            failed: failed.map(|time| (time, String::new())),
        };
        assert!(kept(1000, None).is_fresh(1000 + 1799));
        assert!(!kept(1000, None).is_fresh(1000 + 1800));
        assert!(!kept(5000, None).is_fresh(1000), "a clock that was set back");
        assert!(kept(1000, Some(9000)).is_fresh(9059) && !kept(1000, Some(9000)).is_fresh(9060));
    }

    #[test]
    fn what_is_kept_comes_back() {
        for document in [None, Some(("{\n}".to_owned(), 17))] {
            for failed in [None, Some((18, "why".to_owned()))] {
                let kept = Kept { url: "https://example.com".to_owned(), document: document.clone(), failed };
                assert_eq!(Kept::from_json(&kept.to_json()), Some(kept));
            }
        }
    }
}
