//! `portcullis stats`: what verdicts there were, who gave them, and what they cost (SPEC C16).

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis_gate::settings::Places;
use portcullis_gate::store::Store;
use portcullis_gate::verdicts::{Day, Group, KEPT_DAYS, Sums, Tally, Verdicts};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::output::{self, CALM, DIM, STRONG, WARM, append, visible};

/// The longest bar.
const BAR: u64 = 24;
const DAY: u64 = 86_400_000;

/// Which days, and how to show them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many days, today included; at most 90 are kept.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=i64::from(KEPT_DAYS)))]
    days: u32,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Shows the sums.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let last = Day::of_millis(now());
    let first = last.back(arguments.days.saturating_sub(1));
    let places = Places::from_environment(Path::new("/"));
    let tally = match Verdicts::in_state(&places.state).tally(first, last) {
        Ok(tally) => tally,
        Err(error) => return output::fail(&visible(&error.to_string())),
    };
    let abandoned = abandoned(&places, arguments.days);
    if arguments.json {
        return output::print_json(&as_json(&tally, first, last, abandoned));
    }
    let bars = if std::io::stdout().is_terminal() { Bars::Drawn } else { Bars::Left };
    let mut text = as_text(&tally, first, last, bars);
    if abandoned > 0 {
        append(&mut text, format_args!("{WARM}{abandoned} answers did not reach the agent{WARM:#}\n"));
    }
    output::print(&text)
}

/// How many answers of these days did not reach the agent; 0 where there is no log to tell.
fn abandoned(places: &Places, days: u32) -> u64 {
    let since = (now() / DAY).saturating_sub(u64::from(days.saturating_sub(1))).saturating_mul(DAY);
    let counted = Store::open_read_only(&places.state).and_then(|store| store.decided_since(since));
    counted.map_or(0, |decided| decided.abandoned)
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Whether bars are drawn: only where a person looks at them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bars {
    Drawn,
    Left,
}

fn as_text(tally: &Tally, first: Day, last: Day, bars: Bars) -> String {
    let mut text = String::new();
    let all = tally.all;
    if all.count == 0 {
        append(&mut text, format_args!("no verdicts from {first} to {last}\n"));
    } else {
        append(
            &mut text,
            format_args!(
                "{STRONG}{} verdicts{STRONG:#} from {first} to {last}: {}\n",
                all.count,
                spread(all)
            ),
        );
        for group in Group::ALL {
            section(&mut text, tally, *group, bars);
        }
    }
    if tally.unreadable > 0 {
        append(&mut text, format_args!("{WARM}{} lines could not be read{WARM:#}\n", tally.unreadable));
    }
    text
}

fn spread(sums: Sums) -> String {
    format!("{} allow, {} deny, {} ask", sums.allow, sums.deny, sums.ask)
}

fn section(text: &mut String, tally: &Tally, group: Group, bars: Bars) {
    let rows = tally.by(group);
    if rows.is_empty() {
        return;
    }
    append(text, format_args!("\n{STRONG}by {}{STRONG:#}\n", group.name()));
    let names: Vec<String> = rows.iter().map(|(name, _)| visible(name)).collect();
    let width = names.iter().map(|name| name.width()).max().unwrap_or_default();
    let most = rows.iter().map(|(_, sums)| sums.count).max().unwrap_or_default().max(1);
    for ((_, sums), name) in rows.iter().zip(&names) {
        let pad = " ".repeat(width.saturating_sub(name.width()));
        let bar = if bars == Bars::Drawn {
            format!("  {CALM}{}{CALM:#}", bar(sums.count, most))
        } else {
            String::new()
        };
        let share = format!("{:>5.1} %", percent(sums.count, tally.all.count));
        append(
            text,
            format_args!("  {name}{pad}  {:>7}  {share}{bar}  {DIM}{}{DIM:#}\n", sums.count, details(*sums)),
        );
    }
}

/// A bar of whole blocks; the last quarter of what there is to show is never nothing.
fn bar(count: u64, most: u64) -> String {
    let length = count.saturating_mul(BAR).div_ceil(most);
    let cells = |length: u64| usize::try_from(length).unwrap_or_default();
    format!("{}{}", "█".repeat(cells(length)), " ".repeat(cells(BAR.saturating_sub(length))))
}

#[expect(clippy::cast_precision_loss, reason = "shown with one digit behind the point")]
fn percent(count: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { count as f64 * 100.0 / all as f64 }
}

fn details(sums: Sums) -> String {
    let mut parts = vec![spread(sums)];
    if sums.tokens_in + sums.tokens_out > 0 {
        let (tokens_in, cached, out) = (sums.tokens_in, sums.tokens_cached, sums.tokens_out);
        parts.push(format!("{tokens_in} tokens in ({cached} cached), {out} out"));
    }
    if sums.cost_micros > 0 {
        let (whole, part) = (sums.cost_micros / 1_000_000, sums.cost_micros % 1_000_000);
        parts.push(format!("${whole}.{:04}", part / 100));
    }
    if sums.unpriced > 0 {
        parts.push(format!("{} without a known price", sums.unpriced));
    }
    let mean = sums.micros / sums.count.max(1);
    parts.push(if mean < 1000 { format!("{mean} µs each") } else { format!("{} ms each", mean / 1000) });
    parts.join("; ")
}

fn as_json(tally: &Tally, first: Day, last: Day, abandoned: u64) -> Value {
    let mut by = serde_json::Map::new();
    for group in Group::ALL {
        let rows = tally.by(*group);
        let rows = rows.iter().map(|(name, sums)| {
            let mut row = sums_json(*sums);
            if let Some(fields) = row.as_object_mut() {
                fields.shift_insert(0, "name".to_owned(), json!(name));
                fields.insert("share".to_owned(), json!(percent(sums.count, tally.all.count) / 100.0));
            }
            row
        });
        by.insert(group.name().to_owned(), rows.collect());
    }
    json!({
        "from": first.to_string(),
        "to": last.to_string(),
        "all": sums_json(tally.all),
        "by": by,
        "failures": tally.failures().to_json(),
        "unreadable": tally.unreadable,
        "abandoned": abandoned,
    })
}

fn sums_json(sums: Sums) -> Value {
    json!({
        "count": sums.count,
        "allow": sums.allow,
        "deny": sums.deny,
        "ask": sums.ask,
        "tokens_in": sums.tokens_in,
        "tokens_out": sums.tokens_out,
        "tokens_cached": sums.tokens_cached,
        "cost_micros": sums.cost_micros,
        "unpriced": sums.unpriced,
        "micros": sums.micros,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_what_they_show() {
        assert_eq!(bar(10, 10).trim_end().chars().count(), 24);
        assert_eq!(bar(5, 10).trim_end().chars().count(), 12);
        assert_eq!(bar(1, 100_000).trim_end().chars().count(), 1);
        assert_eq!(bar(0, 10).trim_end(), "");
        assert_eq!(bar(3, 10).chars().count(), 24);
    }
}
