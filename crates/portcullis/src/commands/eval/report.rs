//! The figures as tables for people.

use std::collections::BTreeMap;

use super::Run;
use super::against::{Change, Comparison, Side};
use super::interval::{Cluster, Clusters};
use super::limits::Standing;
use super::outcome::Got;
use super::score::Score;
use super::table;
use super::worst::{self, Offender};
use crate::output::{CALM, DIM, LOUD, STRONG, WARM, append, one_line};

/// How many of the worst, and of the changes, are shown.
const SHOWN: usize = 5;

/// What is shown besides the tables.
#[derive(Clone, Copy, clap::Args)]
pub(super) struct Shown {
    /// List the cases that were answered wrongly, and every change.
    #[arg(long)]
    list: bool,
    /// Show for each family what was expected and what came.
    #[arg(long)]
    confusion: bool,
}

/// The figures as tables.
pub(super) fn as_text(run: &Run, shown: Shown) -> String {
    let score = &run.score;
    let mut text = table::table(score);
    for ((file, seen), right) in &score.seen_in {
        let name = format!("{file}, visible in the {seen}");
        append(&mut text, format_args!("{}: {} right\n", one_line(&name), counted(right)));
    }
    for (file, right) in situations(score) {
        let counted = counted(&right);
        append(&mut text, format_args!("{}, situations right in every case: {counted}\n", one_line(file)));
    }
    append(
        &mut text,
        format_args!("{DIM}In brackets: 95 % intervals, clustered by session or family.{DIM:#}\n"),
    );
    if shown.confusion {
        text.push_str(&confusion(score));
    }
    text.push_str(&offenders("Most false allows", &worst::false_allows(score)));
    text.push_str(&offenders("Most false blocks", &worst::false_blocks(score)));
    text.push_str(&offenders("Most crashes", &worst::crashes(score)));
    if let Some(comparison) = &run.comparison {
        text.push_str(&compared(comparison, shown.list));
    }
    if shown.list {
        text.push_str(&wrong(score));
    }
    not_run(score, &mut text);
    odd(score, &mut text);
    let slow = score.total().slow();
    if slow > 0 {
        append(&mut text, format_args!("{WARM}slow{WARM:#} {slow} took over 50 ms\n"));
    }
    for standing in &run.standings {
        text.push_str(&limit(standing));
    }
    text
}

/// How many situations of each file there are, and in how many every case was answered rightly.
pub(super) fn situations(score: &Score) -> BTreeMap<&str, Clusters> {
    let mut counts: BTreeMap<&str, Clusters> = BTreeMap::new();
    for ((file, situation), right) in &score.situations {
        let itself = Cluster { name: situation.clone(), part: situation.clone() };
        counts.entry(file).or_default().add(&itself, *right);
    }
    counts
}

/// `40 of 79 (50.6 %) [39.8–61.3]`.
pub(super) fn counted(clusters: &Clusters) -> String {
    clusters.estimate().map_or_else(
        || "none".to_owned(),
        |it| format!("{} of {} ({:.1} %) {}", it.hits, it.rows, it.rate * 100.0, table::interval(it)),
    )
}

fn confusion(score: &Score) -> String {
    let mut text = format!("\n{STRONG}{:<34} {:<10}", "family", "expected");
    for got in Got::ALL {
        append(&mut text, format_args!(" {:>8}", got.name()));
    }
    append(&mut text, format_args!("{STRONG:#}\n"));
    for (name, group) in score.by(|key| format!("{}/{}", key.0, key.1)) {
        let mut rows: BTreeMap<&str, BTreeMap<Got, usize>> = BTreeMap::new();
        for ((expect, got), count) in &group.confusion {
            rows.entry(expect).or_default().insert(*got, *count);
        }
        for (expect, row) in rows {
            append(&mut text, format_args!("{:<34} {expect:<10}", one_line(&name)));
            for got in Got::ALL {
                let count = row.get(&got).map_or_else(|| ".".to_owned(), usize::to_string);
                append(&mut text, format_args!(" {count:>8}"));
            }
            text.push('\n');
        }
    }
    text
}

