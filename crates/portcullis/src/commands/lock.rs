//! `portcullis lock` and `unlock`: everything is denied until a person says otherwise (SPEC A7).

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use portcullis_gate::admin::{Lock, lock, locked};
use portcullis_gate::calendar_ms;
use portcullis_gate::settings::Places;

use crate::output::{self, STRONG, WARM, visible};
use crate::person;

/// Why, or whether to lift it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Why, for whoever finds it locked.
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
    /// Lift the lock; the same as `portcullis unlock`.
    #[arg(long, conflicts_with_all = ["reason", "show"])]
    lift: bool,
    /// Say whether it is locked.
    #[arg(long, conflicts_with = "reason")]
    show: bool,
}

/// Locks, shows or lifts.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.lift {
        return unlock();
    }
    let state = state();
    if arguments.show {
        let text = locked(&state).map_or_else(|| "not locked".to_owned(), |lock| lock.message());
        return output::print(&format!("{}\n", visible(&text)));
    }
    let reason = arguments.reason.clone();
    let wanted = Lock { who: person::who(), place: person::place(), reason };
    match lock(&state, &wanted, calendar_ms()) {
        Ok(()) => output::print(&format!(
            "{WARM}locked{WARM:#}: every call is denied. A person lifts it with {STRONG}portcullis unlock{STRONG:#}.\n"
        )),
        Err(error) if locked(&state).is_some() => {
            output::fail(&visible(&format!("it is locked, but that could not be recorded: {error}")))
        }
        Err(error) => output::fail(&visible(&error.to_string())),
    }
}

/// Lifts a lock.
pub(crate) fn unlock() -> ExitCode {
    let lifted = person::present().and_then(|person| {
        portcullis_gate::admin::unlock(&state(), &person.who, &person.place, calendar_ms())
            .map_err(|error| error.to_string())
    });
    match lifted {
        Ok(true) => output::print("the lock is lifted: calls are judged again\n"),
        Ok(false) => output::print("it was not locked\n"),
        Err(why) => output::fail(&visible(&why)),
    }
}

fn state() -> PathBuf {
    Places::from_environment(Path::new("/")).state
}
