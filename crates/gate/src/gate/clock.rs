//! The two clocks: one that only runs forward, for traces and deadlines, and the calendar, for records.

use std::sync::OnceLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Microseconds since the program's first question; never runs backwards.
pub(crate) fn micros() -> u64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    u64::try_from(BEGAN.get_or_init(Instant::now).elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// The current time in milliseconds since 1970. For records only: no decision depends on the calendar.
#[must_use]
pub fn calendar_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}
