//! Settings from made-up machines: which values count, what is said about the rest, and what a repository
//! cannot do.

mod fetched;
mod mistakes;
mod sources;
mod trust;
mod versions;
mod writing;

use std::path::Path;

use portcullis_decide::rules::{List, Source};
use portcullis_decide::{Mode, ToolCall, decide};
use serde_json::json;

use super::*;

/// A machine of its own, in a folder that goes away.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        Machine { folder: tempfile::tempdir().unwrap() }
    }

    fn places(&self) -> Places {
        let at = |name: &str| self.folder.path().join(name);
        Places {
            home: at("home"),
            config: at("home/.config/portcullis"),
            state: at("home/.local/state/portcullis"),
            managed: at("etc/portcullis"),
            project: at("proj"),
        }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn load(&self) -> Loaded {
        load(&self.places(), &Overrides::default())
    }
}

const USER: &str = "home/.config/portcullis/settings.json";

const PROJECT: &str = "proj/.portcullis/settings.json";

const LOCAL: &str = "proj/.portcullis/settings.local.json";

const MANAGED: &str = "etc/portcullis/settings.json";

fn rules(loaded: &Loaded) -> Vec<(&'static str, &'static str, String)> {
    loaded
        .settings
        .rules()
        .iter()
        .map(|it| (it.origin.source.name(), it.list.name(), it.text.clone()))
        .collect()
}

fn said(loaded: &Loaded) -> String {
    let line = |it: &Problem| format!("{}: {it}", it.severity.name());
    loaded.problems.iter().map(line).collect::<Vec<_>>().join("\n")
}
