//! The order of one call (SPEC F0), and the one place where trouble becomes a deny.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use portcullis_decide::{Decision, Reason, Ruling, Step, Trace, decide};
use tokio::sync::oneshot;

use super::case::Case;
use super::lock::locked;
use super::race::Raced;
use super::record::Judged;
use super::request::{Answer, People, Request};
use super::{Gate, workers};
use crate::hooks::{HookEvent, HookInput, HookVerdict, Hooks, apply};
use crate::settle::{Hearing, Settled};
use crate::world::{look_up, project_instructions, surroundings};

/// How often a call is judged again because something changed while somebody was asked.
const TRIES: usize = 3;
/// The most that a model may take (A3).
const MODEL: Duration = Duration::from_secs(30);
/// The most that hooks may take before a call is judged.
const HOOKS: Duration = Duration::from_mins(1);

/// What a hook is told no for.
const UNCHANGED: &str = "it changed the input, and this agent cannot be given another one";

/// How far a judgement got without waiting for anybody.
pub(crate) enum Begun {
    /// It was refused before it began.
    Refused(Box<Request>, Ruling),
    /// Nothing is left open.
    Settled(Box<Case>, Settled),
    /// A model or a person has to be waited for.
    Open(Box<Case>, Ruling),
}

impl Gate {
    /// Judges a call: allow, deny or ask. It always comes back, and an allow is durable when it does.
    pub async fn judge(&self, request: Request) -> Answer {
        let mut asked = Asked { gate: self, request: &request, answered: false };
        let answer = self.judge_and_record(&request).await;
        asked.answered = true;
        answer
    }

    async fn judge_and_record(&self, request: &Request) -> Answer {
        for _ in 0..TRIES {
            let (gate, asked) = (self.clone(), request.clone());
            let (sender, told) = oneshot::channel();
            let begun = tokio::task::spawn_blocking(move || match gate.begin(asked) {
                // It is written down where it was judged: another thread would have to be woken for it.
                Begun::Settled(case, settled) => {
                    gate.tell(gate.judged(*case, settled), |answer| drop(sender.send(answer)));
                    None
                }
                begun @ (Begun::Refused(..) | Begun::Open(..)) => Some(begun),
            });
            let begun = match begun.await {
                Ok(None) => match told.await {
                    Ok(answer) => return answer,
                    Err(_) => broken_off(request),
                },
                Ok(Some(begun)) => begun,
                Err(_) => broken_off(request),
            };
            match begun {
                Begun::Refused(request, ruling) => return self.record_refusal(&request, ruling).await,
                Begun::Settled(case, settled) => return self.record(*case, settled, None).await,
                Begun::Open(case, ruling) => {
                    if let Some(answer) = self.wait(*case, ruling).await {
                        return answer;
                    }
                }
            }
        }
        self.record_refusal(request, restless()).await
    }

    /// The same for callers without an asynchronous runtime; one is only built where somebody has to be waited for.
    #[must_use]
    pub fn judge_blocking(&self, request: &Request) -> Answer {
        for _ in 0..TRIES {
            let attempt = AssertUnwindSafe(|| self.begin(request.clone()));
            match catch_unwind(attempt).unwrap_or_else(|_| broken_off(request)) {
                Begun::Refused(request, ruling) => return self.record_refusal_now(&request, ruling),
                Begun::Settled(case, settled) => return self.record_now(*case, settled),
                Begun::Open(case, ruling) => {
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                    let Ok(runtime) = runtime else {
                        // FAIL-CLOSED(no-runtime): who cannot be waited for has not said yes.
                        let reason = Reason::Unavailable("nobody could be asked: no runtime".to_owned());
                        return self.record_refusal_now(request, refuse("F0 settle", reason));
                    };
                    let answer = runtime.block_on(self.wait(*case, ruling));
                    // A name that is still being looked up must not hold the answer back.
                    runtime.shutdown_background();
                    if let Some(answer) = answer {
                        return answer;
                    }
                }
            }
        }
        self.record_refusal_now(request, restless())
    }

