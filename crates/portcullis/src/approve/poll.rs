//! The approver's side of the socket: threads that wait, so that the screen does not.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use portcullis_client as client;
use portcullis_decide::rules::Source;
use portcullis_gate::settings::{Places, find_project, rule_file};
use serde_json::{Value, json};

use super::keys::Taken;
use super::queue::{self, Files, Waiting};
use crate::serve::start_on_demand;

/// How long the daemon may hold one look back, in seconds: well below the silence at which it counts as gone.
const WAIT: u64 = 3;
/// How long one exchange may take.
const LONGEST: Duration = Duration::from_secs(20);
/// How long it is waited for a daemon to come back before another is started.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often it is tried again.
const AGAIN: Duration = Duration::from_millis(300);
/// How long the daemon may take to write a rule down.
const WRITTEN: Duration = Duration::from_secs(2);

/// What the threads tell.
pub(crate) enum News {
    /// All that waits now.
    List(Vec<Waiting>),
    /// The daemon is not there; why.
    Lost(String),
    /// What became of an answer.
    Answered { id: String, taken: Taken },
    /// Something else to know.
    Note(String),
}

/// Follows what waits, for as long as somebody listens.
pub(crate) fn follow(places: Places, news: Sender<News>) {
    std::thread::spawn(move || {
        let mut version = None;
        let mut gone = None;
        if let Err(why) = start_on_demand(&places.state)
            && news.send(News::Lost(why)).is_err()
        {
            return;
        }
        loop {
            let said = match look(&places, version) {
                Ok((seen, items)) => {
                    (version, gone) = (Some(seen), None);
                    News::List(items)
                }
                Err(why) => {
                    version = None;
                    let since = *gone.get_or_insert_with(Instant::now);
                    std::thread::sleep(AGAIN);
                    News::Lost(restarted(&places.state, &why, since))
                }
            };
            if news.send(said).is_err() {
                return;
            }
        }
    });
}

/// Starts another daemon where the old one does not come back; says how it stands.
fn restarted(state: &Path, why: &str, since: Instant) -> String {
    if since.elapsed() < PATIENCE {
        return format!("{why}; trying again");
    }
    match start_on_demand(state) {
        Ok(()) => format!("{why}; another was started"),
        Err(problem) => problem,
    }
}

fn look(places: &Places, version: Option<u64>) -> Result<(u64, Vec<Waiting>), String> {
    let since = version.map(|version| format!("since={version}&")).unwrap_or_default();
    let path = format!("/v1/approvals?{since}wait={WAIT}");
    let stream = client::connect(&places.state)?;
    let (status, body) = client::exchange(stream, "GET", &path, &[], b"", LONGEST)
        .map_err(|why| format!("the daemon does not answer: {why}"))?;
    if status != 200 {
        return Err(client::problem(&body));
    }
    let list = serde_json::from_slice(&body).ok().and_then(|value| queue::read(&value));
    let (version, mut items) = list.ok_or("the daemon's answer is not understood; restart it")?;
    for item in &mut items {
        item.files = files(places, &item.root);
    }
    Ok((version, items))
}

/// The files that rules for a session of this root are written to.
fn files(places: &Places, root: &str) -> Files {
    let places = Places { project: find_project(Path::new(root)), ..places.clone() };
    let named =
        |source| rule_file(&places, source).map(|path| path.display().to_string()).unwrap_or_default();
    Files { user: named(Source::User), local: named(Source::Local), project: named(Source::Project) }
}

/// Gives an answer; the daemon asks the kernel who gave it. `file` is where a rule for always is going to stand.
pub(crate) fn answer(state: PathBuf, id: String, body: Value, file: String, news: Sender<News>) {
    std::thread::spawn(move || {
        let taken = give(&state, &id, &body);
        let written = taken == Taken::Yes && body.get("answer") == Some(&json!("always"));
        // Whoever listened may have left; the answer is given all the same.
        drop(news.send(News::Answered { id, taken }));
        if let (true, Some(rule)) = (written, body.get("rule").and_then(Value::as_str)) {
            drop(news.send(News::Note(was_written(rule, &file))));
        }
    });
}

/// Gives the daemon an answer and says whether it was taken.
pub(crate) fn give(state: &Path, id: &str, body: &Value) -> Taken {
    let exchanged = client::connect(state).and_then(|stream| {
        let path = format!("/v1/approvals/{id}");
        client::exchange(stream, "POST", &path, &[], body.to_string().as_bytes(), LONGEST)
    });
    match exchanged {
        Ok((200, _)) => Taken::Yes,
        Ok((422, said)) => Taken::Refused(client::problem(&said)),
        Ok((_, said)) => Taken::Failed(client::problem(&said)),
        Err(why) => Taken::Failed(format!("the daemon does not answer: {why}")),
    }
}

/// The call goes on at once and the rule is written beside it: whether that worked shows in the file.
pub(crate) fn was_written(rule: &str, file: &str) -> String {
    let wanted = Value::String(rule.to_owned()).to_string();
    let began = Instant::now();
    loop {
        if std::fs::read_to_string(file).is_ok_and(|text| text.contains(&wanted)) {
            return format!("{rule} now stands in {file}");
        }
        if began.elapsed() > WRITTEN {
            return format!("the call was allowed, but {rule} is not in {file}; see `portcullis log`");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
