//! `portcullis-hook hook AGENT`: what agents start before every call. It asks the daemon, and where none runs it becomes
//! `portcullis`, which lies beside it.
//!
//! The whole program holds a shell reader, a database and a client for models; loading it takes longer than asking the
//! daemon does. Whatever goes wrong here ends with exit code 2, which every host takes for a no.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use portcullis_client::{Around, Handed, Missing, Reply, find, hand_over, read_input};
use portcullis_gate::Places;
use portcullis_gate::strict_json::MAX_CALL;

/// How long the call may take to arrive and to be taken.
const RULES: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    // What a panic says would only disturb the host's screen; the answer tells it.
    std::panic::set_hook(Box::new(|_| {}));
    // FAIL-CLOSED(panic): a hook that breaks off says no.
    let reply = catch_unwind(answer).unwrap_or_else(|_| {
        Reply::refused("portcullis broke off because of a mistake of its own; please report it")
    });
    // FAIL-CLOSED(no-output): an answer that nobody could read is a no.
    let code = if reply.print().is_ok() { reply.code } else { 2 };
    ExitCode::from(code)
}

fn answer() -> Reply {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let agent = match words.as_slice() {
        [verb, agent] if verb == "hook" => agent.to_str().filter(|agent| is_name(agent)),
        _ => None,
    };
    // FAIL-CLOSED(unknown-agent): this is for hooks and nothing else, so that no other door of the gate leads through it.
    let Some(agent) = agent else {
        return Reply::refused(
            "portcullis-hook: say `hook` and the name of an agent; for all else there is portcullis",
        );
    };
    let end = Instant::now() + RULES;
    let state = Places::from_environment(Path::new("/")).state;
    let stream = match find(&state, RULES) {
        Ok(stream) => stream,
        Err(Missing::Nobody) => return become_portcullis(&words),
        // FAIL-CLOSED(daemon): a daemon that is there and does not take the call has not said yes.
        Err(Missing::Broken(why)) => return Reply::refused(why),
    };
    let bytes = match read_input(MAX_CALL, end) {
        Ok(bytes) => bytes,
        Err(why) => return Reply::refused(why),
    };
    match hand_over(stream, agent, &bytes, &Around::of_process(agent)) {
        Handed::Answered(reply) => reply,
        Handed::Broken(why) => Reply::refused(why),
        Handed::Elsewhere => ask_portcullis(&words, &bytes),
    }
}

/// Whether it can be an agent's name: it becomes part of a request.
fn is_name(word: &str) -> bool {
    !word.starts_with('-') && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The whole program, which lies beside this one.
fn portcullis() -> Result<PathBuf, Reply> {
    let own = std::env::current_exe().and_then(|path| path.canonicalize());
    own.map(|own| own.with_file_name("portcullis"))
        .map_err(|error| Reply::refused(format!("cannot tell where portcullis lies: {error}")))
}

/// Goes on as the whole program, which reads standard input itself; comes back only if that is not possible.
fn become_portcullis(words: &[OsString]) -> Reply {
    let program = match portcullis() {
        Ok(program) => program,
        Err(reply) => return reply,
    };
    let error = Command::new(&program).args(words).exec();
    // FAIL-CLOSED(no-program): without it nobody judges.
    Reply::refused(format!("cannot start `{}`: {error}; install portcullis again", program.display()))
}

/// Lets the whole program judge what was read already.
fn ask_portcullis(words: &[OsString], bytes: &[u8]) -> Reply {
    let asked = portcullis().and_then(|program| {
        let failed =
            |error: std::io::Error| Reply::refused(format!("cannot start `{}`: {error}", program.display()));
        let mut child = Command::new(&program).args(words).stdin(Stdio::piped()).spawn().map_err(failed)?;
        // One that does not read to the end answers by itself.
        if let Some(mut input) = child.stdin.take() {
            drop(input.write_all(bytes));
        }
        let ended = child.wait().map_err(failed)?;
        // FAIL-CLOSED(panic): one that was killed, or never came to judge, has said nothing, and hosts would run the
        // call. Only the plain form says more than yes and no by its code.
        let code = match ended.code() {
            Some(0) => 0,
            Some(3) if words.last().is_some_and(|agent| agent == "generic") => 3,
            Some(_) | None => 2,
        };
        Ok(Reply { code, ..Reply::silent() })
    });
    asked.unwrap_or_else(|refused| refused)
}
