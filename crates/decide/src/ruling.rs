//! Rulings (SPEC T2–T4): the decision, its reason as data, and the steps that led to it.

use std::borrow::Cow;

use portcullis_shell::Span;
use serde_json::{Map, Value, json};

use crate::mode::Mode;
use crate::rules::{List, Origin};

/// The answer to a call: the decision with its reason and trace.
#[derive(Clone, Debug)]
#[must_use]
pub struct Ruling {
    /// The decision.
    pub decision: Decision,
    /// Which step decided, as data.
    pub reason: Reason,
    /// All steps that were taken.
    pub trace: Trace,
}

/// Allow, deny or ask.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// The call may run.
    Allow {
        /// The input to run instead of the call's own.
        updated_input: Option<Value>,
    },
    /// The call may not run.
    Deny {
        /// What the agent is told.
        message: String,
        /// Whether the agent has to stop altogether.
        stop: bool,
    },
    /// A person or a judge has to be asked.
    Ask {
        /// What is asked.
        message: String,
        /// Rules that would cover calls like this one.
        suggestions: Vec<String>,
        /// Whether a judge may answer; otherwise only a person.
        pending_classifier_check: bool,
    },
}

impl Decision {
    /// The name that programs use.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Decision::Allow { .. } => "allow",
            Decision::Deny { .. } => "deny",
            Decision::Ask { .. } => "ask",
        }
    }

    /// Whether the call may run.
    #[must_use]
    pub const fn is_allow(&self) -> bool {
        matches!(self, Decision::Allow { .. })
    }
}

/// Which step decided, as data (T3).
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// A rule.
    Rule {
        /// Its text as written.
        rule: String,
        /// The list it stands in.
        list: List,
        /// Where it was written.
        origin: Origin,
        /// Whether it surely applies; false where it only may apply, which is asked about.
        clear: bool,
        /// What of the call it is about.
        part: Option<Part>,
    },
    /// The mode.
    Mode(Mode),
    /// A judge: the built-in one (stage 0) or a model.
    Classifier {
        /// The stage: 0 for the built-in judge, 1 or 2 for a model.
        stage: u8,
        /// Its words.
        reason: String,
        /// The policy rule that it named.
        policy: Option<String>,
        /// The detector whose finding it is about.
        detector: Option<&'static str>,
    },
    /// A hook of the user.
    Hook {
        /// Its name.
        name: String,
        /// Its words.
        reason: String,
    },
    /// A safety check, which no rule lifts.
    Safety {
        /// The check.
        check: Check,
        /// What it found.
        detail: String,
        /// Whether a judge may clear it.
        classifier_approvable: bool,
        /// What of the call it is about.
        part: Option<Part>,
    },
    /// A property of the tool.
    Tool(ToolReason),
    /// The parts of a compound command, each with its own result.
    Parts(Vec<PartResult>),
    /// A path outside the trusted directories.
    WorkingDirectory {
        /// The path.
        path: String,
    },
    /// A fast path of auto mode: a proof that no judge is needed.
    FastPath(&'static str),
    /// A person.
    Human {
        /// The person.
        who: String,
        /// Their terminal or client.
        place: String,
    },
    /// A limit was reached.
    Limit(String),
    /// Something that was needed failed.
    Unavailable(String),
    /// The input is not valid for the tool.
    Invalid(String),
    /// No rule and no step decided it.
    NoRule,
}

/// The safety checks (SPEC S), which hold in every mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// S1: a write to a protected file.
    ProtectedWrite,
    /// S2: a deletion of a critical folder.
    Catastrophe,
    /// S3: characters that hide what the call says.
    Hidden,
    /// S4: reading credentials.
    Credentials,
    /// S5: a change to the gate itself.
    SelfProtection,
}

impl Check {
    /// The name that programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Check::ProtectedWrite => "protected-write",
            Check::Catastrophe => "catastrophic-deletion",
            Check::Hidden => "hidden-text",
            Check::Credentials => "credentials",
            Check::SelfProtection => "self-protection",
        }
    }
}

/// Why the tool itself decides a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolReason {
    /// The call only reads, in the trusted directories.
    ReadOnly,
    /// The tool has no effect outside the agent.
    NoEffect,
    /// Only a person can answer it.
    NeedsInteraction,
    /// It is an edit in the trusted directories, which the mode accepts.
    AcceptedEdit,
    /// Its effect is unclear.
    Unclear,
}

/// A part of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its text.
    pub text: String,
    /// Its place in the command line, in bytes.
    pub span: Option<Span>,
}

