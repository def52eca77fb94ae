//! `portcullis-hook hook AGENT`: what agents start before every call. It asks the daemon, and where none runs it becomes
//! `portcullis`, which lies beside it.
//!
//! The whole program holds a shell reader, a database and a client for models; loading it takes longer than asking the
//! daemon does. Whatever goes wrong here ends with exit code 2, which every host takes for a no.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use portcullis_classify::{redact, redact_json};
use portcullis_client::{
    HandOver, NoDaemon, Note, ProcessContext, Reply, find, hand_over, handle_signals, read_input,
};
use portcullis_gate::settings::Places;
use portcullis_gate::strict_json::{MAX_CALL, parse};

/// How long the call may take to arrive and to be taken.
const RULES: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    // What a panic says would only disturb the host's screen; the answer tells it.
    std::panic::set_hook(Box::new(|_| {}));
    // Without handlers a signal ends the hook as before; there is nobody to tell.
    drop(handle_signals());
    let mut call = Vec::new();
    // FAIL-CLOSED(panic): a hook that breaks off says no.
    let said = catch_unwind(AssertUnwindSafe(|| answer(&mut call))).unwrap_or_else(|_| {
        Said::own("portcullis broke off because of a mistake of its own; please report it")
    });
    // FAIL-CLOSED(no-output): an answer that nobody could read is a no.
    let printed = said.reply.print().is_ok();
    let own = said.own.or_else(|| (!printed).then(|| "the answer could not be printed".to_owned()));
    if let Some(why) = own {
        leave_note(&why, &call);
    }
    ExitCode::from(if printed { said.reply.code } else { 2 })
}

/// What the host is told, and why, where that is a deny of this program's own.
struct Said {
    reply: Reply,
    own: Option<String>,
}

impl Said {
    fn own(why: impl Into<String>) -> Said {
        let why = why.into();
        Said { reply: Reply::refused(why.clone()), own: Some(why) }
    }
}

impl From<Reply> for Said {
    fn from(reply: Reply) -> Said {
        Said { reply, own: None }
    }
}

fn answer(call: &mut Vec<u8>) -> Said {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    // FAIL-CLOSED(unknown-agent): this is for hooks and nothing else, so that no other door of the gate leads through it.
    let Some(agent) = agent(&words) else {
        return Said::own(
            "portcullis-hook: say `hook` and the name of an agent; for all else there is portcullis",
        );
    };
    let end = Instant::now() + RULES;
    let state = Places::from_environment(Path::new("/")).state;
    let stream = match find(&state, RULES) {
        Ok(stream) => stream,
        Err(NoDaemon::NotRunning) => return become_portcullis(&words),
        // FAIL-CLOSED(daemon): a daemon that is there and does not take the call has not said yes.
        Err(NoDaemon::Broken(why)) => return Said::own(why),
    };
    match read_input(MAX_CALL, end) {
        Ok(bytes) => *call = bytes,
        Err(why) => return Said::own(why),
    }
    match hand_over(stream, agent, call, &ProcessContext::of_process(agent)) {
        HandOver::Answered(reply) => reply.into(),
        HandOver::Broken(why) => Said::own(why),
        HandOver::Elsewhere => ask_portcullis(&words, call),
    }
}

/// The agent that the words name.
fn agent(words: &[OsString]) -> Option<&str> {
    match words {
        [verb, agent] if verb == "hook" => agent.to_str().filter(|agent| is_name(agent)),
        _ => None,
    }
}

/// Leaves a note of a deny for the log, which this program cannot write.
fn leave_note(why: &str, call: &[u8]) {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let call = parse(call).map(|call| redact_json(&call)).unwrap_or_default();
    let state = Places::from_environment(Path::new("/")).state;
    // The answer is given; a note that cannot be left is lost.
    drop(Note::now(agent(&words).unwrap_or("unknown"), &redact(why), call).leave(&state));
}

/// Whether it can be an agent's name: it becomes part of a request.
fn is_name(word: &str) -> bool {
    !word.starts_with('-') && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The whole program, which lies beside this one.
fn portcullis() -> Result<PathBuf, String> {
    let own = std::env::current_exe().and_then(|path| path.canonicalize());
    own.map(|own| own.with_file_name("portcullis"))
        .map_err(|error| format!("cannot tell where portcullis lies: {error}"))
}

/// Goes on as the whole program, which reads standard input itself; comes back only if that is not possible.
fn become_portcullis(words: &[OsString]) -> Said {
    let program = match portcullis() {
        Ok(program) => program,
        Err(why) => return Said::own(why),
    };
    let error = Command::new(&program).args(words).exec();
    // FAIL-CLOSED(no-program): without it nobody judges.
    Said::own(format!("cannot start `{}`: {error}; install portcullis again", program.display()))
}

/// Lets the whole program judge what was read already.
fn ask_portcullis(words: &[OsString], bytes: &[u8]) -> Said {
    let asked = portcullis().and_then(|program| {
        let failed = |error: std::io::Error| format!("cannot start `{}`: {error}", program.display());
        let mut child = Command::new(&program).args(words).stdin(Stdio::piped()).spawn().map_err(failed)?;
        // One that does not read to the end answers by itself.
        if let Some(mut input) = child.stdin.take() {
            drop(input.write_all(bytes));
        }
        child.wait().map_err(failed)
    });
    let ended = match asked {
        Ok(ended) => ended,
        Err(why) => return Said::own(why),
    };
    // FAIL-CLOSED(panic): one that was killed, or never came to judge, has said nothing, and hosts would run the
    // call. Only the plain form says more than yes and no by its code.
    let code = match ended.code() {
        Some(0) => 0,
        Some(3) if words.last().is_some_and(|agent| agent == "generic") => 3,
        Some(_) | None => 2,
    };
    let own = ended.code().is_none().then(|| format!("portcullis did not come to an answer: {ended}"));
    Said { reply: Reply { code, ..Reply::silent() }, own }
}
