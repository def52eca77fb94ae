//! What a hook that has ended has said (SPEC H4): a plain function of its exit code and its output.
//!
//! A hook that blocks is believed, however it says so; one that allows must say so in one clear way. Everything else
//! is a failure.

use portcullis_classify::{one_line, redact};
use serde_json::{Map, Value};

use super::finished::{Ending, Finished, MAX_OUTPUT};
use super::{HookEvent, OnFailure, Opinion};
use crate::strict_json;

/// The exit code with which a hook blocks, whatever it prints.
const BLOCKS: i32 = 2;

/// Fields of an answer that have no part in the decision.
const BESIDE: &[&str] = &["suppressOutput", "systemMessage", "additionalContext", "hookEventName", "reason"];

/// The answer of one hook.
#[derive(Clone, PartialEq, Debug)]
pub struct HookAnswer {
    /// Its opinion, after the policy for failures.
    pub said: Opinion,
    /// Its reason, cleaned for display.
    pub reason: String,
    /// The input that it wants instead.
    pub updated_input: Option<Value>,
    /// Whether the agent has to stop altogether.
    pub stop: bool,
    /// Whether it failed, even if the policy ignores that.
    pub failed: bool,
}

impl HookAnswer {
    /// Reads the answer from how the hook ended and what it printed.
    #[must_use]
    pub fn of(event: HookEvent, finished: &Finished, on_failure: OnFailure) -> HookAnswer {
        match understood(event, finished) {
            Ok(answer) => answer,
            // FAIL-CLOSED(hook-failure): a hook that failed has not agreed; only a policy of the user's own lets
            // its failure pass.
            Err(why) => {
                let said = match on_failure {
                    OnFailure::Deny => Opinion::Failed,
                    OnFailure::Ask => Opinion::Ask,
                    OnFailure::Ignore => Opinion::Nothing,
                };
                HookAnswer { reason: why, failed: true, ..HookAnswer::plain(said) }
            }
        }
    }

    const fn plain(said: Opinion) -> HookAnswer {
        HookAnswer { said, reason: String::new(), updated_input: None, stop: false, failed: false }
    }
}

fn understood(event: HookEvent, finished: &Finished) -> Result<HookAnswer, String> {
    if finished.stdout.len() > MAX_OUTPUT || finished.stderr.len() > MAX_OUTPUT {
        return Err("it wrote more than 1 MiB".to_owned());
    }
    match &finished.ending {
        Ending::Exited(0) => spoken(event, &finished.stdout),
        Ending::Exited(BLOCKS) => {
            let told = shown(&String::from_utf8_lossy(&finished.stderr));
            let reason = if told.is_empty() { "it blocks this call".to_owned() } else { told };
            Ok(HookAnswer { reason, ..HookAnswer::plain(Opinion::Deny) })
        }
        Ending::Exited(126) => Err("it cannot be run (exit code 126)".to_owned()),
        Ending::Exited(127) => Err("there is no such program (exit code 127)".to_owned()),
        Ending::Exited(code) => Err(format!("it failed with exit code {code}")),
        Ending::Killed(signal) => Err(format!("it was killed by signal {signal}")),
        Ending::TimedOut => Err("it did not answer in time".to_owned()),
        Ending::Flooded => Err("it wrote more than 1 MiB".to_owned()),
        Ending::Cancelled => Err("its answer was not waited for".to_owned()),
        Ending::Broken(why) => Err(why.clone()),
    }
}

/// Text of a hook as it may be shown: what it repeats may be hostile, or hold a secret.
fn shown(text: &str) -> String {
    let start: String = text.chars().take(8192).collect();
    one_line(&redact(&start))
}

/// What the output of a hook that ended well says.
fn spoken(event: HookEvent, stdout: &[u8]) -> Result<HookAnswer, String> {
    if stdout.trim_ascii().is_empty() {
        return Ok(HookAnswer::plain(Opinion::Nothing));
    }
    let value =
        strict_json::parse(stdout).map_err(|refused| format!("its output is not an answer: {refused}"))?;
    let Value::Object(top) = value else {
        return Err("its output is not an answer: it is not an object".to_owned());
    };
    let mut heard = Heard::default();
    heard.top(&top)?;
    match top.get("hookSpecificOutput") {
        None | Some(Value::Null) => {}
        Some(Value::Object(inner)) => heard.specific(event, inner)?,
        Some(_) => return Err("`hookSpecificOutput` is not an object".to_owned()),
    }
    heard.answer()
}

/// What was understood so far.
#[derive(Default)]
struct Heard {
    said: Vec<Opinion>,
    reasons: Vec<(Opinion, String)>,
    updated_input: Option<Value>,
    stop: bool,
    /// A field that is not known.
    unknown: Option<String>,
}

