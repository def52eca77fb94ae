//! Sessions by name: where their wardens listen, which run, and with which process they end.

use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::wire::{Answer, Process, Question, receive, send};
use crate::scan::Extent;

/// The folder of the sockets; only the user's own.
fn folder() -> Result<PathBuf, String> {
    let folder = crate::places::state_folder()?.join("run");
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .map_err(|error| format!("`{}`: {error}", folder.display()))?;
    let found =
        std::fs::symlink_metadata(&folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
    let own = found.is_dir()
        && found.uid() == rustix::process::getuid().as_raw()
        && found.mode().trailing_zeros() >= 6;
    if own { Ok(folder) } else { Err(format!("`{}` can be written by others", folder.display())) }
}

/// Where the warden of a session listens.
pub(super) fn socket(name: &str) -> Result<PathBuf, String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.is_empty() || name.len() > 64 || name.starts_with('.') || !name.bytes().all(fits) {
        return Err(format!(
            "`{name}` is no name for a session: letters, digits, `-`, `_` and `.`, at most 64"
        ));
    }
    Ok(folder()?.join(format!("{name}.sock")))
}

/// The warden of a session, started if there is none.
pub(super) fn find_or_start(name: &str) -> Result<(UnixStream, Extent), String> {
    let path = socket(name)?;
    match UnixStream::connect(&path) {
        Ok(stream) if is_own(&stream) => Ok((stream, Extent::Joining)),
        Ok(_) => Err(format!("`{}` belongs to another user", path.display())),
        Err(_) => Ok((start_warden()?, Extent::Whole)),
    }
}

/// Starts a warden, which hears its first question on its standard input.
pub(super) fn start_warden() -> Result<UnixStream, String> {
    let told = |error: std::io::Error| format!("the session's warden: {error}");
    let (ours, theirs) = UnixStream::pair().map_err(told)?;
    let mut warden = Command::new("/proc/self/exe");
    // Names are resolved there, and no variable of the caller may say how.
    let kept = std::env::vars_os().filter(|(name, _)| name == "HOME" || name == "XDG_STATE_HOME");
    warden.env_clear().envs(kept);
    warden.arg("@warden").stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
    // Signals of the terminal are for the command.
    warden.process_group(0).current_dir("/").spawn().map_err(told)?;
    Ok(ours)
}

/// Whether the process at the other end runs as the same user.
pub(super) fn is_own(stream: &UnixStream) -> bool {
    rustix::net::sockopt::socket_peercred(stream).is_ok_and(|peer| peer.uid == rustix::process::getuid())
}

/// Every session that runs, with its processes.
pub(crate) fn running() -> Result<Vec<(String, Vec<Process>)>, String> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder()?).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let name = path.file_stem().and_then(|name| name.to_str()).map(str::to_owned);
        let (Some(name), Ok(stream)) = (name, UnixStream::connect(&path)) else { continue };
        if !is_own(&stream) || send(&stream, &Question::List, &[]).is_err() {
            continue;
        }
        if let Ok((Answer::Processes(processes), _)) = receive(&stream) {
            found.push((name, processes));
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}

/// Ends a session, and says what was found at its end.
pub(crate) fn end(name: &str) -> Result<Vec<String>, String> {
    let stream = UnixStream::connect(socket(name)?).map_err(|_| format!("no session `{name}` runs"))?;
    if !is_own(&stream) {
        return Err(format!("the session `{name}` belongs to another user"));
    }
    send(&stream, &Question::End, &[]).map_err(|error| error.to_string())?;
    match receive::<Answer>(&stream) {
        Ok((Answer::Report(lines), _)) => Ok(lines),
        Ok(_) | Err(_) => Err(format!("the session `{name}` gave no report")),
    }
}

/// The agent: the nearest ancestor that is neither a shell nor a part of the gate.
pub(super) fn agent() -> Option<i32> {
    const BETWEEN: &[&str] = &[
        "sh",
        "bash",
        "dash",
        "zsh",
        "fish",
        "ksh",
        "ash",
        "busybox",
        "env",
        "timeout",
        "portcullis",
        "portcullis-run",
    ];
    let mut current = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
    while let Some(number) = current.filter(|number| *number > 1) {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        let (head, rest) = stat.rsplit_once(')')?;
        let name = head.split_once('(')?.1;
        if !BETWEEN.contains(&name) {
            return Some(number);
        }
        current = rest.split_whitespace().nth(1).and_then(|parent| parent.parse().ok());
    }
    None
}
