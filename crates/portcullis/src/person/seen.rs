//! The record of agents: which processes asked through a hook since the machine started (SPEC A7).

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use rustix::fs::OFlags;

use super::chain::{LINGERS_SECONDS, Seen};
use super::facts;
use super::known;
use super::process::Process;

/// The most agents that are kept in mind; more than that is no record that can be relied on.
const MOST: usize = 10_000;

fn folder(state: &Path) -> PathBuf {
    state.join("agents")
}

/// Notes the agent that started the hook with this number. It must not delay an answer: what fails is not tried again.
pub(crate) fn note(state: &Path, hook: u32) {
    if was_noted(hook) {
        return;
    }
    let Some(agent) = facts::agent_above(hook) else { return };
    if write(state, &agent).is_some() {
        let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
        noted.retain(|(_, since)| since.elapsed() < AGAIN);
        noted.push(((agent.pid, agent.start), Instant::now()));
    }
}

/// The agents that this process noted lately, so that most calls of one cost a look at two or three processes.
static NOTED: Mutex<Vec<Noted>> = Mutex::new(Vec::new());
/// After what time an agent is noted again.
const AGAIN: Duration = Duration::from_mins(1);
/// How far above a hook its agent is looked for there.
const NEAR: usize = 4;

type Noted = ((u32, u64), Instant);

fn was_noted(hook: u32) -> bool {
    let noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut next = hook;
    for _ in 0..NEAR {
        if noted.is_empty() {
            return false;
        }
        let Some((parent, start)) = facts::link(next) else { return false };
        if noted.iter().any(|(known, since)| *known == (next, start) && since.elapsed() < AGAIN) {
            return true;
        }
        next = parent;
    }
    false
}

fn write(state: &Path, agent: &Process) -> Option<()> {
    let folder = folder(state);
    let path = folder.join(format!("{}-{}-{}", facts::boot()?, agent.pid, agent.start));
    let open = |new: bool| {
        let mut options = OpenOptions::new();
        options.write(true).create_new(new).mode(0o600).custom_flags(flags()).open(&path)
    };
    if let Ok(known) = open(false) {
        // When it was last seen.
        return known.set_modified(SystemTime::now()).ok();
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    let text = format!("{}\n{}\n", facts::namespaces().unwrap_or_default(), agent.program());
    open(true).ok()?.write_all(text.as_bytes()).ok()?;
    forget_old(&folder)
}

fn flags() -> i32 {
    i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC).bits()).unwrap_or_default()
}

/// Takes away what no longer counts.
fn forget_old(folder: &Path) -> Option<()> {
    let boot = facts::boot()?;
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let kept = entry
            .file_name()
            .to_str()
            .and_then(|name| named(name, &boot))
            .is_some_and(|(pid, start)| lives(pid, start) || lately(&entry.path()));
        if !kept {
            drop(fs::remove_file(entry.path()));
        }
    }
    Some(())
}

fn named(name: &str, boot: &str) -> Option<(u32, u64)> {
    let (pid, start) = name.strip_prefix(boot)?.strip_prefix('-')?.split_once('-')?;
    Some((pid.parse().ok()?, start.parse().ok()?))
}

fn lives(pid: u32, start: u64) -> bool {
    facts::process(pid).is_some_and(|process| process.start == start)
}

fn lately(path: &Path) -> bool {
    let changed = fs::symlink_metadata(path).and_then(|found| found.modified());
    // A clock that was set back makes nothing older than it is.
    changed
        .map_or(true, |time| time.elapsed().map_or(true, |gone| gone < Duration::from_secs(LINGERS_SECONDS)))
}

/// Every agent that counts: those that made calls, and those that run under a known name.
pub(crate) fn agents(state: &Path) -> Result<Vec<Seen>, String> {
    let mut agents = recorded(state)?;
    let own = rustix::process::getuid().as_raw();
    for process in facts::all().into_iter().filter(|process| process.user == own && known::is_agent(process))
    {
        let name = process.program().to_owned();
        let agent = Seen { pid: process.pid, start: process.start, name, lives: true };
        if !agents.iter().any(|known| (known.pid, known.start) == (agent.pid, agent.start)) {
            agents.push(agent);
        }
    }
    Ok(agents)
}

fn recorded(state: &Path) -> Result<Vec<Seen>, String> {
    let folder = folder(state);
    // FAIL-CLOSED(lost-agents): who cannot tell which agents there were cannot tell who is none.
    let lost = |why: &str| {
        format!(
            "the record of agents in `{}` {why}; remove that folder yourself and try again",
            folder.display()
        )
    };
    match fs::symlink_metadata(&folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(_) => return Err(lost("cannot be read")),
        Ok(found) if !found.is_dir() || found.uid() != rustix::process::getuid().as_raw() => {
            return Err(lost("is not a folder of yours"));
        }
        Ok(_) => {}
    }
    let boot = facts::boot().ok_or_else(|| lost("cannot be compared with the running system"))?;
    let here = facts::namespaces();
    let mut agents = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|_| lost("cannot be read"))? {
        let entry = entry.map_err(|_| lost("cannot be read"))?;
        let Some((pid, start)) = entry.file_name().to_str().and_then(|name| named(name, &boot)) else {
            continue;
        };
        let text = fs::read_to_string(entry.path()).map_err(|_| lost("cannot be read"))?;
        let (namespaces, name) = text.trim_end().split_once('\n').unwrap_or(("", "unknown"));
        // Numbers of processes mean something else there, so nothing can be compared.
        if !namespaces.is_empty() && here.as_deref() != Some(namespaces) && lately(&entry.path()) {
            return Err(format!(
                "the agent `{name}` was seen in another namespace of processes or users than this"
            ));
        }
        let lives = lives(pid, start);
        if lives || lately(&entry.path()) {
            agents.push(Seen { pid, start, name: name.to_owned(), lives });
        }
        if agents.len() > MOST {
            return Err(lost("is too long"));
        }
    }
    Ok(agents)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Process {
        facts::process(std::process::id()).unwrap()
    }

    /// [A7]
    #[test]
    fn an_agent_is_noted_once_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let process = own();
        for _ in 0..2 {
            write(folder.path(), &process).unwrap();
        }
        let found = recorded(folder.path()).unwrap();
        let names: Vec<_> = found.iter().map(|agent| (agent.pid, agent.start, agent.lives)).collect();
        assert_eq!(names, [(process.pid, process.start, true)]);
        let ended = Process { start: process.start + 1, ..process.clone() };
        write(folder.path(), &ended).unwrap();
        assert_eq!(recorded(folder.path()).unwrap().iter().filter(|agent| !agent.lives).count(), 1);
    }

    /// [A7] `FAIL-CLOSED(lost-agents)`.
    #[test]
    fn a_record_that_cannot_be_read_is_no_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(recorded(folder.path()), Ok(Vec::new()));
        std::fs::write(folder.path().join("agents"), "").unwrap();
        assert!(recorded(folder.path()).is_err());
        std::fs::remove_file(folder.path().join("agents")).unwrap();
        std::os::unix::fs::symlink("/tmp", folder.path().join("agents")).unwrap();
        assert!(recorded(folder.path()).is_err());
    }

    /// [A7]
    #[test]
    fn an_agent_in_another_namespace_cannot_be_compared() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &own()).unwrap();
        let file = std::fs::read_dir(folder.path().join("agents")).unwrap().next().unwrap().unwrap().path();
        std::fs::write(file, "pid:[1] user:[2]\nx\n").unwrap();
        assert!(recorded(folder.path()).unwrap_err().contains("namespace"));
    }
}
