//! Who answers an open question first (SPEC H1, H2): a person, a hook or the command classifier.
//!
//! A pure state machine: feed [`Race::on`] what happened and when, and carry out the [`Effect`]s it returns. It has
//! no clock, threads or channels, so every order of events can be tested. Silence ends with a deny, and a race whose
//! question has changed ends without an answer. [`Speculation`] keeps classifier verdicts that were asked for early.

mod speculation;

use portcullis_decide::Reason;
use serde_json::Value;

use crate::hooks::{HookVerdict, Opinion};

pub use speculation::{Key, Speculation, Taken, Ticket};

/// Milliseconds before the dialog appears, unless [`Terms`] say otherwise.
pub const GRACE_MS: u64 = 120;

/// Who may answer. If two answer in the same moment, the first in this order counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Racer {
    /// A person, in a dialog.
    Human,
    /// The `PermissionRequest` hooks, joined.
    Hook,
    /// The command classifier.
    Classifier,
}

impl Racer {
    /// All racers.
    pub const ALL: [Racer; 3] = [Racer::Human, Racer::Hook, Racer::Classifier];

    /// The name that people and programs read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Racer::Human => "human",
            Racer::Hook => "hook",
            Racer::Classifier => "classifier",
        }
    }
}

/// What a racer says.
#[derive(Clone, PartialEq, Debug)]
pub enum Vote {
    /// The call may run.
    Allow {
        /// Who allows it and why.
        reason: Reason,
        /// An input to run instead. It has to be judged before it is used (T5).
        updated_input: Option<Value>,
    },
    /// The call may not run.
    Deny {
        /// Who says so and why.
        reason: Reason,
        /// What the agent is told.
        message: String,
        /// Whether the agent has to stop altogether.
        stop: bool,
    },
    /// Somebody else should answer.
    Ask,
    /// It cannot answer.
    Error,
    /// The classifier does not find the call safe. It leaves the race to the others; that is no denial.
    Unsafe,
}

impl Vote {
    const fn is_deny(&self) -> bool {
        matches!(self, Vote::Deny { .. })
    }

    /// Whether this word, from this racer, lets the call run.
    const fn allows(&self, racer: Racer) -> bool {
        match self {
            // A classifier never rewrites (T5): one that does is not understood.
            Vote::Allow { updated_input: Some(_), .. } => !matches!(racer, Racer::Classifier),
            Vote::Allow { updated_input: None, .. } => true,
            Vote::Deny { .. } | Vote::Ask | Vote::Error | Vote::Unsafe => false,
        }
    }
}

impl From<&HookVerdict> for Vote {
    /// What `permission_request` hooks said, as a word of the race. Failures that the settings make a deny are one; all
    /// others leave the race.
    fn from(verdict: &HookVerdict) -> Vote {
        let reason = || Reason::Hook { name: verdict.hook.clone(), reason: verdict.reason.clone() };
        match verdict.said {
            Opinion::Nothing | Opinion::Ask => Vote::Ask,
            Opinion::Allow => Vote::Allow { reason: reason(), updated_input: verdict.updated_input.clone() },
            Opinion::Failed | Opinion::Deny => {
                Vote::Deny { reason: reason(), message: reason().sentence(), stop: verdict.stop }
            }
        }
    }
}

/// The conditions of one race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Milliseconds before the dialog appears.
    pub grace_ms: u64,
    /// When the race ends without an answer, on the clock of `now_ms`.
    pub deadline_ms: u64,
    /// Whether a person can be asked.
    pub has_human: bool,
    /// Whether hooks are asked.
    pub has_hook: bool,
    /// Whether the command classifier is asked.
    pub has_classifier: bool,
}

impl Terms {
    const fn has(&self, racer: Racer) -> bool {
        match racer {
            Racer::Human => self.has_human,
            Racer::Hook => self.has_hook,
            Racer::Classifier => self.has_classifier,
        }
    }
}

/// Something that happened.
#[expect(clippy::large_enum_variant, reason = "one lives at a time")]
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A racer answered.
    Said(Racer, Vote),
    /// Time passed.
    Tick,
    /// The question is a different one now: its mode, rules, input or directory changed.
    Changed,
    /// The caller no longer waits for the answer.
    CallerGone,
    /// The program stops.
    Stopping,
}

/// Something that the caller has to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Show the dialog.
    ShowDialog,
    /// Cancel this racer: close the dialog, kill the hooks, drop the request.
    Cancel(Racer),
    /// Use this outcome; the race is over. Comes once.
    Settle(Outcome),
    /// Record an answer that came too late to count.
    LogLate(Racer, Vote),
}

/// How a race ended.
#[expect(clippy::large_enum_variant, reason = "one lives at a time")]
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// A racer allowed or denied the call.
    Answered(Racer, Vote),
    /// No racer has an answer: the question goes back to the caller.
    Nobody,
    /// Nobody answered in time, which is a deny.
    TimedOut,
    /// The program stops, which is a deny.
    Stopped,
    /// The question has changed: the call has to be judged again.
    Stale,
    /// The caller is gone: nobody gets the answer.
    Abandoned,
}

impl Outcome {
    /// Whether the call may run.
    #[must_use]
    pub const fn allows(&self) -> bool {
        matches!(self, Outcome::Answered(_, Vote::Allow { .. }))
    }
}

/// The state of one race.
#[derive(Clone, Debug)]
pub struct Race {
    terms: Terms,
    began: u64,
    /// The latest moment heard of: a clock that goes back is not believed.
    now: u64,
    /// Who has not said anything yet.
    running: Vec<Racer>,
    dialog_shown: bool,
    settled: bool,
}