/// The result for one part of a compound command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartResult {
    /// The part.
    pub part: Part,
    /// The allow rule that covers it, if one does.
    pub rule: Option<(String, Origin)>,
    /// Otherwise, why it passes (`reads only`) or does not.
    pub note: &'static str,
    /// Whether it passes.
    pub allowed: bool,
}

impl Reason {
    /// The `type` of the reason in JSON.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Reason::Rule { .. } => "rule",
            Reason::Mode(_) => "mode",
            Reason::Classifier { .. } => "classifier",
            Reason::Hook { .. } => "hook",
            Reason::Safety { .. } => "safety-check",
            Reason::Tool(_) => "tool-check",
            Reason::Parts(_) => "sub-commands",
            Reason::WorkingDirectory { .. } => "working-directory",
            Reason::FastPath(_) => "fast-path",
            Reason::Human { .. } => "human",
            Reason::Limit(_) => "limit",
            Reason::Unavailable(_) => "unavailable",
            Reason::Invalid(_) => "invalid",
            Reason::NoRule => "no-rule",
        }
    }

    /// The word for the reason on pages of policy tests, such as `deny-rule`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Reason::Rule { clear: false, .. } => "unclear",
            Reason::Rule { list, .. } => match list {
                List::Deny => "deny-rule",
                List::Ask => "ask-rule",
                List::Allow => "allow-rule",
            },
            Reason::Parts(_) => "allow-rule",
            Reason::Safety { check, .. } => check.name(),
            Reason::Tool(reason) => match reason {
                ToolReason::ReadOnly => "read-only",
                ToolReason::NoEffect => "no-effect",
                ToolReason::NeedsInteraction => "interaction",
                ToolReason::AcceptedEdit => "accepted-edit",
                ToolReason::Unclear => "unclear-call",
            },
            Reason::Mode(_)
            | Reason::Classifier { .. }
            | Reason::Hook { .. }
            | Reason::WorkingDirectory { .. }
            | Reason::FastPath(_)
            | Reason::Human { .. }
            | Reason::Limit(_)
            | Reason::Unavailable(_)
            | Reason::Invalid(_)
            | Reason::NoRule => self.kind(),
        }
    }

    /// The reason as a sentence for people, with file and line of a rule.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Reason::Rule { rule, list, origin, clear, .. } => {
                let verb = match (list, clear) {
                    (List::Deny, true) => "denied by",
                    (List::Ask, true) => "asked about because of",
                    (List::Allow, _) => "allowed by",
                    (List::Deny | List::Ask, false) => "it cannot be told that this is not meant by",
                };
                format!("{verb} `{rule}` in {origin}")
            }
            Reason::Mode(mode) => mode_sentence(*mode).to_owned(),
            Reason::Classifier { reason, .. } => format!("the classifier: {reason}"),
            Reason::Hook { name, reason } => format!("the hook `{name}`: {reason}"),
            Reason::Safety { detail, .. } => detail.clone(),
            Reason::Tool(reason) => tool_sentence(*reason).to_owned(),
            Reason::Parts(parts) => parts_sentence(parts),
            Reason::WorkingDirectory { path } => format!("`{path}` is outside the trusted directories"),
            Reason::FastPath(name) => format!("passes without a review: {name}"),
            Reason::Human { who, place } => format!("answered by {who} ({place})"),
            Reason::Limit(text) | Reason::Unavailable(text) | Reason::Invalid(text) => text.clone(),
            Reason::NoRule => "no rule allows it".to_owned(),
        }
    }

    /// The shape that other programs rely on (J1).
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("type".to_owned(), json!(self.kind()));
        object.insert("word".to_owned(), json!(self.word()));
        object.insert("text".to_owned(), json!(self.sentence()));
        if let Value::Object(more) = self.details() {
            object.extend(more);
        }
        Value::Object(object)
    }

    fn details(&self) -> Value {
        match self {
            Reason::Rule { rule, list, origin, clear, part } => json!({
                "rule": rule,
                "list": list.name(),
                "source": origin.source.name(),
                "file": origin.file,
                "line": origin.line,
                "column": origin.column,
                "clear": clear,
                "part": part.as_ref().map(Part::to_json),
            }),
            Reason::Mode(mode) => json!({ "mode": mode.name() }),
            Reason::Classifier { stage, reason, policy, detector } => {
                json!({ "stage": stage, "reason": reason, "policy": policy, "detector": detector })
            }
            Reason::Hook { name, reason } => json!({ "name": name, "reason": reason }),
            Reason::Safety { check, classifier_approvable, part, .. } => json!({
                "check": check.name(),
                "classifier_approvable": classifier_approvable,
                "part": part.as_ref().map(Part::to_json),
            }),
            Reason::Parts(parts) => {
                json!({ "parts": parts.iter().map(PartResult::to_json).collect::<Vec<_>>() })
            }
            Reason::WorkingDirectory { path } => json!({ "path": path }),
            Reason::FastPath(name) => json!({ "path": name }),
            Reason::Human { who, place } => json!({ "who": who, "place": place }),
            Reason::Tool(_)
            | Reason::Limit(_)
            | Reason::Unavailable(_)
            | Reason::Invalid(_)
            | Reason::NoRule => json!({}),
        }
    }
}

