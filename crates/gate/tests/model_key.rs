//! The key of a model's server: it reaches the server and nothing else, and without it there is no model.
//!
//! The environment is the process's own, so each test runs itself again with another one.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test whose server does not start must stop"
)]

#[path = "../../classify/tests/act/mod.rs"]
mod act;
#[expect(dead_code, reason = "other tests use more of it")]
mod room;
#[expect(dead_code, reason = "the classifier's own tests use more of it")]
#[path = "../../classify/tests/support/mod.rs"]
mod support;

use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use portcullis_classify::settings::Api;
use portcullis_gate::settle::{Layer, Model, ModelEnvironment};
use room::{Room, hear, settings};
use serde_json::json;
use support::Server;

const VARIABLE: &str = "PORTCULLIS_TEST_KEY";
const KEY: &str = "sk-ant-api03-Zx81qLw0Vb7Rt2Yp5Kd9Mn4Hs6Jf3Gc";

/// Runs one test of this file in a process with or without the key; what it printed.
fn again(test: &str, server: &Server, key: Option<&str>) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--nocapture"]).stderr(Stdio::piped());
    child.env_remove(VARIABLE).env("PORTCULLIS_TEST_SERVER", &server.base_url);
    if let Some(key) = key {
        child.env(VARIABLE, key);
    }
    let output = child.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "the child ran its test: {said}");
    said.into_owned()
}

/// A server that keeps the heads of requests and, as a careless one might, repeats them in its answers.
fn echoing(heads: &Arc<Mutex<Vec<String>>>) -> Server {
    let heads = Arc::clone(heads);
    Server::listening(move |number, heard, stream| {
        heads.lock().unwrap().push(heard.head.clone());
        let key =
            heard.head.split_ascii_whitespace().find(|word| word.starts_with("sk-")).unwrap_or("no key");
        let deed = match number {
            0 => format!("I was sent {key}."),
            1 => "<block>yes</block><reason>[credential-leak] Shows a key to all.</reason>".to_owned(),
            _ => format!("!401 the key {key} is not known"),
        };
        act::act(&deed, Api::Anthropic, heard, stream);
    })
}

/// [C14] [C15] [C18]
#[test]
fn the_key_reaches_the_server_and_nothing_else() {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let server = echoing(&heads);
    let said = again("child_with_a_key", &server, Some(KEY));
    assert!(!said.contains(KEY), "{said}");
    let heads = heads.lock().unwrap();
    assert_eq!(heads.len(), 3);
    assert!(heads.iter().all(|head| head.contains(&format!("x-api-key: {KEY}"))), "{heads:?}");
    assert!(server.bodies.lock().unwrap().iter().all(|body| !body.contains(KEY)));
}

/// Does nothing unless the test above runs it.
#[test]
fn child_with_a_key() {
    let (Ok(base_url), Ok(key)) = (std::env::var("PORTCULLIS_TEST_SERVER"), std::env::var(VARIABLE)) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let environment = ModelEnvironment {
        dump: Some("1".into()),
        dumps: Some(folder.path().to_owned()),
        ..ModelEnvironment::default()
    };
    let room = Room::with(&base_url, &[("keyEnv", json!(VARIABLE))], &environment).expect("there is a key");
    let blocked = room.settle("cargo test", |_| {});
    assert_eq!(blocked.ruling.decision.name(), "deny");
    let failed = room.settle("cargo test", |_| {});
    assert_eq!(failed.ruling.reason.word(), "unavailable");
    for settled in [&blocked, &failed] {
        let shown = format!("{} {:?} {}", settled.ruling.message(), settled, settled.ruling.to_json());
        assert!(!shown.contains(&key), "{shown}");
    }
    let files: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    assert_eq!(files.len(), 3);
    for file in &files {
        assert!(file.contains("cargo test") && !file.contains(&key), "{file}");
    }
}

/// [C13] [C17] Without a key there is no model, and the built-in judge answers by itself.
#[test]
fn without_a_key_there_is_no_model() {
    let server = Server::listening(|_, heard, stream| act::act("!500", Api::Anthropic, heard, stream));
    for key in [None, Some(""), Some(" \n")] {
        again("child_without_a_key", &server, key);
    }
    assert_eq!(server.requests(), 0);
}

/// Does nothing unless the test above runs it.
#[test]
fn child_without_a_key() {
    let Ok(base_url) = std::env::var("PORTCULLIS_TEST_SERVER") else { return };
    let settings = settings(&base_url, &[("keyEnv", json!(VARIABLE))]);
    let environment = ModelEnvironment { model: Some("judge-1".into()), ..ModelEnvironment::default() };
    assert!(Model::configured(&settings, &environment).is_none());
    for (command, decision) in
        [("cargo test", "allow"), ("git push --force origin topic", "ask"), ("frobnicate --all", "ask")]
    {
        let settled = hear("Please go on.", command, |_| {}, None);
        assert_eq!(settled.ruling.decision.name(), decision, "{command}");
        let layer = if decision == "ask" { Layer::Person } else { Layer::BuiltIn };
        assert_eq!((settled.layer, settled.stages.len()), (layer, 0));
    }
}
