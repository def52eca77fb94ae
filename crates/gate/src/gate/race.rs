//! The race for an open question (SPEC H1, H2, H6): people, `permission_request` hooks and the command classifier.
//! The rules of the race are in `crate::race`; here are its runners.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use portcullis_classify::command::CommandMatch;
use portcullis_decide::reason::{Check, ToolReason};
use portcullis_decide::rules::List;
use portcullis_decide::{Decision, Reason, Ruling, Step, Tool};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::Gate;
use super::case::Case;
use super::dialog;
use super::record::Keep;
use super::request::{People, given};
use super::speculate;
use crate::admin::Action;
use crate::approvals::{Choice, HumanAnswer};
use crate::hooks::{HookEvent, HookInput, HookVerdict, Hooks};
use crate::pipeline::{self, World};
use crate::race::{Effect, Event, GRACE_MS, Outcome, Race, Racer, Terms, Vote};
use crate::settle::{Layer, Model, Settled};

/// How long a person is waited for (A3).
const PEOPLE: Duration = Duration::from_mins(9);
/// How long hooks and the classifier are waited for where there is no person.
const PROGRAMS: Duration = Duration::from_mins(1);
/// How often it is looked whether the question is still the same.
const LOOK: Duration = Duration::from_secs(1);

/// What a runner says; a person's answer with all that hangs on it.
type Said = (Racer, Vote, Option<HumanAnswer>);

/// Who takes part in a race.
struct Runners {
    human: bool,
    hooks: Option<Hooks>,
    classifier: Option<(Arc<Model>, Vec<String>)>,
}

impl Runners {
    const fn is_empty(&self) -> bool {
        !self.human && self.hooks.is_none() && self.classifier.is_none()
    }
}

/// A race that was settled, and what is to be kept of it.
pub(crate) struct Raced {
    pub(crate) settled: Settled,
    pub(crate) keep: Option<Keep>,
}

impl Gate {
    /// Whether anybody takes part in a race for this question.
    pub(crate) fn has_racers(&self, case: &Case, ruling: &Ruling) -> bool {
        !self.runners(case, ruling).is_empty()
    }

    fn runners(&self, case: &Case, ruling: &Ruling) -> Runners {
        let human = case.request.people != People::Nobody && self.inside.approvals.is_attended();
        if only_a_person(&ruling.reason) {
            return Runners { human, hooks: None, classifier: None };
        }
        let (hooks, _) = Hooks::from_settings(&case.settings.settings.hooks);
        let hooks =
            Some(hooks).filter(|it| it.concern(HookEvent::PermissionRequest, &case.request.call.tool));
        Runners { human, hooks, classifier: self.command_classifier(case, &ruling.reason) }
    }

    /// R8: rules in words, where nothing else decided. They are allow rules: no ask rule and no check gives way.
    pub(crate) fn command_classifier(
        &self,
        case: &Case,
        reason: &Reason,
    ) -> Option<(Arc<Model>, Vec<String>)> {
        let off = case.settings.settings.command_classifier.as_ref().is_some_and(|it| !it.value);
        let open = matches!(reason, Reason::NoRule | Reason::Parts(_) | Reason::WorkingDirectory { .. });
        if off || !open || case.request.call.tool != Tool::Bash {
            return None;
        }
        let rules = case.context.rules.all().iter().filter(|rule| rule.list == List::Allow);
        let words = rules.filter_map(|rule| rule.words().map(str::to_owned));
        let words: Vec<String> = words.collect();
        if words.is_empty() {
            return None;
        }
        Some((self.model(&case.settings, case.request.model.as_deref())?, words))
    }

    /// Runs the race. Nothing where the question is no longer the same.
    pub(crate) async fn race(&self, case: &Case, settled: Settled) -> Option<Raced> {
        let runners = self.runners(case, &settled.ruling);
        let longest = if runners.human { PEOPLE } else { PROGRAMS };
        (self.inside.options.waiting)(longest);
        let terms = Terms {
            grace_ms: GRACE_MS,
            deadline_ms: millis(longest),
            has_human: runners.human,
            has_hook: runners.hooks.is_some(),
            has_classifier: runners.classifier.is_some(),
        };
        let mut track = Track::begin(self, case, &settled.ruling, longest);
        track.start(runners);
        let (outcome, answer) = track.run(terms).await;
        drop(track);
        self.finished(case, settled, outcome, answer).await
    }

