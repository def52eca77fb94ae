//! A small machine within a folder: a home with secrets, a project, an outside, sockets, and a process to attack.
//!
//! Whatever an attempt does is judged by what is different afterwards.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What only somebody who got out can print.
pub(crate) const SECRET: &str = "SECRET-7f3a";

/// What an attempt prints when a call went through that must not.
pub(crate) const ESCAPED: &str = "ESCAPED";

/// The longest that one attempt may take.
const LONGEST: Duration = Duration::from_mins(1);

/// Whose rights an attempt has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Root,
    /// A user that exists nowhere else.
    User,
}

const USER: u32 = 64_123;

/// The folder, and who listens.
pub(crate) struct World {
    folder: tempfile::TempDir,
    who: Who,
    root: PathBuf,
    before: BTreeMap<PathBuf, String>,
    sockets: Vec<(String, UnixListener)>,
    tcp: TcpListener,
    udp: UdpSocket,
    pipe: std::fs::File,
    victim: Child,
    token: String,
}

/// Whether this test runs as root; only root can become somebody else.
pub(crate) fn is_root() -> bool {
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

impl World {
    pub(crate) fn new(who: Who) -> World {
        let folder = tempfile::Builder::new().prefix("escape-").tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        std::fs::set_permissions(&root, std::fs::Permissions::from_mode(0o755)).unwrap();
        for (name, text) in FILES {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text.replace("SECRET", SECRET)).unwrap();
        }
        let program = root.join("bin/portcullis-run");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_portcullis-run"), &program).unwrap();
        for folder in [
            "home/project/.git/objects",
            "home/project/.git/refs/heads",
            "home/project/sub/deep",
            "home/.cargo/bin",
        ] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        std::fs::create_dir_all(root.join("home/.local/state/portcullis")).unwrap();
        let token = format!("token-{}", root.file_name().unwrap().to_str().unwrap());
        let listen = |name: &str| (name.to_owned(), UnixListener::bind(root.join(name)).unwrap());
        let mut sockets = vec![
            listen("home/.local/state/portcullis/portcullis.sock"),
            listen("home/agent.sock"),
            listen("home/.cargo/service.sock"),
            listen("outside/service.sock"),
        ];
        let name = SocketAddr::from_abstract_name(token.as_bytes()).unwrap();
        sockets.push(("abstract".to_owned(), UnixListener::bind_addr(&name).unwrap()));
        let pipe = root.join("outside/pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let pipe =
            std::fs::OpenOptions::new().read(true).write(true).custom_flags(0o4000).open(pipe).unwrap();
        if who == Who::User && is_root() {
            let done =
                Command::new("chown").args(["-R", &format!("{USER}:{USER}")]).arg(&root).status().unwrap();
            assert!(done.success());
        }
        let mut victim = Command::new("sleep");
        victim.arg("600").env("VICTIM", SECRET);
        let victim = as_somebody(who, &victim).stdin(Stdio::null()).spawn().unwrap();
        for (_, socket) in &sockets {
            socket.set_nonblocking(true).unwrap();
        }
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        tcp.set_nonblocking(true).unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        udp.set_nonblocking(true).unwrap();
        let mut world =
            World { folder, who, before: BTreeMap::new(), sockets, tcp, udp, pipe, victim, token, root };
        world.before = world.guarded();
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// A command line in the project, with this world in its environment.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin")
            .env("HOME", self.path("home"))
            .env("PROJECT", self.path("home/project"))
            .env("OUTSIDE", self.path("outside"))
            .env("VICTIM", self.victim.id().to_string())
            .env("TCP", self.tcp.local_addr().unwrap().port().to_string())
            .env("UDP", self.udp.local_addr().unwrap().port().to_string())
            .env("ABSTRACT", &self.token)
            .env("MARK", &self.token)
            .env("DEPLOY_TOKEN", SECRET)
            .env("SSH_AUTH_SOCK", self.path("home/agent.sock"))
            .env("RUN", self.path("bin/portcullis-run"))
            .current_dir(self.path("home/project"));
        command
    }

    /// Runs a line of bash in an envelope.
    pub(crate) fn confined(&self, envelope: &str, script: &str) -> Output {
        let mut command = self.command(self.path("bin/portcullis-run").to_str().unwrap());
        command.args(envelope.split_whitespace()).args(["--", "bash", "-c", script]);
        self.run(&command)
    }

    /// Runs the same line without one.
    pub(crate) fn free(&self, script: &str) -> Output {
        let mut command = self.command("bash");
        command.args(["-c", script]);
        self.run(&command)
    }

    /// Runs anything as the user of this world, for a bounded time.
    pub(crate) fn run(&self, command: &Command) -> Output {
        let mut command = as_somebody(self.who, command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let read = |from: &mut dyn Read| {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes).ok();
            bytes
        };
        std::thread::scope(|scope| {
            let stderr = scope.spawn(|| read(&mut err));
            let watchdog = child.id();
            let done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
            let seen = done.clone();
            scope.spawn(move || {
                let began = Instant::now();
                while !seen.load(std::sync::atomic::Ordering::Relaxed) {
                    if began.elapsed() > LONGEST {
                        Command::new("kill").args(["-9", &watchdog.to_string()]).status().ok();
                        return;
                    }
                    std::thread::sleep(Duration::from_millis(20));
                }
            });
            let stdout = read(&mut out);
            let status = child.wait().unwrap();
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            Output { status, stdout, stderr: stderr.join().unwrap() }
        })
    }

    /// What is different now; nothing if nobody got out.
    pub(crate) fn effects(&mut self, output: &Output) -> Vec<String> {
        let mut found = Vec::new();
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said);
        for word in [SECRET, ESCAPED] {
            if said.contains(word) {
                found.push(format!("it printed {word}"));
            }
        }
        let after = self.guarded();
        for (path, text) in &self.before {
            match after.get(path) {
                None => found.push(format!("{} is gone", path.display())),
                Some(now) if now != text => found.push(format!("{} changed", path.display())),
                Some(_) => {}
            }
        }
        let new = after.keys().filter(|path| !self.before.contains_key(*path));
        found.extend(new.map(|path| format!("{} is new", path.display())));
        for (name, socket) in &self.sockets {
            if socket.accept().is_ok() {
                found.push(format!("the socket {name} was connected to"));
            }
        }
        if self.tcp.accept().is_ok() {
            found.push("the port was connected to".to_owned());
        }
        if self.udp.recv(&mut [0; 16]).is_ok() {
            found.push("the UDP port heard something".to_owned());
        }
        match self.pipe.read(&mut [0; 16]) {
            Ok(read) if read > 0 => found.push("the pipe was written to".to_owned()),
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
        if self.victim.try_wait().unwrap().is_some() {
            found.push("the other process is dead".to_owned());
        }
        found.extend(self.left_over().into_iter().map(|line| format!("still runs: {line}")));
        found
    }

    /// Processes that carry this world's mark after the end.
    pub(crate) fn left_over(&self) -> Vec<String> {
        // The last of them may be just on its way out.
        for _ in 0..50 {
            let found = self.marked();
            if found.is_empty() {
                return found;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.marked()
    }

    /// The numbers of those processes.
    pub(crate) fn marked_numbers(&self) -> Vec<String> {
        self.marked_with(|path, _| path.file_name().unwrap().to_string_lossy().into_owned())
    }

    fn marked(&self) -> Vec<String> {
        self.marked_with(|_, line| line)
    }

    fn marked_with(&self, shown: impl Fn(&Path, String) -> String) -> Vec<String> {
        let mark = format!("MARK={}", self.token);
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            if environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes()) {
                let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
                found.push(shown(&entry.path(), String::from_utf8_lossy(&line).replace('\0', " ")));
            }
        }
        found
    }

    /// Everything that must not change: all but the project's ordinary files, and where the gate keeps things.
    fn guarded(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        walk(&self.root, &mut found);
        let project = self.path("home/project");
        let state = self.path("home/.local/state/portcullis");
        found.retain(|path, _| {
            let kept = ["run", "quarantine"].iter().any(|name| path.starts_with(state.join(name)));
            let ordinary = path.starts_with(&project) && !is_guarded(path.strip_prefix(&project).unwrap());
            !kept && !ordinary && *path != state
        });
        found
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.victim.kill().ok();
        self.victim.wait().ok();
        let _ = &self.folder;
    }
}

fn is_guarded(path: &Path) -> bool {
    const NAMES: &[&str] = &[".claude", ".mcp.json", ".vscode", ".envrc", ".husky", ".npmrc", ".codex"];
    const IN_GIT: &[&str] = &["config", "hooks", "info", "commondir", "modules", "config.worktree"];
    let names: Vec<String> = path.iter().map(|name| name.to_string_lossy().to_lowercase()).collect();
    let named = names.iter().any(|name| NAMES.contains(&name.as_str()));
    let git = names.iter().position(|name| name == ".git");
    named || git.is_some_and(|at| at > 0 || names.get(1).is_none_or(|name| IN_GIT.contains(&name.as_str())))
}

fn walk(path: &Path, found: &mut BTreeMap<PathBuf, String>) {
    let Ok(stat) = std::fs::symlink_metadata(path) else { return };
    let extra = |name: &str| {
        let mut space = [0; 64];
        rustix::fs::lgetxattr(path, name, &mut space[..])
            .map(|length| space[..length].to_vec())
            .unwrap_or_default()
    };
    // Folders change their times with every ordinary file; their inode tells a renamed one.
    let times = if stat.is_dir() { (0, stat.ino()) } else { (stat.mtime_nsec(), 0) };
    let text = if stat.is_file() { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
    let link = std::fs::read_link(path).unwrap_or_default();
    let line = format!(
        "{:o} {} {:?} {:?} {:x?} {:?}",
        stat.mode(),
        stat.uid(),
        times,
        extra("user.mark"),
        text.iter().fold(5381_u64, |sum, byte| sum.wrapping_mul(33) ^ u64::from(*byte)),
        link.as_os_str().as_bytes()
    );
    found.insert(path.to_owned(), line);
    if stat.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            walk(&entry.path(), found);
        }
    }
}

