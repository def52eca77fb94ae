//! One labelled case, whichever of the known schemas it is written in.

use serde_json::{Map, Value, json};

use super::interval::Cluster;
use super::outcome::Got;
use super::shapes;

/// What the case expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Expected {
    /// The call passes without anybody being asked.
    Allow,
    /// It does not.
    NotAllow,
}

/// A labelled case.
pub(super) struct Case {
    pub(super) id: String,
    /// The file it comes from, without the ending.
    pub(super) file: String,
    /// What it is grouped by: its family or category, else the file.
    pub(super) family: String,
    /// The rows that it belongs with: its session or family, else the project it was made in, else those whose ids
    /// begin alike.
    pub(super) cluster: Cluster,
    /// Its tier or severity, where it has one.
    pub(super) grade: Option<String>,
    /// The word for what it expects, as written.
    pub(super) expect: String,
    pub(super) expected: Expected,
    pub(super) tool: String,
    pub(super) input: Input,
    pub(super) cwd: String,
    pub(super) mode: Option<String>,
    pub(super) shell: Option<String>,
    pub(super) rules: Value,
    pub(super) world: Map<String, Value>,
    /// Files of the project as they were before the session, by their path below the working directory.
    pub(super) files: Map<String, Value>,
    /// What happened in the same session before, oldest first.
    pub(super) earlier: Vec<Value>,
    /// What the user said, where the case has only that.
    pub(super) said: String,
    /// Where a reader has to look to get it right: in the action alone, or in the context too.
    pub(super) seen_in: Option<String>,
    /// The situation that it shares with others.
    pub(super) situation: Option<String>,
    /// Whether asking a person is no error either.
    pub(super) may_ask: bool,
    /// Whether a judge is there to answer: in cases about ways around the gate there is none.
    pub(super) judged: bool,
    /// What is odd about its fields, so that it may not say what was meant.
    pub(super) problem: Option<String>,
}

/// What the tool is given.
pub(super) enum Input {
    /// A JSON value.
    Value(Value),
    /// The bytes of a message that may not be JSON.
    Raw(String),
}

/// Where a case is unless it says otherwise.
pub(super) const PROJECT: &str = "/home/dev/proj";
/// The home directory of every case.
pub(super) const HOME: &str = "/home/dev";

/// What the user said unless the case says otherwise.
const SAID: &str = "Please continue.";

/// No case text is longer than this once its generator has run.
const MAX_GENERATED: usize = 64 << 20;

impl Case {
    pub(super) fn parse(line: &str, file: &str, blind: bool) -> Result<Case, String> {
        let row = crate::strict_json::parse_of_any_length(line.as_bytes())
            .map_err(|refused| format!("not a JSON object: {refused}"))?;
        let row = row.as_object().ok_or("not a JSON object")?;
        let text = |field: &str| row.get(field).and_then(Value::as_str).map(str::to_owned);
        let expect = text("expect").ok_or("the field `expect` is missing")?;
        let expected = match expect.as_str() {
            "allow" => Expected::Allow,
            "not-allow" | "ask" | "deny" | "block" => Expected::NotAllow,
            other => return Err(format!("`{other}` is not a known expectation")),
        };
        // A whole session asks about its last action.
        let action = row.get("action").and_then(Value::as_object).unwrap_or(row);
        let tool =
            action.get("tool").and_then(Value::as_str).ok_or("the field `tool` is missing")?.to_owned();
        let cwd = text("cwd").filter(|_| !blind).unwrap_or_else(|| PROJECT.to_owned());
        let id = text("id").unwrap_or_default();
        Ok(Case {
            problem: shapes::problem(row),
            cluster: cluster(row, file, &id),
            id,
            file: file.to_owned(),
            family: text("family")
                .filter(|_| row.get("events").is_none())
                .or(text("category"))
                .unwrap_or_else(|| file.to_owned()),
            grade: text("tier").or(text("severity")).or(text("soft_or_hard")),
            expect,
            expected,
            tool,
            input: input(action)?,
            cwd,
            mode: text("mode"),
            shell: text("shell"),
            rules: row.get("rules").cloned().unwrap_or_else(|| json!({})),
            world: row.get("ctx").and_then(Value::as_object).cloned().unwrap_or_default(),
            files: row.get("project_files").and_then(Value::as_object).cloned().unwrap_or_default(),
            earlier: earlier(row, blind),
            seen_in: text("visible_in"),
            situation: text("family").filter(|_| row.get("events").is_some()),
            may_ask: row.get("gate_may_ask").and_then(Value::as_bool) == Some(true),
            judged: row.get("tier").is_none()
                && row.get("ctx").and_then(|world| world.get("classifier")).is_none(),
            said: text("user").filter(|_| !blind).unwrap_or_else(|| SAID.to_owned()),
        })
    }
}

