//! The tables of the page.

use std::collections::BTreeMap;

use super::super::against::{Change, Comparison};
use super::super::interval::{Clusters, real};
use super::super::limits::Standing;
use super::super::outcome::Got;
use super::super::report::{chance, counted, net, situations};
use super::super::score::{Score, Wrong};
use super::super::table::interval;
use super::super::worst::{self, Offender};
use super::escaped;
use crate::output::append;

/// How many of the worst are shown, and of single cases.
const WORST: usize = 10;
const CASES: usize = 500;

pub(super) fn limits(standings: &[Standing]) -> String {
    if standings.is_empty() {
        return String::new();
    }
    let mut text = "<h2>Limits</h2><ul>".to_owned();
    for standing in standings {
        let (class, word) = if standing.held { ("good", "held") } else { ("bad", "failed") };
        append(
            &mut text,
            format_args!("<li><b class=\"{class}\">{word}</b> {}</li>", escaped(&standing.text)),
        );
    }
    text.push_str("</ul>\n");
    text
}

pub(super) fn compared(comparison: &Comparison) -> String {
    let clusters = comparison.clusters();
    let mut text = format!(
        "<h2>Against the earlier run</h2><p>{} cases in both: <b class=\"good\">{} better</b>, \
         <b class=\"bad\">{} worse</b>, {} with another answer that is as right or wrong.</p>\
         <ul><li>False allows: {}</li><li>False blocks: {}</li>\
         <li>Clusters: {} better, {} worse on the whole (p {})</li>\
         <li>Not compared: {} new, {} gone, {} with another label, {} without an id or not run</li></ul>\
         <p class=\"dim\">p: how likely a split as uneven as this is by chance alone.</p>\n",
        comparison.compared,
        comparison.better.len(),
        comparison.worse.len(),
        comparison.other.len(),
        escaped(&net(comparison.false_allows)),
        escaped(&net(comparison.false_blocks)),
        clusters.gone,
        clusters.new,
        escaped(&chance(clusters.chance())),
        comparison.added,
        comparison.missing(),
        comparison.relabelled,
        comparison.left_out
    );
    text.push_str(&changes("Worse", &comparison.worse));
    text.push_str(&changes("Better", &comparison.better));
    text.push_str(&changes("Another answer", &comparison.other));
    text
}

fn changes(title: &str, changes: &[Change]) -> String {
    let rows = changes.iter().map(|it| {
        [it.file.as_str(), &it.id, &it.expect, it.before.name(), it.now.name(), &it.reason].map(escaped)
    });
    cases(title, ["file", "id", "expected", "was", "is", "reason"], rows, changes.len())
}

pub(super) fn wrong(score: &Score) -> String {
    let list = |title: &str, is_meant: fn(&Wrong) -> bool| {
        let meant: Vec<&Wrong> = score.wrong.iter().filter(|wrong| is_meant(wrong)).collect();
        let rows = meant.iter().map(|it| {
            let family = format!("{} {}", it.file, it.family);
            [family.as_str(), &it.id, &it.expect, it.got.name(), &it.call, &it.reason].map(escaped)
        });
        cases(title, ["family", "id", "expected", "got", "call", "reason"], rows, meant.len())
    };
    let mut text = "<h2>Single cases</h2>".to_owned();
    text.push_str(&list("Allowed, and must not be", |wrong| wrong.got == Got::Allow));
    text.push_str(&list("Crashed", |wrong| wrong.got == Got::Crash));
    text.push_str(&list("Not allowed, and must be", |wrong| {
        matches!(wrong.got, Got::Ask | Got::Escalate | Got::Deny)
    }));
    text.push_str(&list("Not run", |wrong| wrong.got == Got::NotRun));
    text
}

/// Cases that fold away. What is left out is said.
fn cases(title: &str, heads: [&str; 6], rows: impl Iterator<Item = [String; 6]>, count: usize) -> String {
    if count == 0 {
        return format!("<p class=\"dim\">{title}: none</p>");
    }
    let mut text = format!("<details><summary>{title}: {count}</summary><div class=\"wide\"><table><tr>");
    for head in heads {
        append(&mut text, format_args!("<th>{head}</th>"));
    }
    text.push_str("</tr>");
    for row in rows.take(CASES) {
        text.push_str("<tr>");
        for cell in row {
            // Answers are short and stay whole; what is long may break anywhere.
            let class = if cell.len() > 12 { " class=\"long\"" } else { "" };
            append(&mut text, format_args!("<td{class}>{cell}</td>"));
        }
        text.push_str("</tr>");
    }
    text.push_str("</table>");
    if count > CASES {
        append(&mut text, format_args!("<p class=\"dim\">{} more: see --json</p>", count - CASES));
    }
    text.push_str("</div></details>\n");
    text
}

/// Cases of which something was left out: what they show may not be what was meant.
pub(super) fn odd(score: &Score) -> String {
    if score.odd.is_empty() {
        return String::new();
    }
    let mut text = format!("<h2>Odd cases: {}</h2><ul>", score.odd.len());
    for (id, why) in score.odd.iter().take(WORST) {
        append(&mut text, format_args!("<li><code>{}</code> {}</li>", escaped(id), escaped(why)));
    }
    if score.odd.len() > WORST {
        append(
            &mut text,
            format_args!("<li class=\"dim\">and {} more: see --json</li>", score.odd.len() - WORST),
        );
    }
    text.push_str("</ul>\n");
    text
}

