//! Races on a virtual clock: all orders of a few answers, and random calls with changes at every point (SPEC H1–H3).
//!
//! `PORTCULLIS_SIMULATED_CALLS` says how many calls are simulated, `PORTCULLIS_SEED` replays the one session of a seed
//! that failed; without it every run tries the same ones.
#![expect(clippy::panic, clippy::indexing_slicing, reason = "what does not hold stops the run")]

mod oracle;

use std::panic::{AssertUnwindSafe, catch_unwind};

use oracle::{Moment, check};
use portcullis_decide::{Mode, Reason, ToolCall};
use portcullis_gate::race::{
    Effect, Event, Key, Outcome, Race, Racer, Speculation, Taken, Terms, Ticket, Vote,
};
use serde_json::json;

/// A small generator of numbers with a seed (splitmix).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let at = self.below(u64::try_from(from.len()).unwrap_or(1));
        from[usize::try_from(at).unwrap_or(0)]
    }
}

fn allow(racer: Racer, why: &str) -> Vote {
    let reason = Reason::Hook { name: racer.name().to_owned(), reason: why.to_owned() };
    Vote::Allow { reason, updated_input: None }
}

fn deny(racer: Racer) -> Vote {
    let reason = Reason::Hook { name: racer.name().to_owned(), reason: String::new() };
    Vote::Deny { reason, message: "no".to_owned(), stop: false }
}

/// A race with everything that happened in it.
struct Run {
    terms: Terms,
    began: u64,
    race: Race,
    moments: Vec<Moment>,
}

impl Run {
    fn start(now: u64, terms: Terms) -> Run {
        let (race, effects) = Race::start(now, terms);
        Run { terms, began: now, race, moments: vec![Moment { now, events: Vec::new(), effects }] }
    }

    /// Hands over what happened; says how the race ended if it ended with that.
    fn on(&mut self, now: u64, events: Vec<Event>) -> Option<Outcome> {
        let effects = self.race.on_all(now, events.clone());
        let ended = effects.iter().find_map(|effect| match effect {
            Effect::Settle(outcome) => Some(outcome.clone()),
            Effect::ShowDialog | Effect::Cancel(_) | Effect::LogLate(..) => None,
        });
        self.moments.push(Moment { now, events, effects });
        ended
    }

    fn check(&self) {
        check(&self.terms, self.began, &self.moments);
    }

    fn was_shown(&self) -> bool {
        self.moments.iter().any(|moment| moment.effects.contains(&Effect::ShowDialog))
    }
}

/// What a racer does in the exhaustive part.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Plan {
    Absent,
    Never,
    Allow,
    Deny,
    Ask,
    Error,
    Unsafe,
}

const PLANS: [Plan; 7] =
    [Plan::Absent, Plan::Never, Plan::Allow, Plan::Deny, Plan::Ask, Plan::Error, Plan::Unsafe];
const GRACE: u64 = 120;
const DEADLINE: u64 = 1000;
/// Before, at and after the grace time and the deadline.
const TIMES: [u64; 7] = [0, 119, 120, 121, 999, 1000, 1001];

impl Plan {
    fn word(self, racer: Racer) -> Option<Vote> {
        match self {
            Plan::Absent | Plan::Never => None,
            Plan::Allow => Some(allow(racer, "")),
            Plan::Deny => Some(deny(racer)),
            Plan::Ask => Some(Vote::Ask),
            Plan::Error => Some(Vote::Error),
            Plan::Unsafe => Some(Vote::Unsafe),
        }
    }
}

/// Lets time pass as a caller does that wakes when it is asked to, and hands over words at their times.
fn raced(plans: [Plan; 3], times: [u64; 3]) -> Run {
    let [human, hook, classifier] = plans.map(|plan| plan != Plan::Absent);
    let terms = Terms {
        grace_ms: GRACE,
        deadline_ms: DEADLINE,
        has_human: human,
        has_hook: hook,
        has_classifier: classifier,
    };
    let mut run = Run::start(0, terms);
    let mut moments: Vec<u64> = times.to_vec();
    moments.sort_unstable();
    moments.dedup();
    for now in moments {
        while let Some(wake) = run.race.next_wake().filter(|wake| *wake < now) {
            run.on(wake, vec![Event::Tick]);
        }
        let said = Racer::ALL.into_iter().zip(plans).zip(times).filter(|(_, time)| *time == now);
        let said = said.filter_map(|((racer, plan), _)| Some(Event::Said(racer, plan.word(racer)?)));
        run.on(now, said.collect());
    }
    while let Some(wake) = run.race.next_wake() {
        run.on(wake, vec![Event::Tick]);
    }
    run
}

