//! `portcullis schema`: the JSON Schema of the settings, for editors.

use std::process::ExitCode;

use crate::output;

/// Nothing to choose.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Prints the schema.
pub(crate) fn run(_: &Arguments) -> ExitCode {
    output::print(&format!("{:#}\n", portcullis_gate::settings::schema()))
}