    /// What the outcome of a race makes of the question.
    async fn finished(
        &self,
        case: &Case,
        settled: Settled,
        outcome: Outcome,
        answer: Option<HumanAnswer>,
    ) -> Option<Raced> {
        match outcome {
            Outcome::Stale | Outcome::Abandoned => None,
            Outcome::Nobody if case.host_asks() => Some(Raced { settled, keep: None }),
            Outcome::Nobody => Some(Raced::refused(settled, "nobody can be asked about it")),
            Outcome::TimedOut => Some(Raced::refused(settled, "nobody answered in time")),
            Outcome::Stopped => Some(Raced::refused(settled, "portcullis is stopping")),
            Outcome::Answered(racer, Vote::Allow { reason, updated_input: None }) => {
                let keep = match &answer {
                    Some(answer) => self.keep(case, answer).await,
                    None => None,
                };
                Some(Raced::allowed(settled, racer, reason, keep))
            }
            Outcome::Answered(racer, Vote::Allow { reason, updated_input: Some(input) }) => {
                Box::pin(self.rewritten(case, settled, racer, reason, input)).await
            }
            Outcome::Answered(racer, Vote::Deny { reason, message, stop }) => {
                let keep = (racer == Racer::Human).then(|| Keep::Refused(dialog::shape(case)));
                Some(Raced::denied(settled, racer, reason, message, stop).kept(keep))
            }
            Outcome::Answered(_, Vote::Ask | Vote::Error | Vote::Unsafe) => {
                Some(Raced::refused(settled, "the answer is not understood"))
            }
        }
    }

    /// T5: another input has to pass the deny rules, the ask rules and the safety checks again.
    async fn rewritten(
        &self,
        case: &Case,
        settled: Settled,
        racer: Racer,
        reason: Reason,
        input: serde_json::Value,
    ) -> Option<Raced> {
        if case.request.changes.in_own_terms(input.clone()).is_none() {
            // FAIL-CLOSED(rewrite-form): the host would run the call as it was sent, which is not what was allowed.
            self.failed("rewrite-form");
            return Some(Raced::refused(
                settled,
                "the input was changed, and this agent cannot be given another one",
            ));
        }
        let mut request = case.request.clone();
        request.call.input = input.clone();
        // FAIL-CLOSED(rewrite-ask): the host would ask its user about the input that it sent, and run that one.
        request.people = request.people.without_host();
        let mut again = self.case(request).ok()?;
        let walked =
            pipeline::walk(&again.request.call, &mut again.context, HookVerdict::nothing(), World::Now);
        again.view = walked.view;
        let settled = Settled { ruling: walked.ruling, ..settled };
        match &settled.ruling.decision {
            Decision::Deny { .. } => Some(Raced { settled, keep: None }),
            Decision::Ask { .. } if is_asked_for(&settled.ruling.reason) => {
                if self.has_racers(&again, &settled.ruling) {
                    let mut answered = self.race(&again, settled).await?;
                    given(&mut answered.settled.ruling.decision, Some(&input));
                    Some(answered)
                } else {
                    Some(Raced::refused(settled, "the changed input has to be asked about"))
                }
            }
            Decision::Ask { .. } | Decision::Allow { .. } => {
                let mut allowed = Raced::allowed(settled, racer, reason, None);
                allowed.settled.ruling.decision = Decision::Allow { updated_input: Some(input) };
                Some(allowed)
            }
        }
    }