impl Heard {
    fn top(&mut self, top: &Map<String, Value>) -> Result<(), String> {
        let reason = text(top, "reason")?;
        for (name, value) in top {
            match (name.as_str(), value) {
                (_, Value::Null) | ("continue", Value::Bool(true)) => {}
                ("continue", Value::Bool(false)) => {
                    self.stop = true;
                    let why = text(top, "stopReason")?.unwrap_or("it stops the agent");
                    self.word(Opinion::Deny, Some(why));
                }
                ("decision", Value::String(word)) => {
                    self.word(legacy(word).ok_or_else(|| not_known("decision", word))?, reason);
                }
                ("continue" | "decision", _) => return Err(format!("`{name}` is not understood")),
                ("permissionDecision" | "permissionDecisionReason" | "updatedInput", _) => {}
                ("hookSpecificOutput" | "stopReason", _) => {}
                _ if BESIDE.contains(&name.as_str()) => {}
                _ => self.unknown = Some(name.clone()),
            }
        }
        self.permission(top)
    }

    fn specific(&mut self, event: HookEvent, inner: &Map<String, Value>) -> Result<(), String> {
        if text(inner, "hookEventName")?.is_some_and(|name| name != event.name()) {
            return Err(format!("it answers another event than {}", event.name()));
        }
        self.permission(inner)?;
        for (name, value) in inner {
            match (name.as_str(), value) {
                (_, Value::Null) => {}
                ("decision", Value::Object(decision)) => self.behavior(decision)?,
                ("decision", _) => return Err("`decision` is not an object".to_owned()),
                ("permissionDecision" | "permissionDecisionReason" | "updatedInput", _) => {}
                _ if BESIDE.contains(&name.as_str()) => {}
                _ => self.unknown = Some(name.clone()),
            }
        }
        Ok(())
    }

    fn permission(&mut self, object: &Map<String, Value>) -> Result<(), String> {
        if let Some(word) = text(object, "permissionDecision")? {
            let said = match word {
                "allow" => Opinion::Allow,
                "ask" => Opinion::Ask,
                "deny" => Opinion::Deny,
                other => return Err(not_known("permissionDecision", other)),
            };
            self.word(said, text(object, "permissionDecisionReason")?.or(text(object, "reason")?));
        }
        self.rewrite(object)
    }

    /// The form of answers to a permission request.
    fn behavior(&mut self, decision: &Map<String, Value>) -> Result<(), String> {
        let message = text(decision, "message")?;
        match text(decision, "behavior")? {
            Some("allow") => self.word(Opinion::Allow, message),
            Some("deny") => self.word(Opinion::Deny, message),
            Some(other) => return Err(not_known("behavior", other)),
            None => return Err("`decision` names no behavior".to_owned()),
        }
        match decision.get("interrupt") {
            None | Some(Value::Null | Value::Bool(false)) => {}
            Some(Value::Bool(true)) => self.stop = true,
            Some(_) => return Err("`interrupt` is not understood".to_owned()),
        }
        self.rewrite(decision)
    }

    fn word(&mut self, said: Opinion, reason: Option<&str>) {
        self.said.push(said);
        self.reasons.extend(reason.map(|reason| (said, shown(reason))));
    }

    fn rewrite(&mut self, object: &Map<String, Value>) -> Result<(), String> {
        match object.get("updatedInput") {
            None | Some(Value::Null) => Ok(()),
            Some(input @ Value::Object(_)) => {
                if self.updated_input.as_ref().is_some_and(|known| known != input) {
                    return Err("it rewrites the input in two ways".to_owned());
                }
                self.updated_input = Some(input.clone());
                Ok(())
            }
            Some(_) => Err("`updatedInput` is not an object".to_owned()),
        }
    }

    /// The strictest word counts; one that allows beside another word is no clear one.
    fn answer(self) -> Result<HookAnswer, String> {
        let said = self.said.iter().copied().max();
        if let (None, None, Some(unknown)) = (said, &self.updated_input, &self.unknown) {
            return Err(format!("its output says nothing that is understood: `{}`", shown(unknown)));
        }
        let said = said.unwrap_or(Opinion::Nothing);
        let reason = self.reasons.into_iter().find(|(word, text)| *word == said && !text.is_empty());
        let updated_input = self.updated_input.filter(|_| said != Opinion::Deny);
        Ok(HookAnswer {
            reason: reason.map(|(_, text)| text).unwrap_or_default(),
            updated_input,
            stop: self.stop && said == Opinion::Deny,
            ..HookAnswer::plain(said)
        })
    }
}

fn legacy(word: &str) -> Option<Opinion> {
    match word {
        "approve" | "allow" => Some(Opinion::Allow),
        "block" | "deny" => Some(Opinion::Deny),
        "ask" => Some(Opinion::Ask),
        _ => None,
    }
}

fn not_known(field: &str, word: &str) -> String {
    format!("`{field}` is `{}`, which is not known", shown(word))
}

/// A field that is text, if it is there.
fn text<'v>(object: &'v Map<String, Value>, field: &str) -> Result<Option<&'v str>, String> {
    match object.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{field}` is not text")),
    }
}
