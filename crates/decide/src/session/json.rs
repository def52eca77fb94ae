//! What a session did, as JSON, so that every process that serves the session knows it (SPEC N3, R12).

use serde_json::{Value, json};

use crate::detect::{self, detector};
use crate::detector::{Category, Severity};
use crate::session_facts::{Names, RenamedProgram, SessionFacts, Taint};

impl SessionFacts {
    /// The strictest facts, for a session whose facts were lost.
    #[must_use]
    pub fn unknown() -> SessionFacts {
        SessionFacts {
            directory: Some("*".to_owned()),
            shell_changed: true,
            written: Names::default(),
            created: Names::default(),
            build_changed: true,
            credentials_read: true,
            fetched: Names::default(),
            branch: None,
            tainted: Vec::new(),
            strange: true,
            stranger: true,
            redefined: true,
            names_gate: Vec::new(),
            remotes: vec!["*".to_owned()],
            copies: vec![RenamedProgram::unknown()],
        }
    }

    /// The facts as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "directory": self.directory,
            "shell_changed": self.shell_changed,
            "written": *self.written,
            "created": *self.created,
            "build_changed": self.build_changed,
            "credentials_read": self.credentials_read,
            "fetched": *self.fetched,
            "branch": self.branch,
            "tainted": self.tainted.iter().map(Taint::to_json).collect::<Vec<_>>(),
            "strange": self.strange,
            "stranger": self.stranger,
            "redefined": self.redefined,
            "names_gate": self.names_gate,
            "remotes": self.remotes,
            "copies": self.copies.iter().map(|copied| [&copied.place, &copied.name]).collect::<Vec<_>>(),
        })
    }

    /// The facts in a JSON value; `None` if any is missing or not understood. Then use [`SessionFacts::unknown`]: a
    /// fact that is lost must not count as one that never was.
    #[must_use]
    pub fn from_json(mut value: Value) -> Option<SessionFacts> {
        let mut fact = |name: &str| value.get_mut(name).map(Value::take);
        Some(SessionFacts {
            directory: text_or_null(fact("directory")?)?,
            shell_changed: fact("shell_changed")?.as_bool()?,
            written: texts(fact("written")?)?.into(),
            created: texts(fact("created")?)?.into(),
            build_changed: fact("build_changed")?.as_bool()?,
            credentials_read: fact("credentials_read")?.as_bool()?,
            fetched: texts(fact("fetched")?)?.into(),
            branch: text_or_null(fact("branch")?)?,
            tainted: fact("tainted")?.as_array()?.iter().map(Taint::from_json).collect::<Option<_>>()?,
            strange: fact("strange")?.as_bool()?,
            stranger: fact("stranger")?.as_bool()?,
            redefined: fact("redefined")?.as_bool()?,
            names_gate: texts(fact("names_gate")?)?,
            remotes: texts(fact("remotes")?)?,
            copies: copies(&fact("copies")?)?,
        })
    }
}

impl Taint {
    fn to_json(&self) -> Value {
        let hard = self.severity == Severity::Hard;
        json!({ "path": self.path, "category": self.detector.category.id(), "detector": self.detector.id, "hard": hard, "what": self.what, "certain": self.certain, "alone": self.alone, "task": self.task })
    }

    fn from_json(value: &Value) -> Option<Taint> {
        let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
        let category = text("category")?;
        let category = Category::ALL.iter().copied().find(|known| known.id() == category)?;
        // Nothing before detectors had ids, then the id of the category, or the id of a detector that this version does
        // not have: then the category says what is known.
        let id = value.get("detector").cloned().map_or(Some(None), text_or_null)?;
        let named = id.and_then(|id| detector(&id));
        Some(Taint {
            path: text("path")?,
            detector: named.or_else(|| detect::of_category(category))?,
            severity: if value.get("hard")?.as_bool()? { Severity::Hard } else { Severity::Soft },
            what: text("what")?,
            certain: value.get("certain")?.as_bool()?,
            alone: value.get("alone")?.as_bool()?,
            // Written down before each task had harm of its own: it is about the whole file.
            task: value.get("task").cloned().map_or(Some(None), text_or_null)?,
        })
    }
}