/// Whole sessions: by where a reader has to look, and situations in which every case is right.
pub(super) fn sessions(score: &Score) -> String {
    let seen = score
        .seen_in
        .iter()
        .map(|((file, seen), right)| (format!("{file}, visible in the {seen}"), right.clone()));
    let whole = situations(score);
    let whole =
        whole.into_iter().map(|(file, right)| (format!("{file}, situations right in every case"), right));
    let lines: Vec<String> = seen
        .chain(whole)
        .map(|(name, right)| format!("<li>{}: <b>{}</b></li>", escaped(&name), escaped(&counted(&right))))
        .collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("<h2>Whole sessions</h2><ul>{}</ul>\n", lines.concat())
    }
}

pub(super) fn worst(score: &Score) -> String {
    let mut text = String::new();
    let lists = [
        ("Most false allows", worst::false_allows(score)),
        ("Most false blocks", worst::false_blocks(score)),
        ("Most crashes", worst::crashes(score)),
    ];
    for (title, offenders) in lists.iter().filter(|(_, offenders)| !offenders.is_empty()) {
        text.push_str(&offender_table(title, offenders));
    }
    text
}

fn offender_table(title: &str, offenders: &[Offender<'_>]) -> String {
    let mut text = format!(
        "<h2>{title}</h2><div class=\"wide\"><table><tr><th class=\"n\">errors</th><th class=\"n\">of</th><th>where</th><th>such as</th></tr>"
    );
    for offender in offenders.iter().take(WORST) {
        append(
            &mut text,
            format_args!(
                "<tr><td class=\"n\">{}</td><td class=\"n dim\">{}</td><td class=\"long\">{}</td>\
                 <td class=\"long\"><code>{}</code></td></tr>",
                offender.errors,
                offender.of,
                escaped(offender.name),
                escaped(&offender.examples.join(" "))
            ),
        );
    }
    text.push_str("</table>");
    if offenders.len() > WORST {
        append(&mut text, format_args!("<p class=\"dim\">and {} more</p>", offenders.len() - WORST));
    }
    text.push_str("</div>\n");
    text
}

pub(super) fn families(score: &Score) -> String {
    let mut text =
        "<h2>By family</h2><div class=\"wide\"><table><tr><th>file</th><th>family</th><th>grade</th>\
                    <th class=\"n\">cases</th><th class=\"n\">false allow</th><th class=\"n\">95 %</th>\
                    <th class=\"n\">false block</th><th class=\"n\">95 %</th></tr>"
            .to_owned();
    // Families with errors come first; the sort is stable, so the others stay in the order of their names.
    let mut groups: Vec<_> = score.groups.iter().collect();
    groups
        .sort_by_key(|(_, group)| std::cmp::Reverse((group.false_allow + group.crashed, group.false_block)));
    for ((file, family, grade), group) in groups {
        append(
            &mut text,
            format_args!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td>{}{}</tr>",
                escaped(file),
                escaped(family),
                escaped(grade),
                group.cases,
                rate(&group.false_allows, "bad"),
                rate(&group.false_blocks, "warm")
            ),
        );
    }
    text.push_str("</table></div>\n");
    text
}

fn rate(clusters: &Clusters, class: &str) -> String {
    clusters.estimate().map_or_else(
        || "<td class=\"n\">–</td><td></td>".to_owned(),
        |it| {
            let class = if it.hits > 0 { class } else { "dim" };
            let share = it.rate * 100.0;
            format!(
                "<td class=\"n {class}\">{}/{} {share:.1} %</td><td class=\"n dim\">{}</td>",
                it.hits,
                it.rows,
                interval(it)
            )
        },
    )
}

pub(super) fn confusion(score: &Score) -> String {
    let mut text = "<h2>What was expected, and what came</h2><div class=\"wide\"><table><tr><th>family</th>\
                    <th>expected</th>"
        .to_owned();
    let total = score.total();
    let came = |got: &Got| total.confusion.keys().any(|(_, there)| there == got);
    let answers: Vec<Got> = Got::ALL.into_iter().filter(came).collect();
    for got in &answers {
        append(&mut text, format_args!("<th class=\"n\">{}</th>", got.name()));
    }
    text.push_str("</tr>");
    for (name, group) in score.by(|key| format!("{}/{}", key.0, key.1)) {
        let mut rows: BTreeMap<&str, BTreeMap<Got, usize>> = BTreeMap::new();
        for ((expect, got), count) in &group.confusion {
            rows.entry(expect).or_default().insert(*got, *count);
        }
        for (expect, row) in rows {
            let all: usize = row.values().sum();
            append(&mut text, format_args!("<tr><td>{}</td><td>{}</td>", escaped(&name), escaped(expect)));
            for got in &answers {
                let fits = (expect == "allow") == (*got == Got::Allow);
                text.push_str(&heat(row.get(got).copied().unwrap_or(0), all, fits));
            }
            text.push_str("</tr>");
        }
    }
    text.push_str("</table></div>\n");
    text
}

/// A cell whose colour says how much of its row it holds, and whether that is as it should be.
fn heat(count: usize, all: usize, fits: bool) -> String {
    if count == 0 {
        return "<td class=\"n dim\">·</td>".to_owned();
    }
    let strength = 0.08 + 0.5 * real(count) / real(all);
    let colour = if fits { "right" } else { "wrong" };
    format!("<td class=\"n\" style=\"background: rgba(var(--{colour}), {strength:.2})\">{count}</td>")
}
