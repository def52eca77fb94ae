//! The JSON API on the socket; `openapi.json` beside this file describes it.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use portcullis_client::{self as client, ProcessContext, Reply};
use portcullis_decide::rules::Source;
use portcullis_gate::approvals::{AnswerRejected, Choice, HumanAnswer, PendingApproval};
use portcullis_gate::store::{Filter, SessionRow, StoreError};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;

use super::Daemon;
use super::socket::Peer;
use crate::agents::{self, Event};
use crate::host_event;
use crate::log_entry::as_json;
use crate::person::{self, Person};
use crate::strict_json::{self, MAX_CALL};

/// How long an answer may take before the caller hears that it is worked on.
const QUIET: Duration = Duration::from_secs(1);
/// How long hooks and a model may take together.
const PROGRAMS: Duration = Duration::from_secs(95);
/// How long a look at the waiting requests may take at most.
const LONGEST_LOOK: u64 = 60;

type Shared = State<Arc<Daemon>>;

pub(crate) fn routes(daemon: Arc<Daemon>) -> Router {
    Router::new()
        .route("/v1/health", get(health))
        .route("/v1/judge", post(judge))
        .route("/v1/hook/{agent}", post(hook))
        .route("/v1/speculate", post(speculate))
        .route("/v1/approvals", get(approvals))
        .route("/v1/approvals/{id}", post(approve))
        .route("/v1/sessions", get(sessions))
        .route("/v1/sessions/{id}", get(session))
        .route("/v1/audit", get(audit))
        .route("/v1/audit/{seq}", get(entry))
        .route("/v1/vouched/{entry}", get(vouched).post(vouch))
        .route("/v1/stop", post(stop))
        .route("/v1/openapi.json", get(|| async { ([("content-type", "application/json")], OPENAPI) }))
        .layer(middleware::from_fn_with_state(Arc::clone(&daemon), same_version))
        .layer(DefaultBodyLimit::max(MAX_CALL + 1))
        .with_state(daemon)
}

/// What the API is.
pub(crate) const OPENAPI: &str = include_str!("openapi.json");

fn said(status: StatusCode, value: &Value) -> Response {
    (status, [("content-type", "application/json")], value.to_string()).into_response()
}

fn wrong(status: StatusCode, why: impl AsRef<str>) -> Response {
    said(status, &json!({ "error": why.as_ref() }))
}

/// Both ends have to be the same version: another one may mean something else by the same words.
async fn same_version(State(daemon): Shared, request: Request, next: Next) -> Response {
    daemon.touch();
    let version = request.headers().get("x-portcullis-version").and_then(|value| value.to_str().ok());
    // Whatever its version, it can be asked who it is and be told to stop.
    let always = matches!(request.uri().path(), "/v1/health" | "/v1/stop");
    if !always && version.is_some_and(|version| version != client::VERSION) {
        return wrong(
            StatusCode::CONFLICT,
            format!(
                "the running daemon is version {}, and the program that asks is {}; stop the daemon with \
                 `portcullis serve --stop`",
                client::VERSION,
                version.unwrap_or_default()
            ),
        );
    }
    next.run(request).await
}

async fn health(State(daemon): Shared) -> Response {
    let (_, waiting) = daemon.gate.approvals().waiting();
    said(
        StatusCode::OK,
        &json!({
            "version": client::VERSION,
            "pid": std::process::id(),
            "seconds": daemon.began.elapsed().as_secs(),
            "requests": daemon.asked.load(std::sync::atomic::Ordering::Relaxed),
            "waiting": waiting.len(),
            "attended": daemon.gate.approvals().is_attended(),
            "failures": daemon.gate.failures().to_json(),
        }),
    )
}

