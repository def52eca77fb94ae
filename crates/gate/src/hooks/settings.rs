//! The setting `hooks`: which programs are asked when, and what is wrong with what was written (SPEC H4).
//!
//! Whatever may have been meant as a guard and is not understood becomes a hook that fails, so that a slip in the
//! settings does not silently open the gate.

use std::time::Duration;

use portcullis_classify::one_line;
use portcullis_decide::rules::{Origin, Source};
use serde_json::{Map, Value};

use super::matcher::Matcher;
use super::{Hook, HookEvent, Hooks, OnFailure, Work};
use crate::problem::{Problem, Severity};
use crate::with_origin::WithOrigin;

/// Seconds that a hook may take which does not say otherwise.
const DEFAULT_SECONDS: f64 = 10.0;
/// No hook may take longer.
const MAX_SECONDS: f64 = 600.0;
/// So many hooks are run at once at most.
const MAX_HOOKS: usize = 32;

/// Events of Claude Code at which nothing is decided here.
const OTHER_EVENTS: &[&str] = &[
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionDenied",
    "Notification",
    "UserPromptSubmit",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "SessionStart",
    "SessionEnd",
    "Setup",
    "ConfigChange",
    "InstructionsLoaded",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "CwdChanged",
    "FileChanged",
    "WorktreeCreate",
    "WorktreeRemove",
    "Elicitation",
    "ElicitationResult",
    "PostCompact",
];

/// Fields of a hook that change nothing here.
const BESIDE: &[&str] = &["type", "command", "timeout", "failure", "env", "statusMessage"];

/// Reads the values of all sources.
pub(super) fn read(values: &[WithOrigin<Value>]) -> (Hooks, Vec<Problem>) {
    let mut reader = Reader { hooks: Vec::new(), problems: Vec::new(), origin: Origin::of(Source::User) };
    for placed in values {
        reader.origin = placed.origin.clone();
        match placed.origin.source {
            Source::Managed | Source::CommandLine | Source::User => reader.value(&placed.value),
            // Never, whoever trusts the file (R11): it would run what a repository brings.
            Source::Project | Source::Local | Source::Session | Source::Remote => {
                reader.problem(
                    "`hooks` has no effect: this source may not set it".to_owned(),
                    Severity::Warning,
                );
            }
        }
    }
    if reader.hooks.len() > MAX_HOOKS {
        let why = format!("there are more than {MAX_HOOKS} hooks");
        reader.hooks.truncate(MAX_HOOKS);
        for event in HookEvent::ALL {
            reader.broken(event, Matcher::All, "hooks", &why);
        }
    }
    (Hooks { hooks: reader.hooks }, reader.problems)
}

struct Reader {
    hooks: Vec<Hook>,
    problems: Vec<Problem>,
    origin: Origin,
}

impl Reader {
    fn problem(&mut self, message: String, severity: Severity) {
        let Origin { file, line, column, .. } = self.origin.clone();
        self.problems.push(Problem { file, line, column, message, severity });
    }

    /// FAIL-CLOSED(broken-hook): a hook that is not understood fails whenever it would have been asked.
    fn broken(&mut self, event: HookEvent, matcher: Matcher, place: &str, why: &str) {
        self.problem(
            format!("`{place}`: {why}; until this is fixed it counts as a hook that fails"),
            Severity::Error,
        );
        let work = Work::Broken(format!("its settings are not understood: {why}"));
        let on_failure = OnFailure::Deny;
        self.hooks.push(Hook { event, matcher, name: place.to_owned(), work, on_failure });
    }

    fn value(&mut self, value: &Value) {
        let Value::Object(events) = value else {
            let why = "it should be an object such as {\"PreToolUse\": […]}";
            for event in HookEvent::ALL {
                self.broken(event, Matcher::All, "hooks", why);
            }
            return;
        };
        for (name, value) in events {
            let place = format!("hooks.{}", one_line(name));
            let known = HookEvent::ALL.into_iter().find(|it| it.name() == name || it.snake_name() == name);
            match (known, meant(name)) {
                (Some(event), _) => self.event(event, &place, value),
                (None, Some(event)) => {
                    let why = format!("there is no such event; did you mean `{}`?", event.name());
                    self.broken(event, Matcher::All, &place, &why);
                }
                (None, None) if OTHER_EVENTS.contains(&name.as_str()) || name == "disabled" => {
                    self.problem(
                        format!("`{place}`: nothing is decided at this event; it is not run"),
                        Severity::Note,
                    );
                }
                (None, None) => {
                    self.problem(
                        format!("`{place}`: there is no such event; it has no effect"),
                        Severity::Warning,
                    );
                }
            }
        }
    }

    fn event(&mut self, event: HookEvent, place: &str, value: &Value) {
        let Value::Array(groups) = value else {
            self.broken(event, Matcher::All, place, "it should be a list");
            return;
        };
        for (index, group) in groups.iter().enumerate() {
            self.group(event, &format!("{place}[{index}]"), group);
        }
    }

