//! The classifier: asks a model in one or two stages (SPEC C1, C10, C16). Only a model's explicit "do not block"
//! allows. The second stage runs if the first says anything else, and has the last word.

use crate::client::{Client, Exchange, StopAsked, Usage, deadline_after};
use crate::dump::Dump;
use crate::failure::Failure;
use crate::prompt::{Prompt, Stage, VERSION};
use crate::reply::{Expected, Parsed, parse};
use crate::request::{Case, Limits, Request, STOP_SEQUENCE};
use crate::settings::{ClassifierSettings, StageMode};

/// The verdict of the classifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Do not block.
    Allow,
    /// Block.
    Block {
        /// The stage that decided.
        stage: Stage,
        /// The model's reason, made safe to show; may be empty.
        reason: String,
        /// The id of the block rule that it names.
        policy: Option<String>,
    },
    /// There is no valid answer.
    Failed(Failure),
}

/// The record of one request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageRecord {
    /// The stage.
    pub stage: Stage,
    /// The model that was asked.
    pub model: String,
    /// The verdict of this stage alone.
    pub outcome: Outcome,
    /// The tokens used.
    pub usage: Usage,
    /// The cost in billionths of a dollar; `None` if the price is not known.
    pub cost: Option<u64>,
    /// How often the request was sent.
    pub attempts: u32,
    /// The time it took, in microseconds.
    pub micros: u64,
}

/// A verdict and how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The verdict.
    pub outcome: Outcome,
    /// The requests, in order.
    pub stages: Vec<StageRecord>,
    /// The version of the prompt.
    pub prompt_version: u32,
    /// Why a dump could not be written, if one could not.
    pub dump_problem: Option<String>,
}

/// Asks a model to judge an action. Returns within the settings' timeout, and whatever goes wrong is an outcome that
/// does not allow. Dropping the future cancels the request.
pub async fn classify(
    client: &Client,
    settings: &ClassifierSettings,
    prompt: &Prompt,
    case: Case<'_>,
    dump: Option<&Dump<'_>>,
) -> Judged {
    let deadline = deadline_after(settings.timeout);
    // FAIL-CLOSED(classifier-silent): until a stage has spoken, the outcome is a failure.
    let outcome = Outcome::Failed(Failure::Cancelled);
    let mut judged = Judged { outcome, stages: Vec::new(), prompt_version: VERSION, dump_problem: None };
    let mut next = Some(first(settings.mode));
    while let Some(stage) = next {
        let request = Request::new(prompt, case, stage, limits(settings, stage, client.always_thinks()));
        let exchange = client.send(&request, deadline).await;
        let outcome = read(stage, &exchange, prompt);
        if let Some(dump) = dump {
            let failure = failure(&outcome);
            judged.dump_problem =
                dump.keep(stage.name(), &exchange, failure).err().map(|error| error.to_string());
        }
        judged.stages.push(record(stage, client, &exchange, outcome.clone()));
        next = after(settings.mode, stage, &outcome);
        judged.outcome = outcome;
    }
    judged
}

/// The stage that a verdict begins with.
const fn first(mode: StageMode) -> Stage {
    match mode {
        StageMode::Both | StageMode::Fast => Stage::First,
        StageMode::Thinking => Stage::Second,
    }
}

/// The stage that follows. A server that failed will not do better when asked for more.
fn after(mode: StageMode, stage: Stage, outcome: &Outcome) -> Option<Stage> {
    let unsettled = match outcome {
        Outcome::Block { .. } | Outcome::Failed(Failure::Unparseable(_)) => true,
        Outcome::Allow | Outcome::Failed(_) => false,
    };
    match (mode, stage) {
        (StageMode::Both, Stage::First) if unsettled => Some(Stage::Second),
        (StageMode::Both | StageMode::Fast | StageMode::Thinking, Stage::First | Stage::Second) => None,
    }
}

/// What a stage may say.
fn limits(settings: &ClassifierSettings, stage: Stage, thinks: bool) -> Limits {
    let budgets = settings.budgets;
    let (tokens, stop) = match (settings.mode, stage) {
        (StageMode::Both, Stage::First) => (budgets.first, Some(STOP_SEQUENCE)),
        (StageMode::Fast | StageMode::Thinking, Stage::First) => (budgets.fast, None),
        (StageMode::Both | StageMode::Fast | StageMode::Thinking, Stage::Second) => (budgets.second, None),
    };
    let extra = if thinks { budgets.thinking } else { 0 };
    Limits { tokens: tokens.saturating_add(extra), temperature: settings.temperature, stop }
}

