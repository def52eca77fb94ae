//! Which layer of the gate settled a call.

use portcullis_decide::reason::ToolReason;
use portcullis_decide::{Decision, Reason, Ruling};
use portcullis_gate::settle;

/// A layer, in the order in which a call meets them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Layer {
    /// A limit: the call is invalid or too large, or nothing that a sub-agent may make.
    Limit,
    /// A rule of the user, a project or an administrator.
    Rule,
    /// A safety check.
    Safety,
    /// The proof that it only reads.
    ReadOnly,
    /// The mode.
    Mode,
    /// Another fast path of auto mode, or a tool without effect.
    FastPath,
    /// The built-in judge.
    Judge,
    /// A model.
    Model,
    /// Nobody: a person has to answer.
    Person,
}

/// All layers.
pub(super) const LAYERS: [Layer; 9] = [
    Layer::Limit,
    Layer::Rule,
    Layer::Safety,
    Layer::ReadOnly,
    Layer::Mode,
    Layer::FastPath,
    Layer::Judge,
    Layer::Model,
    Layer::Person,
];

impl Layer {
    /// The name that people and programs know.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Layer::Limit => "limit",
            Layer::Rule => "rule",
            Layer::Safety => "safety",
            Layer::ReadOnly => "read-only",
            Layer::Mode => "mode",
            Layer::FastPath => "fast-path",
            Layer::Judge => "judge",
            Layer::Model => "model",
            Layer::Person => "person",
        }
    }

    /// Whether a classifier would have been asked, had this layer not been there.
    pub(super) const fn spares_a_classifier(self) -> bool {
        match self {
            Layer::ReadOnly | Layer::FastPath | Layer::Judge => true,
            Layer::Limit | Layer::Rule | Layer::Safety | Layer::Mode | Layer::Model | Layer::Person => false,
        }
    }

    /// The layer that settled a call, or that its question comes from.
    pub(super) fn of(settled: settle::Layer, ruling: &Ruling) -> Layer {
        match settled {
            settle::Layer::BuiltIn => Layer::Judge,
            settle::Layer::Model => Layer::Model,
            settle::Layer::Rules | settle::Layer::Hook | settle::Layer::Person => Layer::of_reason(ruling),
        }
    }

    fn of_reason(ruling: &Ruling) -> Layer {
        match &ruling.reason {
            Reason::Rule { .. } => Layer::Rule,
            Reason::Parts(parts) if parts.iter().all(|part| part.rule.is_none()) => Layer::ReadOnly,
            Reason::Parts(_) => Layer::Rule,
            Reason::Safety { .. } => Layer::Safety,
            Reason::Tool(ToolReason::ReadOnly) => Layer::ReadOnly,
            Reason::Tool(ToolReason::NoEffect) => Layer::FastPath,
            Reason::Tool(ToolReason::AcceptedEdit) | Reason::Mode(_) => Layer::Mode,
            Reason::FastPath(path) if path.starts_with("P6") || path.starts_with("P7") => Layer::ReadOnly,
            Reason::FastPath(_) => Layer::FastPath,
            Reason::Classifier { .. } => Layer::Judge,
            Reason::Limit(_) | Reason::Invalid(_) | Reason::Unavailable(_) => Layer::Limit,
            Reason::Tool(ToolReason::NeedsInteraction | ToolReason::Unclear)
            | Reason::WorkingDirectory { .. }
            | Reason::NoRule
            | Reason::Hook { .. }
            | Reason::Human { .. } => match ruling.decision {
                // Where nobody may be asked, the mode has said no.
                Decision::Deny { .. } => Layer::Mode,
                Decision::Allow { .. } | Decision::Ask { .. } => Layer::Person,
            },
        }
    }
}
