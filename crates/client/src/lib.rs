//! The client of the Portcullis daemon, for a process that lives for one question.
//!
//! An agent starts a hook program before every tool call. This crate is all that the program needs to hand the event to a
//! running daemon over its Unix socket and to print the answer: nothing here takes time to start, and every wait has a limit.
//! It knows nothing of rules or settings. Where something goes wrong, the host gets a refusal.
//!
//! ```no_run
//! use portcullis_client::{HandOver, NoDaemon, ProcessContext, Reply, find, hand_over, read_input};
//! use std::path::Path;
//! use std::time::{Duration, Instant};
//!
//! let state = Path::new("/home/dev/.local/state/portcullis");
//! let event = read_input(1 << 20, Instant::now() + Duration::from_secs(5)).expect("an event of the host");
//! let reply = match find(state, Duration::from_millis(200)) {
//!     Ok(daemon) => match hand_over(daemon, "claude-code", &event, &ProcessContext::of_process("claude-code")) {
//!         HandOver::Answered(reply) => reply,
//!         HandOver::Elsewhere => Reply::refused("the daemon serves another environment"),
//!         HandOver::Broken(why) => Reply::refused(why),
//!     },
//!     Err(NoDaemon::NotRunning) => Reply::refused("no daemon runs"),
//!     Err(NoDaemon::Broken(why)) => Reply::refused(why),
//! };
//! reply.print().expect("the host reads the answer");
//! ```
//!
//! # How the parts fit
//!
//! [`read_input`] reads the host's event, [`find`] connects to the daemon, [`hand_over`] asks it, and [`Reply::print`] answers
//! the host. [`handle_signals`] turns signals that would end the process into a refusal, and a [`Note`] records a refusal that
//! the hook made on its own. [`exchange`] and [`health`] make other requests to the daemon.
//!
//! To judge calls in this process instead, use `portcullis-gate`.

mod input;
mod reply;
mod signals;
mod spool;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use serde_json::Value;

pub use input::read_input;
pub use reply::{HostGone, Reply};
pub use signals::{handle_signals, received_signal, survive_file_limit};
pub use spool::{Note, take_notes};

/// The version of this crate; hook and daemon must have the same.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The longest silence of a daemon that works; while it waits for somebody it says so.
const SILENCE: Duration = Duration::from_secs(5);
/// The longest that a person is waited for.
const PEOPLE: Duration = Duration::from_secs(545);
/// The most that a daemon answers.
const MOST: usize = 8 << 20;
/// The HTTP header of a hook that confirms each answer it receives.
pub const CONFIRMS: &str = "x-portcullis-confirms";
/// The byte that a hook sends back on the same connection when it holds the whole answer and is about to print it. An
/// unconfirmed answer counts as not delivered, so a hook that cannot confirm it must not print it.
pub const CONFIRMED: u8 = 6;

/// The result of handing an event to the daemon.
#[derive(Debug)]
pub enum HandOver {
    /// The daemon's answer.
    Answered(Reply),
    /// The daemon serves another environment, under which settings may differ.
    Elsewhere,
    /// The daemon does not answer properly; says why.
    Broken(String),
}

/// The path of the daemon's socket.
#[must_use]
pub fn socket(state: &Path) -> std::path::PathBuf {
    state.join("portcullis.sock")
}

/// What a hook process knows besides the event on its standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessContext {
    /// The host's project folder.
    pub project: Option<String>,
    /// The working directory of the process.
    pub cwd: Option<String>,
}

impl ProcessContext {
    /// The context of this process. Some agents name their project in an environment variable.
    #[must_use]
    pub fn of_process(agent: &str) -> ProcessContext {
        let variable = match agent {
            "claude-code" => Some("CLAUDE_PROJECT_DIR"),
            "cursor" => Some("CURSOR_PROJECT_DIR"),
            "gemini" => Some("GEMINI_PROJECT_DIR"),
            "qwen" => Some("QWEN_PROJECT_DIR"),
            _ => None,
        };
        let named = variable.and_then(|variable| std::env::var(variable).ok());
        ProcessContext {
            project: named.filter(|path| path.starts_with('/')),
            cwd: std::env::current_dir().ok().and_then(|path| path.into_os_string().into_string().ok()),
        }
    }
}

