//! The reader's findings as a coloured tree with carets.

use portcullis_shell::{Command, Effects, FileUse, Reading, Span, Unclear};
use unicode_width::UnicodeWidthStr;

use crate::output::{CALM, DIM, LOUD, STRONG, WARM, visible};

/// The whole answer.
pub(crate) fn render(line: &str, reading: &Reading, told: &[String]) -> String {
    let mut text = String::new();
    headline(&mut text, reading, told);
    for (index, command) in reading.commands.iter().enumerate() {
        one_command(&mut text, command, index + 1 == reading.commands.len());
    }
    files(&mut text, "reads", &reading.files.read);
    files(&mut text, "writes", &reading.files.written);
    files(&mut text, "deletes", &reading.files.deleted);
    for unclear in &reading.unclear {
        doubt(&mut text, line, unclear);
    }
    text
}

fn headline(text: &mut String, reading: &Reading, told: &[String]) {
    let line = match (reading.refused(), reading.only_reads()) {
        (Some(unclear), _) => format!("{LOUD}cannot read this{LOUD:#}: {}", visible(&unclear.to_string())),
        (None, true) => format!("{CALM}only reads{CALM:#}"),
        (None, false) if reading.only_reads_unless_told() && told.is_empty() => {
            let files = reading.obeyed_files().join(" ");
            format!(
                "{CALM}only reads{CALM:#} {DIM}here, where no file tells it to run other code ({files}){DIM:#}"
            )
        }
        (None, false) if reading.only_reads_unless_told() => {
            format!("{WARM}obeys a file of the project{WARM:#}: {}", visible(&told.join(" ")))
        }
        (None, false) if reading.unclear.is_empty() => {
            format!("{WARM}does more than read{WARM:#}: {}", effects(beyond_reading(reading.effects())))
        }
        (None, false) => format!("{LOUD}not all of this can be told{LOUD:#}"),
    };
    push(text, &line);
}

fn beyond_reading(effects: Effects) -> Effects {
    effects.without(Effects::HARMLESS)
}

fn one_command(text: &mut String, command: &Command, last: bool) {
    let branch = if last { "└─" } else { "├─" };
    let name = command.program.as_deref().unwrap_or("?");
    let mut words = String::new();
    for argument in &command.arguments {
        let shown = visible(&argument.text).replace('\n', "⏎");
        let style = if argument.literal { anstyle::Style::new() } else { WARM };
        append(&mut words, format_args!(" {style}{shown}{style:#}"));
    }
    let place = match command.placement.name() {
        "direct" => String::new(),
        other => format!(" {DIM}({other}){DIM:#}"),
    };
    let at = command
        .directory
        .as_deref()
        .map(|path| format!(" {DIM}in {}{DIM:#}", visible(path)))
        .unwrap_or_default();
    push(
        text,
        &format!(
            "{branch} {STRONG}{}{STRONG:#}{words}{place}{at}  {}",
            visible(name),
            effects(command.effects)
        ),
    );
}

fn effects(set: Effects) -> String {
    let mut text = String::new();
    for (index, name) in set.names().enumerate() {
        let effect = Effects::named(name).unwrap_or_default();
        let style = if effect.is_harmless() {
            CALM
        } else if effect == Effects::UNKNOWN {
            LOUD
        } else {
            WARM
        };
        append(&mut text, format_args!("{}{style}{name}{style:#}", if index == 0 { "" } else { " " }));
    }
    text
}

fn files(text: &mut String, what: &str, files: &[FileUse]) {
    for file in files {
        let guess = if file.literal { "" } else { " (a pattern: not exactly known)" };
        push(text, &format!("{DIM}{what:>8}{DIM:#}  {}{DIM}{guess}{DIM:#}", visible(&file.path)));
    }
}

/// What is unclear, and where.
fn doubt(text: &mut String, line: &str, unclear: &Unclear) {
    push(text, &format!("{LOUD}unclear{LOUD:#}: {}", visible(&unclear.to_string())));
    text.push_str(&marked(line, unclear.span));
}

/// The line of text around the span, with carets under it.
pub(crate) fn marked(line: &str, span: Span) -> String {
    let Some((before, marked, after)) = around(line, span) else { return String::new() };
    let (before, marked, after) = (visible(before), visible(marked), visible(after));
    let carets = "^".repeat(marked.width().max(1));
    format!(
        "  {DIM}│{DIM:#} {before}{LOUD}{marked}{LOUD:#}{after}\n  {DIM}│{DIM:#} {}{LOUD}{carets}{LOUD:#}\n",
        " ".repeat(before.width())
    )
}

/// The physical line that holds the span, split around it. Long lines are cut to what stands near.
fn around(line: &str, span: Span) -> Option<(&str, &str, &str)> {
    const NEAR: usize = 60;
    let (start, end) = (span.start as usize, span.end as usize);
    let head = line.get(..start)?;
    let line_start = head.rfind('\n').map_or(0, |at| at + 1);
    let tail = line.get(start..)?;
    let line_end = start + tail.find('\n').unwrap_or(tail.len());
    let end = end.clamp(start, line_end);
    let before = line.get(line_start..start)?;
    let after = line.get(end..line_end)?;
    let marked = line.get(start..end)?;
    Some((last_characters(before, NEAR), first_characters(marked, NEAR), first_characters(after, NEAR)))
}

fn last_characters(text: &str, most: usize) -> &str {
    let skip = text.chars().count().saturating_sub(most);
    text.char_indices().nth(skip).map_or("", |(at, _)| text.get(at..).unwrap_or_default())
}

fn first_characters(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(at, _)| text.get(..at).unwrap_or_default())
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Adds formatted text.
pub(crate) fn append(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.push_str(&arguments.to_string());
}
