//! `portcullis hook AGENT`: the entry that an agent starts before every call (SPEC A3, J6).
//!
//! Nothing slow is on this path: no command-line parser, no runtime, no settings and no thread where the daemon is up.
//! Hosts take silence, crashes and odd exit codes for consent, so this program answers by its own deadline and says no
//! in the host's own form on any trouble. Until the call is handed over every wait has its limit; a thread keeps the
//! deadline where the call is judged in this process.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use portcullis_gate::{Gate, Options, Places};
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::agents::{self, Adapter, Around, Reply};
use crate::hooked;
use crate::serve::client::{self, Handed};
use crate::strict_json::MAX_CALL;

/// How long rules may take.
const RULES: Duration = Duration::from_secs(5);

/// Seconds since the start at which the answer is no.
static DEADLINE: AtomicU64 = AtomicU64::new(RULES.as_secs());
/// Whether an answer was begun: there is only one.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Answers one event of a host. `arguments` are the words after `hook`.
pub(crate) fn run(arguments: &[std::ffi::OsString]) -> ExitCode {
    let named = match arguments {
        [name] => name.to_str().and_then(agents::named),
        _ => None,
    };
    let Some(adapter) = named else {
        // FAIL-CLOSED(unknown-agent): whoever started this waits for an answer; exit code 2 is a no for all of them.
        let known = agents::names().join(", ");
        return say(&Reply {
            stdout: String::new(),
            stderr: format!("portcullis hook: name one agent of {known}"),
            code: 2,
        });
    };
    // What a panic says would only disturb the host's screen; the answer tells it.
    std::panic::set_hook(Box::new(|_| {}));
    let began = Instant::now();
    // FAIL-CLOSED(panic): a hook that breaks off says no.
    let reply = catch_unwind(AssertUnwindSafe(|| answer(adapter, began))).unwrap_or_else(|_| {
        (adapter.deny)("portcullis broke off because of a mistake of its own; please report it")
    });
    say(&reply)
}

fn answer(adapter: &'static Adapter, began: Instant) -> Reply {
    let bytes = match told(began) {
        Ok(bytes) => bytes,
        Err(why) => return (adapter.deny)(&why),
    };
    let around = Around {
        project: adapter
            .project
            .and_then(|variable| std::env::var(variable).ok())
            .filter(|path| path.starts_with('/')),
        cwd: std::env::current_dir().ok().and_then(|path| path.into_os_string().into_string().ok()),
    };
    let places = Places::from_environment(Path::new("/"));
    match client::hand_over(&places.state, adapter.name, &bytes, &around, left(began)) {
        Handed::Answered(reply) => reply,
        // FAIL-CLOSED(daemon): a daemon that is there and does not answer properly has not said yes.
        Handed::Broken(why) => (adapter.deny)(&why),
        Handed::Nobody => {
            watch(adapter, began);
            here(adapter, &bytes, &around)
        }
    }
}

/// How much of the time for rules is left.
fn left(began: Instant) -> Duration {
    RULES.saturating_sub(began.elapsed())
}

/// Judges in this process.
fn here(adapter: &'static Adapter, bytes: &[u8], around: &Around) -> Reply {
    let options = Options { waiting: wait_until, ..Options::of_process() };
    let gate = match Gate::open(options) {
        Ok(gate) => gate,
        // FAIL-CLOSED(audit-unavailable): what cannot be written down is not allowed.
        Err(error) => return (adapter.deny)(&format!("decisions cannot be written down: {error}")),
    };
    hooked::answer_blocking(&gate, adapter, bytes, around)
}

/// What the host says on standard input.
fn told(began: Instant) -> Result<Vec<u8>, String> {
    let told = |error: std::io::Error| format!("cannot read what was sent: {error}");
    // A part is larger than what the standard library keeps back, so nothing is kept back that waiting would miss.
    let (mut bytes, mut part) = (Vec::new(), [0; 16 << 10]);
    let mut input = std::io::stdin().lock();
    loop {
        arrived(&input, left(began)).map_err(told)?;
        match input.read(&mut part).map_err(told)? {
            0 => return Ok(bytes),
            read => bytes.extend_from_slice(part.get(..read).unwrap_or_default()),
        }
        if bytes.len() > MAX_CALL {
            return Err(format!("what was sent is larger than {MAX_CALL} bytes"));
        }
    }
}

/// Waits until there is something to read, or the end.
fn arrived(input: &impl AsFd, longest: Duration) -> std::io::Result<()> {
    let mut looked = [PollFd::new(input, PollFlags::IN)];
    let limit = Timespec::try_from(longest).map_err(std::io::Error::other)?;
    match rustix::event::poll(&mut looked, Some(&limit))? {
        // FAIL-CLOSED(deadline): half a call is none.
        0 => Err(std::io::Error::new(ErrorKind::TimedOut, "it does not come to an end")),
        _ => Ok(()),
    }
}

/// Somebody has to be waited for this long.
fn wait_until(longer: Duration) {
    DEADLINE.fetch_max(longer.as_secs().saturating_add(RULES.as_secs()), Ordering::Relaxed);
}

/// Says no when the time is over, whatever the rest of the program is doing.
fn watch(adapter: &'static Adapter, began: Instant) {
    let watched = std::thread::Builder::new().name("deadline".to_owned()).spawn(move || {
        loop {
            let end = Duration::from_secs(DEADLINE.load(Ordering::Relaxed));
            match end.checked_sub(began.elapsed()) {
                Some(left) if !left.is_zero() => std::thread::sleep(left.min(RULES)),
                _ => break,
            }
        }
        // FAIL-CLOSED(deadline): an answer that comes too late is none.
        let reply = (adapter.deny)("portcullis did not come to an answer in time");
        say(&reply);
        std::process::exit(i32::from(reply.code));
    });
    // Without the thread the host's own limit holds; `doctor` shows what the host makes of it.
    drop(watched);
}

/// Prints the one answer.
fn say(reply: &Reply) -> ExitCode {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        // The other one is being printed; the process ends with it.
        std::thread::sleep(RULES);
        return ExitCode::from(2);
    }
    if !reply.stderr.is_empty() {
        let mut stream = std::io::stderr().lock();
        drop(writeln!(stream, "{}", reply.stderr).and_then(|()| stream.flush()));
    }
    let mut stream = std::io::stdout().lock();
    let written = if reply.stdout.is_empty() {
        Ok(())
    } else {
        writeln!(stream, "{}", reply.stdout).and_then(|()| stream.flush())
    };
    match written {
        Ok(()) => ExitCode::from(reply.code),
        // FAIL-CLOSED(no-output): an answer that nobody could read is a no; code 2 says so to every host.
        Err(_) => ExitCode::from(2),
    }
}
