//! What can be seen of the gate itself on this machine: program, settings, log, daemon, model, and how long a call takes.

use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use portcullis_classify::command::CommandMatch;
use portcullis_classify::settings::choose_model;
use portcullis_classify::transcript::Transcript;
use portcullis_decide::ToolCall;
use portcullis_gate::settings::{Loaded, Overrides, Places, Severity};
use portcullis_gate::settle::{Model, ModelEnvironment};
use portcullis_gate::store::{Store, StoreError, Verified};
use portcullis_shell::Dialect;
use serde_json::{Value, json};

use super::super::install::on_path;
use super::sandbox::Sandbox;
use super::{Health, Row};
use crate::judge::{self, Judge, MoreRules, Seat};
use portcullis_client as client;

/// So many entries at the end of the log are checked, unless all are.
const END_OF_LOG: u64 = 1000;
/// How long a daemon may take to say how it is.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many calls are timed.
const TIMED: usize = 7;
/// A hook that takes longer disturbs whoever works with the agent.
const SLOW: Duration = Duration::from_secs(1);

/// Everything that is not about one agent.
pub(super) fn all(places: &Places, loaded: &Loaded, deep: bool) -> Vec<Row> {
    let mut rows = vec![program(), on_the_path()];
    rows.extend(settings(loaded));
    rows.extend(store(places, deep));
    rows.push(daemon(places));
    rows.push(model(places, loaded));
    rows.push(decision_time(places));
    rows.push(hook_time());
    rows.extend(confinement());
    rows
}

/// K7: each part of an envelope, proven on this machine as this user.
fn confinement() -> Vec<Row> {
    let Some(runner) = super::super::run::runner() else {
        let found = "`portcullis-run` is not beside this program: commands cannot be confined";
        return vec![row("confinement", Health::Note, found).fix("install it beside this program")];
    };
    let proven = std::process::Command::new(runner).arg("--probe").stdin(Stdio::null()).output();
    let said = proven.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let parts: Vec<Row> = said
        .lines()
        .filter_map(|line| {
            let (word, found) = line.split_once("  ")?;
            let health = if word == "holds" { Health::Good } else { Health::Doubtful };
            Some(row("confinement", health, found))
        })
        .collect();
    if parts.is_empty() {
        vec![row("confinement", Health::Doubtful, "it could not be tried out")]
    } else {
        parts
    }
}

fn row(name: &str, health: Health, found: impl Into<String>) -> Row {
    Row::new("gate", name, health, found)
}

fn program() -> Row {
    let place = std::env::current_exe().map(|path| path.display().to_string()).unwrap_or_default();
    row("version", Health::Good, format!("portcullis {} at {place}", client::VERSION))
}

/// Whether a shell would start this program.
fn on_the_path() -> Row {
    let own = std::env::current_exe().ok().and_then(|path| path.canonicalize().ok());
    let fix = "put this program's folder first in PATH, or remove the other one";
    match on_path("portcullis") {
        None => {
            row("path", Health::Note, "`portcullis` is not on the PATH of this shell; hooks name it in full")
        }
        Some(found) if found.canonicalize().ok() == own => {
            row("path", Health::Good, "a shell starts this program")
        }
        Some(found) => {
            let said = format!("a shell starts {}, which is another program", found.display());
            row("path", Health::Doubtful, said).fix(fix)
        }
    }
}

/// R2: what is broken in a deny or ask list is red: it guards less than its author believes.
fn settings(loaded: &Loaded) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for problem in &loaded.problems {
        let health = match problem.severity {
            Severity::Error => Health::Bad,
            Severity::Warning => Health::Doubtful,
            Severity::Note => Health::Note,
        };
        rows.push(
            row("settings", health, problem.to_string())
                .fix("mend that line; `portcullis settings` shows the rest"),
        );
    }
    if loaded.settings.incomplete {
        let found = "a deny or ask rule may be lost: whatever it could have meant is asked about";
        rows.push(row("settings", Health::Bad, found).fix("mend the file named above"));
    }
    if loaded.settings.enforce.as_ref().is_some_and(|enforce| !enforce.value) {
        let found = "`enforce` is false: nothing is held";
        rows.push(
            row("settings", Health::Doubtful, found)
                .fix("take `enforce` out of the settings when you are done"),
        );
    }
    if rows.is_empty() {
        rows.push(row("settings", Health::Good, "no problems"));
    }
    rows
}

