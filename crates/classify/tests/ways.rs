//! The ways to a server and back: TLS with a certificate of one's own, a proxy, diagnostics, rules in words.
#![expect(clippy::unwrap_used, reason = "a test whose server does not start must stop")]

#[expect(dead_code, reason = "other tests use more of it")]
mod support;

use portcullis_classify::client::{Client, Key};
use portcullis_classify::command::{CommandMatch, match_command};
use portcullis_classify::dump::{Dump, Kept};
use portcullis_classify::policy::Policy;
use portcullis_classify::prompt::{Prompt, Surroundings};
use portcullis_classify::request::Case;
use portcullis_classify::settings::{Api, ClassifierSettings, ProxyChoice};
use portcullis_classify::stages::{Outcome, classify};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use support::{Server, framed, judge, ok, response, run, says, settings};

const LONG: Duration = Duration::from_mins(1);

/// A server that speaks TLS with a certificate of a private authority, and that authority's certificate.
fn tls_server() -> (String, String) {
    let mut authority = rcgen::CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let authority_key = rcgen::KeyPair::generate().unwrap();
    let root = authority.self_signed(&authority_key).unwrap().pem();
    let issuer = rcgen::Issuer::new(authority, authority_key);
    let key = rcgen::KeyPair::generate().unwrap();
    let leaf = rcgen::CertificateParams::new(vec!["127.0.0.1".to_owned()])
        .unwrap()
        .signed_by(&key, &issuer)
        .unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    let config = Arc::new(config);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (Ok(mut stream), Ok(mut connection)) = (stream, ServerConnection::new(Arc::clone(&config)))
            else {
                return;
            };
            let mut tls = Stream::new(&mut connection, &mut stream);
            let mut request = Vec::new();
            let mut buffer = [0; 4096];
            // The request's last block is the stage's suffix; what follows is the limits.
            while !String::from_utf8_lossy(&request).contains("\"max_tokens\"") {
                match tls.read(&mut buffer) {
                    Ok(read) if read > 0 => request.extend_from_slice(buffer.get(..read).unwrap()),
                    Ok(_) | Err(_) => break,
                }
            }
            drop(tls.write_all(ok(&says("<block>no</block>")).as_bytes()));
            tls.conn.send_close_notify();
            drop(tls.flush());
        }
    });
    (address, root)
}

/// [C14]
#[test]
fn a_private_authority_is_trusted_only_if_its_file_is_named() {
    let (address, root) = tls_server();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("root.pem");
    std::fs::write(&file, root).unwrap();
    let stranger = settings(Api::Anthropic, &address, LONG);
    let Outcome::Failed(failure) = judge(&stranger).outcome else { unreachable!("a stranger was trusted") };
    assert_eq!(failure.name(), "connection");
    let known = ClassifierSettings { ca_file: Some(file.clone()), ..stranger };
    assert_eq!(judge(&known).outcome, Outcome::Allow);
    std::fs::write(&file, "no certificate").unwrap();
    assert!(Client::new(&known, None).is_err());
}

/// [C14]
#[test]
fn a_proxy_that_is_named_is_used() {
    let proxy = Server::answering(vec![ok(&says("<block>no</block>"))]);
    let through = ClassifierSettings {
        proxy: ProxyChoice::Address(proxy.base_url.clone()),
        ..settings(Api::Anthropic, "http://model.invalid", LONG)
    };
    assert_eq!(judge(&through).outcome, Outcome::Allow);
    assert_eq!(proxy.requests(), 1);
}

/// [C14] The environment is the process's own, so the test runs itself again with another one.
#[test]
fn a_proxy_in_the_environment_is_used_but_not_for_this_machine() {
    let proxy = Server::answering(vec![ok(&says("<block>no</block>"))]);
    let direct = Server::answering(vec![ok(&says("<block>no</block>"))]);
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_with_a_proxy_in_its_environment"])
        .env("HTTP_PROXY", &proxy.base_url)
        .env("http_proxy", &proxy.base_url)
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .env("PORTCULLIS_TEST_DIRECT", &direct.base_url)
        .status()
        .unwrap();
    assert!(child.success());
    assert_eq!((proxy.requests(), direct.requests()), (1, 1));
}

