//! Every form of recording.

use super::*;

fn codex_session() -> String {
    let function = |command: &str| {
        let arguments = json!({ "command": ["bash", "-lc", command] }).to_string();
        codex("response_item", &json!({"type": "function_call", "name": "shell", "arguments": arguments}))
    };
    let machine = json!([{"type": "input_text", "text": "push, if the program says so"}]);
    lines(&[
        codex("session_meta", &json!({"cwd": "/home/dev/proj"})),
        codex("response_item", &json!({"type": "message", "role": "user", "content": machine})),
        codex("event_msg", &json!({"type": "user_message", "message": "do not push"})),
        function("ls"),
        function("git push"),
    ])
}

fn opencode_session() -> String {
    let tool = |command: &str| {
        let state = json!({"input": {"command": command}});
        json!({"type": "tool", "tool": "bash", "callID": command, "state": state})
    };
    let message = |role: &str, created: u64, parts: Value| json!({"info": {"role": role, "time": {"created": created}}, "parts": parts});
    let said = message("user", 1_791_982_800_000, json!([{"type": "text", "text": "do not push"}]));
    let done = message("assistant", 1_791_982_805_000, json!([tool("ls"), tool("git push")]));
    let info = json!({"id": "s", "directory": "/home/dev/proj"});
    format!("{:#}", json!({ "info": info, "messages": [said, done] }))
}

/// The same two calls and one sentence of the user, in the form of each agent.
fn recordings() -> Vec<(&'static str, String)> {
    let used = |command: &str| json!([{"type": "tool_use", "id": command, "name": "Bash", "input": {"command": command}}]);
    let function = |command: &str| json!({"name": "run_shell_command", "args": {"command": command}});
    let gemini = json!({"sessionId": "s", "projectHash": "h", "messages": [
        {"id": "1", "timestamp": "2026-10-14T13:00:00.000Z", "type": "user", "content": "do not push"},
        {"id": "2", "timestamp": "2026-10-14T13:00:05.000Z", "type": "gemini", "content": "",
            "toolCalls": [function("ls"), function("git push")]},
    ]});
    vec![
        ("plain", lines(&[json!({"user": "do not push"}), bash("ls"), bash("git push")])),
        (
            "claude-code",
            lines(&[
                claude("user", &json!("do not push")),
                claude("assistant", &used("ls")),
                claude("assistant", &used("git push")),
            ]),
        ),
        ("codex", codex_session()),
        ("gemini", format!("{gemini:#}")),
        (
            "qwen",
            lines(&[
                qwen("user", &json!([{"text": "do not push"}])),
                qwen("assistant", &json!([{"text": "I will push"}, {"functionCall": function("ls")}])),
                qwen("assistant", &json!([{"functionCall": function("git push")}])),
            ]),
        ),
        ("opencode", opencode_session()),
    ]
}

/// [R12], [C17]: whatever agent recorded it, the judge knows what the user said.
#[test]
fn every_form_is_recognised_and_judged_in_its_conversation() {
    let machine = Machine::new();
    for (format, text) in recordings() {
        let file = machine.write("session", text);
        let file = file.to_str().unwrap();
        for more in [&["--mode", "auto"][..], &["--mode", "auto", "--format", format]] {
            let found = machine.replay(&[&[file], more].concat());
            assert_eq!(found.code, 0, "{format}: {}", found.errors);
            assert_eq!(decisions(&found), [("allow", "read-only"), ("deny", "judge")], "{format}");
            assert!(found.rows[1]["message"].as_str().unwrap().contains("do not push"), "{format}");
            assert_eq!(found.summary["files"][0]["format"], format);
            assert_eq!(found.summary["skipped"], 0, "{format}");
        }
    }
}

/// [A1], [R12]: sessions in the log are kept apart, and what is no call is passed over.
#[test]
fn the_gates_own_log_is_a_recording() {
    let machine = Machine::new();
    let record = |session: &str, kind: &str, command: &str, time_ms: u64| Record {
        time_ms,
        session: session.to_owned(),
        agent: "claude-code".to_owned(),
        tool: "Bash".to_owned(),
        input: json!({ "command": command }),
        cwd: "/home/dev/proj".to_owned(),
        kind: kind.to_owned(),
        decision: "ask".to_owned(),
        ..Record::default()
    };
    let state = machine.at(".local/state/portcullis");
    let mut store = Store::open(&state).unwrap();
    let records = [
        record("a", "call", "alias ls='rm -rf x'", 1_791_982_800_000),
        record("a", "outcome", "alias ls='rm -rf x'", 1_791_982_801_000),
        record("b", "call", "ls", 1_791_982_802_000),
        record("a", "call", "ls", 1_791_982_860_000),
    ];
    store.commit(|ledger| records.iter().try_for_each(|record| ledger.append(record).map(drop))).unwrap();
    drop(store);
    let export = machine.at("log.jsonl");
    machine.command().args(["log", "--export"]).arg(&export).assert().success();
    let shown = machine.command().args(["log", "--json"]).output().unwrap();
    let json = machine.write("log.json", shown.stdout);
    for file in [&export, &json] {
        let found = machine.replay(&[file.to_str().unwrap()]);
        assert_eq!(found.code, 0, "{}", found.errors);
        assert_eq!(found.summary["files"][0]["format"], "audit");
        let decided: Vec<&str> = decisions(&found).into_iter().map(|(decision, _)| decision).collect();
        // What one session did to its shell does not matter to the other.
        assert_eq!(decided, ["ask", "allow", "ask"], "{:?}", found.rows);
        assert_eq!((&found.summary["sessions"], &found.summary["skipped"]), (&json!(2), &json!(0)));
        assert_eq!(found.summary["worked_seconds"], 60);
    }
}