    fn group(&mut self, event: HookEvent, place: &str, group: &Value) {
        let Value::Object(group) = group else {
            self.broken(event, Matcher::All, place, "it should be an object with `matcher` and `hooks`");
            return;
        };
        for name in group.keys().filter(|name| !matches!(name.as_str(), "matcher" | "hooks" | "description"))
        {
            self.problem(format!("`{place}`: `{}` has no effect", one_line(name)), Severity::Warning);
        }
        let matcher = match group.get("matcher") {
            None | Some(Value::Null) => Ok(Matcher::All),
            Some(Value::String(text)) => Matcher::parse(text),
            Some(_) => Err("`matcher` should be text".to_owned()),
        };
        let matcher = match matcher {
            Ok(matcher) => matcher,
            Err(why) => return self.broken(event, Matcher::All, place, &why),
        };
        if let Some(name) = matcher.unknown_name() {
            let message = format!(
                "`{place}`: no tool is called `{name}` as far as is known; names are compared exactly"
            );
            self.problem(message, Severity::Warning);
        }
        let Some(Value::Array(hooks)) = group.get("hooks") else {
            self.broken(event, matcher, place, "`hooks` should be a list");
            return;
        };
        for (index, hook) in hooks.iter().enumerate() {
            let place = format!("{place}.hooks[{index}]");
            match self.hook(event, &place, hook) {
                Ok((command, work, on_failure)) => {
                    let name = command;
                    self.hooks.push(Hook { event, matcher: matcher.clone(), name, work, on_failure });
                }
                Err(why) => self.broken(event, matcher.clone(), &place, &why),
            }
        }
    }

    fn hook(
        &mut self,
        event: HookEvent,
        place: &str,
        hook: &Value,
    ) -> Result<(String, Work, OnFailure), String> {
        let hook = hook.as_object().ok_or("it should be an object with `type` and `command`")?;
        match hook.get("type").and_then(Value::as_str) {
            Some("command") => {}
            Some(other) => return Err(format!("`type` is `{}`; only `command` is known", one_line(other))),
            None => return Err("`type` should be `command`".to_owned()),
        }
        let command = hook.get("command").and_then(Value::as_str).ok_or("`command` should be text")?;
        if command.trim().is_empty() || command.contains('\0') {
            return Err("`command` is empty or holds a zero byte".to_owned());
        }
        if calls_itself(command) {
            return Err("`command` would ask portcullis again, without end".to_owned());
        }
        if hook.get("async").is_some_and(|value| *value != Value::Bool(false)) {
            return Err("a hook that is not waited for cannot decide; leave `async` out".to_owned());
        }
        let timeout = seconds(hook)?;
        let on_failure = on_failure(hook, event)?;
        let env = names(hook)?;
        for name in hook.keys().filter(|name| !BESIDE.contains(&name.as_str()) && *name != "async") {
            self.problem(format!("`{place}`: `{}` has no effect", one_line(name)), Severity::Warning);
        }
        let work = Work::Run { command: command.to_owned(), timeout, env };
        Ok((one_line(command), work, on_failure))
    }
}

/// The event that a name with a slip was probably meant to be.
fn meant(name: &str) -> Option<HookEvent> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    if plain.starts_with("pretool") || plain.starts_with("beforetool") {
        Some(HookEvent::PreToolUse)
    } else if plain.starts_with("permissionreq") || plain.starts_with("permissionask") {
        Some(HookEvent::PermissionRequest)
    } else {
        None
    }
}

/// Whether a command starts this program's own hook.
fn calls_itself(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default().trim_matches(['"', '\'']);
    program.rsplit('/').next() == Some("portcullis") && words.next() == Some("hook")
}

fn seconds(hook: &Map<String, Value>) -> Result<Duration, String> {
    let wrong = || format!("`timeout` should be a number of seconds up to {MAX_SECONDS}");
    let seconds = match hook.get("timeout") {
        None | Some(Value::Null) => DEFAULT_SECONDS,
        Some(value) => value.as_f64().ok_or_else(wrong)?,
    };
    let fits = seconds > 0.0 && seconds <= MAX_SECONDS;
    Duration::try_from_secs_f64(seconds).ok().filter(|_| fits).ok_or_else(wrong)
}

/// A failed hook denies the call; one that stands beside a person only leaves the answer to the others.
fn on_failure(hook: &Map<String, Value>, event: HookEvent) -> Result<OnFailure, String> {
    match hook.get("failure") {
        None | Some(Value::Null) => Ok(match event {
            HookEvent::PreToolUse => OnFailure::Deny,
            HookEvent::PermissionRequest => OnFailure::Ask,
        }),
        Some(value) => match value.as_str() {
            Some("deny") => Ok(OnFailure::Deny),
            Some("ask") => Ok(OnFailure::Ask),
            Some("ignore") => Ok(OnFailure::Ignore),
            Some(_) | None => Err("`failure` should be `deny`, `ask` or `ignore`".to_owned()),
        },
    }
}