#[expect(clippy::option_option, reason = "not understood is another thing than not there")]
fn text_or_null(value: Value) -> Option<Option<String>> {
    if value.is_null() { Some(None) } else { text(value).map(Some) }
}

fn texts(value: Value) -> Option<Vec<String>> {
    match value {
        Value::Array(values) => values.into_iter().map(text).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => None,
    }
}

fn copies(value: &Value) -> Option<Vec<RenamedProgram>> {
    let copied = |pair: &Value| {
        let [place, name] = <[String; 2]>::try_from(texts(pair.clone())?).ok()?;
        Some(RenamedProgram { place, name })
    };
    value.as_array()?.iter().map(copied).collect()
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> SessionFacts {
        SessionFacts {
            directory: Some("/p/sub".to_owned()),
            written: vec!["/p/a\n\u{202e}".to_owned()].into(),
            created: vec!["/p/b".to_owned()].into(),
            fetched: vec!["/p/c".to_owned()].into(),
            branch: Some("topic".to_owned()),
            tainted: detect::detectors()
                .chain(Category::ALL.iter().filter_map(|category| detect::of_category(*category)))
                .map(|detector| Taint {
                    detector,
                    path: "/p/t".to_owned(),
                    severity: detector.severity,
                    what: "seen".to_owned(),
                    certain: true,
                    alone: true,
                    task: Some("clean".to_owned()),
                })
                .collect(),
            build_changed: true,
            ..SessionFacts::default()
        }
    }

    /// [N3], [R12]
    #[test]
    fn facts_come_back_as_they_were() {
        for facts in [SessionFacts::default(), SessionFacts::unknown(), full()] {
            assert_eq!(SessionFacts::from_json(facts.to_json()), Some(facts));
        }
    }

    /// [A3]
    #[test]
    fn a_fact_that_is_missing_or_strange_spoils_them_all() {
        let whole = full().to_json();
        for name in whole.as_object().unwrap().keys() {
            let mut less = whole.clone();
            less.as_object_mut().unwrap().shift_remove(name);
            assert_eq!(SessionFacts::from_json(less), None, "without {name}");
            let mut odd = whole.clone();
            odd[name] = json!(7);
            assert_eq!(SessionFacts::from_json(odd), None, "odd {name}");
        }
    }

    /// [A3] [N3] Harm that another version wrote down keeps its category where the detector is not known here; a
    /// strange id is not understood.
    #[test]
    fn harm_of_another_version_is_known_by_its_category() {
        let now = SessionFacts { tainted: full().tainted.into_iter().take(1).collect(), ..full() };
        let taint = now.tainted.first().unwrap();
        let named = now.to_json();
        assert_eq!(named["tainted"][0]["detector"], taint.detector.id);
        let category = taint.detector.category.id();
        let mut before_ids = named.clone();
        before_ids["tainted"][0].as_object_mut().unwrap().shift_remove("detector");
        let mut of_category = named.clone();
        of_category["tainted"][0]["detector"] = json!(category);
        let mut newer = named.clone();
        newer["tainted"][0]["detector"] = json!("git/of-a-later-version");
        for older in [before_ids, of_category, newer] {
            let read = SessionFacts::from_json(older.clone()).unwrap();
            let found = read.tainted.first().unwrap();
            assert_eq!((found.detector.id, found.detector.category), (category, taint.detector.category));
            assert_eq!((found.severity, found.certain, &found.what), (taint.severity, true, &taint.what));
        }
        let mut odd = named;
        odd["tainted"][0]["detector"] = json!(7);
        assert_eq!(SessionFacts::from_json(odd), None);
    }

    /// [A3] What was written down before each task had harm of its own is about the whole file; a strange task is not
    /// understood.
    #[test]
    fn harm_without_a_task_is_the_files() {
        let mut older = full().to_json();
        older["tainted"][0].as_object_mut().unwrap().shift_remove("task");
        let read = SessionFacts::from_json(older.clone()).unwrap();
        assert_eq!(read.tainted.first().unwrap().task, None);
        older["tainted"][0]["task"] = json!(7);
        assert_eq!(SessionFacts::from_json(older), None);
    }
}
