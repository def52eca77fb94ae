//! Asks the real shell whether it would accept a line. `bash -n` parses and runs nothing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{fs, io, thread};

/// Checks every file of the current directory and prints the names of those that do not parse. After an
/// error inside `[[` bash complains but succeeds, so whatever it says counts, other than a warning.
const CHECK: &str = r#"for file in *; do
    said=$("$BASH" -n "./$file" 2>&1 </dev/null) || { echo "$file"; continue; }
    [[ -z $said ]] || while IFS= read -r line; do
        [[ $line == *": warning: "* ]] || { echo "$file"; break; }
    done <<< "$said"
done"#;

/// Whether bash rejects each of the lines; nothing if there is no bash 5 or its answers cannot be had.
pub(crate) fn rejected(lines: &[String]) -> Option<Vec<bool>> {
    is_recent().then_some(())?;
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let size = lines.len().div_ceil(workers).max(1);
    thread::scope(|scope| {
        let handles: Vec<_> = lines.chunks(size).map(|chunk| scope.spawn(|| rejected_chunk(chunk))).collect();
        let answers = handles.into_iter().map(|handle| handle.join().ok()?.ok());
        Some(answers.collect::<Option<Vec<_>>>()?.concat())
    })
}

fn rejected_chunk(lines: &[String]) -> io::Result<Vec<bool>> {
    let folder = new_folder()?;
    let mut answers = vec![false; lines.len()];
    for (index, line) in lines.iter().enumerate() {
        fs::write(folder.join(index.to_string()), line)?;
    }
    let output = bash(&folder, CHECK)?;
    for index in output.lines().filter_map(|name| name.parse::<usize>().ok()) {
        if let Some(answer) = answers.get_mut(index) {
            *answer = true;
        }
    }
    fs::remove_dir_all(&folder)?;
    Ok(answers)
}

/// Earlier versions read substitutions only when they run them.
fn is_recent() -> bool {
    let version = bash(Path::new("/"), "echo ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]}").unwrap_or_default();
    version.trim().parse::<u32>().is_ok_and(|version| version >= 52)
}

fn bash(folder: &Path, script: &str) -> io::Result<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut command = Command::new("bash");
    command.args(["--norc", "--noprofile", "-c", script]).current_dir(folder);
    // The locale decides how bash reads bytes; no other variable may reach it, as some of them hold code.
    command.env_clear().env("PATH", path).env("LC_ALL", "C.UTF-8").stdin(Stdio::null()).stderr(Stdio::null());
    Ok(String::from_utf8_lossy(&command.output()?.stdout).into_owned())
}

fn new_folder() -> io::Result<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("portcullis-bash-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(name);
    fs::create_dir(&folder)?;
    Ok(folder)
}