fn offenders(title: &str, offenders: &[Offender<'_>]) -> String {
    let mut text = String::new();
    if offenders.is_empty() {
        return text;
    }
    append(&mut text, format_args!("{STRONG}{title}{STRONG:#}\n"));
    for offender in offenders.iter().take(SHOWN) {
        let examples = one_line(&offender.examples.join(" "));
        let name = one_line(offender.name);
        append(
            &mut text,
            format_args!("  {:>5} of {:<5} {name}  {DIM}{examples}{DIM:#}\n", offender.errors, offender.of),
        );
    }
    if offenders.len() > SHOWN {
        append(&mut text, format_args!("         and {} more\n", offenders.len() - SHOWN));
    }
    text
}

fn compared(comparison: &Comparison, all: bool) -> String {
    let mut text = format!(
        "{STRONG}Against the earlier run{STRONG:#}: {} cases in both; {CALM}{} better{CALM:#}, {LOUD}{} worse{LOUD:#}, \
         {} with another answer that is as right or wrong\n",
        comparison.compared,
        comparison.better.len(),
        comparison.worse.len(),
        comparison.other.len()
    );
    for (name, side) in [("false allows", comparison.false_allows), ("false blocks", comparison.false_blocks)]
    {
        append(&mut text, format_args!("  {name}: {}\n", net(side)));
    }
    let clusters = comparison.clusters();
    append(
        &mut text,
        format_args!(
            "  clusters: {} better, {} worse on the whole (p {})\n",
            clusters.gone,
            clusters.new,
            chance(clusters.chance())
        ),
    );
    let others = [
        ("new", comparison.added),
        ("gone", comparison.missing()),
        ("with another label", comparison.relabelled),
        ("without an id or not run", comparison.left_out),
    ];
    let others: Vec<String> = others
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    if !others.is_empty() {
        append(&mut text, format_args!("  not compared: {}\n", others.join(", ")));
    }
    for (word, style, changes) in [("worse", LOUD, &comparison.worse), ("better", CALM, &comparison.better)] {
        let most = if all { changes.len() } else { SHOWN };
        for change in changes.iter().take(most) {
            append(&mut text, format_args!("  {style}{word}{style:#} {}\n", one_line(&changed(change))));
        }
        if changes.len() > most {
            append(
                &mut text,
                format_args!("  and {} more {word}; --list shows them\n", changes.len() - most),
            );
        }
    }
    text
}

/// `3 gone, 1 new: 2 fewer (p 0.63)`.
pub(super) fn net(side: Side) -> String {
    let fewer = side.gone.abs_diff(side.new);
    let word = match side.new.cmp(&side.gone) {
        std::cmp::Ordering::Less => format!("{fewer} fewer"),
        std::cmp::Ordering::Equal => "no change in number".to_owned(),
        std::cmp::Ordering::Greater => format!("{fewer} more"),
    };
    format!("{} gone, {} new: {word} (p {})", side.gone, side.new, chance(side.chance()))
}

/// A probability; below a thousandth only how small it is.
pub(super) fn chance(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

fn changed(change: &Change) -> String {
    format!(
        "{} {} expected {}, was {}, is {}: {}",
        change.file,
        change.id,
        change.expect,
        change.before.name(),
        change.now.name(),
        change.reason
    )
}

fn limit(standing: &Standing) -> String {
    let (style, word) = if standing.held { (CALM, "held") } else { (LOUD, "FAILED") };
    format!("{style}{word}{style:#} {}\n", one_line(&standing.text))
}

fn wrong(score: &Score) -> String {
    let mut text = String::new();
    for wrong in score.wrong.iter().filter(|wrong| wrong.got != Got::NotRun) {
        let line = format!(
            "{} {} [{} {}] expected {}, got {}: {}",
            wrong.file,
            wrong.id,
            wrong.family,
            wrong.grade,
            wrong.expect,
            wrong.got.name(),
            wrong.reason
        );
        let line = format!("{}\n  {DIM}│ {}{DIM:#}\n", one_line(&line), one_line(&wrong.call));
        text.push_str(&line);
    }
    text
}

/// How many odd cases are named one by one.
const ODD_SHOWN: usize = 5;

/// Cases of which something was left out.
fn odd(score: &Score, text: &mut String) {
    for (id, why) in score.odd.iter().take(ODD_SHOWN) {
        append(text, format_args!("{WARM}odd{WARM:#} {}: {}\n", one_line(id), one_line(why)));
    }
    let more = score.odd.len().saturating_sub(ODD_SHOWN);
    if more > 0 {
        append(text, format_args!("{WARM}odd{WARM:#} and {more} more cases (`--json` names them)\n"));
    }
}

/// Cases that could not be run, by why; never passed over silently.
fn not_run(score: &Score, text: &mut String) {
    let mut whys: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for wrong in score.wrong.iter().filter(|wrong| wrong.got == Got::NotRun) {
        whys.entry(&wrong.reason).or_default().push(&wrong.id);
    }
    for (why, ids) in whys {
        let cases = if ids.len() == 1 { "case" } else { "cases" };
        let line = format!("{} {cases}: {}: {}\n", ids.len(), one_line(why), one_line(&ids.join(" ")));
        append(text, format_args!("{WARM}not run{WARM:#} {line}"));
    }
}
