//! As much of four wire formats as clients need to be asked for one call: Messages of Anthropic, Responses and Chat
//! Completions of `OpenAI`, and `generateContent` of Gemini; in one piece and as a stream of events.

use serde_json::{Map, Value, json};

use crate::output::append;

/// What is said when there is nothing more to do.
const DONE: &str = "Done.";

/// An answer.
pub(super) struct Said {
    /// The type of its content.
    pub(super) kind: &'static str,
    /// The content.
    pub(super) body: String,
}

/// Says which call is wanted, of the tools that are offered and whether a result is there already.
pub(super) type Choose<'a> = &'a dyn Fn(&[String], bool) -> Option<(String, Value)>;

/// The answer to a request; nothing where nobody serves such a route.
pub(super) fn answer(route: &str, request: &Value, choose: Choose<'_>) -> Option<Said> {
    if route.ends_with("/messages/count_tokens") {
        return Some(whole(&json!({"input_tokens": 1})));
    }
    if route.ends_with(":countTokens") {
        return Some(whole(&json!({"totalTokens": 1})));
    }
    if route.ends_with("/messages") {
        return Some(anthropic(request, choose));
    }
    if route.ends_with("/responses") {
        return Some(responses(request, choose));
    }
    if route.ends_with("/chat/completions") {
        return Some(chat(request, choose));
    }
    if route.ends_with(":generateContent") || route.ends_with(":streamGenerateContent") {
        return Some(gemini(request, route.ends_with(":streamGenerateContent"), choose));
    }
    None
}

fn anthropic(request: &Value, choose: Choose<'_>) -> Said {
    let blocks = list(request, "messages").flat_map(|message| list(message, "content"));
    let has_result = blocks.into_iter().any(|block| text(block, "type") == "tool_result");
    let tools: Vec<String> = list(request, "tools").map(|tool| text(tool, "name").to_owned()).collect();
    let call = choose(&tools, has_result);
    let stop = if call.is_some() { "tool_use" } else { "end_turn" };
    let message = |content: Value, stop: Value| {
        json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": model(request), "content": content,
            "stop_reason": stop, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1},
        })
    };
    let block = |empty: bool| match &call {
        Some((name, input)) => {
            let input = if empty { json!({}) } else { input.clone() };
            json!({"type": "tool_use", "id": "toolu_00001", "name": name, "input": input})
        }
        None => json!({"type": "text", "text": if empty { "" } else { DONE }}),
    };
    if !is_streamed(request) {
        return whole(&message(json!([block(false)]), json!(stop)));
    }
    let delta = match &call {
        Some((_, input)) => json!({"type": "input_json_delta", "partial_json": input.to_string()}),
        None => json!({"type": "text_delta", "text": DONE}),
    };
    let end = json!({"stop_reason": stop, "stop_sequence": null});
    stream(&[
        json!({"type": "message_start", "message": message(json!([]), Value::Null)}),
        json!({"type": "content_block_start", "index": 0, "content_block": block(true)}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "usage": {"output_tokens": 1}, "delta": end}),
        json!({"type": "message_stop"}),
    ])
}

fn responses(request: &Value, choose: Choose<'_>) -> Said {
    let has_result = list(request, "input").any(|item| text(item, "type").ends_with("_call_output"));
    let tools: Vec<String> = list(request, "tools").map(|tool| text(tool, "name").to_owned()).collect();
    let item = match choose(&tools, has_result) {
        Some((name, input)) => json!({
            "type": "function_call", "id": "f_1", "call_id": "call_00001", "name": name,
            "arguments": input.to_string(), "status": "completed",
        }),
        None => json!({
            "type": "message", "id": "m_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": DONE, "annotations": []}],
        }),
    };
    let response = |status: &str, output: Value| {
        json!({
            "id": "r_1", "object": "response", "status": status, "output": output,
            "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
        })
    };
    let complete = response("completed", json!([item]));
    if !is_streamed(request) {
        return whole(&complete);
    }
    stream(&[
        json!({"type": "response.created", "response": response("in_progress", json!([]))}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": complete}),
    ])
}

fn chat(request: &Value, choose: Choose<'_>) -> Said {
    let has_result = list(request, "messages").any(|message| text(message, "role") == "tool");
    let name = |tool: &Value| tool.get("function").map(|it| text(it, "name").to_owned()).unwrap_or_default();
    let tools: Vec<String> = list(request, "tools").map(name).collect();
    let call = choose(&tools, has_result);
    let stop = if call.is_some() { "tool_calls" } else { "stop" };
    let message = match call {
        Some((name, input)) => {
            let function = json!({"name": name, "arguments": input.to_string()});
            let call = json!({"index": 0, "id": "call_00001", "type": "function", "function": function});
            json!({"role": "assistant", "content": null, "tool_calls": [call]})
        }
        None => json!({"role": "assistant", "content": DONE}),
    };
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
    let with = |kind: &str, choice: Value, more: Option<&Value>| {
        let mut answer = Map::new();
        answer.insert("id".to_owned(), json!("c_1"));
        answer.insert("object".to_owned(), json!(kind));
        answer.insert("created".to_owned(), json!(1));
        answer.insert("model".to_owned(), json!(model(request)));
        answer.insert("choices".to_owned(), json!([choice]));
        answer.extend(more.map(|usage| ("usage".to_owned(), usage.clone())));
        Value::Object(answer)
    };
    if !is_streamed(request) {
        let choice = json!({"index": 0, "message": message, "finish_reason": stop});
        return whole(&with("chat.completion", choice, Some(&usage)));
    }
    let chunk = "chat.completion.chunk";
    let open = json!({"index": 0, "delta": message, "finish_reason": null});
    let end = json!({"index": 0, "delta": {}, "finish_reason": stop});
    let mut said = stream(&[with(chunk, open, None), with(chunk, end, Some(&usage))]);
    said.body.push_str("data: [DONE]\n\n");
    said
}