    /// Records that a person has a rule written, before it is.
    async fn announce(&self, answer: &HumanAnswer, rule: &str) -> Result<(), String> {
        let HumanAnswer { who, place, source, .. } = answer;
        let action = Action {
            kind: "rule",
            who,
            place,
            message: format!(
                "{who} at {place} adds the allow rule `{rule}` to the {} settings",
                source.name()
            ),
            input: json!({ "rule": rule, "list": "allow", "source": source.name() }),
        };
        let record = action.record((self.inside.options.now)());
        self.append(record).await.map_err(|error| error.to_string())
    }

    /// What a person's yes is to leave behind.
    async fn keep(&self, case: &Case, answer: &HumanAnswer) -> Option<Keep> {
        match (answer.choice, &answer.rule) {
            (Choice::Session, Some(rule)) => Some(Keep::SessionRule(rule.clone())),
            (Choice::Session, None) => {
                Some(Keep::SessionGrant { who: answer.who.clone(), place: answer.place.clone() })
            }
            (Choice::Always, Some(rule)) => {
                let places = self.places_of(&case.row);
                let written = self.announce(answer, rule).await.and_then(|()| {
                    let added = crate::settings::add_rule(&places, answer.source, List::Allow, rule);
                    added.map_err(|error| error.to_string())
                });
                // The call itself was approved; that the rule is not there is said in the record.
                Some(Keep::Always { rule: rule.clone(), problem: written.err() })
            }
            (Choice::Always, None) | (Choice::Once | Choice::No, _) => None,
        }
    }
}

impl Raced {
    fn allowed(mut settled: Settled, racer: Racer, reason: Reason, keep: Option<Keep>) -> Raced {
        note(&mut settled.ruling, racer.name(), "allows");
        settled.ruling.decision = Decision::Allow { updated_input: None };
        settled.ruling.reason = reason;
        settled.layer = layer(racer);
        Raced { settled, keep }
    }

    fn denied(mut settled: Settled, racer: Racer, reason: Reason, message: String, stop: bool) -> Raced {
        note(&mut settled.ruling, racer.name(), "denies");
        settled.ruling.decision = Decision::Deny { message, stop };
        settled.ruling.reason = reason;
        settled.layer = layer(racer);
        if racer == Racer::Human {
            settled.denials = settled.denials.after(portcullis_decide::session::Outcome::Refused).0;
        }
        Raced { settled, keep: None }
    }

    /// FAIL-CLOSED(unanswered): a question without an answer is a no.
    fn refused(mut settled: Settled, why: &str) -> Raced {
        note(&mut settled.ruling, "race", why);
        let message = format!("{}: {why}. Tell the user.", settled.ruling.reason.sentence());
        settled.ruling.decision = Decision::Deny { message, stop: false };
        settled.ruling.reason = Reason::Unavailable(why.to_owned());
        settled.layer = Layer::Person;
        Raced { settled, keep: None }
    }

    fn kept(mut self, keep: Option<Keep>) -> Raced {
        self.keep = keep;
        self
    }
}

fn note(ruling: &mut Ruling, who: &str, outcome: &str) {
    let micros = ruling.trace.steps.last().map_or(0, |step| step.micros).max(super::clock::micros());
    ruling.trace.steps.push(Step { step: "H1 race", outcome: format!("{who} {outcome}").into(), micros });
}

const fn layer(racer: Racer) -> Layer {
    match racer {
        Racer::Human => Layer::Person,
        Racer::Hook => Layer::Hook,
        Racer::Classifier => Layer::Model,
    }
}

/// Questions that no program may answer: a deletion that could take everything (S2), and what asks the user (F5).
const fn only_a_person(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::Safety { check: Check::Catastrophe, .. } | Reason::Tool(ToolReason::NeedsInteraction)
    )
}

/// Whether a rule or a check asks, not only that nothing decided.
const fn is_asked_for(reason: &Reason) -> bool {
    matches!(reason, Reason::Rule { .. } | Reason::Safety { .. } | Reason::Tool(_) | Reason::Hook { .. })
}

fn millis(length: Duration) -> u64 {
    u64::try_from(length.as_millis()).unwrap_or(u64::MAX)
}

