//! When to try again, and after how long.

use crate::failure::Failure;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

/// The first pause, before jitter.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// Whether the same request may fare better a moment later.
pub(super) const fn may_help(failure: Failure) -> bool {
    match failure {
        Failure::RateLimited | Failure::Overloaded | Failure::ServerError | Failure::Connection => true,
        Failure::NotConfigured
        | Failure::BadRequest
        | Failure::Unauthorised
        | Failure::Timeout
        | Failure::Redirected
        | Failure::WrongContentType
        | Failure::Encoded
        | Failure::TooLarge
        | Failure::Malformed
        | Failure::WindowExceeded
        | Failure::Cancelled
        | Failure::Unparseable(_) => false,
    }
}

/// The pause before the next attempt: what the server asks for, and no less than what we would wait anyway.
pub(super) fn pause(retries: u32, retry_after: Option<&str>, now: SystemTime) -> Duration {
    let asked = retry_after.and_then(|text| asked(text.trim(), now)).unwrap_or_default();
    asked.max(jittered(FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(retries))))
}

/// `Retry-After` is a number of seconds or a date. What is neither asks for nothing.
fn asked(text: &str, now: SystemTime) -> Option<Duration> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More than fits is longer than any deadline.
        return Some(text.parse().map_or(Duration::MAX, Duration::from_secs));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// Between half and the whole, so that many clients do not come back at once.
fn jittered(pause: Duration) -> Duration {
    // Every new state of the standard hasher has random keys: enough for this, and no dependency.
    let random = RandomState::new().build_hasher().finish() % 512;
    pause / 2 + pause / 1024 * u32::try_from(random).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    /// [C14]
    #[test]
    fn each_form_of_retry_after_is_read() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(asked("7", at(0)), Some(Duration::from_secs(7)));
        assert_eq!(asked(date, at(784_111_770)), Some(Duration::from_secs(7)));
        assert_eq!(asked(date, at(784_111_999)), Some(Duration::ZERO));
        assert_eq!(asked("99999999999999999999999", at(0)), Some(Duration::MAX));
        for garbage in ["", "-1", "soon", "1.5", "7s", "1e3"] {
            assert_eq!(asked(garbage, at(0)), None, "{garbage}");
        }
    }

    /// [C14]
    #[test]
    fn pauses_grow_and_never_fall_below_what_was_asked() {
        for _ in 0..100 {
            let first = pause(0, None, at(0));
            assert!(first >= FIRST_PAUSE / 2 && first <= FIRST_PAUSE, "{first:?}");
            let second = pause(1, Some("garbage"), at(0));
            assert!(second >= FIRST_PAUSE && second <= FIRST_PAUSE * 2, "{second:?}");
        }
        assert_eq!(pause(0, Some(" 9 "), at(0)), Duration::from_secs(9));
    }
}
