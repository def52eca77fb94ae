//! `portcullis detectors`: the kinds of harm that auto mode recognises, and what one of them is about (SPEC L2, J10).

use std::collections::BTreeMap;
use std::process::ExitCode;

use portcullis_decide::detect::{Detector, Example, Level, Severity, detector, detectors};
use portcullis_gate::settings::{Overrides, Places, find_project, load};
use serde_json::{Value, json};

use crate::output::{self, CALM, DIM, LOUD, STRONG, WARM, append, visible};

/// What to show.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A detector such as `git/push-force`, a group such as `git`, or a word to look for. Without it all are listed.
    id: Option<String>,
    /// Print a JSON array.
    #[arg(long)]
    json: bool,
}

/// What the settings in force make of detectors.
type Levels = BTreeMap<String, Level>;

/// Shows the list, a part of it, or one detector.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let here = std::env::current_dir().unwrap_or_else(|_| "/".into());
    let levels =
        load(&Places::from_environment(&find_project(&here)), &Overrides::default()).settings.detectors;
    let named = arguments.id.as_deref().unwrap_or_default();
    let chosen: Vec<&Detector> = match detector(named) {
        Some(one) => vec![one],
        None => detectors().filter(|it| is_about(it, named)).collect(),
    };
    if chosen.is_empty() {
        let named = visible(named);
        return output::fail(&format!(
            "no detector is about `{named}`; `portcullis detectors` lists them all"
        ));
    }
    if arguments.json {
        return output::print_json(&chosen.iter().map(|it| as_json(it)).collect());
    }
    match chosen.as_slice() {
        [one] => output::print(&page(one, &levels)),
        _ => output::print(&list(&chosen, &levels)),
    }
}

/// Whether a detector is of a group, or has a word in its id or its summary.
fn is_about(detector: &Detector, named: &str) -> bool {
    let word = named.to_lowercase();
    let whole_group = detectors().any(|it| it.group() == word);
    if whole_group {
        detector.group() == word
    } else {
        detector.id.contains(&word) || detector.doc.to_lowercase().contains(&word)
    }
}

fn list(chosen: &[&Detector], levels: &Levels) -> String {
    let mut text = String::new();
    let wide = chosen.iter().map(|it| it.id.len()).max().unwrap_or_default().min(38);
    let room = output::room().saturating_sub(wide + 9).max(30);
    let mut group = "";
    for it in chosen {
        if it.group() != group {
            group = it.group();
            let gap = if text.is_empty() { "" } else { "\n" };
            append(&mut text, format_args!("{gap}{STRONG}{group}{STRONG:#}\n"));
        }
        let (word, style) = shown(it, levels);
        let summary = shortened(it.summary(), room);
        append(
            &mut text,
            format_args!("  {style}{word:5}{style:#}  {:wide$}  {DIM}{summary}{DIM:#}\n", it.id),
        );
    }
    let count = chosen.len();
    append(
        &mut text,
        format_args!(
            "\n{count} detectors; `portcullis detectors ID` explains one, `*` marks what your settings changed\n"
        ),
    );
    text
}

/// The level in force, with a mark where the user chose it.
fn shown(detector: &Detector, levels: &Levels) -> (String, anstyle::Style) {
    let chosen = levels.get(detector.id).copied();
    let level = chosen.unwrap_or_else(|| detector.usual_level());
    let style = match level {
        Level::Off => DIM,
        Level::Ask => WARM,
        Level::Deny => LOUD,
    };
    let mark = if chosen.is_some() { "*" } else { "" };
    (format!("{}{mark}", level.name()), style)
}

fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

fn page(detector: &Detector, levels: &Levels) -> String {
    let mut text = String::new();
    let (word, style) = shown(detector, levels);
    append(&mut text, format_args!("{STRONG}{}{STRONG:#}  {style}{word}{style:#}\n\n", detector.id));
    for line in wrapped(&format!("{}\n\n{}", detector.summary(), detector.details()), output::room().min(90))
    {
        append(&mut text, format_args!("{line}\n"));
    }
    let severity = match detector.severity {
        Severity::Hard => "hard: no request clears it",
        Severity::Soft => "soft: an explicit request of yours clears it",
    };
    append(&mut text, format_args!("\n  kind       {}\n", detector.category.title()));
    append(&mut text, format_args!("  severity   {severity}\n"));
    append(&mut text, format_args!("  certainty  {}\n", detector.certainty.name()));
    for (title, examples, style) in [("finds", detector.hits, WARM), ("passes", detector.passes, CALM)] {
        for (index, example) in examples.iter().enumerate() {
            let title = if index == 0 { title } else { "" };
            let line = shortened(&visible(&as_line(example)), output::room().saturating_sub(14).max(40));
            append(&mut text, format_args!("  {title:9}  {style}{line}{style:#}\n"));
        }
    }
    let levels: Vec<&str> =
        Level::ALL.into_iter().filter(|level| detector.may_be(*level)).map(Level::name).collect();
    append(&mut text, format_args!("\nTo change it, put this into your settings ({}):\n", levels.join(", ")));
    let example = levels.first().copied().unwrap_or("deny");
    append(&mut text, format_args!("  {{\"detectors\": {{\"{}\": \"{example}\"}}}}\n", detector.id));
    text
}

/// Paragraphs, broken to a width.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split("\n\n") {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// An example in one line.
fn as_line(example: &Example) -> String {
    match example {
        Example::Line(line) => (*line).to_owned(),
        Example::Edit(path, old, new) => format!("Edit {path}: {} → {}", one_line(old), one_line(new)),
        Example::Write(path, text) => format!("Write {path}: {}", one_line(text)),
        Example::Tool(name, input) => format!("{name} {input}"),
        Example::Session(calls) => calls.iter().map(as_line).collect::<Vec<_>>().join("  then  "),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn as_json(detector: &Detector) -> Value {
    let examples = |all: &[Example]| all.iter().map(example_json).collect::<Value>();
    json!({
        "id": detector.id,
        "category": detector.category.id(),
        "severity": match detector.severity { Severity::Hard => "hard", Severity::Soft => "soft" },
        "certainty": detector.certainty.name(),
        "level": detector.usual_level().name(),
        "summary": detector.summary(),
        "details": detector.details(),
        "hits": examples(detector.hits),
        "passes": examples(detector.passes),
    })
}

/// A command line as text, every other call as tool and input.
fn example_json(example: &Example) -> Value {
    match example {
        Example::Line(line) => json!(line),
        Example::Edit(path, old, new) => {
            json!({ "tool": "Edit", "input": { "file_path": path, "old_string": old, "new_string": new } })
        }
        Example::Write(path, text) => {
            json!({ "tool": "Write", "input": { "file_path": path, "content": text } })
        }
        Example::Tool(name, input) => {
            json!({ "tool": name, "input": serde_json::from_str::<Value>(input).unwrap_or_default() })
        }
        Example::Session(calls) => json!({ "session": calls.iter().map(example_json).collect::<Value>() }),
    }
}
