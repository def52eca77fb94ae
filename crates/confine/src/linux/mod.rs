//! Carries a plan out on Linux, in small processes that each do one thing.
//!
//! `join` is what was started: it asks the session's `warden`, outside, for the namespaces, enters them and starts
//! `inside`, which builds what the command sees, gives up every right and becomes the command. `init` is process 1 of
//! the session.

mod capabilities;
mod filter;
mod forwarder;
mod forwarding;
mod guard;
mod init;
mod inside;
mod join;
mod mounts;
mod network;
mod notes;
pub(crate) mod probe;
mod processes;
mod relay;
pub(crate) mod sessions;
mod signals;
mod warden;
mod watch;
mod wire;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::request::Request;

/// The parts that this program plays when it starts itself; they are no commands for people.
pub(crate) fn part(name: &str, rest: &[OsString]) -> Option<ExitCode> {
    match name {
        "@warden" => Some(warden::main()),
        "@init" => Some(init::main()),
        "@inside" => Some(inside::main(rest)),
        "@try" => Some(probe::attempts(rest)),
        _ => None,
    }
}

/// Runs a command confined.
pub(crate) fn run(request: &Request) -> ExitCode {
    join::run(request)
}
