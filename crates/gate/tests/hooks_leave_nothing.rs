//! A process of its own, so that every child is one of these hooks: none may stay, not even dead (SPEC H4).
#![expect(clippy::unwrap_used, reason = "a test that cannot look at its children must stop")]

use std::time::{Duration, Instant};

use portcullis_decide::rules::{Origin, Source};
use portcullis_decide::{Mode, ToolCall};
use portcullis_gate::hooks::{HookEvent, HookInput, Hooks, Opinion};
use portcullis_gate::settings::WithOrigin;
use serde_json::json;

/// The children of this process, dead ones included.
fn children() -> String {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default()).collect()
}

/// [H4]
#[test]
fn no_child_stays_and_no_pipe_either() {
    let pipes = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let before = pipes();
    let command = |command: &str| json!({ "type": "command", "command": command });
    let sleeps = |command: &str| json!({ "type": "command", "command": command, "timeout": 0.5 });
    let hooks = json!({ "PreToolUse": [{ "hooks": [
        command("exit 0"),
        command("kill -9 $$"),
        sleeps("sleep 70 & sleep 70"),
        command("(sleep 70 &) ; exit 1"),
        command("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"),
        sleeps("cat >/dev/null; exec 1>&- 2>&-; sleep 70"),
        command("/nowhere/hook"),
    ] }] });
    let (hooks, problems) =
        Hooks::from_settings(&[WithOrigin { value: hooks, origin: Origin::of(Source::User) }]);
    assert!(problems.is_empty(), "{problems:?}");
    let call = ToolCall::new("Bash", json!({ "command": "ls" }), "/");
    let began = Instant::now();
    for _ in 0..3 {
        let deadline = Instant::now() + Duration::from_secs(40);
        let verdict = hooks.run(HookEvent::PreToolUse, &HookInput::of(&call, Mode::Default), deadline);
        assert_eq!((verdict.said, verdict.failures()), (Opinion::Failed, 6), "{}", verdict.outcome());
    }
    assert!(began.elapsed() < Duration::from_mins(1), "it waited for the sleeping ones");
    assert_eq!(children(), "", "a child stayed");
    assert_eq!(pipes(), before, "a pipe stayed");
}
