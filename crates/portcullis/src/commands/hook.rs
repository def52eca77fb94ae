//! `portcullis hook AGENT`: the entry that an agent starts before every call (SPEC A3, J6).
//!
//! Nothing slow is on this path: no command-line parser, no runtime, no settings where the daemon is up. Hosts take
//! silence, crashes and odd exit codes for consent, so this program answers by its own deadline and says no in the
//! host's own form on any trouble.

use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use portcullis_gate::{Gate, Options, Places};

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
    watch(adapter);
    // FAIL-CLOSED(panic): a hook that breaks off says no.
    let reply = catch_unwind(AssertUnwindSafe(|| answer(adapter))).unwrap_or_else(|_| {
        (adapter.deny)("portcullis broke off because of a mistake of its own; please report it")
    });
    say(&reply)
}

fn answer(adapter: &'static Adapter) -> Reply {
    let bytes = match told() {
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
    match client::hand_over(&places.state, adapter.name, &bytes, &around, &wait_until) {
        Handed::Answered(reply) => reply,
        // FAIL-CLOSED(daemon): a daemon that is there and does not answer properly has not said yes.
        Handed::Broken(why) => (adapter.deny)(&why),
        Handed::Nobody => here(adapter, &bytes, &around),
    }
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
fn told() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    // One more than may be, to see that it is too much.
    let most = u64::try_from(MAX_CALL).unwrap_or(u64::MAX).saturating_add(1);
    let read = std::io::stdin().lock().take(most).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot read what was sent: {error}"))?;
    if bytes.len() > MAX_CALL {
        return Err(format!("what was sent is larger than {MAX_CALL} bytes"));
    }
    Ok(bytes)
}

/// Somebody has to be waited for this long.
fn wait_until(longer: Duration) {
    DEADLINE.fetch_max(longer.as_secs().saturating_add(RULES.as_secs()), Ordering::Relaxed);
}

/// Says no when the time is over, whatever the rest of the program is doing.
fn watch(adapter: &'static Adapter) {
    let began = Instant::now();
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
