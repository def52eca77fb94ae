//! Requests to the gate, and its answers.

use std::path::PathBuf;
use std::sync::Arc;

use portcullis_classify::transcript::{Agent, Format, Transcript, own_input};
use portcullis_decide::{Decision, Ruling, ToolCall};
use portcullis_shell::Dialect;
use serde_json::{Value, json};

/// A call to judge, with what is known about where it comes from. [`Request::new`] fills in the defaults.
#[derive(Clone, Debug)]
pub struct Request {
    /// The call.
    pub call: ToolCall,
    /// The name of the agent: `claude-code`, `codex`, or the name of an embedding program.
    pub agent: String,
    /// The project folder that the agent was started in. `None`: the working directory of the session's first call.
    pub root: Option<String>,
    /// What was said and done before.
    pub conversation: Conversation,
    /// Who can be asked.
    pub people: People,
    /// The mode that the agent reports for itself (M3).
    pub host_mode: Option<String>,
    /// The session that started this one, for a sub-agent.
    pub parent: Option<String>,
    /// The agent's own main model.
    pub model: Option<String>,
    /// The shell that runs its commands. `None`: [`Options::dialect`](crate::Options::dialect).
    pub dialect: Option<Dialect>,
    /// Whether one shell runs all commands, so that variables and functions live on (R12).
    pub keeps_shell: bool,
    /// Whether the caller can run another input than it sent.
    pub changes: Changes,
}

impl Request {
    /// A request of an agent that asks its own user when it is told to, with no conversation known.
    #[must_use]
    pub fn new(agent: impl Into<String>, call: ToolCall) -> Request {
        Request {
            call,
            agent: agent.into(),
            root: None,
            conversation: Conversation::None,
            people: People::Host,
            host_mode: None,
            parent: None,
            model: None,
            dialect: None,
            keeps_shell: true,
            changes: Changes::Any,
        }
    }

    /// The id of its session. Calls that name none share one session per agent.
    #[must_use]
    pub fn session(&self) -> String {
        self.call.session.clone().unwrap_or_else(|| format!("{}:unnamed", self.agent))
    }
}

/// Whether a caller can run another input in place of the one it sent (T5), for hooks and people who rewrite a call.
#[derive(Clone, Debug, Default)]
pub enum Changes {
    /// Any input, in the gate's canonical form.
    #[default]
    Any,
    /// Inputs that can be translated back into the agent's own tool and fields.
    Own(Arc<OwnCall>),
    /// None: the call runs as it was sent, or not at all.
    Never,
}

impl Changes {
    /// The changed input in the caller's own form; `None` if the caller cannot run it.
    #[must_use]
    pub fn in_own_terms(&self, changed: Value) -> Option<Value> {
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

/// A call as the agent itself sent it, before translation to canonical tools.
#[derive(Clone, Debug)]
pub struct OwnCall {
    /// The agent whose names these are.
    pub agent: Agent,
    /// The agent's name of the tool.
    pub name: String,
    /// The input as sent.
    pub input: Value,
}

/// The conversation that a call belongs to. The judges of auto mode read it for what the user asked for and forbade.
#[derive(Clone, Debug, Default)]
pub enum Conversation {
    /// No conversation is known.
    #[default]
    None,
    /// A transcript file that the agent writes.
    File(PathBuf, Format),
    /// The conversation itself.
    Given(Transcript),
}

/// Who can be asked about a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum People {
    /// The caller asks its own user: it gets `ask` as an answer.
    Host,
    /// Somebody at an approver (terminal, API): the gate waits for their answer.
    Approver,
    /// Nobody (M1): what would be asked is denied.
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

/// What the caller has to do. Usually the decision of the [`Ruling`]; in shadow mode and during a pause nothing is
/// enforced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enforced {
    /// Run the call.
    Allow,
    /// Do not run it.
    Deny,
    /// Ask the caller's own user.
    Ask,
    /// The caller decides as if there were no gate: the call was judged and recorded only (M4).
    Nothing,
}

impl Enforced {
    /// The word in JSON and in the audit log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Enforced::Allow => "allow",
            Enforced::Deny => "deny",
            Enforced::Ask => "ask",
            Enforced::Nothing => "none",
        }
    }
}

/// The answer to a [`Request`].
#[derive(Clone, Debug)]
pub struct Answer {
    /// The decision with its reason and trace.
    pub ruling: Ruling,
    /// What the caller has to do.
    pub enforced: Enforced,
    /// The number of its entry in the audit log. `None` if it could not be recorded, which is always a deny.
    pub seq: Option<u64>,
    /// Notes for people: rules that are set aside, settings that are broken.
    pub notes: Vec<String>,
}

impl Answer {
    /// An answer that was not written down: only ever a deny.
    pub(crate) fn unrecorded(ruling: Ruling) -> Answer {
        Answer { ruling, enforced: Enforced::Deny, seq: None, notes: Vec::new() }
    }

    /// What is told where the ruling is enforced.
    pub(crate) const fn enforced(decision: &Decision) -> Enforced {
        match decision {
            Decision::Allow { .. } => Enforced::Allow,
            Decision::Deny { .. } => Enforced::Deny,
            Decision::Ask { .. } => Enforced::Ask,
        }
    }

    /// The answer as the JSON that other programs rely on (J1): the ruling's fields, with `told`, `seq` and `notes`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut value = self.ruling.to_json();
        if let Value::Object(fields) = &mut value {
            fields.insert("told".to_owned(), json!(self.enforced.name()));
            fields.insert("seq".to_owned(), json!(self.seq));
            fields.insert("notes".to_owned(), json!(self.notes));
        }
        value
    }
}
