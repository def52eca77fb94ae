//! `portcullis check`: what a call would get, for people and for programs (SPEC J1, J2).

use std::path::Path;
use std::process::ExitCode;

use portcullis_decide::{Decision, Ruling};
use portcullis_gate::GateError;
use portcullis_gate::settings::Places;
use portcullis_gate::settle::token_totals;
use portcullis_gate::verdicts::{Verdict, Verdicts};

use super::asked::{Answered, Call, World};
use super::{check_batch, check_view, stats};
use crate::output;

/// What to check and how to show it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    call: Call,
    #[command(flatten)]
    world: World,
    /// Answer JSON lines from standard input: `{"id", "tool", "input", "cwd", "mode", "rules"}`.
    #[arg(long, conflicts_with_all = ["tool", "input", "input_json"])]
    batch: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Count the answer in `portcullis stats`. A check is a question, so it is not counted by itself.
    #[arg(long, conflicts_with = "batch")]
    record: bool,
}

/// Judges the call; exits 0 for allow, 1 for deny, 2 for ask, 3 for an error.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let judge = match arguments.world.open() {
        Ok(judge) => judge,
        Err(message) => return output::fail(&message),
    };
    let trouble = output::problems(&judge.loaded);
    if arguments.batch {
        return check_batch::run(&judge, trouble);
    }
    let answered = match arguments.call.judge(&judge, &arguments.world) {
        Ok(answered) => answered,
        Err(message) => return output::fail(&message),
    };
    if arguments.record
        && let Err(error) = record(&answered, arguments.world.session())
    {
        return output::fail(&output::visible(&error.to_string()));
    }
    let written = if arguments.json {
        output::print_call_json(&answered.ruling.to_json())
    } else {
        output::print_call(&check_view::render(&answered))
    };
    if written != ExitCode::SUCCESS || trouble {
        // Rules that were lost make any answer doubtful (R2).
        return ExitCode::from(output::ERROR);
    }
    ExitCode::from(code(&answered.ruling))
}

/// Writes down what the verdict took (C16).
fn record(answered: &Answered, session: Option<&str>) -> Result<(), GateError> {
    let ruling = &answered.ruling;
    let (tokens_in, tokens_out, tokens_cached) = token_totals(&answered.stages);
    let last = answered.stages.last();
    let costs: Option<Vec<u64>> = answered.stages.iter().map(|stage| stage.cost).collect();
    let verdict = Verdict {
        model: last.map(|stage| stage.model.clone()),
        stage: last.map(|stage| stage.stage.name().to_owned()),
        tokens_in,
        tokens_out,
        tokens_cached,
        cost_micros: costs.filter(|_| last.is_some()).map(|costs| costs.iter().sum::<u64>() / 1000),
        time: stats::now(),
        agent: "check".to_owned(),
        session: session.map(str::to_owned),
        micros: ruling.trace.steps.last().map_or(0, |step| step.micros),
        layer: ruling.reason.word().to_owned(),
        decision: ruling.decision.name().to_owned(),
        failure: answered.failure.map(|failure| failure.name().to_owned()),
    };
    let places = Places::from_environment(Path::new("/"));
    Verdicts::in_state(&places.state).record(&verdict)
}

/// The exit code that stands for a ruling (J2).
pub(crate) const fn code(ruling: &Ruling) -> u8 {
    match ruling.decision {
        Decision::Allow { .. } => 0,
        Decision::Deny { .. } => 1,
        Decision::Ask { .. } => 2,
    }
}
