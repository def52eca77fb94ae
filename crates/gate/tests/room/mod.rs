//! A model behind a scripted server, with the settings of a made-up user, and calls to judge.

use std::net::TcpListener;
use std::path::Path;

use portcullis_classify::judge::Strictness;
use portcullis_classify::prompt::Surroundings;
use portcullis_classify::settings::Api;
use portcullis_classify::transcript::Transcript;
use portcullis_decide::facts::Facts;
use portcullis_decide::view::View;
use portcullis_decide::{Context, Mode, ToolCall, decide};
use portcullis_gate::settings::{Overrides, Places, Settings, load};
use portcullis_gate::settle::{Model, ModelEnvironment, OutsideWords, Review, Settled};
use serde_json::{Value, json};

use crate::act::act;
use crate::support::Server;

const PROJECT: &str = "/home/dev/proj";

/// Where calls are judged.
pub(crate) struct Room {
    pub(crate) model: Model,
}

impl Room {
    /// With a model behind this address.
    pub(crate) fn at(base_url: &str) -> Room {
        Room::with(base_url, &[], &ModelEnvironment::default()).expect("a model without a key is configured")
    }

    /// With the iron gate in this position, and what else it takes to bring a failure about.
    pub(crate) fn failing(base_url: &str, gate: &str, failure: &str) -> Room {
        let mut more = vec![("ironGate", json!(gate))];
        match failure {
            "timeout" => more.push(("timeout", json!(1))),
            "not-configured" => more.push(("baseUrl", json!("no address"))),
            _ => {}
        }
        Room::with(base_url, &more, &ModelEnvironment::default()).expect("a model is configured")
    }

    /// With these settings of the classifier on top; nothing where no model is configured.
    pub(crate) fn with(
        base_url: &str,
        more: &[(&str, Value)],
        environment: &ModelEnvironment,
    ) -> Option<Room> {
        let model = Model::configured(&settings(base_url, more), environment)?;
        Some(Room { model })
    }

    /// Has a call judged in auto mode.
    pub(crate) fn settle(&self, command: &str, change: impl FnOnce(&mut Context)) -> Settled {
        self.settle_after("Please go on.", command, change)
    }

    /// The same after something the user said.
    pub(crate) fn settle_after(
        &self,
        said: &str,
        command: &str,
        change: impl FnOnce(&mut Context),
    ) -> Settled {
        hear(said, command, change, Some(&self.model))
    }
}

/// Has a call judged in auto mode, by the model or by the built-in judge alone.
pub(crate) fn hear(
    said: &str,
    command: &str,
    change: impl FnOnce(&mut Context),
    model: Option<&Model>,
) -> Settled {
    let mut context = Context::new(PROJECT, "/home/dev");
    context.facts = Facts::plain();
    context.mode = Mode::Auto;
    change(&mut context);
    let call = ToolCall::new("Bash", json!({ "command": command }), PROJECT);
    let mut transcript = Transcript::default();
    transcript.push_human(said);
    let ruling = decide(&call, &context);
    let view = View::of(&call, &context);
    let review = Review {
        call: &call,
        view: &view,
        context: &context,
        transcript: &transcript,
        strictness: Strictness::Balanced,
        outside_words: OutsideWords::nothing(),
    };
    let surroundings = Surroundings { cwd: PROJECT.into(), ..Surroundings::default() };
    match model {
        Some(model) => review.settle_waiting(ruling, model, &surroundings, &[]),
        None => review.settle(ruling),
    }
}

/// The settings of a user who has a model behind this address.
pub(crate) fn settings(base_url: &str, more: &[(&str, Value)]) -> Settings {
    let mut classifier = json!({
        "model": "judge-1", "api": "anthropic", "baseUrl": base_url, "keyEnv": "", "proxy": "none", "timeout": 60,
    });
    for (name, value) in more {
        classifier[*name] = value.clone();
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let places = Places {
        home: at("home"),
        config: at("config"),
        state: at("state"),
        managed: at("managed"),
        project: at("project"),
    };
    std::fs::create_dir(&places.config).unwrap();
    write(&places.user_settings(), &json!({ "classifier": classifier }));
    let loaded = load(&places, &Overrides::default());
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    loaded.settings
}

fn write(path: &Path, content: &Value) {
    std::fs::write(path, content.to_string()).unwrap();
}

/// A server that does these things in turn, and the last one for ever.
pub(crate) fn says(deeds: &[&str]) -> Server {
    let deeds: Vec<String> = deeds.iter().map(|&deed| deed.to_owned()).collect();
    Server::listening(move |number, heard, stream| {
        act(deeds.get(number).or(deeds.last()).unwrap(), Api::Anthropic, heard, stream);
    })
}

/// An address where nobody listens.
pub(crate) fn unreachable_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// Nobody can be asked.
pub(crate) fn nobody(context: &mut Context) {
    context.switches.avoid_prompts = true;
}
