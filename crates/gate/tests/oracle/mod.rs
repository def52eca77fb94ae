//! The slow, obvious version of the race: it looks at everything that happened at once, from the end, and says how the
//! race had to end. It shares no code with the machine.

use portcullis_gate::race::{Effect, Event, Outcome, Racer, Terms, Vote};

/// What happened in one moment, and what the machine wanted done.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) now: u64,
    pub(crate) events: Vec<Event>,
    pub(crate) effects: Vec<Effect>,
}

/// How the race had to end: in which moment and how.
fn expected(terms: &Terms, moments: &[Moment]) -> Option<(usize, Outcome)> {
    (0..moments.len()).find_map(|at| Some((at, ending(terms, moments, at)?)))
}

/// How the race ends in the moment `at`, if it has not ended before.
fn ending(terms: &Terms, moments: &[Moment], at: usize) -> Option<Outcome> {
    let moment = &moments[at];
    let happened = |event: &Event| moment.events.contains(event);
    let said = |racer: Racer| counted(terms, moments, at, racer);
    // A no counts whoever says it and whenever, as long as there is something to say no to.
    let deny = |racer: Racer| {
        let words = words(moments, at, racer);
        words.into_iter().find(|word| matches!(word, Vote::Deny { .. }))
    };
    let allow = |racer: Racer| {
        said(racer).into_iter().next().filter(|word| match word {
            Vote::Allow { updated_input, .. } => updated_input.is_none() || racer != Racer::Classifier,
            Vote::Deny { .. } | Vote::Ask | Vote::Error | Vote::Unsafe => false,
        })
    };
    if happened(&Event::CallerGone) {
        return Some(Outcome::Abandoned);
    }
    if let Some((racer, word)) = Racer::ALL.into_iter().find_map(|racer| Some((racer, deny(racer)?))) {
        return Some(Outcome::Answered(racer, word));
    }
    if happened(&Event::Stopping) {
        return Some(Outcome::Stopped);
    }
    if happened(&Event::Changed) {
        return Some(Outcome::Stale);
    }
    if clock(moments, at) >= terms.deadline_ms {
        return Some(Outcome::TimedOut);
    }
    if let Some((racer, word)) = Racer::ALL.into_iter().find_map(|racer| Some((racer, allow(racer)?))) {
        return Some(Outcome::Answered(racer, word));
    }
    let nobody = Racer::ALL
        .into_iter()
        .all(|racer| !takes_part(terms, racer) || has_spoken(terms, moments, at, racer));
    nobody.then_some(Outcome::Nobody)
}

fn takes_part(terms: &Terms, racer: Racer) -> bool {
    match racer {
        Racer::Human => terms.has_human,
        Racer::Hook => terms.has_hook,
        Racer::Classifier => terms.has_classifier,
    }
}

/// The latest time anybody has named so far.
fn clock(moments: &[Moment], at: usize) -> u64 {
    moments[..=at].iter().map(|moment| moment.now).max().unwrap_or_default()
}

/// Whether the dialog was on the screen before the moment `at`.
fn dialog_before(moments: &[Moment], at: usize) -> bool {
    moments[..at].iter().any(|moment| moment.effects.contains(&Effect::ShowDialog))
}

/// The words of a racer that count in the moment `at`: of one who takes part and has not spoken before. A person's count
/// only once the question was shown, but for a no.
fn counted(terms: &Terms, moments: &[Moment], at: usize, racer: Racer) -> Vec<Vote> {
    if !takes_part(terms, racer) || (0..at).any(|earlier| !counted_at(moments, earlier, racer).is_empty()) {
        return Vec::new();
    }
    counted_at(moments, at, racer)
}

fn counted_at(moments: &[Moment], at: usize, racer: Racer) -> Vec<Vote> {
    let shown = racer != Racer::Human || dialog_before(moments, at);
    let words = words(moments, at, racer).into_iter();
    words.filter(|word| shown || matches!(word, Vote::Deny { .. })).collect()
}

