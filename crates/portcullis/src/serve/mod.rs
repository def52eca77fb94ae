//! The daemon: everything that must wait, behind a Unix socket that only its owner can use.

mod api;
mod arrivals;
mod delivery;
mod quick;
mod socket;
mod start;
mod upkeep;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use portcullis_client as client;
use portcullis_gate::{Gate, Options};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;

pub(crate) use start::start_on_demand;

/// How often the configuration from elsewhere is fetched again (C12).
const REFRESH: Duration = Duration::from_mins(30);
/// How long requests that are under way may take when the daemon stops.
const GRACE: Duration = Duration::from_secs(5);

/// What every request shares.
pub(crate) struct Daemon {
    pub(crate) gate: Gate,
    pub(crate) state: PathBuf,
    pub(crate) environment: String,
    pub(crate) began: Instant,
    /// Seconds since the start at which somebody last asked something.
    pub(crate) last: AtomicU64,
    pub(crate) asked: AtomicU64,
    pub(crate) stop: Notify,
}

impl Daemon {
    /// Somebody is there.
    pub(crate) fn touch(&self) {
        self.stay();
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// Somebody is still there.
    pub(crate) fn stay(&self) {
        self.last.store(self.began.elapsed().as_secs(), Ordering::Relaxed);
    }

    fn idle(&self) -> Duration {
        self.began.elapsed().saturating_sub(Duration::from_secs(self.last.load(Ordering::Relaxed)))
    }
}

/// Serves until it is stopped, or nobody asked for `idle`.
pub(crate) fn run(idle: Option<Duration>, ready: impl FnOnce(&Path)) -> Result<(), String> {
    let options = Options { group_commit: true, ..Options::of_process() };
    let state = options.places.state.clone();
    let Some(_lock) = socket::lock(&state)? else {
        return Err("a daemon is running already; stop it with `portcullis serve --stop`".to_owned());
    };
    let gate = Gate::open(options).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start: {error}"))?;
    let daemon = Arc::new(Daemon {
        gate,
        state: state.clone(),
        environment: client::environment(),
        began: Instant::now(),
        last: AtomicU64::new(0),
        asked: AtomicU64::new(0),
        stop: Notify::new(),
    });
    let served = runtime.block_on(serve(Arc::clone(&daemon), &state, idle, ready));
    runtime.shutdown_timeout(GRACE);
    // A socket without a daemon behind it would only be in the way.
    drop(std::fs::remove_file(client::socket(&state)));
    served
}

async fn serve(
    daemon: Arc<Daemon>,
    state: &Path,
    idle: Option<Duration>,
    ready: impl FnOnce(&Path),
) -> Result<(), String> {
    let path = client::socket(state);
    let listener = socket::listen(&path)?;
    let (sender, others) = tokio::sync::mpsc::unbounded_channel();
    let deliveries = delivery::Deliveries::new(daemon.gate.clone());
    let quick = quick::Quick::start(Arc::clone(&daemon), listener, Arc::clone(&deliveries), sender)?;
    let others = socket::Others { received: others, deliveries: Arc::clone(&deliveries) };
    ready(&path);
    let refreshing = tokio::spawn(refresh(Arc::clone(&daemon)));
    let keeping = tokio::spawn(upkeep::run(daemon.gate.clone()));
    let ending = Arc::clone(&daemon);
    let routes = api::routes(Arc::clone(&daemon)).into_make_service_with_connect_info::<socket::Peer>();
    let served = axum::serve(others, routes).with_graceful_shutdown(async move {
        until_over(&ending, idle).await;
        // Who comes from now on finds nobody, and judges by themselves.
        drop(std::fs::remove_file(&path));
        // Whoever waits is told no (F10c), and then the connections end.
        ending.gate.stop();
    });
    let served = tokio::spawn(served.into_future());
    let late = async {
        daemon.gate.stopped().await;
        tokio::time::sleep(GRACE).await;
    };
    let over = tokio::select! {
        over = served => match over {
            Ok(over) => over.map_err(|error| format!("cannot serve: {error}")),
            Err(_) => Err("serving broke off because of a mistake in portcullis".to_owned()),
        },
        // FAIL-CLOSED(cut-off): whoever still waits, for a model say, sees the connection end, which is a no.
        () = late => Ok(()),
    };
    quick.finish(GRACE).await;
    deliveries.finish(GRACE).await;
    refreshing.abort();
    keeping.abort();
    over
}

/// Comes back when the daemon should end.
async fn until_over(daemon: &Daemon, idle: Option<Duration>) {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return daemon.stop.notified().await;
    };
    let rest = async {
        let Some(idle) = idle else { return std::future::pending().await };
        loop {
            tokio::time::sleep(idle.saturating_sub(daemon.idle()).max(Duration::from_millis(100))).await;
            let waiting = !daemon.gate.approvals().waiting().1.is_empty();
            if daemon.idle() >= idle && !waiting {
                return;
            }
        }
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        () = daemon.stop.notified() => {}
        () = rest => {}
    }
}

async fn refresh(daemon: Arc<Daemon>) {
    loop {
        daemon.gate.refresh_remote().await;
        tokio::time::sleep(REFRESH).await;
    }
}

/// The description of the API.
pub(crate) const fn openapi() -> &'static str {
    api::OPENAPI
}