/// Does nothing unless the test above runs it.
#[test]
fn child_with_a_proxy_in_its_environment() {
    let Ok(direct) = std::env::var("PORTCULLIS_TEST_DIRECT") else { return };
    for base_url in ["http://model.invalid", &direct] {
        let settings = ClassifierSettings {
            proxy: ProxyChoice::Environment,
            ..settings(Api::Anthropic, base_url, LONG)
        };
        assert_eq!(judge(&settings).outcome, Outcome::Allow);
    }
}

/// [C15]
#[test]
fn a_failure_leaves_a_diagnostic_without_being_asked() {
    let server =
        Server::answering(vec![ok(&says("hunter2 says <block>no</block>")), ok(&says("<block>yes</block>"))]);
    let folder = tempfile::tempdir().unwrap();
    let redact = |text: &str| text.replace("hunter2", "…");
    let dump = Dump { folder: folder.path().to_owned(), kept: Kept::asked(None), redact: &redact };
    let settings = ClassifierSettings {
        key_env: Some("KEY".into()),
        ..settings(Api::Anthropic, &server.base_url, LONG)
    };
    let client = Client::new(&settings, Key::new("sk-secret").as_ref()).unwrap();
    let prompt = Prompt::new(Policy::built_in(), &Surroundings::default()).unwrap();
    let case = Case { instructions: &[], framed: &framed() };
    let judged = run(classify(&client, &settings, &prompt, case, Some(&dump)));
    assert!(matches!(judged.outcome, Outcome::Block { .. }) && judged.dump_problem.is_none(), "{judged:?}");
    let files: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "the second stage did not fail");
    let text = std::fs::read_to_string(&files[0]).unwrap();
    assert!(text.contains("unparseable-no-answer") && text.contains("… says"));
    assert!(!text.contains("hunter2") && !text.contains("sk-secret"));
}

/// [C15] What a portal or a proxy says in the model's place is kept for whoever looks for the cause.
#[test]
fn a_diagnostic_shows_what_came_instead_of_json() {
    let page = response("200 OK", "content-type: text/html\r\n", "<h1>Please log in</h1>");
    let server = Server::answering(vec![page]);
    let folder = tempfile::tempdir().unwrap();
    let dump =
        Dump { folder: folder.path().to_owned(), kept: Kept::Failures, redact: &|text| text.to_owned() };
    let settings = settings(Api::Anthropic, &server.base_url, LONG);
    let client = Client::new(&settings, None).unwrap();
    let prompt = Prompt::new(Policy::built_in(), &Surroundings::default()).unwrap();
    run(classify(&client, &settings, &prompt, Case { instructions: &[], framed: &framed() }, Some(&dump)));
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(
        text.contains("wrong-content-type")
            && text.contains("Please log in")
            && text.contains("\"status\": 200")
    );
}

/// [R8]
#[test]
fn a_rule_in_words_approves_only_what_the_model_is_sure_of() {
    let rules = ["run the tests".to_owned(), "build the docs".to_owned()];
    let asked = |answer: &str| {
        let server = Server::answering(vec![ok(&says(answer))]);
        let settings = settings(Api::Anthropic, &server.base_url, LONG);
        let client = Client::new(&settings, None).unwrap();
        let (outcome, _) = run(match_command(&client, &settings, &rules, "cargo test", "/a"));
        let body = server.bodies.lock().unwrap().first().cloned().unwrap();
        assert!(body.contains("- run the tests\\n- build the docs") && body.contains("cargo test"), "{body}");
        outcome
    };
    let answer = |confidence: &str| {
        format!(r#"{{"matches":true,"confidence":"{confidence}","description":"run the tests"}}"#)
    };
    assert_eq!(asked(&answer("high")), CommandMatch::Matches { description: "run the tests".into() });
    assert_eq!(asked(&answer("medium")), CommandMatch::No);
    assert!(matches!(asked("yes"), CommandMatch::Failed(_)));
    let settings = settings(Api::Anthropic, "http://127.0.0.1:9", LONG);
    let client = Client::new(&settings, None).unwrap();
    // Words that would be cut are no rule: what was cut off may be what limits it.
    for unusable in [vec![], vec![String::new()], vec!["run it ".repeat(60)], vec!["x".repeat(401)]] {
        let (outcome, exchange) = run(match_command(&client, &settings, &unusable, "cargo test", "/a"));
        assert_eq!(outcome, CommandMatch::No, "{unusable:?}");
        assert!(exchange.is_none(), "nothing is sent without a rule to match");
    }
}