/// The track of one race: its runners, and what has to be cleared away when it ends, however it ends.
struct Track<'a> {
    gate: &'a Gate,
    case: &'a Case,
    ruling: &'a Ruling,
    longest: Duration,
    sender: mpsc::UnboundedSender<Said>,
    receiver: mpsc::UnboundedReceiver<Said>,
    wanted: Arc<AtomicBool>,
    classifier: Option<AbortHandle>,
    parked: Option<String>,
}

impl<'a> Track<'a> {
    fn begin(gate: &'a Gate, case: &'a Case, ruling: &'a Ruling, longest: Duration) -> Track<'a> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let wanted = Arc::new(AtomicBool::new(true));
        Track { gate, case, ruling, longest, sender, receiver, wanted, classifier: None, parked: None }
    }

    fn start(&mut self, runners: Runners) {
        if let Some(hooks) = runners.hooks {
            self.start_hooks(hooks);
        }
        if let Some((model, words)) = runners.classifier {
            let (gate, case) = (self.gate.clone(), self.case);
            let key = speculate::key(case);
            let (call, sender) = (case.request.call.clone(), self.sender.clone());
            let task = tokio::spawn(async move {
                let said = gate.matched(key, &model, words, &call).await;
                drop(sender.send((Racer::Classifier, classified(said), None)));
            });
            self.classifier = Some(task.abort_handle());
        }
    }

    fn start_hooks(&self, hooks: Hooks) {
        let (sender, wanted) = (self.sender.clone(), Arc::clone(&self.wanted));
        let (call, mode) = (self.case.request.call.clone(), self.case.context.mode);
        let (transcript, root) = (self.case.transcript_path(), self.case.row.root.clone());
        let suggestions = dialog::suggestions(self.ruling);
        let end = Instant::now() + self.longest;
        tokio::task::spawn_blocking(move || {
            let input = HookInput {
                transcript: transcript.as_deref(),
                project: Some(&root),
                suggestions: &suggestions,
                ..HookInput::of(&call, mode)
            };
            let wanted = || wanted.load(Ordering::Relaxed);
            let verdict = hooks.run_while(HookEvent::PermissionRequest, &input, end, &wanted);
            drop(sender.send((Racer::Hook, Vote::from(&verdict), None)));
        });
    }

    /// Runs until somebody wins.
    async fn run(&mut self, terms: Terms) -> (Outcome, Option<HumanAnswer>) {
        let began = Instant::now();
        let now = || millis(began.elapsed());
        let (mut race, mut effects) = Race::start(0, terms);
        let mut stopping = self.gate.inside.stopping.subscribe();
        let mut human = None;
        loop {
            if let Some(outcome) = self.obey(effects) {
                return (outcome, human);
            }
            let wake = race.next_wake().unwrap_or_default().saturating_sub(now());
            let wake = Duration::from_millis(wake).min(LOOK);
            let mut events = Vec::new();
            tokio::select! {
                said = self.receiver.recv() => events.extend(said.map(|said| heard(said, &mut human))),
                () = tokio::time::sleep(wake) => events.push(Event::Tick),
                _ = stopping.wait_for(|stopping| *stopping) => events.push(Event::Stopping),
            }
            // What is there in the same moment counts together: a deny wins.
            while let Ok(said) = self.receiver.try_recv() {
                events.push(heard(said, &mut human));
            }
            let answered = events.iter().any(|event| matches!(event, Event::Said(..)));
            if (answered || wake >= LOOK) && self.gate.is_stale(self.case) {
                events.push(Event::Changed);
            }
            effects = race.on_all(now(), events);
        }
    }

    /// Does what the race says; the outcome once it is over.
    fn obey(&mut self, effects: Vec<Effect>) -> Option<Outcome> {
        let mut outcome = None;
        for effect in effects {
            match effect {
                Effect::ShowDialog => self.show(),
                Effect::Cancel(Racer::Human) => self.withdraw(),
                Effect::Cancel(Racer::Hook) => self.wanted.store(false, Ordering::Relaxed),
                Effect::Cancel(Racer::Classifier) => self.abort(),
                Effect::Settle(settled) => outcome = Some(settled),
                Effect::LogLate(racer, word) => self.gate.log_late(self.case, racer, &word),
            }
        }
        outcome
    }

