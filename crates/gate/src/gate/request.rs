//! What a caller asks, and what it is told.

use std::path::PathBuf;
use std::sync::Arc;

use portcullis_classify::{Agent, Format, Transcript, own_input};
use portcullis_decide::{Decision, Ruling, ToolCall};
use portcullis_shell::Dialect;
use serde_json::{Value, json};

/// A call that somebody wants judged, and what is known about where it comes from.
#[derive(Clone, Debug)]
pub struct Request {
    /// The call.
    pub call: ToolCall,
    /// Which agent makes it: `claude-code`, `codex`, the name of a program.
    pub agent: String,
    /// The project that the agent was started in; without it, the first working directory of the session.
    pub root: Option<String>,
    /// What was said and done before.
    pub talk: Talk,
    /// Who can be asked.
    pub people: People,
    /// The mode that the agent itself says it is in (M3).
    pub host_mode: Option<String>,
    /// The session that started this one.
    pub parent: Option<String>,
    /// The agent's own main model.
    pub model: Option<String>,
    /// The shell that runs its commands, where that is not the gate's own.
    pub dialect: Option<Dialect>,
    /// Whether what a command sets in its shell is still there in the next one (R12).
    pub keeps_shell: bool,
    /// What it can be given in place of the input that it sent.
    pub changes: Changes,
}

impl Request {
    /// A call of an agent that shows a dialog of its own when it is told to ask.
    #[must_use]
    pub fn new(agent: impl Into<String>, call: ToolCall) -> Request {
        Request {
            call,
            agent: agent.into(),
            root: None,
            talk: Talk::None,
            people: People::Host,
            host_mode: None,
            parent: None,
            model: None,
            dialect: None,
            keeps_shell: true,
            changes: Changes::Any,
        }
    }

    /// The session that it belongs to. Calls that name none belong to one session of their agent.
    #[must_use]
    pub fn session(&self) -> String {
        self.call.session.clone().unwrap_or_else(|| format!("{}:unnamed", self.agent))
    }
}

/// Which other input a caller would run in place of the one that it sent (T5).
#[derive(Clone, Debug, Default)]
pub enum Changes {
    /// Every one.
    #[default]
    Any,
    /// One that can be said in the agent's own terms.
    Own(Arc<OwnCall>),
    /// None: it would run the call as it was sent.
    Never,
}

impl Changes {
    /// A changed input as the caller wants to have it; nothing where it would run the call as it was sent.
    #[must_use]
    pub fn told(&self, changed: Value) -> Option<Value> {
        match self {
            Changes::Any => Some(changed),
            Changes::Own(own) => own_input(own.agent, &own.name, &own.input, changed),
            Changes::Never => None,
        }
    }
}

/// Makes an allow one of the changed input, unless it carries a later one.
pub(crate) fn given(decision: &mut Decision, changed: Option<&Value>) {
    if let (Decision::Allow { updated_input: wanted @ None }, Some(input)) = (decision, changed) {
        *wanted = Some(input.clone());
    }
}

/// A call in its agent's own terms.
#[derive(Clone, Debug)]
pub struct OwnCall {
    /// Whose terms.
    pub agent: Agent,
    /// What the agent calls the tool.
    pub name: String,
    /// What it sent.
    pub input: Value,
}

/// Where the conversation is.
#[derive(Clone, Debug, Default)]
pub enum Talk {
    /// Nothing is known of one.
    #[default]
    None,
    /// In a file of the agent.
    File(PathBuf, Format),
    /// Here.
    Given(Transcript),
}

/// Who can be asked about a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum People {
    /// The caller asks its own user when it is told to.
    Host,
    /// The caller can wait for an approver, and asks nobody itself.
    Approver,
    /// Nobody (M1).
    Nobody,
}

impl People {
    /// Who is left where the caller's own user cannot be asked.
    pub(crate) const fn without_host(self) -> People {
        match self {
            People::Host | People::Approver => People::Approver,
            People::Nobody => People::Nobody,
        }
    }
}

/// What the caller is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// Run it.
    Allow,
    /// Do not run it.
    Deny,
    /// Ask your user.
    Ask,
    /// Nothing: judged and written down, but not enforced (M4).
    Nothing,
}

impl Told {
    /// The name that programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Told::Allow => "allow",
            Told::Deny => "deny",
            Told::Ask => "ask",
            Told::Nothing => "none",
        }
    }
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was decided.
    pub ruling: Ruling,
    /// What the caller is told.
    pub told: Told,
    /// The number of its record; nothing where none could be written, and then it is a deny.
    pub seq: Option<u64>,
    /// What people should hear beside it: rules set aside, settings that are broken.
    pub notes: Vec<String>,
}

impl Answer {
    /// An answer that was not written down: only ever a deny.
    pub(crate) fn unrecorded(ruling: Ruling) -> Answer {
        Answer { ruling, told: Told::Deny, seq: None, notes: Vec::new() }
    }

    /// What is told where the ruling is enforced.
    pub(crate) const fn enforced(decision: &Decision) -> Told {
        match decision {
            Decision::Allow { .. } => Told::Allow,
            Decision::Deny { .. } => Told::Deny,
            Decision::Ask { .. } => Told::Ask,
        }
    }

    /// The shape that programs rely on (J1), with what the caller was told and the number of the record.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut value = self.ruling.to_json();
        if let Value::Object(fields) = &mut value {
            fields.insert("told".to_owned(), json!(self.told.name()));
            fields.insert("seq".to_owned(), json!(self.seq));
            fields.insert("notes".to_owned(), json!(self.notes));
        }
        value
    }
}
