//! Builds what a command sees, gives up every right, and becomes the command.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use nix::sched::CloneFlags;
use rustix::process::{
    DumpableBehavior, PidfdFlags, PidfdGetfdFlags, Resource, Rlimit, getpid, getrlimit, pidfd_getfd,
    pidfd_open, set_dumpable_behavior, set_parent_process_death_signal, setrlimit,
};

use super::wire::{Start, receive, send};
use super::{capabilities, filter, guard, mounts, network};
use crate::messages::{complain, not_confined};
use crate::plan::Plan;
use crate::steps::{Network, PROXY, host_address};

/// Becomes the command that was sent over the descriptor whose number is the only argument.
pub(super) fn main(arguments: &[OsString]) -> ExitCode {
    match prepare(arguments) {
        Ok((command, plan)) => become_command(&command, &plan),
        Err(why) => not_confined(&why),
    }
}

fn prepare(arguments: &[OsString]) -> Result<(Vec<Vec<u8>>, Plan), String> {
    let told = |what: &'static str| move |error: rustix::io::Errno| format!("{what}: {error}");
    set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).map_err(told("the caller's end"))?;
    // Other commands of the session see this process for a moment.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(told("the start"))?;
    let number = arguments.first().and_then(|number| number.to_str()?.parse::<i32>().ok());
    let number = number.ok_or_else(|| "this part is started by the program itself".to_owned())?;
    let this = pidfd_open(getpid(), PidfdFlags::empty()).map_err(told("the start"))?;
    let channel = pidfd_getfd(&this, number, PidfdGetfdFlags::empty()).map_err(told("the start"))?;
    let channel = UnixStream::from(channel);
    let (start, _) = receive::<Start>(&channel).map_err(|error| format!("the start: {error}"))?;
    let plan = start.plan;
    // SIGKILL may have been missed before it was asked for.
    nix::sched::unshare(CloneFlags::CLONE_NEWNS)
        .map_err(|error| format!("a mount namespace: {}", error.desc()))?;
    own_network(&plan, &channel)?;
    let view = mounts::View::open()?;
    view.apply(&plan.mounts)?;
    view.finish()?;
    std::env::set_current_dir(&plan.directory)
        .map_err(|error| format!("the working directory `{}`: {error}", plan.directory))?;
    close_fds::set_fds_cloexec(3, &[]);
    limits(&plan)?;
    rustix::thread::set_no_new_privs(true).map_err(told("no new rights"))?;
    let programs = filter::programs().map_err(|error| format!("the filter: {error}"))?;
    guard::restrict(&plan)?;
    capabilities::give_up().map_err(|error| format!("rights: {error}"))?;
    for program in &programs {
        seccompiler::apply_filter(program).map_err(|error| format!("the filter: {error}"))?;
    }
    Ok((start.command, plan))
}

/// A command with hosts gets a network of its own, whose only way out are sockets that the forwarder holds.
fn own_network(plan: &Plan, channel: &UnixStream) -> Result<(), String> {
    let Network::Hosts(hosts) = &plan.network else { return Ok(()) };
    let told = |what: &'static str| move |error: rustix::io::Errno| format!("{what}: {error}");
    nix::sched::unshare(CloneFlags::CLONE_NEWNET).map_err(|error| format!("a network: {}", error.desc()))?;
    network::loopback_up().map_err(told("the loopback"))?;
    let mut wanted: Vec<(std::net::Ipv4Addr, u16, Option<usize>)> = Vec::new();
    for (number, host) in hosts.iter().enumerate() {
        let ports = [Some(80), Some(443), host.port.filter(|port| !matches!(port, 80 | 443))];
        wanted.extend(
            ports.into_iter().flatten().map(|port| (host_address(number).into(), port, Some(number))),
        );
    }
    let proxy = PROXY.0.parse().map_err(|_| "the proxy's address".to_owned())?;
    wanted.push((proxy, PROXY.1, None));
    let resolver = network::resolver_socket().map_err(told("the resolver"))?;
    send(channel, &None::<(usize, u16)>, &[resolver.as_fd()])
        .map_err(|error| format!("the forwarder: {error}"))?;
    for (address, port, host) in wanted {
        let listener: OwnedFd = network::listener(address, port).map_err(told("a listener"))?;
        let what = Some((host.unwrap_or(usize::MAX), port));
        send(channel, &what, &[listener.as_fd()]).map_err(|error| format!("the forwarder: {error}"))?;
    }
    channel.shutdown(std::net::Shutdown::Write).map_err(|error| format!("the forwarder: {error}"))?;
    let (heard, _) = receive::<bool>(channel).map_err(|error| format!("the forwarder: {error}"))?;
    if heard { Ok(()) } else { Err("the forwarder does not run".to_owned()) }
}

/// Lowers what a process may use; never raises it.
fn limits(plan: &Plan) -> Result<(), String> {
    const MIB: u64 = 1 << 20;
    let limits = plan.limits;
    let wanted = [
        (Resource::Core, 0),
        (Resource::Nproc, limits.processes),
        (Resource::Data, limits.memory.saturating_mul(MIB)),
        (Resource::Fsize, limits.file.saturating_mul(MIB)),
        (Resource::Memlock, 64 * MIB),
        (Resource::Msgqueue, MIB),
    ];
    for (resource, most) in wanted {
        let now = getrlimit(resource);
        let lower = |old: Option<u64>| Some(old.map_or(most, |old| old.min(most)));
        let new = Rlimit { current: lower(now.current), maximum: lower(now.maximum) };
        setrlimit(resource, new).map_err(|error| format!("a limit: {error}"))?;
    }
    Ok(())
}

fn become_command(command: &[Vec<u8>], plan: &Plan) -> ExitCode {
    let mut words = command.iter().map(|word| OsStr::from_bytes(word));
    let Some(program) = words.next() else { return not_confined("no command is named") };
    let mut start = Command::new(program);
    start.args(words).env_clear().envs(plan.environment.iter().map(|(name, value)| (name, value)));
    let error = start.exec();
    let shown = program.to_string_lossy();
    let code = if error.kind() == ErrorKind::NotFound { 127 } else { 126 };
    complain(&format!("`{shown}`: {error}"));
    ExitCode::from(code)
}
