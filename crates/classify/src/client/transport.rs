//! HTTP with nothing left to chance: no cookies, no redirects, no decompression, a bounded body of a known type.

use super::ClientError;
use crate::failure::Failure;
use crate::settings::ProxyChoice;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Certificate, Proxy, Response, Url};
use std::path::Path;

/// No answer of a classifier is longer.
const LONGEST_RESPONSE: usize = 256 * 1024;

/// The way to a server.
pub(super) struct Way<'a> {
    pub(super) proxy: &'a ProxyChoice,
    pub(super) ca_file: Option<&'a Path>,
}

/// What came back, whatever its status.
pub(super) struct Received {
    pub(super) status: u16,
    pub(super) retry_after: Option<String>,
    /// The text, as far as it is one.
    pub(super) body: String,
    /// Why it holds no answer, if that is plain before it is read.
    pub(super) failure: Option<Failure>,
}

/// Makes the HTTP client.
pub(super) fn build(way: &Way<'_>, endpoint: &Url) -> Result<reqwest::Client, ClientError> {
    // A provider that somebody else has set for the process is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .user_agent(concat!("portcullis/", env!("CARGO_PKG_VERSION")));
    builder = match way.proxy {
        // A server on this machine is not behind anybody's proxy.
        ProxyChoice::Environment if is_loopback(endpoint) => builder.no_proxy(),
        ProxyChoice::Environment => builder,
        ProxyChoice::None => builder.no_proxy(),
        ProxyChoice::Address(address) => {
            let proxy = Proxy::all(address).map_err(|_| ClientError::BadProxy(address.clone()))?;
            builder.proxy(proxy.no_proxy(reqwest::NoProxy::from_env()))
        }
    };
    if let Some(path) = way.ca_file {
        let bad = |reason: String| ClientError::BadCertificates { path: path.to_owned(), reason };
        let text = std::fs::read(path).map_err(|error| bad(error.to_string()))?;
        let certificates = Certificate::from_pem_bundle(&text).map_err(|error| bad(error.to_string()))?;
        if certificates.is_empty() {
            return Err(bad("it holds none".to_owned()));
        }
        builder = builder.tls_certs_merge(certificates);
    }
    builder.build().map_err(ClientError::Http)
}

/// Whether an address is this machine's own.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Sends a body and reads what comes back.
pub(super) async fn post(
    http: &reqwest::Client,
    url: &Url,
    headers: &HeaderMap,
    body: String,
) -> Result<Received, Failure> {
    let request =
        http.post(url.clone()).headers(headers.clone()).header(CONTENT_TYPE, "application/json").body(body);
    receive(request).await
}

/// Fetches what is at an address.
pub(super) async fn get(http: &reqwest::Client, url: &Url) -> Result<Received, Failure> {
    receive(http.get(url.clone())).await
}

async fn receive(request: reqwest::RequestBuilder) -> Result<Received, Failure> {
    let request = request.header(ACCEPT, "application/json").header(ACCEPT_ENCODING, "identity");
    let response = request.send().await.map_err(|error| network(&error))?;
    let status = response.status().as_u16();
    let retry_after =
        response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let failure = failure(status).or_else(|| announced(&response).err());
    let body = match failure {
        None => bounded(response).await?,
        // The words of an error only help; without them what is known already is enough.
        Some(_) => bounded(response).await.unwrap_or_default(),
    };
    let received = |failure, body| Ok(Received { status, retry_after, body, failure });
    match String::from_utf8(body) {
        Ok(body) => received(failure, body),
        Err(error) => {
            let body = String::from_utf8_lossy(error.as_bytes()).into_owned();
            received(failure.or(Some(Failure::Malformed)), body)
        }
    }
}

/// What a status means, unless it is the one that brings an answer.
const fn failure(status: u16) -> Option<Failure> {
    match status {
        200 => None,
        300..=399 => Some(Failure::Redirected),
        401 | 403 | 407 => Some(Failure::Unauthorised),
        408 | 504 => Some(Failure::ServerError),
        413 => Some(Failure::WindowExceeded),
        429 => Some(Failure::RateLimited),
        503 | 529 => Some(Failure::Overloaded),
        400..=499 => Some(Failure::BadRequest),
        500..=599 => Some(Failure::ServerError),
        _ => Some(Failure::Malformed),
    }
}

fn announced(response: &Response) -> Result<(), Failure> {
    let header = |name| response.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    if header(CONTENT_ENCODING).is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
        return Err(Failure::Encoded);
    }
    let kind = header(CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") { Ok(()) } else { Err(Failure::WrongContentType) }
}

async fn bounded(mut response: Response) -> Result<Vec<u8>, Failure> {
    let limit = LONGEST_RESPONSE as u64;
    if response.content_length().is_some_and(|length| length > limit) {
        return Err(Failure::TooLarge);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| network(&error))? {
        if body.len() + chunk.len() > LONGEST_RESPONSE {
            return Err(Failure::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn network(error: &reqwest::Error) -> Failure {
    if error.is_timeout() { Failure::Timeout } else { Failure::Connection }
}