impl Race {
    /// Starts a race and returns the first effects. The caller starts the racers.
    #[must_use]
    pub fn start(now_ms: u64, terms: Terms) -> (Race, Vec<Effect>) {
        let running = Racer::ALL.into_iter().filter(|racer| terms.has(*racer)).collect();
        let mut race =
            Race { terms, began: now_ms, now: now_ms, running, dialog_shown: false, settled: false };
        let effects = race.on_all(now_ms, Vec::new());
        (race, effects)
    }

    /// Handles an event.
    pub fn on(&mut self, now_ms: u64, event: Event) -> Vec<Effect> {
        self.on_all(now_ms, vec![event])
    }

    /// Handles events of the same moment: a deny among them wins, whatever their order.
    pub fn on_all(&mut self, now_ms: u64, events: Vec<Event>) -> Vec<Effect> {
        self.now = self.now.max(now_ms);
        let mut moment = Moment::default();
        for event in events {
            match event {
                Event::Said(racer, word) => self.hear(&mut moment, racer, word),
                Event::Tick => {}
                Event::Changed => moment.changed = true,
                Event::CallerGone => moment.gone = true,
                Event::Stopping => moment.stopping = true,
            }
        }
        let mut effects = Vec::new();
        if !self.settled {
            match self.outcome(&mut moment) {
                Some(outcome) => self.settle(outcome, &mut effects),
                None => self.show_dialog(&mut effects),
            }
        }
        effects.extend(moment.unused.into_iter().map(|(racer, word)| Effect::LogLate(racer, word)));
        effects
    }

    /// When the race needs its next [`Event::Tick`]; `None` once it is over.
    #[must_use]
    pub fn next_wake(&self) -> Option<u64> {
        if self.settled {
            return None;
        }
        let waits = self.running.contains(&Racer::Human) && !self.dialog_shown;
        let dialog = waits.then(|| self.dialog_at());
        Some(dialog.map_or(self.terms.deadline_ms, |at| at.min(self.terms.deadline_ms)))
    }

    /// Whether it is over.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.settled
    }

    const fn dialog_at(&self) -> u64 {
        self.began.saturating_add(self.terms.grace_ms)
    }

    /// Takes a word for what it is worth: a no always, otherwise the first word of one who is in the race.
    fn hear(&mut self, moment: &mut Moment, racer: Racer, word: Vote) {
        let unseen = racer == Racer::Human && !self.dialog_shown;
        // FAIL-CLOSED(unseen-question): nobody agrees to a question that was not shown.
        let counts = word.is_deny() || (self.running.contains(&racer) && !unseen);
        if self.settled || !counts {
            moment.unused.push((racer, word));
        } else {
            self.running.retain(|it| *it != racer);
            moment.words.push((racer, word));
        }
    }

    /// How the race ends in this moment, if it does.
    fn outcome(&self, moment: &mut Moment) -> Option<Outcome> {
        if moment.gone {
            moment.use_none();
            return Some(Outcome::Abandoned);
        }
        if let Some((racer, word)) = moment.first(|_, word| word.is_deny()) {
            return Some(Outcome::Answered(racer, word));
        }
        // FAIL-CLOSED(race-deadline): an allow in the moment of the deadline comes too late.
        let ended = match (moment.stopping, moment.changed, self.now >= self.terms.deadline_ms) {
            (true, _, _) => Some(Outcome::Stopped),
            (false, true, _) => Some(Outcome::Stale),
            (false, false, true) => Some(Outcome::TimedOut),
            (false, false, false) => None,
        };
        if ended.is_some() {
            moment.use_none();
            return ended;
        }
        if let Some((racer, word)) = moment.first(|racer, word| word.allows(racer)) {
            return Some(Outcome::Answered(racer, word));
        }
        self.running.is_empty().then_some(Outcome::Nobody)
    }

    fn settle(&mut self, outcome: Outcome, effects: &mut Vec<Effect>) {
        self.settled = true;
        effects.push(Effect::Settle(outcome));
        effects.extend(self.running.drain(..).map(Effect::Cancel));
    }

    fn show_dialog(&mut self, effects: &mut Vec<Effect>) {
        let waits = self.running.contains(&Racer::Human) && !self.dialog_shown;
        if waits && self.now >= self.dialog_at() {
            self.dialog_shown = true;
            effects.push(Effect::ShowDialog);
        }
    }
}

/// What happened in one moment.
#[derive(Default)]
struct Moment {
    words: Vec<(Racer, Vote)>,
    /// Words that do not count and are only written down.
    unused: Vec<(Racer, Vote)>,
    changed: bool,
    gone: bool,
    stopping: bool,
}

impl Moment {
    /// Takes out the first word of the kind, by the order of racers; answers beside it are late.
    fn first(&mut self, fits: impl Fn(Racer, &Vote) -> bool) -> Option<(Racer, Vote)> {
        let fitting = self.words.iter().enumerate().filter(|(_, (racer, word))| fits(*racer, word));
        let (at, _) = fitting.min_by_key(|(_, (racer, _))| *racer)?;
        let found = self.words.remove(at);
        self.use_none();
        Some(found)
    }

    /// Answers that are left are late; who only left the race has said nothing to write down.
    fn use_none(&mut self) {
        let answers =
            self.words.drain(..).filter(|(_, word)| matches!(word, Vote::Allow { .. } | Vote::Deny { .. }));
        self.unused.extend(answers);
    }
}
