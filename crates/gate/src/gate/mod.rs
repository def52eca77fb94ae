//! The gate itself: one call from start to finish (SPEC F0).
//!
//! Validate, ask the user's hooks, decide, let judges and people answer what is open, record, answer. An allow leaves
//! only after its record is durable; whatever goes wrong on the way is a deny.

mod case;
mod clock;
mod dialog;
mod heard;
#[cfg(test)]
mod house;
mod judge;
mod observe;
mod parts;
mod race;
mod record;
mod request;
mod settings_cache;
mod speculate;
mod transcript_cache;
mod vouched;
mod workers;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use portcullis_shell::Dialect;

pub use clock::calendar_ms;
pub use heard::HostPrompt;
pub use record::UnrecordedAnswer;
pub use request::{Answer, Changes, Conversation, Enforced, OwnCall, People, Request};

use crate::approvals::Approvals;
use crate::remote::{Refreshed, refresh};
use crate::settings::{Loaded, Overrides, Places};
use crate::settle::{FailureCounters, Model, ModelEnvironment};
use crate::store::{Pruned, SessionRow, Store, StoreError, Writer};
use record::Recorder;
use settings_cache::SettingsCache;
use speculate::Advance;
use transcript_cache::Talks;
use vouched::Vouched;

/// How a gate is set up. [`Options::of_process`] has the defaults.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folders of settings and state; the project is found for each call.
    pub places: Places,
    /// Settings from the command line.
    pub overrides: Overrides,
    /// Settings of the model from environment variables.
    pub environment: ModelEnvironment,
    /// The shell that runs the agent's commands, unless a request names another.
    pub dialect: Dialect,
    /// Whether records of several calls share one transaction: for a daemon that serves many sessions.
    pub group_commit: bool,
    /// The calendar, in milliseconds since 1970. Tests replace it.
    pub now: fn() -> u64,
    /// Called when an answer has to be waited for, with the longest wait.
    pub waiting: fn(std::time::Duration),
    /// Whether the running daemon has seen a person begin this pause or give this grant, by the hash of its log
    /// entry; true where no daemon runs. A gate with `group_commit` is that daemon and asks itself.
    pub vouched: fn(&Path, &str) -> bool,
}

impl Options {
    /// The defaults for a program that runs as the user: their settings, their shell, records one by one.
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
            vouched: |_, _| true,
        }
    }
}

/// A permission gate: it judges tool calls, records every answer, and knows the sessions. Cheap to clone; all clones
/// share one store.
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
/// println!("{}: {}", answer.enforced.name(), answer.ruling.message());
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
    /// Only a daemon has it.
    vouched: Option<Vouched>,
}

/// How many models are kept ready.
const MOST_MODELS: usize = 16;

impl Gate {
    /// Opens the gate and its store.
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
        let vouched = options
            .group_commit
            .then(|| Vouched::at_start(&options.places.state, &reader, (options.now)()))
            .transpose()?;
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
            vouched,
        };
        Ok(Gate { inside: Arc::new(inside) })
    }

    /// The requests that wait for a person.
    #[must_use]
    pub fn approvals(&self) -> &Approvals {
        &self.inside.approvals
    }

    /// The folder that holds the store.
    #[must_use]
    pub fn state(&self) -> &Path {
        &self.inside.options.places.state
    }

    /// All sessions in the store, the latest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        self.store().sessions()
    }

    /// Fetches remote settings again if an address is configured and the last fetch is old enough (C12).
    pub async fn refresh_remote(&self) {
        let places = &self.inside.options.places;
        let settings = self.inside.settings.get(places, &self.inside.options.overrides);
        let now = (self.inside.options.now)() / 1000;
        if let Refreshed::Failed(_) = refresh(places, &settings.settings, now).await {
            self.failed("remote-configuration");
        }
    }

    /// Deletes log entries beyond the setting `log.keep`, in small steps on its own connection, so that no call waits
    /// long. `None` if the setting is not set.
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

    /// Stops the gate: open requests are denied, and so is every new one.
    pub fn stop(&self) {
        self.inside.stopping.send_replace(true);
    }

    /// Waits until [`Gate::stop`] is called.
    pub async fn stopped(&self) {
        // The sender lives as long as the gate, so there is no error to wait for.
        drop(self.inside.stopping.subscribe().wait_for(|stopping| *stopping).await);
    }

    /// Failures since the gate was opened, by name: everything that was denied because something broke (A4).
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

    /// Runs a query on the store.
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
