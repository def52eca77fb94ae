use super::*;
use crate::prompt::Stage;
use crate::reply::Stop;
use crate::request::tests::{file, request};
use crate::settings::ProxyChoice;
use serde_json::json;

fn settings(api: Api) -> ClassifierSettings {
    ClassifierSettings {
        base_url: "http://127.0.0.1:9".into(),
        key_env: None,
        proxy: ProxyChoice::None,
        ..ClassifierSettings::new(api, "judge-1")
    }
}

fn client(api: Api) -> Client {
    Client::new(&settings(api), None).unwrap()
}

/// [C9]
#[test]
fn both_stages_share_their_prefix_to_the_byte() {
    let files = [file("Use tabs.")];
    for api in [Api::Anthropic, Api::OpenAi] {
        let client = client(api);
        let body = |stage: Stage| client.body(&request(stage, &files), Adaptations::default()).to_string();
        let (first, second) = (body(Stage::First), body(Stage::Second));
        let shared = first.bytes().zip(second.bytes()).take_while(|(one, other)| one == other).count();
        let suffix = first.find(Stage::First.suffix()).unwrap();
        assert!(shared >= suffix, "{api:?}: {shared} of {suffix} bytes");
        assert_eq!(second.find(Stage::Second.suffix()), Some(suffix));
    }
}

/// [C9] [C10]
#[test]
fn an_anthropic_body_has_three_marks_and_the_limits_last() {
    let body =
        client(Api::Anthropic).body(&request(Stage::First, &[file("Use tabs.")]), Adaptations::default());
    let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["model", "system", "messages", "max_tokens", "stream", "temperature", "stop_sequences"]
    );
    assert_eq!(body.to_string().matches("cache_control").count(), 3);
    assert_eq!(body["system"][0]["cache_control"], json!({"type": "ephemeral"}));
    assert_eq!(body["max_tokens"], 64);
    assert_eq!(body["temperature"], 0.0);
    assert_eq!(body["stop_sequences"], json!(["</block>"]));
    let second = client(Api::Anthropic).body(&request(Stage::Second, &[]), Adaptations::default());
    assert_eq!(second["max_tokens"], 4096);
    assert_eq!(second.get("stop_sequences"), None);
}

/// [C14]
#[test]
fn an_openai_body_is_plain_text_and_adapts() {
    let client = client(Api::OpenAi);
    let request = request(Stage::First, &[file("Use tabs.")]);
    let body = client.body(&request, Adaptations::default());
    assert_eq!(body["messages"].as_array().unwrap().len(), 3);
    assert_eq!(body["messages"][0]["role"], "system");
    assert_eq!(body["stop"], json!(["</block>"]));
    let adapted = client.body(&request, Adaptations::from_bits(15));
    assert_eq!(adapted["messages"].as_array().unwrap().len(), 2);
    assert_eq!(adapted["max_completion_tokens"], 64);
    for gone in ["temperature", "stop", "max_tokens"] {
        assert_eq!(adapted.get(gone), None, "{gone}");
    }
}

fn read(api: Api, body: &Value) -> Result<RawReply, Failure> {
    client(api).read(&body.to_string(), StopAsked::Yes).map(|answer| answer.reply)
}

/// [C14]
#[test]
fn thinking_is_read_past_and_never_the_answer() {
    let body = json!({"model": "judge-1", "stop_reason": "end_turn", "content": [
        {"type": "thinking", "thinking": "<block>no</block>"}, {"type": "text", "text": "<block>yes</block>"}]});
    assert_eq!(read(Api::Anthropic, &body).unwrap().text, "<block>yes</block>");
    let body = json!({"model": "judge-1", "choices": [{"finish_reason": "stop", "message":
        {"content": null, "reasoning_content": "<block>no</block>"}}]});
    assert_eq!(read(Api::OpenAi, &body).unwrap().text, "");
}

