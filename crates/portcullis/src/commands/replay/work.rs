//! How long people were at work, whatever ran side by side.

use std::collections::BTreeMap;

/// The longest pause that counts as work: whoever is away longer is not at work.
pub(super) const LONGEST_PAUSE_MS: u64 = 5 * 60 * 1000;
/// How many spans are kept apart. Pauses divide them, so these are years of work.
const MOST: usize = 1 << 16;

/// Less work than this tells nothing about an hour of it.
const LEAST_MS: u64 = 60 * 1000;

/// Time at work. Agents that work at the same time, and sub-agents above all, fill the same hour of whoever is asked.
#[derive(Default)]
pub(super) struct Work {
    /// Begin and end of each span, in milliseconds since 1970; none meets another.
    spans: BTreeMap<u64, u64>,
    /// What spans came to that are no longer kept.
    settled_ms: u64,
    timed: bool,
}

impl Work {
    /// Adds a span, which may lie anywhere.
    pub(super) fn add(&mut self, (mut from, mut to): (u64, u64)) {
        self.timed = true;
        while let Some((begin, end)) = self.spans.range(..=to).next_back().map(|(begin, end)| (*begin, *end))
        {
            if end < from {
                break;
            }
            self.spans.remove(&begin);
            (from, to) = (from.min(begin), to.max(end));
        }
        self.spans.insert(from, to);
        if self.spans.len() > MOST
            && let Some((begin, end)) = self.spans.pop_first()
        {
            self.settled_ms = self.settled_ms.saturating_add(end - begin);
        }
    }

    /// All of it, in milliseconds; nothing where no recording told times.
    pub(super) fn total_ms(&self) -> Option<u64> {
        let kept = self.spans.iter().map(|(begin, end)| end - begin);
        self.timed.then(|| kept.fold(self.settled_ms, u64::saturating_add))
    }

    /// The same in hours; nothing where it is too short to speak of hours.
    pub(super) fn hours(&self) -> Option<f64> {
        let worked = self.total_ms().filter(|worked| *worked >= LEAST_MS)?;
        Some(real(worked) / 3_600_000.0)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts for people: a part in 10^15 does not matter")]
pub(super) const fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(spans: &[(u64, u64)]) -> Option<u64> {
        let mut work = Work::default();
        for span in spans {
            work.add(*span);
        }
        work.total_ms()
    }

    #[test]
    fn what_runs_side_by_side_counts_once() {
        assert_eq!(total(&[]), None);
        assert_eq!(total(&[(5, 5)]), Some(0));
        for spans in [
            vec![(0, 10), (20, 30)],
            vec![(20, 30), (0, 10)],
            vec![(0, 10), (2, 8), (20, 30), (20, 30)],
            vec![(0, 4), (4, 10), (25, 30), (20, 26)],
            vec![(2, 4), (6, 8), (20, 30), (0, 10)],
        ] {
            assert_eq!(total(&spans), Some(20), "{spans:?}");
        }
    }

    #[test]
    fn a_moment_is_no_hour() {
        let mut work = Work::default();
        work.add((0, LEAST_MS - 1));
        assert_eq!(work.hours(), None);
        work.add((0, LEAST_MS));
        assert!(work.hours().is_some());
    }

    #[test]
    fn it_does_not_grow_for_ever() {
        let mut work = Work::default();
        let count = 2 * u64::try_from(MOST).unwrap();
        for number in 0..count {
            work.add((10 * number, 10 * number + 1));
        }
        assert_eq!((work.spans.len(), work.total_ms()), (MOST, Some(count)));
    }
}