/// The log: private, whole and writable. Where there is none yet, none is made.
fn store(places: &Places, deep: bool) -> Vec<Row> {
    let state = &places.state;
    let opened = match Store::open_read_only(state) {
        Ok(store) => store,
        Err(StoreError::Missing(_)) => return vec![nothing_yet(state)],
        Err(error) => {
            let fix = "docs/audit.md says what to do with a log that cannot be read; until then every call is denied";
            return vec![row("log", Health::Bad, error.to_string()).fix(fix)];
        }
    };
    let checked = if deep { opened.verify() } else { opened.verify_end(END_OF_LOG) };
    let part = if deep { "" } else { "the end is whole: the last " };
    let whole = match checked {
        Ok(Verified::Whole { entries, .. }) => {
            row("log", Health::Good, format!("{part}{entries} entries are as written"))
        }
        Ok(Verified::Damaged(bad)) => {
            row("log", Health::Bad, format!("not whole: entry {}: {}", bad.seq, bad.what))
                .fix("somebody changed the log; `portcullis log verify` and docs/audit.md")
        }
        Err(error) => row("log", Health::Bad, error.to_string()),
    };
    let mut rows = vec![whole, modes(state), writable(state)];
    rows.extend(conversations(&opened));
    rows
}

/// C19: sessions of the last day of which nothing is known of what their user said.
fn conversations(store: &Store) -> Option<Row> {
    let day = Duration::from_hours(24).as_millis();
    let since = portcullis_gate::calendar_ms().saturating_sub(u64::try_from(day).unwrap_or(u64::MAX));
    let unread = store.unread_since(since).ok()?;
    let first = unread.first()?;
    let why = first.unread.as_deref().unwrap_or_default();
    let found = format!(
        "in {} sessions of the last day nothing is known of what the user said: {}: {why}",
        unread.len(),
        first.agent
    );
    let fix = "portcullis install AGENT, so that prompts are told of; until then what people often forbid is asked about";
    Some(row("conversations", Health::Doubtful, found).fix(fix))
}

/// Whether a log could be made where there is none.
fn nothing_yet(state: &Path) -> Row {
    let existing = state.ancestors().find(|folder| folder.exists()).unwrap_or(state);
    let free = existing.is_dir() && rustix::fs::access(existing, rustix::fs::Access::WRITE_OK).is_ok();
    if free {
        row("log", Health::Good, "nothing was decided yet; it will be made with the first call")
    } else {
        let found = format!("it cannot be made: {} is not writable", existing.display());
        row("log", Health::Bad, found).fix("make the folder writable: until then every call is denied")
    }
}

/// The folder and its files are for the user alone.
fn modes(state: &Path) -> Row {
    let mut open = Vec::new();
    for name in ["", "portcullis.db", "portcullis.db-wal", "portcullis.db-shm", "audit.head"] {
        let path = if name.is_empty() { state.to_path_buf() } else { state.join(name) };
        let Ok(facts) = path.symlink_metadata() else { continue };
        let mode = facts.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            open.push(format!("{} ({mode:o})", path.display()));
        }
        if facts.uid() != rustix::process::geteuid().as_raw() {
            open.push(format!("{} (belongs to another user)", path.display()));
        }
    }
    if open.is_empty() {
        return row("log is private", Health::Good, "folder 700, files 600");
    }
    row("log is private", Health::Bad, format!("others can look at it: {}", open.join(", ")))
        .fix(format!("chmod -R go-rwx {}", state.display()))
}

/// A transaction that writes nothing: what stands in its way stands in the way of every call.
fn writable(state: &Path) -> Row {
    match Store::open(state).and_then(|mut store| store.commit(|_| Ok(()))) {
        Ok(()) => row("log is writable", Health::Good, "a transaction begins and ends"),
        Err(error) => row("log is writable", Health::Bad, error.to_string()).fix(
            "free the disk, or give the folder back its owner and rights: until then every call is denied",
        ),
    }
}

fn daemon(places: &Places) -> Row {
    let began = Instant::now();
    let restart = "portcullis serve --stop, then start it again";
    match client::health(&places.state, PATIENCE) {
        None if client::socket(&places.state).exists() => {
            let found = "none runs, and a socket is left over; the next one takes its place";
            row("daemon", Health::Note, found)
        }
        None => row("daemon", Health::Note, "none runs; hooks judge by themselves"),
        Some(Err(why)) => row("daemon", Health::Bad, format!("it does not answer: {why}")).fix(restart),
        Some(Ok(said)) => match said.get("version").and_then(Value::as_str) {
            Some(client::VERSION) => {
                let waiting = said.get("waiting").and_then(Value::as_u64).unwrap_or_default();
                let took = began.elapsed().as_millis();
                row(
                    "daemon",
                    Health::Good,
                    format!("answers in {took} ms; {waiting} calls wait for somebody"),
                )
            }
            other => {
                let found = format!("it is version {}: it refuses hooks of this one", other.unwrap_or("?"));
                row("daemon", Health::Bad, found).fix(restart)
            }
        },
    }
}

