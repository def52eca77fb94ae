//! What the kernel says about processes, read from `/proc`.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::known;
use super::process::Process;

/// The longest chain that is followed.
const LONGEST: usize = 64;
/// The most that is read of any file there.
const MOST: u64 = 16 << 10;
/// How many words of a command line are looked at.
const WORDS: usize = 6;

/// A process and all above it, itself first.
pub(crate) fn chain(pid: u32) -> Result<Vec<Process>, String> {
    let found = walk(pid)?;
    // A process that ended meanwhile, or a number that was given anew, shows in a second look.
    let links = |chain: &[Process]| chain.iter().map(|it| (it.pid, it.parent, it.start)).collect::<Vec<_>>();
    if links(&found) != links(&walk(pid)?) {
        return Err("its processes changed while they were looked at; try again".to_owned());
    }
    Ok(found)
}

fn walk(pid: u32) -> Result<Vec<Process>, String> {
    let mut chain = Vec::new();
    let mut next = pid;
    while next != 0 {
        if chain.len() >= LONGEST {
            return Err("it was started through too many other processes".to_owned());
        }
        let process = process(next).ok_or_else(|| format!("process {next} cannot be looked at"))?;
        let process = if super::test_login() == Some(next) { as_login(next) } else { process };
        next = process.parent;
        chain.push(process);
    }
    if let Some(asking) = chain.first_mut().filter(|_| super::test_without_terminal()) {
        asking.terminal = TEST_TERMINAL;
    }
    Ok(chain)
}

/// The terminal of tests.
const TEST_TERMINAL: u32 = 136 << 8;

/// What a test put in the place of a login: nothing above it counts.
fn as_login(pid: u32) -> Process {
    Process { pid, terminal: TEST_TERMINAL, name: "test".to_owned(), ..Process::default() }
}

/// Number of the parent and start of a process, with as little work as possible.
pub(crate) fn link(pid: u32) -> Option<(u32, u64)> {
    let process = from_stat(&text(Path::new(&format!("/proc/{pid}/stat")))?)?;
    (process.pid == pid).then_some((process.parent, process.start))
}

/// One process; nothing if it is not there or cannot be looked at.
pub(crate) fn process(pid: u32) -> Option<Process> {
    let folder = PathBuf::from(format!("/proc/{pid}"));
    let stat = text(&folder.join("stat"))?;
    let mut process = from_stat(&stat).filter(|process| process.pid == pid)?;
    let status = text(&folder.join("status"))?;
    let users = users(&status)?;
    process.user = *users.first()?;
    process.is_root = users.iter().all(|user| *user == 0);
    process.words = words(&folder.join("cmdline"));
    process.executable = fs::read_link(folder.join("exe")).ok();
    process.is_system = match &process.executable {
        Some(path) => is_of_system(&folder.join("exe"), path),
        // What root runs cannot be seen by others, and others cannot have started it.
        None => process.is_root && rustix::process::geteuid().as_raw() != 0,
    };
    Some(process)
}

/// Every process that can be looked at.
pub(crate) fn all() -> Vec<Process> {
    let Ok(folder) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(process).collect()
}

/// Whether `/proc` is the real one and speaks of this process.
pub(crate) fn is_real() -> bool {
    #[cfg(target_os = "linux")]
    let kind = rustix::fs::statfs("/proc").is_ok_and(|found| found.f_type == rustix::fs::PROC_SUPER_MAGIC);
    #[cfg(not(target_os = "linux"))]
    let kind = false;
    let own = fs::read_link("/proc/self").ok();
    kind && own.is_some_and(|own| own.to_str() == Some(&std::process::id().to_string()))
}

/// The number of the running system: it changes when the machine starts.
pub(crate) fn boot() -> Option<String> {
    let text = text(Path::new("/proc/sys/kernel/random/boot_id"))?;
    let id: String = text.trim().chars().filter(char::is_ascii_alphanumeric).collect();
    (id.len() == 32).then_some(id)
}

/// Which processes and users this process sees; in other namespaces the same numbers mean others.
pub(crate) fn namespaces() -> Option<String> {
    let one =
        |kind: &str| fs::read_link(format!("/proc/self/ns/{kind}")).ok()?.into_os_string().into_string().ok();
    Some(format!("{} {}", one("pid")?, one("user")?))
}

