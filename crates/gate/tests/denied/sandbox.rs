//! Throw-away folders in which lines are run: a repository with a remote of its own, a program that leaves a mark, a secret, a
//! locked folder, a listener. No network but the listener's where `unshare` can take it away.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
const SECRET: &str = "S3CRET";

/// What every folder is copied from.
pub(crate) struct Template {
    root: TempDir,
    isolated: bool,
    count: AtomicUsize,
}

/// The folder of one line.
pub(crate) struct Folder {
    root: PathBuf,
    isolated: bool,
    listener: Option<TcpListener>,
}

fn is_installed(program: &str) -> bool {
    PATH.split(':').any(|folder| Path::new(folder).join(program).is_file())
}

fn quiet(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|it| it.success())
}

impl Template {
    /// A repository with one commit, the files, and the programs.
    pub(crate) fn new() -> Option<Template> {
        if !["bash", "timeout", "setsid", "git", "cp"].into_iter().all(is_installed) {
            return None;
        }
        let root = TempDir::new().expect("there is room for a folder");
        let work = root.path().join("template/work");
        for folder in ["secret", "locked", "bin"] {
            fs::create_dir_all(work.join(folder)).expect("a new folder");
        }
        fs::create_dir_all(root.path().join("template/home")).expect("a new folder");
        fs::write(work.join("f.txt"), "x y\nz\n").expect("a new file");
        fs::write(work.join("g.txt"), "g\n").expect("a new file");
        fs::write(work.join("secret/key"), format!("{SECRET}\n")).expect("a new file");
        fs::write(work.join("locked/keep"), "keep\n").expect("a new file");
        fs::write(
            root.path().join("template/home/.gitconfig"),
            "[user]\n\tname = a\n\temail = a@b.example\n",
        )
        .expect("a new file");
        let git = |words: &[&str]| {
            let mut command = Command::new("git");
            command.args(words).current_dir(&work).env_clear().env("PATH", PATH);
            command.env("HOME", root.path().join("template/home"));
            assert!(quiet(&mut command), "git {words:?}");
        };
        git(&["init", "-q", "-b", "main"]);
        git(&["add", "f.txt"]);
        git(&["commit", "-q", "-m", "a"]);
        git(&["init", "-q", "--bare", "../remote"]);
        git(&["remote", "add", "origin", "../remote"]);
        let isolated = quiet(Command::new("unshare").args(["-n", "true"]));
        Some(Template { root, isolated, count: AtomicUsize::new(0) })
    }

    /// A new folder; its lines reach a listener, or no network at all.
    pub(crate) fn folder(&self, listens: bool) -> Folder {
        let root = self.root.path().join(self.count.fetch_add(1, Ordering::Relaxed).to_string());
        let copied = quiet(Command::new("cp").arg("-a").arg(self.root.path().join("template")).arg(&root));
        assert!(copied, "the template can be copied");
        let mark = root.join("work/bin/mark");
        fs::write(&mark, format!("#!/bin/sh\n: > '{}'\n", root.join("marked").display()))
            .expect("a new file");
        fs::set_permissions(&mark, fs::Permissions::from_mode(0o755)).expect("an own file");
        let listener = listens.then(|| {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
            listener.set_nonblocking(true).expect("a new listener");
            listener
        });
        Folder { root, isolated: self.isolated && !listens, listener }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.root));
    }
}

impl Folder {
    pub(crate) fn work(&self) -> String {
        self.root.join("work").to_string_lossy().into_owned()
    }

    pub(crate) fn home(&self) -> String {
        self.root.join("home").to_string_lossy().into_owned()
    }

    /// The port of the listener; any number where there is none.
    pub(crate) fn port(&self) -> u16 {
        self.listener.as_ref().and_then(|it| it.local_addr().ok()).map_or(9, |address| address.port())
    }

    /// Runs the line, and says what it printed.
    pub(crate) fn run(&self, line: &str) -> String {
        let mut command = Command::new(if self.isolated { "unshare" } else { "env" });
        if self.isolated {
            command.arg("-n");
        }
        let work = self.root.join("work");
        let path = format!("{}:{PATH}", work.join("bin").display());
        command.args(["setsid", "-w", "timeout", "-k", "1", "3", "bash", "-c", line]);
        command.env_clear().env("PATH", path).env("HOME", self.root.join("home")).env("LC_ALL", "C.UTF-8");
        command.env("TMPDIR", self.root.join("home")).env("TERM", "dumb").current_dir(&work);
        // Into a file: what stays in the background must not keep a pipe open.
        let printed = self.root.join("printed");
        let file = fs::File::create(&printed).expect("a new file");
        let errors = file.try_clone().expect("an open file");
        drop(command.stdin(Stdio::null()).stdout(file).stderr(errors).status());
        String::from_utf8_lossy(&fs::read(&printed).unwrap_or_default()).into_owned()
    }

    pub(crate) fn was_pushed(&self) -> bool {
        self.root.join("remote/refs/heads/x").exists()
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.root.join("marked").exists()
    }

    #[expect(clippy::unused_self, reason = "asked like the other questions")]
    pub(crate) fn shows_secret(&self, printed: &str) -> bool {
        printed.contains(SECRET)
    }

    pub(crate) fn is_locked_changed(&self) -> bool {
        let locked = self.root.join("work/locked");
        let names = fs::read_dir(&locked).map(|entries| entries.filter_map(Result::ok).count());
        let touched = fs::metadata(locked.join("keep")).and_then(|it| it.modified()).ok();
        let first = fs::metadata(self.root.join("work/g.txt")).and_then(|it| it.modified()).ok();
        let aged = touched.zip(first).is_some_and(|(touched, first)| {
            first
                .duration_since(touched)
                .or_else(|_| touched.duration_since(first))
                .is_ok_and(|apart| apart.as_secs() > 86_400)
        });
        names.ok() != Some(1) || aged || fs::read(locked.join("keep")).ok().as_deref() != Some(b"keep\n")
    }

    pub(crate) fn was_connected(&self) -> bool {
        self.listener.as_ref().is_some_and(|listener| match listener.accept() {
            Ok(_) => true,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        })
    }
}
