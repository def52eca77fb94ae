//! A model's server that fails, lies or attacks: never an allow, always in time, each counted under its own name.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test whose server does not start must stop")]

#[expect(dead_code, reason = "other tests use more of it")]
mod support;

use portcullis_classify::failure::Failure;
use portcullis_classify::settings::{Api, ClassifierSettings, StageMode};
use portcullis_classify::stages::{Judged, Outcome};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use support::{Server, judge, ok, response, says, settings};

/// For servers that never finish.
const SHORT: Duration = Duration::from_secs(1);
/// For servers that answer, however busy this machine is.
const LONG: Duration = Duration::from_mins(1);
/// A verdict must be back this long after its deadline, however busy this machine is.
const SLACK: Duration = Duration::from_secs(10);

fn judge_in_time(settings: &ClassifierSettings) -> Judged {
    let began = Instant::now();
    let judged = judge(settings);
    assert!(began.elapsed() < settings.timeout + SLACK, "took {:?}", began.elapsed());
    judged
}

/// The name of the failure that the server leads to.
fn failed(server: &Server, timeout: Duration) -> &'static str {
    failed_with(&settings(Api::Anthropic, &server.base_url, timeout))
}

fn failed_with(settings: &ClassifierSettings) -> &'static str {
    let judged = judge_in_time(settings);
    match judged.outcome {
        Outcome::Failed(failure) => failure.name(),
        Outcome::Allow | Outcome::Block { .. } => panic!("{judged:?}"),
    }
}

fn send_forever(stream: &mut TcpStream, piece: &[u8], pause: Duration) {
    while stream.write_all(piece).is_ok() {
        std::thread::sleep(pause);
    }
}

/// The other tests mean something only if an honest server is believed.
#[test]
fn an_honest_server_is_believed() {
    let allowing = Server::answering(vec![ok(&says("<block>no</block>"))]);
    let judged = judge_in_time(&settings(Api::Anthropic, &allowing.base_url, LONG));
    assert_eq!(judged.outcome, Outcome::Allow);
    assert_eq!((judged.stages.len(), judged.stages[0].attempts), (1, 1));
    assert_eq!((judged.stages[0].usage.input, judged.stages[0].usage.output), (10, 5));
    let said = "<thinking>a</thinking><block>yes</block><reason>[blind-patch] Applies it unseen.</reason>";
    let blocking = Server::answering(vec![ok(&says("<block>yes</block>")), ok(&says(said))]);
    let judged = judge_in_time(&settings(Api::Anthropic, &blocking.base_url, LONG));
    let Outcome::Block { stage, reason, policy } = judged.outcome else { panic!("{judged:?}") };
    assert_eq!(
        (stage.name(), reason.as_str(), policy.as_deref()),
        ("second", "Applies it unseen.", Some("blind-patch"))
    );
    assert_eq!(judged.stages.len(), 2);
}

/// [C10] The second look can lift what the first one blocked, and what the first one could not say.
#[test]
fn the_second_stage_has_the_last_word() {
    for first in ["<block>yes</block>", "well…"] {
        let server =
            Server::answering(vec![ok(&says(first)), ok(&says("<thinking>a</thinking><block>no</block>"))]);
        let judged = judge_in_time(&settings(Api::Anthropic, &server.base_url, LONG));
        assert_eq!(judged.outcome, Outcome::Allow);
        assert_eq!(server.requests(), 2);
    }
    let server = Server::answering(vec![ok(&says("well…")), ok(&says("<block>no</block>"))]);
    let fast =
        ClassifierSettings { mode: StageMode::Fast, ..settings(Api::Anthropic, &server.base_url, LONG) };
    assert_eq!(failed_with(&fast), "unparseable-no-answer");
    assert_eq!(server.requests(), 1);
}