/// Clock ticks since the machine started.
pub(crate) fn ticks() -> Option<u64> {
    let text = text(Path::new("/proc/uptime"))?;
    let (seconds, parts) = text.split(' ').next()?.split_once('.')?;
    let hundredths: u64 = parts.get(..2)?.parse().ok()?;
    let each = rustix::param::clock_ticks_per_second();
    Some(seconds.parse::<u64>().ok()?.checked_mul(each)? + hundredths * each / 100)
}

fn from_stat(text: &str) -> Option<Process> {
    // The name may hold anything, brackets and blanks included; what follows it does not.
    let (pid, rest) = text.split_once(" (")?;
    let (name, rest) = rest.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let number = |index: usize| fields.get(index)?.parse::<i64>().ok();
    Some(Process {
        pid: pid.parse().ok()?,
        parent: u32::try_from(number(1)?).ok()?,
        terminal: u32::try_from(number(4)?).ok()?,
        start: fields.get(19)?.parse().ok()?,
        name: name.to_owned(),
        ..Process::default()
    })
}

fn users(status: &str) -> Option<Vec<u32>> {
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    let users: Vec<u32> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    (users.len() == 4).then_some(users)
}

fn words(path: &Path) -> Vec<String> {
    let text = text(path).unwrap_or_default();
    text.split('\0').filter(|word| !word.is_empty()).take(WORDS).map(str::to_owned).collect()
}

fn text(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether only root can have put this file where it is.
fn is_of_system(link: &Path, path: &Path) -> bool {
    let roots = |found: &fs::Metadata| found.uid() == 0 && found.mode() & 0o022 == 0;
    let folders = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    path.is_absolute()
        && fs::metadata(link).is_ok_and(|found| found.is_file() && roots(&found))
        && folders.into_iter().all(|folder| fs::metadata(folder).is_ok_and(|found| roots(&found)))
}

/// The name of a user, from the list of users and never from the environment.
pub(crate) fn user_name(user: u32) -> String {
    let list = text_whole("/etc/passwd");
    let name = list.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(user)).then_some(name)
    });
    let plain = |name: &&str| !name.is_empty() && name.len() <= 64 && !name.chars().any(char::is_control);
    match name.filter(plain) {
        Some(name) => format!("{name} (uid {user})"),
        None => format!("uid {user}"),
    }
}

fn text_whole(path: &str) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The agent that runs a hook: its nearest ancestor that does not only pass it on. Nothing where that is a person's
/// terminal.
pub(crate) fn agent_above(hook: u32) -> Option<Process> {
    let mut next = process(hook)?.parent;
    for _ in 0..LONGEST {
        let process = process(next).filter(|process| process.pid > 1)?;
        if known::seat(&process).is_some() || known::is_supervisor(&process) {
            return None;
        }
        if super::test_login() == Some(process.pid) {
            return None;
        }
        if known::is_agent(&process) || !known::passes_on(&process) {
            return Some(process);
        }
        next = process.parent;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [A7]
    #[test]
    fn a_name_cannot_forge_the_other_fields() {
        let text = "77 (x) S 1 1 (y) S 42 77 77 34819 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 555 0 0";
        let found = from_stat(text).unwrap();
        assert_eq!((found.pid, found.parent, found.start), (77, 42, 555));
        assert_eq!((found.terminal_name(), &*found.name), ("/dev/pts/3".to_owned(), "x) S 1 1 (y"));
    }

    /// [A7]
    #[test]
    fn this_process_is_found_with_all_above_it() {
        assert!(is_real());
        let own = chain(std::process::id()).unwrap();
        assert_eq!(own.first().unwrap().pid, std::process::id());
        assert_eq!(own.last().unwrap().parent, 0);
        assert!(own.first().unwrap().start <= ticks().unwrap());
        assert_eq!(process(u32::MAX), None);
    }

    /// [A7]
    #[test]
    fn names_come_from_the_list_of_users() {
        assert_eq!(user_name(0), "root (uid 0)");
        assert_eq!(user_name(4_000_000_000), "uid 4000000000");
    }
}
