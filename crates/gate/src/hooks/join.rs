//! Several hooks, one verdict: the strictest wins, and an allow holds only for the input it was given for.

use std::borrow::Cow;

use portcullis_decide::ToolCall;
use serde_json::Value;

use super::Opinion;
use super::answer::HookAnswer;

/// The answer of one hook in a round.
#[derive(Clone, PartialEq, Debug)]
pub struct HookResult {
    /// The hook's name.
    pub hook: String,
    /// Its answer.
    pub answer: HookAnswer,
    /// How long it took, in microseconds.
    pub micros: u64,
}

/// The joint verdict of all hooks that were asked about a call.
#[derive(Clone, PartialEq, Debug)]
#[must_use]
pub struct HookVerdict {
    /// The strictest opinion.
    pub said: Opinion,
    /// The first hook with that opinion; empty if none has one.
    pub hook: String,
    /// That hook's reason.
    pub reason: String,
    /// The input to judge instead of the call's own. It has not been judged yet.
    pub updated_input: Option<Value>,
    /// Whether the agent has to stop altogether.
    pub stop: bool,
    /// The answer of each hook, in the order of the settings.
    pub each: Vec<HookResult>,
}

impl HookVerdict {
    /// The verdict where no hook was asked.
    pub const fn none() -> HookVerdict {
        HookVerdict {
            said: Opinion::Nothing,
            hook: String::new(),
            reason: String::new(),
            updated_input: None,
            stop: false,
            each: Vec::new(),
        }
    }

    /// [`HookVerdict::none`] as a reference that lives forever.
    pub fn nothing() -> &'static HookVerdict {
        static NOTHING: HookVerdict = HookVerdict::none();
        &NOTHING
    }

    /// How many hooks failed, including failures that the settings ignore (A4).
    #[must_use]
    pub fn failures(&self) -> usize {
        self.each.iter().filter(|line| line.answer.failed).count()
    }

    /// The call to judge: with the input that the hooks want, if they want one.
    #[must_use]
    pub fn rewritten<'c>(&self, call: &'c ToolCall) -> Cow<'c, ToolCall> {
        match &self.updated_input {
            Some(input) => Cow::Owned(ToolCall { input: input.clone(), ..call.clone() }),
            None => Cow::Borrowed(call),
        }
    }

    /// The same answers where the caller cannot run the input that a hook wants: that is a failure.
    pub fn without_rewrite(self, why: &str) -> HookVerdict {
        let wanted = self.each.iter().find(|line| line.answer.updated_input.is_some());
        let hook = wanted.map(|line| line.hook.clone()).unwrap_or_default();
        HookVerdict {
            said: Opinion::Failed,
            hook,
            reason: why.to_owned(),
            each: self.each,
            ..HookVerdict::none()
        }
    }

    /// One line for the trace.
    #[must_use]
    pub fn outcome(&self) -> String {
        let lines: Vec<String> = self.each.iter().map(HookResult::outcome).collect();
        match (lines.is_empty(), self.said) {
            (true, _) => "none".to_owned(),
            // Two rewrites are nobody's own failure.
            (false, Opinion::Failed) if self.hook.is_empty() => {
                format!("{}; {}", lines.join("; "), self.reason)
            }
            (false, _) => lines.join("; "),
        }
    }

    /// How long the round took, in microseconds; the hooks run at the same time.
    #[must_use]
    pub fn micros(&self) -> u64 {
        self.each.iter().map(|line| line.micros).max().unwrap_or_default()
    }
}

impl HookResult {
    fn outcome(&self) -> String {
        let answer = &self.answer;
        let word = match (answer.failed, answer.said) {
            (true, Opinion::Ask) => "failed, asks",
            (true, Opinion::Nothing) => "failed, which is let pass",
            (true, Opinion::Failed | Opinion::Allow | Opinion::Deny) => "failed",
            (false, Opinion::Nothing) => "says nothing",
            (false, Opinion::Allow) => "allows",
            (false, Opinion::Ask) => "asks",
            (false, Opinion::Failed) => "failed",
            (false, Opinion::Deny) => "denies",
        };
        let rewrites = if answer.updated_input.is_some() { ", rewrites the input" } else { "" };
        let reason = if answer.reason.is_empty() { String::new() } else { format!(": {}", answer.reason) };
        format!("`{}` {word}{rewrites}{reason}", self.hook)
    }
}

/// Joins the answers of one round about a call with this input: the strictest opinion wins.
pub fn join(input: &Value, mut each: Vec<HookResult>) -> HookVerdict {
    for line in &mut each {
        // To give back what was given is no rewrite.
        line.answer.updated_input = line.answer.updated_input.take().filter(|wanted| wanted != input);
    }
    let mut rewrites = each.iter().filter_map(|line| line.answer.updated_input.as_ref());
    let rewrite = rewrites.next().cloned();
    let several = rewrites.any(|other| Some(other) != rewrite.as_ref());
    let word = |line: &HookResult| match line.answer.said {
        // Whoever allowed another input than the one that is left has not allowed this one.
        Opinion::Allow if line.answer.updated_input != rewrite => Opinion::Nothing,
        said @ (Opinion::Nothing | Opinion::Allow | Opinion::Ask | Opinion::Failed | Opinion::Deny) => said,
    };
    let said = each.iter().map(word).max().unwrap_or(Opinion::Nothing);
    let speaker = each.iter().find(|line| said != Opinion::Nothing && word(line) == said);
    let hook = speaker.map(|line| line.hook.clone()).unwrap_or_default();
    let reason = speaker.map(|line| line.answer.reason.clone()).unwrap_or_default();
    let stop = each.iter().any(|line| line.answer.stop && line.answer.said == Opinion::Deny);
    if several && said < Opinion::Failed {
        // FAIL-CLOSED(hook-rewrites): of two different inputs nobody can say which one was meant.
        let reason = "two hooks rewrite the input in different ways".to_owned();
        return HookVerdict { said: Opinion::Failed, reason, each, ..HookVerdict::none() };
    }
    let updated_input = rewrite.filter(|_| said < Opinion::Failed);
    HookVerdict { said, hook, reason, updated_input, stop, each }
}
