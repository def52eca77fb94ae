//! A recorded session, one line after the other: for whoever looks at every call with what came before it.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::BufRead;

use serde_json::Value;

use super::lines::Values;
use super::{Entry, Format, ReadError, Reader, Transcript, audit_log};

/// A recorded session, read one passage at a time. It holds one line, or the messages of one value, and forgets what
/// came before.
pub struct Recorded<R> {
    values: Values<R>,
    /// Messages of a value that holds many.
    messages: VecDeque<Value>,
    format: Format,
    cwd: String,
    taker: Option<Box<dyn Reader>>,
    not_understood: usize,
    parent: Option<String>,
}

/// The content of one line of a recording.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// The entries, oldest first; empty if the line has none.
    pub entries: Vec<Entry>,
    /// The time, if the line has one.
    pub moment: Option<Moment>,
    /// The working directory, if the line names one.
    pub cwd: Option<String>,
}

/// A time as recordings write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Milliseconds since 1970.
    Millis(u64),
    /// Some text, such as `2026-11-15T18:37:52.123Z`.
    Text(String),
}

impl<R: BufRead> Recorded<R> {
    /// Starts reading. `cwd` is the directory of calls that name none.
    pub fn new(source: R, format: Format, cwd: &str) -> Recorded<R> {
        let taker = (format != Format::Detect).then(|| format.reader(cwd));
        let values = Values::new(source);
        let (messages, cwd) = (VecDeque::new(), cwd.to_owned());
        Recorded { values, messages, format, cwd, taker, not_understood: 0, parent: None }
    }

    /// The next passage; `None` at the end.
    ///
    /// # Errors
    /// If the source breaks off, or is one value of more than 64 MiB.
    pub fn next_passage(&mut self) -> Result<Option<Passage>, ReadError> {
        loop {
            let next = match self.messages.pop_front() {
                Some(message) => Some(message),
                None => self.values.next()?,
            };
            let Some(mut value) = next else { return Ok(None) };
            if self.taker.is_none()
                && let Some(format) = Format::shown_by(&value)
            {
                self.format = format;
                self.taker = Some(format.reader(&self.cwd));
            }
            if self.format.holds_messages()
                && let Some(messages) = value.get_mut("messages").and_then(Value::as_array_mut)
            {
                self.messages.extend(messages.drain(..));
            }
            if self.format == Format::AuditLog {
                value = audit_log::unwrapped(value);
            }
            let (moment, cwd) = (Moment::of(&value), directory(&value));
            let mut taken = Transcript::default();
            let understood = self.taker.as_mut().is_some_and(|taker| taker.take(value, &mut taken));
            self.not_understood += usize::from(!understood) + taken.skipped;
            self.parent = self.parent.take().or(taken.parent.take());
            if understood {
                return Ok(Some(Passage { entries: taken.entries, moment, cwd }));
            }
        }
    }

    /// The conversation as a judge would see it if the recording ended here, with prompts that still wait for the
    /// agent.
    pub fn as_of_now<'t>(&self, kept: &'t mut Transcript) -> Cow<'t, Transcript> {
        let Some(taker) = &self.taker else { return Cow::Borrowed(kept) };
        if taker.is_settled() {
            taker.end(kept);
            return Cow::Borrowed(kept);
        }
        let mut now = kept.clone();
        taker.end(&mut now);
        Cow::Owned(now)
    }
}

impl<R> Recorded<R> {
    /// The format; `None` until it is detected.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        Some(self.format).filter(|format| *format != Format::Detect)
    }

    /// The session that started this one, if it has been read.
    #[must_use]
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }

    /// The number of lines that were not understood.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.not_understood.saturating_add(self.values.skipped)
    }
}

impl Moment {
    fn of(value: &Value) -> Option<Moment> {
        let own = ["timestamp", "time_ms", "time"].iter().find_map(|field| value.get(field));
        let time = value.get("info").unwrap_or(value).get("time");
        let found = time.and_then(|time| time.get("created").or(time.get("start"))).or(own)?;
        match found {
            Value::Number(_) => found.as_u64().map(Moment::Millis),
            Value::String(text) => Some(Moment::Text(text.clone())),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// The directory that a line names, in itself or in what it carries.
fn directory(value: &Value) -> Option<String> {
    let named = |value: &Value| {
        let found = ["cwd", "directory"].iter().find_map(|field| value.get(field)?.as_str());
        found.filter(|path| path.starts_with('/')).map(str::to_owned)
    };
    named(value).or_else(|| ["payload", "info"].iter().find_map(|inside| named(value.get(inside)?)))
}
