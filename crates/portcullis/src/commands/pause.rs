//! `portcullis pause`: for a while nothing is enforced, and everything is still written down (SPEC A5).

use std::path::Path;
use std::process::ExitCode;

use portcullis_gate::{Pause, Places, Record, Store, calendar_ms, pause, paused, resume};
use serde_json::json;

use crate::output::{self, STRONG, WARM};
use crate::person;

/// The longest pause.
const LONGEST: u64 = 24 * 60 * 60;

/// For how long.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How long: `90s`, `10m`, `2h`; at most a day.
    #[arg(long = "for", value_name = "TIME", value_parser = seconds, required_unless_present_any = ["end", "show"])]
    length: Option<u64>,
    /// End the pause now.
    #[arg(long, conflicts_with = "length")]
    end: bool,
    /// Say whether there is a pause.
    #[arg(long, conflicts_with_all = ["length", "end"])]
    show: bool,
}

/// Begins, ends or shows a pause.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let state = Places::from_environment(Path::new("/")).state;
    let done = match arguments.length {
        Some(seconds) => begin(&state, seconds),
        None if arguments.end => end(&state),
        None => Ok(show(&state)),
    };
    match done {
        Ok(text) => output::print(&text),
        Err(message) => output::fail(&output::visible(&message)),
    }
}

fn begin(state: &Path, seconds: u64) -> Result<String, String> {
    let person = person::present()?;
    let until = calendar_ms().saturating_add(seconds * 1000);
    let begun = Pause { until, who: person.who, place: person.place };
    // Written down first: a pause that nobody can see later would be a hole in the record.
    record(state, &begun, "pause", json!({ "seconds": seconds }))?;
    pause(state, &begun).map_err(|error| error.to_string())?;
    Ok(format!(
        "{WARM}paused{WARM:#} for {}: calls are judged and written down, and agents are told nothing. \
         {STRONG}portcullis pause --end{STRONG:#} ends it.\n",
        length(seconds)
    ))
}

fn end(state: &Path) -> Result<String, String> {
    let was = paused(state, calendar_ms());
    resume(state).map_err(|error| error.to_string())?;
    let Some(was) = was else { return Ok("there was no pause\n".to_owned()) };
    record(state, &was, "resume", json!({}))?;
    Ok("the pause is over: everything is enforced again\n".to_owned())
}

fn show(state: &Path) -> String {
    let now = calendar_ms();
    match paused(state, now) {
        Some(pause) => format!(
            "{WARM}paused{WARM:#} by {} for another {}\n",
            output::visible(&pause.who),
            length(pause.until.saturating_sub(now) / 1000)
        ),
        None => "not paused: everything is enforced\n".to_owned(),
    }
}

fn record(state: &Path, pause: &Pause, kind: &str, input: serde_json::Value) -> Result<(), String> {
    let record = Record {
        time_ms: calendar_ms(),
        kind: kind.to_owned(),
        agent: "portcullis".to_owned(),
        layer: "person".to_owned(),
        reason: json!({ "type": "human", "word": "human", "who": pause.who, "place": pause.place }),
        message: format!("{kind} by {} at {}", pause.who, pause.place),
        input,
        enforced: true,
        ..Record::default()
    };
    let mut store = Store::open(state).map_err(|error| error.to_string())?;
    store.commit(|ledger| ledger.append(&record)).map_err(|error| error.to_string())?;
    Ok(())
}

/// A length of time such as `10m`.
pub(crate) fn seconds(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no length of time; say `90s`, `10m` or `2h`");
    let (digits, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let factor = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let seconds = number.saturating_mul(factor);
    if seconds == 0 || seconds > LONGEST {
        return Err("a pause lasts from one second to one day".to_owned());
    }
    Ok(seconds)
}

/// A length of time for people.
pub(crate) fn length(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [A5]
    #[test]
    fn lengths_are_read_and_bounded() {
        assert_eq!(seconds("10m"), Ok(600));
        assert_eq!(seconds("90s"), Ok(90));
        assert_eq!(seconds("24h"), Ok(86_400));
        for wrong in ["", "m", "10", "0s", "25h", "-1m", "1d", "99999999999999999999m", "1\u{e4}"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