/// [C12]
#[test]
fn a_server_that_refuses_or_hangs_up_is_a_connection_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    assert_eq!(failed_with(&settings(Api::Anthropic, &base_url, LONG)), "connection");
    // Closing while the request lies unread resets the connection.
    assert_eq!(failed(&Server::deaf(|_, _| {}), LONG), "connection");
    assert_eq!(failed(&Server::start(|_, _| {}), LONG), "connection");
    let cut = Server::start(|_, stream| {
        let whole = ok(&says("<block>no</block>"));
        drop(stream.write_all(&whole.as_bytes()[..whole.len() - 1]));
    });
    assert_eq!(failed(&cut, LONG), "connection");
    assert_eq!(cut.requests(), 3);
}

/// [C12] [C14]
#[test]
fn a_server_that_takes_its_time_is_a_timeout() {
    let pause = Duration::from_secs(30);
    assert_eq!(failed(&Server::deaf(move |_, _| std::thread::sleep(pause)), SHORT), "timeout");
    let silent = Server::start(move |_, stream| {
        drop(
            stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"),
        );
        std::thread::sleep(pause);
    });
    assert_eq!(failed(&silent, SHORT), "timeout");
    let slow = Server::start(|_, stream| {
        for byte in ok(&says("<block>no</block>")).as_bytes() {
            drop(stream.write_all(&[*byte]));
            std::thread::sleep(Duration::from_secs(1));
        }
    });
    assert_eq!(failed(&slow, SHORT), "timeout");
    let dripping = Server::start(|_, stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"));
        send_forever(stream, b" ", Duration::from_millis(200));
    });
    assert_eq!(failed(&dripping, SHORT), "timeout");
    let headers = Server::start(|_, stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\n"));
        send_forever(stream, b"x: y\r\n", Duration::from_millis(200));
    });
    assert_eq!(failed(&headers, SHORT), "timeout");
}

/// [C12] [C14]
#[test]
fn retry_after_is_honoured_within_the_deadline_in_every_form() {
    let limited = |after: &str| response("429 Too Many Requests", &format!("retry-after: {after}\r\n"), "{}");
    // What asks for nothing, or for little, is tried three times.
    for little in ["0", "soon", "-5", "Sun, 06 Nov 1994 08:49:37 GMT"] {
        let server = Server::answering(vec![limited(little)]);
        assert_eq!(failed(&server, LONG), "rate-limited", "{little}");
        assert_eq!(server.requests(), 3, "{little}");
    }
    // What asks for more than there is ends at once.
    for much in ["3600", "99999999999999999999", "Tue, 31 Dec 2999 23:59:59 GMT"] {
        let server = Server::answering(vec![limited(much)]);
        assert_eq!(failed(&server, LONG), "rate-limited", "{much}");
        assert_eq!(server.requests(), 1, "{much}");
    }
    let server = Server::answering(vec![limited("1"), ok(&says("<block>no</block>"))]);
    let began = Instant::now();
    let judged = judge_in_time(&settings(Api::Anthropic, &server.base_url, LONG));
    assert_eq!((judged.outcome, judged.stages[0].attempts), (Outcome::Allow, 2));
    assert!(began.elapsed() >= Duration::from_secs(1));
}

/// [C12]
#[test]
fn a_status_is_counted_under_its_own_name() {
    let cases = [
        ("500 Internal Server Error", "server-error", 3),
        ("502 Bad Gateway", "server-error", 3),
        ("503 Service Unavailable", "overloaded", 3),
        ("529 Overloaded", "overloaded", 3),
        ("400 Bad Request", "bad-request", 1),
        ("404 Not Found", "bad-request", 1),
        ("401 Unauthorized", "unauthorised", 1),
        ("413 Payload Too Large", "window-exceeded", 1),
        ("201 Created", "malformed", 1),
        ("206 Partial Content", "malformed", 1),
    ];
    for (status, name, requests) in cases {
        // The body says "allow" in every one of them.
        let server = Server::answering(vec![response(
            status,
            "content-type: application/json\r\n",
            &says("<block>no</block>"),
        )]);
        assert_eq!(failed(&server, LONG), name, "{status}");
        assert_eq!(server.requests(), requests, "{status}");
    }
    let window = r#"{"error":{"message":"prompt is too long: 300000 tokens > 200000 maximum"}}"#;
    let server = Server::answering(vec![response("400 Bad Request", "", window)]);
    assert_eq!(failed(&server, LONG), "window-exceeded");
    let once = Server::answering(vec![response("500 Oops", "", ""), ok(&says("<block>no</block>"))]);
    let judged = judge_in_time(&settings(Api::Anthropic, &once.base_url, LONG));
    assert_eq!((judged.outcome, judged.stages[0].attempts), (Outcome::Allow, 2));
}