    /// Judges a call that nobody has to be waited for: no hook, no model, no person. Nothing comes back for others.
    #[must_use]
    pub fn judge_at_once(&self, request: &Request) -> Option<Judged> {
        let attempt = || {
            if self.is_locked().is_some() {
                return None;
            }
            let case = self.case(request.clone()).ok()?;
            let (hooks, _) = Hooks::from_settings(&case.settings.settings.hooks);
            if hooks.concern(HookEvent::PreToolUse, &case.request.call.tool) {
                return None;
            }
            match self.judge_case(case) {
                Begun::Settled(case, settled) => Some(self.judged(*case, settled)),
                Begun::Refused(..) | Begun::Open(..) => None,
            }
        };
        // A judgement that broke off is tried again where that is a deny.
        catch_unwind(AssertUnwindSafe(attempt)).unwrap_or(None)
    }

    /// Everything that needs no waiting: validate, hooks, decide, the built-in judge.
    pub(crate) fn begin(&self, request: Request) -> Begun {
        if let Some(ruling) = self.is_locked() {
            return Begun::Refused(Box::new(request), ruling);
        }
        match self.case(request.clone()) {
            Ok(case) => self.judge_case(case),
            // FAIL-CLOSED(no-case): what cannot be put together cannot be judged.
            Err(refusal) => Begun::Refused(Box::new(request), refuse("F12 input", refusal.reason())),
        }
    }

    fn judge_case(&self, mut case: Case) -> Begun {
        let ruling = self.first_word(&mut case);
        let ruling = self.granted(&mut case, ruling);
        let open = matches!(ruling.decision, Decision::Ask { pending_classifier_check: true, .. });
        if open && self.model(&case.settings, case.request.model.as_deref()).is_some() {
            return Begun::Open(Box::new(case), ruling);
        }
        let settled = case.hearing().settle(ruling);
        if asks(&settled) && self.has_racers(&case, &settled.ruling) {
            return Begun::Open(Box::new(case), settled.ruling);
        }
        Begun::Settled(Box::new(case), settled)
    }

    /// The user's hooks and the walk.
    fn first_word(&self, case: &mut Case) -> Ruling {
        if let Some(reason) = workers::refused(case) {
            return refuse("H5 sub-agent", reason);
        }
        let (hooks, _) = Hooks::from_settings(&case.settings.settings.hooks);
        let call = case.request.call.clone();
        if !hooks.concern(HookEvent::PreToolUse, &call.tool) {
            look_up(&call, &mut case.context);
            return decide(&call, &case.context);
        }
        let transcript = case.transcript_path();
        let input = HookInput {
            transcript: transcript.as_deref(),
            project: Some(&case.row.root),
            ..HookInput::of(&call, case.context.mode)
        };
        (self.inside.options.waiting)(HOOKS);
        let verdict = hooks.run(HookEvent::PreToolUse, &input, Instant::now() + HOOKS);
        let verdict = self.passed_on(case, verdict);
        let rewritten = verdict.rewritten(&call).into_owned();
        look_up(&rewritten, &mut case.context);
        let ruling = apply(&call, &case.context, &verdict, |call| decide(call, &case.context));
        // Whatever comes later is about what would really run (T5).
        case.request.call = rewritten;
        case.changed = verdict.updated_input;
        ruling
    }

    /// What of the hooks' verdict the host can be told.
    fn passed_on(&self, case: &mut Case, verdict: HookVerdict) -> HookVerdict {
        let Some(changed) = &verdict.updated_input else { return verdict };
        if case.request.changes.told(changed.clone()).is_none() {
            // FAIL-CLOSED(rewrite-form): the host would run the call as it was sent, which is not what is wanted.
            self.failed("rewrite-form");
            return verdict.without_rewrite(UNCHANGED);
        }
        // FAIL-CLOSED(rewrite-ask): the host would ask its user about the input that it sent, and run that one.
        case.request.people = case.request.people.without_host();
        case.context.switches.avoid_prompts |= self.nobody_to_ask(&case.request, &case.row);
        verdict
    }

    /// Waits for the model and for people. Nothing where what the answer depends on changed meanwhile (R12).
    async fn wait(&self, case: Case, ruling: Ruling) -> Option<Answer> {
        let Raced { settled, keep } = self.settle(&case, ruling).await?;
        // Somebody may have locked the gate while others were asked.
        if let Some(ruling) = self.is_locked() {
            return Some(self.record_refusal(&case.request, ruling).await);
        }
        // FAIL-CLOSED(stale): a verdict under other rules or in another mode is none about this call.
        if self.is_stale(&case) {
            return None;
        }
        Some(self.record(case, settled, keep).await)
    }