/// Why there is no connection to a daemon.
#[derive(Debug)]
pub enum NoDaemon {
    /// No daemon runs.
    NotRunning,
    /// A daemon runs, but cannot be used; says why.
    Broken(String),
}

/// Connects a hook to the daemon of this user, within `longest`.
///
/// # Errors
/// If none runs, or the one that runs cannot be relied on.
pub fn find(state: &Path, longest: Duration) -> Result<UnixStream, NoDaemon> {
    let stream = match connect_within(&socket(state), longest) {
        Ok(stream) => stream,
        // FAIL-CLOSED(daemon): one that is there and takes nobody in may be about to.
        Err(Errno::AGAIN) => {
            return Err(NoDaemon::Broken("the daemon takes no calls; restart it".to_owned()));
        }
        Err(_) => return Err(NoDaemon::NotRunning),
    };
    if is_own(&stream) {
        Ok(stream)
    } else {
        Err(NoDaemon::Broken("the daemon's socket belongs to another user; remove it".to_owned()))
    }
}

/// Hands the host's event to the daemon and waits for the answer.
#[must_use]
pub fn hand_over(mut stream: UnixStream, agent: &str, bytes: &[u8], around: &ProcessContext) -> HandOver {
    let place = |path: &Option<String>| path.as_deref().map(escaped).unwrap_or_default();
    let headers = [
        ("x-portcullis-environment", environment()),
        ("x-portcullis-project", place(&around.project)),
        ("x-portcullis-cwd", place(&around.cwd)),
        (CONFIRMS, "yes".to_owned()),
    ];
    let parent = rustix::process::getppid();
    // The installed command waits for this program; a host that gives up ends only that.
    let heard = || rustix::process::getppid() == parent;
    match ask(heard, &mut stream, "POST", &format!("/v1/hook/{agent}"), &headers, bytes, PEOPLE) {
        Ok((200, body)) => match reply(&body) {
            Some(reply) => confirmed(&mut stream, reply),
            None => HandOver::Broken("the daemon's answer is not understood; restart it".to_owned()),
        },
        // It serves another environment: other settings, another model.
        Ok((421, _)) => HandOver::Elsewhere,
        Ok((_, body)) => HandOver::Broken(problem(&body)),
        Err(why) => HandOver::Broken(format!("the daemon does not answer: {why}")),
    }
}

/// Tells the daemon that the answer has arrived. The daemon stops listening for this before it records an answer as
/// abandoned, so that exactly one of the two holds: the confirmation was sent, or the answer was abandoned.
fn confirmed(stream: &mut UnixStream, reply: Reply) -> HandOver {
    match stream.write_all(&[CONFIRMED]) {
        Ok(()) => HandOver::Answered(reply),
        // FAIL-CLOSED(unconfirmed): the log says that nobody was given this answer.
        Err(_) => HandOver::Broken(
            "the daemon's answer could not be confirmed; if this goes on, restart it".to_owned(),
        ),
    }
}

/// A connection, or nothing in time: a daemon that hangs may have a queue before it that is full.
fn connect_within(path: &Path, longest: Duration) -> Result<UnixStream, Errno> {
    let address = SocketAddrUnix::new(path)?;
    let socket =
        rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    set_socket_timeout(&socket, Timeout::Send, Some(longest.max(Duration::from_millis(1))))?;
    rustix::net::connect(&socket, &address)?;
    Ok(socket.into())
}

