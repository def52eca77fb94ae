//! Whether a value or a rule that was found counts, and if not, why.

use portcullis_decide::rules::{Origin, Rule};
use serde_json::Value;

/// A value that was found in some source, in force or not.
#[derive(Clone, Debug)]
pub struct FoundValue {
    /// The setting.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// Where it is set.
    pub origin: Origin,
    /// Whether it is in force.
    pub status: ValueStatus,
}

/// Whether a value is in force, and if not, why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueStatus {
    /// It is in force.
    InForce,
    /// A source with precedence, or a stricter value, is in force instead.
    Overridden,
    /// It comes from a project file that was not trusted with this content.
    Untrusted,
    /// Its source may not set this.
    NotFromHere,
    /// No project may choose this mode, trusted or not.
    NeverFromProject,
    /// The administrator allows only managed rules.
    ManagedOnly,
    /// It was fetched, and is not stricter than what is in force.
    OnlyTightens,
}

impl ValueStatus {
    /// The word in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ValueStatus::InForce => "in-force",
            ValueStatus::Overridden => "overridden",
            ValueStatus::Untrusted => "untrusted",
            ValueStatus::NotFromHere => "not-from-here",
            ValueStatus::NeverFromProject => "never-from-project",
            ValueStatus::ManagedOnly => "managed-only",
            ValueStatus::OnlyTightens => "only-tightens",
        }
    }

    /// Why it is not in force, for people.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            ValueStatus::InForce => "it counts",
            ValueStatus::Overridden => "another value counts before it",
            ValueStatus::Untrusted => "the file is not trusted; look at it with `portcullis trust`",
            ValueStatus::NotFromHere => "this source may not set it",
            ValueStatus::NeverFromProject => "a project may not choose this mode",
            ValueStatus::ManagedOnly => "only managed rules count here",
            ValueStatus::OnlyTightens => "what is fetched can only tighten",
        }
    }
}

/// A rule that is not in force.
#[derive(Clone, Debug)]
pub struct InactiveRule {
    /// The rule.
    pub rule: Rule,
    /// Why not.
    pub status: ValueStatus,
}
