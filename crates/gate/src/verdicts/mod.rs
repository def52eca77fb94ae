//! What judging cost (SPEC C16): tokens, money and time, by day, agent and model.
//!
//! Each [`Verdict`] is one JSON line in the state folder, one file a day (UTC); [`Verdicts::tally`] adds them up.
//! Several processes may write at once. This is for sums and charts; decisions are in the audit log of
//! [`store`](crate::store).

mod sums;

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use serde_json::{Value, json};

pub use crate::day::Day;
pub use sums::{Group, Sums, Tally};

use crate::error::GateError;
use crate::files;

/// How many days of records are kept.
pub const KEPT_DAYS: u32 = 90;

/// The longest name of an agent, a session or a model that is kept, so that a line stays one small write.
const LONGEST_NAME: usize = 200;

/// The longest line that is read back.
const LONGEST_LINE: u64 = 8192;

/// The cost of one verdict.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Verdict {
    /// When it was given, in milliseconds since 1970.
    pub time: u64,
    /// The agent.
    pub agent: String,
    /// The session.
    pub session: Option<String>,
    /// The model; `None` if none was asked.
    pub model: Option<String>,
    /// The stage that answered.
    pub stage: Option<String>,
    /// Input tokens.
    pub tokens_in: u64,
    /// Output tokens.
    pub tokens_out: u64,
    /// Input tokens from the cache.
    pub tokens_cached: u64,
    /// The cost in millionths of a dollar; `None` if the price is not known.
    pub cost_micros: Option<u64>,
    /// The time it took, in microseconds.
    pub micros: u64,
    /// The layer that decided: a rule, a fast path, the classifier, a person, …
    pub layer: String,
    /// The decision: `allow`, `deny` or `ask`.
    pub decision: String,
    /// The name of the failure, if a model was asked and gave no verdict.
    pub failure: Option<String>,
}

/// The records of costs in a state folder.
#[derive(Clone, Debug)]
pub struct Verdicts {
    folder: PathBuf,
}

impl Verdicts {
    /// The records in this state folder.
    #[must_use]
    pub fn in_state(state: &Path) -> Verdicts {
        Verdicts { folder: state.join("verdicts") }
    }

    /// Adds a record. A failure says nothing about the call; the caller decides whether it matters.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn record(&self, verdict: &Verdict) -> Result<(), GateError> {
        let day = Day::of_millis(verdict.time);
        let path = self.file(day);
        let failed = |error| GateError::write(&path, error);
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder).map_err(failed)?;
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
        let flags = i32::try_from(flags).unwrap_or_default();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600).custom_flags(flags);
        let mut file = options.open(&path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(failed(std::io::Error::other("it is not a regular file")));
        }
        let mut line = verdict.to_json().to_string();
        line.push('\n');
        // A line that broke off, because the disk was full, must not spoil this one.
        if metadata.len() > 0 && !ends_in_newline(&mut file) {
            line.insert(0, '\n');
        }
        let written = file.write(line.as_bytes()).map_err(failed)?;
        if written != line.len() {
            return Err(failed(std::io::ErrorKind::WriteZero.into()));
        }
        if metadata.len() == 0 {
            self.forget_before(day);
        }
        Ok(())
    }

    /// Adds up the records of the days from `first` to `last`.
    ///
    /// # Errors
    /// If a file is there and cannot be read.
    pub fn tally(&self, first: Day, last: Day) -> Result<Tally, GateError> {
        let mut tally = Tally::default();
        let mut day = first.max(last.back(KEPT_DAYS));
        while day <= last {
            self.read_day(day, &mut tally)?;
            day = day.next();
        }
        Ok(tally)
    }

    fn read_day(&self, day: Day, tally: &mut Tally) -> Result<(), GateError> {
        let path = self.file(day);
        let unreadable = |error: std::io::Error| GateError::unreadable(&path, &error.to_string());
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if files::is_missing(&error) => return Ok(()),
            Err(error) => return Err(unreadable(error)),
        };
        let mut source = BufReader::new(file);
        loop {
            let mut line = Vec::new();
            let length = (&mut source).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(unreadable)?;
            if length == 0 {
                return Ok(());
            }
            let text = line.trim_ascii();
            match serde_json::from_slice(text).ok().as_ref().and_then(Verdict::from_json) {
                Some(verdict) => tally.add(day, &verdict),
                None if text.is_empty() => {}
                None => tally.unreadable += 1,
            }
        }
    }

    fn file(&self, day: Day) -> PathBuf {
        self.folder.join(format!("{day}.jsonl"))
    }

    /// Removes the files of days that are no longer kept. What cannot be removed stays.
    fn forget_before(&self, day: Day) {
        let oldest = format!("{}.jsonl", day.back(KEPT_DAYS));
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // Names are dates: their order is that of the days.
            if Day::is_file_name(&name) && *name < *oldest {
                drop(std::fs::remove_file(entry.path()));
            }
        }
    }
}

fn ends_in_newline(file: &mut File) -> bool {
    let mut last = [0];
    file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last)).is_ok() && last == *b"\n"
}

impl Verdict {
    fn to_json(&self) -> Value {
        let name = |text: &str| text.chars().take(LONGEST_NAME).collect::<String>();
        json!({
            "time": self.time,
            "agent": name(&self.agent),
            "session": self.session.as_deref().map(name),
            "model": self.model.as_deref().map(name),
            "stage": self.stage.as_deref().map(name),
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "tokens_cached": self.tokens_cached,
            "cost_micros": self.cost_micros,
            "micros": self.micros,
            "layer": name(&self.layer),
            "decision": name(&self.decision),
            "failure": self.failure.as_deref().map(name),
        })
    }

    fn from_json(value: &Value) -> Option<Verdict> {
        let text = |field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
        let number = |field: &str| value.get(field).and_then(Value::as_u64);
        Some(Verdict {
            time: number("time")?,
            agent: text("agent")?,
            session: text("session"),
            model: text("model"),
            stage: text("stage"),
            tokens_in: number("tokens_in").unwrap_or_default(),
            tokens_out: number("tokens_out").unwrap_or_default(),
            tokens_cached: number("tokens_cached").unwrap_or_default(),
            cost_micros: number("cost_micros"),
            micros: number("micros").unwrap_or_default(),
            layer: text("layer")?,
            decision: text("decision")?,
            failure: text("failure"),
        })
    }
}

#[cfg(test)]
mod tests;
