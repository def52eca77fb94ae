//! The order of one call (SPEC F0), and the one place where trouble becomes a deny.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use portcullis_decide::{Decision, Reason, Ruling, ToolCall};
use tokio::sync::oneshot;

use super::case::Case;
use super::race::Raced;
use super::record::UnrecordedAnswer;
use super::request::{Answer, People, Request};
use super::{Gate, workers};
use crate::admin::locked;
use crate::hooks::{HookEvent, HookInput, HookVerdict, Hooks};
use crate::pipeline::{self, World, is_open, refuse};
use crate::settle::{Review, Settled};
use crate::world::{project_instructions, surroundings};

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
    /// Judges a call and records the answer: allow, deny or ask. It always returns; an allow is durable in the store
    /// before it does.
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
                    gate.deliver(gate.judged(*case, settled), |answer| drop(sender.send(answer)));
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

    /// As [`Gate::judge`], for callers without an asynchronous runtime. One is only built where a model, a hook or a
    /// person has to be waited for.
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

    /// Judges a call if nothing has to be waited for: no hook, no model, no person. `None` if something has; then use
    /// [`Gate::judge`]. The answer has to be released with [`Gate::deliver`].
    #[must_use]
    pub fn judge_at_once(&self, request: &Request) -> Option<UnrecordedAnswer> {
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
        let open = is_open(&ruling);
        if open && self.model(&case.settings, case.request.model.as_deref()).is_some() {
            return Begun::Open(Box::new(case), ruling);
        }
        let settled = case.review().settle(ruling);
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
            return walk(&call, case, HookVerdict::nothing());
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
        let ruling = walk(&call, case, &verdict);
        // Whatever comes later is about what would really run (T5).
        case.request.call = rewritten;
        case.changed = verdict.updated_input;
        ruling
    }

    /// What of the hooks' verdict the host can be told.
    fn passed_on(&self, case: &mut Case, verdict: HookVerdict) -> HookVerdict {
        let Some(changed) = &verdict.updated_input else { return verdict };
        if case.request.changes.in_own_terms(changed.clone()).is_none() {
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
        let review = case.review();
        let open = is_open(&ruling);
        let model = self.model(&case.settings, case.request.model.as_deref()).filter(|_| open);
        let settled = match model {
            Some(model) => {
                let around = surroundings(&case.request.call.cwd, &case.context);
                let told = project_instructions(&case.context);
                (self.inside.options.waiting)(MODEL);
                review.settle_with_model(ruling, &model, &around, &told).await
            }
            None => review.settle(ruling),
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
    pub(crate) fn review(&self) -> Review<'_> {
        Review {
            call: &self.request.call,
            view: &self.view,
            context: &self.context,
            transcript: &self.talk,
            strictness: self.strictness(),
            outside_words: &self.outside_words,
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

/// The walk; what it saw stays with the case.
fn walk(call: &ToolCall, case: &mut Case, hooks: &HookVerdict) -> Ruling {
    let walked = pipeline::walk(call, &mut case.context, hooks, World::Now);
    case.view = walked.view;
    walked.ruling
}

fn broken_off(request: &Request) -> Begun {
    Begun::Refused(Box::new(request.clone()), pipeline::broken_off())
}

fn restless() -> Ruling {
    // FAIL-CLOSED(restless): rules or mode changed again and again while somebody was asked.
    let problem = "the settings kept changing while the call was judged; try again";
    refuse("F0 settle", Reason::Unavailable(problem.to_owned()))
}
