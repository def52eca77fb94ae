//! The gate itself: one call from start to finish (SPEC F0).
//!
//! Validate, ask the user's hooks, decide, settle what is open, write it down, answer. An allow leaves only after its
//! record is durable; whatever goes wrong on the way is a deny.

mod actions;
mod approvals;
mod case;
mod clock;
mod dialog;
#[cfg(test)]
mod house;
mod judge;
mod lock;
mod observe;
mod parts;
mod pause;
mod race;
mod record;
mod request;
mod speculate;
mod talks;
mod watch;
mod workers;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use portcullis_shell::Dialect;

pub use actions::{Action, record_action};
pub use approvals::{Approvals, Choice, HumanAnswer, NotTaken, Parked};
pub use case::call_hash;
pub use clock::calendar_ms;
pub use dialog::{not_offered, with_rule};
pub use lock::{Lock, lock, locked, unlock};
pub use parts::gate_parts;
pub use pause::{Pause, pause, paused, resume};
pub use record::Judged;
pub use request::{Answer, Changes, OwnCall, People, Request, Talk, Told};
pub use workers::worker_refusal;

use crate::remote::{Refreshed, refresh_remote};
use crate::settings::{Loaded, Overrides, Places};
use crate::settle::{FailureCounters, Model, ModelEnvironment};
use crate::store::{Pruned, SessionRow, Store, StoreError, Writer};
use record::Recorder;
use speculate::Advance;
use talks::Talks;
use watch::SettingsCache;

/// How a gate is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where settings and state lie; the project is found for each call.
    pub places: Places,
    /// What the command line says.
    pub overrides: Overrides,
    /// What the environment says about the model.
    pub environment: ModelEnvironment,
    /// The shell that runs commands.
    pub dialect: Dialect,
    /// Whether many calls are written down together: for a program that serves many sessions at once.
    pub group_commit: bool,
    /// The calendar, in milliseconds since 1970.
    pub now: fn() -> u64,
    /// Told when somebody has to be waited for, and how long at most.
    pub waiting: fn(std::time::Duration),
}

impl Options {
    /// The usual places of the user that runs this program.
    #[must_use]
    pub fn of_process() -> Options {
        let places = Places::from_environment(Path::new("/"));
        let environment = ModelEnvironment::of_process(Some(places.state.join("auto-mode")));
        let zsh = std::env::var_os("SHELL").is_some_and(|shell| Path::new(&shell).ends_with("zsh"));
        Options {
            places,
            overrides: Overrides::default(),
            environment,
            dialect: if zsh { Dialect::Zsh } else { Dialect::Bash },
            group_commit: false,
            now: calendar_ms,
            waiting: |_| {},
        }
    }
}

/// A permission gate: give it calls, it says allow, deny or ask, and writes that down. Cheap to clone.
///
/// ```no_run
/// use portcullis_decide::ToolCall;
/// use portcullis_gate::{Gate, Options, Request};
/// use serde_json::json;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let gate = Gate::open(Options::of_process())?;
/// let call = ToolCall::new("Bash", json!({ "command": "git status" }), "/home/dev/proj");
/// let answer = gate.judge(Request::new("my-agent", call)).await;
/// println!("{}: {}", answer.told.name(), answer.ruling.message());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Gate {
    inside: Arc<Inside>,
}

/// The model of one version of the settings, for agents with the given model of their own.
struct Ready {
    settings: Arc<Loaded>,
    agents_own: Option<String>,
    model: Option<Arc<Model>>,
}

struct Inside {
    options: Options,
    settings: SettingsCache,
    talks: Talks,
    recorder: Recorder,
    /// For questions; writing has a connection of its own.
    reader: Mutex<Store>,
    approvals: Approvals,
    models: Mutex<Vec<Ready>>,
    stopping: tokio::sync::watch::Sender<bool>,
    failures: Mutex<FailureCounters>,
    advance: Advance,
}

/// How many models are kept ready.
const MOST_MODELS: usize = 16;