fn outcome(run: &Run) -> Option<Outcome> {
    run.moments.iter().flat_map(|moment| &moment.effects).find_map(|effect| match effect {
        Effect::Settle(outcome) => Some(outcome.clone()),
        Effect::ShowDialog | Effect::Cancel(_) | Effect::LogLate(..) => None,
    })
}

/// [H1] [H2]
#[test]
fn all_orders_of_all_answers() {
    let (mut allowed, mut denied, mut shown) = (0_u32, 0_u32, 0_u32);
    for plans in triples(&PLANS) {
        for times in triples(&TIMES) {
            let run = raced(plans, times);
            let checked = catch_unwind(AssertUnwindSafe(|| run.check()));
            assert!(checked.is_ok(), "{plans:?} at {times:?}: {:#?}", run.moments);
            let ended = outcome(&run);
            allowed += u32::from(ended.as_ref().is_some_and(Outcome::allows));
            denied += u32::from(matches!(ended, Some(Outcome::Answered(_, Vote::Deny { .. }))));
            shown += u32::from(run.was_shown());
            assert!(ended.is_some(), "{plans:?} at {times:?} never ended");
        }
    }
    assert!(allowed > 10_000 && denied > 10_000 && shown > 10_000, "{allowed} {denied} {shown}");
}

fn triples<T: Copy>(from: &[T]) -> impl Iterator<Item = [T; 3]> + '_ {
    from.iter().flat_map(move |a| from.iter().flat_map(move |b| from.iter().map(move |c| [*a, *b, *c])))
}

/// [H1]
#[test]
fn the_cases_that_people_ask_about() {
    let after = |plans, times| outcome(&raced(plans, times));
    // A classifier that allows within the grace time: the dialog never flashes.
    let run = raced([Plan::Never, Plan::Absent, Plan::Allow], [0, 0, 119]);
    assert!(outcome(&run).is_some_and(|it| it.allows()) && !run.was_shown());
    // A deny of the same moment beats an allow, whoever says it.
    let both = after([Plan::Never, Plan::Deny, Plan::Allow], [0, 500, 500]);
    assert!(matches!(both, Some(Outcome::Answered(Racer::Hook, Vote::Deny { .. }))));
    // An unsafe command is left to the person.
    let person = after([Plan::Allow, Plan::Absent, Plan::Unsafe], [400, 0, 10]);
    assert!(matches!(person, Some(Outcome::Answered(Racer::Human, Vote::Allow { .. }))));
    assert_eq!(after([Plan::Absent, Plan::Error, Plan::Unsafe], [0, 10, 20]), Some(Outcome::Nobody));
    assert_eq!(after([Plan::Absent; 3], [0; 3]), Some(Outcome::Nobody));
    assert_eq!(after([Plan::Never, Plan::Ask, Plan::Error], [0, 10, 20]), Some(Outcome::TimedOut));
    // In the moment of the deadline it is too late to allow, never to deny.
    assert_eq!(after([Plan::Allow, Plan::Absent, Plan::Absent], [1000, 0, 0]), Some(Outcome::TimedOut));
    // A classifier that rewrites is not understood.
    let terms =
        Terms { grace_ms: 0, deadline_ms: 9, has_human: false, has_hook: false, has_classifier: true };
    let mut run = Run::start(0, terms);
    let reason = Reason::Classifier { stage: 0, reason: String::new(), policy: None, detector: None };
    let word = Vote::Allow { reason, updated_input: Some(json!({ "command": "ls" })) };
    assert_eq!(run.on(1, vec![Event::Said(Racer::Classifier, word)]), Some(Outcome::Nobody));
}

/// [H1]
#[test]
fn one_thing_that_happens_is_a_moment_of_its_own() {
    let terms =
        Terms { grace_ms: 0, deadline_ms: 9, has_human: false, has_hook: true, has_classifier: false };
    let (mut race, effects) = Race::start(0, terms);
    assert!(effects.is_empty() && !race.is_settled());
    let effects = race.on(1, Event::Said(Racer::Hook, deny(Racer::Hook)));
    assert_eq!(effects, [Effect::Settle(Outcome::Answered(Racer::Hook, deny(Racer::Hook)))]);
    assert!(race.is_settled() && race.next_wake().is_none());
}

