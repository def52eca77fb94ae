//! Hooks that change a call or answer for a person.

use super::*;

/// Settings with a hook of the user that turns every command into another one.
fn changing_to(command: &str, permissions: &Value) -> Value {
    let said = json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": { "command": command } } });
    let hook = json!({ "type": "command", "command": format!("echo '{said}'") });
    json!({ "permissions": permissions, "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [hook] }] } })
}

/// [T5], [A1] A host that would run the call as it was sent gets one no with one record, not a yes that is taken back:
/// `FAIL-CLOSED(rewrite-form)`.
#[test]
fn a_change_that_the_host_passes_over_is_one_deny() {
    let house = House::new(&changing_to("touch other", &json!({ "allow": ["Bash(touch:*)"] })));
    let gate = house.gate();
    let patch = OwnCall {
        agent: Agent::Codex,
        name: "Bash".to_owned(),
        input: json!({ "command": "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nE" }),
    };
    for changes in [Changes::Never, Changes::Own(patch.into())] {
        let before = records(&gate, &Filter::default()).len();
        let answer = gate.judge_blocking(&Request { changes, ..house.bash("touch x") });
        assert_eq!(answer.enforced, Enforced::Deny, "{}", answer.ruling.message());
        let (seq, record) = records(&gate, &Filter::default()).pop().unwrap();
        assert_eq!((Some(seq), record.answered.as_str()), (answer.seq, "deny"));
        assert_eq!(record.input, json!({ "command": "touch x" }), "what the host sent");
        assert_eq!(records(&gate, &Filter::default()).len(), before + 1);
    }
    let answer = gate.judge_blocking(&house.bash("touch x"));
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "touch other" })) };
    assert_eq!((answer.enforced, answer.ruling.decision), (Enforced::Allow, changed));
}

/// [T5], [R1], [G2] The host's own user would see, and run, the input that was sent, which nobody has judged:
/// `FAIL-CLOSED(rewrite-ask)`.
#[test]
fn a_question_about_a_changed_input_is_not_left_to_the_host() {
    let rules = json!({ "ask": ["Bash(git push:*)"], "deny": ["Bash(curl:*)"] });
    let house = House::new(&changing_to("git push", &rules));
    let answer = house.gate().judge_blocking(&house.bash("curl http://x.test"));
    assert_eq!(answer.enforced, Enforced::Deny, "{}", answer.ruling.message());
    let (answer, _) = answered(&house, house.bash("curl http://x.test"), says(Choice::Once));
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "git push" })) };
    assert_eq!(
        (answer.enforced, answer.ruling.decision),
        (Enforced::Allow, changed),
        "who saw it may allow it"
    );
    // The same where a judge lets the changed call pass.
    let auto = json!({ "defaultMode": "auto", "deny": ["Bash(curl:*)"] });
    house.settings(&changing_to("./gradlew test", &auto));
    let answer = house.gate().judge_blocking(&house.bash("curl http://x.test"));
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "./gradlew test" })) };
    assert_eq!((answer.enforced, answer.ruling.decision), (Enforced::Allow, changed));
}

/// [T5], [H6] A person's change that has to be asked about again runs as it was changed, not as it was sent.
#[test]
fn an_edited_input_that_is_asked_about_again_is_the_one_that_runs() {
    let house = House::new(&json!({ "permissions": { "ask": ["Bash(git push:*)"] } }));
    let edited = HumanAnswer { input: Some(json!({ "command": "git push" })), ..says(Choice::Once) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answer = runtime.block_on(async {
        let gate = house.gate();
        gate.approvals().attend();
        let person = gate.clone();
        let answering = tokio::spawn(async move {
            let mut answers = vec![says(Choice::Once), edited];
            while let Some(next) = answers.pop() {
                let parked = loop {
                    if let Some(parked) = person.approvals().waiting().1.pop() {
                        break parked;
                    }
                    tokio::time::sleep(Duration::from_millis(5)).await;
                };
                person.approvals().answer(&parked.id, next).unwrap();
            }
        });
        let answer = gate.judge(house.bash("make all")).await;
        answering.await.unwrap();
        answer
    });
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "git push" })) };
    assert_eq!((answer.enforced, answer.ruling.decision), (Enforced::Allow, changed));
}