impl Gate {
    /// Opens the gate with its store.
    ///
    /// # Errors
    /// If the store cannot be opened: without a record nothing may be allowed.
    pub fn open(options: Options) -> Result<Gate, StoreError> {
        let store = Store::open(&options.places.state)?;
        let (reader, recorder) = if options.group_commit {
            (Store::open(&options.places.state)?, Recorder::Grouped(Writer::start(store)?))
        } else {
            (store, Recorder::Direct)
        };
        let inside = Inside {
            options,
            settings: SettingsCache::default(),
            talks: Talks::default(),
            recorder,
            reader: Mutex::new(reader),
            approvals: Approvals::default(),
            models: Mutex::default(),
            stopping: tokio::sync::watch::Sender::new(false),
            failures: Mutex::default(),
            advance: Advance::default(),
        };
        Ok(Gate { inside: Arc::new(inside) })
    }

    /// The requests that wait for a person.
    #[must_use]
    pub fn approvals(&self) -> &Approvals {
        &self.inside.approvals
    }

    /// The folder of the store.
    #[must_use]
    pub fn state(&self) -> &Path {
        &self.inside.options.places.state
    }

    /// The sessions that are known.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        self.store().sessions()
    }

    /// Fetches the configuration from elsewhere again, where one is named and it is time (C12).
    pub async fn refresh_remote(&self) {
        let places = &self.inside.options.places;
        let settings = self.inside.settings.get(places, &self.inside.options.overrides);
        let now = (self.inside.options.now)() / 1000;
        if let Refreshed::Failed(_) = refresh_remote(places, &settings.settings, now).await {
            self.failed("remote-configuration");
        }
    }

    /// Takes away the entries that the setting `log.keep` no longer keeps. It has a connection of its own and works in
    /// small steps, so that no call waits for it long.
    ///
    /// # Errors
    /// If the log is not whole there, or cannot be written.
    pub fn retain(&self) -> Result<Option<Pruned>, StoreError> {
        let options = &self.inside.options;
        let settings = self.inside.settings.get(&options.places, &options.overrides);
        let Some(keep) = &settings.settings.log_keep else { return Ok(None) };
        let mut store = Store::open(&options.places.state)?;
        store.retain(keep.value, (options.now)(), "the setting log.keep").map(Some)
    }

    /// Answers everything that waits with a deny, and everything that comes too.
    pub fn stop(&self) {
        self.inside.stopping.send_replace(true);
    }

    /// Comes back when the gate is being stopped.
    pub async fn stopped(&self) {
        // The sender lives as long as the gate, so there is no error to wait for.
        drop(self.inside.stopping.subscribe().wait_for(|stopping| *stopping).await);
    }

    /// What failed since the gate was opened, and how often; everything that was answered with a no because of it
    /// (A4).
    #[must_use]
    pub fn failures(&self) -> FailureCounters {
        self.inside.failures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn failed(&self, name: &str) {
        self.inside.failures.lock().unwrap_or_else(PoisonError::into_inner).count(name);
    }

    /// A look into the store.
    pub(crate) fn store(&self) -> std::sync::MutexGuard<'_, Store> {
        self.inside.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a question on the store.
    pub fn with_store<T>(&self, question: impl FnOnce(&Store) -> T) -> T {
        question(&self.store())
    }

    pub(crate) fn session(&self, id: &str) -> Result<Option<SessionRow>, StoreError> {
        self.store().session(id)
    }

    /// The model that the settings name, built once for each version of them.
    pub(crate) fn model(&self, settings: &Arc<Loaded>, agents_own: Option<&str>) -> Option<Arc<Model>> {
        let mut models = self.inside.models.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |ready: &&Ready| {
            Arc::ptr_eq(&ready.settings, settings) && ready.agents_own.as_deref() == agents_own
        };
        if let Some(ready) = models.iter().find(same) {
            return ready.model.clone();
        }
        let environment = ModelEnvironment {
            agents_own: agents_own.map(str::to_owned),
            ..self.inside.options.environment.clone()
        };
        let model = Model::configured(&settings.settings, &environment).map(Arc::new);
        if models.len() >= MOST_MODELS {
            models.remove(0);
        }
        models.push(Ready {
            settings: Arc::clone(settings),
            agents_own: agents_own.map(str::to_owned),
            model: model.clone(),
        });
        model
    }
}