/// [H1] An answer that does not count is written down, in whatever way the race ended.
#[test]
fn answers_that_do_not_count_are_written_down() {
    let terms = Terms { grace_ms: 0, deadline_ms: 9, has_human: true, has_hook: true, has_classifier: true };
    let yes = || Event::Said(Racer::Classifier, allow(Racer::Classifier, ""));
    let late = Effect::LogLate(Racer::Classifier, allow(Racer::Classifier, ""));
    for (now, beside) in [
        (1, Event::Said(Racer::Hook, deny(Racer::Hook))),
        (1, Event::Said(Racer::Human, allow(Racer::Human, ""))),
        (1, Event::Changed),
        (1, Event::CallerGone),
        (1, Event::Stopping),
        (9, Event::Tick),
    ] {
        let (mut race, _) = Race::start(0, terms);
        let effects = race.on_all(now, vec![yes(), beside.clone()]);
        assert_eq!(effects.iter().filter(|effect| **effect == late).count(), 1, "{beside:?}: {effects:?}");
    }
    // Who only leaves the race has said nothing to write down.
    let (mut race, _) = Race::start(0, terms);
    let effects = race.on_all(1, vec![Event::Said(Racer::Classifier, Vote::Unsafe), Event::Stopping]);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::LogLate(..))), "{effects:?}");
}

/// What a session is like at a moment: what a verdict depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
struct World {
    session: u64,
    command: u64,
    folder: u64,
    rules: u64,
    mode: Mode,
}

const MODES: [Mode; 4] = [Mode::Default, Mode::AcceptEdits, Mode::Auto, Mode::Bypass];

impl World {
    fn roll(dice: &mut Dice) -> World {
        let mode = if dice.one_in(4) { dice.pick(&MODES) } else { Mode::Default };
        World {
            session: dice.below(2),
            command: dice.below(2),
            folder: dice.below(2),
            rules: dice.below(2),
            mode,
        }
    }

    /// Another world that differs in something, perhaps.
    fn changed(self, dice: &mut Dice) -> World {
        let other = World::roll(dice);
        match dice.below(4) {
            0 => World { folder: other.folder, ..self },
            1 => World { rules: other.rules, ..self },
            2 => World { mode: other.mode, ..self },
            _ => World { command: other.command, ..self },
        }
    }

    fn key(self) -> Option<Key> {
        let World { session, command, folder, rules, mode } = self;
        let input = json!({ "command": format!("c{command}") });
        let mut call = ToolCall::new("Bash", input, format!("/f{folder}"));
        call.session = Some(format!("s{session}"));
        Key::of(&call, mode, format!("r{rules}"))
    }
}

/// A verdict of the classifier: about which world, and a number that no other has.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Verdict {
    about: World,
    number: u64,
}

/// A session on a virtual clock.
struct Session {
    dice: Dice,
    now: u64,
    world: World,
    table: Speculation<Verdict>,
    /// Verdicts on their way: when they are back.
    asked: Vec<(u64, Ticket, World)>,
    /// Those of them that a question waited for.
    claimed: Vec<Ticket>,
    verdicts: u64,
    /// The numbers of verdicts that were used.
    used: Vec<u64>,
    tally: Tally,
}

/// How often things happened that the simulation is about.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    calls: u64,
    allowed: u64,
    by_speculation: u64,
    denied: u64,
    stale: u64,
    abandoned: u64,
    dialogs: u64,
    late: u64,
    started: u64,
}

const KEEP: u64 = 3000;
const LIMIT: usize = 4;

impl Session {
    fn new(seed: u64) -> Session {
        let mut dice = Dice(seed);
        let world = World::roll(&mut dice);
        Session {
            dice,
            now: 0,
            world,
            table: Speculation::new(LIMIT, KEEP),
            asked: Vec::new(),
            claimed: Vec::new(),
            verdicts: 0,
            used: Vec::new(),
            tally: Tally::default(),
        }
    }

    fn verdict(&mut self, about: World) -> Verdict {
        self.verdicts += 1;
        Verdict { about, number: self.verdicts }
    }

    /// The agent writes a command, and perhaps the classifier is asked in advance.
    fn speculate(&mut self) {
        let about = self.world;
        if let Some(key) = about.key() {
            if let Some(ticket) = self.table.begin(self.now, key) {
                self.tally.started += 1;
                self.asked.push((self.now + self.dice.below(KEEP + 1000), ticket, about));
            }
        } else {
            assert!(matches!(about.mode, Mode::Auto | Mode::Bypass), "{:?}", about.mode);
        }
        assert!(self.table.len() <= LIMIT, "the table grows");
    }

