//! The order of one call, written once: facts about the world, hooks, the decision, and the judges that answer what
//! it leaves open.
//!
//! Everything that asks about a call comes through here (the hook program, `check`, `replay`, `eval`, policy tests,
//! `explain`, `learn`), so that it gets the same ruling everywhere. Callers differ only in where facts come from
//! ([`World`]) and in who answers what is left open ([`Reviewer`]). There is no store and no person here;
//! [`Gate`](crate::Gate) adds those.

use std::panic::{AssertUnwindSafe, catch_unwind};

use portcullis_classify::judge::Strictness;
use portcullis_classify::transcript::Transcript;
use portcullis_decide::session::Denials;
use portcullis_decide::view::View;
use portcullis_decide::{Context, Decision, Reason, Ruling, Step, ToolCall, Trace, decide_with_view};

use crate::hooks::{HookVerdict, apply};
use crate::settings::Settings;
use crate::settle::{Layer, Model, ModelEnvironment, OutsideWords, Review, Settled};
use crate::world::{look_up, project_instructions, surroundings};

/// Where facts about files, links and git come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum World {
    /// The context holds them already, as in a made-up world.
    Given,
    /// They are looked up now.
    Now,
    /// They are looked up now, for a call of the past: files may be gone since.
    Past,
}

/// Who answers what the decision leaves open to a judge.
#[derive(Clone, Copy)]
pub enum Reviewer<'a> {
    /// Nobody: it stays open.
    Nobody,
    /// The built-in judge.
    BuiltIn,
    /// The built-in judge where it is certain; what a model would be asked stays open.
    CertainOnly,
    /// The built-in judge where it is certain, then this model.
    Model(&'a Model),
    /// As [`Reviewer::Model`], with the model of the settings, if they name one. It is set up only if it is asked.
    Configured(&'a Settings, &'a ModelEnvironment),
}

/// A call, and everything besides its context that the ruling depends on.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The call, as it was sent.
    pub call: &'a ToolCall,
    /// The verdict of the user's hooks.
    pub hooks: &'a HookVerdict,
    /// Where facts about the world come from.
    pub world: World,
    /// The conversation before the call.
    pub transcript: &'a Transcript,
    /// How strict the built-in judge is.
    pub strictness: Strictness,
    /// Words of the user from outside the transcript.
    pub outside_words: &'a OutsideWords,
    /// Who answers what the decision leaves open.
    pub reviewer: Reviewer<'a>,
}

