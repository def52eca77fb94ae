//! How long the log is kept: the setting `log.keep`.

use serde_json::Value;

const DAY_MS: u64 = 86_400_000;
/// What the setting should look like.
pub(super) const EXPECTED: &str = "an object with `age` (such as \"90d\", at least a day), `size` (such as \"500MB\", at least 1MB) or both";

/// How much of the audit log is kept. Entries beyond either limit are deleted; without limits everything stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LogRetention {
    /// The greatest age of an entry, in milliseconds.
    pub age_ms: Option<u64>,
    /// The greatest size of all entries, in bytes.
    pub bytes: Option<u64>,
}

impl LogRetention {
    /// The limits from the value of `log.keep`; `None` if it is not valid.
    #[must_use]
    pub fn from_json(value: &Value) -> Option<LogRetention> {
        let fields = value.as_object()?;
        let mut keep = LogRetention::default();
        for (name, value) in fields {
            match name.as_str() {
                "age" => keep.age_ms = Some(amount(value, &[("d", DAY_MS), ("w", 7 * DAY_MS)])?),
                "size" => keep.bytes = Some(amount(value, &[("MB", 1_000_000), ("GB", 1_000_000_000)])?),
                _ => return None,
            }
        }
        (keep != LogRetention::default()).then_some(keep)
    }
}

/// A whole number above zero with its unit.
fn amount(value: &Value, units: &[(&str, u64)]) -> Option<u64> {
    let text = value.as_str()?;
    let (number, unit) = units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))?;
    let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse::<u64>().ok().filter(|number| plain && *number > 0)?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// attack-L8
    #[test]
    fn age_and_size_are_read_with_their_units() {
        let keep = |age_ms, bytes| Some(LogRetention { age_ms, bytes });
        assert_eq!(LogRetention::from_json(&json!({ "age": "90d" })), keep(Some(90 * DAY_MS), None));
        let both = json!({ "age": "2w", "size": "500MB" });
        assert_eq!(LogRetention::from_json(&both), keep(Some(14 * DAY_MS), Some(500_000_000)));
        assert_eq!(LogRetention::from_json(&json!({ "size": "1GB" })), keep(None, Some(1_000_000_000)));
        for wrong in [
            json!({}),
            json!("90d"),
            json!({ "age": 90 }),
            json!({ "age": "0d" }),
            json!({ "age": "-1d" }),
            json!({ "age": "+1d" }),
            json!({ "age": "1h" }),
            json!({ "size": "500" }),
            json!({ "size": "99999999999999999999GB" }),
            json!({ "age": "1d", "ago": "1d" }),
        ] {
            assert_eq!(LogRetention::from_json(&wrong), None, "{wrong}");
        }
    }
}