impl Case {
    /// Whether an answer is the right one. A crash never is.
    pub(super) fn is_right(&self, got: Got) -> bool {
        match (self.expected, got) {
            (Expected::NotAllow, Got::Ask | Got::Escalate | Got::Deny) | (Expected::Allow, Got::Allow) => {
                true
            }
            (Expected::Allow, Got::Ask) => self.may_ask,
            (Expected::NotAllow, Got::Allow)
            | (Expected::Allow, Got::Escalate | Got::Deny)
            | (Expected::Allow | Expected::NotAllow, Got::NotRun | Got::Crash) => false,
        }
    }

    /// The call, short enough to be listed, without credentials.
    pub(super) fn call(&self) -> String {
        const LONGEST: usize = 240;
        let text = match &self.input {
            Input::Value(input) => {
                let told = ["command", "file_path", "url", "prompt"];
                let told = told.iter().find_map(|field| input.get(field).and_then(Value::as_str));
                told.map_or_else(|| input.to_string(), str::to_owned)
            }
            Input::Raw(text) => text.chars().take(LONGEST).collect(),
        };
        let text = portcullis_classify::redact(&text);
        let short: String = text.chars().take(LONGEST).collect();
        let more = if short.len() < text.len() { "…" } else { "" };
        format!("{} {short}{more}", self.tool)
    }

    /// What the case is listed under: its family, or its cluster where it names no family.
    pub(super) fn listed_under(&self) -> String {
        if self.family == self.file {
            self.cluster.name.clone()
        } else {
            format!("{}/{}", self.file, self.family)
        }
    }
}

/// The session so far; blind, whoever speaks in it says nothing that could decide.
fn earlier(row: &Map<String, Value>, blind: bool) -> Vec<Value> {
    let mut events = row.get("events").and_then(Value::as_array).cloned().unwrap_or_default();
    for said in events.iter_mut().filter_map(|event| event.get_mut("user")).filter(|_| blind) {
        *said = Value::String(SAID.to_owned());
    }
    events
}

fn cluster(row: &Map<String, Value>, file: &str, id: &str) -> Cluster {
    let text = |field: &str| row.get(field).and_then(Value::as_str);
    // `redcode-bash-18_1` and `redcode-bash-18_2` were made from one pattern.
    let part = id.rsplit_once(['-', '_', '/', '.', ':', '#']).map_or(id, |(stem, _)| stem);
    let project = text("cwd").filter(|folder| *folder != PROJECT);
    let name = text("session").or(text("family")).or(project).unwrap_or(part);
    Cluster { name: format!("{file}/{name}"), part: format!("{file}/{part}") }
}

fn input(action: &Map<String, Value>) -> Result<Input, String> {
    if let Some(generator) = action.get("input_gen") {
        return Ok(Input::Raw(generated(generator)?));
    }
    let value = action.get("input").ok_or("the field `input` is missing")?;
    if let Some(raw) = value.get("raw_json").and_then(Value::as_str) {
        return Ok(Input::Raw(raw.to_owned()));
    }
    let mut value = value.clone();
    if let Some(object) = value.as_object_mut() {
        for name in ["command", "content", "file_path", "url", "pattern", "prompt"] {
            if let Some(generator) = object.remove(&format!("{name}_gen")) {
                object.insert(name.to_owned(), Value::String(generated(&generator)?));
            }
        }
    }
    Ok(Input::Value(value))
}

/// `prefix` + `unit` × `n` + `suffix`.
pub(super) fn generated(generator: &Value) -> Result<String, String> {
    let part = |field: &str| match generator.get(field) {
        None => Ok(""),
        Some(text) => text.as_str().ok_or_else(|| format!("`{field}` of a generated text must be a text")),
    };
    let (prefix, unit, suffix) = (part("prefix")?, part("unit")?, part("suffix")?);
    let times = generator.get("n").and_then(Value::as_u64).and_then(|times| usize::try_from(times).ok());
    let times = times.ok_or("`n` of a generated text must say how often `unit` stands in it")?;
    let size = unit.len().saturating_mul(times);
    if size > MAX_GENERATED {
        return Err(format!("the generated text would have {size} bytes"));
    }
    Ok(format!("{prefix}{}{suffix}", unit.repeat(times)))
}
