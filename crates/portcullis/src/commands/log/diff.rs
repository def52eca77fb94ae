//! `log diff`: what enforcement would have changed for calls that were judged and recorded only (SPEC M4).

use std::ops::ControlFlow;
use std::process::ExitCode;

use portcullis_gate::store::{Entry, Filter, Record};
use serde_json::{Value, json};

use super::{Filters, opened, view};
use crate::moment;
use crate::output::{self, DIM, STRONG, append};

/// How many different groups are kept apart; the rest is counted together.
const MOST_GROUPS: usize = 1000;

/// Which calls.
#[derive(clap::Args)]
pub(crate) struct Diff {
    #[command(flatten)]
    filter: Filters,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Calls that would have met the same answer for the same reason.
struct Group {
    decision: String,
    tool: String,
    why: String,
    count: u64,
    last_ms: u64,
    example: (u64, Record),
}

#[derive(Default)]
struct Changes {
    /// Calls that were only watched.
    watched: u64,
    groups: Vec<Group>,
    /// Calls beyond the groups that are kept apart.
    more: u64,
}

/// Shows what would have been different.
pub(crate) fn run(arguments: &Diff) -> Result<ExitCode, String> {
    let filter = Filter { kind: Some("call".to_owned()), ..arguments.filter.read()? };
    let mut changes = Changes::default();
    let each = |entry: Entry| {
        if !entry.record.enforced {
            changes.add(entry);
        }
        ControlFlow::Continue(())
    };
    opened()?.entries(&filter, each).map_err(|error| error.to_string())?;
    changes.groups.sort_by(|one, other| {
        (&one.decision, other.count, &one.why).cmp(&(&other.decision, one.count, &other.why))
    });
    Ok(if arguments.json {
        output::print_json(&changes.as_json())
    } else {
        output::print(&changes.as_text())
    })
}

impl Changes {
    fn add(&mut self, Entry { seq, record, .. }: Entry) {
        self.watched += 1;
        // An allow changes nothing that matters: the agent's own rules would have let it pass or asked.
        if record.decision == "allow" {
            return;
        }
        let why = why(&record);
        let same = |group: &&mut Group| {
            group.decision == record.decision && group.tool == record.tool && group.why == why
        };
        if let Some(group) = self.groups.iter_mut().find(same) {
            group.count += 1;
            group.last_ms = group.last_ms.max(record.time_ms);
        } else if self.groups.len() < MOST_GROUPS {
            self.groups.push(Group {
                decision: record.decision.clone(),
                tool: record.tool.clone(),
                why,
                count: 1,
                last_ms: record.time_ms,
                example: (seq, record),
            });
        } else {
            self.more += 1;
        }
    }

    fn changed(&self) -> u64 {
        self.groups.iter().map(|group| group.count).sum::<u64>() + self.more
    }

    fn as_text(&self) -> String {
        let mut text = format!(
            "{STRONG}{} of {} watched calls{STRONG:#} would have been denied or asked about\n",
            self.changed(),
            self.watched
        );
        for group in &self.groups {
            let (word, style) = view::decision(&group.example.1);
            let tool = view::shortened(&group.tool, 40);
            let why = view::shortened(&group.why, 100);
            append(
                &mut text,
                format_args!(
                    "\n{style}{word:<5}{style:#} {:>6} ×  {STRONG}{tool}{STRONG:#}  {why}\n",
                    group.count
                ),
            );
            let example = view::shortened(&view::call(&group.example.1.input), 90);
            let last = moment::short(group.last_ms);
            append(
                &mut text,
                format_args!("        {DIM}as entry {}: {example}; last {last}{DIM:#}\n", group.example.0),
            );
        }
        if self.more > 0 {
            append(&mut text, format_args!("\nand {} other calls\n", self.more));
        }
        text
    }

    fn as_json(&self) -> Value {
        let groups = self.groups.iter().map(|group| {
            json!({
                "decision": group.decision,
                "tool": group.tool,
                "why": view::shortened(&group.why, 400),
                "count": group.count,
                "last": moment::stamp(group.last_ms),
                "example": group.example.0,
            })
        });
        json!({
            "watched": self.watched,
            "changed": self.changed(),
            "groups": groups.collect::<Vec<_>>(),
            "more": self.more,
        })
    }
}

/// What decided: a rule by its text, else the kind of reason.
fn why(record: &Record) -> String {
    let named = ["rule", "policy", "check", "name", "word", "type"];
    let named = named.into_iter().find_map(|name| record.reason.get(name)?.as_str());
    named.unwrap_or(&record.message).to_owned()
}
