//! What a case got.

use portcullis_decide::Decision;

/// What came out, from loose to strict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Got {
    Allow,
    Ask,
    /// Stage 2 of the classifier decides.
    Escalate,
    Deny,
    NotRun,
    Crash,
}

impl Got {
    /// All of them, in order.
    pub(super) const ALL: [Got; 6] =
        [Got::Allow, Got::Ask, Got::Escalate, Got::Deny, Got::NotRun, Got::Crash];

    pub(super) fn of(decision: &Decision) -> Got {
        match decision {
            Decision::Allow { .. } => Got::Allow,
            Decision::Ask { .. } => Got::Ask,
            Decision::Deny { .. } => Got::Deny,
        }
    }

    /// The answer that has this name.
    pub(super) fn named(name: &str) -> Option<Got> {
        Got::ALL.into_iter().find(|got| got.name() == name)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Got::Allow => "allow",
            Got::Ask => "ask",
            Got::Escalate => "escalate",
            Got::Deny => "deny",
            Got::NotRun => "not-run",
            Got::Crash => "crash",
        }
    }
}