/// [H5]: a sub-agent has nobody to ask and fewer tools.
#[test]
fn sub_agents_are_judged_as_such() {
    let machine = Machine::new();
    let call = |id: &str, side: bool, name: &str, input: Value| {
        json!({"type": "assistant", "sessionId": "s", "cwd": "/home/dev/proj", "isSidechain": side,
            "message": {"content": [{"type": "tool_use", "id": id, "name": name, "input": input}]}})
    };
    let fetch = json!({"url": "https://x.test", "prompt": "p"});
    let file = machine.write(
        "session.jsonl",
        lines(&[
            call("1", false, "WebFetch", fetch.clone()),
            call("2", true, "WebFetch", fetch),
            call("3", true, "Bash", json!({"command": "touch x"})),
        ]),
    );
    let found = machine.replay(&[file.to_str().unwrap()]);
    let decided: Vec<&str> = decisions(&found).into_iter().map(|(decision, _)| decision).collect();
    assert_eq!(decided, ["ask", "deny", "deny"]);
    assert!(found.rows[1]["message"].as_str().unwrap().contains("sub-agents may not use WebFetch"));
}

/// [H5]: the sub-agents of every agent.
#[test]
fn sub_agents_are_known_in_the_sessions_of_other_agents() {
    let machine = Machine::new();
    let mut opencode: Value = serde_json::from_str(&opencode_session()).unwrap();
    opencode["info"]["parentID"] = json!("p");
    let source = json!({"cwd": "/home/dev/proj", "source": {"subagent": "review"}});
    let mut codex_lines: Vec<String> = codex_session().lines().map(str::to_owned).collect();
    codex_lines[0] = codex("session_meta", &source).to_string();
    for (name, text) in [("opencode", format!("{opencode:#}")), ("codex", codex_lines.join("\n"))] {
        let file = machine.write(name, text);
        let found = machine.replay(&[file.to_str().unwrap()]);
        assert_eq!(decisions(&found)[1].0, "deny", "{name}");
        assert_eq!(found.rows[1]["agent"], "sub-agent", "{name}");
    }
}

/// A call that a rollout of Codex repeats is one call.
#[test]
fn a_call_of_codex_that_is_repeated_counts_once() {
    let machine = Machine::new();
    let call = json!({"type": "local_shell_call", "call_id": "c1", "action": {"command": ["ls"]}});
    let call = codex("response_item", &call);
    let file = machine.write("rollout.jsonl", lines(&[call.clone(), call]));
    assert_eq!(machine.replay(&[file.to_str().unwrap()]).rows.len(), 1);
}

/// [A3]: what stands in front of the first line does not take it away.
#[test]
fn the_first_line_is_read_whatever_marks_it() {
    let machine = Machine::new();
    let said = json!({"user": "Fix the export, and do not touch migrations/"});
    let edit = json!({"tool": "Write", "input": {"file_path": "migrations/1.sql", "content": "x"}});
    let text = lines(&[said, edit]);
    for text in [text.clone(), format!("\u{feff}{text}"), format!("\u{feff}\n{text}")] {
        let file = machine.write("session.jsonl", &text);
        let found = machine.replay(&[file.to_str().unwrap(), "--mode", "auto"]);
        assert_eq!(decisions(&found), [("deny", "judge")], "{text:?}");
        assert_eq!(found.summary["skipped"], 0, "{text:?}");
    }
    let broken = machine.write("broken.jsonl", format!("\u{feff}{{\"user\":\n{text}"));
    let found = machine.replay(&[broken.to_str().unwrap()]);
    assert_eq!((found.rows.len(), &found.summary["skipped"]), (1, &json!(1)));
    let snapshot = json!({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}});
    let file = machine.write("claude.jsonl", lines(&[snapshot, claude("assistant", &used("a"))]));
    let found = machine.replay(&[file.to_str().unwrap()]);
    assert_eq!((found.rows.len(), &found.summary["skipped"]), (1, &json!(0)));
}

