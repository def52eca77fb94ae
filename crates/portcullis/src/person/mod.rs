//! Who is a person, and which commands need one (SPEC A7, W1).
//!
//! `facts.rs` reads what the kernel says about processes, `seen.rs` keeps the agents that asked, `chain.rs` decides from
//! both, `table.rs` lists the commands.

mod chain;
mod facts;
mod known;
mod process;
mod seen;
mod table;

use std::io::IsTerminal;
use std::path::Path;
use std::sync::OnceLock;

use clap::ArgMatches;
use portcullis_gate::admin::{Action, record_action};
use portcullis_gate::calendar_ms;
use portcullis_gate::settings::Places;
use serde_json::Value;

pub(crate) use facts::ticks;
pub(crate) use seen::note;

/// Somebody at a terminal, as the kernel names them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Person {
    /// Their name.
    pub(crate) who: String,
    /// Where they sit.
    pub(crate) place: String,
}

/// Variables that agents set for the commands they run. They only ever refuse: whoever wants to can unset them.
const AGENTS: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "QWEN_CODE",
    "OPENCODE",
    "COPILOT_AGENT",
    "CURSOR_AGENT",
    "GOOSE_TERMINAL",
    "AGENT",
];

/// Whether the processes above another one can be looked at here.
const HAS_PROCESSES: bool = cfg!(target_os = "linux");

/// The person who runs this program; the error says why nobody is taken to. Looked up once.
pub(crate) fn present() -> Result<Person, String> {
    static FOUND: OnceLock<Result<Person, String>> = OnceLock::new();
    FOUND
        .get_or_init(|| look().map_err(|why| format!("this works only for a person at a terminal: {why}")))
        .clone()
}

fn look() -> Result<Person, String> {
    if let Some(agent) = AGENTS.iter().find(|name| std::env::var_os(name).is_some()) {
        return Err(format!("`{agent}` says that an agent runs it"));
    }
    if !has_terminal() {
        return Err("there is none; run it in a terminal of your own".to_owned());
    }
    if !HAS_PROCESSES {
        return Ok(Person { who: who(), place: place() });
    }
    of_process(std::process::id(), &Places::from_environment(Path::new("/")).state)
}

/// Records what the person who runs this program is about to do: before it takes effect, so that nothing is changed
/// without a trace. `did` goes on after their name.
pub(crate) fn record(state: &Path, kind: &str, did: &str, input: Value) -> Result<(), String> {
    let alone =
        |why| if SET_UP.get() == Some(&true) { Ok(Person { who: who(), place: place() }) } else { Err(why) };
    let Person { who, place } = present().or_else(alone)?;
    let message = format!("{who} at {place} {did}");
    let action = Action { kind, who: &who, place: &place, message, input };
    record_action(state, &action, calendar_ms())
        .map(|_| ())
        .map_err(|error| format!("it cannot be recorded, so nothing was changed: {error}"))
}

/// Whether `install --yes` was taken without a person.
static SET_UP: OnceLock<bool> = OnceLock::new();

/// Looks whether somebody may run this command; the error says why not.
pub(crate) fn required(name: &str, given: &ArgMatches) -> Result<(), String> {
    if !table::is_required(name, given) {
        return Ok(());
    }
    let Err(why) = present() else { return Ok(()) };
    let first = table::is_first_install(name, given) && is_untouched();
    if *SET_UP.get_or_init(|| first) { Ok(()) } else { Err(why) }
}

/// Whether the gate was never set up here and no agent runs this: then putting it in can only tighten.
fn is_untouched() -> bool {
    let state = Places::from_environment(Path::new("/")).state;
    // The folder of the environment and the usual one: an agent could name another.
    let usual = std::env::home_dir().map(|home| home.join(".local/state/portcullis"));
    let missing = |path: &Path| path.symlink_metadata().is_err();
    let no_agent = facts::chain(std::process::id()).is_ok_and(|chain| !chain.iter().any(known::is_agent));
    HAS_PROCESSES
        && AGENTS.iter().all(|name| std::env::var_os(name).is_none())
        && missing(&state)
        && usual.is_some_and(|usual| missing(&usual))
        && no_agent
}

/// Whether this program talks to the terminal of its own session.
fn has_terminal() -> bool {
    if test_without_terminal() {
        return true;
    }
    let input = std::io::stdin();
    let session = rustix::termios::tcgetsid(&input).ok();
    input.is_terminal()
        && std::io::stderr().is_terminal()
        && session.is_some()
        && session == rustix::process::getsid(None).ok()
        && std::fs::File::open("/dev/tty").is_ok()
}

/// The person who runs a process; the error says why nobody is taken to.
pub(crate) fn of_process(pid: u32, state: &Path) -> Result<Person, String> {
    // FAIL-CLOSED(no-chain): where processes cannot be looked at, nobody is known to be a person.
    if !HAS_PROCESSES || !facts::is_real() {
        return Err("the processes of this machine cannot be looked at".to_owned());
    }
    let chain = facts::chain(pid)?;
    let agents = seen::agents(state)?;
    if let Some(why) = chain::refusal(&chain, &agents) {
        return Err(why);
    }
    let Some(asking) = chain.first() else { return Err("nothing is known about the process".to_owned()) };
    if asking.user != rustix::process::getuid().as_raw() {
        return Err("another user runs it".to_owned());
    }
    let place = format!("{}, process {pid} ({})", asking.terminal_name(), asking.program());
    Ok(Person { who: facts::user_name(asking.user), place })
}

/// The person at the other end of a connection that was taken at the given time, in ticks.
pub(crate) fn of_peer(pid: Option<u32>, taken: Option<u64>, state: &Path) -> Result<Person, String> {
    if !HAS_PROCESSES {
        return Ok(Person { who: who(), place: "a process that was not looked at".to_owned() });
    }
    let (Some(pid), Some(taken)) = (pid, taken) else { return Err("it is not known who asks".to_owned()) };
    let process = facts::process(pid).ok_or("whoever asked has ended")?;
    // A process that began later only got the number of the one that connected.
    if process.start > taken {
        return Err("whoever asked has ended".to_owned());
    }
    let person = of_process(pid, state)?;
    let still = facts::process(pid).is_some_and(|now| now.start == process.start);
    if still { Ok(person) } else { Err("whoever asked has ended".to_owned()) }
}

/// The user who runs this program, as the kernel and the list of users name them.
pub(crate) fn who() -> String {
    facts::user_name(rustix::process::getuid().as_raw())
}

/// Their terminal; empty where there is none.
pub(crate) fn place() -> String {
    facts::process(std::process::id()).map(|process| process.terminal_name()).unwrap_or_default()
}

/// The process that tests put in the place of a login, and whether they do without a terminal. Programs that people
/// use are built without debug assertions, and for those there is no such process.
#[cfg(debug_assertions)]
fn test_setting() -> Option<(u32, bool)> {
    let text = std::env::var("PORTCULLIS_TEST_LOGIN").ok()?;
    let (pid, rest) = text.split_once(':').unwrap_or((&text, ""));
    Some((pid.parse().ok()?, rest == "no-terminal"))
}

#[cfg(not(debug_assertions))]
const fn test_setting() -> Option<(u32, bool)> {
    None
}

fn test_login() -> Option<u32> {
    test_setting().map(|(pid, _)| pid)
}

fn test_without_terminal() -> bool {
    test_setting().is_some_and(|(_, without)| without)
}
