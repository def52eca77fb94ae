//! The part of a session that stays outside: starts process 1, lets commands join, watches the project, and ends the
//! session.

use std::collections::BTreeMap;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use nix::sched::CloneFlags;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, getgid, getuid, pidfd_open, pidfd_send_signal,
    set_dumpable_behavior,
};

use super::forwarder::{Forwarder, Purpose};
use super::notes::Notes;
use super::relay::{self, Activity};
use super::watch::Watch;
use super::wire::{Answer, Joining, Question, Setup, receive, send};
use super::{capabilities, processes, sessions};
use crate::envelope::{Host, Kind};
use crate::plan::plan;

/// How long a session stays when nothing of it runs.
const IDLE: Duration = Duration::from_hours(4);

/// A session.
struct Warden {
    /// Its namespaces live as long as this process.
    first: OwnedFd,
    space: PathBuf,
    parent: Option<std::thread::JoinHandle<()>>,
    /// Keeps process 1 going; it ends when this and the relay's are closed.
    _orders: UnixStream,
    /// Answers in the session's network that there are no names.
    _no_names: Forwarder,
    notes: Notes,
    activity: Activity,
    session: Option<String>,
    socket: Option<(PathBuf, UnixListener)>,
    until: Option<OwnedFd>,
    home: String,
    watch: Watch,
    clients: BTreeMap<usize, Client>,
    next_client: usize,
    used: Instant,
}

/// A connection of a command, or of somebody who looks.
struct Client {
    stream: UnixStream,
    is_watched: bool,
    hosts: Vec<Host>,
    sockets: Vec<(Purpose, OwnedFd)>,
    forwarder: Option<Forwarder>,
}

/// Serves the session whose first command speaks on the standard input.
pub(super) fn main() -> ExitCode {
    let Ok(first) = std::io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else {
        return ExitCode::FAILURE;
    };
    let Ok((Question::Join(joining), _)) = receive::<Question>(&first) else { return ExitCode::FAILURE };
    match Warden::start(&joining) {
        Ok(mut warden) => {
            warden.joins(first, &joining);
            warden.serve();
            ExitCode::SUCCESS
        }
        Err(why) => {
            drop(send(&first, &Answer::Refused(why), &[]));
            ExitCode::FAILURE
        }
    }
}

impl Warden {
    fn start(joining: &Joining) -> Result<Warden, String> {
        // Before anything else: what the plan of the base needs is known, and it may be refused.
        let base = plan(&joining.envelope, &joining.facts)?.base;
        let socket = joining.session.as_deref().map(listen).transpose()?;
        let until = match joining.until.and_then(Pid::from_raw) {
            Some(agent) => {
                Some(pidfd_open(agent, PidfdFlags::empty()).map_err(|_| "the agent has ended".to_owned())?)
            }
            None => None,
        };
        let quarantine = crate::places::state_folder()?.join("quarantine");
        let name = joining.session.clone().unwrap_or_else(|| "run".to_owned());
        let watch = Watch::new(quarantine.join(format!("{name}-{}", std::process::id())))?;
        namespaces()?;
        let First { number, orders, space, parent } = start_first()?;
        let first = pidfd_open(number, PidfdFlags::empty()).map_err(|error| format!("process 1: {error}"))?;
        let setup = Setup { base, limits: joining.envelope.limits };
        let told = |error: std::io::Error| format!("process 1: {error}");
        send(&orders, &setup, &[]).map_err(told)?;
        let (ready, sockets) = receive::<Result<(), String>>(&orders).map_err(told)?;
        ready?;
        let (notes, activity) = (Notes::default(), Activity::default());
        let [listed, names] =
            <[OwnedFd; 2]>::try_from(sockets).map_err(|_| "process 1 sent no sockets".to_owned())?;
        let no_names = Forwarder::start(Vec::new(), vec![(None, names)], notes.clone()).map_err(told)?;
        let relayed = orders.try_clone().map_err(told)?;
        relay::start(listed, relayed, notes.clone(), activity.clone()).map_err(told)?;
        Ok(Warden {
            first,
            space,
            parent: Some(parent),
            _orders: orders,
            _no_names: no_names,
            notes,
            activity,
            session: joining.session.clone(),
            socket,
            until,
            home: joining.facts.home.clone(),
            watch,
            clients: BTreeMap::new(),
            next_client: 0,
            used: Instant::now(),
        })
    }

    /// Answers until the session ends.
    fn serve(&mut self) {
        loop {
            let Some(ready) = self.wait() else { return self.end() };
            self.watch.look();
            if self.watch.lost() {
                self.stop_watched();
            }
            if ready.is_over {
                return self.end();
            }
            if ready.has_caller {
                self.accept();
            }
            for number in ready.clients {
                if self.heard(number) {
                    return self.end();
                }
            }
            if self.session.is_none() && self.clients.is_empty() {
                return self.end();
            }
            let idle = self.clients.is_empty() && self.used.elapsed() > IDLE;
            if idle && processes::running(&self.space).is_empty() {
                return self.end();
            }
        }
    }

