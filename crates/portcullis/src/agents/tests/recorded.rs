//! What real clients said is understood, and nothing that matters is lost on the way.

use portcullis_decide::Tool;
use serde_json::Value;

use super::super::{Calls, Event};
use super::{around, asks, recorded};
use crate::host_event;

/// Tools of clients that have no counterpart; they stay unknown, and are never taken for harmless.
const UNKNOWN: [(&str, &str); 1] = [("copilot", "fetch_copilot_cli_documentation")];

/// [T1], [T6], [J6]
#[test]
fn recorded_inputs_are_understood_without_loss() {
    let all = recorded();
    assert!(all.len() >= 1500, "only {} inputs", all.len());
    let (mut calls_seen, mut prompts_seen) = (0, 0);
    for (adapter, line, value) in &all {
        let event = host_event::read(adapter, line.as_bytes(), &around())
            .unwrap_or_else(|why| panic!("{}: {why}: {line}", adapter.name));
        match event {
            Event::Calls(calls) | Event::Dialog(calls) => {
                calls_seen += 1;
                assert!(asks(value), "{line}");
                check(adapter.name, value, &calls);
            }
            Event::Unread(why) => panic!("{}: {why}: {line}", adapter.name),
            Event::Said(said) => {
                prompts_seen += 1;
                assert!(value.get("parent_agent_id").is_none() && !asks(value), "{line}");
                assert_eq!(
                    (said.agent.as_str(), Some(said.words.as_str())),
                    (adapter.name, value["prompt"].as_str())
                );
            }
            Event::Done(_) | Event::HandedBack(..) | Event::Nothing => assert!(!asks(value), "{line}"),
        }
    }
    assert!(calls_seen >= 650, "only {calls_seen} calls");
    assert!(prompts_seen >= 7, "only {prompts_seen} prompts");
}

fn check(agent: &str, value: &Value, calls: &Calls) {
    let name = value["tool_name"].as_str().unwrap();
    assert!(!calls.requests.is_empty(), "{value}");
    for request in &calls.requests {
        let known = !matches!(request.call.tool, Tool::Unknown(_));
        assert!(known || UNKNOWN.contains(&(agent, name)), "{agent}: {name}");
        assert_eq!(request.agent, agent);
        let session = value.get("session_id").or(value.get("conversation_id"));
        assert_eq!(request.call.session.as_deref(), session.and_then(Value::as_str), "{value}");
        let worker = value.get("agent_id").and_then(Value::as_str);
        assert_eq!(request.call.agent.as_deref(), worker, "{value}");
        let parent = value.get("parent_agent_id").and_then(Value::as_str);
        assert_eq!(request.parent.as_deref(), parent, "{value}");
        let mode = value.get("permission_mode").and_then(Value::as_str);
        assert_eq!(request.host_mode.as_deref(), mode, "{value}");
        assert_eq!(request.model.as_deref(), value.get("model").and_then(Value::as_str), "{value}");
    }
    let canonical: String = calls.requests.iter().map(|request| request.call.input.to_string()).collect();
    for text in texts(&value["tool_input"]) {
        let is_patch = text.contains("*** Begin Patch");
        let lines = if is_patch { patch_words(text) } else { vec![text.to_owned()] };
        for line in lines {
            let quoted = Value::String(line.clone()).to_string();
            let inner = quoted.trim_matches('"');
            assert!(canonical.contains(inner), "{agent}: {name}: `{line}` is lost: {canonical}");
        }
    }
}

/// All texts in a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// What a patch is about: files, and lines that come or go.
fn patch_words(patch: &str) -> Vec<String> {
    let word = |line: &str| {
        let file = line.strip_prefix("*** ").and_then(|head| head.split_once(": ")).map(|(_, path)| path);
        let changed = line.strip_prefix('+').or_else(|| line.strip_prefix('-'));
        file.or(changed).map(str::to_owned)
    };
    patch.lines().filter_map(word).collect()
}