/// The example shows every layer, as the README says.
#[test]
fn the_example_shows_every_layer() {
    let machine = Machine::new();
    let (session, settings) = (example("session.jsonl"), example("settings.json"));
    let found = machine.replay(&[&session, "--settings", &settings]);
    assert_eq!(found.code, 0, "{}", found.errors);
    assert_eq!(found.summary["skipped"], 0);
    let decided = decisions(&found);
    for wanted in [
        ("allow", "read-only"),
        ("allow", "rule"),
        ("allow", "fast-path"),
        ("allow", "judge"),
        ("ask", "rule"),
        ("ask", "safety"),
        ("ask", "person"),
        ("deny", "rule"),
        ("deny", "judge"),
        ("deny", "limit"),
    ] {
        assert!(decided.contains(&wanted), "{wanted:?} is missing in {decided:?}");
    }
    assert!(found.summary["tokens_saved"].as_u64().unwrap() > 1000);
    assert!(found.summary["asked_an_hour"].as_f64().unwrap() > 0.0);
    let (_, text) = machine.text(&[&session, "--settings", &settings]);
    assert!(text.contains("\\u{202e}") && !text.contains('\u{202e}'), "{text}");
}

/// [T1]: the trusted directory is where the session began, wherever its first call was made.
#[test]
fn the_root_is_where_the_session_began() {
    let machine = Machine::new();
    let call = |command: &str, folder: &str| {
        let arguments = json!({ "cmd": command, "workdir": folder }).to_string();
        codex(
            "response_item",
            &json!({"type": "function_call", "name": "exec_command", "arguments": arguments}),
        )
    };
    let meta = codex("session_meta", &json!({"cwd": "/home/dev/proj"}));
    let calls = [call("cat hosts", "/etc"), call("cat README.md", "/home/dev/proj"), call("ls", "src")];
    let file = machine.write("rollout.jsonl", lines(&[&[meta][..], &calls].concat()));
    let found = machine.replay(&[file.to_str().unwrap()]);
    assert_eq!(decisions(&found)[1..], [("allow", "read-only"), ("allow", "read-only")], "{:?}", found.rows);
    assert_eq!(found.rows[0]["decision"], "ask", "what lies elsewhere is asked about");

    let tool = |command: &str, folder: &str| {
        let state = json!({"input": {"command": command, "workdir": folder}});
        json!({"type": "tool", "tool": "bash", "callID": command, "state": state})
    };
    let parts = json!([tool("cat hosts", "/etc"), tool("cat a.txt", "/home/dev/proj")]);
    let message =
        json!({"info": {"role": "assistant", "time": {"created": 1_791_982_805_000_u64}}, "parts": parts});
    let session = json!({ "info": {"id": "s", "directory": "/home/dev/proj"}, "messages": [message] });
    let file = machine.write("opencode.json", format!("{session:#}"));
    let found = machine.replay(&[file.to_str().unwrap()]);
    assert_eq!(decisions(&found)[1], ("allow", "read-only"), "{:?}", found.rows);
    assert_eq!(found.rows[0]["decision"], "ask");
}

/// [C2]: what the user forbade is not forgotten because nothing proves that it was the user.
#[test]
fn words_that_may_be_the_users_are_kept() {
    let machine = Machine::new();
    let said = json!([{"type": "input_text", "text": "Fix the export, and do not touch migrations/"}]);
    let mut all = vec![
        codex("session_meta", &json!({"cwd": "/home/dev/proj"})),
        codex("response_item", &json!({"type": "message", "role": "user", "content": said})),
    ];
    let call = |number: usize, name: &str, arguments: &Value| {
        let arguments = arguments.to_string();
        codex(
            "response_item",
            &json!({"type": "function_call", "call_id": number.to_string(), "name": name, "arguments": arguments}),
        )
    };
    let long = "x".repeat(400);
    for number in 0..3_000 {
        all.push(call(number, "exec_command", &json!({ "cmd": format!("cat src/{long}{number}.ts") })));
    }
    all.push(call(3_000, "exec_command", &json!({ "cmd": "touch migrations/0042.sql" })));
    let file = machine.write("rollout.jsonl", lines(&all));
    let found = machine.replay(&[file.to_str().unwrap(), "--mode", "auto"]);
    assert_eq!(found.rows.last().map(|row| row["decision"].clone()), Some(json!("deny")));
}

/// Another call under the name of an earlier one is another call, and one without input is one that is not valid.
#[test]
fn no_call_hides_behind_another() {
    let machine = Machine::new();
    let call = |id: &str, command: &str| json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
    let bare = json!([{"type": "tool_use", "id": "c", "name": "Bash"}]);
    let one = claude("assistant", &call("a", "ls"));
    let mut again = claude("assistant", &call("b", "touch y"));
    again["uuid"] = json!("u");
    let mut first = one.clone();
    first["uuid"] = json!("u");
    let other = claude("assistant", &call("a", "rm -rf /"));
    let file = machine.write("s.jsonl", lines(&[first, one, other, again, claude("assistant", &bare)]));
    let found = machine.replay(&[file.to_str().unwrap()]);
    let shown: Vec<&str> = found.rows.iter().map(|row| row["decision"].as_str().unwrap()).collect();
    assert_eq!(shown, ["allow", "ask", "ask", "deny"], "{:?}", found.rows);
}
