//! `portcullis explain --id N`: a past decision as it was written down, what happened to it later, and what
//! today's rules would give the same call (SPEC A1).

use std::ops::ControlFlow;
use std::process::ExitCode;

use portcullis_classify::redact_json;
use portcullis_decide::ToolCall;
use portcullis_gate::pipeline::{self, Input, Reviewer, World as Facts};
use portcullis_gate::settle::OutsideWords;
use portcullis_gate::store::{Entry, Filter, Record, Store};
use serde_json::{Value, json};

use super::asked::{Answered, World};
use super::check_view::{self, one_line};
use super::explain_view::Ids;
use super::log::{opened, view};
use crate::log_entry::{self, Abandoned};
use crate::moment;
use crate::output::{self, DIM, STRONG, WARM, append};

/// How many later entries about it are shown.
const MOST_LATER: usize = 20;

/// Shows the entry; exits as `check` would have done then.
pub(crate) fn run(seq: u64, json: bool, ids: Ids) -> ExitCode {
    match explained(seq, json, ids) {
        Ok(code) => code,
        Err(message) => output::fail(&output::visible(&message)),
    }
}

fn explained(seq: u64, json: bool, ids: Ids) -> Result<ExitCode, String> {
    let store = opened()?;
    let found = store.entry(seq).map_err(|error| error.to_string())?;
    let entry = found.ok_or_else(|| {
        format!("there is no entry {seq}; it may have been pruned. `portcullis log` shows what there is")
    })?;
    let later = later(&store, &entry)?;
    let abandoned = store.abandoned().map_err(|error| error.to_string())?;
    let today = if entry.record.kind == "call" { Some(today(&entry.record)) } else { None };
    let written = if json {
        output::print_json(&as_json(&entry, &later, today.as_ref(), &abandoned))
    } else {
        output::print_call(&as_text(&entry, &later, today.as_ref(), &abandoned, ids))
    };
    if written != ExitCode::SUCCESS {
        return Ok(written);
    }
    Ok(match entry.record.decision.as_str() {
        "deny" => ExitCode::from(1),
        "ask" => ExitCode::from(2),
        _ => ExitCode::SUCCESS,
    })
}

