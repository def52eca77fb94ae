//! Several hooks, one verdict: the strictest wins, and an allow holds only for the input it was given for.

use std::borrow::Cow;

use portcullis_decide::ToolCall;
use serde_json::Value;

use super::Said;
use super::answer::Answer;

/// What one hook of a round said.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The hook.
    pub hook: String,
    /// Its answer.
    pub answer: Answer,
    /// How long it took, in microseconds.
    pub micros: u64,
}

/// What the hooks of one round said together.
#[derive(Clone, PartialEq, Debug)]
#[must_use]
pub struct HookVerdict {
    /// The strictest word.
    pub said: Said,
    /// The first hook that said it; empty if none said anything.
    pub hook: String,
    /// Its words.
    pub reason: String,
    /// The input to judge instead. Nobody has judged it yet.
    pub updated_input: Option<Value>,
    /// Whether the agent is to stop altogether.
    pub stop: bool,
    /// Each hook's own answer, in the order of the settings.
    pub each: Vec<Line>,
}

impl HookVerdict {
    /// The verdict where no hook was asked.
    pub const fn none() -> HookVerdict {
        HookVerdict {
            said: Said::Nothing,
            hook: String::new(),
            reason: String::new(),
            updated_input: None,
            stop: false,
            each: Vec::new(),
        }
    }

    /// How many hooks failed, those included whose failure the settings let pass (A4).
    #[must_use]
    pub fn failures(&self) -> usize {
        self.each.iter().filter(|line| line.answer.failed).count()
    }

    /// The call that is left to judge: with the input that the hooks want.
    #[must_use]
    pub fn rewritten<'c>(&self, call: &'c ToolCall) -> Cow<'c, ToolCall> {
        match &self.updated_input {
            Some(input) => Cow::Owned(ToolCall { input: input.clone(), ..call.clone() }),
            None => Cow::Borrowed(call),
        }
    }

    /// The same answers, where the input that a hook wants cannot be had.
    pub fn without_rewrite(self, why: &str) -> HookVerdict {
        let wanted = self.each.iter().find(|line| line.answer.updated_input.is_some());
        let hook = wanted.map(|line| line.hook.clone()).unwrap_or_default();
        HookVerdict {
            said: Said::Failed,
            hook,
            reason: why.to_owned(),
            each: self.each,
            ..HookVerdict::none()
        }
    }

    /// One line for the trace.
    #[must_use]
    pub fn outcome(&self) -> String {
        let lines: Vec<String> = self.each.iter().map(Line::outcome).collect();
        match (lines.is_empty(), self.said) {
            (true, _) => "none".to_owned(),
            // Two rewrites are nobody's own failure.
            (false, Said::Failed) if self.hook.is_empty() => format!("{}; {}", lines.join("; "), self.reason),
            (false, _) => lines.join("; "),
        }
    }

    /// How long the round took: the hooks run at once.
    #[must_use]
    pub fn micros(&self) -> u64 {
        self.each.iter().map(|line| line.micros).max().unwrap_or_default()
    }
}

impl Line {
    fn outcome(&self) -> String {
        let answer = &self.answer;
        let word = match (answer.failed, answer.said) {
            (true, Said::Ask) => "failed, asks",
            (true, Said::Nothing) => "failed, which is let pass",
            (true, Said::Failed | Said::Allow | Said::Deny) => "failed",
            (false, Said::Nothing) => "says nothing",
            (false, Said::Allow) => "allows",
            (false, Said::Ask) => "asks",
            (false, Said::Failed) => "failed",
            (false, Said::Deny) => "denies",
        };
        let rewrites = if answer.updated_input.is_some() { ", rewrites the input" } else { "" };
        let reason = if answer.reason.is_empty() { String::new() } else { format!(": {}", answer.reason) };
        format!("`{}` {word}{rewrites}{reason}", self.hook)
    }
}

/// Joins the answers of one round about a call with this input.
pub fn join(input: &Value, mut each: Vec<Line>) -> HookVerdict {
    for line in &mut each {
        // To give back what was given is no rewrite.
        line.answer.updated_input = line.answer.updated_input.take().filter(|wanted| wanted != input);
    }
    let mut rewrites = each.iter().filter_map(|line| line.answer.updated_input.as_ref());
    let rewrite = rewrites.next().cloned();
    let several = rewrites.any(|other| Some(other) != rewrite.as_ref());
    let word = |line: &Line| match line.answer.said {
        // Whoever allowed another input than the one that is left has not allowed this one.
        Said::Allow if line.answer.updated_input != rewrite => Said::Nothing,
        said @ (Said::Nothing | Said::Allow | Said::Ask | Said::Failed | Said::Deny) => said,
    };
    let said = each.iter().map(word).max().unwrap_or(Said::Nothing);
    let speaker = each.iter().find(|line| said != Said::Nothing && word(line) == said);
    let hook = speaker.map(|line| line.hook.clone()).unwrap_or_default();
    let reason = speaker.map(|line| line.answer.reason.clone()).unwrap_or_default();
    let stop = each.iter().any(|line| line.answer.stop && line.answer.said == Said::Deny);
    if several && said < Said::Failed {
        // FAIL-CLOSED(hook-rewrites): of two different inputs nobody can say which one was meant.
        let reason = "two hooks rewrite the input in different ways".to_owned();
        return HookVerdict { said: Said::Failed, reason, each, ..HookVerdict::none() };
    }
    let updated_input = rewrite.filter(|_| said < Said::Failed);
    HookVerdict { said, hook, reason, updated_input, stop, each }
}