    fn show(&mut self) {
        let shown = dialog::shown(self.case, self.ruling);
        let covers = dialog::covers(self.case);
        let now = (self.gate.inside.options.now)();
        let deadline = now.saturating_add(millis(self.longest));
        let Some((id, answer)) = self.gate.inside.approvals.park(now, deadline, shown, covers) else {
            drop(self.sender.send((Racer::Human, Vote::Error, None)));
            return;
        };
        self.parked = Some(id);
        let sender = self.sender.clone();
        tokio::spawn(async move {
            if let Ok(answer) = answer.await {
                let word = dialog::word(&answer);
                drop(sender.send((Racer::Human, word, Some(answer))));
            }
        });
    }

    fn withdraw(&mut self) {
        if let Some(id) = self.parked.take() {
            self.gate.inside.approvals.withdraw(&id);
        }
    }

    fn abort(&mut self) {
        if let Some(task) = self.classifier.take() {
            task.abort();
        }
    }
}

impl Drop for Track<'_> {
    /// Whoever asked may go away in the middle: then nothing of the race is left, and nobody gets its answer.
    fn drop(&mut self) {
        self.wanted.store(false, Ordering::Relaxed);
        self.withdraw();
        self.abort();
    }
}

fn heard((racer, word, answer): Said, human: &mut Option<HumanAnswer>) -> Event {
    if answer.is_some() {
        *human = answer;
    }
    Event::Said(racer, word)
}

/// H1: a classifier that does not find a match leaves the race to the others.
fn classified(said: CommandMatch) -> Vote {
    match said {
        CommandMatch::Matches { description } => Vote::Allow {
            reason: Reason::Classifier {
                stage: 0,
                reason: format!("it does what `prompt: {description}` describes"),
                policy: Some(format!("Bash(prompt: {description})")),
                detector: None,
            },
            updated_input: None,
        },
        CommandMatch::No => Vote::Unsafe,
        CommandMatch::Failed(_) => Vote::Error,
    }
}

#[cfg(test)]
mod tests {
    use portcullis_classify::failure::Failure;
    use portcullis_decide::decide;
    use portcullis_decide::rules::{Origin, Source};
    use serde_json::{Value, json};

    use super::*;
    use crate::gate::house::House;

    fn finished(people: People, avoid_prompts: bool, outcome: Outcome) -> Decision {
        let house = House::new(&json!({}));
        let mut case = house.case(house.call("Bash", json!({ "command": "touch x" })));
        let settled = case.review().settle(decide(&case.request.call, &case.context));
        case.request.people = people;
        case.context.switches.avoid_prompts = avoid_prompts;
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let raced = runtime.block_on(house.gate.finished(&case, settled, outcome, None));
        raced.unwrap().settled.ruling.decision
    }

    /// [H1], [M1] Only a host that asks its own user is left with a question: `FAIL-CLOSED(unanswered)`.
    #[test]
    fn a_question_that_nobody_answers_is_a_no_unless_the_host_asks() {
        for (people, avoid_prompts, expected) in [
            (People::Host, false, "ask"),
            (People::Host, true, "deny"),
            (People::Approver, false, "deny"),
            (People::Approver, true, "deny"),
            (People::Nobody, false, "deny"),
            (People::Nobody, true, "deny"),
        ] {
            let decision = finished(people, avoid_prompts, Outcome::Nobody);
            assert_eq!(decision.name(), expected, "{people:?} {avoid_prompts}");
        }
        for outcome in [Outcome::TimedOut, Outcome::Stopped] {
            assert_eq!(finished(People::Host, false, outcome).name(), "deny");
        }
        for word in [Vote::Ask, Vote::Error, Vote::Unsafe] {
            let outcome = Outcome::Answered(Racer::Hook, word);
            assert_eq!(finished(People::Host, false, outcome).name(), "deny");
        }
    }