    /// What every call gets while the gate is locked (A7); no rule, grant or pause changes that.
    fn is_locked(&self) -> Option<Ruling> {
        let lock = locked(&self.inside.options.places.state)?;
        Some(refuse("A7 lock", Reason::Unavailable(lock.message())))
    }

    /// Whether rules, mode or trusted directories are no longer those that the judgement began with.
    pub(crate) fn is_stale(&self, case: &Case) -> bool {
        self.case(case.request.clone()).map_or(true, |now| now.binding() != case.binding())
    }

    async fn settle(&self, case: &Case, ruling: Ruling) -> Option<Raced> {
        let hearing = case.hearing();
        let open = matches!(ruling.decision, Decision::Ask { pending_classifier_check: true, .. });
        let model = self.model(&case.settings, case.request.model.as_deref()).filter(|_| open);
        let settled = match model {
            Some(model) => {
                let around = surroundings(&case.request.call.cwd, &case.context);
                let told = project_instructions(&case.context);
                (self.inside.options.waiting)(MODEL);
                hearing.settle_with_model(ruling, &model, &around, &told).await
            }
            None => hearing.settle(ruling),
        };
        if asks(&settled) && self.has_racers(case, &settled.ruling) {
            return self.race(case, settled).await;
        }
        Some(Raced { settled, keep: None })
    }
}

/// Somebody who asked. They may go away in the middle: then nobody gets the answer, and that is written down.
struct Asked<'a> {
    gate: &'a Gate,
    request: &'a Request,
    answered: bool,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if !self.answered {
            self.gate.log_abandoned(self.request);
        }
    }
}

impl Case {
    /// The call before its judges.
    pub(crate) fn hearing(&self) -> Hearing<'_> {
        Hearing {
            call: &self.request.call,
            context: &self.context,
            transcript: &self.talk,
            strictness: self.strictness(),
        }
    }

    /// Whether the caller puts the question to its own user.
    pub(crate) fn host_asks(&self) -> bool {
        self.request.people == People::Host && !self.context.switches.avoid_prompts
    }
}

pub(crate) const fn asks(settled: &Settled) -> bool {
    matches!(settled.ruling.decision, Decision::Ask { .. })
}

fn broken_off(request: &Request) -> Begun {
    // FAIL-CLOSED(panic): a judgement that broke off has not said yes.
    let problem = "the judgement broke off because of a mistake in portcullis; please report the call";
    Begun::Refused(Box::new(request.clone()), refuse("F0 judgement", Reason::Unavailable(problem.to_owned())))
}

fn restless() -> Ruling {
    // FAIL-CLOSED(restless): rules or mode changed again and again while somebody was asked.
    let problem = "the settings kept changing while the call was judged; try again";
    refuse("F0 settle", Reason::Unavailable(problem.to_owned()))
}

/// A deny that names its step.
pub(crate) fn refuse(step: &'static str, reason: Reason) -> Ruling {
    let sentence = reason.sentence();
    let invalid = matches!(reason, Reason::Invalid(_));
    let message = if invalid { format!("the call is not valid: {sentence}") } else { sentence };
    let trace = Trace { steps: vec![Step { step, outcome: message.clone().into(), micros: 0 }] };
    Ruling { decision: Decision::Deny { message, stop: false }, reason, trace }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::gate::house::House;

    /// [R12], [A3] `FAIL-CLOSED(restless)`, `FAIL-CLOSED(panic)`.
    #[test]
    fn a_judgement_that_does_not_come_to_an_end_is_a_deny() {
        let ruling = restless();
        assert_eq!((ruling.decision.name(), ruling.reason.word()), ("deny", "unavailable"));
        let house = House::new(&json!({}));
        let request = house.call("Bash", json!({ "command": "ls" }));
        let Begun::Refused(_, ruling) = broken_off(&request) else { panic!("not refused") };
        assert_eq!((ruling.decision.name(), ruling.reason.word()), ("deny", "unavailable"));
    }
}