fn gemini(request: &Value, streamed: bool, choose: Choose<'_>) -> Said {
    let mut parts = list(request, "contents").flat_map(|content| list(content, "parts"));
    let has_result = parts.any(|part| part.get("functionResponse").is_some());
    let declared = list(request, "tools").flat_map(|tool| list(tool, "functionDeclarations"));
    let tools: Vec<String> = declared.map(|tool| text(tool, "name").to_owned()).collect();
    let wants_json =
        request.pointer("/generationConfig/responseMimeType") == Some(&json!("application/json"));
    let part = match choose(&tools, has_result) {
        Some((name, input)) => json!({"functionCall": {"name": name, "args": input, "id": "call_00001"}}),
        // Errands of the client: who speaks next, which model is to be used.
        None if wants_json => {
            let errand = json!({"reasoning": "scripted", "next_speaker": "user", "model_choice": "flash"});
            json!({"text": errand.to_string()})
        }
        None => json!({"text": DONE}),
    };
    let answer = json!({
        "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    });
    if streamed { stream(&[answer]) } else { whole(&answer) }
}

fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn model(request: &Value) -> &str {
    request.get("model").and_then(Value::as_str).unwrap_or("scripted")
}

fn is_streamed(request: &Value) -> bool {
    request.get("stream").and_then(Value::as_bool).unwrap_or_default()
}

fn whole(value: &Value) -> Said {
    Said { kind: "application/json", body: value.to_string() }
}

/// Server-sent events; those that have a type are named by it.
fn stream(events: &[Value]) -> Said {
    let mut body = String::new();
    for event in events {
        if let Some(name) = event.get("type").and_then(Value::as_str) {
            append(&mut body, format_args!("event: {name}\n"));
        }
        append(&mut body, format_args!("data: {event}\n\n"));
    }
    Said { kind: "text/event-stream", body }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every format, whole and streamed: the route, a request with a tool, and what a result looks like in it.
    fn formats() -> Vec<(&'static str, Value, Value)> {
        let tool = json!({"name": "sh"});
        let function = json!({"type": "function", "function": tool});
        vec![
            (
                "/v1/messages",
                json!({"messages": [], "tools": [tool]}),
                json!({"messages": [{"role": "user", "content": [{"type": "tool_result"}]}], "tools": [tool]}),
            ),
            (
                "/v1/responses",
                json!({"input": [], "tools": [tool]}),
                json!({"input": [{"type": "function_call_output"}], "tools": [tool]}),
            ),
            (
                "/v1/chat/completions",
                json!({"messages": [], "tools": [function]}),
                json!({"messages": [{"role": "tool"}], "tools": [function]}),
            ),
            (
                "/v1beta/models/m:generateContent",
                json!({"contents": [], "tools": [{"functionDeclarations": [tool]}]}),
                json!({
                    "contents": [{"parts": [{"functionResponse": {}}]}],
                    "tools": [{"functionDeclarations": [tool]}],
                }),
            ),
        ]
    }

    fn said(route: &str, request: &Value) -> Said {
        let choose = |tools: &[String], has_result: bool| {
            (tools == ["sh"] && !has_result).then(|| ("sh".to_owned(), json!({"command": "touch \"x\""})))
        };
        answer(route, request, &choose).unwrap()
    }

    /// The arguments of the call in an answer, wherever the format keeps them.
    fn arguments(value: &Value) -> Option<Value> {
        let places = [
            "/content/0/input",
            "/output/0/arguments",
            "/choices/0/message/tool_calls/0/function/arguments",
            "/candidates/0/content/parts/0/functionCall/args",
        ];
        let found = places.iter().find_map(|place| value.pointer(place))?;
        match found.as_str() {
            Some(text) => serde_json::from_str(text).ok(),
            None => Some(found.clone()),
        }
    }

    #[test]
    fn every_format_carries_the_call_whole() {
        for (route, open, closed) in formats() {
            let value: Value = serde_json::from_str(&said(route, &open).body).unwrap();
            assert_eq!(arguments(&value), Some(json!({"command": "touch \"x\""})), "{route}");
            let value: Value = serde_json::from_str(&said(route, &closed).body).unwrap();
            assert_eq!(arguments(&value), None, "{route}");
            assert!(value.to_string().contains(DONE), "{route}");
        }
    }

    #[test]
    fn every_format_carries_the_call_in_events() {
        for (route, mut open, _) in formats() {
            open["stream"] = json!(true);
            let route = route.replace(":generateContent", ":streamGenerateContent");
            let said = said(&route, &open);
            assert_eq!(said.kind, "text/event-stream");
            let mut events = said.body.split("\n\n").filter(|event| !event.is_empty());
            assert!(events.all(|event| event.lines().last().is_some_and(|line| line.starts_with("data: "))));
            assert!(said.body.contains("touch"), "{route}");
        }
    }

    #[test]
    fn other_routes_are_not_served() {
        assert!(answer("/v1/files", &json!({}), &|_, _| None).is_none());
        assert!(answer("/v1/messages/count_tokens", &json!({}), &|_, _| None).is_some());
    }
}
