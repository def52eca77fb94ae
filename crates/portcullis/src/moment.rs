//! Moments as people write and read them, in UTC.

use portcullis_gate::verdicts::Day;

const SECOND: u64 = 1000;
const DAY: u64 = 86_400 * SECOND;

/// A moment as `2026-11-15T18:37:52.123Z`.
pub(crate) fn stamp(millis: u64) -> String {
    format!("{}T{}.{:03}Z", Day::of_millis(millis), clock(millis), millis % SECOND)
}

/// A moment as `2026-11-15 18:37:52`.
pub(crate) fn short(millis: u64) -> String {
    format!("{} {}", Day::of_millis(millis), clock(millis))
}

fn clock(millis: u64) -> String {
    let seconds = millis % DAY / SECOND;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A moment from `2026-11-15`, `2026-11-15T18:37`, `2026-11-15 18:37:52Z`, or how long ago: `90s`, `30m`, `2h`, `7d`.
pub(crate) fn parse(text: &str, now: u64) -> Result<u64, String> {
    ago(text)
        .map(|ago| now.saturating_sub(ago))
        .or_else(|| date(text))
        .ok_or_else(|| format!("`{text}` is no time; write `2026-11-15`, `2026-11-15T18:30:00Z` or `2h`"))
}

fn ago(text: &str) -> Option<u64> {
    let units = [('s', SECOND), ('m', 60 * SECOND), ('h', 3600 * SECOND), ('d', DAY), ('w', 7 * DAY)];
    let (unit, length) = units.into_iter().find(|(unit, _)| text.ends_with(*unit))?;
    digits(text.strip_suffix(unit)?)?.checked_mul(length)
}

/// A moment as programs write it: `2026-11-15T18:37:52.123Z`, `2026-11-15T20:37:52+02:00`.
pub(crate) fn date(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let (time, ahead) = zone(time)?;
    let mut parts = date.splitn(3, '-').map(digits);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let days = days(year, month, day)?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let millis = digits(fraction.get(..fraction.len().min(9))?)?;
    let millis = millis.checked_mul(SECOND)? / 10_u64.pow(u32::try_from(fraction.len().min(9)).ok()?);
    let mut parts = time.splitn(3, ':').map(digits);
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    let fits = hour < 24 && minute < 60 && second < 60;
    let moment = days * DAY + (hour * 3600 + minute * 60 + second) * SECOND + millis;
    moment.checked_add_signed(-ahead).filter(|_| fits)
}

/// A time without its zone, and by how many milliseconds that zone is ahead.
fn zone(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix('Z') {
        return Some((time, 0));
    }
    let Some(at) = time.rfind(['+', '-']) else { return Some((time, 0)) };
    let (time, zone) = time.split_at_checked(at)?;
    let (sign, ahead) = zone.split_at_checked(1)?;
    let (hours, minutes) = match ahead.len() {
        2 => (ahead, "00"),
        4 => ahead.split_at_checked(2)?,
        _ => ahead.split_once(':')?,
    };
    let (hours, minutes) = (digits(hours)?, digits(minutes)?);
    let millis = i64::try_from((hours * 3600 + minutes * 60) * SECOND).ok()?;
    let known = hours <= 14 && minutes < 60;
    known.then_some((time, if sign == "-" { -millis } else { millis }))
}

fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// Days since 1970, for years up to 9999. The year begins in March, so that leap days come last.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let shifted_month = if month > 2 { month - 3 } else { month + 9 };
    let of_era = shifted_year % 400;
    let of_year = (153 * shifted_month + 2) / 5 + day - 1;
    let days = shifted_year / 400 * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    let days = days.checked_sub(719_468)?;
    // A day that the month does not have would come back as another one.
    let written = format!("{year:04}-{month:02}-{day:02}");
    (Day::of_millis(days * DAY).to_string() == written).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_794_767_872_000, "2026-11-15T18:37:52.000Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
        ] {
            assert_eq!(stamp(millis), text);
            assert_eq!(parse(text, 0), Ok(millis), "{text}");
            assert_eq!(parse(&short(millis), 0), Ok(millis), "{text}");
        }
        assert_eq!(parse("2026-11-15", 0), Ok(1_794_700_800_000));
        assert_eq!(parse("2026-11-15T18:37", 0), Ok(1_794_767_820_000));
        for text in [
            "2026-11-15T18:37:52.123Z",
            "2026-11-15T18:37:52.123456789012Z",
            "2026-11-15T20:37:52.123+02:00",
            "2026-11-15T13:07:52.123-0530",
            "2026-11-16T01:37:52.123+07",
        ] {
            assert_eq!(parse(text, 0), Ok(1_794_767_872_123), "{text}");
        }
        assert_eq!(parse("2026-11-15T18:37:52.5Z", 0), Ok(1_794_767_872_500));
    }

    #[test]
    fn how_long_ago_counts_from_now() {
        let now = 1_794_767_872_000;
        assert_eq!(parse("90s", now), Ok(now - 90_000));
        assert_eq!(parse("2h", now), Ok(now - 7_200_000));
        assert_eq!(parse("7d", now), Ok(now - 604_800_000));
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in [
            "",
            "x",
            "-1h",
            "2026-13-01",
            "2026-02-30",
            "1900-01-01",
            "2026-11-15T25:00",
            "2026-11",
            "h",
            "2026-11-15T18:37:52.Z",
            "2026-11-15T18:37:52.1é",
            "2026-11-15T18:37:52+99:00",
            "2026-11-15T18:37:52+02:60",
            "2026-11-15T18:37:52+é",
            "2026-11-15T18:37:52+",
        ] {
            assert!(parse(text, 0).is_err(), "{text}");
        }
    }
}
