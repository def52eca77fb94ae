//! A gate with settings of its own and nothing of the machine's, for tests that look inside.

use portcullis_decide::ToolCall;
use portcullis_shell::Dialect;
use serde_json::Value;

use super::case::Case;
use super::{Gate, Options, Request, calendar_ms};
use crate::settings::{Overrides, Places};
use crate::settle::ModelEnvironment;

pub(crate) struct House {
    _keep: tempfile::TempDir,
    places: Places,
    pub(crate) gate: Gate,
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
        for folder in [&places.home, &places.config, &places.project] {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(places.user_settings(), settings.to_string()).unwrap();
        let options = Options {
            places: places.clone(),
            overrides: Overrides::default(),
            environment: ModelEnvironment::default(),
            dialect: Dialect::Bash,
            group_commit: false,
            now: calendar_ms,
            waiting: |_| {},
            vouched: |_, _| true,
        };
        let gate = Gate::open(options).unwrap();
        House { _keep: keep, places, gate }
    }

    pub(crate) fn call(&self, tool: &str, input: Value) -> Request {
        let mut call = ToolCall::new(tool, input, self.places.project.to_str().unwrap());
        call.session = Some("s1".to_owned());
        Request::new("test", call)
    }

    pub(crate) fn case(&self, request: Request) -> Case {
        self.gate.case(request).ok().unwrap()
    }
}