/// The variables that the hook wants besides the harmless ones.
fn names(hook: &Map<String, Value>) -> Result<Vec<String>, String> {
    let wrong = || "`env` should be a list of names of variables".to_owned();
    match hook.get("env") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(names)) => {
            names.iter().map(|name| name.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        Some(_) => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use portcullis_decide::{Mode, Tool, ToolCall};
    use serde_json::json;

    use super::*;
    use crate::hooks::{HookInput, Opinion};

    const LONG: Duration = Duration::from_mins(1);

    fn from(value: &Value, source: Source) -> (Hooks, Vec<Problem>) {
        Hooks::from_settings(&[WithOrigin { value: value.clone(), origin: Origin::of(source) }])
    }

    /// [H4] [R2]
    #[test]
    fn settings_that_are_not_understood_fail_closed() {
        let bash = |hooks: &Hooks| {
            let call = ToolCall::new("Bash", json!({ "command": "ls" }), "/");
            hooks.run(HookEvent::PreToolUse, &HookInput::of(&call, Mode::Default), Instant::now() + LONG).said
        };
        for broken in [
            json!("x"),
            json!([]),
            json!({ "PreToolUse": {} }),
            json!({ "pretooluse": [] }),
            json!({ "PreToolUsed": [] }),
            json!({ "PreToolUse": ["x"] }),
            json!({ "PreToolUse": [{ "matcher": "Bash" }] }),
            json!({ "PreToolUse": [{ "matcher": "Bash(", "hooks": [] }] }),
            json!({ "PreToolUse": [{ "matcher": 1, "hooks": [] }] }),
            json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": ["x"] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "command": "exit 0" }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "prompt", "prompt": "x" }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "command" }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": " " }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "exit 0", "timeout": 0 }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "exit 0", "timeout": "5" }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "exit 0", "timeout": 1e9 }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "exit 0", "failure": "allow" }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "exit 0", "env": "HOME" }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "exit 0", "async": true }] }] }),
            json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "/usr/bin/portcullis hook claude-code" }] }] }),
        ] {
            let (hooks, problems) = from(&broken, Source::User);
            assert_eq!(bash(&hooks), Opinion::Failed, "{broken}");
            assert!(problems.iter().any(|problem| problem.severity == Severity::Error), "{broken}");
        }
        // Of a hook that is broken only for some tools, the others know nothing.
        let (hooks, _) =
            from(&json!({ "PreToolUse": [{ "matcher": "Edit", "hooks": ["x"] }] }), Source::User);
        assert_eq!(bash(&hooks), Opinion::Nothing);
    }

    /// [H4]
    #[test]
    fn settings_that_are_understood_but_odd_are_said() {
        for (odd, severity) in [
            (json!({ "PostToolUse": [{ "hooks": [] }] }), Severity::Note),
            (json!({ "Whatever": [] }), Severity::Warning),
            (json!({ "PreToolUse": [{ "matcher": "bash", "hooks": [] }] }), Severity::Warning),
            (
                json!({ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "x", "if": "y" }] }] }),
                Severity::Warning,
            ),
        ] {
            let (_, problems) = from(&odd, Source::Managed);
            assert_eq!(problems.iter().map(|it| it.severity).collect::<Vec<_>>(), [severity], "{odd}");
        }
        let origin =
            Origin { file: Some("/s.json".to_owned()), line: 3, column: 5, ..Origin::of(Source::User) };
        let (_, problems) =
            Hooks::from_settings(&[WithOrigin { value: json!({ "PreToolUse": [{}] }), origin }]);
        let shown = problems.first().unwrap().to_string();
        assert!(shown.starts_with("/s.json:3:5: `hooks.PreToolUse[0]`"), "{shown}");
    }

    /// [R11]
    #[test]
    fn a_repository_brings_no_hooks() {
        let hooks = json!({ "pre_tool_use": [{ "hooks": [{ "type": "command", "command": "exit 0" }] }] });
        for source in [Source::Project, Source::Local, Source::Session] {
            let (read, problems) = from(&hooks, source);
            assert!(read.is_empty(HookEvent::PreToolUse) && problems.len() == 1, "{source:?}");
        }
        for source in [Source::User, Source::Managed, Source::CommandLine] {
            let (read, problems) = from(&hooks, source);
            assert!(!read.is_empty(HookEvent::PreToolUse) && problems.is_empty(), "{source:?}");
            assert!(read.is_empty(HookEvent::PermissionRequest));
            assert!(read.concern(HookEvent::PreToolUse, &Tool::Bash));
        }
    }
}
