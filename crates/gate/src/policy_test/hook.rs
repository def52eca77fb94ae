//! Hooks in a made-up world: a line says how a hook ended, and it is heard like a real one.

use portcullis_decide::ToolCall;
use portcullis_decide::rules::{Origin, Source};

use crate::hooks::{Ending, Finished, HookAnswer, HookEvent, HookResult, HookVerdict, OnFailure, join};

/// The hooks of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct MadeUpHooks {
    answers: Vec<HookAnswer>,
}

impl MadeUpHooks {
    /// `hook exit 2`, `hook signal 9`, `hook timeout`, or what it prints; `hook none` takes all hooks away.
    pub(super) fn direct(&mut self, text: &str, at: &Origin) -> Result<(), String> {
        let (text, on_failure) = match text.rsplit_once(" or ") {
            Some((text, "ask")) => (text, OnFailure::Ask),
            Some((text, "ignore")) => (text, OnFailure::Ignore),
            _ => (text, OnFailure::Deny),
        };
        let number = |text: &str| text.trim().parse().map_err(|_| format!("`{text}` is no number"));
        let (ending, stdout) = match text.split_once(' ').unwrap_or((text, "")) {
            ("none", "") => {
                self.answers.clear();
                return Ok(());
            }
            ("silent", "") => (Ending::Exited(0), ""),
            ("timeout", "") => (Ending::TimedOut, ""),
            ("exit", code) => (Ending::Exited(number(code)?), ""),
            ("signal", signal) => (Ending::Killed(number(signal)?), ""),
            _ if text.starts_with('{') => (Ending::Exited(0), text),
            _ => {
                return Err(
                    "`hook` is followed by what it prints, or by `silent`, `exit N`, `signal N`, `timeout` or `none`"
                        .to_owned(),
                );
            }
        };
        // Hooks that a repository brings are not asked (R11).
        if matches!(at.source, Source::Managed | Source::CommandLine | Source::User) {
            let finished = Finished { stdout: stdout.as_bytes().to_vec(), ..Finished::silent(ending) };
            self.answers.push(HookAnswer::of(HookEvent::PreToolUse, &finished, on_failure));
        }
        Ok(())
    }

    /// What they say about a call.
    pub(super) fn verdict(&self, call: &ToolCall) -> HookVerdict {
        let line =
            |answer: &HookAnswer| HookResult { hook: "hook".to_owned(), answer: answer.clone(), micros: 0 };
        join(&call.input, self.answers.iter().map(line).collect())
    }
}
