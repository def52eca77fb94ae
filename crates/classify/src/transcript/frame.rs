//! The conversation as text for a judging model (SPEC C3, C12): redacted, escaped, and no longer than it may be.
//!
//! Whatever a text says, it stays inside its line: it cannot end the line, close a tag or pass for a user's turn.

use portcullis_decide::{Tool, ToolCall};

use super::{Entry, Origin, Transcript};
use crate::framed::Framed;
use crate::redact::redact;

const OPENING: &str = "<transcript>\n";
const CLOSING: &str = "</transcript>\n";

/// Bytes to one token, in halves: fewer than models have, so that an estimate is never too low for text.
const HALF_BYTES_PER_TOKEN: usize = 5;

/// How much is shown of the beginning and of the end of an earlier call for which there is not enough room.
const SHORT: usize = 1500;

/// The layout of entries in the request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// One JSON object a line: `{"user":"…"}`, `{"Bash":"…"}`.
    #[default]
    JsonLines,
    /// One plain line each: `User: …`, `Bash: …`.
    PlainText,
}

/// The action and the user's words do not fit into the model's window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the action and the user's own words need about {needed} tokens, and there is room for {room}")]
pub struct TooLong {
    /// The tokens they need, estimated.
    pub needed: usize,
    /// The tokens there are.
    pub room: usize,
}

/// What a line is: decides whether it may be left out.
enum Line<'t> {
    /// Has to be shown.
    Human(String),
    /// May be left out, or be shown short.
    Other(String, &'t Entry),
}

impl Transcript {
    /// The conversation and the action as text of at most about `room` tokens. The action is shown whole, and
    /// so is every turn of a person; of the rest the newest is kept, and a line says what was left out.
    ///
    /// # Errors
    /// If the action and the turns of persons do not fit.
    pub fn frame(&self, action: &ToolCall, layout: Layout, room: usize) -> Result<Framed, TooLong> {
        let action = format!("<action>\n{}</action>\n", layout.call(action, safe));
        let lines: Vec<Line> = self.entries.iter().filter_map(|entry| layout.line(entry)).collect();
        let frame = tokens(OPENING) + tokens(CLOSING) + tokens(&action) + 2 * NOTE;
        let human: usize =
            lines.iter().map(|line| if let Line::Human(text) = line { tokens(text) } else { 0 }).sum();
        let needed = frame + human;
        if needed > room {
            // FAIL-CLOSED(transcript-too-long): what cannot be shown whole is not judged.
            return Err(TooLong { needed, room });
        }
        let entries = self.kept(lines, layout, room - needed);
        Ok(Framed { opening: OPENING.to_owned(), entries, action, closing: CLOSING.to_owned() })
    }

    /// The lines that there is room for, the newest first to be chosen.
    fn kept(&self, lines: Vec<Line<'_>>, layout: Layout, mut room: usize) -> Vec<String> {
        let (mut kept, mut left_out, mut full) = (Vec::new(), 0_usize, false);
        for line in lines.into_iter().rev() {
            let text = match line {
                Line::Human(text) => Some(text),
                Line::Other(whole, entry) => {
                    let fits = |text: &String| !full && tokens(text) <= room;
                    let fits = Some(whole).filter(fits).or_else(|| layout.short(entry).filter(fits));
                    room -= fits.as_ref().map_or(0, |text| tokens(text));
                    full |= fits.is_none();
                    fits
                }
            };
            left_out += usize::from(text.is_none());
            kept.extend(text);
        }
        if left_out > 0 {
            kept.push(layout.note(&format!("{left_out} earlier entries, for want of room")));
        }
        if self.skipped > 0 {
            let skipped = self.skipped;
            kept.push(layout.note(&format!("{skipped} lines of the conversation, which could not be read")));
        }
        kept.reverse();
        kept
    }
}

/// Room for a line that says what was left out.
const NOTE: usize = 40;

