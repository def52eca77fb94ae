//! Sends requests to a model (SPEC C14). One deadline covers all attempts and pauses. The answer is not interpreted
//! here; see [`reply`](crate::reply).

mod anthropic;
mod document;
mod openai;
mod price;
mod quirks;
mod retry;
mod transport;

use crate::failure::Failure;
use crate::reply::RawReply;
use crate::request::Request;
use crate::settings::{Api, ClassifierSettings};
use quirks::{Adaptation, Adaptations};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant, SystemTime};
use transport::{Received, Way};

pub use document::{FetchError, fetch_document};

/// Attempts after the first one.
const RETRIES: u32 = 2;

/// A key for a model's server. It is never shown.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// The key with this text, without the line end that files leave behind.
    #[must_use]
    pub fn new(text: &str) -> Option<Key> {
        let text = text.trim();
        (!text.is_empty()).then(|| Key(text.to_owned()))
    }

    /// The key in the environment variable that the settings name.
    #[must_use]
    pub fn from_environment(settings: &ClassifierSettings) -> Option<Key> {
        settings.key_env.as_deref().and_then(|name| std::env::var(name).ok()).and_then(|text| Key::new(&text))
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Why no client can be made from the settings.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The address is not valid.
    #[error("`{0}` is not an address of a model's server")]
    BadAddress(String),
    /// The key would be sent without encryption.
    #[error("the key would be sent in the clear to `{0}`; use https")]
    KeyInTheClear(String),
    /// The key is missing.
    #[error("no key: `{0}` is not set")]
    NoKey(String),
    /// The key contains characters that cannot be sent.
    #[error("the key holds characters that no key has")]
    BadKey,
    /// The proxy's address is not valid.
    #[error("`{0}` is not an address of a proxy")]
    BadProxy(String),
    /// The certificates cannot be read.
    #[error("the certificates in `{path}` cannot be used: {reason}", path = .path.display())]
    BadCertificates {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The HTTP client cannot be set up.
    #[error("no HTTP client: {0}")]
    Http(#[source] reqwest::Error),
}

/// Tokens that a request used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Input tokens, those from the cache included.
    pub input: u64,
    /// Input tokens from the cache.
    pub cached: u64,
    /// Input tokens written to the cache.
    pub cache_written: u64,
    /// Output tokens.
    pub output: u64,
}

/// A well-formed response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What the model said.
    pub reply: RawReply,
    /// The tokens used.
    pub usage: Usage,
    /// The cost in billionths of a dollar; `None` if the price is not known.
    pub cost: Option<u64>,
    /// Whether the successful request named the stop sequence.
    pub stop: StopAsked,
}

/// Whether a request named a stop sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopAsked {
    /// It did.
    Yes,
    /// It did not, or the backend would not have it.
    No,
}

/// A request and its result.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The last body sent.
    pub request: String,
    /// The status of the last response; `None` without one.
    pub status: Option<u16>,
    /// The last body received, as far as it was.
    pub response: String,
    /// The answer, or why there is none.
    pub result: Result<Answer, Failure>,
    /// How often the request was sent.
    pub attempts: u32,
    /// The time it took, in microseconds.
    pub micros: u64,
}

/// An HTTP client for one model at one address.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Url,
    headers: HeaderMap,
    api: Api,
    model: String,
    also_answers_as: Vec<String>,
    thinks: bool,
    /// What this server turned out not to take; learned once, kept for later requests.
    adapted: AtomicU8,
}

impl Client {
    /// Makes a client. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// If an address, the key or a certificate cannot be used.
    pub fn new(settings: &ClassifierSettings, key: Option<&Key>) -> Result<Client, ClientError> {
        if let (Some(name), None) = (&settings.key_env, key) {
            return Err(ClientError::NoKey(name.clone()));
        }
        let endpoint = endpoint(settings)?;
        if key.is_some() && endpoint.scheme() != "https" && !transport::is_loopback(&endpoint) {
            return Err(ClientError::KeyInTheClear(settings.base_url.clone()));
        }
        Ok(Client {
            http: transport::build(&way(settings), &endpoint)?,
            headers: headers(settings.api, key)?,
            endpoint,
            api: settings.api,
            model: settings.model.clone(),
            also_answers_as: settings.also_answers_as.clone(),
            thinks: settings.always_thinks.unwrap_or_else(|| quirks::always_thinks(&settings.model)),
            adapted: AtomicU8::new(0),
        })
    }

    /// The model's name.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Whether the model always thinks.
    #[must_use]
    pub fn always_thinks(&self) -> bool {
        self.thinks
    }

    /// Sends a request, and repeats it where that may help, until the deadline at the latest.
    pub async fn send(&self, request: &Request, deadline: Instant) -> Exchange {
        let began = Instant::now();
        let mut exchange = Exchange {
            request: String::new(),
            status: None,
            response: String::new(),
            result: Err(Failure::Timeout),
            attempts: 0,
            micros: 0,
        };
        let sending = self.attempts(request, deadline, &mut exchange);
        let result = tokio::time::timeout_at(deadline.into(), sending).await;
        // FAIL-CLOSED(classifier-timeout): a model that is still at it at the deadline has said nothing.
        exchange.result = result.unwrap_or(Err(Failure::Timeout));
        exchange.micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        exchange
    }

