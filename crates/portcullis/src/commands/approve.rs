//! `portcullis approve`: where a person answers what agents ask (SPEC H6, W1).

use std::io::IsTerminal;
use std::process::ExitCode;

use crate::approve;
use crate::output::{self, visible};

/// How requests are shown.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Lines of text in place of a screen, for screen readers and simple terminals.
    #[arg(long)]
    plain: bool,
}

/// Shows what waits until the person leaves.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if !std::io::stdout().is_terminal() {
        return output::fail(
            "requests would be shown where nobody sees them: standard output is no terminal",
        );
    }
    let simple = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    if arguments.plain || simple {
        return approve::run_plain();
    }
    match approve::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => output::fail(&visible(&message)),
    }
}
