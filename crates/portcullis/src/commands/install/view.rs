//! What people see: the change as a diff, and what is left for them to do.

use similar::TextDiff;

use super::Direction;
use super::plan::{Change, Plan, backup_path};
use super::site::{Scope, Site};
use crate::output::{CALM, DIM, LOUD, STRONG, append};

/// The changes of all agents.
pub(super) fn plans(plans: &[Plan], site: &Site, direction: Direction) -> String {
    let mut text = String::new();
    for plan in plans {
        if plan.changes.is_empty() {
            if direction == Direction::In {
                append(
                    &mut text,
                    format_args!("{STRONG}{}{STRONG:#}: nothing to change\n", plan.agent.title),
                );
            }
            continue;
        }
        append(&mut text, format_args!("{STRONG}{}{STRONG:#}\n", plan.agent.title));
        for change in &plan.changes {
            text.push_str(&diff(change));
        }
        if direction == Direction::In {
            for note in notes(plan, site) {
                append(&mut text, format_args!("{DIM}note: {note}{DIM:#}\n"));
            }
        }
        text.push('\n');
    }
    if text.is_empty() {
        text.push_str("nothing to change\n");
    }
    text
}

/// What was done.
pub(super) fn done(plans: &[Plan], direction: Direction) -> String {
    let mut text = String::new();
    for plan in plans.iter().filter(|plan| !plan.changes.is_empty()) {
        let word = match direction {
            Direction::In => "asks the gate now; start it anew",
            Direction::Out => "no longer asks the gate",
        };
        append(&mut text, format_args!("{CALM}{}{CALM:#} {word}\n", plan.agent.title));
        for change in &plan.changes {
            let copy = backup_path(&change.path);
            if direction == Direction::In && copy.exists() {
                append(
                    &mut text,
                    format_args!("{DIM}  as it was: {}{DIM:#}\n", shown(&copy.display().to_string())),
                );
            }
        }
    }
    text
}

fn notes(plan: &Plan, site: &Site) -> Vec<String> {
    let mut notes = (plan.agent.notes)(site);
    if site.scope == Scope::Project {
        notes.push(format!("others who work on this project need this program at {}", site.program()));
    }
    notes
}

fn diff(change: &Change) -> String {
    let path = shown(&change.path.display().to_string());
    let before = change.before.as_deref().unwrap_or_default();
    let after = change.after.as_deref().unwrap_or_default();
    let name = |text: &Option<String>| if text.is_some() { path.clone() } else { "/dev/null".to_owned() };
    let lines = TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(3)
        .header(&name(&change.before), &name(&change.after))
        .to_string();
    let mut text = String::new();
    for line in lines.lines() {
        let style = match line.chars().next() {
            Some('+') => CALM,
            Some('-') => LOUD,
            Some(_) | None => anstyle::Style::new(),
        };
        append(&mut text, format_args!("{style}{}{style:#}\n", shown(line)));
    }
    text
}

/// Text that a terminal does not act on; tabs are part of how settings look.
fn shown(text: &str) -> String {
    let tab = |part: &str| crate::output::visible(part);
    text.trim_end_matches('\r').split('\t').map(tab).collect::<Vec<_>>().join("\t")
}