    /// Verdicts that are back by now; the one that somebody waits for is given back.
    fn arrivals(&mut self, waiting: Option<Ticket>) -> Option<Verdict> {
        let (back, on_their_way) = self.asked.drain(..).partition(|(time, _, _)| *time <= self.now);
        self.asked = on_their_way;
        let mut found = None;
        let back: Vec<(u64, Ticket, World)> = back;
        for (_, ticket, about) in back {
            let verdict = self.verdict(about);
            let verdict = Some(verdict).filter(|_| !self.dice.one_in(4));
            if let Some(verdict) = self.table.finish(self.now, ticket, verdict) {
                let claim = self.claimed.iter().position(|claimed| *claimed == ticket);
                assert!(claim.map(|at| self.claimed.remove(at)).is_some(), "a verdict for nobody");
                // Whoever waited for it may have got an answer from somebody else since.
                found = Some(verdict).filter(|_| waiting == Some(ticket)).or(found);
            }
        }
        found
    }

    /// The classifier's verdict was used: only once, and only for the world it was asked about.
    fn use_verdict(&mut self, verdict: Verdict) {
        assert_eq!(verdict.about, self.world, "a verdict about another world");
        assert!(!self.used.contains(&verdict.number), "a verdict was used twice");
        self.used.push(verdict.number);
    }

    fn run(mut self, calls: u64) -> Tally {
        for _ in 0..calls {
            for _ in 0..self.dice.below(3) {
                self.speculate();
                self.now += self.dice.below(200);
                self.arrivals(None);
                if self.dice.one_in(2) {
                    self.world = self.world.changed(&mut self.dice);
                }
            }
            self.tally.calls += 1;
            // A question that has changed is judged again; an agent that changes for ever is not answered.
            for _ in 0..3 {
                if self.question() != Some(Outcome::Stale) {
                    break;
                }
            }
            self.now += self.dice.below(2000);
            self.arrivals(None);
        }
        self.tally
    }

    fn terms(&mut self) -> Terms {
        Terms {
            grace_ms: self.dice.pick(&[0, 1, 120, 120, 120, 5000]),
            deadline_ms: self.now + self.dice.pick(&[0, 1, 100, 2000, 2000, 2000]),
            has_human: !self.dice.one_in(4),
            has_hook: self.dice.one_in(2),
            has_classifier: !self.dice.one_in(4),
        }
    }

    /// One question, from its start to its end and a little beyond.
    fn question(&mut self) -> Option<Outcome> {
        let terms = self.terms();
        let mut run = Run::start(self.now, terms);
        let mut ended = outcome(&run);
        let mut seat = if terms.has_classifier { self.seat() } else { Seat::Empty };
        let calm = self.dice.pick(&[4, 20, 1000]);
        let mut left_over = 3_u64;
        while ended.is_none() || left_over > 0 {
            left_over -= u64::from(ended.is_some());
            self.pass_time(&run);
            let events = self.events(&mut seat, &run, calm, ended.is_none());
            let about = seat.spoken();
            let end = run.on(self.now, events);
            if let (Some(outcome), None) = (&end, &ended) {
                self.settled(outcome, about);
                ended = end;
            }
        }
        run.check();
        self.tally.dialogs += u64::from(run.was_shown());
        let late = |effect: &&Effect| matches!(effect, Effect::LogLate(..));
        let late = run.moments.iter().flat_map(|moment| &moment.effects).filter(late).count();
        self.tally.late += u64::try_from(late).unwrap_or_default();
        ended
    }

    /// A caller wakes when it is told to, or for something else, or too late.
    fn pass_time(&mut self, run: &Run) {
        let wake = run.race.next_wake().filter(|_| !self.dice.one_in(3));
        let step = self.dice.pick(&[0, 1, 30, 119, 120, 400]);
        self.now = wake.map_or(self.now + step, |wake| wake.min(self.now + step)).max(self.now);
    }

    /// Where the classifier's word for this question comes from.
    fn seat(&mut self) -> Seat {
        let Some(key) = self.world.key() else { return Seat::Empty };
        match self.table.take(self.now, &key) {
            Taken::Done(verdict) => {
                assert!(!matches!(self.table.take(self.now, &key), Taken::Done(_)), "handed out twice");
                self.tally.by_speculation += 1;
                Seat::Ready(verdict)
            }
            Taken::Running(ticket) => {
                assert!(!self.claimed.contains(&ticket), "claimed twice");
                self.claimed.push(ticket);
                Seat::Waiting(ticket)
            }
            Taken::Nothing => {
                let verdict = self.verdict(self.world);
                Seat::Ready(verdict)
            }
        }
    }

