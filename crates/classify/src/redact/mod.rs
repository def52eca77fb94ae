//! Takes credentials out of text before a model, a log or a screen gets it (SPEC C18).
//!
//! One pass over the bytes, without regular expressions: nothing has to be built when the program starts, and
//! ordinary text costs a look at each byte. A command that would run is never hidden: `$(…)` and backticks stay,
//! and a value ends where a shell would end it.

mod bytes;
mod headers;
mod literal;
mod names;
mod options;
mod prefixes;
mod scan;
mod values;
mod view;

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

/// What begins every placeholder.
const MARK: &str = "[redacted: ";

/// A credential that was found: where it stands, and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Find {
    span: Range<usize>,
    kind: &'static str,
}

/// How often the text is looked at: what was taken out can bring to light what stood beside it.
const ROUNDS: usize = 3;

/// The text with every credential in it replaced by a placeholder such as `[redacted: github-token]`.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut shown = Cow::Borrowed(text);
    for _ in 0..ROUNDS {
        let Some(next) = round(&shown) else { break };
        shown = Cow::Owned(next);
    }
    shown
}

/// The value with every credential in its strings replaced, and every value whose key names a secret.
#[must_use]
pub fn redact_json(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(redact(text).into_owned()),
        Value::Array(values) => Value::Array(values.iter().map(redact_json).collect()),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), redact_json(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn round(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut finds = scan::scan(bytes);
    finds.extend(view::scan_joined(bytes));
    if finds.is_empty() {
        return None;
    }
    // What was taken out already stays as it is.
    let done: Vec<_> = text
        .match_indices(MARK)
        .map(|(place, _)| place..bytes::skip(bytes, place, |it| it != b']') + 1)
        .collect();
    finds.retain(|find| {
        let after = done.partition_point(|mark| mark.end <= find.span.start);
        done.get(after).is_none_or(|mark| mark.start >= find.span.end)
    });
    // Of two finds in one place, the one that begins first and reaches further says what it is.
    finds.sort_by_key(|find| (find.span.start, std::cmp::Reverse(find.span.end)));
    (!finds.is_empty()).then(|| replace(text, &finds))
}

fn replace(text: &str, finds: &[Find]) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut done = 0;
    for (index, find) in finds.iter().enumerate() {
        let (start, end) = (find.span.start.max(done), find.span.end);
        if end <= done {
            continue;
        }
        shown.push_str(text.get(done..start).unwrap_or_default());
        // What touches the find before it is a part of the same secret.
        if start > done || index == 0 {
            shown.push_str(MARK);
            shown.push_str(find.kind);
            shown.push(']');
        }
        done = end;
    }
    shown.push_str(text.get(done..).unwrap_or_default());
    shown
}
