//! How long calls took, in a table of fixed size: every power of two in sixteen steps, so that no time is off by more
//! than a sixteenth.

/// Steps to each power of two.
const STEPS: u64 = 16;

/// How often each time was met.
#[derive(Default)]
pub(super) struct Times {
    counts: Vec<u64>,
    total: u64,
    most: u64,
}

impl Times {
    pub(super) fn add(&mut self, micros: u64) {
        let place = usize::try_from(place(micros)).unwrap_or_default();
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(place) {
            *count += 1;
        }
        self.total += 1;
        self.most = self.most.max(micros);
    }

    /// The time that so many of a hundred calls did not exceed; nothing without calls.
    pub(super) fn at(&self, percent: u64) -> Option<u64> {
        let wanted = self.total.saturating_mul(percent).div_ceil(100).max(1);
        let mut met = 0;
        for (place, count) in (0_u64..).zip(&self.counts) {
            met += count;
            if met >= wanted {
                return Some(upper(place).min(self.most));
            }
        }
        None
    }

    /// The longest time.
    pub(super) fn most(&self) -> Option<u64> {
        (self.total > 0).then_some(self.most)
    }
}

fn place(micros: u64) -> u64 {
    if micros < STEPS {
        return micros;
    }
    let power = u64::from(micros.ilog2());
    // The four bits behind the first.
    let step = (micros >> (power - 4)) & (STEPS - 1);
    (power - 3) * STEPS + step
}

/// The longest time that is counted at a place.
fn upper(place: u64) -> u64 {
    if place < STEPS {
        return place;
    }
    let (power, step) = (place / STEPS + 3, place % STEPS);
    ((STEPS + step + 1) << (power - 4)) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_counted_where_it_belongs() {
        for micros in (0..5000).chain([1 << 20, (1 << 40) + 12345]) {
            let found = upper(place(micros));
            assert!(found >= micros && found - micros <= micros / 16, "{micros}: {found}");
            assert!(place(micros) == 0 || upper(place(micros) - 1) < micros, "{micros}");
        }
    }

    #[test]
    fn percentiles_are_those_of_the_calls() {
        let mut times = Times::default();
        assert_eq!((times.at(50), times.most()), (None, None));
        for micros in 1..=100 {
            times.add(micros);
        }
        times.add(1_000_000);
        assert_eq!(times.at(50), Some(51));
        assert!(times.at(99).is_some_and(|it| (99..=104).contains(&it)));
        assert_eq!((times.at(100), times.most()), (Some(1_000_000), Some(1_000_000)));
    }
}