/// [H1], [H4]
#[test]
fn a_hook_answers_a_question_or_leaves_it() {
    let house = House::new(&json!({}));
    let judged = |command: &str, asked: &str| {
        house.settings(&answering_with(command, &json!({ "deny": ["Bash(curl:*)"] })));
        house.gate().judge_blocking(&house.bash(asked))
    };
    let allows = request_decision(&json!({ "behavior": "allow" }));
    let yes = judged(&allows, "touch x");
    assert_eq!(
        (yes.enforced, yes.ruling.reason.word()),
        (Enforced::Allow, "hook"),
        "{}",
        yes.ruling.message()
    );
    let no = judged(&request_decision(&json!({ "behavior": "deny", "message": "not today" })), "touch x");
    assert_eq!((no.enforced, no.ruling.reason.word()), (Enforced::Deny, "hook"));
    assert!(no.ruling.message().contains("not today"), "{}", no.ruling.message());
    let stops = judged(&request_decision(&json!({ "behavior": "deny", "interrupt": true })), "touch x");
    assert!(matches!(stops.ruling.decision, Decision::Deny { stop: true, .. }));
    assert_eq!(judged("exit 2", "touch x").enforced, Enforced::Deny);
    for leaves in ["true", "exit 1", "echo no answer", "echo '{}'"] {
        assert_eq!(judged(leaves, "touch x").enforced, Enforced::Ask, "{leaves}: the host asks its user");
    }
    // What is denied is no question, and what only a person may answer is not put to it.
    assert_eq!(judged(&allows, "curl http://x.test").enforced, Enforced::Deny);
    assert_eq!(judged(&allows, "rm -rf ~").enforced, Enforced::Ask);
}

/// [T5], [H1]
#[test]
fn what_a_hook_makes_of_a_question_is_judged_again() {
    let house = House::new(&json!({}));
    let judged = |command: &str| {
        let decision = json!({ "behavior": "allow", "updatedInput": { "command": command } });
        let permissions = json!({ "allow": ["Bash(touch y)"], "deny": ["Bash(curl:*)"] });
        house.settings(&answering_with(&request_decision(&decision), &permissions));
        house.gate().judge_blocking(&house.bash("touch x"))
    };
    let changed = Decision::Allow { updated_input: Some(json!({ "command": "touch y" })) };
    let answer = judged("touch y");
    assert_eq!((answer.enforced, answer.ruling.decision), (Enforced::Allow, changed));
    assert_eq!(judged("curl http://x.test").enforced, Enforced::Deny);
    assert_eq!(judged("rm -rf ~").enforced, Enforced::Deny, "nobody is there who may answer it");
}

/// [H4], [T1] A hook that guards reads the conversation and the project that the session began in.
#[test]
fn hooks_are_told_where_the_conversation_and_the_project_are() {
    for event in ["PreToolUse", "PermissionRequest"] {
        let house = House::new(&json!({}));
        let sub = house.places.project.join("sub");
        std::fs::create_dir(&sub).unwrap();
        let heard = house.places.home.join("heard.json");
        let command = format!(
            "cat > '{}'; printf '%s' \"$CLAUDE_PROJECT_DIR\" > '{}.dir'",
            heard.display(),
            heard.display()
        );
        house.settings(
            &json!({ "hooks": { event: [{ "hooks": [{ "type": "command", "command": command }] }] } }),
        );
        let talk = house.places.home.join("talk.jsonl");
        std::fs::write(&talk, "").unwrap();
        let mut request = house.bash("touch x");
        request.call.cwd = sub.to_str().unwrap().to_owned();
        request.root = Some(house.project());
        request.conversation = Conversation::File(talk.clone(), Format::ClaudeCode);
        assert_eq!(house.gate().judge_blocking(&request).enforced, Enforced::Ask, "{event}");
        let told: Value = serde_json::from_slice(&std::fs::read(&heard).unwrap()).unwrap();
        assert_eq!(told["transcript_path"], json!(talk), "{event}");
        assert_eq!(told["cwd"], json!(sub), "{event}");
        let folder = std::fs::read_to_string(house.places.home.join("heard.json.dir")).unwrap();
        assert_eq!(folder, house.project(), "{event}");
        if event == "PermissionRequest" {
            assert!(!told["permission_suggestions"].as_array().unwrap().is_empty(), "{told}");
        }
    }
}
