//! Runs hooks: all at once, each in a process group of its own, watched by one thread without blocking.
//!
//! Whatever a hook does, it is over at its deadline: its group is killed when it has answered, when its time is up and
//! when it writes too much, and nothing that it started can hold the pipes open for longer than that. What leaves its
//! group on purpose (`setsid`) is not followed, and not waited for.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::environment::cleaned;
use super::finished::{Ending, Finished, MAX_OUTPUT};
use super::{Hook, HookEvent, HookInput, Work};

/// The shortest and longest time between two looks at whether a hook has ended.
const TICKS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));

/// How long a killed hook may take to be gone before somebody else waits for it.
const REAP: Duration = Duration::from_millis(500);

/// Runs the hooks; each comes back with how it ended and how many microseconds that took.
pub(super) fn run_all(
    hooks: &[&Hook],
    event: HookEvent,
    input: &HookInput<'_>,
    deadline: Instant,
    wanted: &dyn Fn() -> bool,
) -> Vec<(Finished, u64)> {
    let told = if hooks.is_empty() { String::new() } else { input.to_json(event) };
    let mut seats: Vec<Seat<'_>> =
        hooks.iter().map(|hook| Seat::start(hook, input, &told, deadline)).collect();
    let mut tick = TICKS.0;
    loop {
        let cancelled = !wanted();
        let mut moved = false;
        for seat in &mut seats {
            moved |= seat.look(cancelled);
        }
        if seats.iter().all(Seat::is_over) {
            break;
        }
        tick = if moved { TICKS.0 } else { (tick * 2).min(TICKS.1) };
        wait(&seats, tick);
    }
    seats.into_iter().map(Seat::leave).collect()
}

/// Waits until a pipe is ready or the time has passed.
fn wait(seats: &[Seat<'_>], tick: Duration) {
    let now = Instant::now();
    let until = seats.iter().filter_map(Seat::until).map(|until| until.saturating_duration_since(now)).min();
    let time = until.map_or(tick, |until| until.min(tick));
    let mut pipes: Vec<PollFd<'_>> = seats.iter().flat_map(Seat::pipes).collect();
    let timeout = Timespec::try_from(time).ok();
    if poll(&mut pipes, timeout.as_ref()).is_err() {
        // Interrupted, or out of memory: the next look comes either way.
        std::thread::sleep(time);
    }
}

/// One hook's place in the round.
enum Seat<'a> {
    Running(Box<Running<'a>>),
    Over(Finished, u64),
}

impl<'a> Seat<'a> {
    fn start(hook: &Hook, input: &HookInput<'_>, told: &'a str, deadline: Instant) -> Seat<'a> {
        let began = Instant::now();
        let (command, timeout, env) = match &hook.work {
            Work::Broken(why) => return Seat::Over(Finished::silent(Ending::Broken(why.clone())), 0),
            Work::Run { command, timeout, env } => (command, *timeout, env),
        };
        let mut shell = Command::new("/bin/sh");
        shell.arg("-c").arg(command).current_dir(&input.call.cwd).env_clear();
        shell.envs(cleaned(std::env::vars_os(), env)).env("CLAUDE_PROJECT_DIR", input.project());
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let until = began.checked_add(timeout).map_or(deadline, |until| until.min(deadline));
        let running = shell.spawn().map_err(|error| format!("it could not be started: {error}"));
        match running.and_then(|child| Running::new(child, told, began, until)) {
            Ok(running) => Seat::Running(Box::new(running)),
            Err(why) => Seat::Over(Finished::silent(Ending::Broken(why)), micros(began)),
        }
    }

    /// Moves what can be moved, and ends what is over; says whether anything happened.
    fn look(&mut self, cancelled: bool) -> bool {
        let Seat::Running(running) = self else { return false };
        match running.look(cancelled) {
            Looked::Over(finished) => {
                let spent = micros(running.began);
                *self = Seat::Over(finished, spent);
                true
            }
            Looked::Moved => true,
            Looked::Still => false,
        }
    }

    const fn is_over(&self) -> bool {
        matches!(self, Seat::Over(..))
    }

    fn until(&self) -> Option<Instant> {
        if let Seat::Running(running) = self { Some(running.until) } else { None }
    }

    fn pipes(&self) -> Vec<PollFd<'_>> {
        if let Seat::Running(running) = self { running.pipes() } else { Vec::new() }
    }

    fn leave(self) -> (Finished, u64) {
        match self {
            Seat::Over(finished, micros) => (finished, micros),
            Seat::Running(running) => (Finished::silent(Ending::Cancelled), micros(running.began)),
        }
    }
}