    fn wait(&self) -> Option<Ready> {
        let numbers: Vec<usize> = self.clients.keys().copied().collect();
        let mut waiting = vec![
            PollFd::from_borrowed_fd(self.watch.descriptor(), PollFlags::IN),
            PollFd::new(&self.first, PollFlags::IN),
        ];
        let fixed = waiting.len() + usize::from(self.until.is_some()) + usize::from(self.socket.is_some());
        waiting.extend(self.until.iter().map(|until| PollFd::new(until, PollFlags::IN)));
        waiting.extend(self.socket.iter().map(|(_, socket)| PollFd::new(socket, PollFlags::IN)));
        waiting.extend(self.clients.values().map(|client| PollFd::new(&client.stream, PollFlags::IN)));
        let longest = Timespec { tv_sec: 60, tv_nsec: 0 };
        match poll(&mut waiting, Some(&longest)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
        let is_set = |at: usize| waiting.get(at).is_some_and(|one| !one.revents().is_empty());
        let until = self.until.is_some() && is_set(2);
        let clients = numbers.into_iter().enumerate().filter(|(at, _)| is_set(fixed + at));
        Some(Ready {
            is_over: is_set(1) || until,
            has_caller: self.socket.is_some() && is_set(fixed - 1),
            clients: clients.map(|(_, number)| number).collect(),
        })
    }

    fn accept(&mut self) {
        let Some((_, socket)) = &self.socket else { return };
        if let Ok((stream, _)) = socket.accept()
            && sessions::is_own(&stream)
        {
            // One that says half a word holds nobody else up for long.
            drop(stream.set_read_timeout(Some(Duration::from_secs(2))));
            self.add(stream, None);
        }
    }

    fn add(&mut self, stream: UnixStream, joining: Option<&Joining>) {
        self.next_client += 1;
        let client = Client {
            is_watched: joining.is_some_and(|joining| joining.envelope.kind == Kind::Project),
            hosts: joining.map(|joining| joining.envelope.hosts.clone()).unwrap_or_default(),
            sockets: Vec::new(),
            forwarder: None,
            stream,
        };
        self.clients.insert(self.next_client, client);
        self.activity.set(true);
    }

    /// Takes in what a client says; true if the session is to end.
    fn heard(&mut self, number: usize) -> bool {
        let Some(mut client) = self.clients.remove(&number) else { return false };
        self.used = Instant::now();
        match receive::<Question>(&client.stream) {
            Ok((Question::Socket(purpose), beside)) => {
                client.sockets.extend(beside.into_iter().map(|socket| (purpose, socket)));
                self.clients.insert(number, client);
            }
            Ok((Question::Forward, _)) => {
                self.forward(&mut client);
                self.clients.insert(number, client);
            }
            Ok((Question::Join(joining), _)) => self.joins(client.stream, &joining),
            Ok((Question::Ended, _)) => self.ended(&client),
            Ok((Question::List, _)) => {
                let processes = processes::running(&self.space);
                drop(send(&client.stream, &Answer::Processes(processes), &[]));
            }
            Ok((Question::End, _)) => {
                self.stop();
                self.watch.look();
                self.watch.scan();
                drop(send(&client.stream, &Answer::Report(self.watch.reports()), &[]));
                return true;
            }
            // The command's starter was killed; the command died with it.
            Err(_) => {}
        }
        self.activity.set(!self.clients.is_empty());
        false
    }

    fn forward(&self, client: &mut Client) {
        let sockets = std::mem::take(&mut client.sockets);
        let answer = match Forwarder::start(client.hosts.clone(), sockets, self.notes.clone()) {
            Ok(forwarder) => {
                client.forwarder = Some(forwarder);
                Answer::Report(Vec::new())
            }
            Err(error) => Answer::Refused(error.to_string()),
        };
        send(&client.stream, &answer, &[]).ok();
    }

    /// The end of a command: what it left is looked at before its caller goes on.
    fn ended(&mut self, client: &Client) {
        if self.session.is_none() {
            self.stop();
        }
        if client.is_watched {
            self.watch.settle();
        }
        let mut lines = self.watch.reports();
        lines.extend(self.notes.take());
        if self.watch.lost() {
            lines.extend(self.stop_watched());
        }
        drop(send(&client.stream, &Answer::Report(lines), &[]));
    }

    fn joins(&mut self, stream: UnixStream, joining: &Joining) {
        let ready = self.planned(joining);
        let answer = match ready {
            // The base is in place.
            Ok(plan) => Answer::Ready(Box::new(crate::plan::Plan { base: Vec::new(), ..plan })),
            Err(why) => Answer::Refused(why),
        };
        let beside = [self.first.as_fd()];
        if send(&stream, &answer, &beside).is_ok() {
            self.add(stream, Some(joining));
        }
    }

    fn planned(&mut self, joining: &Joining) -> Result<crate::plan::Plan, String> {
        if joining.facts.home != self.home {
            return Err("the session was started with another home folder".to_owned());
        }
        let mut facts = joining.facts.clone();
        if joining.envelope.kind == Kind::Project {
            let envelope = &joining.envelope;
            let roots: Vec<String> = envelope.trusted.iter().chain(&envelope.writable).cloned().collect();
            facts.project = self.watch.add(&roots)?;
        }
        let plan = plan(&joining.envelope, &facts)?;
        for folder in &plan.created {
            match std::fs::create_dir_all(folder) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("`{folder}`: {error}")),
            }
            self.watch.remember(folder.clone());
        }
        Ok(plan)
    }

    /// Ends what runs in the project: something it must not write is no longer held.
    fn stop_watched(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.clients.values().any(|client| client.is_watched) || self.session.is_some() {
            for process in processes::running(&self.space) {
                if let Some(number) = Pid::from_raw(process.outside) {
                    rustix::process::kill_process(number, Signal::KILL).ok();
                    lines.push(format!(
                        "`{}` was stopped: a protected file was replaced from outside",
                        process.command
                    ));
                }
            }
        }
        lines
    }

    /// Ends everything inside, and waits until it is gone.
    fn stop(&mut self) {
        pidfd_send_signal(&self.first, Signal::KILL).ok();
        if let Some(parent) = self.parent.take() {
            parent.join().ok();
        }
    }

    fn end(&mut self) {
        self.stop();
        self.watch.look();
        self.watch.scan();
        if let Some((path, _)) = self.socket.take() {
            drop(std::fs::remove_file(path));
        }
        // Nobody waits for these any more; they are kept beside what was moved away.
        self.watch.write_down();
    }
}

