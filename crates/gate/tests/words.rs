//! Rules in words, from the settings to the answer, with a scripted model on this machine.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test whose server does not start must stop"
)]

#[path = "../../classify/tests/act/mod.rs"]
mod act;
#[expect(dead_code, reason = "other tests use more of it")]
mod house;
#[expect(dead_code, reason = "the classifier's own tests use more of it")]
#[path = "../../classify/tests/support/mod.rs"]
mod support;

use std::time::Duration;

use house::House;
use portcullis_classify::settings::Api;
use portcullis_decide::Reason;
use portcullis_gate::{Answer, Enforced, Gate};
use serde_json::{Value, json};
use support::Server;

const SURE: &str = r#"{"matches":true,"confidence":"high","description":"run the tests"}"#;
const UNSURE: &str = r#"{"matches":true,"confidence":"medium","description":"run the tests"}"#;
const OTHER: &str = r#"{"matches":true,"confidence":"high","description":"do anything"}"#;
/// Nothing but a rule in words can allow it.
const LINE: &str = "make check";

/// A server that says this to every request, after a while.
fn server(said: &'static str, after: Duration) -> Server {
    Server::listening(move |_, heard, stream| {
        std::thread::sleep(after);
        act::act(said, Api::Anthropic, heard, stream);
    })
}

fn house(server: &Server, more: &[(&str, Value)]) -> House {
    let mut settings = json!({
        "permissions": { "allow": ["Bash(prompt: run the tests)"] },
        "classifier": {
            "model": "judge-1", "api": "anthropic", "baseUrl": server.base_url, "keyEnv": "", "proxy": "none",
            "timeout": 60,
        },
    });
    for (name, value) in more {
        *settings.pointer_mut(name).unwrap_or_else(|| panic!("{name}")) = value.clone();
    }
    House::new(&settings)
}

fn with_list(list: &str, rules: &Value) -> Value {
    json!({ "allow": ["Bash(prompt: run the tests)"], list: rules })
}

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

fn judged(house: &House, line: &str) -> Answer {
    let gate = house.gate();
    run(async { gate.judge(house.bash(line)).await })
}

/// [R8]
#[test]
fn a_rule_in_words_allows_what_the_model_is_sure_of_and_names_it() {
    let server = server(SURE, Duration::ZERO);
    let answer = judged(&house(&server, &[]), LINE);
    assert_eq!(answer.enforced, Enforced::Allow, "{}", answer.ruling.message());
    let Reason::Classifier { reason, policy, .. } = &answer.ruling.reason else {
        panic!("{:?}", answer.ruling.reason)
    };
    assert!(reason.contains("run the tests"), "{reason}");
    assert_eq!(policy.as_deref(), Some("Bash(prompt: run the tests)"));
    assert_eq!(server.requests(), 1);
}

/// [R8]
#[test]
fn what_is_not_surely_one_of_the_rules_is_not_allowed() {
    for said in [UNSURE, OTHER, "yes", "<block>no</block>", "!status 500", "!close"] {
        let server = server(said, Duration::ZERO);
        let answer = judged(&house(&server, &[]), LINE);
        assert_ne!(answer.enforced, Enforced::Allow, "{said}: {}", answer.ruling.message());
    }
}

/// [R8], [F1], [F3], [S2]
#[test]
fn no_rule_in_words_beats_a_rule_or_a_check_and_no_model_is_asked_then() {
    for (rules, line) in [
        (with_list("ask", &json!(["Bash(make:*)"])), LINE),
        (with_list("deny", &json!(["Bash(make:*)"])), LINE),
        (with_list("deny", &json!(["Bash"])), LINE),
        (with_list("deny", &json!([])), "rm -rf ~"),
        (json!({ "ask": ["Bash(prompt: run the tests)"] }), LINE),
        (json!({ "deny": ["Bash(prompt: run the tests)"] }), LINE),
    ] {
        let server = server(SURE, Duration::ZERO);
        let answer = judged(&house(&server, &[("/permissions", rules.clone())]), line);
        assert_ne!(answer.enforced, Enforced::Allow, "{rules} {line}: {}", answer.ruling.message());
        assert_eq!(server.requests(), 0, "{rules} {line}");
    }
}

