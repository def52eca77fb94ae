//! `portcullis programs`: which programs the reader knows.

use std::process::ExitCode;

use crate::output;

/// What to list.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print a JSON array of names.
    #[arg(long)]
    json: bool,
}

/// Prints the names.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let names = portcullis_shell::known_programs();
    if arguments.json {
        return output::print(&format!("{}\n", serde_json::Value::from(names)));
    }
    let count = names.len();
    output::print(&format!("{}\n\n{count} programs\n", names.join(" ")))
}
