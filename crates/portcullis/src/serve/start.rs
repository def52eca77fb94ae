//! Starting the daemon when somebody needs it and none runs.

use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use portcullis_client as client;

/// How long a daemon may take until it listens.
const LONGEST: Duration = Duration::from_secs(3);
/// How often it is looked.
const STEP: Duration = Duration::from_millis(20);
/// After how many seconds without any question it ends by itself.
const IDLE: &str = "900";

/// Makes sure that a daemon listens. It runs in a process group of its own and outlives whoever started it; where two
/// start at once, one of them gives way to the other.
pub(crate) fn start_on_demand(state: &Path) -> Result<(), String> {
    let listens = || UnixStream::connect(client::socket(state)).is_ok();
    if listens() {
        return Ok(());
    }
    let told = |error: std::io::Error| format!("cannot start the daemon: {error}");
    let program = std::env::current_exe().map_err(told)?;
    let mut child = Command::new(program)
        .args(["serve", "--idle", IDLE])
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(told)?;
    let began = Instant::now();
    while began.elapsed() < LONGEST {
        if listens() {
            return Ok(());
        }
        // One that ended has either failed or found another that is about to listen.
        drop(child.try_wait());
        std::thread::sleep(STEP);
    }
    Err("the daemon does not start; `portcullis serve` shows why".to_owned())
}
