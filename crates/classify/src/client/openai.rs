//! Chat completions, as `OpenAI` and the servers that follow it have them.

use super::quirks::{self, Adaptation, Adaptations};
use super::{StopAsked, Usage};
use crate::failure::Failure;
use crate::reply::{RawReply, Stop, Unparseable};
use crate::request::{Block, Request};
use serde_json::{Map, Value, json};

/// The body of a request. What both stages share comes first; servers keep prefixes without being told.
pub(super) fn body(model: &str, request: &Request, adapted: Adaptations) -> Value {
    let mut texts: Vec<String> = request.messages.iter().map(|blocks| joined(blocks)).collect();
    if adapted.has(Adaptation::OneMessage) {
        texts = vec![texts.concat()];
    }
    let system = json!({"role": "system", "content": request.system.text});
    let users = texts.into_iter().map(|text| json!({"role": "user", "content": text}));
    let tokens =
        if adapted.has(Adaptation::CompletionTokens) { "max_completion_tokens" } else { "max_tokens" };
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("messages".into(), std::iter::once(system).chain(users).collect());
    body.insert(tokens.into(), request.limits.tokens.into());
    body.insert("stream".into(), false.into());
    if let Some(temperature) = adapted.temperature(request) {
        body.insert("temperature".into(), temperature.into());
    }
    if let Some(stop) = adapted.stop(request) {
        body.insert("stop".into(), json!([stop]));
    }
    Value::Object(body)
}

fn joined(blocks: &[Block]) -> String {
    blocks.iter().map(|block| block.text.as_str()).collect()
}

/// What a response says.
pub(super) fn read(body: &Value, asked: StopAsked) -> Result<(RawReply, Usage), Failure> {
    // FAIL-CLOSED(classifier-malformed): an error is no answer, whatever else stands beside it.
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Failure::Malformed);
    }
    let choice = match body.get("choices").and_then(Value::as_array).map(Vec::as_slice) {
        Some([choice]) => choice,
        // Nobody asked for a second answer.
        Some([_, _, ..]) => return Err(Failure::Unparseable(Unparseable::TextAround)),
        Some([]) | None => return Err(Failure::Malformed),
    };
    let message = choice.get("message").and_then(Value::as_object).ok_or(Failure::Malformed)?;
    let calls = |field: &str| match message.get(field) {
        None | Some(Value::Null) => false,
        Some(Value::Array(calls)) => !calls.is_empty(),
        Some(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => true,
    };
    let role = message.get("role").is_none_or(|role| role.as_str() == Some("assistant"));
    if calls("tool_calls") || calls("function_call") || !role {
        return Err(Failure::Malformed);
    }
    // `reasoning_content` and `reasoning` beside it hold what the model thought, which is not what it said.
    let text = match message.get("content") {
        Some(Value::String(text)) => text.as_str(),
        None | Some(Value::Null) => "",
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            return Err(Failure::Malformed);
        }
    };
    let refused = message.get("refusal").is_some_and(|refusal| !refusal.is_null());
    let mut reply = RawReply::new(text, if refused { Stop::Refusal } else { stop(choice, asked) });
    reply.answered_model = body.get("model").and_then(Value::as_str).map(str::to_owned);
    Ok((reply, usage(body.get("usage"))))
}

fn stop(choice: &Value, asked: StopAsked) -> Stop {
    match choice.get("finish_reason").and_then(Value::as_str) {
        Some("stop") if quirks::met_stop_sequence(asked, choice.get("stop_reason")) => Stop::Sequence,
        Some("stop") => Stop::Ended,
        Some("length") => Stop::Length,
        Some("content_filter") => Stop::Refusal,
        _ => Stop::Other,
    }
}

fn usage(usage: Option<&Value>) -> Usage {
    let count = |pointer: &str| {
        usage.and_then(|usage| usage.pointer(pointer)).and_then(Value::as_u64).unwrap_or_default()
    };
    Usage {
        input: count("/prompt_tokens"),
        cached: count("/prompt_tokens_details/cached_tokens"),
        cache_written: 0,
        output: count("/completion_tokens"),
    }
}
