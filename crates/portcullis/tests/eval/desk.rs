//! A folder with cases, and the program run in it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

pub(crate) struct Desk {
    pub(crate) folder: tempfile::TempDir,
}

/// A case of a command that is asked about.
pub(crate) fn case(id: &str, expect: &str) -> Value {
    json!({ "id": id, "expect": expect, "tool": "Bash", "input": { "command": "frobnicate --all" } })
}

impl Desk {
    pub(crate) fn empty() -> Desk {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn with(cases: &[Value]) -> Desk {
        let desk = Desk::empty();
        desk.write("cases.jsonl", cases);
        desk
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, rows: &[Value]) {
        let lines: Vec<String> = rows.iter().map(|row| format!("{row}\n")).collect();
        std::fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        std::fs::write(self.at(name), lines.concat()).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap_or_default()
    }

    /// The names in the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn prepared(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        let mut command = self.prepared(assert_cmd::cargo::cargo_bin("portcullis"));
        command.arg("eval").args(arguments).output().unwrap()
    }

    /// The exit code, and everything that was said.
    pub(crate) fn eval(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.output(arguments);
        (output.status.code().unwrap(), said(&output))
    }

    /// What it said for programs; if that cannot be read, what it said.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.output(&[&["--json"], arguments].concat());
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| json!({ "error": error.to_string(), "said": said(&output) }))
    }
}

/// Everything that was said.
pub(crate) fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}
