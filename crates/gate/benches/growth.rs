//! How the cost of a decision and the size of a session grow with rules, sessions, earlier calls and conversations.
//!
//! `scripts/growth` runs this and draws what it prints: one JSON object with a list of points for each way of growing.
//! A decision is a whole one, its record synced to the disk. Processor time of all threads counts, not the clock's, so
//! that neither the disk nor other programs are measured.
#![expect(clippy::print_stdout, reason = "printing figures is what this program is for")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made must stop")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use portcullis_classify::transcript::Format;
use portcullis_decide::{Mode, ToolCall};
use portcullis_gate::settings::{Overrides, Places, load, set_session_mode};
use portcullis_gate::settle::ModelEnvironment;
use portcullis_gate::{Conversation, Enforced, Gate, Options, People, Request, calendar_ms};
use portcullis_shell::Dialect;
use serde_json::{Value, json};

/// How often each point is measured; the best counts.
const ROUNDS: usize = 5;
/// Decisions in a round.
const DECISIONS: usize = 200;
/// Calls that each session makes before it is looked at.
const CALLS: usize = 10;

fn main() {
    let (sizes, few) = ([1, 10, 100, 1_000, 10_000], [1, 10, 100, 1_000]);
    let (rules, sessions) = (sizes.map(rules), few.map(sessions));
    let (calls, transcript) = (sizes.map(calls), sizes.map(transcript));
    let grown = json!({ "rules": rules, "sessions": sessions, "calls": calls, "transcript": transcript });
    println!("{grown:#}");
}

/// A user with a project, and a gate for it.
struct Room {
    folder: tempfile::TempDir,
    gate: Gate,
}

impl Room {
    fn new(settings: &Value) -> Room {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("config")).unwrap();
        std::fs::create_dir_all(folder.path().join("proj/.git")).unwrap();
        std::fs::write(folder.path().join("config/settings.json"), settings.to_string()).unwrap();
        let options = Options {
            places: places(folder.path()),
            overrides: Overrides::default(),
            environment: ModelEnvironment::default(),
            dialect: Dialect::Bash,
            group_commit: false,
            now: calendar_ms,
            waiting: |_| {},
            vouched: |_, _| true,
        };
        Room { gate: Gate::open(options).unwrap(), folder }
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("proj")
    }

    /// Has a command judged, which must be allowed: what is denied takes another way.
    fn allowed(&self, session: usize, command: &str, talk: &Conversation) {
        let cwd = self.project().display().to_string();
        let mut call = ToolCall::new("Bash", json!({ "command": command }), cwd);
        call.session = Some(format!("session-{session}"));
        let request =
            Request { people: People::Nobody, conversation: talk.clone(), ..Request::new("growth", call) };
        let answer = black_box(self.gate.judge_blocking(&request));
        assert_eq!(answer.enforced, Enforced::Allow, "{command}: {}", answer.ruling.message());
    }

    /// What the state of the user takes on the disk.
    fn bytes(&self) -> u64 {
        let files = std::fs::read_dir(self.folder.path().join("state")).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).sum()
    }
}

fn places(folder: &Path) -> Places {
    Places {
        home: folder.join("home"),
        config: folder.join("config"),
        state: folder.join("state"),
        managed: folder.join("managed"),
        project: folder.join("proj"),
    }
}

fn rules(size: usize) -> Value {
    let room = Room::new(&with_rules(size));
    let places = places(room.folder.path());
    let decision =
        best(DECISIONS, |number| room.allowed(0, &format!("make target-{number}"), &Conversation::None));
    // The system counts processor time in steps of milliseconds, so that short work is done more often.
    let times = (200_000 / (size + 100)).max(20);
    let loading = best(times, |_| drop(black_box(load(&places, &Overrides::default()))));
    point(size, decision, &[("load_us", json!(micros(loading)))])
}

/// One rule that allows what is asked, and others for things that no call does.
fn with_rules(size: usize) -> Value {
    let others = |wanted: usize, of: &str| -> Vec<String> {
        let all = (1..size).filter(|number| number % 5 == wanted);
        all.map(|number| of.replace('#', &number.to_string())).collect()
    };
    let allow =
        [vec!["Bash(make:*)".to_owned()], others(0, "Bash(tool-# run:*)"), others(3, "Edit(//data/#/**)")];
    let deny = [others(1, "Bash(forbidden-#:*)"), others(2, "Read(//data/set-#/**)")];
    let ask = others(4, "WebFetch(domain:host-#.example)");
    json!({ "permissions": { "allow": allow.concat(), "deny": deny.concat(), "ask": ask } })
}

