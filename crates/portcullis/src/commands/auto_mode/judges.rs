//! Who judges in auto mode as the settings in force have it: the built-in judge, or a model behind it. A key is only
//! ever shown as set or not set.

use std::time::Duration;

use portcullis_classify::client;
use portcullis_classify::redact;
use portcullis_classify::settings::{ClassifierSettings, choose_model};
use portcullis_decide::rules::Origin;
use portcullis_gate::settings::{IronGate, Settings, Stages, WithOrigin};
use portcullis_gate::settle::{Model, ModelEnvironment, classifier_settings};
use serde_json::{Value, json};

use super::super::settings::origin;

/// The environment variable that names the model.
const MODEL_VARIABLE: &str = "PORTCULLIS_AUTO_MODE_MODEL";

/// A value in force, and where it stands.
pub(super) struct Chosen<T> {
    pub(super) value: T,
    pub(super) from: From,
}

/// Where a value comes from.
pub(super) enum From {
    /// Nothing else is said.
    BuiltIn,
    /// An environment variable.
    Environment(&'static str),
    /// A setting.
    Setting(Origin),
}

/// The key for the model's server.
pub(super) enum Key {
    /// The server needs none.
    NotNeeded,
    /// This variable has a value.
    Set(String),
    /// This variable has none.
    Missing(String),
}

/// Who judges, and how.
pub(super) struct Judges {
    /// The model that is named.
    pub(super) model: Option<Chosen<String>>,
    /// Whether it is asked: not without its key.
    pub(super) is_asked: bool,
    pub(super) server: Chosen<String>,
    pub(super) key: Chosen<Key>,
    pub(super) stages: Chosen<&'static str>,
    pub(super) iron_gate: Chosen<&'static str>,
    pub(super) timeout: Chosen<Duration>,
    pub(super) strictness: Chosen<&'static str>,
}

impl Judges {
    /// As the settings and the environment have it.
    pub(super) fn of(settings: &Settings) -> Judges {
        let environment = ModelEnvironment::of_process(None);
        let given = &settings.classifier;
        let model = named(environment.model.as_deref(), given.model.as_ref());
        let name = model.as_ref().map_or("", |model| model.value.as_str());
        let asked = classifier_settings(settings, name);
        Judges {
            is_asked: Model::configured(settings, &environment).is_some(),
            // An address may hold a password.
            server: as_asked(given.base_url.as_ref(), redact(&asked.base_url).into_owned()),
            key: as_asked(given.key_env.as_ref(), Key::of(&asked)),
            stages: chosen(given.mode.as_ref(), |stages| stages_name(*stages), "both"),
            iron_gate: chosen(given.iron_gate.as_ref(), |gate| gate_name(*gate), "closed"),
            timeout: as_asked(given.timeout.as_ref(), asked.timeout),
            strictness: chosen(
                settings.auto_mode.strict.as_ref(),
                |strict| if *strict { "strict" } else { "balanced" },
                "balanced",
            ),
            model,
        }
    }

    /// For programs.
    pub(super) fn as_json(&self) -> Value {
        let (variable, set) = match &self.key.value {
            Key::NotNeeded => (None, None),
            Key::Set(name) => (Some(name), Some(true)),
            Key::Missing(name) => (Some(name), Some(false)),
        };
        let key = json!({ "variable": variable, "set": set, "from": from(&self.key.from) });
        let with_model = |value: Value| self.model.as_ref().map(|_| value);
        json!({
            "answers": if self.is_asked { "model" } else { "built-in" },
            "model": self.model.as_ref().map(|model| one(model.value.as_str(), &model.from)),
            "server": with_model(one(self.server.value.as_str(), &self.server.from)),
            "key": with_model(key),
            "stages": one(self.stages.value, &self.stages.from),
            "iron_gate": one(self.iron_gate.value, &self.iron_gate.from),
            "timeout": one(self.timeout.value.as_secs_f64(), &self.timeout.from),
            "strictness": one(self.strictness.value, &self.strictness.from),
        })
    }
}

impl Key {
    /// What is in the variable is looked at by the same code that would send it.
    fn of(asked: &ClassifierSettings) -> Key {
        match (&asked.key_env, client::Key::from_environment(asked)) {
            (None, _) => Key::NotNeeded,
            (Some(variable), Some(_)) => Key::Set(variable.clone()),
            (Some(variable), None) => Key::Missing(variable.clone()),
        }
    }
}

fn named(environment: Option<&str>, setting: Option<&WithOrigin<String>>) -> Option<Chosen<String>> {
    let own = setting.map(|setting| setting.value.as_str());
    let value = choose_model(environment, own, None)?.to_owned();
    let from = match setting.filter(|_| choose_model(environment, None, None).is_none()) {
        Some(setting) => From::Setting(setting.origin.clone()),
        None => From::Environment(MODEL_VARIABLE),
    };
    Some(Chosen { value, from })
}

fn chosen<T, U>(setting: Option<&WithOrigin<T>>, of: impl FnOnce(&T) -> U, usual: U) -> Chosen<U> {
    match setting {
        Some(placed) => Chosen { value: of(&placed.value), from: From::Setting(placed.origin.clone()) },
        None => Chosen { value: usual, from: From::BuiltIn },
    }
}

/// What the model would be asked with, and who gave it.
fn as_asked<T, U>(setting: Option<&WithOrigin<T>>, value: U) -> Chosen<U> {
    let from = setting.map_or(From::BuiltIn, |placed| From::Setting(placed.origin.clone()));
    Chosen { value, from }
}

const fn stages_name(stages: Stages) -> &'static str {
    match stages {
        Stages::Both => "both",
        Stages::Fast => "fast",
        Stages::Thinking => "thinking",
    }
}

const fn gate_name(gate: IronGate) -> &'static str {
    match gate {
        IronGate::Closed => "closed",
        IronGate::Open => "open",
    }
}

fn one(value: impl Into<Value>, place: &From) -> Value {
    let value: Value = value.into();
    json!({ "value": value, "from": from(place) })
}

fn from(place: &From) -> Value {
    match place {
        From::BuiltIn => Value::Null,
        From::Environment(name) => json!({ "environment": name }),
        From::Setting(place) => origin(place),
    }
}
