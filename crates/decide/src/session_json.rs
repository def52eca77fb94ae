//! What a session did, as JSON, so that every process that serves the session knows it (SPEC N3, R12).

use serde_json::{Value, json};

use crate::harm::{Category, Severity};
use crate::session::{Names, SessionFacts, Taint};

impl SessionFacts {
    /// The strictest facts: for a session that did things of which nothing is known any more.
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
        })
    }

    /// The facts of `value`; nothing if any of them is missing or not understood. Whoever calls this then takes
    /// [`SessionFacts::unknown`]: a fact that is lost must not become one that never was. Thousands of names are
    /// moved, not copied: this is done twice for each call.
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
        })
    }
}

impl Taint {
    fn to_json(&self) -> Value {
        let hard = self.severity == Severity::Hard;
        json!({ "path": self.path, "category": self.category.id(), "hard": hard, "what": self.what, "certain": self.certain, "alone": self.alone, "task": self.task })
    }

    fn from_json(value: &Value) -> Option<Taint> {
        let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
        let category = text("category")?;
        Some(Taint {
            path: text("path")?,
            category: Category::ALL.iter().copied().find(|known| known.id() == category)?,
            severity: if value.get("hard")?.as_bool()? { Severity::Hard } else { Severity::Soft },
            what: text("what")?,
            certain: value.get("certain")?.as_bool()?,
            alone: value.get("alone")?.as_bool()?,
            // Written down before tasks were told apart: it is about the whole file.
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
            tainted: Category::ALL
                .iter()
                .map(|category| Taint {
                    path: "/p/t".to_owned(),
                    category: *category,
                    severity: category.severity(),
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

    /// [A3] What was written down before tasks were told apart is about the whole file; a strange one is not understood.
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
