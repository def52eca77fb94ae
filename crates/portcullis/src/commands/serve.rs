//! `portcullis serve`: the daemon.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use portcullis_client as client;
use portcullis_gate::settings::Places;

use crate::output::{self, STRONG};
use crate::serve;

/// How it is started, or stopped.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// End when nobody asked anything for so many seconds.
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,
    /// Stop the daemon that is running: whatever waits is denied.
    #[arg(long, conflicts_with = "idle")]
    stop: bool,
    /// Print the description of the API and end.
    #[arg(long, conflicts_with_all = ["idle", "stop"])]
    openapi: bool,
}

/// Serves until it is stopped.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.openapi {
        return output::print(serve::openapi());
    }
    if arguments.stop {
        return stop();
    }
    let ready = |path: &Path| {
        let shown = output::visible(&path.display().to_string());
        output::print(&format!("listening at {STRONG}{shown}{STRONG:#}\n"));
    };
    match serve::run(arguments.idle.map(Duration::from_secs), ready) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => output::fail(&output::visible(&message)),
    }
}

fn stop() -> ExitCode {
    let state = Places::from_environment(Path::new("/")).state;
    let Ok(stream) = UnixStream::connect(client::socket(&state)) else {
        return output::print("no daemon is running\n");
    };
    match client::exchange(stream, "POST", "/v1/stop", &[], b"", Duration::from_secs(10)) {
        Ok((200, _)) => output::print("the daemon stops; whatever waits is denied\n"),
        Ok((_, body)) => output::fail(&output::visible(&client::problem(&body))),
        Err(why) => output::fail(&format!("the daemon does not stop: {why}")),
    }
}