/// [C14]
#[test]
fn a_think_tag_is_read_past_for_models_that_always_think_alone() {
    let body = json!({"model": "m", "choices": [{"finish_reason": "stop", "message":
        {"content": "<think>a</think>\n<block>no</block>"}}]});
    let text = |thinks: bool| {
        let settings = ClassifierSettings { always_thinks: Some(thinks), ..settings(Api::OpenAi) };
        let client = Client::new(&settings, None).unwrap();
        client.read(&body.to_string(), StopAsked::No).unwrap().reply.text
    };
    assert_eq!(text(true), "\n<block>no</block>");
    assert!(text(false).starts_with("<think>"));
}

/// [C11] [C14]
#[test]
fn ends_are_told_apart() {
    let anthropic = |reason: Value, sequence: Value| {
        let body =
            json!({"model": "judge-1", "content": [], "stop_reason": reason, "stop_sequence": sequence});
        read(Api::Anthropic, &body).unwrap().stop
    };
    assert_eq!(anthropic(json!("end_turn"), json!(null)), Stop::Ended);
    assert_eq!(anthropic(json!("end_turn"), json!("</block>")), Stop::Sequence);
    assert_eq!(anthropic(json!("stop_sequence"), json!("</block>")), Stop::Sequence);
    assert_eq!(anthropic(json!("stop_sequence"), json!("x")), Stop::Other);
    assert_eq!(anthropic(json!("max_tokens"), json!(null)), Stop::Length);
    assert_eq!(anthropic(json!("refusal"), json!(null)), Stop::Refusal);
    assert_eq!(anthropic(json!("tool_use"), json!(null)), Stop::Other);
    assert_eq!(anthropic(json!(null), json!(null)), Stop::Other);
    let openai = |choice: Value| {
        let mut choice = choice;
        choice["message"] = json!({"content": "x"});
        read(Api::OpenAi, &json!({"model": "judge-1", "choices": [choice]})).unwrap().stop
    };
    assert_eq!(openai(json!({"finish_reason": "stop"})), Stop::Sequence);
    assert_eq!(openai(json!({"finish_reason": "stop", "stop_reason": null})), Stop::Ended);
    assert_eq!(openai(json!({"finish_reason": "stop", "stop_reason": "</block>"})), Stop::Sequence);
    assert_eq!(openai(json!({"finish_reason": "length"})), Stop::Length);
    assert_eq!(openai(json!({"finish_reason": "content_filter"})), Stop::Refusal);
    assert_eq!(openai(json!({})), Stop::Other);
}

/// [C14]
#[test]
fn odd_responses_are_no_answers() {
    let text = json!([{"type": "text", "text": "<block>no</block>"}, {"type": "tool_use"}]);
    assert_eq!(read(Api::Anthropic, &json!({"content": text})), Err(Failure::Malformed));
    assert_eq!(read(Api::Anthropic, &json!({"content": "<block>no</block>"})), Err(Failure::Malformed));
    assert_eq!(read(Api::Anthropic, &json!({"type": "error"})), Err(Failure::Malformed));
    let choice = json!({"message": {"content": "<block>no</block>"}, "finish_reason": "stop"});
    assert!(matches!(read(Api::OpenAi, &json!({"choices": [choice, choice]})), Err(Failure::Unparseable(_))));
    assert_eq!(read(Api::OpenAi, &json!({"choices": []})), Err(Failure::Malformed));
    let called = json!({"message": {"content": "", "tool_calls": [{}]}, "finish_reason": "stop"});
    assert_eq!(read(Api::OpenAi, &json!({"choices": [called]})), Err(Failure::Malformed));
    let refused =
        json!({"message": {"content": "<block>no</block>", "refusal": "no"}, "finish_reason": "stop"});
    assert_eq!(read(Api::OpenAi, &json!({"choices": [refused]})).unwrap().stop, Stop::Refusal);
}

/// [C16]
#[test]
fn usage_counts_the_cache_in_both_dialects() {
    let anthropic = json!({"content": [], "usage":
        {"input_tokens": 5, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 10, "output_tokens": 3}});
    let expected = Usage { input: 105, cached: 90, cache_written: 10, output: 3 };
    assert_eq!(client(Api::Anthropic).read(&anthropic.to_string(), StopAsked::Yes).unwrap().usage, expected);
    let openai = json!({"choices": [{"message": {"content": ""}}], "usage":
        {"prompt_tokens": 105, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 90}}});
    let expected = Usage { cache_written: 0, ..expected };
    assert_eq!(client(Api::OpenAi).read(&openai.to_string(), StopAsked::Yes).unwrap().usage, expected);
}

