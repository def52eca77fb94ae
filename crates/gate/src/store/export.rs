//! The log as a file of its own, with everything that is needed to check it elsewhere: one JSON object a line.

use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::chain::{Damage, Found, Tip, Verified, Walk};
use super::error::StoreError;
use super::query::Filter;
use super::{Store, verify};

/// The form of an export.
const FORM: u64 = 1;
/// The longest line that is read back.
const LONGEST_LINE: u64 = 64 << 20;

impl Store {
    /// Writes the whole log as JSON lines: the anchor of what was pruned, every entry with its exact text, and the
    /// end. Returns the last entry and the number of entries.
    ///
    /// # Errors
    /// If an entry cannot be read, or something cannot be written.
    pub fn export(&self, out: &mut dyn Write) -> Result<(Tip, u64), StoreError> {
        let refused = |error: io::Error| StoreError::Refused(format!("cannot write the export: {error}"));
        let moment = self.connection.unchecked_transaction().map_err(|error| self.failed(&error))?;
        let anchor = verify::anchor(&moment).map_err(|error| self.failed(&error))?;
        line(out, &json!({ "portcullis_audit": FORM, "anchor": tip_json(&anchor) })).map_err(refused)?;
        let (mut last, mut count, mut trouble) = (anchor, 0_u64, None);
        self.entries(&Filter::default(), |entry| {
            let shown =
                json!({ "seq": entry.seq, "prev": entry.prev, "hash": entry.hash, "body": entry.body });
            last = Tip { seq: entry.seq, hash: entry.hash };
            count = count.saturating_add(1);
            match line(out, &shown) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    trouble = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(error) = trouble {
            return Err(refused(error));
        }
        line(out, &json!({ "end": tip_json(&last), "entries": count })).map_err(refused)?;
        out.flush().map_err(refused)?;
        Ok((last, count))
    }
}

fn tip_json(tip: &Tip) -> Value {
    json!({ "seq": tip.seq, "hash": tip.hash })
}

fn line(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    out.write_all(format!("{value}\n").as_bytes())
}

/// Verifies an exported log as [`Store::verify`] verifies the store's.
///
/// # Errors
/// If it cannot be read, or is no export.
pub fn verify_export(source: &mut dyn BufRead) -> Result<Verified, StoreError> {
    let first = next(source)?.unwrap_or_default();
    if first.get("portcullis_audit").and_then(Value::as_u64) != Some(FORM) {
        return Err(StoreError::Refused("the file is no export of an audit log".to_owned()));
    }
    let Some(anchor) = first.get("anchor").and_then(tip_of) else {
        return Err(StoreError::Refused("the first line of the export is broken".to_owned()));
    };
    let mut walk = Walk::from(anchor, None);
    Ok(match walk_lines(source, &mut walk)? {
        Ok(()) => Verified::Whole { entries: walk.entries, last: walk.last },
        Err(bad) => Verified::Damaged(bad),
    })
}

fn walk_lines(source: &mut dyn BufRead, walk: &mut Walk) -> Result<Result<(), Damage>, StoreError> {
    while let Some(value) = next(source)? {
        if let Some(end) = value.get("end") {
            let count = value.get("entries").and_then(Value::as_u64);
            if tip_of(end).as_ref() != Some(&walk.last) || count != Some(walk.entries) {
                return Ok(Err(walk.bad("the end is missing: the last line names another entry")));
            }
            if next(source)?.is_some() {
                return Ok(Err(walk.bad("something stands behind the end")));
            }
            return Ok(walk.finish());
        }
        let Some(found) = found(&value) else { return Ok(Err(walk.bad("its line cannot be read"))) };
        if let Err(bad) = walk.step(&found) {
            return Ok(Err(bad));
        }
    }
    Ok(Err(walk.bad("the end is missing")))
}

fn found(value: &Value) -> Option<Found> {
    let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
    Some(Found {
        seq: value.get("seq")?.as_u64()?,
        prev: text("prev")?,
        hash: text("hash")?,
        body: text("body")?,
    })
}

fn tip_of(value: &Value) -> Option<Tip> {
    Some(Tip { seq: value.get("seq")?.as_u64()?, hash: value.get("hash")?.as_str()?.to_owned() })
}

/// The next line; null where it is no JSON, nothing where there is none.
fn next(source: &mut dyn BufRead) -> Result<Option<Value>, StoreError> {
    let mut line = Vec::new();
    let read = source.take(LONGEST_LINE).read_until(b'\n', &mut line);
    let length = read.map_err(|error| StoreError::Refused(format!("cannot read the export: {error}")))?;
    if length == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line).unwrap_or_default()))
}