/// [C12] A redirect is not followed, so its target sees nothing.
#[test]
fn a_redirect_is_not_followed() {
    let other = Server::answering(vec![ok(&says("<block>no</block>"))]);
    for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let location = format!("location: {}/v1/messages\r\n", other.base_url);
        let server = Server::answering(vec![response(status, &location, &says("<block>no</block>"))]);
        assert_eq!(failed(&server, LONG), "redirected", "{status}");
    }
    assert_eq!(other.requests(), 0);
}

/// [C12] [C14]
#[test]
fn only_whole_plain_json_is_read() {
    let typed = |kind: &str, body: &str| response("200 OK", &format!("content-type: {kind}\r\n"), body);
    let allow = says("<block>no</block>");
    let cases = [
        (typed("text/html", "<html><block>no</block></html>"), "wrong-content-type"),
        (typed("text/plain", &allow), "wrong-content-type"),
        (typed("text/event-stream", &allow), "wrong-content-type"),
        (typed("application/jsonp", &allow), "wrong-content-type"),
        (response("200 OK", "", &allow), "wrong-content-type"),
        (
            response("200 OK", "content-type: application/json\r\ncontent-encoding: gzip\r\n", &allow),
            "encoded",
        ),
        (ok("<html><block>no</block></html>"), "malformed"),
        (ok("<block>no</block>"), "malformed"),
        (ok(""), "malformed"),
        (ok(allow.strip_suffix('}').unwrap()), "malformed"),
        (ok(&format!("{allow}{allow}")), "malformed"),
        (ok("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}"), "malformed"),
        (ok("{}"), "malformed"),
        (ok("null"), "malformed"),
    ];
    for (answer, name) in cases {
        let server = Server::answering(vec![answer.clone()]);
        assert_eq!(failed(&server, LONG), name, "{answer}");
        assert_eq!(server.requests(), 1, "{answer}");
    }
    let not_text = Server::start(|_, stream| {
        let mut body = says("<block>no</block>").into_bytes();
        body.extend_from_slice(b"\xff\xfe");
        let head = ok("").replace("content-length: 0", &format!("content-length: {}", body.len()));
        drop(stream.write_all(head.as_bytes()));
        drop(stream.write_all(&body));
    });
    assert_eq!(failed(&not_text, LONG), "malformed");
}

/// [C14]
#[test]
fn too_much_is_not_read() {
    let announced = Server::start(|_, stream| {
        drop(stream.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 104857600\r\n\r\n",
        ));
        send_forever(stream, &vec![b' '; 65536], Duration::ZERO);
    });
    assert_eq!(failed(&announced, LONG), "too-large");
    let endless = Server::start(|_, stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"));
        send_forever(stream, &vec![b' '; 65536], Duration::ZERO);
    });
    assert_eq!(failed(&endless, LONG), "too-large");
    let chunked = Server::start(|_, stream| {
        drop(stream.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
        ));
        let chunk = format!("8000\r\n{}\r\n", " ".repeat(0x8000));
        send_forever(stream, chunk.as_bytes(), Duration::ZERO);
    });
    assert_eq!(failed(&chunked, LONG), "too-large");
    // An endless error is not read to its end either.
    let error = Server::start(|_, stream| {
        drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        send_forever(stream, &vec![b' '; 65536], Duration::ZERO);
    });
    assert_eq!(failed(&error, LONG), "bad-request");
}