/// [H3], [R8]
#[test]
fn switched_off_no_model_is_asked() {
    let server = server(SURE, Duration::ZERO);
    let house = house(&server, &[]);
    let mut settings: Value =
        serde_json::from_slice(&std::fs::read(house.places.user_settings()).unwrap()).unwrap();
    settings["commandClassifier"] = json!(false);
    house.settings(&settings);
    assert_ne!(judged(&house, LINE).enforced, Enforced::Allow);
    assert_eq!(server.requests(), 0);
}

/// Judges the line after it was seen coming; how often the model was asked.
fn seen_coming(server: &Server, house: &House, gate: &Gate, times: usize) -> (Vec<Enforced>, usize) {
    run(async {
        gate.speculate(house.bash(LINE)).await;
        let mut told = Vec::new();
        for _ in 0..times {
            told.push(gate.judge(house.bash(LINE)).await.enforced);
        }
        (told, server.requests())
    })
}

/// [H3]
#[test]
fn a_verdict_in_advance_serves_one_call() {
    let server = server(SURE, Duration::ZERO);
    let house = house(&server, &[]);
    let gate = house.gate();
    assert_eq!(seen_coming(&server, &house, &gate, 1), (vec![Enforced::Allow], 1));
    assert_eq!(seen_coming(&server, &house, &gate, 2), (vec![Enforced::Allow, Enforced::Allow], 3));
}

/// [H3]
#[test]
fn a_verdict_in_advance_that_failed_is_asked_for_again() {
    let server = Server::listening(move |number, heard, stream| {
        act::act(if number == 0 { "!status 400" } else { SURE }, Api::Anthropic, heard, stream);
    });
    let house = house(&server, &[]);
    let gate = house.gate();
    assert_eq!(seen_coming(&server, &house, &gate, 1), (vec![Enforced::Allow], 2));
}

/// [H3]
#[test]
fn a_call_waits_for_the_verdict_that_is_on_its_way() {
    let server = server(SURE, Duration::from_millis(300));
    let house = house(&server, &[]);
    let gate = house.gate();
    let told = run(async {
        let (early, request) = (gate.clone(), house.bash(LINE));
        let speculation = tokio::spawn(async move { early.speculate(request).await });
        while server.requests() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let told = gate.judge(house.bash(LINE)).await.enforced;
        speculation.await.unwrap();
        told
    });
    assert_eq!((told, server.requests()), (Enforced::Allow, 1));
}

/// [H3] Another line, other rules: a verdict in advance is about one call under the rules of its time.
#[test]
fn a_verdict_in_advance_is_not_for_another_line_or_under_other_rules() {
    let server = server(SURE, Duration::ZERO);
    let house = house(&server, &[]);
    let gate = house.gate();
    run(async {
        gate.speculate(house.bash(LINE)).await;
        assert_eq!(gate.judge(house.bash("make all")).await.enforced, Enforced::Allow);
        assert_eq!(server.requests(), 2);
        let mut settings: Value =
            serde_json::from_slice(&std::fs::read(house.places.user_settings()).unwrap()).unwrap();
        settings["permissions"]["deny"] = json!(["Bash(curl:*)"]);
        house.settings(&settings);
        assert_eq!(gate.judge(house.bash(LINE)).await.enforced, Enforced::Allow);
        assert_eq!(server.requests(), 3);
    });
}

/// [H3]
#[test]
fn nothing_is_asked_in_advance_in_auto_or_bypass_mode() {
    for mode in ["auto", "bypassPermissions"] {
        let server = server(SURE, Duration::ZERO);
        let rules = with_list("defaultMode", &json!(mode));
        let house = house(&server, &[("/permissions", rules)]);
        let gate = house.gate();
        run(async { gate.speculate(house.bash(LINE)).await });
        assert_eq!(server.requests(), 0, "{mode}");
    }
}
