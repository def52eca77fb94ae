//! `portcullis hook AGENT`: the entry that an agent starts before every call (SPEC A3, J6).
//!
//! Nothing slow is on this path: no command-line parser, no runtime, no settings and no thread where the daemon is up.
//! Hosts take silence, crashes and odd exit codes for consent, so this program answers by its own deadline and says no
//! in the host's own form on any trouble. Until the call is handed over every wait has its limit; a thread keeps the
//! deadline where the call is judged in this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use portcullis_classify::{redact, redact_json};
use portcullis_client::{self as client, HandOver, HostGone, NoDaemon, Note, ProcessContext, Reply};
use portcullis_gate::settings::Places;
use portcullis_gate::{Gate, Options};

use crate::agents::{self, Adapter};
use crate::strict_json::{self, MAX_CALL};
use crate::{daemon, host_event, spool};

/// How long rules may take.
const RULES: Duration = Duration::from_secs(5);

/// How often it is looked whether the process is to end.
const STEP: Duration = Duration::from_millis(20);

/// What the host said, for a note about a deny.
static CALL: OnceLock<Vec<u8>> = OnceLock::new();
/// Seconds since the start at which the answer is no.
static DEADLINE: AtomicU64 = AtomicU64::new(RULES.as_secs());
/// Whether an answer was begun: there is only one.
static ANSWERED: AtomicBool = AtomicBool::new(false);
/// Whether it is out: nothing that happens later may change it.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// Answers one event of a host. `arguments` are the words after `hook`.
pub(crate) fn run(arguments: &[std::ffi::OsString]) -> ExitCode {
    let named = match arguments {
        [name] => name.to_str().and_then(agents::named),
        _ => None,
    };
    let Some(adapter) = named else {
        // FAIL-CLOSED(unknown-agent): whoever started this waits for an answer; exit code 2 is a no for all of them.
        let known = agents::names().join(", ");
        return say(&Reply::refused(format!("portcullis hook: name one agent of {known}"))).0;
    };
    // What a panic says would only disturb the host's screen; the answer tells it.
    std::panic::set_hook(Box::new(|_| {}));
    // Without handlers a signal ends the hook as before; there is nobody to tell.
    drop(client::handle_signals());
    let began = Instant::now();
    // FAIL-CLOSED(panic): a hook that breaks off says no.
    let said = catch_unwind(AssertUnwindSafe(|| answer(adapter, began))).unwrap_or_else(|_| {
        Said::own(adapter, "portcullis broke off because of a mistake of its own; please report it")
    });
    let (code, printed) = say(&said.reply);
    if let Some(why) = said.own.or_else(|| (!printed).then(|| "the answer could not be printed".to_owned())) {
        leave_note(adapter, &why);
    }
    if let Some(gate) = said.gate {
        // The answer is out; what earlier hooks could not write down is written now.
        spool::take_over(&gate);
    }
    code
}

/// What the host is told, and why, where that is a deny of this program's own.
struct Said {
    reply: Reply,
    own: Option<String>,
    /// The gate that judged, where it was this process.
    gate: Option<Gate>,
}

impl Said {
    fn own(adapter: &Adapter, why: &str) -> Said {
        Said { reply: (adapter.deny)(why), own: Some(why.to_owned()), gate: None }
    }
}

fn answer(adapter: &'static Adapter, began: Instant) -> Said {
    let end = began + RULES;
    let bytes = match client::read_input(MAX_CALL, end) {
        Ok(bytes) => CALL.get_or_init(|| bytes),
        Err(why) => return Said::own(adapter, &why),
    };
    let around = ProcessContext::of_process(adapter.name);
    let state = Places::from_environment(Path::new("/")).state;
    let handed = client::find(&state, end.saturating_duration_since(Instant::now()))
        .map(|stream| client::hand_over(stream, adapter.name, bytes, &around));
    match handed {
        Ok(HandOver::Answered(reply)) => Said { reply, own: None, gate: None },
        // FAIL-CLOSED(daemon): a daemon that is there and does not answer properly has not said yes.
        Ok(HandOver::Broken(why)) | Err(NoDaemon::Broken(why)) => Said::own(adapter, &why),
        Ok(HandOver::Elsewhere) | Err(NoDaemon::NotRunning) => {
            watch(adapter, began);
            crate::person::note(&state, std::process::id());
            here(adapter, bytes, &around)
        }
    }
}

/// Judges in this process.
fn here(adapter: &'static Adapter, bytes: &[u8], around: &ProcessContext) -> Said {
    let options = Options { waiting: wait_until, vouched: daemon::vouches, ..Options::of_process() };
    let gate = match Gate::open(options) {
        Ok(gate) => gate,
        // FAIL-CLOSED(audit-unavailable): what cannot be written down is not allowed.
        Err(error) => return Said::own(adapter, &format!("decisions cannot be written down: {error}")),
    };
    let answered = host_event::answer_blocking(&gate, adapter, bytes, around);
    let own = answered.unrecorded.then(|| "the decision could not be written down".to_owned());
    Said { reply: answered.reply, own, gate: Some(gate) }
}

/// Somebody has to be waited for this long.
fn wait_until(longer: Duration) {
    DEADLINE.fetch_max(longer.as_secs().saturating_add(RULES.as_secs()), Ordering::Relaxed);
}

/// Says no when the time is over or the process is to end, whatever the rest of the program is doing.
fn watch(adapter: &'static Adapter, began: Instant) {
    let watched = std::thread::Builder::new().name("deadline".to_owned()).spawn(move || {
        let why = loop {
            if PRINTED.load(Ordering::SeqCst) {
                return;
            }
            if let Some(signal) = client::received_signal() {
                break format!("portcullis was ended by {signal} before it came to an answer");
            }
            let end = Duration::from_secs(DEADLINE.load(Ordering::Relaxed));
            match end.checked_sub(began.elapsed()) {
                Some(left) if !left.is_zero() => std::thread::sleep(left.min(STEP)),
                // FAIL-CLOSED(deadline): an answer that comes too late is none.
                _ => break "portcullis did not come to an answer in time".to_owned(),
            }
        };
        let reply = (adapter.deny)(&why);
        say(&reply);
        leave_note(adapter, &why);
        std::process::exit(i32::from(reply.code));
    });
    // Without the thread the host's own limit holds; `doctor` shows what the host makes of it.
    drop(watched);
}

/// Leaves a note of a deny that no entry of the log tells.
fn leave_note(adapter: &Adapter, why: &str) {
    let call = CALL.get().and_then(|bytes| strict_json::parse(bytes).ok());
    let call = call.map(|call| redact_json(&call)).unwrap_or_default();
    let state = Places::from_environment(Path::new("/")).state;
    // The answer is given; a note that cannot be left is lost.
    drop(Note::now(adapter.name, &redact(why), call).leave(&state));
}

/// Prints the one answer; says whether anybody could read it.
fn say(reply: &Reply) -> (ExitCode, bool) {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        // The other one is being printed; the process ends with it.
        std::thread::sleep(RULES);
        return (ExitCode::from(2), true);
    }
    let printed = reply.print();
    PRINTED.store(true, Ordering::SeqCst);
    match printed {
        Ok(()) => (ExitCode::from(reply.code), true),
        // FAIL-CLOSED(no-output): an answer that nobody could read is a no; code 2 says so to every host.
        Err(HostGone) => (ExitCode::from(2), false),
    }
}