impl Layout {
    /// The most bytes of an entry that a model is shown.
    #[must_use]
    pub fn shown_bytes(self, entry: &Entry) -> usize {
        match self.line(entry) {
            Some(Line::Human(text) | Line::Other(text, _)) => text.len(),
            None => 0,
        }
    }

    fn line(self, entry: &Entry) -> Option<Line<'_>> {
        match entry {
            Entry::User { text, origin: Origin::Human } => {
                let text = safe(text);
                Some(Line::Human(match self {
                    Layout::JsonLines => format!("{{\"user\":\"{text}\"}}\n"),
                    Layout::PlainText => format!("User: {text}\n"),
                }))
            }
            Entry::User { text, origin: Origin::Other(from) } => {
                Some(Line::Other(self.not_the_user(from, &safe(text)), entry))
            }
            Entry::Call(call) => {
                call.describe()?;
                Some(Line::Other(self.call(call, safe), entry))
            }
        }
    }

    /// An entry with only the beginning and the end of its text.
    fn short(self, entry: &Entry) -> Option<String> {
        let short = |text: &str| escape(&shortened(&redact(text)));
        match entry {
            Entry::User { origin: Origin::Human, .. } => None,
            Entry::User { text, origin: Origin::Other(from) } => Some(self.not_the_user(from, &short(text))),
            Entry::Call(call) => Some(self.call(call, short)),
        }
    }

    fn not_the_user(self, from: &str, text: &str) -> String {
        let from = safe(from);
        match self {
            Layout::JsonLines => {
                format!("{{\"not-the-user\":{{\"from\":\"{from}\",\"text\":\"{text}\"}}}}\n")
            }
            Layout::PlainText => format!("Not the user ({from}): {text}\n"),
        }
    }

    fn call(self, call: &ToolCall, shown: impl Fn(&str) -> String) -> String {
        let text = shown(&call.describe().unwrap_or_default());
        let name = safe(call.tool.name());
        // A tool that is not known is marked: whatever it is called, it cannot pass for a user or a known tool.
        let marked = matches!(call.tool, Tool::Unknown(_));
        match (self, marked) {
            (Layout::JsonLines, false) => format!("{{\"{name}\":\"{text}\"}}\n"),
            (Layout::JsonLines, true) => format!("{{\"tool:{name}\":\"{text}\"}}\n"),
            (Layout::PlainText, false) => format!("{name}: {text}\n"),
            (Layout::PlainText, true) => format!("Tool {name}: {text}\n"),
        }
    }

    fn note(self, what: &str) -> String {
        match self {
            Layout::JsonLines => format!("{{\"left-out\":\"{what}\"}}\n"),
            Layout::PlainText => format!("Left out: {what}\n"),
        }
    }
}

/// Text that is redacted and cannot leave its line.
fn safe(text: &str) -> String {
    escape(&redact(text))
}

/// The text as the content of a JSON string in which no tag can begin, no line can end, and nothing is invisible.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            // What opens a tag, and what looks like it.
            '<' | '\u{ff1c}' | '\u{fe64}' => unicode(&mut escaped, character),
            '\u{2028}' | '\u{2029}' | '\u{85}' => unicode(&mut escaped, character),
            _ if character.is_control() || portcullis_shell::hides_text(character) => {
                unicode(&mut escaped, character);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

fn unicode(escaped: &mut String, character: char) {
    let mut units = [0; 2];
    for unit in character.encode_utf16(&mut units) {
        escaped.extend([format!("\\u{unit:04x}")]);
    }
}

/// About how many tokens a text is.
fn tokens(text: &str) -> usize {
    (text.len() * 2).div_ceil(HALF_BYTES_PER_TOKEN)
}

/// The beginning and the end of a long text.
fn shortened(text: &str) -> String {
    if text.len() <= 2 * SHORT + 100 {
        return text.to_owned();
    }
    let head = text.get(..text.floor_char_boundary(SHORT)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len() - SHORT)..).unwrap_or_default();
    let missing = text.len() - head.len() - tail.len();
    format!("{head} [… {missing} bytes not shown …] {tail}")
}
