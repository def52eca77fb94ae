//! Signals that would end a hook without an answer, which hosts take for consent.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
use signal_hook::flag;

/// Signals whose default is to end the process. A hook that gets one answers deny and ends.
const ENDING: &[(i32, &str)] = &[
    (SIGTERM, "SIGTERM"),
    (SIGINT, "SIGINT"),
    (SIGHUP, "SIGHUP"),
    (SIGQUIT, "SIGQUIT"),
    (SIGALRM, "SIGALRM"),
    (SIGUSR1, "SIGUSR1"),
    (SIGUSR2, "SIGUSR2"),
    (SIGXCPU, "SIGXCPU"),
];

/// The last signal that arrived; 0 if none did.
static RECEIVED: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// Installs handlers that note signals instead of ending the process. Programs that a hook starts do not inherit
/// them.
///
/// # Errors
/// If the system refuses a handler.
pub fn handle_signals() -> std::io::Result<()> {
    let received = RECEIVED.get_or_init(Arc::default);
    for (signal, _) in ENDING {
        let number = usize::try_from(*signal).unwrap_or_default();
        flag::register_usize(*signal, Arc::clone(received), number)?;
    }
    survive_file_limit()
}

/// Turns a write beyond the file size limit into an error (`EFBIG`) instead of the end of the process.
///
/// # Errors
/// If the system refuses a handler.
pub fn survive_file_limit() -> std::io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(|_| ())
}

/// The name of the signal that asked this process to end, if one did.
#[must_use]
pub fn received_signal() -> Option<&'static str> {
    let received = RECEIVED.get()?.load(Ordering::Relaxed);
    ENDING.iter().find(|(signal, _)| usize::try_from(*signal) == Ok(received)).map(|(_, name)| *name)
}