/// [C11]
#[test]
fn what_is_no_answer_blocks_under_its_own_name() {
    let cases = [
        ("", "unparseable-empty"),
        ("Sure, go ahead.", "unparseable-no-answer"),
        ("<block>no</block><block>no</block>", "unparseable-text-around"),
        ("<block>yes</block><block>no</block>", "unparseable-text-around"),
        ("<thinking><block>no</block></thinking>", "unparseable-thinking"),
        ("<thinking>never closed <block>no</block>", "unparseable-thinking"),
        ("<transcript><block>no</block></transcript>", "unparseable-no-answer"),
        ("<block>no", "unparseable-unclosed"),
        ("<block>nothing</block>", "unparseable-other-word"),
    ];
    for (text, name) in cases {
        let server = Server::answering(vec![ok(&says(text))]);
        assert_eq!(failed(&server, LONG), name, "{text}");
        assert_eq!(server.requests(), 2, "{text}");
    }
    let changed = |key: &str, value: serde_json::Value| {
        let mut body: serde_json::Value = serde_json::from_str(&says("<block>no</block>")).unwrap();
        body[key] = value;
        let server = Server::answering(vec![ok(&body.to_string())]);
        failed(&server, LONG)
    };
    assert_eq!(changed("model", "judge-tiny".into()), "unparseable-other-model");
    assert_eq!(changed("model", serde_json::Value::Null), "unparseable-other-model");
    assert_eq!(changed("stop_reason", "refusal".into()), "unparseable-refusal");
    assert_eq!(changed("stop_reason", "max_tokens".into()), "unparseable-too-long");
    assert_eq!(changed("stop_reason", "pause_turn".into()), "unparseable-odd-stop");
    let thought = serde_json::json!([{"type": "thinking", "thinking": "<block>no</block>"}]);
    assert_eq!(changed("content", thought), "unparseable-empty");
}

/// [C14] The other dialect is not more trusting.
#[test]
fn chat_completions_are_read_as_strictly() {
    let judged = |choices: serde_json::Value| {
        let body = serde_json::json!({"model": "judge-1", "choices": choices}).to_string();
        let server = Server::answering(vec![ok(&body)]);
        judge_in_time(&settings(Api::OpenAi, &format!("{}/v1", server.base_url), LONG)).outcome
    };
    let choice =
        |text: &str, finish: &str| serde_json::json!({"message": {"content": text}, "finish_reason": finish});
    assert_eq!(judged(serde_json::json!([choice("<block>no", "stop")])), Outcome::Allow);
    let name = |choices| match judged(choices) {
        Outcome::Failed(failure) => Failure::name(failure),
        Outcome::Allow | Outcome::Block { .. } => "an answer",
    };
    let twice = serde_json::json!([choice("<block>no", "stop"), choice("<block>no", "stop")]);
    assert_eq!(name(twice), "unparseable-text-around");
    assert_eq!(name(serde_json::json!([])), "malformed");
    assert_eq!(name(serde_json::json!([choice("<block>no</block>", "length")])), "unparseable-too-long");
    assert_eq!(
        name(serde_json::json!([choice("<block>no</block>", "content_filter")])),
        "unparseable-refusal"
    );
    let thought = serde_json::json!([{"message": {"content": "", "reasoning_content": "<block>no</block>"}, "finish_reason": "stop"}]);
    assert_eq!(name(thought), "unparseable-empty");
}

/// [C10] [C14] A model that rejects a temperature gets none, and is not asked with one again.
#[test]
fn a_rejected_temperature_is_left_out() {
    let rejects = r#"{"error":{"message":"temperature is deprecated for this model"}}"#;
    let server = Server::answering(vec![
        response("400 Bad Request", "content-type: application/json\r\n", rejects),
        ok(&says("<block>yes</block>")),
        ok(&says("<block>no</block>")),
    ]);
    let judged = judge_in_time(&settings(Api::Anthropic, &server.base_url, LONG));
    assert_eq!(judged.outcome, Outcome::Allow);
    let named: Vec<bool> =
        server.bodies.lock().unwrap().iter().map(|body| body.contains("\"temperature\"")).collect();
    assert_eq!(named, [true, false, false]);
    // A server that complains for ever is not asked for ever.
    let stubborn = Server::answering(vec![response("400 Bad Request", "", rejects)]);
    assert_eq!(failed(&stubborn, LONG), "bad-request");
    assert_eq!(stubborn.requests(), 2);
}

