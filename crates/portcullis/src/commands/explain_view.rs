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

/// Whether steps are named by their ids in the specification, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ids {
    Shown,
    Hidden,
}

impl Ids {
    pub(crate) const fn of(wanted: bool) -> Ids {
        if wanted { Ids::Shown } else { Ids::Hidden }
    }

    /// The name of a step as it is shown.
    pub(crate) fn name(self, step: &str) -> String {
        match (self, step.split_once(' ')) {
            (Ids::Shown, Some((id, name))) => format!("{id:<4} {name}"),
            (Ids::Hidden, Some((_, name))) => name.to_owned(),
            (Ids::Shown | Ids::Hidden, None) => step.to_owned(),
        }
    }
}

/// The whole answer.
pub(crate) fn render(answered: &Answered, ids: Ids) -> String {
    let mut text = String::new();
    if let Some((call, context)) = &answered.call {
        text.push_str(&heading(call, context));
    }
    text.push_str(&walk(&answered.ruling, ids));
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
fn walk(ruling: &Ruling, ids: Ids) -> String {
    let steps = &ruling.trace.steps;
    let width = steps.iter().map(|step| ids.name(step.step).chars().count()).max().unwrap_or_default();
    let reason = ruling.reason.sentence();
    let raised = steps.iter().position(|step| step.outcome.contains(&reason));
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        let last = index + 1 == steps.len();
        let name = format!("{:width$}", ids.name(step.step));
        text.push_str(&one_step(step, &name, last, raised == Some(index)));
    }
    text
}

fn one_step(step: &Step, name: &str, decided: bool, raised: bool) -> String {
    let outcome = one_line(&step.outcome);
    if decided {
        let when = format!("{DIM}{:>6} µs{DIM:#}", step.micros);
        return format!("{WARM}▶{WARM:#} {STRONG}{name}  {outcome}{STRONG:#}  {when}\n");
    }
    let mark = if raised { "●" } else { " " };
    let style = if raised { WARM } else { DIM };
    format!("{style}{mark}{style:#} {name}  {style}{outcome}{style:#}\n")
}

/// What a shell would run, and with which effects.
fn commands(call: &ToolCall, context: &Context) -> String {
    let Some((line, reading)) = reading(call, context) else { return String::new() };
    let told = read::told_by(&reading, Path::new(&call.cwd));
    format!("\n{STRONG}what the command does{STRONG:#}\n{}", read_view::render(&line, &reading, &told))
}

fn reading(call: &ToolCall, context: &Context) -> Option<(String, Reading)> {
    let line = call.text("command").filter(|_| call.tool.is_shell())?;
    Some((line.to_owned(), portcullis_shell::read(line, portcullis_decide::view::dialect(call, context))))
}