/// The daemon's report about itself; `None` if none runs.
#[must_use]
pub fn health(state: &Path, longest: Duration) -> Option<Result<Value, String>> {
    let stream = UnixStream::connect(socket(state)).ok()?;
    if !is_own(&stream) {
        return Some(Err("the daemon's socket belongs to another user; remove it".to_owned()));
    }
    let said = exchange(stream, "GET", "/v1/health", &[], b"", longest);
    Some(match said {
        Ok((200, body)) => {
            serde_json::from_slice(&body).map_err(|_| "its answer is not understood".to_owned())
        }
        Ok((_, body)) => Err(problem(&body)),
        Err(why) => Err(why),
    })
}

/// Sends one request and returns status and body of the response.
///
/// # Errors
/// If there is no whole answer in time.
pub fn exchange(
    mut stream: UnixStream,
    method: &str,
    path: &str,
    headers: &[(&str, String)],
    body: &[u8],
    longest: Duration,
) -> Result<(u16, Vec<u8>), String> {
    ask(|| true, &mut stream, method, path, headers, body, longest)
}

/// The same as long as somebody waits for the answer, and the connection stays open.
fn ask(
    wanted: impl Fn() -> bool,
    stream: &mut UnixStream,
    method: &str,
    path: &str,
    headers: &[(&str, String)],
    body: &[u8],
    longest: Duration,
) -> Result<(u16, Vec<u8>), String> {
    let told = |error: std::io::Error| {
        let silent = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        if silent { "it is silent".to_owned() } else { error.to_string() }
    };
    let silence = SILENCE.min(longest);
    stream.set_read_timeout(Some(silence)).map_err(told)?;
    stream.set_write_timeout(Some(silence)).map_err(told)?;
    // HTTP/1.0: the answer ends where the connection does, and a cut one is no JSON.
    let mut head =
        format!("{method} {path} HTTP/1.0\r\nhost: portcullis\r\nx-portcullis-version: {VERSION}\r\n");
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    let length = body.len();
    head.extend([format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n")]);
    let mut request = head.into_bytes();
    request.extend_from_slice(body);
    stream.write_all(&request).map_err(told)?;
    let began = Instant::now();
    let (mut answer, mut part) = (Vec::new(), [0; 16 << 10]);
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => answer.extend_from_slice(part.get(..read).unwrap_or_default()),
            // A process that was stopped and goes on.
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(told(error)),
        }
        if let Some(signal) = received_signal() {
            return Err(format!("the hook was ended by {signal}"));
        }
        // One that says how long it is need not be waited for further.
        if let Some(Parted { status, body, sized: true }) = parted(&answer) {
            return Ok((status, body.to_vec()));
        }
        if answer.len() > MOST || began.elapsed() > longest {
            return Err("it does not come to an end".to_owned());
        }
        if !wanted() {
            return Err("nobody waits for its answer any more".to_owned());
        }
    }
    let whole = parted(&answer).ok_or_else(|| "it broke off".to_owned())?;
    Ok((whole.status, whole.body.to_vec()))
}

/// An answer in its parts.
#[derive(PartialEq, Eq, Debug)]
struct Parted<'a> {
    status: u16,
    body: &'a [u8],
    /// Whether it said how long it is.
    sized: bool,
}

/// The parts of an answer; nothing where it is not as long as it says.
fn parted(answer: &[u8]) -> Option<Parted<'_>> {
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n")?;
    let head = std::str::from_utf8(answer.get(..end)?).ok()?;
    let status = head.lines().next()?.split(' ').nth(1)?.parse().ok()?;
    let body = answer.get(end + 4..)?;
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    let lengths = fields.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let mut fits = lengths.map(|(_, length)| length.trim().parse() == Ok(body.len())).peekable();
    let sized = fits.peek().is_some();
    // FAIL-CLOSED(cut-answer): a part of an answer may say the opposite of the whole.
    fits.all(|fit| fit).then_some(Parted { status, body, sized })
}

fn reply(body: &[u8]) -> Option<Reply> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
    let code = u8::try_from(value.get("code")?.as_u64()?).ok()?;
    Some(Reply { stdout: text("stdout")?, stderr: text("stderr")?, code })
}