    /// [H1], [R8]
    #[test]
    fn a_classifier_that_finds_no_match_says_neither_yes_nor_no() {
        assert_eq!(classified(CommandMatch::No), Vote::Unsafe);
        assert_eq!(classified(CommandMatch::Failed(Failure::Timeout)), Vote::Error);
        let matches = classified(CommandMatch::Matches { description: "run the tests".to_owned() });
        let Vote::Allow { reason: Reason::Classifier { policy, .. }, updated_input: None } = matches else {
            panic!("{matches:?}")
        };
        assert_eq!(policy.as_deref(), Some("Bash(prompt: run the tests)"));
    }

    fn is_classified(more: &Value, tool: &str, input: &Value, reason: &Reason) -> bool {
        let mut settings = json!({
            "permissions": { "allow": ["Bash(prompt: run the tests)"] },
            "classifier": { "model": "judge-1", "baseUrl": "http://127.0.0.1:9", "keyEnv": "" },
        });
        for (name, value) in more.as_object().into_iter().flatten() {
            settings[name] = value.clone();
        }
        let house = House::new(&settings);
        let case = house.case(house.call(tool, input.clone()));
        house.gate.command_classifier(&case, reason).is_some()
    }

    /// [R8], [H3] Rules in words allow only what nothing else decided.
    #[test]
    fn the_command_classifier_is_asked_only_where_nothing_decided() {
        let (plain, make) = (json!({}), json!({ "command": "make check" }));
        let rule = |list| Reason::Rule {
            rule: "Bash(make:*)".to_owned(),
            list,
            origin: Origin::of(Source::User),
            clear: true,
            part: None,
        };
        let safety = Reason::Safety {
            check: Check::ProtectedWrite,
            detail: String::new(),
            classifier_approvable: true,
            part: None,
        };
        assert!(is_classified(&plain, "Bash", &make, &Reason::NoRule));
        assert!(is_classified(&plain, "Bash", &make, &Reason::Parts(Vec::new())));
        for reason in [rule(List::Ask), rule(List::Deny), safety, Reason::Tool(ToolReason::NeedsInteraction)]
        {
            assert!(!is_classified(&plain, "Bash", &make, &reason), "{reason:?}");
        }
        let url = json!({ "url": "https://x.test/", "prompt": "x" });
        assert!(!is_classified(&plain, "WebFetch", &url, &Reason::NoRule), "not a command");
        assert!(is_classified(&json!({ "commandClassifier": true }), "Bash", &make, &Reason::NoRule));
        assert!(!is_classified(&json!({ "commandClassifier": false }), "Bash", &make, &Reason::NoRule));
        let denies = json!({ "permissions": { "deny": ["Bash(prompt: run the tests)"] } });
        assert!(!is_classified(&denies, "Bash", &make, &Reason::NoRule), "only allow rules are in words");
        assert!(!is_classified(&json!({ "permissions": {} }), "Bash", &make, &Reason::NoRule), "no words");
        assert!(!is_classified(&json!({ "classifier": {} }), "Bash", &make, &Reason::NoRule), "no model");
    }

    /// [S2], [F5], [H1]
    #[test]
    fn no_program_answers_what_only_a_person_may() {
        let hooks = json!({ "hooks": { "PermissionRequest": [{ "hooks": [{ "type": "command", "command": "true" }] }] } });
        let house = House::new(&hooks);
        let case = house.case(house.call("Bash", json!({ "command": "touch x" })));
        let has_racers = |reason: Reason| {
            let mut ruling = decide(&case.request.call, &case.context);
            ruling.reason = reason;
            house.gate.has_racers(&case, &ruling)
        };
        let safety =
            |check| Reason::Safety { check, detail: String::new(), classifier_approvable: false, part: None };
        assert!(has_racers(Reason::NoRule) && has_racers(safety(Check::ProtectedWrite)));
        assert!(!has_racers(safety(Check::Catastrophe)));
        assert!(!has_racers(Reason::Tool(ToolReason::NeedsInteraction)));
        house.gate.approvals().attend();
        assert!(has_racers(safety(Check::Catastrophe)), "a person is there");
    }
}
