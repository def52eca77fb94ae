//! Agents: what each one says before a call, and the strongest form of an answer that it honours.
//!
//! One file each. An adapter turns the host's JSON into requests and an answer into what the host understands; it
//! decides nothing. Hosts run the call when a hook crashes, hangs or prints something else, so every adapter can say
//! no without having understood anything.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod forms;
mod gemini;
mod generic;
mod goose;
mod host;
mod opencode;
mod qwen;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use portcullis_classify::judge::Handback;
use portcullis_classify::transcript::Agent;
use portcullis_client::{ProcessContext, Reply};
use portcullis_decide::ToolCall;
use portcullis_gate::{Answer, Changes, HostPrompt, OwnCall, Request};
use serde_json::Value;

/// What a host tells.
#[derive(Debug)]
pub(crate) enum Event {
    /// It is about to make these calls: usually one, several where one call changes several files.
    Calls(Calls),
    /// It would ask its user about this call.
    Dialog(Calls),
    /// It made these calls.
    Done(Vec<Request>),
    /// A sub-agent hands its work back.
    HandedBack(Box<Request>, Box<Handback>),
    /// Its user said something.
    Said(HostPrompt),
    /// It made a call that is not understood. Nothing can be refused any more.
    Unread(String),
    /// Something that needs no answer.
    Nothing,
}

/// One call of a host, in our terms.
#[derive(Debug)]
pub(crate) struct Calls {
    /// What it is: usually one, several where one call does several things.
    pub(crate) requests: Vec<Request>,
    /// What the host can be given in place of what it sent.
    pub(crate) changes: Changes,
}

impl Calls {
    /// Calls of a host that has words of its own for them.
    fn in_terms_of(requests: Vec<Request>, agent: Agent, name: &str, input: &Value) -> Calls {
        let own = OwnCall { agent, name: name.to_owned(), input: input.clone() };
        Calls { requests, changes: Changes::Own(Arc::new(own)) }
    }

    /// Tells the gate what can be changed: nothing where the host passes over it, and no part of a call that has several.
    pub(crate) fn bind(&mut self, adapter: &Adapter) {
        if !adapter.rewrites || self.requests.len() > 1 {
            self.changes = Changes::Never;
        }
        for request in &mut self.requests {
            request.changes = self.changes.clone();
        }
    }
}

/// One kind of agent.
pub(crate) struct Adapter {
    /// The name on the command line and in records.
    pub(crate) name: &'static str,
    /// Reads what the host says. The error is for the host's screen.
    pub(crate) read: fn(&Value, &ProcessContext) -> Result<Event, String>,
    /// What the host is told about a call.
    pub(crate) reply: fn(&Event, &Answer) -> Reply,
    /// A no that needs no understanding of what was said.
    pub(crate) deny: fn(&str) -> Reply,
    /// What the parent is told about a report that raised a flag.
    pub(crate) warn: fn(&str) -> Reply,
    /// Whether the host takes an input that was changed.
    pub(crate) rewrites: bool,
    /// Whether it may run a command in the shell of an earlier one; `scripts/clients` measures it.
    pub(crate) keeps_shell: bool,
}

const ADAPTERS: &[Adapter] = &[
    claude_code::ADAPTER,
    codex::ADAPTER,
    gemini::ADAPTER,
    qwen::ADAPTER,
    copilot::ADAPTER,
    opencode::ADAPTER,
    cursor::ADAPTER,
    goose::ADAPTER,
    generic::ADAPTER,
];

/// The adapter of this name.
pub(crate) fn named(name: &str) -> Option<&'static Adapter> {
    ADAPTERS.iter().find(|adapter| adapter.name == name)
}

/// The names of all adapters.
pub(crate) fn names() -> Vec<&'static str> {
    ADAPTERS.iter().map(|adapter| adapter.name).collect()
}

/// Fields of what a host says, read strictly: a field of another type is a mistake, not a missing one.
pub(crate) struct Fields<'v>(&'v serde_json::Map<String, Value>);

impl<'v> Fields<'v> {
    pub(crate) fn of(value: &'v Value) -> Result<Fields<'v>, String> {
        value.as_object().map(Fields).ok_or_else(|| "what was sent is not a JSON object".to_owned())
    }

    /// A text that may be missing.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&'v str>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                Err(format!("`{name}` is not text"))
            }
        }
    }

    /// A text that has to be there.
    pub(crate) fn needed(&self, name: &str) -> Result<&'v str, String> {
        self.text(name)?.ok_or_else(|| format!("`{name}` is missing"))
    }

    /// Any value.
    pub(crate) fn value(&self, name: &str) -> Option<&'v Value> {
        self.0.get(name)
    }

    /// An object that has to be there.
    pub(crate) fn object(&self, name: &str) -> Result<&'v Value, String> {
        match self.0.get(name) {
            Some(value @ Value::Object(_)) => Ok(value),
            Some(_) => Err(format!("`{name}` is not an object")),
            None => Err(format!("`{name}` is missing")),
        }
    }

    /// A list of texts that may be missing.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<&'v str>, String> {
        let wrong = || format!("`{name}` is not a list of texts");
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => items.iter().map(|item| item.as_str().ok_or_else(wrong)).collect(),
            Some(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => Err(wrong()),
        }
    }

    /// A path to a file that may be missing.
    pub(crate) fn path(&self, name: &str) -> Result<Option<PathBuf>, String> {
        Ok(self.text(name)?.filter(|path| !path.is_empty()).map(PathBuf::from))
    }
}

/// A request for a call, with what nearly every host says about it.
pub(crate) fn request(
    agent: &str,
    mut call: ToolCall,
    session: Option<&str>,
    around: &ProcessContext,
) -> Request {
    call.session = session.map(str::to_owned);
    let mut request = Request::new(agent, call);
    request.root.clone_from(&around.project);
    request.keeps_shell = named(agent).is_none_or(|adapter| adapter.keeps_shell);
    request
}

/// Text that a terminal or a host shows: nothing in it hides or moves other text.
pub(crate) fn plain(text: &str) -> String {
    crate::output::visible(text)
}
