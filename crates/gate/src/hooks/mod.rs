//! Programs of the user that are asked before a call or a dialog (SPEC H4): JSON in, JSON out, in the shape that
//! scripts for Claude Code already have.
//!
//! Nothing here waits longer than its deadline, and nothing that goes wrong with a hook allows. Hooks come from the
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
use crate::settings::Placed;

pub use answer::Answer;
pub use apply::apply;
pub use finished::{Ending, Finished, MAX_OUTPUT};
pub use join::{HookVerdict, Line, join};

/// When hooks are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookEvent {
    /// Before a call is judged.
    PreToolUse,
    /// When a person would be asked.
    PermissionRequest,
}

impl HookEvent {
    /// Both.
    pub const ALL: [HookEvent; 2] = [HookEvent::PreToolUse, HookEvent::PermissionRequest];

    /// The name that settings and hooks know.
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

/// What a hook said, from the weakest to the strictest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Said {
    /// It has no opinion.
    Nothing,
    /// The call may run, as far as it is concerned.
    Allow,
    /// A person has to be asked.
    Ask,
    /// It did not answer as a hook does, and that denies.
    Failed,
    /// The call may not run.
    Deny,
}

impl Said {
    /// The name that people and programs read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Said::Nothing => "nothing",
            Said::Allow => "allow",
            Said::Ask => "ask",
            Said::Failed => "failed",
            Said::Deny => "deny",
        }
    }
}

/// What becomes of a hook that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnFailure {
    /// The call is denied.
    Deny,
    /// A person is asked.
    Ask,
    /// It counts as if it had said nothing; still written down.
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

/// The hooks of the settings.
#[derive(Clone, Debug, Default)]
pub struct Hooks {
    pub(crate) hooks: Vec<Hook>,
}

/// What hooks are told.
#[derive(Clone, Debug)]
pub struct HookInput<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// The mode in force.
    pub mode: Mode,
    /// Where the conversation is written down.
    pub transcript: Option<&'a str>,
    /// The project's folder; the call's own if it is not known.
    pub project: Option<&'a str>,
    /// Rules that would settle calls like this one.
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
    /// Reads the values of the setting `hooks`. Whatever of it is not understood is a problem, and where it may have
    /// been a hook, a hook that fails.
    #[must_use]
    pub fn from_settings(values: &[Placed<Value>]) -> (Hooks, Vec<Problem>) {
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

    /// Asks the hooks that the call concerns, all at once, and joins their answers. It is back at the deadline.
    pub fn run(&self, event: HookEvent, input: &HookInput<'_>, deadline: Instant) -> HookVerdict {
        self.run_while(event, input, deadline, &|| true)
    }

    /// The same, as long as somebody wants to know: when `wanted` turns false, hooks that still run are killed and
    /// count as failed.
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
        let answers = lines.map(|(hook, (finished, micros))| Line {
            hook: hook.name.clone(),
            answer: Answer::of(event, &finished, hook.on_failure),
            micros,
        });
        join(&input.call.input, answers.collect())
    }
}