/// [C11] [C12] attack-R-o: only text of the model that was asked counts, once, under the one status that brings an answer.
#[test]
fn what_is_no_text_of_the_model_is_no_answer() {
    let body = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut body: serde_json::Value = serde_json::from_str(&says("<block>no</block>")).unwrap();
        change(&mut body);
        body.to_string()
    };
    let with = |key: &'static str, value: serde_json::Value| body(&|body| body[key] = value.clone());
    let block = |block: serde_json::Value| with("content", serde_json::json!([block]));
    let text = "<block>no</block>";
    let mixed = serde_json::json!([{"type": "text", "text": text}, {"type": "tool_use", "id": "a", "name": "b", "input": {}}]);
    let twice = |key: &str, value: &str| says(text).replacen('{', &format!("{{\"{key}\": {value}, "), 1);
    let answers = [
        block(serde_json::json!({"type": "tool_use", "text": text})),
        block(serde_json::json!({"type": "tool_result", "text": text, "content": text})),
        block(serde_json::json!({"type": "image", "text": text})),
        block(serde_json::json!({"type": "server_tool_use", "text": text})),
        block(serde_json::json!({"type": "Text", "text": text})),
        block(serde_json::json!({"type": ["text"], "text": text})),
        block(serde_json::json!({"text": text})),
        block(serde_json::json!({"type": "text", "text": [text]})),
        with("content", mixed),
        with("content", serde_json::json!(text)),
        with("type", serde_json::json!("error")),
        with("role", serde_json::json!("user")),
        with("error", serde_json::json!({"type": "overloaded_error"})),
        twice("content", "[]"),
        twice("stop_reason", "\"refusal\""),
        twice("con\\u0074ent", "[]"),
        says(text).replacen("\"text\":", "\"text\": \"<block>yes</block>\", \"text\":", 1),
    ];
    for answer in answers {
        let server = Server::answering(vec![ok(&answer)]);
        assert_eq!(failed(&server, LONG), "malformed", "{answer}");
    }
    for status in
        ["202 Accepted", "203 Other", "226 Used", "418 Teapot", "451 No", "500 Oops", "504 Late", "599 Odd"]
    {
        let plain = response(status, "content-type: application/json\r\n", &says(text));
        let judged = judge_in_time(&settings(Api::Anthropic, &Server::answering(vec![plain]).base_url, LONG));
        assert!(matches!(judged.outcome, Outcome::Failed(_)), "{status}");
    }
}

/// [C11] [C12] attack-R-o: the same of chat completions.
#[test]
fn a_chat_completion_that_is_no_plain_text_is_no_answer() {
    let good = serde_json::json!({"message": {"role": "assistant", "content": "<block>no"}, "finish_reason": "stop"});
    let outcome = |body: String| {
        let server = Server::answering(vec![ok(&body)]);
        judge_in_time(&settings(Api::OpenAi, &format!("{}/v1", server.base_url), LONG)).outcome
    };
    let plain = serde_json::json!({"model": "judge-1", "choices": [good]});
    assert_eq!(outcome(plain.to_string()), Outcome::Allow);
    let with = |pointer: &str, key: &str, value: serde_json::Value| {
        let mut body = plain.clone();
        body.pointer_mut(pointer).unwrap()[key] = value;
        body.to_string()
    };
    let message = "/choices/0/message";
    let parts = serde_json::json!([{"type": "image", "text": "<block>no"}]);
    let bodies = [
        with("", "error", serde_json::json!({"message": "overloaded"})),
        with(message, "role", "user".into()),
        with(message, "content", parts),
        with(message, "tool_calls", serde_json::json!([{"id": "a"}])),
        with(message, "function_call", serde_json::json!({"name": "a"})),
        plain.to_string().replacen("\"content\":", "\"content\": \"<block>yes\", \"content\":", 1),
    ];
    for body in bodies {
        assert!(matches!(outcome(body.clone()), Outcome::Failed(_)), "{body}");
    }
}
