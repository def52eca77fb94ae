//! `portcullis explain`: the way to a ruling, step by step, for people and for programs.

use std::process::ExitCode;

use super::asked::{Call, World};
use super::explain_view::{self, Ids};
use super::{check, explain_past};
use crate::output;

/// What to explain and how to show it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    call: Call,
    #[command(flatten)]
    world: World,
    /// Explain a past decision by its number in the log, and say what today's rules would give it.
    #[arg(long, value_name = "N", conflicts_with_all = ["tool", "input"])]
    id: Option<u64>,
    /// Name each step by its id in the specification as well.
    #[arg(long)]
    ids: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Judges the call and shows the walk; exits as `check` does.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if let Some(seq) = arguments.id {
        return explain_past::run(seq, arguments.json, Ids::of(arguments.ids));
    }
    let judge = match arguments.world.open() {
        Ok(judge) => judge,
        Err(message) => return output::fail(&message),
    };
    let trouble = output::problems(&judge.loaded);
    let answered = match arguments.call.judge(&judge, &arguments.world) {
        Ok(answered) => answered,
        Err(message) => return output::fail(&message),
    };
    let written = if arguments.json {
        output::print_call_json(&explain_view::as_json(&answered))
    } else {
        output::print_call(&explain_view::render(&answered, Ids::of(arguments.ids)))
    };
    if written != ExitCode::SUCCESS || trouble {
        return ExitCode::from(output::ERROR);
    }
    ExitCode::from(check::code(&answered.ruling))
}
