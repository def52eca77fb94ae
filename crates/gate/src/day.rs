//! Days of the calendar, in UTC.

use std::fmt;

const MILLIS: u64 = 86_400_000;

/// A day in UTC, counted from 1970-01-01.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Day(u32);

impl Day {
    /// The day of a moment in milliseconds since 1970.
    #[must_use]
    pub fn of_millis(millis: u64) -> Day {
        Day(u32::try_from(millis / MILLIS).unwrap_or(u32::MAX))
    }

    /// The day so many days earlier; not before 1970-01-01.
    #[must_use]
    pub const fn back(self, days: u32) -> Day {
        Day(self.0.saturating_sub(days))
    }

    /// The day after.
    #[must_use]
    pub const fn next(self) -> Day {
        Day(self.0.saturating_add(1))
    }

    pub(super) fn is_file_name(name: &str) -> bool {
        let date = name.strip_suffix(".jsonl").unwrap_or_default();
        date.len() == 10 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    }

    /// Year, month and day: eras of 400 years that begin in March, so that leap days come last.
    fn date(self) -> (u64, u64, u64) {
        let days = u64::from(self.0) + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        (era * 400 + year_of_era + u64::from(month <= 2), month, day)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (seconds, date) in [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_735_689_599, "2024-12-31"),
            (1_794_726_000, "2026-11-15"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(Day::of_millis(seconds * 1000).to_string(), date);
        }
        assert!(Day::is_file_name("2026-11-15.jsonl") && !Day::is_file_name("notes.jsonl"));
    }
}
