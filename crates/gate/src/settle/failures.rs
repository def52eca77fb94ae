//! Counters of failures by name (SPEC C12, A4): `stats` shows those of the past, a running gate its own.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Settled;

/// Counters of failures, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FailureCounters {
    counts: BTreeMap<String, u64>,
}

impl FailureCounters {
    /// No failures.
    #[must_use]
    pub fn new() -> FailureCounters {
        FailureCounters::default()
    }

    /// Counts a failure.
    pub fn count(&mut self, name: &str) {
        self.add(name, 1);
    }

    /// Counts a failure several times.
    pub fn add(&mut self, name: &str, times: u64) {
        if times > 0 {
            let known = self.counts.entry(name.to_owned()).or_default();
            *known = known.saturating_add(times);
        }
    }

    /// Counts what failed while a call was judged: the model, or the dump of an exchange.
    pub fn count_settled(&mut self, settled: &Settled) {
        for name in settled.failure_names() {
            self.count(name);
        }
    }

    /// How often the failure of this name occurred.
    #[must_use]
    pub fn of(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or_default()
    }

    /// All counters, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(name, count)| (name.as_str(), *count))
    }

    /// The sum of all counters.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// A JSON object with a number for each name.
    #[must_use]
    pub fn to_json(&self) -> Value {
        self.iter().map(|(name, count)| (name.to_owned(), Value::from(count))).collect()
    }
}

/// The record of an exchange with a model could not be written.
const DUMP: &str = "dump-unwritable";

impl Settled {
    /// The names of the failures that occurred, for counters and for the record.
    #[must_use]
    pub fn failure_names(&self) -> Vec<&'static str> {
        let dump = self.dump_problem.as_ref().map(|_| DUMP);
        self.failure.map(portcullis_classify::failure::Failure::name).into_iter().chain(dump).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [A4]
    #[test]
    fn failures_are_counted_by_name() {
        let mut counters = FailureCounters::new();
        counters.count("timeout");
        counters.count("timeout");
        counters.count("audit-unavailable");
        counters.add("connection", 0);
        assert_eq!((counters.of("timeout"), counters.of("connection"), counters.total()), (2, 0, 3));
        assert_eq!(counters.to_json().to_string(), r#"{"audit-unavailable":1,"timeout":2}"#);
    }
}
