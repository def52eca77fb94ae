//! Permission modes (SPEC M): what happens to a call that no rule decides.

use std::fmt;
use std::str::FromStr;

/// A permission mode: what happens to a call that no rule decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Mode {
    /// A person is asked.
    #[default]
    Default,
    /// Edits in the trusted directories are allowed, a person is asked about the rest.
    AcceptEdits,
    /// Only reading is allowed.
    Plan,
    /// Fast paths allow what is provably harmless, a judge answers the rest.
    Auto,
    /// It is denied.
    DontAsk,
    /// It is allowed, except for what safety checks and deny rules stop.
    Bypass,
}

impl Mode {
    /// All modes.
    pub const ALL: &'static [Mode] =
        &[Mode::Default, Mode::AcceptEdits, Mode::Plan, Mode::Auto, Mode::DontAsk, Mode::Bypass];

    /// The name in settings and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Default => "default",
            Mode::AcceptEdits => "acceptEdits",
            Mode::Plan => "plan",
            Mode::Auto => "auto",
            Mode::DontAsk => "dontAsk",
            Mode::Bypass => "bypassPermissions",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The error for a name that is no mode's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMode(pub String);

impl fmt::Display for UnknownMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Mode::ALL.iter().map(|mode| mode.name()).collect::<Vec<_>>().join(", ");
        write!(formatter, "`{}` is not a mode; the modes are {names}", self.0)
    }
}

impl std::error::Error for UnknownMode {}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Mode, UnknownMode> {
        match text {
            "manual" => Ok(Mode::Default),
            "bypass" => Ok(Mode::Bypass),
            _ => {
                let known = Mode::ALL.iter().find(|mode| mode.name() == text).copied();
                known.ok_or_else(|| UnknownMode(text.to_owned()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_modes() {
        for mode in Mode::ALL {
            assert_eq!(mode.name().parse(), Ok(*mode));
        }
        assert_eq!("bypass".parse(), Ok(Mode::Bypass));
        assert!("yolo".parse::<Mode>().is_err());
    }
}
