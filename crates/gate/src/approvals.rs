//! Requests that wait for a person, and the person's answers (SPEC H6, M1).
//!
//! [`Approvals`] is the queue behind the terminal's approver, the daemon's API and any user interface of an embedder:
//! list what is [waiting](Approvals::waiting), show it, and [answer](Approvals::answer). An answer counts once, and a
//! rule that comes with it is refused if it is dangerous or would not cover the call.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use portcullis_decide::rules::{Extra, List, Origin, Rule, Source, is_dangerous};
use serde_json::Value;
use tokio::sync::{oneshot, watch};

/// How long somebody who looked counts as being there.
const ATTENDED: Duration = Duration::from_secs(15);
/// How many requests may wait; more are denied.
const MOST: usize = 1000;

/// A request that waits for a person.
#[derive(Clone, Debug)]
pub struct PendingApproval {
    /// Its id, to answer it with.
    pub id: String,
    /// When it was asked, in milliseconds since 1970.
    pub since: u64,
    /// When it is denied if nobody answers, in milliseconds since 1970.
    pub deadline: u64,
    /// What to show the person, as JSON without credentials: the call, the reason, the trace, marks in the command
    /// line, and rules that would cover the call.
    pub shown: Value,
}

/// The choices of a person who is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Allow this call.
    Once,
    /// Allow calls like this one until the session ends.
    Session,
    /// Allow calls like this one from now on: a rule is written to the settings.
    Always,
    /// Deny this call.
    No,
}

impl std::str::FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        match text {
            "once" => Ok(Choice::Once),
            "session" => Ok(Choice::Session),
            "always" => Ok(Choice::Always),
            "no" => Ok(Choice::No),
            other => Err(format!("`{other}` is no answer; say once, session, always or no")),
        }
    }
}

/// A person's answer to a pending request.
#[derive(Clone, Debug)]
pub struct HumanAnswer {
    /// The choice.
    pub choice: Choice,
    /// What the agent is told with a denial.
    pub message: Option<String>,
    /// A changed input to run instead of the call's own.
    pub input: Option<Value>,
    /// The rule to add for [`Choice::Session`] and [`Choice::Always`].
    pub rule: Option<String>,
    /// The settings that [`Choice::Always`] writes to.
    pub source: Source,
    /// The person, for the record.
    pub who: String,
    /// Their terminal or client, for the record.
    pub place: String,
}

/// Why an answer has no effect.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnswerRejected {
    /// No request with this id was ever asked.
    #[error("no request of this name is waiting")]
    Unknown,
    /// The request is no longer open: somebody else answered, or it timed out.
    #[error("it was settled meanwhile")]
    Settled,
    /// The rule that comes with the answer is not accepted; says why.
    #[error("{0}")]
    Rule(String),
}

/// Says whether a rule would settle the call that is asked about.
pub(crate) type Covers = Box<dyn Fn(&str) -> bool + Send>;

struct Open {
    parked: PendingApproval,
    covers: Covers,
    answer: oneshot::Sender<HumanAnswer>,
}

#[derive(Default)]
struct Inner {
    next: u64,
    open: BTreeMap<u64, Open>,
    seen: Option<Instant>,
}

/// The queue of requests that wait for a person. Shared by everything that shows them.
pub struct Approvals {
    inner: Mutex<Inner>,
    changes: watch::Sender<u64>,
}

impl Default for Approvals {
    fn default() -> Approvals {
        Approvals { inner: Mutex::default(), changes: watch::Sender::new(0) }
    }
}

impl Approvals {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) {
        self.changes.send_modify(|version| *version = version.wrapping_add(1));
    }

    /// Puts a request before people. Nothing where too many wait already.
    pub(crate) fn park(
        &self,
        since: u64,
        deadline: u64,
        shown: Value,
        covers: Covers,
    ) -> Option<(String, oneshot::Receiver<HumanAnswer>)> {
        let mut inner = self.inner();
        if inner.open.len() >= MOST {
            return None;
        }
        inner.next += 1;
        let number = inner.next;
        let id = format!("a-{number}");
        let (answer, receiver) = oneshot::channel();
        let parked = PendingApproval { id: id.clone(), since, deadline, shown };
        inner.open.insert(number, Open { parked, covers, answer });
        drop(inner);
        self.changed();
        Some((id, receiver))
    }

    /// Takes a request back: somebody else settled it.
    pub(crate) fn withdraw(&self, id: &str) {
        let gone = number(id).and_then(|number| self.inner().open.remove(&number));
        if gone.is_some() {
            self.changed();
        }
    }

    /// The open requests, oldest first, and the version of the queue, which grows with every change.
    #[must_use]
    pub fn waiting(&self) -> (u64, Vec<PendingApproval>) {
        let version = *self.changes.borrow();
        (version, self.inner().open.values().map(|open| open.parked.clone()).collect())
    }

    /// A receiver of the queue's version, for waiting until something changes.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Notes that somebody is there to answer. Call it regularly: it counts for 15 seconds.
    pub fn attend(&self) {
        self.inner().seen = Some(Instant::now());
    }

    /// Whether somebody is there to answer.
    #[must_use]
    pub fn is_attended(&self) -> bool {
        self.inner().seen.is_some_and(|seen| seen.elapsed() < ATTENDED)
    }

    /// Answers a request.
    ///
    /// # Errors
    /// If nothing of that name waits any more, or the rule may not be given.
    pub fn answer(&self, id: &str, answer: HumanAnswer) -> Result<(), AnswerRejected> {
        let number = number(id).ok_or(AnswerRejected::Unknown)?;
        let mut inner = self.inner();
        let Some(open) = inner.open.get(&number) else {
            return Err(if number <= inner.next { AnswerRejected::Settled } else { AnswerRejected::Unknown });
        };
        if let (Choice::Session | Choice::Always, rule) = (answer.choice, &answer.rule) {
            check(rule.as_deref(), answer.choice, &open.covers)?;
        }
        let Some(open) = inner.open.remove(&number) else { return Err(AnswerRejected::Settled) };
        drop(inner);
        self.changed();
        // Whoever waited may have gone; then nothing is settled by it.
        open.answer.send(answer).map_err(|_| AnswerRejected::Settled)
    }
}

