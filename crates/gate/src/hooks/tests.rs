//! Hooks as real programs: small scripts that do what hooks do, and what they should not.

use std::path::Path;
use std::time::{Duration, Instant};

use portcullis_decide::rules::{Origin, Source};
use portcullis_decide::{Mode, ToolCall};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::*;

/// A folder with scripts, and the hooks made of them.
struct Room {
    folder: tempfile::TempDir,
}

impl Room {
    fn new() -> Room {
        Room { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn call(&self) -> ToolCall {
        let cwd = self.path().to_str().unwrap();
        let mut call = ToolCall::new("Bash", json!({ "command": "touch x" }), cwd);
        call.session = Some("s1".to_owned());
        call.id = Some("t1".to_owned());
        call
    }

    /// The command that runs a script. `OWN` in it stands for a number that is this run's own.
    fn script(&self, name: &str, text: &str) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, Room::own(text)).unwrap();
        format!("sh '{}'", path.display())
    }

    /// The same tests may run beside these, and their processes are not ours.
    fn own(text: &str) -> String {
        text.replace("OWN", &format!("{:010}", std::process::id()))
    }

    fn hook(&self, text: &str) -> Value {
        json!({ "type": "command", "command": self.script("hook.sh", text) })
    }

    fn ask(&self, event: HookEvent, hooks: &[Value], patience: Duration) -> HookVerdict {
        let hooks = read(&json!({ event.name(): [{ "matcher": "Bash", "hooks": hooks }] }));
        let call = self.call();
        hooks.run(event, &HookInput::of(&call, Mode::Default), Instant::now() + patience)
    }

    /// What one script says before a call.
    fn says(&self, text: &str) -> HookVerdict {
        self.ask(HookEvent::PreToolUse, &[self.hook(text)], LONG)
    }

    /// Whether a process has this text among its words or variables.
    fn is_running(marker: &str) -> bool {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes.into_iter().any(|process| {
            let words = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            words.contains(marker)
        })
    }

