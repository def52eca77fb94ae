//! What each failure of the classifier leads to (SPEC C12): one table, and a name for each failure.

use crate::reply::Unparseable;

/// What happens if the model cannot be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IronGate {
    /// The call is denied.
    #[default]
    Closed,
    /// A person is asked.
    Open,
}

impl IronGate {
    /// The stricter of two settings: the other can close the gate, never open it.
    #[must_use]
    pub const fn closed_by(self, other: Option<IronGate>) -> IronGate {
        match (self, other) {
            (IronGate::Open, None | Some(IronGate::Open)) => IronGate::Open,
            (IronGate::Closed, _) | (IronGate::Open, Some(IronGate::Closed)) => IronGate::Closed,
        }
    }
}

/// Whether a person can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Somebody can.
    Person,
    /// Nobody can.
    Nobody,
}

/// What a failure leads to. There is no "allow".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consequence {
    /// The call is denied.
    Deny,
    /// A person is asked.
    Ask,
    /// The agent is stopped.
    Stop,
}

macro_rules! failures {
    ($($variant:ident $name:literal $text:literal;)*) => {
        /// Why there is no verdict.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Failure {
            $(#[doc = concat!("What went wrong: ", $text, ".")] $variant,)*
            /// The model's answer is not valid.
            Unparseable(Unparseable),
        }

        impl Failure {
            /// All failures but the unparseable answers.
            pub const ALL: &'static [Failure] = &[$(Failure::$variant),*];

            /// The name that counters use.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Failure::$variant => $name,)*
                    Failure::Unparseable(why) => why.name(),
                }
            }
        }

        impl std::fmt::Display for Failure {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Failure::$variant => f.write_str($text),)*
                    Failure::Unparseable(why) => write!(f, "the classifier's answer {}", why.text()),
                }
            }
        }
    };
}

failures! {
    NotConfigured "not-configured" "the classifier's settings cannot be used";
    BadRequest "bad-request" "the model's server did not accept the request";
    Unauthorised "unauthorised" "the model's server did not accept the key";
    RateLimited "rate-limited" "the model's server has had too many requests";
    Overloaded "overloaded" "the model's server is overloaded";
    ServerError "server-error" "the model's server failed";
    Timeout "timeout" "the model did not answer in time";
    Connection "connection" "the model's server could not be reached, or hung up";
    Redirected "redirected" "the model's server pointed somewhere else";
    WrongContentType "wrong-content-type" "the model's server did not send JSON";
    Encoded "encoded" "the model's server sent an encoding that was not asked for";
    TooLarge "too-large" "the model's server sent too much";
    Malformed "malformed" "the model's server sent something that is not a response";
    WindowExceeded "window-exceeded" "the conversation is too long for the classifier's model";
    Cancelled "cancelled" "the check was cancelled";
}

impl Failure {
    /// What it leads to.
    #[must_use]
    pub const fn consequence(self, gate: IronGate, audience: Audience) -> Consequence {
        // FAIL-CLOSED(classifier-failure): no row of this table allows.
        match self {
            Failure::WindowExceeded => match audience {
                Audience::Person => Consequence::Ask,
                Audience::Nobody => Consequence::Stop,
            },
            // The person who cancelled was there; an answer that is none came from a model that was reached.
            Failure::Cancelled | Failure::Unparseable(_) => Consequence::Deny,
            Failure::NotConfigured
            | Failure::BadRequest
            | Failure::Unauthorised
            | Failure::RateLimited
            | Failure::Overloaded
            | Failure::ServerError
            | Failure::Timeout
            | Failure::Connection
            | Failure::Redirected
            | Failure::WrongContentType
            | Failure::Encoded
            | Failure::TooLarge
            | Failure::Malformed => match (gate, audience) {
                (IronGate::Open, Audience::Person) => Consequence::Ask,
                (IronGate::Open, Audience::Nobody) | (IronGate::Closed, _) => Consequence::Deny,
            },
        }
    }

    /// Whether the classifier was not there to judge. Such a denial is not counted as one of its blocks (SPEC N1).
    #[must_use]
    pub const fn is_unavailable(self) -> bool {
        !matches!(self, Failure::Unparseable(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// [C12]
    #[test]
    fn the_table() {
        use Consequence::{Ask, Deny, Stop};
        for failure in Failure::ALL.iter().copied() {
            let rows = [
                failure.consequence(IronGate::Closed, Audience::Person),
                failure.consequence(IronGate::Closed, Audience::Nobody),
                failure.consequence(IronGate::Open, Audience::Person),
                failure.consequence(IronGate::Open, Audience::Nobody),
            ];
            let expected = match failure.name() {
                "window-exceeded" => [Ask, Stop, Ask, Stop],
                "cancelled" => [Deny; 4],
                _ => [Deny, Deny, Ask, Deny],
            };
            assert_eq!(rows, expected, "{failure:?}");
            assert!(failure.is_unavailable());
        }
        for why in Unparseable::ALL {
            let failure = Failure::Unparseable(*why);
            assert_eq!(failure.consequence(IronGate::Open, Audience::Person), Deny);
            assert!(!failure.is_unavailable());
        }
    }

    /// [C12]
    #[test]
    fn a_remote_word_can_only_close_the_gate() {
        assert_eq!(IronGate::Closed.closed_by(Some(IronGate::Open)), IronGate::Closed);
        assert_eq!(IronGate::Open.closed_by(Some(IronGate::Closed)), IronGate::Closed);
        assert_eq!(IronGate::Open.closed_by(Some(IronGate::Open)), IronGate::Open);
        assert_eq!(IronGate::Open.closed_by(None), IronGate::Open);
    }

    /// [A4]
    #[test]
    fn every_failure_has_a_name_of_its_own() {
        let all =
            Failure::ALL.iter().copied().chain(Unparseable::ALL.iter().map(|why| Failure::Unparseable(*why)));
        let names: Vec<&str> = all.map(Failure::name).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    }
}
