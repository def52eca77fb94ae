//! A made-up user with a project, and the gate in front of it.

use portcullis_decide::ToolCall;
use portcullis_gate::settings::{Overrides, Places};
use portcullis_gate::settle::ModelEnvironment;
use portcullis_gate::{Gate, Options, Request, calendar_ms};
use portcullis_shell::Dialect;
use serde_json::{Value, json};

/// A gate with settings of its own, and nothing of the machine's.
pub(crate) struct House {
    _keep: tempfile::TempDir,
    pub(crate) places: Places,
}

impl House {
    pub(crate) fn new(settings: &Value) -> House {
        let keep = tempfile::tempdir().unwrap();
        let at = |name: &str| keep.path().join(name);
        let places = Places {
            home: at("home"),
            config: at("config"),
            state: at("state"),
            managed: at("managed"),
            project: at("proj"),
        };
        for folder in [&places.home, &places.config, &places.project.join(".git")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let house = House { _keep: keep, places };
        house.settings(settings);
        house
    }

    pub(crate) fn settings(&self, settings: &Value) {
        std::fs::write(self.places.user_settings(), settings.to_string()).unwrap();
    }

    pub(crate) fn options(&self, group_commit: bool) -> Options {
        Options {
            places: self.places.clone(),
            overrides: Overrides::default(),
            environment: ModelEnvironment::default(),
            dialect: Dialect::Bash,
            group_commit,
            now: calendar_ms,
            waiting: |_| {},
            vouched: |_, _| true,
        }
    }

    pub(crate) fn gate(&self) -> Gate {
        Gate::open(self.options(false)).unwrap()
    }

    pub(crate) fn bash(&self, command: &str) -> Request {
        self.call("Bash", json!({ "command": command }))
    }

    pub(crate) fn call(&self, tool: &str, input: Value) -> Request {
        let mut call = ToolCall::new(tool, input, self.project());
        call.session = Some("s1".to_owned());
        Request::new("test", call)
    }

    pub(crate) fn project(&self) -> String {
        self.places.project.to_str().unwrap().to_owned()
    }
}

/// Settings with these rules.
pub(crate) fn rules(allow: &[&str], deny: &[&str]) -> Value {
    json!({ "permissions": { "allow": allow, "deny": deny } })
}