/// The error message in the body of a response.
#[must_use]
pub fn problem(body: &[u8]) -> String {
    let value: Option<Value> = serde_json::from_slice(body).ok();
    let said = value.as_ref().and_then(|value| value.get("error")?.as_str());
    said.map_or_else(|| "the daemon refused without a reason; restart it".to_owned(), str::to_owned)
}

/// Connects to the daemon of this user.
///
/// # Errors
/// If none runs, or it is not the user's own.
pub fn connect(state: &Path) -> Result<UnixStream, String> {
    let stream = UnixStream::connect(socket(state)).map_err(|_| "no daemon is running".to_owned())?;
    if is_own(&stream) {
        Ok(stream)
    } else {
        Err("the daemon's socket belongs to another user; remove it".to_owned())
    }
}

/// Whether the process at the other end runs as the same user.
#[must_use]
pub fn is_own(stream: &UnixStream) -> bool {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    peer.is_ok_and(|peer| peer.uid == rustix::process::getuid())
}

/// A digest of the environment variables that settings and models depend on. A daemon with another digest would judge
/// by other settings.
#[must_use]
pub fn environment() -> String {
    const VALUES: &[&str] = &[
        "HOME",
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "SHELL",
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "PORTCULLIS_AUTO_MODE_MODEL",
        "PORTCULLIS_DUMP_AUTO_MODE",
        "HTTPS_PROXY",
        "https_proxy",
        "NO_PROXY",
        "no_proxy",
    ];
    // Nobody gains by making two environments look alike, and both ends are the same program: the hash of the
    // standard library will do, and takes less time to set up than one that withstands attacks.
    let mut hash = DefaultHasher::new();
    for name in VALUES {
        std::env::var_os(name).unwrap_or_default().hash(&mut hash);
    }
    // Which keys there are decides which model is configured; what they are is nobody's business.
    let mut keys: Vec<_> = std::env::vars_os().map(|(name, _)| name).collect();
    keys.retain(|name| name.as_encoded_bytes().ends_with(b"_API_KEY"));
    keys.sort();
    keys.hash(&mut hash);
    format!("{:016x}", hash.finish())
}

/// A byte in hexadecimal digits.
fn digits(byte: u8) -> [char; 2] {
    [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'))
}

/// A path as the value of a header.
fn escaped(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_') {
            text.push(char::from(byte));
        } else {
            text.push('%');
            text.extend(digits(byte));
        }
    }
    text
}

/// The path that a header's value stands for.
#[must_use]
pub fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = rest.get(2..)?;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_the_way_through_a_header() {
        for path in ["/home/dev/proj", "/tmp/a b/ü\n%20", ""] {
            assert_eq!(unescaped(&escaped(path)).as_deref(), Some(path));
        }
        assert_eq!(unescaped("%4"), None);
        assert_eq!(unescaped("%zz"), None);
        assert_eq!(unescaped("%ff"), None, "not text");
    }

    /// [A3]
    #[test]
    fn half_an_answer_is_none() {
        assert_eq!(parted(b"HTTP/1.0 200 OK\r\n"), None);
        let open = Parted { status: 200, body: b"{}", sized: false };
        assert_eq!(parted(b"HTTP/1.0 200 OK\r\n\r\n{}"), Some(open));
        assert_eq!(parted(b"garbage\r\n\r\n{}"), None);
        let sized = |length: &str| format!("HTTP/1.0 200 OK\r\nContent-Length: {length}\r\n\r\n{{}}");
        assert!(parted(sized("2").as_bytes()).is_some_and(|parted| parted.sized));
        for length in ["1", "3", "-2", "", "2\r\ncontent-length: 3"] {
            assert_eq!(parted(sized(length).as_bytes()), None, "{length}");
        }
        assert!(reply(br#"{"stdout":"","stderr":"","code":0"#).is_none());
        assert!(reply(br#"{"stdout":"","stderr":"","code":256}"#).is_none());
        assert!(reply(br#"{"stdout":"","stderr":"","code":2}"#).is_some());
    }
}