impl<'a> Input<'a> {
    /// A call without a conversation, with nobody to review it.
    #[must_use]
    pub fn of(call: &'a ToolCall, world: World) -> Input<'a> {
        Input {
            call,
            hooks: HookVerdict::nothing(),
            world,
            transcript: Transcript::empty(),
            strictness: Strictness::Balanced,
            outside_words: OutsideWords::nothing(),
            reviewer: Reviewer::Nobody,
        }
    }
}

/// Judges a call without waiting for people. If the code panics, the call is denied.
#[must_use]
pub fn judge(input: &Input<'_>, context: &mut Context) -> Settled {
    let denials = context.denials;
    guarded(|| run(input, context), |ruling| plain(ruling, denials))
}

/// As [`judge`], but a panic goes to the caller: for evaluations, which count it as a crash.
#[must_use]
pub fn run(input: &Input<'_>, context: &mut Context) -> Settled {
    let walked = walk(input.call, context, input.hooks, input.world);
    review(input, context, walked)
}

/// How far the walk got, and what it saw: whoever comes later looks at the same.
pub(crate) struct Walked {
    pub(crate) ruling: Ruling,
    pub(crate) view: View,
}

/// What needs no judge: facts about the world, the verdict of hooks, and the walk.
pub(crate) fn walk(call: &ToolCall, context: &mut Context, hooks: &HookVerdict, world: World) -> Walked {
    let sent = hooks.rewritten(call);
    context.facts.replayed |= world == World::Past;
    if world != World::Given {
        look_up(&sent, context);
    }
    let view = View::of(&sent, context);
    let ruling = apply(call, context, hooks, |call| decide_with_view(call, &view, context));
    Walked { ruling, view }
}

/// What the judges make of a ruling.
fn review(input: &Input<'_>, context: &Context, walked: Walked) -> Settled {
    let Walked { ruling, view } = walked;
    let call = &*input.hooks.rewritten(input.call);
    let (transcript, strictness, outside_words) = (input.transcript, input.strictness, input.outside_words);
    let review = Review { call, view: &view, context, transcript, strictness, outside_words };
    let unanswered = |ruling| Settled { unanswered: true, ..plain(ruling, context.denials) };
    match input.reviewer {
        Reviewer::Nobody => plain(ruling, context.denials),
        Reviewer::CertainOnly => {
            review.settle_without_asking(ruling.clone()).unwrap_or_else(|| unanswered(ruling))
        }
        Reviewer::Model(model) if is_open(&ruling) => ask(model, &review, ruling),
        Reviewer::Configured(settings, environment) if is_open(&ruling) => {
            match Model::configured(settings, environment) {
                Some(model) => ask(&model, &review, ruling),
                None => review.settle(ruling),
            }
        }
        Reviewer::BuiltIn | Reviewer::Model(_) | Reviewer::Configured(..) => review.settle(ruling),
    }
}

fn ask(model: &Model, review: &Review<'_>, ruling: Ruling) -> Settled {
    let around = surroundings(&review.call.cwd, review.context);
    let instructions = project_instructions(review.context);
    review.settle_waiting(ruling, model, &around, &instructions)
}

/// Whether a judge may answer it.
#[must_use]
pub const fn is_open(ruling: &Ruling) -> bool {
    matches!(ruling.decision, Decision::Ask { pending_classifier_check: true, .. })
}

/// The strictness of the built-in judge under these settings; `complete` is false if some of the conversation could
/// not be read.
#[must_use]
pub fn strictness(settings: &Settings, complete: bool) -> Strictness {
    let strict = settings.auto_mode.strict.as_ref().is_some_and(|strict| strict.value);
    // FAIL-CLOSED(unread-conversation): words that were not understood may have forbidden something.
    if strict || !complete { Strictness::Strict } else { Strictness::Balanced }
}

/// Runs a judgement; if it panics, `answer` gets a deny instead.
pub fn guarded<T>(judgement: impl FnOnce() -> T, answer: impl FnOnce(Ruling) -> T) -> T {
    catch_unwind(AssertUnwindSafe(judgement)).unwrap_or_else(|_| answer(broken_off()))
}

/// The deny of a judgement that broke off.
pub(crate) fn broken_off() -> Ruling {
    // FAIL-CLOSED(panic): a judgement that broke off has not said yes.
    let problem = "the judgement broke off because of a mistake in portcullis; please report the call";
    refuse("F0 judgement", Reason::Unavailable(problem.to_owned()))
}

/// A deny with a single step in its trace.
pub fn refuse(step: &'static str, reason: Reason) -> Ruling {
    let sentence = reason.sentence();
    let invalid = matches!(reason, Reason::Invalid(_) | Reason::Limit(_));
    let message = if invalid { format!("the call is not valid: {sentence}") } else { sentence };
    let trace = Trace { steps: vec![Step { step, outcome: message.clone().into(), micros: 0 }] };
    Ruling { decision: Decision::Deny { message, stop: false }, reason, trace }
}

/// The ruling as it is, with no judge asked.
#[must_use]
pub fn plain(ruling: Ruling, denials: Denials) -> Settled {
    let asks = matches!(ruling.decision, Decision::Ask { .. });
    let layer = if asks { Layer::Person } else { Layer::Rules };
    Settled::new(ruling, denials, layer)
}