/// [C11]
#[test]
fn another_name_counts_only_if_the_settings_say_so() {
    let body = json!({"model": "weights.gguf", "content": []}).to_string();
    let asked = |names: &[&str]| {
        let also_answers_as = names.iter().map(|name| (*name).to_owned()).collect();
        let settings = ClassifierSettings { also_answers_as, ..settings(Api::Anthropic) };
        Client::new(&settings, None).unwrap().read(&body, StopAsked::Yes).unwrap().reply.requested_model
    };
    assert_eq!(asked(&[]).as_deref(), Some("judge-1"));
    assert_eq!(asked(&["other"]).as_deref(), Some("judge-1"));
    assert_eq!(asked(&["weights.gguf"]), None);
    assert_eq!(asked(&["*"]), None);
}

/// [C14]
#[test]
fn addresses_and_keys_are_checked_before_anything_is_sent() {
    let with = |base: &str, key: Option<&str>| {
        let key = key.and_then(Key::new);
        let settings = ClassifierSettings { base_url: base.into(), ..settings(Api::Anthropic) };
        Client::new(&settings, key.as_ref()).map(|client| client.endpoint.to_string())
    };
    assert_eq!(with("https://a.example/v1/", Some("k")).unwrap(), "https://a.example/v1/messages");
    assert_eq!(with("http://[::1]:80", Some("k")).unwrap(), "http://[::1]/v1/messages");
    assert!(with("http://10.0.0.5", None).is_ok());
    assert!(matches!(with("http://10.0.0.5", Some("k")), Err(ClientError::KeyInTheClear(_))));
    assert!(matches!(with("https://a.example", Some("k\u{7f}k")), Err(ClientError::BadKey)));
    for bad in ["", "a.example", "file:///etc/passwd", "https://u:p@a.example", "https://a.example/?x=1#"] {
        assert!(matches!(with(bad, None), Err(ClientError::BadAddress(_))), "{bad}");
    }
    let named = ClassifierSettings { key_env: Some("NO_SUCH_KEY".into()), ..settings(Api::Anthropic) };
    assert!(matches!(Client::new(&named, None), Err(ClientError::NoKey(_))));
    let missing = ClassifierSettings { ca_file: Some("/no/such/file".into()), ..settings(Api::Anthropic) };
    assert!(matches!(Client::new(&missing, None), Err(ClientError::BadCertificates { .. })));
    assert_eq!(format!("{:?}", Key::new(" secret\n").unwrap()), "Key(…)");
}

/// [C14] [C10]
#[test]
fn errors_are_explained_by_their_words() {
    use quirks::{Explained, explain};
    let temperature = "{\"error\":{\"message\":\"Unsupported value: 'temperature' does not support 0\"}}";
    assert_eq!(explain(400, temperature), Explained::Adaptation(Adaptation::NoTemperature));
    assert_eq!(
        explain(500, "Conversation roles must alternate user/assistant"),
        Explained::Adaptation(Adaptation::OneMessage)
    );
    assert_eq!(explain(400, "prompt is too long: 210000 tokens > 200000 maximum"), Explained::Window);
    assert_eq!(explain(429, temperature), Explained::No);
    assert_eq!(explain(400, "credit balance is too low"), Explained::No);
    let once = request(Stage::First, &[]);
    assert!(Adaptation::NoTemperature.applies(&once, Adaptations::default()));
    assert!(!Adaptation::NoTemperature.applies(&once, Adaptations::from_bits(1)));
    assert!(!Adaptation::OneMessage.applies(&once, Adaptations::default()));
}

/// [C10]
#[test]
fn models_that_always_think_are_known_by_name() {
    for model in ["o3", "o3-mini", "openai/gpt-5-mini", "DeepSeek-R1:70b", "gpt-oss:20b"] {
        assert!(quirks::always_thinks(model), "{model}");
    }
    for model in ["claude-sonnet-4-5", "gpt-4o", "o30-large", "llama3", "gpt-50"] {
        assert!(!quirks::always_thinks(model), "{model}");
    }
}