fn micros(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// What a look at a hook found.
enum Looked {
    Over(Finished),
    Moved,
    Still,
}

/// A hook that runs. Dropped, it is killed.
struct Running<'a> {
    /// Nothing once it was reaped or handed to somebody who waits for it.
    child: Option<Child>,
    group: Option<Pid>,
    /// What is still to be written to it.
    told: &'a [u8],
    stdin: Option<ChildStdin>,
    stdout: Pipe<ChildStdout>,
    stderr: Pipe<ChildStderr>,
    began: Instant,
    until: Instant,
}

/// What comes out of a hook.
struct Pipe<R> {
    from: Option<R>,
    read: Vec<u8>,
}

impl<R: Read + AsFd> Pipe<R> {
    /// Reads what is there; says whether that was anything.
    fn drain(&mut self) -> bool {
        let mut buffer = [0_u8; 16 * 1024];
        let mut moved = false;
        while let Some(from) = &mut self.from {
            match from.read(&mut buffer) {
                Ok(0) => self.from = None,
                Ok(count) => {
                    moved = true;
                    self.read.extend(buffer.iter().take(count));
                    if self.read.len() > MAX_OUTPUT {
                        self.from = None;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.from = None,
            }
        }
        moved
    }
}

impl<'a> Running<'a> {
    fn new(mut child: Child, told: &'a str, began: Instant, until: Instant) -> Result<Running<'a>, String> {
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let pipes = [
            stdin.as_ref().map(AsFd::as_fd),
            stdout.as_ref().map(AsFd::as_fd),
            stderr.as_ref().map(AsFd::as_fd),
        ];
        let unblocked = pipes.iter().flatten().try_for_each(|pipe| ioctl_fionbio(pipe, true));
        let running = Running {
            child: Some(child),
            group,
            told: told.as_bytes(),
            stdin,
            stdout: Pipe { from: stdout, read: Vec::new() },
            stderr: Pipe { from: stderr, read: Vec::new() },
            began,
            until,
        };
        // On an error it is dropped here, and killed with that.
        unblocked.map_err(|error| format!("it could not be watched: {error}")).map(|()| running)
    }

    fn pipes(&self) -> Vec<PollFd<'_>> {
        let mut pipes = Vec::new();
        pipes.extend(self.stdout.from.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        pipes.extend(self.stderr.from.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        pipes.extend(self.stdin.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        pipes
    }

    fn look(&mut self, cancelled: bool) -> Looked {
        let exited = self.has_exited();
        if exited {
            // Whatever it left behind must neither live on nor add to what it said.
            self.kill();
        }
        let fed = self.feed();
        let moved = self.stdout.drain() | self.stderr.drain() | fed;
        let flooded = self.stdout.read.len() > MAX_OUTPUT || self.stderr.read.len() > MAX_OUTPUT;
        let ending = if flooded {
            Ending::Flooded
        } else if exited {
            self.reap().map_or_else(|| Ending::Broken("how it ended is not known".to_owned()), ending_of)
        } else if cancelled {
            Ending::Cancelled
        } else if Instant::now() >= self.until {
            Ending::TimedOut
        } else {
            return if moved { Looked::Moved } else { Looked::Still };
        };
        self.end();
        let (stdout, stderr) = (std::mem::take(&mut self.stdout.read), std::mem::take(&mut self.stderr.read));
        Looked::Over(Finished { ending, stdout, stderr })
    }

    /// Whether the hook itself has ended. It is not reaped yet: until then its group's number is nobody else's.
    fn has_exited(&self) -> bool {
        let Some(pid) = self.group else { return true };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(pid), look), Ok(None))
    }

    /// Writes what the hook takes. One that does not read its input is no trouble.
    fn feed(&mut self) -> bool {
        let mut moved = false;
        while let Some(stdin) = &mut self.stdin {
            match stdin.write(self.told) {
                Ok(count) => {
                    moved = true;
                    self.told = self.told.get(count..).unwrap_or_default();
                    if self.told.is_empty() || count == 0 {
                        self.stdin = None;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.stdin = None,
            }
        }
        moved
    }

    fn kill(&self) {
        if let (Some(group), Some(_)) = (self.group, &self.child) {
            // It may be gone already, and then there is nothing to do.
            kill_process_group(group, Signal::KILL).unwrap_or_default();
        }
    }

    fn reap(&mut self) -> Option<ExitStatus> {
        let status = self.child.as_mut()?.try_wait().ok().flatten()?;
        self.child = None;
        Some(status)
    }

    /// Kills what is left and waits until it is gone.
    fn end(&mut self) {
        self.kill();
        let began = Instant::now();
        while self.child.is_some() && self.reap().is_none() && began.elapsed() < REAP {
            std::thread::sleep(TICKS.0);
        }
        if let Some(mut child) = self.child.take() {
            // Held by the system: the answer does not wait for it, but somebody has to, so that it does not stay.
            let waits = std::thread::Builder::new().spawn(move || child.wait());
            drop(waits);
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

fn ending_of(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(signal)) => Ending::Killed(signal),
        (None, None) => Ending::Broken("how it ended is not known".to_owned()),
    }
}