    fn assert_gone(marker: &str) {
        // A killed process is gone soon, not at once.
        let began = Instant::now();
        while Room::is_running(&Room::own(marker)) {
            assert!(began.elapsed() < LONG, "`{marker}` still runs");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

const LONG: Duration = Duration::from_mins(1);
/// Well below the time that sleeping scripts sleep, well above what a busy machine needs.
const PATIENCE: Duration = Duration::from_secs(45);

fn read(value: &Value) -> Hooks {
    let (hooks, problems) =
        Hooks::from_settings(&[WithOrigin { value: value.clone(), origin: Origin::of(Source::User) }]);
    assert!(problems.is_empty(), "{problems:?}");
    hooks
}

/// [H4]
#[test]
fn answers_of_every_kind() {
    let room = Room::new();
    for (output, said, reason) in [
        ("", Opinion::Nothing, ""),
        ("{}", Opinion::Nothing, ""),
        (r#"{"permissionDecision":"allow"}"#, Opinion::Allow, ""),
        (r#"{"permissionDecision":"ask","reason":"look"}"#, Opinion::Ask, "look"),
        (
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#,
            Opinion::Deny,
            "no",
        ),
        (r#"{"decision":"approve","reason":"fine"}"#, Opinion::Allow, "fine"),
        (r#"{"decision":"block","reason":"Use rg instead"}"#, Opinion::Deny, "Use rg instead"),
        (r#"{"decision":"block","hookSpecificOutput":{"permissionDecision":"allow"}}"#, Opinion::Deny, ""),
        (r#"{"continue":true,"suppressOutput":true,"systemMessage":"x"}"#, Opinion::Nothing, ""),
        (r#"{"hookSpecificOutput":{"additionalContext":"x"}}"#, Opinion::Nothing, ""),
    ] {
        let verdict = room.says(&format!("printf '%s' '{output}'"));
        assert_eq!((verdict.said, verdict.reason.as_str(), verdict.stop), (said, reason, false), "{output}");
    }
}

/// [H4]
#[test]
fn a_hook_can_stop_the_agent() {
    let verdict =
        Room::new().says(r#"printf '%s' '{"continue":false,"stopReason":"enough","decision":"approve"}'"#);
    assert_eq!((verdict.said, verdict.reason.as_str(), verdict.stop), (Opinion::Deny, "enough", true));
}

/// [H4]
#[test]
fn what_is_no_clear_answer_is_a_failure() {
    let room = Room::new();
    for output in [
        "ok",
        "{",
        "[]",
        "null",
        "true",
        r#"{"permissionDecision":"allow"}{"permissionDecision":"allow"}"#,
        r#"{"permissionDecision":"deny","permissionDecision":"allow"}"#,
        r#"{"permissionDecision":"Allow"}"#,
        r#"{"permissionDecision":true}"#,
        r#"{"permissionDecision":["allow"]}"#,
        r#"{"permissionDecission":"deny"}"#,
        r#"{"decision":"yes"}"#,
        r#"{"decision":{"behavior":"allow"}}"#,
        r#"{"continue":"false","permissionDecision":"allow"}"#,
        r#"{"permissionDecision":"allow","updatedInput":"ls"}"#,
        r#"{"permissionDecision":"allow","updatedInput":{"command":"a"},"hookSpecificOutput":{"updatedInput":{"command":"b"}}}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"allow"}}"#,
        r#"{"hookSpecificOutput":"allow"}"#,
        r#"log line
{"permissionDecision":"allow"}"#,
    ] {
        let verdict = room.says(&format!("printf '%s' '{output}'"));
        assert_eq!((verdict.said, verdict.failures()), (Opinion::Failed, 1), "{output}: {verdict:?}");
    }
    let odd = [
        r#"printf '\377{"permissionDecision":"allow"}'"#,
        r#"printf '{"permissionDecision":"allow","x":"\377"}'"#,
        r#"printf '\357\273\277{"permissionDecision":"allow"}'"#,
        r#"printf '{"permissionDecision":"allow"}\000'"#,
        // Deeper than any reader goes.
        r"head -c 100000 /dev/zero | tr '\0' '['",
        r#"printf '{"permissionDecision":"allow","x":'; head -c 100000 /dev/zero | tr '\0' '['"#,
    ];
    for script in odd {
        assert_eq!(room.says(script).said, Opinion::Failed, "{script}");
    }
}

/// [H4]
#[test]
fn exit_codes_and_signals() {
    let room = Room::new();
    let allows = r#"printf '{"permissionDecision":"allow"}'; "#;
    for (ending, said) in [
        ("exit 0", Opinion::Allow),
        ("exit 1", Opinion::Failed),
        ("echo refused >&2; exit 2", Opinion::Deny),
        ("exit 3", Opinion::Failed),
        ("exit 126", Opinion::Failed),
        ("exit 127", Opinion::Failed),
        ("exit 137", Opinion::Failed),
        ("kill -9 $$", Opinion::Failed),
        ("kill -TERM $$", Opinion::Failed),
        ("kill -SEGV $$", Opinion::Failed),
    ] {
        let verdict = room.says(&format!("{allows}{ending}"));
        assert_eq!(verdict.said, said, "{ending}: {}", verdict.outcome());
    }
    assert_eq!(room.says("echo 'not on' >&2; echo Fridays >&2; exit 2").reason, "not on Fridays");
    let missing = json!({ "type": "command", "command": "/nowhere/hook" });
    assert_eq!(room.ask(HookEvent::PreToolUse, &[missing], LONG).said, Opinion::Failed);
}

/// [H4] [S3] [C18]
#[test]
fn what_a_hook_says_is_made_fit_to_be_shown() {
    let room = Room::new();
    let said = room
        .says(r"printf 'a\033[31mb\n<x>\r token ghp_abcdefghijklmnopqrstuvwxyz0123456789' >&2; exit 2")
        .reason;
    assert!(!said.contains(['\u{1b}', '\n', '\r', '<']) && !said.contains("ghp_abcdefghijklm"), "{said}");
    let long = room.says("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 2").reason;
    assert!(long.chars().count() <= 300 && long.ends_with('…'), "{}", long.len());
}

/// [H4]
#[test]
fn a_hook_reads_what_hooks_of_claude_code_read() {
    let room = Room::new();
    let verdict = room.says("cat > \"$CLAUDE_PROJECT_DIR/told.json\"; pwd > where");
    assert_eq!(verdict.said, Opinion::Nothing, "{}", verdict.outcome());
    let told = std::fs::read(room.path().join("told.json")).unwrap();
    let told: Value = serde_json::from_slice(&told).unwrap();
    assert_eq!(
        told,
        json!({ "session_id": "s1", "transcript_path": "", "cwd": room.path(), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": "touch x" },
            "tool_use_id": "t1" })
    );
    assert!(room.path().join("where").exists(), "it runs where the call would");
}

/// [H4]
#[test]
fn a_large_input_is_fed_without_a_standstill() {
    let room = Room::new();
    let mut call = room.call();
    call.input = json!({ "command": "x".repeat(900_000) });
    // Writes as much before it reads: a writer that waits for the end of its input would stand still.
    let hook = room
        .hook("head -c 300000 /dev/zero | tr '\\0' ' '; wc -c > size; printf '{\"decision\":\"approve\"}'");
    let hooks = read(&json!({ "PreToolUse": [{ "hooks": [hook] }] }));
    let verdict =
        hooks.run(HookEvent::PreToolUse, &HookInput::of(&call, Mode::Default), Instant::now() + LONG);
    assert_eq!(verdict.said, Opinion::Allow, "{}", verdict.outcome());
    let size: usize = std::fs::read_to_string(room.path().join("size")).unwrap().trim().parse().unwrap();
    assert!(size > 900_000);
    // One that never reads is no trouble either.
    let hooks =
        read(&json!({ "PreToolUse": [{ "hooks": [room.hook("printf '{\"decision\":\"block\"}'")] }] }));
    let verdict =
        hooks.run(HookEvent::PreToolUse, &HookInput::of(&call, Mode::Default), Instant::now() + LONG);
    assert_eq!(verdict.said, Opinion::Deny);
}

/// [H4] [A3]
#[test]
fn a_hook_that_hangs_is_killed_with_all_it_started() {
    let room = Room::new();
    let mut hook =
        room.hook("sleep 61.OWN & sleep 61.OWN | sleep 61.OWN; printf '{\"decision\":\"approve\"}'");
    hook["timeout"] = json!(0.3);
    let began = Instant::now();
    let verdict = room.ask(HookEvent::PreToolUse, &[hook], LONG);
    assert_eq!((verdict.said, verdict.reason.as_str()), (Opinion::Failed, "it did not answer in time"));
    assert!(began.elapsed() < PATIENCE);
    Room::assert_gone("sleep 61.OWN");
    // The deadline of the round counts where it is nearer, also for a hook that ignores polite signals.
    let hook = room.hook("trap '' TERM INT HUP; while :; do sleep 62.OWN; done");
    let verdict = room.ask(HookEvent::PreToolUse, &[hook], Duration::from_millis(300));
    assert_eq!(verdict.said, Opinion::Failed);
    Room::assert_gone("sleep 62.OWN");
}

/// [H4] [A3]
#[test]
fn what_a_hook_leaves_behind_does_not_hold_the_answer() {
    let room = Room::new();
    let began = Instant::now();
    // The child keeps both pipes open after the hook has answered.
    let verdict = room.says("printf '{\"decision\":\"approve\"}'; (sleep 63.OWN &) ; exit 0");
    assert_eq!(verdict.said, Opinion::Allow);
    Room::assert_gone("sleep 63.OWN");
    // One that leaves the group is not followed, and not waited for.
    let verdict = room.says("printf '{\"decision\":\"approve\"}'; setsid sleep 64.OWN & echo $! > pid");
    assert_eq!(verdict.said, Opinion::Allow);
    assert!(began.elapsed() < PATIENCE);
    let pid: i32 = std::fs::read_to_string(room.path().join("pid")).unwrap().trim().parse().unwrap();
    // It may have been killed before it left.
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap_or_default();
}

/// [H4] [A3]
#[test]
fn a_flood_is_cut_off() {
    let room = Room::new();
    for script in [
        "head -c 50000000 /dev/zero | tr '\\0' x; sleep 65.OWN",
        "head -c 50000000 /dev/zero >&2; sleep 65.OWN",
        "printf '{\"decision\":\"approve\"}'; head -c 50000000 /dev/zero | tr '\\0' ' '",
    ] {
        let began = Instant::now();
        let verdict = room.says(script);
        assert_eq!(
            (verdict.said, verdict.reason.as_str()),
            (Opinion::Failed, "it wrote more than 1 MiB"),
            "{script}"
        );
        assert!(began.elapsed() < PATIENCE);
    }
    Room::assert_gone("sleep 65.OWN");
}

/// [H4]
#[test]
fn an_answer_that_nobody_wants_is_not_waited_for() {
    let room = Room::new();
    let hooks = read(&json!({ "PermissionRequest": [{ "hooks": [room.hook("sleep 67.OWN")] }] }));
    let call = room.call();
    let began = Instant::now();
    let wanted = || began.elapsed() < Duration::from_millis(200);
    let verdict = hooks.run_while(
        HookEvent::PermissionRequest,
        &HookInput::of(&call, Mode::Default),
        Instant::now() + LONG,
        &wanted,
    );
    assert!(verdict.said != Opinion::Allow && verdict.failures() == 1 && began.elapsed() < PATIENCE);
    Room::assert_gone("sleep 67.OWN");
}

/// [H4]
#[test]
fn the_strictest_of_several_wins() {
    let room = Room::new();
    let say = |word: &str| json!({ "type": "command", "command": format!("printf '{{\"permissionDecision\":\"{word}\",\"reason\":\"{word}!\"}}'") });
    let fail = json!({ "type": "command", "command": "exit 1" });
    let silent = json!({ "type": "command", "command": "exit 0" });
    for (hooks, said) in [
        (vec![say("allow"), silent.clone()], Opinion::Allow),
        (vec![say("allow"), say("ask")], Opinion::Ask),
        (vec![say("ask"), fail.clone(), say("allow")], Opinion::Failed),
        (vec![fail, say("deny"), say("allow")], Opinion::Deny),
        (vec![silent], Opinion::Nothing),
        (vec![], Opinion::Nothing),
    ] {
        let verdict = room.ask(HookEvent::PreToolUse, &hooks, LONG);
        assert_eq!(verdict.said, said, "{}", verdict.outcome());
    }
}

/// [H4] [A4]
#[test]
fn a_policy_says_what_a_failure_means() {
    let room = Room::new();
    for (event, policy, said) in [
        (HookEvent::PreToolUse, None, Opinion::Failed),
        (HookEvent::PreToolUse, Some("deny"), Opinion::Failed),
        (HookEvent::PreToolUse, Some("ask"), Opinion::Ask),
        (HookEvent::PreToolUse, Some("ignore"), Opinion::Nothing),
        (HookEvent::PermissionRequest, None, Opinion::Ask),
        (HookEvent::PermissionRequest, Some("deny"), Opinion::Failed),
    ] {
        let mut hook = json!({ "type": "command", "command": "exit 1" });
        if let Some(policy) = policy {
            hook["failure"] = json!(policy);
        }
        let verdict = room.ask(event, &[hook], LONG);
        assert_eq!((verdict.said, verdict.failures()), (said, 1), "{event:?} {policy:?}");
    }
}

fn rewrite(word: &str, command: &str) -> Value {
    let word = if word.is_empty() { String::new() } else { format!("\"permissionDecision\":\"{word}\",") };
    json!({ "type": "command", "command": format!("printf '{{{word}\"updatedInput\":{{\"command\":\"{command}\"}}}}'") })
}

/// [H4] [T5]
#[test]
fn a_rewrite_is_one_or_none() {
    let room = Room::new();
    let ask = |hooks: &[Value]| room.ask(HookEvent::PreToolUse, hooks, LONG);
    let verdict = ask(&[rewrite("allow", "ls")]);
    assert_eq!((verdict.said, verdict.updated_input), (Opinion::Allow, Some(json!({ "command": "ls" }))));
    let verdict = ask(&[rewrite("allow", "ls"), rewrite("", "ls")]);
    assert_eq!((verdict.said, verdict.updated_input.is_some()), (Opinion::Allow, true));
    // What is given back as it was is no rewrite.
    let verdict = ask(&[rewrite("allow", "touch x"), rewrite("", "ls")]);
    assert_eq!((verdict.said, verdict.updated_input), (Opinion::Nothing, Some(json!({ "command": "ls" }))));
    let verdict = ask(&[rewrite("allow", "ls"), rewrite("allow", "pwd")]);
    assert_eq!((verdict.said, verdict.updated_input), (Opinion::Failed, None));
    // Who allowed the input as it was has not allowed another one's rewrite.
    let allows = json!({ "type": "command", "command": "printf '{\"decision\":\"approve\"}'" });
    let verdict = ask(&[allows, rewrite("", "ls")]);
    assert_eq!((verdict.said, verdict.updated_input.is_some()), (Opinion::Nothing, true));
    // A deny needs no input.
    let verdict = ask(&[rewrite("deny", "ls")]);
    assert_eq!((verdict.said, verdict.updated_input), (Opinion::Deny, None));
}

/// What a hook said, without running one.
fn line(hook: &str, said: Opinion, command: Option<&str>, stop: bool) -> HookResult {
    let updated_input = command.map(|command| json!({ "command": command }));
    let answer =
        HookAnswer { said, reason: format!("{hook}!"), updated_input, stop, failed: said == Opinion::Failed };
    HookResult { hook: hook.to_owned(), answer, micros: 7 }
}

/// [H4] [T5]
#[test]
fn who_denies_or_fails_leaves_no_rewrite() {
    let joined = |lines: Vec<HookResult>| join(&json!({ "command": "touch x" }), lines);
    let rewrites = |to: &str| line("rewrites", Opinion::Nothing, Some(to), false);
    for (said, left) in
        [(Opinion::Nothing, true), (Opinion::Ask, true), (Opinion::Failed, false), (Opinion::Deny, false)]
    {
        let verdict = joined(vec![rewrites("ls"), line("speaks", said, None, false)]);
        assert_eq!((verdict.said, verdict.updated_input.is_some()), (said, left), "{said:?}");
        let speaker = if said == Opinion::Nothing { "" } else { "speaks" };
        assert_eq!(verdict.hook, speaker, "{said:?}");
    }
    // Two rewrites are a failure that says so; a deny among them stays one.
    for said in [Opinion::Nothing, Opinion::Allow, Opinion::Ask, Opinion::Failed, Opinion::Deny] {
        let verdict = joined(vec![rewrites("ls"), rewrites("pwd"), line("speaks", said, None, false)]);
        assert_eq!((verdict.said, verdict.updated_input), (said.max(Opinion::Failed), None), "{said:?}");
        assert_eq!(verdict.each.len(), 3, "{said:?}");
        assert_eq!(verdict.reason.contains("different ways"), said < Opinion::Failed, "{said:?}");
    }
    // Only who denies can stop the agent.
    for (said, stops) in [(Opinion::Allow, false), (Opinion::Ask, false), (Opinion::Deny, true)] {
        assert_eq!(joined(vec![line("speaks", said, None, true)]).stop, stops, "{said:?}");
        assert!(!joined(vec![line("speaks", said, None, false)]).stop, "{said:?}");
    }
    let verdict =
        joined(vec![line("other", Opinion::Allow, None, false), rewrites("ls")]).without_rewrite("why");
    assert_eq!((verdict.said, verdict.updated_input), (Opinion::Failed, None));
    assert_eq!((verdict.hook.as_str(), verdict.reason.as_str(), verdict.each.len()), ("rewrites", "why", 2));
}

/// [H4] [A3]
#[test]
fn what_a_hook_wrote_counts_up_to_a_limit() {
    let said = |stdout: usize, stderr: usize| {
        let mut output = br#"{"permissionDecision":"allow"}"#.to_vec();
        output.resize(stdout, b' ');
        let finished = Finished { ending: Ending::Exited(0), stdout: output, stderr: vec![b'x'; stderr] };
        HookAnswer::of(HookEvent::PreToolUse, &finished, OnFailure::Deny)
    };
    for (stdout, stderr, expected) in [
        (100, 0, Opinion::Allow),
        (MAX_OUTPUT, MAX_OUTPUT, Opinion::Allow),
        (MAX_OUTPUT + 1, 0, Opinion::Failed),
        (100, MAX_OUTPUT + 1, Opinion::Failed),
        (MAX_OUTPUT + 2, MAX_OUTPUT + 2, Opinion::Failed),
    ] {
        assert_eq!(said(stdout, stderr).said, expected, "{stdout} {stderr}");
    }
    assert_eq!(said(MAX_OUTPUT + 1, 0).reason, "it wrote more than 1 MiB");
}

/// [H1] [H4]
#[test]
fn answers_to_a_permission_request() {
    let room = Room::new();
    for (output, said, stop) in [
        (r#"{"behavior":"allow"}"#, Opinion::Allow, false),
        (r#"{"behavior":"allow","updatedInput":{"command":"ls"}}"#, Opinion::Allow, false),
        (r#"{"behavior":"deny","message":"no"}"#, Opinion::Deny, false),
        (r#"{"behavior":"deny","interrupt":true}"#, Opinion::Deny, true),
        (r#"{"behavior":"maybe"}"#, Opinion::Ask, false),
        ("{}", Opinion::Ask, false),
        (r#""allow""#, Opinion::Ask, false),
    ] {
        let hook = room.hook(&format!(
            "printf '%s' '{{\"hookSpecificOutput\":{{\"hookEventName\":\"PermissionRequest\",\"decision\":{output}}}}}'"
        ));
        let verdict = room.ask(HookEvent::PermissionRequest, &[hook], LONG);
        assert_eq!((verdict.said, verdict.stop), (said, stop), "{output}: {}", verdict.outcome());
    }
}

/// [H4]
#[test]
fn the_environment_is_cleaned() {
    let room = Room::new();
    // Cargo sets this one for every test, and no list of ours has it.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let mut hook = room.hook("env > env.txt");
    assert_eq!(room.ask(HookEvent::PreToolUse, &[hook.clone()], LONG).said, Opinion::Nothing);
    let seen = std::fs::read_to_string(room.path().join("env.txt")).unwrap();
    assert!(
        !seen.contains("CARGO_MANIFEST_DIR")
            && seen.contains("PATH=")
            && seen.contains("CLAUDE_PROJECT_DIR=")
    );
    hook["env"] = json!(["CARGO_MANIFEST_DIR"]);
    assert_eq!(room.ask(HookEvent::PreToolUse, &[hook], LONG).said, Opinion::Nothing);
    assert!(std::fs::read_to_string(room.path().join("env.txt")).unwrap().contains("CARGO_MANIFEST_DIR="));
}
