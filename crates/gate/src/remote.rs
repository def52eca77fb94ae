//! Settings fetched from an address (SPEC C12, C13): fetched now and then, and kept in the state folder.
//!
//! Loading settings reads the kept copy and never waits for a server. Fetched settings can only tighten, so a failed
//! fetch keeps the old copy in force.

use std::time::Duration;

use portcullis_classify::client::fetch_document;

use crate::settings::{Kept, Places, Settings, check_document};
use crate::settle::classifier_settings;

/// How old what was fetched may be before it is fetched again (C12).
const REFRESH_AFTER: u64 = 30 * 60;
/// How long a server that failed is left alone.
const RETRY_AFTER: u64 = 60;
/// The time for one fetch.
const DEADLINE: Duration = Duration::from_secs(10);

/// The result of a refresh.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refreshed {
    /// No address is configured.
    NotConfigured,
    /// The kept copy is new enough.
    Fresh,
    /// The settings were fetched and kept.
    Fetched,
    /// They could not be fetched or kept; says why. The old copy stays in force.
    Failed(String),
}

/// Fetches the settings if the kept copy is older than 30 minutes. `now` is in seconds since 1970.
pub async fn refresh(places: &Places, settings: &Settings, now: u64) -> Refreshed {
    let Some(url) = address(places, settings) else { return Refreshed::NotConfigured };
    let kept = Kept::read(&places.state).ok().flatten().filter(|kept| kept.url == url);
    if kept.is_some_and(|kept| is_fresh(&kept, now)) {
        return Refreshed::Fresh;
    }
    fetch(places, settings, url, now).await
}

/// Fetches the settings however old the kept copy is, for callers without an asynchronous runtime.
#[must_use]
pub fn refresh_now(places: &Places, settings: &Settings, now: u64) -> Refreshed {
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

/// Whether it needs no fetch yet. A time in the future is no time.
fn is_fresh(kept: &Kept, now: u64) -> bool {
    let within = |since: u64, seconds: u64| now.checked_sub(since).is_some_and(|age| age < seconds);
    kept.document.as_ref().is_some_and(|(_, since)| within(*since, REFRESH_AFTER))
        || kept.failed.as_ref().is_some_and(|(since, _)| within(*since, RETRY_AFTER))
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
        assert!(is_fresh(&kept(1000, None), 1000 + 1799));
        assert!(!is_fresh(&kept(1000, None), 1000 + 1800));
        assert!(!is_fresh(&kept(5000, None), 1000), "a clock that was set back");
        assert!(is_fresh(&kept(1000, Some(9000)), 9059) && !is_fresh(&kept(1000, Some(9000)), 9060));
    }
}
