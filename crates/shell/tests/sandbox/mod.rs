//! Runs command lines under a real shell, each in a throw-away folder of its own.
//!
//! No network where `unshare` can take it away, no terminal, a home folder of its own, a time limit for
//! each line. Says of each folder whether anything in it was changed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The file that commands read.
const TEXT: &str = "x y\nz\n";

/// A program of the folder: leaves a trace when it is run, or sourced, by whatever name.
const MAKER: &str = "#!/bin/sh\ntouch MADE\n";

/// What each folder holds at the start. The odd name becomes an option where a glob is expanded.
const NAMES: [&str; 3] = ["f.txt", "mk", "-oGLOBBED"];

/// Runs the lines numbered `$2` up to `$3` in their folders; the rest of the words are the shell.
const DRIVER: &str = r#"
cd "$1" || exit 1
root=$PWD first=$2 last=$3
shift 3
ulimit -v 4000000
for ((number = first; number < last; number++)); do
    IFS= read -r -d '' line <"$root/lines/$number"
    cd "$root/folders/$number" && timeout -k 1 2 "$@" "$line"
    # In a process namespace of its own a line that starts processes without end is ended with all of them.
    if [[ -n $ISOLATED ]] && (($$ < 10)); then
        running=(/proc/[0-9]*)
        ((${#running[@]} > 40)) && kill -9 -1
    fi
done
wait
"#;

/// How many lines share a process namespace: what a line leaves running, or starts without end, goes with it.
const BATCH: usize = 200;

/// The program's path, if it is installed where the sandbox looks.
pub(crate) fn installed(program: &str) -> Option<PathBuf> {
    PATH.split(':').map(|folder| Path::new(folder).join(program)).find(|path| path.is_file())
}

/// A folder that is gone when the value is.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Scratch> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name =
            format!("portcullis-oracle-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path)?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Runs every line with `shell LINE` and says, line by line, whether its folder was changed.
pub(crate) fn run(shell: &[&str], lines: &[String]) -> io::Result<Vec<bool>> {
    let scratch = Scratch::new()?;
    let root = scratch.0.as_path();
    let inodes = prepare(root, lines)?;
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let next = AtomicUsize::new(0);
    let work = || -> io::Result<()> {
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= lines.len() {
                return Ok(());
            }
            driver(root, first, lines.len().min(first + BATCH), shell).status()?;
        }
    };
    std::thread::scope(|scope| -> io::Result<()> {
        let started: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        started.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
    })?;
    // What a line left running in the background gets a moment to finish.
    std::thread::sleep(Duration::from_millis(500));
    inodes
        .iter()
        .enumerate()
        .map(|(number, inode)| changed(&root.join("folders").join(number.to_string()), *inode))
        .collect()
}

fn prepare(root: &Path, lines: &[String]) -> io::Result<Vec<u64>> {
    for name in ["lines", "folders", "home"] {
        fs::create_dir(root.join(name))?;
    }
    fs::write(root.join("driver"), DRIVER)?;
    fs::write(root.join("folders/big.txt"), "a line of text that is long enough to be sorted\n".repeat(400))?;
    fs::create_dir(root.join("folders/bin"))?;
    program(&root.join("folders/bin/wc"))?;
    fs::write(root.join("folders/magic"), "0 string x y\n")?;
    fs::write(root.join("folders/make.mk"), "all:\n\ttouch $(T)\n")?;
    kit(&root.join("folders"));
    let mut inodes = Vec::with_capacity(lines.len());
    for (number, line) in lines.iter().enumerate() {
        fs::write(root.join("lines").join(number.to_string()), line)?;
        let folder = root.join("folders").join(number.to_string());
        fs::create_dir(&folder)?;
        fs::write(folder.join("f.txt"), TEXT)?;
        program(&folder.join("mk"))?;
        fs::write(folder.join("-oGLOBBED"), "")?;
        inodes.push(fs::metadata(folder.join("f.txt"))?.ino());
    }
    Ok(inodes)
}

/// Makes files of every kind, each as far as its program is there.
fn kit(folders: &Path) {
    const SCRIPT: &str = r#"
mkdir kit && cd kit || exit
printf 'x y\nz\n' >k.txt
printf '{"a":1}\n' >a.json; printf 'a = 1\n' >a.toml; printf 'k.txt\0' >names0
printf 'x = 1\n' >x.py; printf 'var x = 1\n' >x.js; printf 'int x;\n' >x.c
printf 'all:\n\t+touch MADE\n' >plus.mk; printf 'all:\n\techo hi\n' >Makefile
printf 'BEGIN{system("touch MADE")}' >x.awk
printf 'require("fs").writeFileSync("MADE","")\n' >mk.js
printf '.shell touch MADE\n' >f.sql; printf 'output = MADE\nurl = file:///dev/null\n' >curlrc
printf -- '--- f.txt\n+++ f.txt\n@@ -1,2 +1,2 @@\n-x y\n+x z\n z\n' >f.diff
tar -cf a.tar k.txt; gzip -c k.txt >a.gz; bzip2 -c k.txt >a.bz2; xz -c k.txt >a.xz
zstd -qc k.txt >a.zst; lz4 -qc k.txt >a.lz4; zip -q a.zip k.txt; ar rc a.a k.txt
gcc -c x.c -o a.o; sqlite3 a.db 'create table t(x)'
cd .. && git init -q --bare repo.git && export GIT_DIR=repo.git GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b \
    GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
tree=$(printf 'x y\n' | git hash-object -w --stdin | sed 's/^/100644 blob /; s/$/\tf.txt/' | git mktree)
first=$(git commit-tree -m one "$tree" </dev/null)
empty=$(git mktree </dev/null)
git update-ref HEAD "$(git commit-tree -m two -p "$(git commit-tree -m one "$empty" -p "$first")" "$tree")"
"#;
    let made = Command::new("bash").args(["-c", SCRIPT]).current_dir(folders).stderr(Stdio::null()).status();
    // What is missing is not found by the lines that name it.
    drop(made);
}

fn program(path: &Path) -> io::Result<()> {
    fs::write(path, MAKER)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// Starts its words where there is no network, and where nothing can be written but the folder that is its first word:
/// generated lines also name programs and devices of this machine (`> =ls` in zsh).
const ISOLATE: &str =
    "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro / && cd \"$1\" && shift && exec \"$@\"";

fn isolated(root: &Path) -> Command {
    let mut command = Command::new("unshare");
    let namespaces = ["-n", "-m", "-p", "-f", "--kill-child", "--mount-proc", "--propagation", "private"];
    command.args(namespaces).args(["sh", "-c", ISOLATE, "sh"]).arg(root);
    command
}

fn driver(root: &Path, first: usize, last: usize, shell: &[&str]) -> Command {
    let works =
        isolated(root).arg("true").stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    let mut command = if works { isolated(root) } else { Command::new("env") };
    command.args(["setsid", "-w", "bash"]).arg(root.join("driver")).arg(root);
    command.args([first.to_string(), last.to_string()]).args(shell);
    command
        .env_clear()
        .env("PATH", PATH)
        .env("HOME", root.join("home"))
        .env("LC_ALL", "C.UTF-8")
        .env("TMPDIR", root.join("home"));
    if works {
        command.env("ISOLATED", "1");
    }
    command.current_dir(root).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Whether the folder holds anything but what it started with.
fn changed(folder: &Path, inode: u64) -> io::Result<bool> {
    let names: io::Result<BTreeSet<OsString>> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect();
    let expected: BTreeSet<OsString> = NAMES.iter().map(OsString::from).collect();
    if names? != expected {
        return Ok(true);
    }
    let text = folder.join("f.txt");
    Ok(fs::metadata(&text)?.ino() != inode
        || fs::read(&text)? != TEXT.as_bytes()
        || fs::read(folder.join("mk"))? != MAKER.as_bytes())
}
