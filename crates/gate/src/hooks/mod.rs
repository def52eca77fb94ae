//! The user's own programs that are asked before a call or a dialog (SPEC H4): JSON in, JSON out, in the format of
//! Claude Code's hooks.
//!
//! [`Hooks::from_settings`] reads the setting `hooks`, [`Hooks::run`] starts those that match a call, all at once,
//! and [`apply()`] combines their [`HookVerdict`] with a ruling. A hook can deny, ask or rewrite the input; its allow
//! settles only what nothing else decided. A hook that fails or takes too long never allows. Hooks come from the
//! user, the administrator or the command line, never from files that a repository can bring (R11).

mod answer;
mod apply;
mod child;
mod environment;
mod finished;
mod join;
mod matcher;
mod settings;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use portcullis_decide::{Mode, Tool, ToolCall};
use serde_json::{Map, Value, json};

use crate::problem::Problem;
use crate::with_origin::WithOrigin;

pub use answer::HookAnswer;
pub use apply::apply;
pub use finished::{Ending, Finished, MAX_OUTPUT};
pub use join::{HookResult, HookVerdict, join};

/// When a hook is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookEvent {
    /// Before a call is judged.
    PreToolUse,
    /// When a person would be asked.
    PermissionRequest,
}

impl HookEvent {
    /// Both events.
    pub const ALL: [HookEvent; 2] = [HookEvent::PreToolUse, HookEvent::PermissionRequest];

    /// The name in settings and in the hook's input.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            HookEvent::PreToolUse => "PreToolUse",
            HookEvent::PermissionRequest => "PermissionRequest",
        }
    }

    /// The other spelling that settings may use.
    pub(crate) const fn snake_name(self) -> &'static str {
        match self {
            HookEvent::PreToolUse => "pre_tool_use",
            HookEvent::PermissionRequest => "permission_request",
        }
    }
}

/// A hook's opinion of a call, from the weakest to the strictest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Opinion {
    /// It has none.
    Nothing,
    /// The call may run, as far as the hook is concerned.
    Allow,
    /// A person has to be asked.
    Ask,
    /// The hook failed, which denies unless the settings say otherwise.
    Failed,
    /// The call may not run.
    Deny,
}

impl Opinion {
    /// The name that people and programs read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Opinion::Nothing => "nothing",
            Opinion::Allow => "allow",
            Opinion::Ask => "ask",
            Opinion::Failed => "failed",
            Opinion::Deny => "deny",
        }
    }
}

/// What a hook's failure leads to, as the settings say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnFailure {
    /// The call is denied.
    Deny,
    /// A person is asked.
    Ask,
    /// Nothing, but the failure is recorded.
    Ignore,
}

/// One hook.
#[derive(Clone, Debug)]
pub(crate) struct Hook {
    pub(crate) event: HookEvent,
    pub(crate) matcher: matcher::Matcher,
    /// What people see: the command, shortened.
    pub(crate) name: String,
    pub(crate) work: Work,
    pub(crate) on_failure: OnFailure,
}

/// What a hook does.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// Runs a command.
    Run {
        command: String,
        timeout: Duration,
        /// Variables it gets beside the harmless ones.
        env: Vec<String>,
    },
    /// Nothing: its settings are not understood, so it always fails.
    Broken(String),
}

/// All hooks of the settings.
#[derive(Clone, Debug, Default)]
pub struct Hooks {
    pub(crate) hooks: Vec<Hook>,
}

/// What hooks get to know about a call.
#[derive(Clone, Debug)]
pub struct HookInput<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// The mode in force.
    pub mode: Mode,
    /// The path of the transcript.
    pub transcript: Option<&'a str>,
    /// The project folder. `None`: the call's own directory.
    pub project: Option<&'a str>,
    /// Rules that would cover calls like this one.
    pub suggestions: &'a [String],
}

impl<'a> HookInput<'a> {
    /// A call in a mode, with nothing else known.
    #[must_use]
    pub const fn of(call: &'a ToolCall, mode: Mode) -> HookInput<'a> {
        HookInput { call, mode, transcript: None, project: None, suggestions: &[] }
    }

    /// The project's folder.
    pub(crate) fn project(&self) -> &str {
        self.project.unwrap_or(&self.call.cwd)
    }

    /// The text that a hook reads.
    pub(crate) fn to_json(&self, event: HookEvent) -> String {
        let call = self.call;
        let mut told = Map::new();
        told.insert("session_id".to_owned(), json!(call.session.as_deref().unwrap_or_default()));
        told.insert("transcript_path".to_owned(), json!(self.transcript.unwrap_or_default()));
        told.insert("cwd".to_owned(), json!(call.cwd));
        told.insert("permission_mode".to_owned(), json!(self.mode.name()));
        told.insert("hook_event_name".to_owned(), json!(event.name()));
        told.insert("tool_name".to_owned(), json!(call.tool.name()));
        told.insert("tool_input".to_owned(), call.input.clone());
        if let Some(id) = &call.id {
            told.insert("tool_use_id".to_owned(), json!(id));
        }
        if let Some(agent) = &call.agent {
            told.insert("agent_id".to_owned(), json!(agent));
        }
        if event == HookEvent::PermissionRequest {
            told.insert("permission_suggestions".to_owned(), json!(self.suggestions));
        }
        Value::Object(told).to_string()
    }
}

impl Hooks {
    /// Reads the values of the setting `hooks`. What is not understood is a problem, and where it may have been a
    /// hook, a hook that always fails.
    #[must_use]
    pub fn from_settings(values: &[WithOrigin<Value>]) -> (Hooks, Vec<Problem>) {
        settings::read(values)
    }

    /// Whether no hook is asked at this event, whatever the tool.
    #[must_use]
    pub fn is_empty(&self, event: HookEvent) -> bool {
        !self.hooks.iter().any(|hook| hook.event == event)
    }

    /// Whether a hook would be asked about this tool.
    #[must_use]
    pub fn concern(&self, event: HookEvent, tool: &Tool) -> bool {
        self.matching(event, tool).next().is_some()
    }

    fn matching(&self, event: HookEvent, tool: &Tool) -> impl Iterator<Item = &Hook> {
        self.hooks.iter().filter(move |hook| hook.event == event && hook.matcher.matches(tool))
    }

    /// Runs the hooks that match the call, all at once, and joins their answers. Returns by the deadline.
    pub fn run(&self, event: HookEvent, input: &HookInput<'_>, deadline: Instant) -> HookVerdict {
        self.run_while(event, input, deadline, &|| true)
    }

    /// As [`Hooks::run`], but when `wanted` returns false, hooks that still run are killed and count as failed.
    pub fn run_while(
        &self,
        event: HookEvent,
        input: &HookInput<'_>,
        deadline: Instant,
        wanted: &dyn Fn() -> bool,
    ) -> HookVerdict {
        let hooks: Vec<&Hook> = self.matching(event, &input.call.tool).collect();
        let finished = child::run_all(&hooks, event, input, deadline, wanted);
        let lines = hooks.iter().zip(finished);
        let answers = lines.map(|(hook, (finished, micros))| HookResult {
            hook: hook.name.clone(),
            answer: HookAnswer::of(event, &finished, hook.on_failure),
            micros,
        });
        join(&input.call.input, answers.collect())
    }
}