/// What a host said to a hook process, word for word.
async fn hook(
    State(daemon): Shared,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Path(agent): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if header("x-portcullis-environment") != Some(&daemon.environment) {
        return wrong(StatusCode::MISDIRECTED_REQUEST, "this daemon serves another environment");
    }
    let Some(adapter) = agents::named(&agent) else {
        return wrong(StatusCode::NOT_FOUND, "no such agent");
    };
    let place = |name: &str| header(name).and_then(client::unescaped).filter(|path| !path.is_empty());
    let around = ProcessContext { project: place("x-portcullis-project"), cwd: place("x-portcullis-cwd") };
    let bytes = body.to_vec();
    if let Some(pid) = peer.pid {
        person::note(&daemon.state, pid);
    }
    let gate = daemon.gate.clone();
    let confirms = headers.contains_key(client::CONFIRMS);
    let work = async move {
        let answered = host_event::answer(&gate, adapter, bytes, around).await;
        if confirms {
            peer.answers.note(answered.entries);
        }
        reply(&answered.reply)
    };
    in_time(daemon, work).await
}

/// What a hook process is to print.
pub(super) fn reply(reply: &Reply) -> Value {
    json!({ "stdout": reply.stdout, "stderr": reply.stderr, "code": reply.code })
}

/// A call in the plain form.
async fn judge(State(daemon): Shared, body: Bytes) -> Response {
    let asked = match plain_call(&body) {
        Ok(asked) => asked,
        Err(why) => return wrong(StatusCode::UNPROCESSABLE_ENTITY, why),
    };
    let gate = daemon.gate.clone();
    in_time(daemon, async move { gate.judge(asked).await.to_json() }).await
}

fn plain_call(body: &[u8]) -> Result<portcullis_gate::Request, String> {
    let value = strict_json::parse(body).map_err(|refused| refused.to_string())?;
    let adapter = agents::named("generic").ok_or("there is no plain form")?;
    match (adapter.read)(&value, &ProcessContext::default())? {
        Event::Calls(mut calls) => calls.requests.pop().ok_or_else(|| "there is no call in it".to_owned()),
        Event::Dialog(_)
        | Event::Done(_)
        | Event::HandedBack(..)
        | Event::Said(_)
        | Event::Unread(_)
        | Event::Nothing => Err("that is not a call".to_owned()),
    }
}

