//! Fetches one JSON document, with the care that answers of a model get: TLS or this machine, no redirects, nothing
//! decompressed, a bounded body, one deadline. What it says is read elsewhere.

use super::transport::{self, Received};
use super::{ClientError, way};
use crate::failure::Failure;
use crate::settings::ClassifierSettings;
use reqwest::Url;

/// Why a document could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The address cannot be used.
    #[error("`{0}` is not an address to fetch settings from; use https, or http on this machine")]
    BadAddress(String),
    /// No client can be made for it.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The server did not send the document.
    #[error("{what}{status}", status = .status.map(|status| format!(" (status {status})")).unwrap_or_default())]
    Failed {
        /// What went wrong.
        what: &'static str,
        /// The status of the response, if there was one.
        status: Option<u16>,
    },
}

/// Fetches the JSON document at an address, within the timeout and over the proxy of the settings. No key is sent.
///
/// # Errors
/// If there is none to be had; whatever the server says instead is no document.
pub async fn fetch_document(address: &str, settings: &ClassifierSettings) -> Result<String, FetchError> {
    let url = endpoint(address)?;
    let http = transport::build(&way(settings), &url)?;
    let fetched = tokio::time::timeout(settings.timeout, transport::get(&http, &url)).await;
    let failed = |failure, status| Err(FetchError::Failed { what: told(failure), status });
    match fetched.unwrap_or(Err(Failure::Timeout)) {
        Ok(Received { failure: None, body, .. }) => Ok(body),
        Ok(Received { failure: Some(failure), status, .. }) => failed(failure, Some(status)),
        Err(failure) => failed(failure, None),
    }
}

fn endpoint(address: &str) -> Result<Url, FetchError> {
    let bad = || FetchError::BadAddress(crate::redact(address).into_owned());
    let url = Url::parse(address.trim()).map_err(|_| bad())?;
    let safe = match url.scheme() {
        "https" => url.has_host(),
        // FAIL-CLOSED(remote-in-the-clear): whoever is on the way could take rules out.
        "http" => transport::is_loopback(&url),
        _ => false,
    };
    // A password in the address would end up in messages.
    if safe && url.username().is_empty() && url.password().is_none() { Ok(url) } else { Err(bad()) }
}

/// The words of a failure that are about a model, said of a document.
const fn told(failure: Failure) -> &'static str {
    match failure {
        Failure::Unauthorised => "the server did not accept the request without a key",
        Failure::RateLimited => "the server has had too many requests",
        Failure::Overloaded => "the server is overloaded",
        Failure::Timeout => "the server did not answer in time",
        Failure::Connection => "the server could not be reached, or hung up",
        Failure::Redirected => "the server pointed somewhere else",
        Failure::WrongContentType => "the server did not send JSON",
        Failure::Encoded => "the server sent an encoding that was not asked for",
        Failure::TooLarge => "the server sent too much",
        Failure::Malformed | Failure::Unparseable(_) => "the server sent something that is not text",
        Failure::NotConfigured
        | Failure::BadRequest
        | Failure::ServerError
        | Failure::WindowExceeded
        | Failure::Cancelled => "the server did not send the document",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C13]
    #[test]
    fn only_safe_addresses_are_fetched_from() {
        for good in ["https://settings.example.com/p.json?team=a", "http://127.0.0.1:8/x", "http://[::1]/x"] {
            assert!(endpoint(good).is_ok(), "{good}");
        }
        for bad in [
            "http://settings.example.com/p.json",
            "http://127.0.0.1.example.com/",
            "https://name:word@example.com/",
            "file:///etc/passwd",
            "ftp://127.0.0.1/",
            "settings.json",
            "",
        ] {
            assert!(endpoint(bad).is_err(), "{bad}");
        }
    }
}
