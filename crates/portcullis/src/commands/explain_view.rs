//! The walk to a ruling as people read it: each step with what it found, the one that decided, then what the
//! command would do.

use std::path::Path;

use portcullis_decide::{Context, Ruling, Step, ToolCall};
use portcullis_shell::Reading;
use serde_json::{Value, json};

use super::asked::Answered;
use super::check_view::{self, one_line};
use super::{read, read_view};
use crate::output::{DIM, STRONG, WARM};

/// The whole answer.
pub(crate) fn render(answered: &Answered) -> String {
    let mut text = String::new();
    if let Some((call, context)) = &answered.call {
        text.push_str(&heading(call, context));
    }
    text.push_str(&walk(&answered.ruling));
    text.push('\n');
    text.push_str(&check_view::render(answered));
    if let Some((call, context)) = &answered.call {
        text.push_str(&commands(call, context));
    }
    text
}

/// The ruling, with what was judged and what the reader saw in it.
pub(crate) fn as_json(answered: &Answered) -> Value {
    let mut value = answered.ruling.to_json();
    if let (Some((call, context)), Value::Object(fields)) = (&answered.call, &mut value) {
        fields.insert("tool".to_owned(), json!(call.tool.name()));
        fields.insert("input".to_owned(), call.input.clone());
        fields.insert("cwd".to_owned(), json!(call.cwd));
        fields.insert("mode".to_owned(), json!(context.effective_mode().name()));
        if let Some((_, reading)) = reading(call, context) {
            let told = read::told_by(&reading, Path::new(&call.cwd));
            fields.insert("read".to_owned(), read::as_json(&reading, &told));
        }
    }
    value
}

fn heading(call: &ToolCall, context: &Context) -> String {
    let mode = context.effective_mode().name();
    format!(
        "{STRONG}{}{STRONG:#} in {} {DIM}({mode} mode){DIM:#}\n",
        one_line(call.tool.name()),
        one_line(&call.cwd)
    )
}

/// One line for each step; the last one decided, and the one whose question it answered is marked too.
fn walk(ruling: &Ruling) -> String {
    let steps = &ruling.trace.steps;
    let width = steps.iter().map(|step| named(step).1.chars().count()).max().unwrap_or_default();
    let reason = ruling.reason.sentence();
    let raised = steps.iter().position(|step| step.outcome.contains(&reason));
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        let last = index + 1 == steps.len();
        text.push_str(&one_step(step, width, last, raised == Some(index)));
    }
    text
}

fn one_step(step: &Step, width: usize, decided: bool, raised: bool) -> String {
    let (id, name) = named(step);
    let pad = " ".repeat(width.saturating_sub(name.chars().count()));
    let outcome = one_line(&step.outcome);
    let when = format!("{DIM}{:>6} µs{DIM:#}", step.micros);
    if decided {
        return format!("{WARM}▶ {id:<4}{WARM:#} {STRONG}{name}{pad}  {outcome}{STRONG:#}  {when}\n");
    }
    let mark = if raised { "●" } else { " " };
    let style = if raised { WARM } else { DIM };
    format!("{style}{mark} {id:<4}{style:#} {name}{pad}  {style}{outcome}{style:#}\n")
}

/// A step's id in the specification, and its name.
fn named(step: &Step) -> (&'static str, &'static str) {
    step.step.split_once(' ').unwrap_or((step.step, ""))
}

/// What a shell would run, and with which effects.
fn commands(call: &ToolCall, context: &Context) -> String {
    let Some((line, reading)) = reading(call, context) else { return String::new() };
    let told = read::told_by(&reading, Path::new(&call.cwd));
    format!("\n{STRONG}what the command does{STRONG:#}\n{}", read_view::render(&line, &reading, &told))
}

fn reading(call: &ToolCall, context: &Context) -> Option<(String, Reading)> {
    let line = call.text("command").filter(|_| call.tool.is_shell())?;
    Some((line.to_owned(), portcullis_shell::read(line, portcullis_decide::dialect(call, context))))
}