/// Work that ends when nobody wants it any more: a caller that went away takes no answer, and no request of theirs
/// may go on waiting for people (R22).
struct Working(JoinHandle<Value>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// An answer that may take its time: while it does, the caller hears that somebody is there.
async fn in_time(daemon: Arc<Daemon>, work: impl Future<Output = Value> + Send + 'static) -> Response {
    let mut work = Working(tokio::spawn(work));
    match tokio::time::timeout(QUIET, &mut work.0).await {
        Ok(Ok(value)) => return said(StatusCode::OK, &value),
        // FAIL-CLOSED(panic): no answer is a no at the other end.
        Ok(Err(_)) => return wrong(StatusCode::INTERNAL_SERVER_ERROR, "the judgement broke off"),
        Err(_) => {}
    }
    let (sender, receiver) = mpsc::channel::<Result<Bytes, Infallible>>(4);
    let began = tokio::time::Instant::now();
    tokio::spawn(async move {
        loop {
            // FAIL-CLOSED(stuck): only people may take longer; a judgement that hangs must not sound alive.
            if began.elapsed() > PROGRAMS && daemon.gate.approvals().waiting().1.is_empty() {
                return;
            }
            tokio::select! {
                done = &mut work.0 => {
                    let text = done.map_or_else(|_| String::new(), |value| value.to_string());
                    drop(sender.send(Ok(Bytes::from(text))).await);
                    return;
                }
                () = sender.closed() => return,
                () = tokio::time::sleep(QUIET) => {
                    daemon.stay();
                    drop(sender.send(Ok(Bytes::from_static(b"\n"))).await);
                }
            }
        }
    });
    let stream = ReceiverStream::new(receiver);
    ([("content-type", "application/json")], Body::from_stream(stream)).into_response()
}

/// H3: a call that will probably come.
async fn speculate(State(daemon): Shared, body: Bytes) -> Response {
    match plain_call(&body) {
        Ok(asked) => {
            let gate = daemon.gate.clone();
            tokio::spawn(async move { gate.speculate(asked).await });
            said(StatusCode::ACCEPTED, &json!({}))
        }
        Err(why) => wrong(StatusCode::UNPROCESSABLE_ENTITY, why),
    }
}

#[derive(serde::Deserialize)]
struct Look {
    since: Option<u64>,
    wait: Option<u64>,
}

/// What waits. With `since` and `wait` it comes back when something changed.
async fn approvals(State(daemon): Shared, Query(look): Query<Look>) -> Response {
    let approvals = daemon.gate.approvals();
    approvals.attend();
    let mut changes = approvals.changes();
    let seconds = look.wait.unwrap_or(0).min(LONGEST_LOOK);
    let end = tokio::time::Instant::now() + Duration::from_secs(seconds);
    while look.since == Some(*changes.borrow_and_update()) {
        let step = (tokio::time::Instant::now() + Duration::from_secs(5)).min(end);
        approvals.attend();
        daemon.touch();
        tokio::select! {
            _ = changes.changed() => {}
            () = tokio::time::sleep_until(step) => {}
            // Nobody may hold up a daemon that ends.
            () = daemon.gate.stopped() => break,
        }
        if tokio::time::Instant::now() >= end {
            break;
        }
    }
    approvals.attend();
    let (version, waiting) = approvals.waiting();
    let waiting: Vec<Value> = waiting.iter().map(shown).collect();
    said(StatusCode::OK, &json!({ "version": version, "waiting": waiting }))
}

fn shown(parked: &PendingApproval) -> Value {
    let mut value = parked.shown.clone();
    if let Value::Object(fields) = &mut value {
        fields.insert("id".to_owned(), json!(parked.id));
        fields.insert("since_ms".to_owned(), json!(parked.since));
        fields.insert("deadline_ms".to_owned(), json!(parked.deadline));
    }
    value
}

/// A person's answer.
async fn approve(
    State(daemon): Shared,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let person = match person_at(&daemon, peer).await {
        Ok(person) => person,
        Err(refused) => return refused,
    };
    let answer = strict_json::parse(&body).map_err(|why| why.to_string()).and_then(|it| human(&it, person));
    let answer = match answer {
        Ok(answer) => answer,
        Err(why) => return wrong(StatusCode::UNPROCESSABLE_ENTITY, why),
    };
    match daemon.gate.approvals().answer(&id, answer) {
        Ok(()) => said(StatusCode::OK, &json!({ "taken": true })),
        Err(error @ AnswerRejected::Unknown) => wrong(StatusCode::NOT_FOUND, error.to_string()),
        Err(error @ AnswerRejected::Settled) => wrong(StatusCode::GONE, error.to_string()),
        Err(error @ AnswerRejected::Rule(_)) => wrong(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()),
    }
}

/// W1: only a person answers and stops; who they are says the kernel, and never the caller.
async fn person_at(daemon: &Arc<Daemon>, peer: Peer) -> Result<Person, Response> {
    let daemon = Arc::clone(daemon);
    let looked = tokio::task::spawn_blocking(move || person::of_peer(peer.pid, peer.taken, &daemon.state));
    // FAIL-CLOSED(unknown-peer): whoever cannot be looked at is nobody.
    let found = looked.await.unwrap_or_else(|_| Err("it is not known who asks".to_owned()));
    found.map_err(|why| {
        wrong(StatusCode::FORBIDDEN, format!("only a person at a terminal may do this: {why}"))
    })
}

fn human(value: &Value, person: Person) -> Result<HumanAnswer, String> {
    let fields = agents::Fields::of(value)?;
    let text = |name: &str| fields.text(name).map(|text| text.map(str::to_owned));
    let choice: Choice = fields.needed("answer")?.parse()?;
    let source = match fields.text("source")? {
        None | Some("user") => Source::User,
        Some("local") => Source::Local,
        Some("project") => Source::Project,
        Some(other) => return Err(format!("`{other}` is no place for a rule; say user, local or project")),
    };
    let input = fields.value("input").filter(|input| !input.is_null()).cloned();
    if input.as_ref().is_some_and(|input| !input.is_object()) {
        return Err("`input` is not an object".to_owned());
    }
    Ok(HumanAnswer {
        choice,
        message: text("message")?,
        input,
        rule: text("rule")?,
        source,
        who: person.who,
        place: person.place,
    })
}

async fn sessions(State(daemon): Shared) -> Response {
    match daemon.gate.sessions() {
        Ok(rows) => said(StatusCode::OK, &json!({ "sessions": rows.iter().map(row).collect::<Vec<_>>() })),
        Err(error) => wrong(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
    }
}

async fn session(State(daemon): Shared, Path(id): Path<String>) -> Response {
    match daemon.gate.with_store(|store| store.session(&id)) {
        Ok(Some(found)) => said(StatusCode::OK, &row(&found)),
        Ok(None) => wrong(StatusCode::NOT_FOUND, "no such session"),
        Err(error) => wrong(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
    }
}

fn row(row: &SessionRow) -> Value {
    json!({
        "id": row.id,
        "agent": row.agent,
        "root": row.root,
        "parent": row.parent,
        "blocked_in_a_row": row.denials.consecutive,
        "blocked": row.denials.total,
        "refused_by_people": row.denials.by_people,
        "rules": row.rules,
        "created_ms": row.created,
        "last_ms": row.last,
    })
}

#[derive(serde::Deserialize)]
struct Wanted {
    decision: Option<String>,
    tool: Option<String>,
    session: Option<String>,
    agent: Option<String>,
    rule: Option<String>,
    kind: Option<String>,
    since_ms: Option<u64>,
    until_ms: Option<u64>,
    limit: Option<u64>,
}

/// The most entries that one answer holds.
const MOST_ENTRIES: u64 = 1000;

async fn audit(State(daemon): Shared, Query(wanted): Query<Wanted>) -> Response {
    let filter = Filter {
        decision: wanted.decision,
        tool: wanted.tool,
        session: wanted.session,
        agent: wanted.agent,
        rule: wanted.rule,
        kind: wanted.kind,
        since_ms: wanted.since_ms,
        until_ms: wanted.until_ms,
        limit: Some(wanted.limit.unwrap_or(100).min(MOST_ENTRIES)),
        ..Filter::default()
    };
    let mut entries = Vec::new();
    let looked = daemon.gate.with_store(|store| {
        let abandoned = store.abandoned()?;
        store.entries(&filter, |entry| {
            entries.push(as_json(&entry, &abandoned));
            ControlFlow::Continue(())
        })
    });
    match looked {
        Ok(()) => said(StatusCode::OK, &json!({ "entries": entries })),
        Err(error) => wrong(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
    }
}

async fn entry(State(daemon): Shared, Path(seq): Path<u64>) -> Response {
    match daemon.gate.with_store(|store| Ok::<_, StoreError>((store.entry(seq)?, store.abandoned()?))) {
        Ok((Some(entry), abandoned)) => said(StatusCode::OK, &as_json(&entry, &abandoned)),
        Ok((None, _)) => wrong(StatusCode::NOT_FOUND, "no such entry"),
        Err(error) => wrong(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
    }
}

/// Whether a pause or a grant counts, by the hash of its entry.
async fn vouched(State(daemon): Shared, Path(hash): Path<String>) -> Response {
    if daemon.gate.is_vouched(&hash) {
        said(StatusCode::OK, &json!({ "vouched": true }))
    } else {
        wrong(StatusCode::NOT_FOUND, "no person has told this daemon about it")
    }
}

/// S5: a pause or a grant that a person has just recorded counts from now on.
async fn vouch(
    State(daemon): Shared,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Path(entry): Path<u64>,
) -> Response {
    if let Err(refused) = person_at(&daemon, peer).await {
        return refused;
    }
    match daemon.gate.vouch(entry) {
        Ok(()) => said(StatusCode::OK, &json!({ "vouched": true })),
        Err(error) => wrong(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()),
    }
}

async fn stop(State(daemon): Shared, ConnectInfo(peer): ConnectInfo<Peer>) -> Response {
    if let Err(refused) = person_at(&daemon, peer).await {
        return refused;
    }
    daemon.stop.notify_one();
    said(StatusCode::OK, &json!({ "stopping": true }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [A3]
    #[tokio::test]
    async fn work_ends_with_whoever_wanted_it() {
        let (held, ended) = tokio::sync::oneshot::channel::<()>();
        let work = Working(tokio::spawn(async move {
            std::future::pending::<()>().await;
            drop(held);
            Value::Null
        }));
        tokio::task::yield_now().await;
        drop(work);
        assert!(ended.await.is_err(), "what the work held is gone");
    }
}
