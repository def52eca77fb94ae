//! Strict parsing of JSON from outside: what two parsers could understand differently is refused.
//!
//! Refused are duplicate keys, data after the value, text that is not UTF-8, lone surrogates, a byte order mark,
//! numbers out of range, more than 127 levels, and more than [`MAX_CALL`] bytes.

use std::fmt;

use portcullis_classify::strict_from_str;
use serde_json::Value;

/// The greatest size of one call, in bytes (SPEC R9).
pub const MAX_CALL: usize = 1 << 20;

/// Why a text is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It is longer than [`MAX_CALL`].
    TooLong,
    /// It is not strict JSON; says what is wrong.
    Malformed(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::TooLong => write!(formatter, "the call is larger than {MAX_CALL} bytes"),
            Refused::Malformed(problem) => formatter.write_str(problem),
        }
    }
}

/// Parses the one value that `bytes` hold.
///
/// # Errors
///
/// They hold no value, more than one, or one that two readers could understand differently.
pub fn parse(bytes: &[u8]) -> Result<Value, Refused> {
    if bytes.len() > MAX_CALL {
        return Err(Refused::TooLong);
    }
    parse_of_any_length(bytes)
}

/// As [`parse`], without the limit of length: for files of the user's own.
///
/// # Errors
///
/// As [`parse`], but for the length.
pub fn parse_of_any_length(bytes: &[u8]) -> Result<Value, Refused> {
    let malformed = |problem: &str| Refused::Malformed(problem.to_owned());
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("it is not UTF-8 text"))?;
    if text.starts_with('\u{feff}') {
        return Err(malformed("it begins with a byte order mark"));
    }
    strict_from_str(text).map_err(|error| malformed(&format!("it is not strict JSON: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// [F12]
    #[test]
    fn plain_json_is_taken_as_it_is() {
        let text = r#"{"a": [1, -2, 2.5, null, true, "\u00e9\ud83d\ude00"], "b": {"a": {}}}"#;
        assert_eq!(
            parse(text.as_bytes()),
            Ok(json!({"a": [1, -2, 2.5, null, true, "\u{e9}\u{1f600}"], "b": {"a": {}}}))
        );
        let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
        assert!(parse(deep.as_bytes()).is_ok());
        let keys: Vec<String> =
            parse(br#"{"z":1,"a":2}"#).unwrap().as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, ["z", "a"], "fields keep their order");
    }

    /// [F12]
    #[test]
    fn what_readers_could_understand_differently_is_refused() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels)).into_bytes();
        for text in [
            br#"{"a":1,"a":2}"#.to_vec(),
            br#"{"a":{"b":1,"\u0062":2}}"#.to_vec(),
            br#"[{"a":1,"a":1}]"#.to_vec(),
            br"{} {}".to_vec(),
            br"{}x".to_vec(),
            b"\xef\xbb\xbf{}".to_vec(),
            b"\"\xff\"".to_vec(),
            br#""\ud800""#.to_vec(),
            br#""\udc00x""#.to_vec(),
            b"\"\x01\"".to_vec(),
            b"1e999".to_vec(),
            b"-1e999".to_vec(),
            b"NaN".to_vec(),
            b"01".to_vec(),
            b"{'a':1}".to_vec(),
            b"[1,]".to_vec(),
            b"// x\n{}".to_vec(),
            b"".to_vec(),
            b"\0".to_vec(),
            b"{\"a\":".to_vec(),
            deep(129),
            deep(100_000),
            "[".repeat(500_000).into_bytes(),
        ] {
            assert!(
                matches!(parse(&text), Err(Refused::Malformed(_))),
                "{:?}",
                String::from_utf8_lossy(&text)
            );
        }
    }

    /// [R9]
    #[test]
    fn what_is_over_the_limit_is_not_read() {
        let mut long = vec![b' '; MAX_CALL - 2];
        long.extend(b"{}");
        assert_eq!(parse(&long), Ok(json!({})));
        long.push(b' ');
        assert_eq!(parse(&long), Err(Refused::TooLong));
    }
}
