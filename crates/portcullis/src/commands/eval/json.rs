//! The figures as JSON for programs (SPEC J4). Fields are only ever added.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Run;
use super::case::Case;
use super::interval::{Clusters, Estimate};
use super::limits::Standing;
use super::outcome::Got;
use super::report::situations;
use super::score::{Answered, Group, Score};
use super::worst::{self, Offender};

/// How many of the worst are named.
const WORST: usize = 10;

/// One case as a line.
pub(super) fn row(case: &Case, answered: &Answered) -> Value {
    json!({
        "id": case.id,
        "expect": case.expect,
        "got": answered.got.name(),
        "reason": answered.reason,
        "micros": answered.micros,
        "file": case.file,
    })
}

/// The figures as one object.
pub(super) fn as_json(run: &Run) -> Value {
    let score = &run.score;
    let sums = |part: fn(&(String, String, String)) -> String| {
        let named = score.by(part).into_iter().map(|(name, group)| (name, figures(&group)));
        Value::Object(named.collect())
    };
    let mut all = json!({
        "total": figures(&score.total()),
        "files": sums(|key| key.0.clone()),
        "families": sums(|key| format!("{}/{}", key.0, key.1)),
        "grades": sums(|key| format!("{}/{}", key.0, if key.2.is_empty() { "all" } else { &key.2 })),
        "visible_in": score.seen_in.iter().map(|((file, seen), right)| {
            let found = right.estimate();
            let count = |count: fn(Estimate) -> usize| found.map_or(0, count);
            let figures = json!({
                "cases": count(|it| it.rows), "right": count(|it| it.hits), "rate": rate(right),
            });
            (format!("{file}/{seen}"), figures)
        }).collect::<Map<_, _>>(),
        "situations": situations(score).into_iter().map(|(file, right)| {
            let found = right.estimate();
            let count = |count: fn(Estimate) -> usize| found.map_or(0, count);
            let figures = json!({
                "all": count(|it| it.rows), "right_in_every_case": count(|it| it.hits), "rate": rate(&right),
            });
            (file.to_owned(), figures)
        }).collect::<Map<_, _>>(),
        "confusion": confusion(score),
        "worst": {
            "false_allow": offenders(&worst::false_allows(score)),
            "false_block": offenders(&worst::false_blocks(score)),
            "crash": offenders(&worst::crashes(score)),
        },
        "wrong": score.wrong.iter().filter(|wrong| wrong.got != Got::NotRun).map(|wrong| json!({
            "file": wrong.file, "family": wrong.family, "id": wrong.id, "grade": wrong.grade,
            "expect": wrong.expect, "got": wrong.got.name(), "reason": wrong.reason, "call": wrong.call,
        })).collect::<Vec<_>>(),
        "not_run": score.wrong.iter().filter(|wrong| wrong.got == Got::NotRun).map(|wrong| json!({
            "file": wrong.file, "id": wrong.id, "why": wrong.reason,
        })).collect::<Vec<_>>(),
        "odd": score.odd.iter().map(|(id, why)| json!({ "id": id, "why": why })).collect::<Vec<_>>(),
    });
    if let Some(object) = all.as_object_mut() {
        if !run.standings.is_empty() {
            object.insert("limits".to_owned(), run.standings.iter().map(Standing::as_json).collect());
        }
        if let Some(comparison) = &run.comparison {
            object.insert("against".to_owned(), comparison.as_json());
        }
    }
    all
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
        "micros": { "p50": group.quantile(50), "p99": group.quantile(99), "over_50_ms": group.slow() },
        "rates": { "false_allow": rate(&group.false_allows), "false_block": rate(&group.false_blocks) },
    })
}

/// A rate with its interval; null where nothing was there to measure.
fn rate(clusters: &Clusters) -> Value {
    clusters.estimate().map_or(Value::Null, |found| {
        json!({ "rate": found.rate, "low": found.low, "high": found.high, "clusters": found.clusters })
    })
}

/// By family: how often what was expected, and what it got.
fn confusion(score: &Score) -> Value {
    let families = score.by(|key| format!("{}/{}", key.0, key.1));
    let table = |group: Group| {
        let mut rows: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
        for ((expect, got), count) in group.confusion {
            rows.entry(expect).or_default().insert(got.name().to_owned(), json!(count));
        }
        json!(rows)
    };
    Value::Object(families.into_iter().map(|(name, group)| (name, table(group))).collect())
}

fn offenders(offenders: &[Offender<'_>]) -> Vec<Value> {
    let one = |it: &Offender<'_>| json!({ "name": it.name, "errors": it.errors, "of": it.of, "examples": it.examples });
    offenders.iter().take(WORST).map(one).collect()
}
