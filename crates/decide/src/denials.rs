//! Denial counters (SPEC N1, N2).

/// Denials in a row after which a person is asked.
pub const CONSECUTIVE_LIMIT: u32 = 3;
/// Denials in a session after which a person is asked.
pub const TOTAL_LIMIT: u32 = 20;

/// How often judges and people denied calls of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Denials {
    /// Denials by judges since the last allowed call.
    pub consecutive: u32,
    /// Denials by judges in total.
    pub total: u32,
    /// Denials by people (N4).
    pub by_people: u32,
}

/// What happened to a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was allowed by a rule, a fast path, a judge or a person.
    Allowed,
    /// A judge denied it.
    Blocked,
    /// The classifier could not be reached, which is no denial.
    Unavailable,
    /// A person denied it.
    Refused,
}

/// What follows from a denial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The agent gets the denial and goes on.
    Continue,
    /// A person is asked instead; without one the agent is stopped.
    Escalate,
}

impl Denials {
    /// The counters after a call, and what follows.
    #[must_use]
    pub fn after(self, outcome: Outcome) -> (Denials, Next) {
        match outcome {
            Outcome::Allowed => (Denials { consecutive: 0, ..self }, Next::Continue),
            Outcome::Unavailable => (self, Next::Continue),
            Outcome::Refused => {
                (Denials { by_people: self.by_people.saturating_add(1), ..self }, Next::Continue)
            }
            Outcome::Blocked => {
                let counted = Denials {
                    consecutive: self.consecutive.saturating_add(1),
                    total: self.total.saturating_add(1),
                    ..self
                };
                let full = counted.consecutive >= CONSECUTIVE_LIMIT || counted.total >= TOTAL_LIMIT;
                (counted, if full { Next::Escalate } else { Next::Continue })
            }
        }
    }

    /// The message for the person who is asked when the limit is reached.
    #[must_use]
    pub fn message(self) -> String {
        format!(
            "the classifier blocked {} calls in a row and {} in this session; read the transcript, and change \
             the rules that stand in the way of what you want done",
            self.consecutive, self.total
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(count: u32, start: Denials) -> (Denials, Next) {
        (0..count).fold((start, Next::Continue), |(denials, _), _| denials.after(Outcome::Blocked))
    }

    /// [N1], [N2]
    #[test]
    fn the_third_block_in_a_row_goes_to_a_person() {
        assert_eq!(blocks(2, Denials::default()).1, Next::Continue);
        assert_eq!(blocks(3, Denials::default()).1, Next::Escalate);
        let (reset, _) = blocks(2, Denials::default()).0.after(Outcome::Allowed);
        assert_eq!((reset.consecutive, reset.total), (0, 2));
        assert_eq!(blocks(2, reset).1, Next::Continue);
    }

    /// [N1], [N2]
    #[test]
    fn the_twentieth_block_in_all_goes_to_a_person() {
        let mut denials = Denials::default();
        for _ in 0..19 {
            denials = denials.after(Outcome::Blocked).0.after(Outcome::Allowed).0;
        }
        let (denials, next) = denials.after(Outcome::Blocked);
        assert_eq!((denials.total, next), (20, Next::Escalate));
    }

    /// [N1], [N4]
    #[test]
    fn failures_and_people_do_not_count_as_blocks() {
        let (denials, next) = Denials::default().after(Outcome::Unavailable);
        assert_eq!((denials, next), (Denials::default(), Next::Continue));
        let (denials, _) = denials.after(Outcome::Refused);
        assert_eq!((denials.total, denials.by_people), (0, 1));
        let full = Denials { consecutive: u32::MAX, total: u32::MAX, by_people: u32::MAX };
        assert_eq!(full.after(Outcome::Blocked).1, Next::Escalate);
    }
}