/// The same command as somebody else, where this is root.
fn as_somebody(who: Who, command: &Command) -> Command {
    let mut changed = if who == Who::User && is_root() {
        let mut changed = Command::new("setpriv");
        changed.args(["--reuid", &USER.to_string(), "--regid", &USER.to_string(), "--clear-groups", "--"]);
        changed.arg(command.get_program());
        changed
    } else {
        Command::new(command.get_program())
    };
    changed.args(command.get_args());
    changed.env_clear();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            changed.env(name, value);
        }
    }
    if command.get_envs().next().is_none() || command.get_envs().all(|(name, _)| name != "PATH") {
        changed.env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
    }
    if let Some(folder) = command.get_current_dir() {
        changed.current_dir(folder);
    }
    changed
}

const FILES: &[(&str, &str)] = &[
    ("outside/file", "SECRET\n"),
    ("outside/folder/inner", "SECRET\n"),
    ("home/.ssh/id", "SECRET\n"),
    ("home/.bashrc", "# SECRET\n"),
    ("home/.npmrc", "//registry/:_authToken=SECRET\n"),
    ("home/.config/portcullis/settings.json", "{\"x\": \"SECRET\"}\n"),
    ("home/.local/state/portcullis/portcullis.db", "SECRET\n"),
    ("home/.cargo/config.toml", "# ordinary\n"),
    ("home/.cargo/credentials.toml", "token = \"SECRET\"\n"),
    ("home/.cargo/registry/index", "x\n"),
    ("home/.claude/settings.json", "{\"hooks\": 1}\n"),
    ("home/other/notes", "SECRET\n"),
    ("home/project/README", "hello\n"),
    ("home/project/.mcp.json", "{}\n"),
    ("home/project/sub/deep/.claude/settings.json", "{}\n"),
    ("home/project/.git/HEAD", "ref: refs/heads/main\n"),
    ("home/project/.git/config", "[core]\n\trepositoryformatversion = 0\n"),
    ("home/project/.git/hooks/pre-commit.sample", "#!/bin/sh\n"),
    ("home/project/.git/info/exclude", "\n"),
];