/// H6: a rule is written only if it settles this call and is not a dangerous one.
fn check(rule: Option<&str>, choice: Choice, covers: &Covers) -> Result<(), AnswerRejected> {
    let Some(text) = rule else {
        // For the session the same call may be meant without any rule.
        return if choice == Choice::Session {
            Ok(())
        } else {
            Err(AnswerRejected::Rule("`always` needs the rule to write".to_owned()))
        };
    };
    let refused = |why: &str| Err(AnswerRejected::Rule(format!("`{text}` {why}")));
    if let Some(why) = not_offered(text) {
        return refused(why);
    }
    if !covers(text) {
        return refused("would not settle this call");
    }
    Ok(())
}

/// Why a rule may not be added by answering a question or accepting a proposal (H6, D1): it cannot be parsed, or it would
/// allow nearly anything. `None` if it may be.
#[must_use]
pub fn not_offered(rule: &str) -> Option<&'static str> {
    let (parsed, broken) = Rule::parse(rule, List::Allow, Origin::of(Source::Session));
    if broken.is_some() {
        return Some("cannot be understood as a rule");
    }
    is_dangerous(&parsed, Extra::Keep)
        .then_some("would let almost anything run; write it into the settings by hand if you mean it")
}

fn number(id: &str) -> Option<u64> {
    id.strip_prefix("a-")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(choice: Choice, rule: Option<&str>) -> HumanAnswer {
        HumanAnswer {
            choice,
            message: None,
            input: None,
            rule: rule.map(str::to_owned),
            source: Source::User,
            who: "dev".to_owned(),
            place: "test".to_owned(),
        }
    }

    fn parked(approvals: &Approvals) -> (String, oneshot::Receiver<HumanAnswer>) {
        approvals.park(1, 2, Value::Null, Box::new(|rule| rule.contains("git push"))).unwrap()
    }

    /// [H6]
    #[test]
    fn an_answer_is_taken_once() {
        let approvals = Approvals::default();
        let (id, mut receiver) = parked(&approvals);
        assert_eq!(approvals.waiting().1.len(), 1);
        assert_eq!(approvals.answer(&id, says(Choice::Once, None)), Ok(()));
        assert_eq!(approvals.answer(&id, says(Choice::No, None)), Err(AnswerRejected::Settled));
        assert_eq!(approvals.answer("a-99", says(Choice::No, None)), Err(AnswerRejected::Unknown));
        assert_eq!(approvals.answer("x", says(Choice::No, None)), Err(AnswerRejected::Unknown));
        assert_eq!(receiver.try_recv().unwrap().choice, Choice::Once);
    }

    /// [H6]
    #[test]
    fn dangerous_broken_and_idle_rules_are_not_taken() {
        let approvals = Approvals::default();
        let (id, _receiver) = parked(&approvals);
        for rule in [None, Some("Bash"), Some("Bash(python:*)"), Some("Bash("), Some("Bash(ls:*)")] {
            let taken = approvals.answer(&id, says(Choice::Always, rule));
            assert!(matches!(taken, Err(AnswerRejected::Rule(_))), "{rule:?}");
        }
        assert_eq!(approvals.answer(&id, says(Choice::Always, Some("Bash(git push:*)"))), Ok(()));
    }

    /// [H1]
    #[test]
    fn what_was_withdrawn_or_left_cannot_be_answered() {
        let approvals = Approvals::default();
        let (first, _receiver) = parked(&approvals);
        approvals.withdraw(&first);
        assert_eq!(approvals.answer(&first, says(Choice::Once, None)), Err(AnswerRejected::Settled));
        let (second, receiver) = parked(&approvals);
        drop(receiver);
        assert_eq!(approvals.answer(&second, says(Choice::Once, None)), Err(AnswerRejected::Settled));
    }

    /// [M1]
    #[test]
    fn somebody_is_there_only_if_they_looked() {
        let approvals = Approvals::default();
        assert!(!approvals.is_attended());
        approvals.attend();
        assert!(approvals.is_attended());
    }

    /// [H6] An answer is for the question that was shown.
    #[test]
    fn every_question_has_a_name_of_its_own() {
        let approvals = Approvals::default();
        let (version, _) = approvals.waiting();
        let (first, mut first_receiver) = parked(&approvals);
        let (second, mut second_receiver) = parked(&approvals);
        let (now, waiting) = approvals.waiting();
        assert!(first != second && now > version, "whoever watches is told");
        assert_eq!(waiting.iter().map(|it| &it.id).collect::<Vec<_>>(), [&first, &second]);
        assert_eq!(approvals.answer(&second, says(Choice::Once, None)), Ok(()));
        assert!(first_receiver.try_recv().is_err());
        assert_eq!(second_receiver.try_recv().unwrap().choice, Choice::Once);
        assert_eq!(approvals.waiting().1.len(), 1);
    }

    /// [A3]
    #[test]
    fn no_more_wait_than_people_can_answer() {
        let approvals = Approvals::default();
        let receivers: Vec<_> = (0..MOST).map(|_| parked(&approvals)).collect();
        let one_more = || approvals.park(1, 2, Value::Null, Box::new(|_| true));
        assert!(one_more().is_none());
        assert_eq!(approvals.answer(&receivers[0].0, says(Choice::No, None)), Ok(()));
        assert!(one_more().is_some());
    }
}
