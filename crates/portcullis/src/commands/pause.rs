//! `portcullis pause`: for a while nothing is enforced, and everything is still written down (SPEC A5).

use std::path::Path;
use std::process::ExitCode;

use portcullis_gate::admin::{Pause, pause, paused, resume};
use portcullis_gate::calendar_ms;
use portcullis_gate::settings::Places;

use crate::output::{self, STRONG, WARM};
use crate::{daemon, person};

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
    let now = calendar_ms();
    let begun = Pause { until: now.saturating_add(seconds * 1000), who: person.who, place: person.place };
    let entry = pause(state, &begun, now).map_err(|error| error.to_string())?;
    daemon::vouch(state, entry.seq)?;
    Ok(format!(
        "{WARM}paused{WARM:#} for {}: calls are judged and recorded, and nothing is enforced. \
         {STRONG}portcullis pause --end{STRONG:#} ends it.\n",
        length(seconds)
    ))
}

fn end(state: &Path) -> Result<String, String> {
    let ended = resume(state, &person::who(), &person::place(), calendar_ms());
    let was = ended.map_err(|error| error.to_string())?;
    let text = if was { "the pause is over: everything is enforced again\n" } else { "there was no pause\n" };
    Ok(text.to_owned())
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