fn read(stage: Stage, exchange: &Exchange, prompt: &Prompt) -> Outcome {
    let answer = match &exchange.result {
        Ok(answer) => answer,
        Err(failure) => return Outcome::Failed(*failure),
    };
    let expected = match (stage, answer.stop) {
        (Stage::First, StopAsked::Yes) => Expected::FirstStopped,
        (Stage::First, StopAsked::No) => Expected::First,
        (Stage::Second, StopAsked::Yes | StopAsked::No) => Expected::Second,
    };
    match parse(&answer.reply, expected, &|id| prompt.policy.block_rule(id).is_some()) {
        Parsed::Allow => Outcome::Allow,
        Parsed::Block { reason, policy } => Outcome::Block { stage, reason, policy },
        Parsed::Unparseable(why) => Outcome::Failed(Failure::Unparseable(why)),
    }
}

fn failure(outcome: &Outcome) -> Option<Failure> {
    match outcome {
        Outcome::Failed(failure) => Some(*failure),
        Outcome::Allow | Outcome::Block { .. } => None,
    }
}

fn record(stage: Stage, client: &Client, exchange: &Exchange, outcome: Outcome) -> StageRecord {
    let answer = exchange.result.as_ref().ok();
    StageRecord {
        stage,
        model: client.model().to_owned(),
        outcome,
        usage: answer.map(|answer| answer.usage).unwrap_or_default(),
        cost: answer.and_then(|answer| answer.cost),
        attempts: exchange.attempts,
        micros: exchange.micros,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::Unparseable;
    use crate::settings::Api;

    fn settings(mode: StageMode) -> ClassifierSettings {
        ClassifierSettings { mode, ..ClassifierSettings::new(Api::Anthropic, "m") }
    }

    /// [C10]
    #[test]
    fn budgets_and_stop_sequences_are_the_contracts() {
        let of = |mode, stage, thinks| {
            let limits = limits(&settings(mode), stage, thinks);
            assert_eq!(limits.temperature, Some(0.0));
            (limits.tokens, limits.stop)
        };
        assert_eq!(of(StageMode::Both, Stage::First, false), (64, Some("</block>")));
        assert_eq!(of(StageMode::Both, Stage::Second, false), (4096, None));
        assert_eq!(of(StageMode::Fast, Stage::First, false), (256, None));
        assert_eq!(of(StageMode::Thinking, Stage::Second, false), (4096, None));
        assert_eq!(of(StageMode::Both, Stage::First, true), (64 + 2048, Some("</block>")));
        assert_eq!(of(StageMode::Thinking, Stage::Second, true), (4096 + 2048, None));
    }

    /// [C10]
    #[test]
    fn the_second_stage_runs_when_the_first_does_not_say_no() {
        let block = Outcome::Block { stage: Stage::First, reason: String::new(), policy: None };
        let unparseable = Outcome::Failed(Failure::Unparseable(Unparseable::Empty));
        let broken = Outcome::Failed(Failure::Overloaded);
        for outcome in [&block, &unparseable] {
            assert_eq!(after(StageMode::Both, Stage::First, outcome), Some(Stage::Second));
            assert_eq!(after(StageMode::Both, Stage::Second, outcome), None);
            assert_eq!(after(StageMode::Fast, Stage::First, outcome), None);
            assert_eq!(after(StageMode::Thinking, Stage::Second, outcome), None);
        }
        for outcome in [&Outcome::Allow, &broken] {
            assert_eq!(after(StageMode::Both, Stage::First, outcome), None);
        }
        assert_eq!(first(StageMode::Thinking), Stage::Second);
        assert_eq!(first(StageMode::Fast), Stage::First);
    }

    /// A verdict can be waited for on any thread.
    #[test]
    fn a_verdict_can_be_sent() {
        fn is_send<T: Send>(_: &T) {}
        let settings = ClassifierSettings { key_env: None, ..settings(StageMode::Both) };
        let client = Client::new(&settings, None).unwrap();
        let (prompt, framed) = (crate::request::tests::prompt(), crate::request::tests::framed());
        let redact = |text: &str| text.to_owned();
        let dump = Dump { folder: "/nowhere".into(), kept: crate::dump::Kept::Failures, redact: &redact };
        is_send(&classify(
            &client,
            &settings,
            &prompt,
            Case { instructions: &[], framed: &framed },
            Some(&dump),
        ));
    }
}
