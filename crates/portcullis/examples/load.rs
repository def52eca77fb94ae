//! How many decisions the daemon makes in a second, through its socket and with every record on the disk.
//!
//! `cargo build --release -p portcullis && cargo run --release -p portcullis --example load -- [SESSIONS] [SECONDS]`.
//! Each session has one connection and asks again as soon as it was answered. Afterwards every answer is compared with
//! its record: none may be lost, and none may belong to another call. Clients and daemon share the machine, so the time
//! that each of them used is shown too. `PORTCULLIS_PROGRAM` names another program.
#![expect(clippy::print_stdout, reason = "printing figures is what this program is for")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a measurement that cannot be made must stop"
)]

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use portcullis_gate::store::{Filter, Store, Verified};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

/// What one session asked: the number of the record, what was asked, and how long it took.
type Asked = (u64, String, Duration);

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let sessions = numbers.next().unwrap_or(200);
    let seconds = Duration::from_secs(numbers.next().unwrap_or(60));
    let folder = tempfile::tempdir().unwrap();
    let mut daemon = start(folder.path());
    let state = folder.path().join("state/portcullis");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (began, own) = (Instant::now(), cpu("self"));
    let asked = runtime.block_on(ask_all(&state, folder.path(), sessions, began + seconds));
    let took = began.elapsed();
    let busy = cpu(&daemon.id().to_string());
    let memory = memory(daemon.id());
    println!("{sessions} sessions, {:.0} s", took.as_secs_f64());
    speed(&asked, took);
    let each = |spent: Duration| 1e6 * spent.as_secs_f64() / f64::from(u32::try_from(asked.len()).unwrap());
    println!(
        "processor time for a decision: {:.0} µs daemon, {:.0} µs clients",
        each(busy),
        each(cpu("self").saturating_sub(own))
    );
    println!("memory of the daemon: {memory} MiB at most");
    Command::new("kill").arg(daemon.id().to_string()).status().unwrap();
    daemon.wait().unwrap();
    compare(&state, &asked);
}

/// The daemon in a place of its own, once it listens.
fn start(folder: &Path) -> Child {
    let config = folder.join("config/portcullis");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::create_dir_all(folder.join("proj/.git")).unwrap();
    let settings = json!({ "permissions": { "allow": ["Bash(make:*)"], "deny": ["Bash(curl:*)"] } });
    std::fs::write(config.join("settings.json"), settings.to_string()).unwrap();
    let mut daemon = Command::new(program())
        .arg("serve")
        .env("HOME", folder.join("home"))
        .env("XDG_CONFIG_HOME", folder.join("config"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("build the program first");
    let mut line = String::new();
    BufReader::new(daemon.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("listening"), "{line}");
    daemon
}

/// The program: built beside this one, unless another is named.
fn program() -> PathBuf {
    if let Some(named) = std::env::var_os("PORTCULLIS_PROGRAM") {
        return named.into();
    }
    let own = std::env::current_exe().unwrap();
    own.parent().and_then(Path::parent).unwrap().join("portcullis")
}

async fn ask_all(state: &Path, folder: &Path, sessions: u64, end: Instant) -> Vec<Asked> {
    let socket = state.join("portcullis.sock");
    let cwd = folder.join("proj").display().to_string();
    let asking: Vec<_> =
        (0..sessions).map(|session| tokio::spawn(ask(socket.clone(), cwd.clone(), session, end))).collect();
    let mut asked = Vec::new();
    for one in asking {
        asked.extend(one.await.unwrap());
    }
    asked
}

/// One session on one connection.
async fn ask(socket: PathBuf, cwd: String, session: u64, end: Instant) -> Vec<Asked> {
    let mut stream = UnixStream::connect(socket).await.unwrap();
    let mut asked = Vec::new();
    let mut answer = Vec::new();
    while Instant::now() < end {
        let number = asked.len();
        // Every fifth is denied: an answer to another call would often be the wrong one.
        let (command, told) = match number % 5 {
            4 => (format!("curl https://example.org/{session}/{number}"), "deny"),
            _ => (format!("make target-{session}-{number}"), "allow"),
        };
        let body = json!({ "tool": "Bash", "input": { "command": command }, "cwd": cwd, "session": format!("s{session}") });
        let began = Instant::now();
        exchange(&mut stream, &body.to_string(), &mut answer).await;
        let took = began.elapsed();
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(answer["told"], told, "{command}: {answer}");
        asked.push((answer["seq"].as_u64().expect("a record"), command, took));
    }
    asked
}

/// One request and its answer on a connection that stays.
async fn exchange(stream: &mut UnixStream, body: &str, answer: &mut Vec<u8>) {
    let head = "POST /v1/judge HTTP/1.1\r\nhost: portcullis\r\ncontent-type: application/json\r\n";
    let request = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    answer.clear();
    loop {
        assert!(stream.read_buf(answer).await.unwrap() > 0, "the daemon hung up");
        let Some(head) = answer.windows(4).position(|part| part == b"\r\n\r\n") else { continue };
        let text = String::from_utf8_lossy(&answer[..head]).into_owned();
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
        // An answer in parts has taken longer than a second: it is not what is measured here.
        let length: usize = length.expect("an answer at once").parse().unwrap();
        if answer.len() >= head + 4 + length {
            answer.drain(..head + 4);
            return;
        }
    }
}

fn speed(asked: &[Asked], took: Duration) {
    let mut times: Vec<Duration> = asked.iter().map(|(_, _, time)| *time).collect();
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 1000].as_secs_f64() * 1e3;
    let count = f64::from(u32::try_from(asked.len()).unwrap());
    println!("{:.0} decisions a second", count / took.as_secs_f64());
    println!(
        "p50 {:.1} ms, p99 {:.1} ms, p99.9 {:.1} ms, longest {:.1} ms",
        at(500),
        at(990),
        at(999),
        at(1000)
    );
}

/// Every answer has exactly the record that it names, and every record its answer.
fn compare(state: &Path, asked: &[Asked]) {
    let store = Store::open_read_only(state).unwrap();
    let mut commands: HashMap<u64, &str> =
        asked.iter().map(|(seq, command, _)| (*seq, command.as_str())).collect();
    let twice = asked.len() - commands.len();
    let (mut crossed, mut unknown) = (0, 0);
    let looked = store.entries(&Filter::default(), |entry| {
        match commands.remove(&entry.seq) {
            Some(command) if entry.record.input["command"] == command => {}
            Some(_) => crossed += 1,
            None => unknown += 1,
        }
        ControlFlow::Continue(())
    });
    looked.unwrap();
    println!(
        "{} answers: {} lost, {crossed} crossed, {twice} twice, {unknown} records without an answer",
        asked.len(),
        commands.len()
    );
    let whole = matches!(store.verify().unwrap(), Verified::Whole { .. });
    println!("the chain {}", if whole { "is whole" } else { "is BROKEN" });
    assert!(whole && commands.is_empty() && crossed + twice + unknown == 0);
}

/// Processor time of a process so far.
fn cpu(process: &str) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    // The 14th and 15th field of all, in hundredths of a second.
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// The most memory that a process had, in MiB.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}
