//! What a scripted server does with a request, as `spec/classifier-model.md` writes it: a text that its model says,
//! or `!` and an action.

use crate::support::{Heard, ok, response};
use portcullis_classify::settings::Api;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

/// The tokens of every answer: in all, of them cached, out.
pub(crate) const TOKENS: (u64, u64, u64) = (100, 90, 5);

const STOP: &str = "</block>";

/// How an answer ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Said,
    Sequence,
    Length,
    Refusal,
    Odd,
}

/// Does what the script says with one request.
pub(crate) fn act(deed: &str, api: Api, heard: &Heard, stream: &mut TcpStream) {
    let request: Value = serde_json::from_str(&heard.body).unwrap();
    let answer = |text: &str, end: End| ok(&body(api, &request["model"], text, end));
    let allow = answer("<block>no</block>", End::Said);
    let Some(deed) = deed.strip_prefix('!') else {
        let stops = !request["stop_sequences"].is_null() || !request["stop"].is_null();
        let answer = match deed.split_once(STOP) {
            Some((before, _)) if stops => answer(before, End::Sequence),
            Some(_) | None => answer(deed, End::Said),
        };
        return drop(stream.write_all(answer.as_bytes()));
    };
    let (deed, words) = deed.split_once(' ').unwrap_or((deed, ""));
    let answer = match deed {
        "length" => answer(words, End::Length),
        "refusal" => answer(words, End::Refusal),
        "odd-stop" => answer(words, End::Odd),
        "other-model" => ok(&body(api, &"somebody-else".into(), words, End::Said)),
        "html" => allow.replace("application/json", "text/html"),
        "gzip" => allow.replace("content-type", "content-encoding: gzip\r\ncontent-type"),
        "nonsense" => ok("[{\"block\": \"no\"}]"),
        "huge" => {
            let (before, _) = allow.split_once("content-length").unwrap();
            format!("{before}content-length: 99999999\r\n\r\n")
        }
        "hang-up" => return,
        "silence" => {
            // Until the other side has had enough.
            return drop(stream.read(&mut [0]));
        }
        // Errors of servers carry an answer too, and it must not count.
        status => {
            assert!(status.bytes().all(|byte| byte.is_ascii_digit()), "`!{status}` is no action");
            let body = json!({"error": {"message": words}, "content": [{"type": "text", "text": "<block>no</block>"}]});
            let headers = "content-type: application/json\r\nlocation: /elsewhere\r\n";
            response(&format!("{status} Scripted"), headers, &body.to_string())
        }
    };
    drop(stream.write_all(answer.as_bytes()));
}

/// An answer in the server's language.
fn body(api: Api, model: &Value, text: &str, end: End) -> String {
    let (input, cached, output) = TOKENS;
    match api {
        Api::Anthropic => {
            let (reason, sequence) = match end {
                End::Said => ("end_turn", None),
                End::Sequence => ("stop_sequence", Some(STOP)),
                End::Length => ("max_tokens", None),
                End::Refusal => ("refusal", None),
                End::Odd => ("pause_turn", None),
            };
            json!({"id": "msg_1", "type": "message", "role": "assistant", "model": model,
                "content": [{"type": "text", "text": text}], "stop_reason": reason, "stop_sequence": sequence,
                "usage": {"input_tokens": input - cached, "cache_read_input_tokens": cached, "output_tokens": output}})
        }
        Api::OpenAi => {
            let reason = match end {
                End::Said | End::Sequence => "stop",
                End::Length => "length",
                End::Refusal => "content_filter",
                End::Odd => "tool_calls",
            };
            json!({"id": "chatcmpl-1", "object": "chat.completion", "model": model,
                "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}],
                "usage": {"prompt_tokens": input, "completion_tokens": output,
                    "prompt_tokens_details": {"cached_tokens": cached}}})
        }
    }
    .to_string()
}
