//! Cases with a hook: what it did is made-up, what follows from it is not (SPEC H4, J4).

use portcullis_decide::rules::{Origin, Source};
use portcullis_decide::{Mode, ToolCall};
use portcullis_gate::hooks::{
    Ending, Finished, HookAnswer, HookEvent, HookResult, HookVerdict, Hooks, MAX_OUTPUT, OnFailure, join,
};
use portcullis_gate::race::{Key, Speculation, Taken};
use portcullis_gate::settings::WithOrigin;
use serde_json::{Map, Value, json};

/// What the hook of the case says, if it has one.
pub(super) fn verdict_of(world: &Map<String, Value>, call: &ToolCall) -> HookVerdict {
    world.get("hook").map_or_else(HookVerdict::none, |hook| verdict(hook, call))
}

/// What the hook says; nothing where its source may not bring hooks.
fn verdict(hook: &Value, call: &ToolCall) -> HookVerdict {
    let from_project = hook.get("source").and_then(Value::as_str).is_some_and(|it| it.starts_with("project"));
    let source = if from_project { Source::Project } else { Source::User };
    let value = json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "hook" }] }] });
    let (hooks, _) = Hooks::from_settings(&[WithOrigin { value, origin: Origin::of(source) }]);
    if !hooks.concern(HookEvent::PreToolUse, &call.tool) {
        return HookVerdict::none();
    }
    let answer = HookAnswer::of(HookEvent::PreToolUse, &finished(hook), OnFailure::Deny);
    join(&call.input, vec![HookResult { hook: "hook".to_owned(), answer, micros: 0 }])
}

/// The hook as it ended.
fn finished(hook: &Value) -> Finished {
    let number = |name: &str| hook.get(name).and_then(Value::as_i64).and_then(|it| i32::try_from(it).ok());
    let text = |name: &str| hook.get(name).and_then(Value::as_str).unwrap_or_default().as_bytes().to_vec();
    let written = hook.get("stdout_bytes").and_then(Value::as_u64).and_then(|it| usize::try_from(it).ok());
    let ending = match (hook.get("timed_out"), number("signal"), number("exit")) {
        (Some(Value::Bool(true)), _, _) => Ending::TimedOut,
        (_, Some(signal), _) => Ending::Killed(signal),
        (_, None, Some(code)) => Ending::Exited(code),
        (_, None, None) => Ending::Broken("how it ended is not known".to_owned()),
    };
    let stdout = written.map_or_else(|| text("stdout"), |bytes| vec![b'x'; bytes.min(MAX_OUTPUT + 1)]);
    Finished { ending, stdout, stderr: text("stderr") }
}

/// Whether a verdict that was asked for in advance may be used for the call (H3).
pub(super) fn speculated(call: &ToolCall, mode: Mode, world: &Map<String, Value>) -> bool {
    let Some(early) = world.get("speculative") else { return false };
    let text = |name: &str| early.get(name).and_then(Value::as_str).unwrap_or_default();
    let key = |input: Value, cwd: &str| {
        let mut asked = ToolCall::new(call.tool.name(), input, cwd);
        asked.session = Some("case".to_owned());
        Key::of(&asked, mode, "")
    };
    let mut table = Speculation::new(1, 1);
    let asked = key(json!({ "command": text("command") }), text("cwd"));
    if let Some(ticket) = asked.and_then(|asked| table.begin(0, asked)) {
        table.finish(0, ticket, Some(text("verdict") == "allow"));
    }
    key(call.input.clone(), &call.cwd).is_some_and(|key| table.take(0, &key) == Taken::Done(true))
}