/// What a look at everything that is waited for gave.
struct Ready {
    is_over: bool,
    has_caller: bool,
    clients: Vec<usize>,
}

fn listen(name: &str) -> Result<(PathBuf, UnixListener), String> {
    let path = sessions::socket(name)?;
    let told = |error: std::io::Error| format!("`{}`: {error}", path.display());
    if UnixStream::connect(&path).is_ok() {
        return Err(format!("the session `{name}` was started twice at once; try again"));
    }
    drop(std::fs::remove_file(&path));
    let listener = UnixListener::bind(&path).map_err(told)?;
    Ok((path, listener))
}

/// A user namespace with the caller's own number.
fn namespaces() -> Result<(), String> {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    nix::sched::unshare(CloneFlags::CLONE_NEWUSER)
        .map_err(|error| format!("user namespaces: {} ({})", error.desc(), super::probe::way_out()))?;
    let told = |error: std::io::Error| format!("user namespaces: {error} ({})", super::probe::way_out());
    std::fs::write("/proc/self/setgroups", "deny").map_err(told)?;
    std::fs::write("/proc/self/uid_map", format!("{user} {user} 1")).map_err(told)?;
    std::fs::write("/proc/self/gid_map", format!("{group} {group} 1")).map_err(told)?;
    Ok(())
}

/// Process 1, as it is seen from outside.
struct First {
    number: Pid,
    orders: UnixStream,
    /// Its process namespace, as links in `/proc` name it.
    space: PathBuf,
    /// Waits for it, so that its end leaves nothing behind.
    parent: std::thread::JoinHandle<()>,
}

/// Starts process 1 from a thread of its own: only that thread's children are in the new process namespace, and the
/// others can have further threads.
fn start_first() -> Result<First, String> {
    let (ours, theirs) = UnixStream::pair().map_err(|error| format!("process 1: {error}"))?;
    let (tell, told) = std::sync::mpsc::channel();
    let parent = std::thread::Builder::new().name("parent".to_owned()).spawn(move || {
        let child = spawn_first(theirs);
        let mut waited = None;
        tell.send(child.map(|(child, space)| {
            let number = child.id();
            waited = Some(child);
            (number, space)
        }))
        .ok();
        if let Some(mut child) = waited {
            child.wait().ok();
        }
    });
    let parent = parent.map_err(|error| format!("process 1: {error}"))?;
    let (number, space) = told.recv().map_err(|error| format!("process 1: {error}"))??;
    capabilities::give_up().map_err(|error| format!("rights: {error}"))?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| format!("the warden: {error}"))?;
    let number = i32::try_from(number).ok().and_then(Pid::from_raw);
    Ok(First {
        number: number.ok_or_else(|| "process 1 has no number".to_owned())?,
        orders: ours,
        space,
        parent,
    })
}

fn spawn_first(channel: UnixStream) -> Result<(std::process::Child, PathBuf), String> {
    let told = |error: std::io::Error| format!("process 1: {error}");
    nix::sched::unshare(CloneFlags::CLONE_NEWPID)
        .map_err(|error| format!("a process namespace: {}", error.desc()))?;
    capabilities::keep_for_start().map_err(|error| format!("process 1: {error}"))?;
    let mut first = Command::new("/proc/self/exe");
    first.arg("@init").env_clear().stdin(OwnedFd::from(channel)).stdout(Stdio::null()).stderr(Stdio::null());
    let child = first.spawn().map_err(told)?;
    let space = std::fs::read_link("/proc/thread-self/ns/pid_for_children").map_err(told)?;
    capabilities::give_up().map_err(|error| format!("rights: {error}"))?;
    Ok((child, space))
}
