//! Entries of the log for people and for programs. Credentials were taken out when they were written; what slipped
//! through then is taken out now.

use std::borrow::Cow;

use anstyle::Style;
use portcullis_classify::redact;
use portcullis_gate::store::{Entry, Record};
use serde_json::Value;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::commands::check_view::one_line;
use crate::log_entry::Abandoned;
use crate::moment;
use crate::output::{CALM, DIM, LOUD, STRONG, WARM};

/// How much of a call stands in a line.
const CALL_WIDTH: usize = 60;
/// How much of a reason stands in a line.
const REASON_WIDTH: usize = 100;

/// One line.
pub(crate) fn line(entry: &Entry, abandoned: &Abandoned) -> String {
    let record = &entry.record;
    let (word, style) = match abandoned.get(&entry.seq) {
        Some(_) => ("ABANDONED", WARM.bold()),
        None => decision(record),
    };
    let call = shortened(&format!("{} {}", record.tool, call(&record.input)), CALL_WIDTH);
    let pad = " ".repeat(CALL_WIDTH.saturating_sub(call.width()));
    let reason = shortened(&record.message, REASON_WIDTH);
    let time = moment::short(record.time_ms);
    format!(
        "{DIM}{:>6}  {time}{DIM:#}  {style}{word:<6}{style:#}  {STRONG}{call}{STRONG:#}{pad}  {reason}{}\n",
        entry.seq,
        marks(record, abandoned.get(&entry.seq).copied())
    )
}

/// What is unusual about an entry, and whose it is.
fn marks(record: &Record, abandoned: Option<u64>) -> String {
    let mut marks = Vec::new();
    if let Some(by) = abandoned {
        marks.push(format!("{} not delivered, see {by}", record.answered));
    }
    if record.kind != "call" {
        let about = record.about.map(|seq| format!(" about {seq}")).unwrap_or_default();
        marks.push(format!("{}{about}", record.kind));
    }
    if !record.enforced {
        marks.push("not enforced".to_owned());
    }
    if let Some(failure) = &record.failure {
        marks.push(format!("no verdict: {failure}"));
    }
    marks.extend([&record.agent, &record.session].into_iter().filter(|text| !text.is_empty()).cloned());
    marks.extend(record.worker.clone());
    let marks: Vec<String> = marks.iter().map(|mark| shortened(mark, 40)).collect();
    if marks.is_empty() { String::new() } else { format!("  {DIM}({}){DIM:#}", marks.join(", ")) }
}

/// The decision as a word with its colour; the kind where nothing was decided.
pub(crate) fn decision(record: &Record) -> (&'static str, Style) {
    match record.decision.as_str() {
        "allow" => ("ALLOW", CALM.bold()),
        "deny" => ("DENY", LOUD),
        "ask" => ("ASK", WARM.bold()),
        _ => ("", DIM),
    }
}

/// What a call is about, in one line: the command, path or address, else the whole input.
pub(crate) fn call(input: &Value) -> Cow<'_, str> {
    let names =
        ["command", "file_path", "notebook_path", "path", "url", "pattern", "query", "prompt", "skill"];
    let told = names.into_iter().find_map(|name| input.get(name)?.as_str());
    match told {
        Some(text) => Cow::Borrowed(text),
        None if input.is_null() => Cow::Borrowed(""),
        None => Cow::Owned(input.to_string()),
    }
}

/// Text without credentials that cannot break out of its line, cut to a width.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    // What is far too long is not worth looking through.
    let start: String = text.chars().take(20 * width).collect();
    let safe = one_line(&redact(&start));
    let safe = safe.trim();
    if safe.width() <= width {
        return safe.to_owned();
    }
    let mut room = width.saturating_sub(1);
    let fits = |character: &char| {
        let next = room.checked_sub(character.width().unwrap_or_default());
        room = next.unwrap_or_default();
        next.is_some()
    };
    let mut short: String = safe.chars().take_while(fits).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [S3], [C18]
    #[test]
    fn nothing_breaks_out_of_its_line() {
        let text = shortened("ls\u{202e}\x1b[2J\nrm", 60);
        assert!(!text.contains(['\u{202e}', '\x1b', '\n']), "{text}");
        assert_eq!(shortened(&"x".repeat(500), 10).chars().count(), 10);
        assert_eq!(shortened("漢字漢字", 5), "漢字…");
    }
}