fn sessions(size: usize) -> Value {
    let before = resident();
    let room = Room::new(&with_rules(100));
    let ask =
        |number: usize| room.allowed(number % size, &format!("make target-{number}"), &Conversation::None);
    (0..size * CALLS).for_each(ask);
    let (disk, memory) = (room.bytes(), resident().saturating_sub(before));
    let decision = best(DECISIONS, ask);
    // A mode that a person chose for a session is part of the settings in force for it.
    let own = places(room.folder.path());
    for session in 0..size {
        set_session_mode(&own, &format!("session-{session}"), Mode::Default).unwrap();
    }
    (0..size).for_each(ask);
    let with_mode = best(DECISIONS.max(size), ask);
    let each = size as u64;
    let more = [
        ("own_mode_us", json!(micros(with_mode))),
        ("disk_bytes", json!(disk / each)),
        ("memory_bytes", json!(memory / each)),
    ];
    point(size, decision, &more)
}

/// One session that has written files all along: what a session did is part of what it is judged by.
fn calls(size: usize) -> Value {
    let room = Room::new(&json!({ "permissions": { "allow": ["Bash(touch:*)"] } }));
    let ask = |number: usize| room.allowed(0, &format!("touch src/file-{number}.rs"), &Conversation::None);
    (0..size).for_each(ask);
    let disk = room.bytes();
    let decision = best(DECISIONS / 4, |number| ask(number % size));
    point(size, decision, &[("disk_bytes", json!(disk))])
}

fn transcript(kilobytes: usize) -> Value {
    let room = Room::new(&json!({ "permissions": { "defaultMode": "auto" } }));
    let file = room.folder.path().join("talk.jsonl");
    std::fs::write(&file, conversation(kilobytes << 10)).unwrap();
    let talk = Conversation::File(file, Format::ClaudeCode);
    let ask = |number: usize| room.allowed(0, &format!("make target-{number}"), &talk);
    ask(0);
    let decision = best((20_000 / (kilobytes + 100)).max(2), ask);
    point(kilobytes, decision, &[])
}

/// A conversation of Claude Code of about this many bytes: words of the user, calls, and long results of theirs.
fn conversation(bytes: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        let command = json!({ "command": format!("cargo test -p part-{number} 2>&1 | tail -20") });
        let call =
            json!({ "type": "tool_use", "id": format!("toolu_{number}"), "name": "Bash", "input": command });
        let result = json!({
            "type": "tool_result", "tool_use_id": format!("toolu_{number}"), "content": "test result: ok. ".repeat(60)
        });
        for (who, content) in [
            ("user", json!(format!("Please look at part {number} next, and tell me what you find."))),
            ("assistant", json!([call])),
            ("user", json!([result])),
        ] {
            let line = json!({ "type": who, "message": { "role": who, "content": content } });
            text.push_str(&line.to_string());
            text.push('\n');
        }
    }
    text
}

fn point(size: usize, decision: Duration, more: &[(&str, Value)]) -> Value {
    let mut point =
        json!({ "size": size, "cpu_us": micros(decision), "per_second": 1.0 / decision.as_secs_f64() });
    for (name, value) in more {
        point.as_object_mut().unwrap().insert((*name).to_owned(), value.clone());
    }
    point
}

fn micros(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 10.0
}

/// Processor time of one piece of work, in the best round.
fn best(pieces: usize, work: impl Fn(usize)) -> Duration {
    let round = || {
        let before = processor_time();
        (0..pieces).for_each(&work);
        processor_time().saturating_sub(before) / u32::try_from(pieces).unwrap()
    };
    (0..ROUNDS).map(|_| round()).min().unwrap()
}

/// What all threads of this program have used so far; the clock's time where the system does not say.
fn processor_time() -> Duration {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return since_start() };
    let spent = |folder: PathBuf| {
        let text = std::fs::read_to_string(folder.join("schedstat")).ok()?;
        text.split_ascii_whitespace().next()?.parse::<u64>().ok()
    };
    Duration::from_nanos(threads.filter_map(|thread| spent(thread.ok()?.path())).sum())
}

fn since_start() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// What the system says this program holds, in bytes; nothing where it does not say.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|size| size.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or_default() << 10
}
