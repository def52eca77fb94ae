//! What people are told on standard error.

use std::io::Write;
use std::process::ExitCode;

/// The code of a command that could not be confined, as shells use it for what cannot be started.
const NOT_CONFINED: u8 = 126;

/// Says that a command was not started because it could not be confined.
pub(crate) fn not_confined(why: &str) -> ExitCode {
    complain(&format!("not confined: {why}"));
    ExitCode::from(NOT_CONFINED)
}

/// Says something on standard error; control characters of names are left out.
pub(crate) fn complain(said: &str) {
    let said: String = said.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    drop(writeln!(std::io::stderr(), "portcullis: {said}"));
}
