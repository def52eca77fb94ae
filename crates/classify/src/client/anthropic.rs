//! Anthropic Messages: the form of its requests and responses.

use super::Usage;
use super::quirks::Adaptations;
use crate::failure::Failure;
use crate::reply::{RawReply, Stop};
use crate::request::{Block, Cached, Request, STOP_SEQUENCE};
use serde_json::{Map, Value, json};

/// The body of a request. What both stages share comes first, so that their bodies differ only after it.
pub(super) fn body(model: &str, request: &Request, adapted: Adaptations) -> Value {
    let message = |blocks: &Vec<Block>| json!({"role": "user", "content": blocks.iter().map(block).collect::<Vec<_>>()});
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("system".into(), json!([block(&request.system)]));
    body.insert("messages".into(), request.messages.iter().map(message).collect());
    body.insert("max_tokens".into(), request.limits.tokens.into());
    body.insert("stream".into(), false.into());
    if let Some(temperature) = adapted.temperature(request) {
        body.insert("temperature".into(), temperature.into());
    }
    if let Some(stop) = adapted.stop(request) {
        body.insert("stop_sequences".into(), json!([stop]));
    }
    Value::Object(body)
}

fn block(block: &Block) -> Value {
    match block.cached {
        Cached::Yes => json!({"type": "text", "text": block.text, "cache_control": {"type": "ephemeral"}}),
        Cached::No => json!({"type": "text", "text": block.text}),
    }
}

/// What a response says.
pub(super) fn read(body: &Value) -> Result<(RawReply, Usage), Failure> {
    // FAIL-CLOSED(classifier-malformed): an error is no answer, whatever else stands beside it.
    let is = |field: &str, kind: &str| body.get(field).is_none_or(|value| value.as_str() == Some(kind));
    if body.get("error").is_some_and(|error| !error.is_null())
        || !is("type", "message")
        || !is("role", "assistant")
    {
        return Err(Failure::Malformed);
    }
    let blocks = body.get("content").and_then(Value::as_array).ok_or(Failure::Malformed)?;
    let mut text = String::new();
    for block in blocks {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                text.push_str(block.get("text").and_then(Value::as_str).ok_or(Failure::Malformed)?);
            }
            // What the model thought is not what it said.
            Some("thinking" | "redacted_thinking") => {}
            _ => return Err(Failure::Malformed),
        }
    }
    let mut reply = RawReply::new(text, stop(body));
    reply.answered_model = body.get("model").and_then(Value::as_str).map(str::to_owned);
    Ok((reply, usage(body.get("usage"))))
}

fn stop(body: &Value) -> Stop {
    let met = body.get("stop_sequence").and_then(Value::as_str);
    match (body.get("stop_reason").and_then(Value::as_str), met) {
        // llama.cpp says `end_turn` for both, and names the sequence if it met one.
        (Some("end_turn" | "stop_sequence"), Some(STOP_SEQUENCE)) => Stop::Sequence,
        (Some("end_turn"), None) => Stop::Ended,
        (Some("max_tokens" | "model_context_window_exceeded"), _) => Stop::Length,
        (Some("refusal"), _) => Stop::Refusal,
        _ => Stop::Other,
    }
}

/// The API counts tokens from and for the cache apart from the others.
fn usage(usage: Option<&Value>) -> Usage {
    let count =
        |key: &str| usage.and_then(|usage| usage.get(key)).and_then(Value::as_u64).unwrap_or_default();
    let cached = count("cache_read_input_tokens");
    let cache_written = count("cache_creation_input_tokens");
    let input = count("input_tokens").saturating_add(cached).saturating_add(cache_written);
    Usage { input, cached, cache_written, output: count("output_tokens") }
}
