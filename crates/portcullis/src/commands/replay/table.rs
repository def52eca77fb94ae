//! A replay for people and for programs.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::process::ExitCode;

use anstyle::Style;
use portcullis_classify::redact_json;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::judging::Ruled;
use super::session_replay::Row;
use super::summary::{CHARACTERS_PER_TOKEN, DECISIONS, Summary, format_name, share};
use super::work::{LONGEST_PAUSE_MS, real};
use crate::commands::log::view;
use crate::moment;
use crate::output::{self, CALM, DIM, LOUD, STRONG, WARM, append};

/// How much of a call and of its reason stands in a line.
#[derive(Clone, Copy)]
struct Widths {
    call: usize,
    reason: usize,
}

impl Widths {
    /// Where nobody says how wide a line may be.
    const USUAL: Widths = Widths { call: 44, reason: 60 };
    /// The least that says anything.
    const LEAST: Widths = Widths { call: 20, reason: 12 };
    /// What the other columns take.
    const BESIDE: usize = 38;

    /// As wide as the terminal, shared as usual.
    fn within(room: usize) -> Widths {
        let (usual, least) = (Widths::USUAL, Widths::LEAST);
        if room == usize::MAX {
            return usual;
        }
        let free = room.saturating_sub(Widths::BESIDE);
        let call = (free * usual.call / (usual.call + usual.reason)).max(least.call);
        Widths { call, reason: free.saturating_sub(call).max(least.reason) }
    }
}

/// Lines are written when there are so many bytes of them: a recording can hold millions.
const BUFFER: usize = 1 << 15;

/// Where rows go.
pub(super) struct Shown {
    json: bool,
    compares: bool,
    /// Whether somebody watches it happen.
    live: bool,
    widths: Widths,
    rows: u64,
    /// The recording whose rows come next, where there are several.
    heading: Option<String>,
    waiting: String,
}

impl Shown {
    pub(super) fn new(json: bool, compares: bool) -> Shown {
        let live = std::io::stdout().is_terminal();
        let widths = Widths::within(output::room());
        Shown { json, compares, live, widths, rows: 0, heading: None, waiting: String::new() }
    }

    /// Names the recording before its first row, if one is shown.
    pub(super) fn begin(&mut self, name: &str) {
        self.heading = (!self.json).then(|| view::shortened(name, self.widths.call + self.widths.reason));
    }

    /// Shows a call; breaks off where nobody reads any more.
    pub(super) fn row(&mut self, number: u64, file: &str, row: &Row) -> ControlFlow<ExitCode> {
        if let Some(name) = self.heading.take() {
            let apart = if self.rows > 0 { "\n" } else { "" };
            append(&mut self.waiting, format_args!("{apart}{STRONG}{name}{STRONG:#}\n"));
        }
        self.rows += 1;
        let text = if self.json {
            output::json_line(&redact_json(&as_json(number, file, row)))
        } else if self.compares {
            compared(number, row, self.widths)
        } else {
            line(number, row, self.widths)
        };
        self.waiting.push_str(&text);
        if self.live || self.waiting.len() >= BUFFER { self.flush() } else { ControlFlow::Continue(()) }
    }

    /// Shows what it comes to.
    pub(super) fn summary(&mut self, summary: &Summary) -> ControlFlow<ExitCode> {
        if self.json {
            self.waiting.push_str(&output::json_line(&summary.as_json()));
        } else {
            if self.rows > 0 {
                self.waiting.push('\n');
            }
            self.waiting.push_str(&as_text(summary));
        }
        self.flush()
    }

    fn flush(&mut self) -> ControlFlow<ExitCode> {
        output::print_more(&std::mem::take(&mut self.waiting))
    }
}