    fn events(&mut self, seat: &mut Seat, run: &Run, calm: u64, open: bool) -> Vec<Event> {
        let mut events = Vec::new();
        let waiting = if let Seat::Waiting(ticket) = *seat { Some(ticket) } else { None };
        if let Some(verdict) = self.arrivals(waiting) {
            *seat = Seat::Ready(verdict);
        }
        for racer in [Racer::Human, Racer::Hook] {
            if self.dice.one_in(6) {
                let word = self.word(racer);
                events.push(Event::Said(racer, word));
            }
        }
        if let (Seat::Ready(verdict), true) = (*seat, self.dice.one_in(3)) {
            let safe = self.dice.one_in(2);
            let word = if safe { allow(Racer::Classifier, "") } else { Vote::Unsafe };
            events.push(Event::Said(Racer::Classifier, word));
            *seat = Seat::Spoken(verdict);
        }
        if self.dice.one_in(calm) && open {
            let before = self.world;
            self.world = self.world.changed(&mut self.dice);
            if self.world != before {
                events.push(Event::Changed);
            }
        }
        if self.dice.one_in(calm * 2) {
            events.push(Event::CallerGone);
        }
        if self.dice.one_in(calm * 4) {
            events.push(Event::Stopping);
        }
        if events.is_empty() || self.dice.one_in(5) {
            events.push(Event::Tick);
        }
        // In the same moment any order may be handed over.
        if self.dice.one_in(2) {
            events.reverse();
        }
        assert!(!run.moments.is_empty());
        events
    }

    fn word(&mut self, racer: Racer) -> Vote {
        match self.dice.below(6) {
            0 | 1 => allow(racer, ""),
            2 => deny(racer),
            3 => Vote::Ask,
            4 => Vote::Error,
            _ => Vote::Unsafe,
        }
    }

    fn settled(&mut self, outcome: &Outcome, about: Option<Verdict>) {
        match outcome {
            Outcome::Answered(Racer::Classifier, Vote::Allow { .. }) => {
                self.tally.allowed += 1;
                match about {
                    Some(verdict) => self.use_verdict(verdict),
                    None => panic!("an allow of a classifier that said nothing"),
                }
            }
            Outcome::Answered(_, Vote::Allow { .. }) => self.tally.allowed += 1,
            Outcome::Answered(..) | Outcome::TimedOut | Outcome::Stopped | Outcome::Nobody => {
                self.tally.denied += 1;
            }
            Outcome::Stale => self.tally.stale += 1,
            Outcome::Abandoned => self.tally.abandoned += 1,
        }
    }
}

/// The classifier in one race.
#[derive(Clone, Copy)]
enum Seat {
    Empty,
    Waiting(Ticket),
    Ready(Verdict),
    Spoken(Verdict),
}

impl Seat {
    fn spoken(&self) -> Option<Verdict> {
        match self {
            Seat::Spoken(verdict) => Some(*verdict),
            Seat::Empty | Seat::Waiting(_) | Seat::Ready(_) => None,
        }
    }
}

/// How many calls each session makes.
const CALLS: u64 = 10;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// [H1] [H2] [H3] [R12]
#[test]
fn random_calls_keep_every_promise() {
    if let Some(seed) = number("PORTCULLIS_SEED") {
        Session::new(seed).run(CALLS);
        return;
    }
    let calls = number("PORTCULLIS_SIMULATED_CALLS").unwrap_or(50_000);
    let mut sum = Tally::default();
    for seed in 0..calls.div_ceil(CALLS) {
        let Ok(tally) = catch_unwind(AssertUnwindSafe(|| Session::new(seed).run(CALLS))) else {
            panic!("replay with PORTCULLIS_SEED={seed}");
        };
        sum.calls += tally.calls;
        sum.allowed += tally.allowed;
        sum.by_speculation += tally.by_speculation;
        sum.denied += tally.denied;
        sum.stale += tally.stale;
        sum.abandoned += tally.abandoned;
        sum.dialogs += tally.dialogs;
        sum.late += tally.late;
        sum.started += tally.started;
    }
    println!("{sum:?}");
    // A simulation in which nothing happens would prove nothing.
    let enough = sum.calls / 100;
    for count in [
        sum.allowed,
        sum.by_speculation,
        sum.denied,
        sum.stale,
        sum.abandoned,
        sum.dialogs,
        sum.late,
        sum.started,
    ] {
        assert!(count > enough, "{sum:?}");
    }
}
