//! Waits for a command as if the caller had started it: passes signals on, stops when it stops, and ends as it ended.

use std::process::ExitCode;

use nix::sys::signal::{SigSet, Signal as NixSignal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, waitpid};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With this code.
    Code(u8),
    /// By this signal.
    Signal(i32),
}

/// Signals that a sender means for the command. Those that the terminal sends have reached it already.
const PASSED_ON: [NixSignal; 10] = [
    NixSignal::SIGTERM,
    NixSignal::SIGINT,
    NixSignal::SIGHUP,
    NixSignal::SIGQUIT,
    NixSignal::SIGUSR1,
    NixSignal::SIGUSR2,
    NixSignal::SIGALRM,
    NixSignal::SIGCONT,
    NixSignal::SIGTSTP,
    NixSignal::SIGWINCH,
];

/// Waits until a child ends.
pub(super) fn wait(child: Pid) -> Result<End, String> {
    let mut set = SigSet::empty();
    for signal in PASSED_ON {
        set.add(signal);
    }
    set.add(NixSignal::SIGCHLD);
    // Only now: a child would have inherited the block.
    set.thread_block().map_err(|error| error.to_string())?;
    let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
    let signals = SignalFd::with_flags(&set, flags).map_err(|error| error.to_string())?;
    loop {
        while let Some((_, status)) = look(child)? {
            if let Some(code) = status.exit_status() {
                return Ok(End::Code(u8::try_from(code).unwrap_or(u8::MAX)));
            }
            if let Some(signal) = status.terminating_signal() {
                return Ok(End::Signal(signal));
            }
            if status.stopped() {
                // The shell that started this sees a stopped job, and so it is.
                kill_process(getpid(), Signal::STOP).ok();
            }
        }
        let mut waiting = [PollFd::new(&signals, PollFlags::IN)];
        match poll(&mut waiting, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.to_string()),
        }
        while let Ok(Some(signal)) = signals.read_signal() {
            pass_on(child, signal.ssi_signo, signal.ssi_code);
        }
    }
}

fn look(child: Pid) -> Result<Option<(Pid, WaitStatus)>, String> {
    match waitpid(Some(child), WaitOptions::NOHANG | WaitOptions::UNTRACED) {
        Ok(found) => Ok(found),
        Err(rustix::io::Errno::INTR) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn pass_on(child: Pid, number: u32, code: i32) {
    let passed = PASSED_ON.into_iter().find(|signal| u32::try_from(*signal as i32) == Ok(number));
    let Some(passed) = passed else { return };
    // A positive code means that the kernel sent it, as for Ctrl-C.
    let by_a_process = code <= 0 || passed == NixSignal::SIGCONT;
    if let Some(signal) = Signal::from_named_raw(passed as i32).filter(|_| by_a_process) {
        kill_process(child, signal).ok();
    }
}

/// Ends this process as the command ended.
pub(super) fn end_as(end: End) -> ExitCode {
    match end {
        End::Code(code) => ExitCode::from(code),
        End::Signal(number) => {
            if let Ok(signal) = NixSignal::try_from(number) {
                let mut set = SigSet::empty();
                set.add(signal);
                set.thread_unblock().ok();
                if let Some(signal) = Signal::from_named_raw(number) {
                    kill_process(getpid(), signal).ok();
                }
            }
            ExitCode::from(u8::try_from(number.saturating_add(128)).unwrap_or(u8::MAX))
        }
    }
}