impl Part {
    fn to_json(&self) -> Value {
        json!({ "text": self.text, "span": self.span.map(|span| [span.start, span.end]) })
    }
}

impl PartResult {
    fn to_json(&self) -> Value {
        json!({
            "part": self.part.to_json(),
            "rule": self.rule.as_ref().map(|(rule, _)| rule),
            "source": self.rule.as_ref().map(|(_, origin)| origin.to_string()),
            "note": self.note,
            "allowed": self.allowed,
        })
    }
}

const fn mode_sentence(mode: Mode) -> &'static str {
    match mode {
        Mode::Default => "a person is asked in default mode",
        Mode::AcceptEdits => "acceptEdits mode accepts edits inside the trusted directories",
        Mode::Plan => "plan mode only reads; leave plan mode to make changes",
        Mode::Auto => "auto mode",
        Mode::DontAsk => "dontAsk mode denies what no rule allows",
        Mode::Bypass => "bypassPermissions mode allows it",
    }
}

const fn tool_sentence(reason: ToolReason) -> &'static str {
    match reason {
        ToolReason::ReadOnly => "it only reads, inside the trusted directories",
        ToolReason::NoEffect => "it has no effect outside the agent",
        ToolReason::NeedsInteraction => "only a person can answer it",
        ToolReason::AcceptedEdit => "it edits inside the trusted directories",
        ToolReason::Unclear => "what it would do cannot be told",
    }
}

fn parts_sentence(parts: &[PartResult]) -> String {
    let mut rules: Vec<&str> =
        parts.iter().filter_map(|part| part.rule.as_ref().map(|(rule, _)| rule.as_str())).collect();
    // One rule may stand for a program and for what it starts.
    rules.dedup();
    match (rules.as_slice(), parts.iter().find(|part| !part.allowed)) {
        (_, Some(part)) => format!("`{}`: {}", part.part.text, part.note),
        ([], None) => "each part only reads".to_owned(),
        (rules, None) => format!("allowed by `{}`", rules.join("`, `")),
    }
}

/// The steps that led to a ruling (T4).
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The steps, in the order they were taken.
    pub steps: Vec<Step>,
}

/// One step of a trace.
#[derive(Clone, Debug)]
#[expect(clippy::struct_field_names, reason = "programs know the field by this name")]
pub struct Step {
    /// Its id and short name: `F1 deny-rules`.
    pub step: &'static str,
    /// What it found.
    pub outcome: Cow<'static, str>,
    /// When it ended, in microseconds since the decision began.
    pub micros: u64,
}

impl Ruling {
    /// The shape that other programs rely on (J1).
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("decision".to_owned(), json!(self.decision.name()));
        object.insert("message".to_owned(), json!(self.message()));
        object.insert("reason".to_owned(), self.reason.to_json());
        let steps = self.trace.steps.iter();
        let steps =
            steps.map(|step| json!({ "step": step.step, "outcome": step.outcome, "micros": step.micros }));
        object.insert("trace".to_owned(), Value::Array(steps.collect()));
        match &self.decision {
            Decision::Allow { updated_input: Some(input) } => {
                object.insert("updated_input".to_owned(), input.clone());
            }
            Decision::Ask { suggestions, pending_classifier_check, .. } => {
                object.insert("suggestions".to_owned(), json!(suggestions));
                object.insert("pending_classifier_check".to_owned(), json!(pending_classifier_check));
            }
            Decision::Deny { stop: true, .. } => {
                object.insert("stop".to_owned(), json!(true));
            }
            Decision::Allow { updated_input: None } | Decision::Deny { stop: false, .. } => {}
        }
        Value::Object(object)
    }

    /// One sentence: what was decided, and why.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.decision {
            Decision::Allow { .. } => self.reason.sentence(),
            Decision::Deny { message, .. } | Decision::Ask { message, .. } => message.clone(),
        }
    }
}
