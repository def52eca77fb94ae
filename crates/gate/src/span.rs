//! A length of time that ends by the calendar and by the clock of the running system, whichever is first (SPEC A5).

use serde_json::{Value, json};

/// The longest, in milliseconds.
pub(crate) const LONGEST: u64 = 24 * 60 * 60 * 1000;

/// How long the machine has been running, and since which start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Uptime {
    pub(crate) boot: String,
    pub(crate) ms: u64,
}

impl Uptime {
    /// Now. Sleep counts; nobody can set this clock.
    pub(crate) fn now() -> Uptime {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let time = rustix::time::clock_gettime(CLOCK);
        let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
        let rest = u64::try_from(time.tv_nsec).unwrap_or_default() / 1_000_000;
        Uptime { boot: boot.trim().to_owned(), ms: seconds.saturating_mul(1000).saturating_add(rest) }
    }
}

#[cfg(target_os = "linux")]
const CLOCK: rustix::time::ClockId = rustix::time::ClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const CLOCK: rustix::time::ClockId = rustix::time::ClockId::Monotonic;

/// From when until when something holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// In milliseconds since 1970.
    pub(crate) begun: u64,
    /// In milliseconds since 1970.
    pub(crate) until: u64,
    /// When it began, by the clock of the running system.
    pub(crate) uptime: Uptime,
}

impl Span {
    pub(crate) fn to_json(&self) -> Value {
        json!({ "begun": self.begun, "until": self.until, "boot": self.uptime.boot, "uptime_ms": self.uptime.ms })
    }

    /// Reads one; nothing if it is not whole.
    pub(crate) fn from_json(value: &Value) -> Option<Span> {
        let number = |name: &str| value.get(name)?.as_u64();
        let uptime = Uptime { boot: value.get("boot")?.as_str()?.to_owned(), ms: number("uptime_ms")? };
        Some(Span { begun: number("begun")?, until: number("until")?, uptime })
    }

    /// Whether it holds at this moment: a clock that was set back, and another start of the machine, end it.
    pub(crate) fn holds(&self, now_ms: u64, uptime: &Uptime) -> bool {
        let length = self.until.saturating_sub(self.begun);
        let by_calendar = (self.begun..self.until).contains(&now_ms);
        let gone = uptime.ms.checked_sub(self.uptime.ms);
        by_calendar
            && length <= LONGEST
            && uptime.boot == self.uptime.boot
            && gone.is_some_and(|gone| gone < length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [A5], attack-L4
    #[test]
    fn the_clock_that_says_so_first_ends_it() {
        let uptime = |ms| Uptime { boot: "b".to_owned(), ms };
        let span = Span { begun: 1000, until: 2000, uptime: uptime(50) };
        assert_eq!(Span::from_json(&span.to_json()), Some(span.clone()));
        assert!(span.holds(1000, &uptime(50)) && span.holds(1999, &uptime(1049)));
        assert!(!span.holds(2000, &uptime(60)), "the calendar");
        assert!(!span.holds(1500, &uptime(1050)), "the clock of the system");
        assert!(!span.holds(999, &uptime(60)), "a calendar that was set back");
        assert!(!span.holds(1500, &uptime(49)), "another start of the machine");
        assert!(!span.holds(1500, &Uptime { boot: "c".to_owned(), ms: 60 }), "another start of the machine");
        let long = Span { until: 1001 + LONGEST, ..span };
        assert!(!long.holds(1500, &uptime(60)), "nothing lasts longer than a day");
    }
}
