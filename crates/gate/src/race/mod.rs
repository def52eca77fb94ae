//! Who answers a question first (SPEC H1, H2): a person, a hook or the command classifier.
//!
//! A plain state machine: it is told what happened and when, and says what to do. It has no clock, no threads and no
//! channels, so every order of events can be tried. What it does not know is never an allow: silence ends with a deny,
//! and a race whose question has changed ends without an answer.

mod speculation;

use portcullis_decide::Reason;
use serde_json::Value;

use crate::hooks::{HookVerdict, Said};

pub use speculation::{Key, Speculation, Taken, Ticket};

/// Milliseconds before the dialog appears, unless the caller says otherwise.
pub const GRACE_MS: u64 = 120;

/// Who may answer. Of two who answer in the same moment the first in this order is heard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Racer {
    /// A person, in a dialog.
    Human,
    /// The `permission_request` hooks, joined.
    Hook,
    /// The command classifier.
    Classifier,
}

impl Racer {
    /// All.
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
pub enum Word {
    /// The call may run.
    Allow {
        /// Who says so and why.
        reason: Reason,
        /// The input to use instead. It has to be judged before it is used (T5).
        updated_input: Option<Value>,
    },
    /// The call may not run.
    Deny {
        /// Who says so and why.
        reason: Reason,
        /// What the agent is told.
        message: String,
        /// Whether the agent is to stop altogether.
        stop: bool,
    },
    /// Somebody else should answer.
    Ask,
    /// It cannot answer.
    Error,
    /// The classifier does not find the call safe: that is no answer, it leaves the race to the others.
    Unsafe,
}

impl Word {
    const fn is_deny(&self) -> bool {
        matches!(self, Word::Deny { .. })
    }

    /// Whether this word, from this racer, lets the call run.
    const fn allows(&self, racer: Racer) -> bool {
        match self {
            // A classifier never rewrites (T5): one that does is not understood.
            Word::Allow { updated_input: Some(_), .. } => !matches!(racer, Racer::Classifier),
            Word::Allow { updated_input: None, .. } => true,
            Word::Deny { .. } | Word::Ask | Word::Error | Word::Unsafe => false,
        }
    }
}

impl From<&HookVerdict> for Word {
    /// What `permission_request` hooks said, as a word of the race. Failures that the settings make a deny are one; all
    /// others leave the race.
    fn from(verdict: &HookVerdict) -> Word {
        let reason = || Reason::Hook { name: verdict.hook.clone(), reason: verdict.reason.clone() };
        match verdict.said {
            Said::Nothing | Said::Ask => Word::Ask,
            Said::Allow => Word::Allow { reason: reason(), updated_input: verdict.updated_input.clone() },
            Said::Failed | Said::Deny => {
                Word::Deny { reason: reason(), message: reason().sentence(), stop: verdict.stop }
            }
        }
    }
}

/// The terms of one race.
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

/// What can happen.
#[expect(clippy::large_enum_variant, reason = "one lives at a time")]
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A racer said something.
    Said(Racer, Word),
    /// Time passed.
    Tick,
    /// What the question depends on has changed: mode, rules, input or directory.
    Changed,
    /// Nobody waits for the answer any more.
    CallerGone,
    /// The program stops.
    Stopping,
}

/// What to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Show the dialog.
    ShowDialog,
    /// Tell this racer that its answer is not needed: close the dialog, kill the hooks, drop the request.
    Cancel(Racer),
    /// The race is over. Comes once.
    Settle(Outcome),
    /// Write down an answer that came too late to count.
    LogLate(Racer, Word),
}

/// How a race ended.
#[expect(clippy::large_enum_variant, reason = "one lives at a time")]
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// A racer answered; the word is an allow or a deny.
    Answered(Racer, Word),
    /// Nobody who could be asked has an answer: the question goes back to the caller.
    Nobody,
    /// Nobody answered in time: a deny.
    TimedOut,
    /// The program stops: a deny.
    Stopped,
    /// The question is not the same any more: it has to be judged again.
    Stale,
    /// Nobody waits for the answer: it is not given to anyone.
    Abandoned,
}

impl Outcome {
    /// Whether the call may run.
    #[must_use]
    pub const fn allows(&self) -> bool {
        matches!(self, Outcome::Answered(_, Word::Allow { .. }))
    }
}

/// One race.
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
    /// Starts a race. The caller starts the racers.
    #[must_use]
    pub fn start(now_ms: u64, terms: Terms) -> (Race, Vec<Effect>) {
        let running = Racer::ALL.into_iter().filter(|racer| terms.has(*racer)).collect();
        let mut race =
            Race { terms, began: now_ms, now: now_ms, running, dialog_shown: false, settled: false };
        let effects = race.on_all(now_ms, Vec::new());
        (race, effects)
    }

    /// Something happened.
    pub fn on(&mut self, now_ms: u64, event: Event) -> Vec<Effect> {
        self.on_all(now_ms, vec![event])
    }

    /// Several things happened in the same moment: a deny among them wins, in whatever order they stand.
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

    /// When the race wants to hear of the time again; nothing once it is over.
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
    fn hear(&mut self, moment: &mut Moment, racer: Racer, word: Word) {
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
    words: Vec<(Racer, Word)>,
    /// Words that do not count and are only written down.
    unused: Vec<(Racer, Word)>,
    changed: bool,
    gone: bool,
    stopping: bool,
}

impl Moment {
    /// Takes out the first word of the kind, by the order of racers; answers beside it are late.
    fn first(&mut self, fits: impl Fn(Racer, &Word) -> bool) -> Option<(Racer, Word)> {
        let fitting = self.words.iter().enumerate().filter(|(_, (racer, word))| fits(*racer, word));
        let (at, _) = fitting.min_by_key(|(_, (racer, _))| *racer)?;
        let found = self.words.remove(at);
        self.use_none();
        Some(found)
    }

    /// Answers that are left are late; who only left the race has said nothing to write down.
    fn use_none(&mut self) {
        let answers =
            self.words.drain(..).filter(|(_, word)| matches!(word, Word::Allow { .. } | Word::Deny { .. }));
        self.unused.extend(answers);
    }
}
