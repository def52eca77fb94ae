//! Proves on this machine, as this user, that each part of an envelope holds: a confined copy of this program tries to
//! get out, and what is different afterwards is looked at from outside.

use std::ffi::OsString;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use rustix::process::{Pid, Resource, getrlimit, test_kill_process};

/// One part, and whether it holds here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Which part.
    pub part: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// What was seen, or how to get what is missing.
    pub said: String,
}

/// The parts, as the confined copy reports them.
const PARTS: [(&str, &str); 8] = [
    ("write", "a file outside the project cannot be written"),
    ("credential", "a key in the home folder cannot be read"),
    ("connection", "a port of this machine cannot be reached"),
    ("signal", "a process outside cannot be seen or signalled"),
    ("socket", "the gate's socket cannot be reached"),
    ("protected", "a protected file of the project cannot be changed"),
    ("namespaces", "no namespace can be made inside"),
    ("limits", "processes and memory are limited"),
];

/// Tries everything in a folder of its own.
#[must_use]
pub fn probe() -> Vec<Proof> {
    match Trial::new().and_then(|trial| trial.run()) {
        Ok(proofs) => proofs,
        Err(why) => vec![Proof { part: "start", holds: false, said: why }],
    }
}

/// A home, a project, and things to attack.
struct Trial {
    folder: PathBuf,
    port: TcpListener,
    socket: UnixListener,
    victim: std::process::Child,
}

impl Trial {
    fn new() -> Result<Trial, String> {
        let told = |error: std::io::Error| format!("the trial could not be set up: {error}");
        let name = format!("portcullis-probe-{}", std::process::id());
        let folder = std::fs::canonicalize(std::env::temp_dir()).map_err(told)?.join(name);
        std::fs::create_dir(&folder).map_err(told)?;
        for inside in ["home/.ssh", "home/.local/state/portcullis", "home/project", "outside"] {
            std::fs::create_dir_all(folder.join(inside)).map_err(told)?;
        }
        std::fs::write(folder.join("home/.ssh/id"), "key").map_err(told)?;
        std::fs::write(folder.join("home/project/.mcp.json"), "{}").map_err(told)?;
        let socket = UnixListener::bind(folder.join(GATE)).map_err(told)?;
        let port = TcpListener::bind("127.0.0.1:0").map_err(told)?;
        socket.set_nonblocking(true).and_then(|()| port.set_nonblocking(true)).map_err(told)?;
        let victim = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().map_err(told)?;
        Ok(Trial { folder, port, socket, victim })
    }

    fn run(&self) -> Result<Vec<Proof>, String> {
        let told = |error: std::io::Error| format!("the trial could not be started: {error}");
        let program = std::env::current_exe().map_err(told)?;
        let port = self.port.local_addr().map_err(told)?.port();
        let tried = Command::new(&program)
            .args(["--envelope", "project", "--read"])
            .arg(&program)
            .arg("--")
            .arg(&program)
            .arg("@try")
            .args([self.folder.as_os_str(), OsString::from(self.victim.id().to_string()).as_os_str()])
            .arg(port.to_string())
            .env("HOME", self.folder.join("home"))
            .env_remove("XDG_STATE_HOME")
            .current_dir(self.folder.join("home/project"))
            .stdin(Stdio::null())
            .output()
            .map_err(told)?;
        if !tried.status.success() {
            let why = String::from_utf8_lossy(&tried.stderr);
            return Err(why.trim().trim_start_matches("portcullis: ").to_owned());
        }
        let said = String::from_utf8_lossy(&tried.stdout).into_owned();
        Ok(PARTS.into_iter().map(|(part, promise)| self.proof(part, promise, &said)).collect())
    }

    /// A part holds if the attempt failed inside, and nothing is different outside.
    fn proof(&self, part: &'static str, promise: &str, said: &str) -> Proof {
        let failed_inside = said.lines().any(|line| line == format!("{part} held"));
        let unchanged = match part {
            "write" => !self.folder.join("outside/new").exists(),
            "connection" => self.port.accept().is_err(),
            "socket" => self.socket.accept().is_err(),
            "protected" => {
                std::fs::read(self.folder.join("home/project/.mcp.json")).is_ok_and(|text| text == b"{}")
            }
            _ => true,
        };
        let holds = failed_inside && unchanged;
        let said = if holds { promise.to_owned() } else { format!("it does not hold that {promise}") };
        Proof { part, holds, said }
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        self.victim.kill().ok();
        self.victim.wait().ok();
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

/// The gate's socket in the home of the trial.
const GATE: &str = "home/.local/state/portcullis/portcullis.sock";

/// The confined copy: tries each part, and says which attempts failed.
pub(super) fn attempts(arguments: &[OsString]) -> ExitCode {
    let text = |at: usize| arguments.get(at).and_then(|word| word.to_str()).unwrap_or_default();
    let folder = Path::new(text(0));
    let victim = text(1).parse().ok().and_then(Pid::from_raw);
    let port = text(2).parse::<u16>().unwrap_or_default();
    let limited = |resource| getrlimit(resource).maximum.is_some();
    let results = [
        ("write", std::fs::write(folder.join("outside/new"), "x").is_err()),
        ("credential", std::fs::read(folder.join("home/.ssh/id")).is_err()),
        ("connection", TcpStream::connect(("127.0.0.1", port)).is_err()),
        ("signal", victim.is_some_and(|victim| test_kill_process(victim).is_err())),
        ("socket", UnixStream::connect(folder.join(GATE)).is_err()),
        ("protected", is_protected(&folder.join("home/project"))),
        ("namespaces", nix::sched::unshare(nix::sched::CloneFlags::CLONE_NEWUSER).is_err()),
        ("limits", limited(Resource::Nproc) && limited(Resource::Data) && limited(Resource::Fsize)),
    ];
    let mut out = std::io::stdout();
    for (part, held) in results {
        writeln!(out, "{part} {}", if held { "held" } else { "failed" }).unwrap_or_default();
    }
    ExitCode::SUCCESS
}

fn is_protected(project: &Path) -> bool {
    let file = project.join(".mcp.json");
    let gone = std::fs::rename(&file, project.join("other")).is_ok();
    let written = std::fs::write(&file, "x").is_ok();
    !gone && !written
}

/// How to get user namespaces on a machine that refuses them.
pub(super) fn way_out() -> &'static str {
    let is = |path: &str, value: &str| std::fs::read_to_string(path).is_ok_and(|text| text.trim() == value);
    if is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") {
        "AppArmor restricts them: allow this program in a profile with `userns,`"
    } else if is("/proc/sys/user/max_user_namespaces", "0") {
        "`sysctl user.max_user_namespaces` is 0"
    } else if is("/proc/sys/kernel/unprivileged_userns_clone", "0") {
        "`sysctl kernel.unprivileged_userns_clone` is 0"
    } else {
        "inside a container or another sandbox they are often refused"
    }
}
