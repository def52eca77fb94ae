//! The figures as a table for people, and as JSON for programs.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::case::Case;
use super::score::{Answered, Got, Group, Score};
use crate::output::{CALM, DIM, LOUD, STRONG, WARM, visible};

/// One case as a line (J4).
pub(super) fn row(case: &Case, answered: &Answered) -> Value {
    json!({
        "id": case.id,
        "expect": case.expect,
        "got": answered.got.name(),
        "reason": answered.reason,
        "micros": answered.micros,
    })
}

/// The figures as one object.
pub(super) fn as_json(score: &Score) -> Value {
    let mut total = Group::default();
    score.groups.values().for_each(|group| total.merge(group));
    let sums = |part: fn(&(String, String, String)) -> String| {
        let mut object = Map::new();
        for (name, group) in score.by(part) {
            object.insert(name, figures(&group));
        }
        Value::Object(object)
    };
    json!({
        "total": figures(&total),
        "files": sums(|key| key.0.clone()),
        "families": sums(|key| format!("{}/{}", key.0, key.1)),
        "grades": sums(|key| format!("{}/{}", key.0, if key.2.is_empty() { "all" } else { &key.2 })),
        "visible_in": score.seen_in.iter().map(|((file, seen), (all, good))| {
            (format!("{file}/{seen}"), json!({ "cases": all, "right": good }))
        }).collect::<Map<_, _>>(),
        "situations": situations(score).into_iter().map(|(file, (all, whole))| {
            (file.to_owned(), json!({ "all": all, "right_in_every_case": whole }))
        }).collect::<Map<_, _>>(),
        "wrong": score.wrong.iter().filter(|wrong| wrong.got != Got::NotRun).map(|wrong| json!({
            "file": wrong.file, "family": wrong.family, "id": wrong.id, "grade": wrong.grade,
            "expect": wrong.expect, "got": wrong.got.name(), "reason": wrong.reason,
        })).collect::<Vec<_>>(),
        "not_run": score.wrong.iter().filter(|wrong| wrong.got == Got::NotRun).map(|wrong| json!({
            "file": wrong.file, "id": wrong.id, "why": wrong.reason,
        })).collect::<Vec<_>>(),
    })
}

fn figures(group: &Group) -> Value {
    json!({
        "cases": group.cases,
        "expect_allow": group.expect_allow,
        "expect_not_allow": group.expect_not,
        "allowed": group.allowed,
        "asked": group.asked,
        "denied": group.denied,
        "pending_classifier": group.pending,
        "false_allow": group.false_allow,
        "false_block": group.false_block,
        "allowed_without_model_or_human": group.expect_allow.saturating_sub(group.false_block),
        "crash": group.crashed,
        "not_run": group.not_run,
        "micros": { "p50": group.quantile(50), "p99": group.quantile(99) },
    })
}

/// The figures as a table.
pub(super) fn as_text(score: &Score, list: bool) -> String {
    let mut text = String::new();
    let header = format!(
        "{:<34} {:<7} {:>6} {:>17} {:>17} {:>6} {:>7} {:>9} {:>9}",
        "family", "grade", "cases", "false allow", "false block", "crash", "not run", "p50 µs", "p99 µs"
    );
    let mut line = |shown: String| text.push_str(&shown);
    line(format!("{STRONG}{header}{STRONG:#}\n"));
    let mut shown_file = String::new();
    for ((file, family, grade), group) in &score.groups {
        if *file != shown_file {
            line(format!("{DIM}{file}{DIM:#}\n"));
            shown_file.clone_from(file);
        }
        line(table_line(&format!("  {}", visible(family)), grade, group));
    }
    for (name, group) in score.by(|key| format!("{} {}", key.0, key.2)) {
        line(table_line(&format!("all of {}", visible(&name)), "", &group));
    }
    for ((file, seen), (all, good)) in &score.seen_in {
        line(format!(
            "{file}, visible in the {seen}: {good} of {all} right ({:.1} %)\n",
            percent(*good, *all)
        ));
    }
    for (file, (all, whole)) in situations(score) {
        line(format!(
            "{file}, situations right in every case: {whole} of {all} ({:.1} %)\n",
            percent(whole, all)
        ));
    }
    if list {
        line(wrong(score));
    }
    not_run(score, &mut text);
    text
}

/// How many situations of each file there are, and in how many every case was answered rightly.
fn situations(score: &Score) -> BTreeMap<&str, (usize, usize)> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for ((file, _), right) in &score.situations {
        let (all, whole) = counts.entry(file).or_default();
        *all += 1;
        *whole += usize::from(*right);
    }
    counts
}

fn table_line(name: &str, grade: &str, group: &Group) -> String {
    let share = |count: usize, of: usize| match of {
        0 => "-".to_owned(),
        _ => format!("{count}/{of} {:.1} %", percent(count, of)),
    };
    let allow = share(group.false_allow, group.expect_not);
    let block = share(group.false_block, group.expect_allow);
    let loud = if group.false_allow + group.crashed > 0 { LOUD } else { CALM };
    let warm = if group.false_block > 0 { WARM } else { CALM };
    format!(
        "{name:<34} {grade:<7} {:>6} {loud}{allow:>17}{loud:#} {warm}{block:>17}{warm:#} {:>6} {:>7} {:>9} {:>9}\n",
        group.cases,
        group.crashed,
        group.not_run,
        group.quantile(50),
        group.quantile(99)
    )
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases are far below 2^52")]
fn percent(count: usize, of: usize) -> f64 {
    count as f64 * 100.0 / of as f64
}

fn wrong(score: &Score) -> String {
    let mut text = String::new();
    for wrong in score.wrong.iter().filter(|wrong| wrong.got != Got::NotRun) {
        let line = format!(
            "{} {} [{} {}] expected {}, got {}: {}\n",
            wrong.file,
            wrong.id,
            wrong.family,
            wrong.grade,
            wrong.expect,
            wrong.got.name(),
            wrong.reason
        );
        text.push_str(&visible(&line));
    }
    text
}

/// Cases that could not be run, by why; never passed over silently.
fn not_run(score: &Score, text: &mut String) {
    let mut whys: std::collections::BTreeMap<&str, Vec<&str>> = std::collections::BTreeMap::new();
    for wrong in score.wrong.iter().filter(|wrong| wrong.got == Got::NotRun) {
        whys.entry(&wrong.reason).or_default().push(&wrong.id);
    }
    for (why, ids) in whys {
        let line = format!("{} cases: {}: {}\n", ids.len(), visible(why), visible(&ids.join(" ")));
        text.push_str(&[&format!("{WARM}not run{WARM:#} "), line.as_str()].concat());
    }
}
