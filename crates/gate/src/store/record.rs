//! The records in the audit log: decisions, and everything else that happened around calls.

use portcullis_decide::ToolCall;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// One record of the audit log. Whoever makes one has redacted credentials already.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// When it happened, in milliseconds since 1970.
    pub time_ms: u64,
    /// The session.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The sub-agent.
    pub worker: Option<String>,
    /// The agent's id of the call.
    pub call_id: Option<String>,
    /// The canonical name of the tool.
    pub tool: String,
    /// The input of the call, without credentials.
    pub input: Value,
    /// The working directory.
    pub cwd: String,
    /// The mode in force.
    pub mode: String,
    /// The decision: `allow`, `deny` or `ask`.
    pub decision: String,
    /// The message that went with it.
    pub message: String,
    /// The reason as data (T3).
    pub reason: Value,
    /// The steps walked (T4).
    pub trace: Value,
    /// The input that was used instead.
    pub updated_input: Option<Value>,
    /// The layer that decided: a rule, a fast path, the classifier, a person, …
    pub layer: String,
    /// Whether the decision was enforced; false in shadow mode (M4).
    pub enforced: bool,
    /// What the agent was told: `allow`, `deny`, `ask` or `none`.
    pub answered: String,
    /// The kind of record: `call`, `human`, `late`, `outcome`, `pause`, `grant`, `mode`, `prune`, …
    pub kind: String,
    /// The number of the entry that this one is about.
    pub about: Option<u64>,
    /// The requests to a model, as data.
    pub stages: Value,
    /// Why a model gave no verdict.
    pub failure: Option<String>,
    /// The hash of the call with its credentials ([`Record::hash_of`]).
    pub input_hash: String,
}

/// The parts of a record that filters look at. They are no second truth: `verify` compares them with the body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Columns {
    pub(super) time: u64,
    pub(super) session: String,
    pub(super) agent: String,
    pub(super) tool: String,
    pub(super) decision: String,
    pub(super) rule: String,
    pub(super) kind: String,
}

impl Serialize for Record {
    /// Written by hand, and not by way of a value: this runs for every call, and copies of traces cost more than the rest.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("time_ms", &self.time_ms)?;
        fields.serialize_entry("kind", &self.kind)?;
        fields.serialize_entry("session", &self.session)?;
        fields.serialize_entry("agent", &self.agent)?;
        fields.serialize_entry("worker", &self.worker)?;
        fields.serialize_entry("call_id", &self.call_id)?;
        fields.serialize_entry("tool", &self.tool)?;
        fields.serialize_entry("input", &self.input)?;
        fields.serialize_entry("cwd", &self.cwd)?;
        fields.serialize_entry("mode", &self.mode)?;
        fields.serialize_entry("decision", &self.decision)?;
        fields.serialize_entry("message", &self.message)?;
        fields.serialize_entry("reason", &self.reason)?;
        fields.serialize_entry("trace", &self.trace)?;
        fields.serialize_entry("updated_input", &self.updated_input)?;
        fields.serialize_entry("layer", &self.layer)?;
        fields.serialize_entry("enforced", &self.enforced)?;
        fields.serialize_entry("answered", &self.answered)?;
        fields.serialize_entry("about", &self.about)?;
        fields.serialize_entry("stages", &self.stages)?;
        fields.serialize_entry("failure", &self.failure)?;
        fields.serialize_entry("input_hash", &self.input_hash)?;
        fields.end()
    }
}

impl Record {
    /// The hash that [`Record::input_hash`] holds for a call: SHA-256 over its tool, input and directory, so that the same
    /// call can be found again although its credentials are not stored.
    #[must_use]
    pub fn hash_of(call: &ToolCall) -> String {
        let mut hash = Sha256::new();
        for text in [call.tool.name(), &call.input.to_string(), &call.cwd] {
            hash.update(text.len().to_le_bytes());
            hash.update(text);
        }
        hex(&hash.finalize())
    }

    /// The record as JSON text, its fields always in this order.
    #[must_use]
    pub fn to_text(&self) -> String {
        // Only maps whose keys are no text can fail, and there are none.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The record in a JSON value; `None` if it is not one.
    #[must_use]
    pub fn from_json(body: Value) -> Option<Record> {
        let Value::Object(mut fields) = body else { return None };
        let fields = &mut fields;
        Some(Record {
            time_ms: fields.get("time_ms")?.as_u64()?,
            session: text(fields, "session")?,
            agent: text(fields, "agent")?,
            worker: optional(fields, "worker")?,
            call_id: optional(fields, "call_id")?,
            tool: text(fields, "tool")?,
            input: fields.get_mut("input")?.take(),
            cwd: text(fields, "cwd")?,
            mode: text(fields, "mode")?,
            decision: text(fields, "decision")?,
            message: text(fields, "message")?,
            reason: fields.get_mut("reason")?.take(),
            trace: fields.get_mut("trace")?.take(),
            updated_input: Some(fields.get_mut("updated_input")?.take()).filter(|input| !input.is_null()),
            layer: text(fields, "layer")?,
            enforced: fields.get("enforced")?.as_bool()?,
            answered: text(fields, "answered")?,
            kind: text(fields, "kind")?,
            about: match fields.get("about")? {
                Value::Null => None,
                number @ (Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_)
                | Value::Object(_)) => Some(number.as_u64()?),
            },
            stages: fields.get_mut("stages")?.take(),
            failure: optional(fields, "failure")?,
            input_hash: text(fields, "input_hash")?,
        })
    }

    pub(super) fn columns(&self) -> Columns {
        Columns {
            time: self.time_ms,
            session: self.session.clone(),
            agent: self.agent.clone(),
            tool: self.tool.clone(),
            decision: self.decision.clone(),
            rule: rules(&self.reason).join("\n"),
            kind: self.kind.clone(),
        }
    }
}

/// What decided, by name: rules of the settings, a rule of the classifier's policy, a check, a hook.
fn rules(reason: &Value) -> Vec<&str> {
    let direct = ["rule", "policy", "check", "name"];
    let direct = direct.into_iter().filter_map(|name| reason.get(name)?.as_str());
    let parts = reason.get("parts").and_then(Value::as_array).into_iter().flatten();
    direct.chain(parts.filter_map(|part| part.get("rule")?.as_str())).collect()
}

fn text(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    match fields.get_mut(name)?.take() {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[expect(clippy::option_option, reason = "not understood is another thing than not there")]
fn optional(fields: &mut Map<String, Value>, name: &str) -> Option<Option<String>> {
    match fields.get_mut(name)?.take() {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(text)),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Bytes as lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
