//! `portcullis rules`: the rules by source, with what is odd about them.

use std::process::ExitCode;

use portcullis_decide::rules::{Extra, Rule};
use portcullis_gate::settings::{Loaded, ValueStatus};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::rule_marks::{Mark, marks};
use super::{problems, project::Project, settings};
use crate::output::{self, CALM, DIM, LOUD, STRONG, WARM, append, visible};

/// The widest that the texts of rules are padded to.
const TEXT_WIDTH: usize = 44;

/// What to list.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    project: Project,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// A rule with what is to be said about it.
struct Line<'r> {
    rule: &'r Rule,
    status: ValueStatus,
    marks: Vec<Mark>,
}

/// Lists the rules.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let loaded = match arguments.project.load() {
        Ok(loaded) => loaded,
        Err(message) => return output::fail(&message),
    };
    let lines = lines(&loaded);
    let text =
        if arguments.json { format!("{}\n", as_json(&loaded, &lines)) } else { as_text(&loaded, &lines) };
    output::print(&text)
}

fn lines(loaded: &Loaded) -> Vec<Line<'_>> {
    let rules = loaded.settings.rules();
    let extra = loaded.settings.dangerous_rules.as_ref().map_or(Extra::Keep, |extra| extra.value);
    let in_force = rules.iter().enumerate().map(|(index, rule)| Line {
        rule,
        status: ValueStatus::InForce,
        marks: marks(rules, index, extra),
    });
    let aside = loaded.settings.inactive_rules().iter();
    let aside = aside.map(|it| Line { rule: &it.rule, status: it.status, marks: Vec::new() });
    let mut lines: Vec<Line<'_>> = in_force.chain(aside).collect();
    lines.sort_by_key(|line| {
        let origin = &line.rule.origin;
        (origin.source, origin.file.clone(), std::cmp::Reverse(line.rule.list), origin.line, origin.column)
    });
    lines
}

fn as_json(loaded: &Loaded, lines: &[Line<'_>]) -> Value {
    let one = |line: &Line<'_>| {
        json!({
            "rule": line.rule.text,
            "list": line.rule.list.name(),
            "origin": settings::origin(&line.rule.origin),
            "standing": line.status.name(),
            "marks": line.marks.iter().map(|mark| json!({ "kind": mark.kind, "why": mark.why })).collect::<Vec<_>>(),
        })
    };
    json!({
        "rules": lines.iter().map(one).collect::<Vec<_>>(),
        "problems": problems::as_json(&loaded.problems),
    })
}

fn as_text(loaded: &Loaded, lines: &[Line<'_>]) -> String {
    let mut text = problems::lines(&loaded.problems);
    if lines.is_empty() {
        return text + "there are no rules\n";
    }
    let width =
        lines.iter().map(|line| visible(&line.rule.text).width()).max().unwrap_or_default().min(TEXT_WIDTH);
    let mut heading = String::new();
    for line in lines {
        let origin = &line.rule.origin;
        let file =
            origin.file.as_deref().map(|file| format!("  {DIM}{}{DIM:#}", visible(file))).unwrap_or_default();
        let here = format!("{STRONG}{}{STRONG:#}{file}\n", origin.source.name());
        if here != heading {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            text.push_str(&here);
            heading = here;
        }
        text.push_str(&row(line, width));
    }
    text
}

fn row(line: &Line<'_>, width: usize) -> String {
    let counts = line.status == ValueStatus::InForce;
    let style = match (counts, line.rule.list.name()) {
        (false, _) => DIM,
        (true, "allow") => CALM,
        (true, "ask") => WARM,
        (true, _) => LOUD,
    };
    let shown = visible(&line.rule.text);
    let pad = " ".repeat(width.saturating_sub(shown.width()));
    let place = match line.rule.origin.line {
        0 => String::new(),
        number => format!("  {DIM}line {number}{DIM:#}"),
    };
    let mut text = format!("  {style}{:<5}{style:#}  {shown}{pad}{place}\n", line.rule.list.name());
    if !counts {
        append(&mut text, format_args!("         {DIM}no effect: {}{DIM:#}\n", line.status.reason()));
    }
    for mark in &line.marks {
        append(&mut text, format_args!("         {WARM}{}{WARM:#}: {}\n", mark.kind, visible(&mark.why)));
    }
    text
}