    async fn attempts(
        &self,
        request: &Request,
        deadline: Instant,
        exchange: &mut Exchange,
    ) -> Result<Answer, Failure> {
        let mut retries = 0;
        loop {
            let adapted = Adaptations::from_bits(self.adapted.load(Ordering::Relaxed));
            let body = self.body(request, adapted).to_string();
            exchange.request.clone_from(&body);
            exchange.response.clear();
            exchange.status = None;
            exchange.attempts += 1;
            let (failure, wait) = match transport::post(&self.http, &self.endpoint, &self.headers, body).await
            {
                Ok(received) => {
                    exchange.response.clone_from(&received.body);
                    exchange.status = Some(received.status);
                    match self.judge(request, adapted, &received) {
                        Step::Done(answer) => return Ok(*answer),
                        Step::Adapt(adaptation) => {
                            self.adapted.fetch_or(adaptation.bit(), Ordering::Relaxed);
                            continue;
                        }
                        Step::Failed(failure) => (failure, received.retry_after),
                    }
                }
                Err(failure) => (failure, None),
            };
            if retries == RETRIES || !retry::may_help(failure) {
                return Err(failure);
            }
            let pause = retry::pause(retries, wait.as_deref(), SystemTime::now());
            // Waiting past the deadline would only turn a known failure into a timeout.
            if Instant::now().checked_add(pause).is_none_or(|end| end >= deadline) {
                return Err(failure);
            }
            tokio::time::sleep(pause).await;
            retries += 1;
        }
    }

    fn body(&self, request: &Request, adapted: Adaptations) -> Value {
        match self.api {
            Api::Anthropic => anthropic::body(&self.model, request, adapted),
            Api::OpenAi => openai::body(&self.model, request, adapted),
        }
    }

    fn judge(&self, request: &Request, adapted: Adaptations, received: &Received) -> Step {
        if let Some(failure) = received.failure {
            return match quirks::explain(received.status, &received.body) {
                quirks::Explained::Window => Step::Failed(Failure::WindowExceeded),
                quirks::Explained::Adaptation(adaptation) if adaptation.applies(request, adapted) => {
                    Step::Adapt(adaptation)
                }
                quirks::Explained::Adaptation(_) | quirks::Explained::No => Step::Failed(failure),
            };
        }
        let stop = match request.limits.stop {
            Some(_) if !adapted.has(Adaptation::NoStop) => StopAsked::Yes,
            Some(_) | None => StopAsked::No,
        };
        match self.read(&received.body, stop) {
            Ok(answer) => Step::Done(Box::new(answer)),
            Err(failure) => Step::Failed(failure),
        }
    }

    fn read(&self, body: &str, stop: StopAsked) -> Result<Answer, Failure> {
        // FAIL-CLOSED(classifier-malformed): what is not the JSON of a response holds no answer.
        let body = crate::strict_from_str(body).map_err(|_| Failure::Malformed)?;
        let (mut reply, usage) = match self.api {
            Api::Anthropic => anthropic::read(&body)?,
            Api::OpenAi => openai::read(&body, stop)?,
        };
        if self.thinks {
            reply.text = quirks::past_think_tag(reply.text);
        }
        let other_name = |name: &String| name == "*" || reply.answered_model.as_ref() == Some(name);
        if !self.also_answers_as.iter().any(other_name) {
            reply.requested_model = Some(self.model.clone());
        }
        let cost = price::of(&self.endpoint, &self.model, usage);
        Ok(Answer { reply, usage, cost, stop })
    }
}

enum Step {
    Done(Box<Answer>),
    Adapt(Adaptation),
    Failed(Failure),
}

fn way(settings: &ClassifierSettings) -> Way<'_> {
    Way { proxy: &settings.proxy, ca_file: settings.ca_file.as_deref() }
}

fn endpoint(settings: &ClassifierSettings) -> Result<Url, ClientError> {
    let bad = || ClientError::BadAddress(settings.base_url.clone());
    let base = settings.base_url.trim().trim_end_matches('/');
    let text = match settings.api {
        Api::Anthropic => format!("{}/v1/messages", base.strip_suffix("/v1").unwrap_or(base)),
        Api::OpenAi => format!("{base}/chat/completions"),
    };
    let url = Url::parse(&text).map_err(|_| bad())?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.query().is_none()
        && url.fragment().is_none();
    // A password in the address would end up in messages.
    if plain && url.username().is_empty() && url.password().is_none() { Ok(url) } else { Err(bad()) }
}

fn headers(api: Api, key: Option<&Key>) -> Result<HeaderMap, ClientError> {
    let mut headers = HeaderMap::new();
    let (name, prefix) = match api {
        Api::Anthropic => {
            headers
                .insert(HeaderName::from_static("anthropic-version"), HeaderValue::from_static("2023-06-01"));
            (HeaderName::from_static("x-api-key"), "")
        }
        Api::OpenAi => (reqwest::header::AUTHORIZATION, "Bearer "),
    };
    if let Some(Key(key)) = key {
        let mut value = HeaderValue::from_str(&format!("{prefix}{key}")).map_err(|_| ClientError::BadKey)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

/// The deadline for a verdict that is begun now.
#[must_use]
pub fn deadline_after(timeout: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(timeout).unwrap_or(now)
}

#[cfg(test)]
mod tests;
