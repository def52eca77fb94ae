//! A folder that goes away, in which programs are tried out without anything of the user's: no home, no keys, no
//! proxies, no sockets.

use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How often a program that runs is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How much of what a program printed is read.
const MOST_OUTPUT: usize = 64 << 10;

/// A private home and a working directory.
pub(super) struct Sandbox {
    root: PathBuf,
}

/// How a program ended.
pub(super) struct Ended {
    /// Its exit code; nothing where it was killed, or did not come to an end.
    pub(super) code: Option<i32>,
    /// Whether it did not come to an end in time.
    pub(super) was_late: bool,
    /// What it printed.
    pub(super) output: String,
}

impl Sandbox {
    /// Makes the folder.
    pub(super) fn new() -> Result<Sandbox, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let named = std::env::temp_dir().join(format!("portcullis-doctor-{}-{number}", std::process::id()));
        let failed = |error: std::io::Error| format!("cannot make {}: {error}", named.display());
        // Fails where something has the name already: nobody else may own it.
        std::fs::DirBuilder::new().mode(0o700).create(&named).map_err(failed)?;
        let root = named.canonicalize().map_err(failed)?;
        let sandbox = Sandbox { root };
        for folder in ["home", "work", "bin", "tmp"] {
            std::fs::create_dir(sandbox.root.join(folder)).map_err(failed)?;
        }
        Ok(sandbox)
    }

    /// The private home.
    pub(super) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Where programs work.
    pub(super) fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Where the gate keeps its records.
    pub(super) fn state(&self) -> PathBuf {
        self.home().join(".local/state/portcullis")
    }

    /// Where this program lies in here.
    pub(super) fn gate(&self) -> PathBuf {
        self.root.join("bin/portcullis")
    }

    /// Puts this program into the folder, so that another one can take its place later.
    pub(super) fn bring_gate(&self) -> Result<(), String> {
        let own = std::env::current_exe()
            .map_err(|error| format!("cannot tell where this program lies: {error}"))?;
        let brought =
            std::fs::hard_link(&own, self.gate()).or_else(|_| std::fs::copy(&own, self.gate()).map(|_| ()));
        brought.map_err(|error| format!("cannot copy {}: {error}", own.display()))
    }

    /// Puts a shell script in the place of this program.
    pub(super) fn replace_gate(&self, script: &str) -> Result<(), String> {
        self.remove_gate()?;
        let gate = self.gate();
        let written = std::fs::write(&gate, script)
            .and_then(|()| std::fs::set_permissions(&gate, std::fs::Permissions::from_mode(0o700)));
        written.map_err(|error| format!("cannot write {}: {error}", gate.display()))
    }

    /// Takes this program away. The one that the user started is another name for the file, and stays.
    pub(super) fn remove_gate(&self) -> Result<(), String> {
        std::fs::remove_file(self.gate()).map_err(|error| format!("cannot remove the program: {error}"))
    }

    /// Writes a file below the home.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.home().join(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    /// A program with nothing in its environment but the private home and the way to other programs.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.work()).env_clear().env("HOME", self.home());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        // Not a folder above the home: Codex makes no helpers in a home among temporary files, and its sandbox fails
        // without them where an older bubblewrap is installed.
        command.env("TMPDIR", self.root.join("tmp")).env("TERM", "dumb").env("NO_COLOR", "1").env("CI", "1");
        command
    }

    /// Runs a program to its end, or until its time is over. Whatever it started ends with it.
    pub(super) fn run(&self, mut command: Command, longest: Duration) -> Result<Ended, String> {
        // A file, not a pipe: what a program leaves behind could hold a pipe open for ever.
        let path = self.root.join("output");
        let failed = |error: std::io::Error| format!("cannot start it: {error}");
        let output = File::create(&path).map_err(failed)?;
        command.stdin(Stdio::null()).stderr(output.try_clone().map_err(failed)?).stdout(output);
        let mut child = command.process_group(0).spawn().map_err(failed)?;
        let status = wait(&mut child, longest);
        let bytes = std::fs::read(&path).unwrap_or_default();
        let start = bytes.len().saturating_sub(MOST_OUTPUT);
        let output = String::from_utf8_lossy(bytes.get(start..).unwrap_or_default()).into_owned();
        Ok(Ended { code: status.and_then(|status| status.code()), was_late: status.is_none(), output })
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // A program that is just ending may still write; what stays then lies among other temporary files.
        if std::fs::remove_dir_all(&self.root).is_err() {
            std::thread::sleep(Duration::from_millis(200));
            drop(std::fs::remove_dir_all(&self.root));
        }
    }
}

/// How a program ended; nothing where it had to be ended.
fn wait(child: &mut Child, longest: Duration) -> Option<ExitStatus> {
    let began = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if began.elapsed() < longest => std::thread::sleep(LOOK),
            Ok(None) | Err(_) => break None,
        }
    };
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // Nothing is left of it in the best case.
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap_or_default();
    }
    drop(child.wait());
    status
}