/// All words of a racer in the moment `at`.
fn words(moments: &[Moment], at: usize, racer: Racer) -> Vec<Vote> {
    let words = moments[at].events.iter().filter_map(|event| match event {
        Event::Said(who, word) if *who == racer => Some(word.clone()),
        Event::Said(..) | Event::Tick | Event::Changed | Event::CallerGone | Event::Stopping => None,
    });
    words.collect()
}

/// Whether a racer has spoken in the moment `at` or before.
fn has_spoken(terms: &Terms, moments: &[Moment], at: usize, racer: Racer) -> bool {
    (0..=at).any(|moment| !counted(terms, moments, moment, racer).is_empty())
}

/// What must hold whatever happened, seen from outside: from the events and the effects alone.
pub(crate) fn check(terms: &Terms, began: u64, moments: &[Moment]) {
    let effects =
        || moments.iter().enumerate().flat_map(|(at, it)| it.effects.iter().map(move |effect| (at, effect)));
    let settles: Vec<(usize, &Outcome)> = effects()
        .filter_map(
            |(at, effect)| if let Effect::Settle(outcome) = effect { Some((at, outcome)) } else { None },
        )
        .collect();
    assert!(settles.len() <= 1, "settled more than once");
    let settled = settles.first().map(|(at, outcome)| (*at, (*outcome).clone()));
    assert_eq!(settled, expected(terms, moments), "not as the oracle says");
    dialogs(terms, began, moments, settled.as_ref().map(|(at, _)| *at));
    let Some((end, outcome)) = settled else {
        assert!(
            effects().all(|(_, effect)| !matches!(effect, Effect::Cancel(_))),
            "cancelled in a race that goes on"
        );
        return;
    };
    for racer in Racer::ALL {
        let cancels: Vec<usize> =
            effects().filter(|(_, effect)| **effect == Effect::Cancel(racer)).map(|(at, _)| at).collect();
        let loses = takes_part(terms, racer) && !has_spoken(terms, moments, end, racer);
        assert_eq!(
            cancels,
            if loses { vec![end] } else { vec![] },
            "{racer:?} is cancelled once if it still runs"
        );
    }
    if outcome.allows() {
        no_allow_after(moments, end);
    }
    late_words(moments, end);
}

/// The dialog appears once at most, after the grace time, before the end, and only if there is a person.
fn dialogs(terms: &Terms, began: u64, moments: &[Moment], end: Option<usize>) {
    let shown: Vec<usize> = (0..moments.len())
        .flat_map(|at| {
            moments[at].effects.iter().filter(|effect| **effect == Effect::ShowDialog).map(move |_| at)
        })
        .collect();
    assert!(shown.len() <= 1, "the dialog was shown twice");
    if let Some(at) = shown.first() {
        assert!(terms.has_human, "a dialog for nobody");
        assert!(clock(moments, *at) >= began + terms.grace_ms, "the dialog flashed");
        assert!(end.is_none_or(|end| *at < end), "the dialog was shown after the end");
    }
}

/// An allow stands only where nothing that forbids came before it or with it.
fn no_allow_after(moments: &[Moment], end: usize) {
    for event in moments[..=end].iter().flat_map(|moment| &moment.events) {
        match event {
            Event::Said(_, Vote::Deny { .. }) => panic!("an allow beside a deny"),
            Event::Changed => panic!("an allow for a question that has changed"),
            Event::CallerGone => panic!("an allow that nobody waits for"),
            Event::Stopping => panic!("an allow while stopping"),
            Event::Said(..) | Event::Tick => {}
        }
    }
}

/// Whatever is said after the end is written down, word by word, and does nothing else.
fn late_words(moments: &[Moment], end: usize) {
    for moment in &moments[end + 1..] {
        let said = moment.events.iter().filter_map(|event| match event {
            Event::Said(racer, word) => Some(Effect::LogLate(*racer, word.clone())),
            Event::Tick | Event::Changed | Event::CallerGone | Event::Stopping => None,
        });
        assert_eq!(
            moment.effects,
            said.collect::<Vec<_>>(),
            "late words are logged and nothing else happens"
        );
    }
}