/// Whether the model answers. Nothing is sent where none is configured.
fn model(places: &Places, loaded: &Loaded) -> Row {
    let environment = ModelEnvironment::of_process(None);
    let Some(model) = Model::configured(&loaded.settings, &environment) else {
        let named = loaded.settings.classifier.model.as_ref().map(|model| model.value.as_str());
        return match choose_model(environment.model.as_deref(), named, None) {
            None => row("model", Health::Note, "none is configured; the built-in judge answers in auto mode"),
            Some(name) => {
                let found = format!("{name} is not asked: its key is not in the environment");
                row("model", Health::Doubtful, found).fix("portcullis auto-mode config")
            }
        };
    };
    let name = model.settings().model.clone();
    let call = ToolCall::new("Bash", json!({"command": "true"}), places.project.to_string_lossy());
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return row("model", Health::Bad, format!("cannot be asked: {error}")),
    };
    let began = Instant::now();
    let matched = runtime.block_on(model.match_command(&["start a web server".to_owned()], &call));
    let took = began.elapsed().as_millis();
    match matched {
        CommandMatch::No | CommandMatch::Matches { .. } => {
            row("model", Health::Good, format!("{name} answers in {took} ms"))
        }
        CommandMatch::Failed(failure) => {
            let found = format!("{name} gives no answer that counts after {took} ms: {}", failure.name());
            row("model", Health::Bad, found)
                .fix("portcullis auto-mode config; until then its calls are not allowed")
        }
    }
}

/// How long a decision takes with the rules in force. Nothing is written down.
fn decision_time(places: &Places) -> Row {
    let here = places.project.to_string_lossy().into_owned();
    let home = places.home.to_string_lossy().into_owned();
    let seat = Seat { root: Some(here.clone()), here: here.clone(), home, dialect: Dialect::Bash };
    let judge = Judge::open(seat, Overrides::default());
    let settings = judge.settings(&here, &MoreRules::default());
    let call = ToolCall::new("Bash", json!({"command": "ls"}), here.clone());
    let talk = Transcript::default();
    let mut times = Vec::new();
    for _ in 0..TIMED {
        let mut context = judge.context(&settings, &here, None);
        let began = Instant::now();
        judge::judge(&call, &mut context, &settings, &talk);
        times.push(began.elapsed());
    }
    row("a decision takes", Health::Good, format!("{} µs", median(times).as_micros()))
}

/// How long the whole hook takes, as an agent starts it, in a home of its own.
fn hook_time() -> Row {
    let name = "a hook takes";
    match timed_hooks() {
        Ok(time) if time <= SLOW => {
            row(name, Health::Good, format!("{} ms, record included", time.as_millis()))
        }
        Ok(time) => row(name, Health::Doubtful, format!("{} ms, record included", time.as_millis()))
            .fix("`portcullis serve` keeps everything ready; a disk that syncs slowly shows here, too"),
        Err(why) => row(name, Health::Bad, why)
            .fix("run `portcullis hook claude-code` by hand and look at what it says"),
    }
}

fn timed_hooks() -> Result<Duration, String> {
    let sandbox = Sandbox::new()?;
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let told = json!({
        "session_id": "doctor", "transcript_path": "", "cwd": sandbox.work(), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1",
    });
    let told = told.to_string();
    let mut times = Vec::new();
    // One more: the first makes the log.
    for _ in 0..=TIMED {
        let began = Instant::now();
        let mut command = sandbox.command(&own);
        command
            .args(["hook", "claude-code"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(told.as_bytes()).map_err(|error| error.to_string())?;
        }
        let ended = child.wait_with_output().map_err(|error| error.to_string())?;
        times.push(began.elapsed());
        let answer: Value = serde_json::from_slice(&ended.stdout).unwrap_or_default();
        if answer.pointer("/hookSpecificOutput/permissionDecision").and_then(Value::as_str) != Some("allow") {
            return Err(format!(
                "the hook does not allow `ls`: {}",
                String::from_utf8_lossy(&ended.stderr).trim()
            ));
        }
    }
    times.remove(0);
    Ok(median(times))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        let times = [9, 1, 5].map(Duration::from_secs);
        assert_eq!(median(times.to_vec()), Duration::from_secs(5));
        assert_eq!(median(Vec::new()), Duration::ZERO);
    }
}
