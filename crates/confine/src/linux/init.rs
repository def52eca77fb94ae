//! Process 1 of a session: holds its namespaces, buries what dies, and ends with the warden.

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use nix::sched::CloneFlags;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use rustix::process::{
    DumpableBehavior, WaitOptions, set_dumpable_behavior, set_parent_process_death_signal,
};

use super::wire::{Order, Setup, receive, send};
use super::{capabilities, mounts};

/// Sets the session up and waits for its end.
pub(super) fn main() -> ExitCode {
    let Ok(warden) = std::io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else {
        return ExitCode::FAILURE;
    };
    let ready =
        receive::<Setup>(&warden).map_err(|error| error.to_string()).and_then(|(setup, _)| set_up(&setup));
    let sent = match &ready {
        Ok(sockets) => {
            let sockets: Vec<_> = sockets.iter().map(AsFd::as_fd).collect();
            send(&warden, &Ok::<(), String>(()), &sockets)
        }
        Err(why) => send(&warden, &Err::<(), _>(why), &[]),
    };
    if ready.is_err() || sent.is_err() {
        return ExitCode::FAILURE;
    }
    drop(ready);
    attend(&warden)
}

/// Makes the namespaces that every command of the session joins.
fn set_up(setup: &Setup) -> Result<Vec<OwnedFd>, String> {
    let told = |what: &'static str| move |error: rustix::io::Errno| format!("{what}: {error}");
    set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).map_err(told("the warden's end"))?;
    // Nobody inside looks into this process, whatever else fails.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(told("process 1"))?;
    let new = CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC;
    nix::sched::unshare(new).map_err(|error| format!("namespaces: {}", error.desc()))?;
    super::network::loopback_up().map_err(told("the session's loopback"))?;
    let sockets = super::network::session_sockets().map_err(told("the session's sockets"))?;
    let view = mounts::begin()?;
    view.apply(&setup.base)?;
    limit_processes(setup.limits.processes);
    capabilities::give_up().map_err(|error| format!("rights: {error}"))?;
    Ok(sockets)
}

/// The kernel's own limit of processes, which holds for root, too. Before Linux 6.14 it is the whole machine's, and left
/// alone.
fn limit_processes(most: u64) {
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    let mut numbers = release.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    if version >= (6, 14) {
        // Below this the kernel does not go. Through the host's list of settings: the session's is read-only by now.
        const LEAST: u64 = 400;
        drop(std::fs::write("/.host/proc/sys/kernel/pid_max", most.max(LEAST).to_string()));
    }
}

/// Buries children and answers the warden, until it is gone.
fn attend(warden: &UnixStream) -> ExitCode {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGCHLD);
    let blocked = SigSet::all().thread_block();
    let Ok(signals) = SignalFd::with_flags(&signals, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK) else {
        return ExitCode::FAILURE;
    };
    if blocked.is_err() {
        return ExitCode::FAILURE;
    }
    loop {
        while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
        let mut waiting = [PollFd::new(warden, PollFlags::IN), PollFd::new(&signals, PollFlags::IN)];
        match poll(&mut waiting, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return ExitCode::FAILURE,
        }
        let asked = waiting.first().is_some_and(|warden| !warden.revents().is_empty());
        while let Ok(Some(_)) = signals.read_signal() {}
        if asked && !answered(warden) {
            // Everything in the session dies with this process.
            return ExitCode::SUCCESS;
        }
    }
}

fn answered(warden: &UnixStream) -> bool {
    let Ok((Order::Sockets(count), _)) = receive(warden) else { return false };
    let made = |_| {
        rustix::net::socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None).ok()
    };
    let sockets: Vec<OwnedFd> = (0..count.min(8)).filter_map(made).collect();
    let beside: Vec<_> = sockets.iter().map(AsFd::as_fd).collect();
    send(warden, &sockets.len(), &beside).is_ok()
}