fn styled(decision: &str) -> (String, Style) {
    let style = match decision {
        "allow" => CALM.bold(),
        "deny" => LOUD,
        "ask" => WARM.bold(),
        _ => STRONG,
    };
    (decision.to_uppercase(), style)
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn call(row: &Row, width: usize) -> String {
    let by = if row.agent.is_some() { "↳ " } else { "" };
    padded(&view::shortened(&format!("{by}{} {}", row.tool, row.text), width), width)
}

fn line(number: u64, row: &Row, widths: Widths) -> String {
    let (word, style) = styled(row.ruled.decision);
    let why = padded(&view::shortened(&row.ruled.why(), widths.reason), widths.reason);
    format!(
        "{DIM}{number:>4}{DIM:#}  {style}{word:<5}{style:#}  {:<9}  {STRONG}{}{STRONG:#}  {why}  {DIM}{:>8}{DIM:#}\n",
        row.ruled.layer.name(),
        call(row, widths.call),
        micros(row.ruled.micros),
    )
}

fn compared(number: u64, row: &Row, widths: Widths) -> String {
    let Some(other) = &row.other else { return line(number, row, widths) };
    let ((old, old_style), (new, new_style)) = (styled(row.ruled.decision), styled(other.decision));
    format!(
        "{DIM}{number:>4}{DIM:#}  {old_style}{old:<5}{old_style:#} → {new_style}{new:<5}{new_style:#}  {STRONG}{}{STRONG:#}  \
         {}\n      {DIM}before: {}{DIM:#}\n",
        call(row, widths.call),
        view::shortened(&other.why(), widths.reason),
        view::shortened(&row.ruled.why(), widths.reason),
    )
}

fn as_json(number: u64, file: &str, row: &Row) -> Value {
    let mut value = json!({
        "call": number,
        "file": file,
        "time": row.time_ms.map(moment::stamp),
        "session": row.session,
        "agent": row.agent,
        "id": row.id,
        "tool": row.tool,
        "input": row.text,
    });
    if let (Value::Object(fields), Value::Object(ruled)) = (&mut value, ruled(&row.ruled)) {
        fields.extend(ruled);
        if let Some(other) = &row.other {
            fields.insert("other".to_owned(), self::ruled(other));
            fields.insert("differs".to_owned(), json!(row.differs()));
        }
    }
    value
}

fn ruled(ruled: &Ruled) -> Value {
    json!({
        "decision": ruled.decision,
        "layer": ruled.layer.name(),
        "message": ruled.why(),
        "reason": ruled.ruling.reason.to_json(),
        "micros": ruled.micros,
    })
}

fn as_text(summary: &Summary) -> String {
    let mut text = headline(summary);
    for decision in DECISIONS {
        text.push_str(&part(summary, decision));
    }
    if let (Some(half), Some(nearly)) = (summary.times.at(50), summary.times.at(99)) {
        append(
            &mut text,
            format_args!(
                "  time      half of the calls within {}, 99 % within {}\n",
                micros(half),
                micros(nearly)
            ),
        );
    }
    if summary.spared > 0 {
        append(
            &mut text,
            format_args!(
                "  saved     {} classifier calls, about {} tokens {DIM}(their first requests: {} characters, \
                 {CHARACTERS_PER_TOKEN} to a token){DIM:#}\n",
                grouped(summary.spared),
                grouped(summary.spared_tokens()),
                grouped(summary.spared_characters),
            ),
        );
    }
    text.push_str(&remarks(summary));
    text.push_str(&changes(summary));
    text
}

fn headline(summary: &Summary) -> String {
    let calls = counted(summary.calls, "call");
    let sessions = counted(summary.sessions, "session");
    let worked = match summary.work.total_ms() {
        Some(worked) => format!(
            ", {} of work {DIM}(a pause counts for {} minutes at most){DIM:#}",
            duration(worked),
            LONGEST_PAUSE_MS / 60_000
        ),
        None => String::new(),
    };
    format!("{STRONG}{calls} in {sessions}{STRONG:#}{worked}\n")
}

fn part(summary: &Summary, decision: &'static str) -> String {
    let count = summary.ruled(decision);
    // Without a model, nothing is left to one.
    if count == 0 && decision == "escalate" {
        return String::new();
    }
    let name = match decision {
        "allow" => "allowed",
        "ask" => "asked",
        "deny" => "denied",
        _ => "to model",
    };
    let (_, style) = styled(decision);
    let layers: Vec<String> =
        summary.layers(decision).map(|(layer, count)| format!("{} {count}", layer.name())).collect();
    let often = summary.prompts_an_hour().filter(|_| decision == "ask");
    let parts = layers.join(" · ");
    let parts: Vec<String> = Some(parts)
        .filter(|it| !it.is_empty())
        .into_iter()
        .chain(often.map(|it| format!("{it:.1} an hour")))
        .collect();
    let share = 100.0 * share(count, summary.calls);
    let line =
        format!("  {style}{name:<8}{style:#}{:>6}  {share:>5.1} %   {}", grouped(count), parts.join("   "));
    format!("{}\n", line.trim_end())
}

fn remarks(summary: &Summary) -> String {
    let mut text = String::new();
    let mut remark =
        |style: Style, line: String| append(&mut text, format_args!("  {style}{line}{style:#}\n"));
    if summary.ruled("escalate") > 0 {
        remark(DIM, "a model is configured and was not asked; `--model` asks it".to_owned());
    }
    if summary.hooked > 0 {
        let calls = counted(summary.hooked, "call");
        remark(DIM, format!("your hooks would have been asked about {calls}; they are not run here"));
    }
    if summary.repeated > 0 {
        let calls = counted(summary.repeated, "call");
        remark(DIM, format!("{calls} of earlier recordings came again and count once"));
    }
    if summary.skipped > 0 {
        remark(WARM, format!("not understood: {}", counted(summary.skipped, "line")));
    }
    for file in summary.files.iter().filter(|file| file.calls == 0 || file.skipped > 0) {
        let name = view::shortened(&file.name, 60);
        let format = file.format.map_or("nothing that is known", format_name);
        let calls = counted(file.calls, "call");
        let skipped = counted(file.skipped, "line");
        remark(DIM, format!("{name} ({format}): {calls}, {skipped} not understood"));
    }
    text
}

fn changes(summary: &Summary) -> String {
    let Some(changes) = &summary.changes else { return String::new() };
    let count = summary.changed();
    if count == 0 {
        return format!("{CALM}the other settings rule the same{CALM:#}\n");
    }
    let verb = if count == 1 { "differs" } else { "differ" };
    let mut text =
        format!("{STRONG}{} of {} {verb}{STRONG:#}:", grouped(count), counted(summary.calls, "call"));
    let kinds: Vec<String> =
        changes.iter().map(|((from, to), calls)| format!(" {} {from} → {to}", grouped(*calls))).collect();
    text.push_str(&kinds.join(","));
    let often = summary.other_prompts_an_hour().map(|it| format!(" ({it:.1} an hour)")).unwrap_or_default();
    append(
        &mut text,
        format_args!(
            "\n  the other settings: {} allowed, {} asked{often}, {} denied\n",
            grouped(summary.other_ruled("allow")),
            grouped(summary.other_ruled("ask")),
            grouped(summary.other_ruled("deny")),
        ),
    );
    text
}

fn counted(count: u64, name: &str) -> String {
    format!("{} {name}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn micros(micros: u64) -> String {
    match micros {
        0..10_000 => format!("{micros} µs"),
        10_000..10_000_000 => format!("{:.1} ms", real(micros) / 1e3),
        _ => format!("{:.1} s", real(micros) / 1e6),
    }
}

fn duration(millis: u64) -> String {
    let minutes = millis / 60_000;
    match minutes {
        0 => format!("{} s", millis / 1000),
        1..60 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(123_456), "123,456");
        assert_eq!((micros(900), micros(12_340)), ("900 µs".to_owned(), "12.3 ms".to_owned()));
        assert_eq!((duration(59_000), duration(7_260_000)), ("59 s".to_owned(), "2 h 1 min".to_owned()));
    }

    #[test]
    fn lines_fit_their_terminal() {
        for room in [80, 100, 120, 200] {
            let widths = Widths::within(room);
            assert!(widths.call + widths.reason + Widths::BESIDE <= room, "{room}");
        }
        let usual = Widths::within(usize::MAX);
        assert_eq!((usual.call, usual.reason), (44, 60));
        let least = Widths::within(10);
        assert_eq!((least.call, least.reason), (20, 12));
    }
}