/// What was written down about the entry afterwards: answers of people, late answers, outcomes, grants.
fn later(store: &Store, entry: &Entry) -> Result<Vec<Entry>, String> {
    let session = entry.record.session.clone();
    let filter = Filter { session: Some(session), after: Some(entry.seq), ..Filter::default() };
    let mut later = Vec::new();
    let each = |other: Entry| {
        if other.record.about == Some(entry.seq) {
            later.push(other);
        }
        if later.len() < MOST_LATER { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    store.entries(&filter, each).map_err(|error| error.to_string())?;
    Ok(later)
}

/// What the call gets today. No model is asked, and what was said before is not known.
fn today(record: &Record) -> Result<Answered, String> {
    let judge = World::of_past(&record.cwd, &record.session).open()?;
    let call = ToolCall::new(&record.tool, record.input.clone(), record.cwd.clone());
    let mut context = judge.context(&judge.loaded, &record.cwd, None);
    let outside_words = OutsideWords {
        unread: Some("the conversation of then is not read again".to_owned()),
        ..OutsideWords::default()
    };
    let input = Input {
        outside_words: &outside_words,
        strictness: pipeline::strictness(&judge.loaded.settings, true),
        reviewer: Reviewer::BuiltIn,
        ..Input::of(&call, Facts::Past)
    };
    let ruling = pipeline::judge(&input, &mut context).ruling;
    Ok(Answered { call: Some((call, context)), ruling, stages: Vec::new(), failure: None })
}

fn as_json(
    entry: &Entry,
    later: &[Entry],
    today: Option<&Result<Answered, String>>,
    abandoned: &Abandoned,
) -> Value {
    let mut value = log_entry::as_json(entry, abandoned);
    if let Value::Object(fields) = &mut value {
        let later = later.iter().map(|entry| log_entry::as_json(entry, abandoned));
        fields.insert("later".to_owned(), later.collect());
        let today = today.map(|today| match today {
            Ok(answered) => redact_json(&answered.ruling.to_json()),
            Err(why) => json!({ "error": why }),
        });
        fields.insert("today".to_owned(), json!(today));
    }
    value
}

fn as_text(
    entry: &Entry,
    later: &[Entry],
    today: Option<&Result<Answered, String>>,
    abandoned: &Abandoned,
    ids: Ids,
) -> String {
    let record = &entry.record;
    let mut text = heading(entry);
    text.push_str(&walk(&record.trace, ids));
    let (word, style) = view::decision(record);
    append(&mut text, format_args!("\n{style}{word}{style:#}  {}\n", one_line(&record.message)));
    append(&mut text, format_args!("  {DIM}settled by{DIM:#} {}\n", one_line(&record.layer)));
    match abandoned.get(&entry.seq) {
        Some(by) => append(
            &mut text,
            format_args!(
                "  {WARM}abandoned{WARM:#}: the answer {} did not reach the agent (entry {by})\n",
                one_line(&record.answered)
            ),
        ),
        None => append(
            &mut text,
            format_args!("  {DIM}the agent was told{DIM:#} {}\n", one_line(&record.answered)),
        ),
    }
    if !record.enforced {
        append(&mut text, format_args!("  {WARM}not enforced{WARM:#}: the call was only watched\n"));
    }
    if let Some(input) = &record.updated_input {
        append(
            &mut text,
            format_args!("  {DIM}input used instead{DIM:#} {}\n", one_line(&input.to_string())),
        );
    }
    if let Some(failure) = &record.failure {
        append(&mut text, format_args!("  {DIM}the model gave no verdict{DIM:#} {}\n", one_line(failure)));
    }
    if !later.is_empty() {
        append(&mut text, format_args!("\n{STRONG}later{STRONG:#}\n"));
        text.extend(later.iter().map(|entry| view::line(entry, abandoned)));
    }
    match today {
        Some(Ok(answered)) => {
            append(&mut text, format_args!("\n{STRONG}with today's rules{STRONG:#}\n"));
            text.push_str(&check_view::render(answered));
        }
        Some(Err(why)) => {
            append(&mut text, format_args!("\n{WARM}today's rules{WARM:#}: {}\n", one_line(why)));
        }
        None => {}
    }
    text
}

fn heading(entry: &Entry) -> String {
    let record = &entry.record;
    let mut text = format!(
        "{STRONG}entry {}{STRONG:#}  {} UTC  {DIM}{} of {}{DIM:#}\n{STRONG}{}{STRONG:#} in {} {DIM}({} mode){DIM:#}\n",
        entry.seq,
        moment::short(record.time_ms),
        one_line(&record.session),
        one_line(&record.agent),
        one_line(&record.tool),
        one_line(&record.cwd),
        one_line(&record.mode),
    );
    append(&mut text, format_args!("  {}\n\n", one_line(&view::call(&record.input))));
    text
}

/// The steps as they were written down.
fn walk(trace: &Value, ids: Ids) -> String {
    let steps: Vec<(String, &str, u64)> = trace
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|step| {
            let micros = step.get("micros").and_then(Value::as_u64).unwrap_or_default();
            Some((ids.name(step.get("step")?.as_str()?), step.get("outcome")?.as_str()?, micros))
        })
        .collect();
    let width = steps.iter().map(|(step, _, _)| step.chars().count()).max().unwrap_or_default();
    let mut text = String::new();
    for (index, (step, outcome, micros)) in steps.iter().enumerate() {
        let (mark, style) = if index + 1 == steps.len() { ("▶", WARM) } else { (" ", DIM) };
        let (step, outcome) = (one_line(step), one_line(outcome));
        append(
            &mut text,
            format_args!("{style}{mark}{style:#} {step:<width$}  {outcome}  {DIM}{micros} µs{DIM:#}\n"),
        );
    }
    text
}
