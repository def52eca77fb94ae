//! What is known about servers and models that differ from their documentation or from each other, as tables.

use super::StopAsked;
use crate::request::Request;

/// Models that think whatever they are told, by the beginning of their name.
const ALWAYS_THINK: &[&str] = &[
    "o1",
    "o3",
    "o4",
    "gpt-5",
    "gpt-oss",
    "deepseek-r1",
    "deepseek-reasoner",
    "qwq",
    "magistral",
    "gemini-2.5-pro",
];

/// Words with which servers say that the conversation does not fit.
const WINDOW: &[&str] = &[
    "prompt is too long",
    "context_length_exceeded",
    "maximum context length",
    "exceed_context_size",
    "exceeds the available context size",
    "input is too long",
    "exceed context limit",
];

/// Words with which servers say what they do not take; all words of a row must be there.
const REFUSED: &[(&[&str], Adaptation)] = &[
    (&["max_completion_tokens"], Adaptation::CompletionTokens),
    (&["temperature"], Adaptation::NoTemperature),
    (&["'stop'"], Adaptation::NoStop),
    (&["\"stop\""], Adaptation::NoStop),
    (&["stop_sequences"], Adaptation::NoStop),
    (&["roles", "alternate"], Adaptation::OneMessage),
];

/// A change of the request that a server needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Adaptation {
    /// The model rejects a temperature.
    NoTemperature,
    /// The model rejects stop sequences.
    NoStop,
    /// The limit has another name.
    CompletionTokens,
    /// The model's template wants one message of the user's only.
    OneMessage,
}

impl Adaptation {
    pub(super) const fn bit(self) -> u8 {
        match self {
            Adaptation::NoTemperature => 1,
            Adaptation::NoStop => 2,
            Adaptation::CompletionTokens => 4,
            Adaptation::OneMessage => 8,
        }
    }

    /// Whether it would change this request at all. What changed nothing must not be tried for ever.
    pub(super) fn applies(self, request: &Request, adapted: Adaptations) -> bool {
        let changes = match self {
            Adaptation::NoTemperature => request.limits.temperature.is_some(),
            Adaptation::NoStop => request.limits.stop.is_some(),
            Adaptation::CompletionTokens => true,
            Adaptation::OneMessage => request.messages.len() > 1,
        };
        changes && !adapted.has(self)
    }
}

/// The changes a server needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Adaptations(u8);

impl Adaptations {
    pub(super) const fn from_bits(bits: u8) -> Adaptations {
        Adaptations(bits)
    }

    pub(super) const fn has(self, adaptation: Adaptation) -> bool {
        self.0 & adaptation.bit() != 0
    }

    /// The temperature to name.
    pub(super) fn temperature(self, request: &Request) -> Option<f64> {
        request.limits.temperature.filter(|_| !self.has(Adaptation::NoTemperature))
    }

    /// The stop sequence to name.
    pub(super) fn stop(self, request: &Request) -> Option<&'static str> {
        request.limits.stop.filter(|_| !self.has(Adaptation::NoStop))
    }
}

/// What an error's words tell beyond its status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Explained {
    /// The conversation does not fit.
    Window,
    /// The request must be changed.
    Adaptation(Adaptation),
    /// Nothing.
    No,
}

pub(super) fn explain(status: u16, body: &str) -> Explained {
    // llama.cpp reports a template that fails as 500.
    if !matches!(status, 400 | 413 | 422 | 500) {
        return Explained::No;
    }
    let body = body.to_ascii_lowercase();
    if status == 413 || WINDOW.iter().any(|words| body.contains(words)) {
        return Explained::Window;
    }
    let refused = REFUSED.iter().find(|(words, _)| words.iter().all(|word| body.contains(word)));
    refused.map_or(Explained::No, |(_, adaptation)| Explained::Adaptation(*adaptation))
}

/// Whether a model of this name always thinks.
pub(super) fn always_thinks(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    let begins =
        |start: &&str| name.strip_prefix(*start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    ALWAYS_THINK.iter().any(begins)
}

/// What follows a thinking model's own block, where its server leaves it in the text.
pub(super) fn past_think_tag(text: String) -> String {
    let rest = text.trim_ascii_start().strip_prefix("<think>").and_then(|rest| rest.split_once("</think>"));
    match rest {
        Some((_, rest)) => rest.to_owned(),
        None => text,
    }
}

/// Whether a chat completion that ended with "stop" met the stop sequence. Most servers do not tell the two apart;
/// those that do have a `stop_reason` beside it, null at the model's own end.
pub(super) fn met_stop_sequence(asked: StopAsked, stop_reason: Option<&serde_json::Value>) -> bool {
    match (asked, stop_reason) {
        (StopAsked::No, _) => false,
        (StopAsked::Yes, None) => true,
        (StopAsked::Yes, Some(reason)) => reason.as_str() == Some(crate::request::STOP_SEQUENCE),
    }
}
