//! `portcullis hook AGENT`: the entry that an agent starts before every call (SPEC A3, J6).
//!
//! Nothing slow is on this path: no command-line parser, no runtime, no settings and no thread where the daemon is up.
//! Hosts take silence, crashes and odd exit codes for consent, so this program answers by its own deadline and says no
//! in the host's own form on any trouble. Until the call is handed over every wait has its limit; a thread keeps the
//! deadline where the call is judged in this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use portcullis_client::{self as client, Around, Handed, Missing, Reply, Unheard};
use portcullis_gate::{Gate, Options, Places};

use crate::agents::{self, Adapter};
use crate::hooked;
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
        return say(&Reply::refused(format!("portcullis hook: name one agent of {known}")));
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
    let end = began + RULES;
    let bytes = match client::read_input(MAX_CALL, end) {
        Ok(bytes) => bytes,
        Err(why) => return (adapter.deny)(&why),
    };
    let around = Around::of_process(adapter.name);
    let state = Places::from_environment(Path::new("/")).state;
    let handed = client::find(&state, end.saturating_duration_since(Instant::now()))
        .map(|stream| client::hand_over(stream, adapter.name, &bytes, &around));
    match handed {
        Ok(Handed::Answered(reply)) => reply,
        // FAIL-CLOSED(daemon): a daemon that is there and does not answer properly has not said yes.
        Ok(Handed::Broken(why)) | Err(Missing::Broken(why)) => (adapter.deny)(&why),
        Ok(Handed::Elsewhere) | Err(Missing::Nobody) => {
            watch(adapter, began);
            crate::person::note(&state, std::process::id());
            here(adapter, &bytes, &around)
        }
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
    match reply.print() {
        Ok(()) => ExitCode::from(reply.code),
        // FAIL-CLOSED(no-output): an answer that nobody could read is a no; code 2 says so to every host.
        Err(Unheard) => ExitCode::from(2),
    }
}
