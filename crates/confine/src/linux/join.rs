//! Asks the session's warden for its namespaces, enters them, and waits for the command.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::process::{Command, ExitCode};

use nix::sched::CloneFlags;
use rustix::fs::{FileType, fstat};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Resource, Rlimit, setrlimit};

use super::signals::{End, end_as, wait};
use super::wire::{Answer, Joining, Question, Start, receive, send};
use super::{capabilities, sessions};
use crate::messages::{complain, not_confined};
use crate::plan::Plan;
use crate::request::Request;
use crate::scan::Extent;
use crate::steps::Network;

/// Runs a command confined, and ends as it ends.
pub(super) fn run(request: &Request) -> ExitCode {
    match confined(request) {
        Ok((end, warden)) => {
            for line in report(&warden) {
                complain(&line);
            }
            // A dump of this process would say nothing about the command.
            setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).ok();
            end_as(end)
        }
        // FAIL-CLOSED(not-confined): the command was not started.
        Err(why) => not_confined(&why),
    }
}

fn confined(request: &Request) -> Result<(End, UnixStream), String> {
    standard_streams()?;
    close_fds::set_fds_cloexec(3, &[]);
    let directory = std::env::current_dir().map_err(|error| format!("the working directory: {error}"))?;
    let program = File::open("/proc/self/exe").map_err(|error| format!("this program: {error}"))?;
    let (warden, extent) = match &request.session {
        Some(name) => sessions::find_or_start(name)?,
        None => (sessions::start_warden()?, Extent::Whole),
    };
    let facts = crate::scan::facts(&request.envelope, &directory, extent)?;
    let joining = Joining {
        envelope: request.envelope.clone(),
        session: request.session.clone(),
        until: request.session.as_ref().and_then(|_| request.until.or_else(sessions::agent)),
        facts,
    };
    let lost = |error: std::io::Error| format!("the session's warden: {error}");
    send(&warden, &Question::Join(Box::new(joining)), &[]).map_err(lost)?;
    let (answer, beside) = receive::<Answer>(&warden).map_err(lost)?;
    let plan = match answer {
        Answer::Ready(plan) => *plan,
        Answer::Refused(why) => return Err(why),
        Answer::Report(_) | Answer::Processes(_) => return Err("the session's warden is confused".to_owned()),
    };
    let session = beside.into_iter().next().ok_or_else(|| "the session has no process 1".to_owned())?;
    enter(&session, &plan)?;
    drop(session);
    let end = started(&program, plan, request, &warden)?;
    Ok((end, warden))
}

/// A folder as a standard stream would be a way out of what the command sees.
fn standard_streams() -> Result<(), String> {
    let (stdin, stdout, stderr) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let streams = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
    let kinds = streams.into_iter().filter_map(|stream| fstat(stream).ok());
    let mut kinds = kinds.map(|stat| FileType::from_raw_mode(stat.st_mode));
    if kinds.any(|kind| matches!(kind, FileType::Directory | FileType::BlockDevice)) {
        return Err("a standard stream is a folder or a disk".to_owned());
    }
    Ok(())
}

fn enter(session: &OwnedFd, plan: &Plan) -> Result<(), String> {
    let shared = CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWPID;
    let shared = shared | CloneFlags::CLONE_NEWIPC;
    let entered = match plan.network {
        Network::Session => shared | CloneFlags::CLONE_NEWNET,
        Network::Hosts(_) | Network::Machine => shared,
    };
    nix::sched::setns(session, entered)
        .map_err(|error| format!("the session's namespaces: {}", error.desc()))?;
    capabilities::keep_for_start().map_err(|error| format!("rights for the start: {error}"))
}

fn started(program: &File, plan: Plan, request: &Request, warden: &UnixStream) -> Result<End, String> {
    let told = |error: std::io::Error| format!("the start: {error}");
    let (ours, theirs) = UnixStream::pair().map_err(told)?;
    fcntl_setfd(&theirs, FdFlags::empty()).map_err(|error| format!("the start: {error}"))?;
    let mut inside = Command::new(format!("/proc/self/fd/{}", program.as_raw_fd()));
    // The environment goes with the plan: nothing of it may be seen before it is sifted.
    inside.arg("@inside").arg(theirs.as_raw_fd().to_string()).env_clear();
    let child = inside.spawn().map_err(told)?;
    drop(theirs);
    let hosts = matches!(plan.network, Network::Hosts(_));
    let command = request.command.iter().map(|word| word.as_bytes().to_vec()).collect();
    send(&ours, &Start { plan, command }, &[]).map_err(told)?;
    if hosts {
        super::forwarding::hand_over(&ours, warden)?;
    }
    let child = Pid::from_raw(i32::try_from(child.id()).unwrap_or_default());
    wait(child.ok_or_else(|| "the start: no process".to_owned())?)
}

/// What the warden found at the end.
fn report(warden: &UnixStream) -> Vec<String> {
    if send(warden, &Question::Ended, &[]).is_err() {
        return vec!["the session's warden is gone: nobody looked for new protected files".to_owned()];
    }
    match receive::<Answer>(warden) {
        Ok((Answer::Report(lines), _)) => lines,
        Ok((Answer::Ready(_) | Answer::Refused(_) | Answer::Processes(_), _)) | Err(_) => {
            vec!["the session's warden gave no report on new protected files".to_owned()]
        }
    }
}
