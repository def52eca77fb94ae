//! The requests that wait, as the daemon tells them, and which of them is looked at.

use serde_json::{Map, Value};

/// What stands in the place of a credential.
const REDACTED: &str = "[redacted: ";

/// A part of the command that the question is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    /// Where it begins, in bytes.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
    pub(crate) why: String,
}

/// The files that an answer for always can write to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Files {
    pub(crate) user: String,
    pub(crate) local: String,
    pub(crate) project: String,
}

/// A request that waits.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Waiting {
    pub(crate) id: String,
    /// Since when, in milliseconds since 1970.
    pub(crate) since: u64,
    /// When it is denied if nobody answers.
    pub(crate) deadline: u64,
    pub(crate) session: String,
    pub(crate) agent: String,
    pub(crate) worker: Option<String>,
    pub(crate) tool: String,
    pub(crate) input: Map<String, Value>,
    pub(crate) cwd: String,
    /// Where the session began; rules of the project are written there.
    pub(crate) root: String,
    pub(crate) mode: String,
    pub(crate) message: String,
    pub(crate) trace: Vec<(String, String)>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) suggestions: Vec<String>,
    /// How often people said no to calls like this one.
    pub(crate) refused: u64,
    /// The rule that would say no from now on, where it is time to offer it (N4).
    pub(crate) deny_rule: Option<String>,
    pub(crate) files: Files,
}

impl Waiting {
    /// Reads one item of the daemon's list. Nothing if it has no name: then it cannot be answered either.
    pub(crate) fn read(value: &Value) -> Option<Waiting> {
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let some = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let number = |name: &str| value.get(name).and_then(Value::as_u64).unwrap_or_default();
        let list = |name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let step = |step: &Value| {
            let part = |name: &str| step.get(name)?.as_str().map(str::to_owned);
            Some((part("step")?, part("outcome")?))
        };
        let suggestion = |rule: &Value| rule.as_str().map(str::to_owned).filter(|rule| is_whole(rule));
        Some(Waiting {
            id: some("id")?,
            since: number("since_ms"),
            deadline: number("deadline_ms"),
            session: text("session"),
            agent: text("agent"),
            worker: some("worker"),
            tool: text("tool"),
            input: value.get("input").and_then(Value::as_object).cloned().unwrap_or_default(),
            cwd: text("cwd"),
            root: some("root").unwrap_or_else(|| text("cwd")),
            mode: text("mode"),
            message: text("message"),
            trace: list("trace").iter().filter_map(step).collect(),
            marks: list("marks").iter().filter_map(mark).collect(),
            suggestions: list("suggestions").iter().filter_map(suggestion).collect(),
            refused: number("refused"),
            deny_rule: some("deny_rule").filter(|rule| is_whole(rule)),
            files: Files::default(),
        })
    }

    /// The field that the call is about, and its text.
    pub(crate) fn subject(&self) -> Option<(&str, &str)> {
        const FIELDS: &[&str] =
            &["command", "file_path", "notebook_path", "url", "prompt", "query", "pattern"];
        FIELDS.iter().find_map(|name| Some((*name, self.input.get(*name)?.as_str()?)))
    }

    /// One line about it.
    pub(crate) fn summary(&self) -> String {
        let text = match self.subject() {
            Some((_, text)) => text.to_owned(),
            None => Value::Object(self.input.clone()).to_string(),
        };
        format!("{} {}", self.tool, text.replace('\n', " ; "))
    }

    /// The text to edit: the command, or the whole input of other calls. Nothing where a credential is not shown:
    /// the placeholder would be run in its place.
    pub(crate) fn editable(&self) -> Option<String> {
        let whole = Value::Object(self.input.clone()).to_string();
        if !is_whole(&whole) {
            return None;
        }
        match self.subject() {
            Some(("command", text)) => Some(text.to_owned()),
            Some(_) | None => Some(whole),
        }
    }

    /// The input with the edited text in it.
    pub(crate) fn edited(&self, text: &str) -> Result<Value, String> {
        if let Some(("command", _)) = self.subject() {
            let mut input = self.input.clone();
            input.insert("command".to_owned(), Value::String(text.to_owned()));
            return Ok(Value::Object(input));
        }
        match serde_json::from_str(text) {
            Ok(input @ Value::Object(_)) => Ok(input),
            Ok(_) => Err("the input has to be a JSON object".to_owned()),
            Err(error) => Err(format!("that is no JSON: {error}")),
        }
    }
}

fn is_whole(text: &str) -> bool {
    !text.contains(REDACTED)
}

fn mark(value: &Value) -> Option<Mark> {
    let place = |name: &str| usize::try_from(value.get(name)?.as_u64()?).ok();
    Some(Mark { start: place("start")?, end: place("end")?, why: value.get("why")?.as_str()?.to_owned() })
}

/// Reads the daemon's list.
pub(crate) fn read(value: &Value) -> Option<(u64, Vec<Waiting>)> {
    let version = value.get("version")?.as_u64()?;
    Some((version, value.get("waiting")?.as_array()?.iter().filter_map(Waiting::read).collect()))
}

/// What waits, and which of it is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    items: Vec<Waiting>,
    at: usize,
}

/// Whether another request is looked at than before, without anybody having chosen it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Looked {
    AtTheSame,
    AtAnother,
}

impl Queue {
    pub(crate) fn items(&self) -> &[Waiting] {
        &self.items
    }

    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn selected(&self) -> Option<&Waiting> {
        self.items.get(self.at)
    }

    pub(crate) fn find(&self, id: &str) -> Option<&Waiting> {
        self.items.iter().find(|item| item.id == id)
    }

    /// Takes a new list. What was looked at stays so while it waits.
    pub(crate) fn replace(&mut self, items: Vec<Waiting>) -> Looked {
        let before = self.selected().map(|item| item.id.clone());
        self.items = items;
        let place = self.items.iter().position(|item| Some(&item.id) == before.as_ref());
        self.at = place.unwrap_or(self.at).min(self.items.len().saturating_sub(1));
        if self.selected().map(|item| &item.id) == before.as_ref() {
            Looked::AtTheSame
        } else {
            Looked::AtAnother
        }
    }

    pub(crate) fn up(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    pub(crate) fn down(&mut self) {
        self.at = self.at.saturating_add(1).min(self.items.len().saturating_sub(1));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    /// A request as the daemon tells it.
    pub(crate) fn item(id: &str, command: &str) -> Waiting {
        let mut item = Waiting::read(&json!({
            "id": id, "since_ms": 1_000_000, "deadline_ms": 1_540_000, "session": "s1", "agent": "claude-code",
            "worker": null, "tool": "Bash", "input": { "command": command }, "cwd": "/home/dev/proj",
            "root": "/home/dev/proj", "mode": "default", "message": "no rule covers `git push`",
            "reason": { "type": "parts" }, "trace": [{ "step": "F1 deny rules", "outcome": "none", "micros": 3 }],
            "marks": [{ "start": 0, "end": 8, "why": "External writes nobody asked for" }],
            "suggestions": ["Bash(git push)", "Bash(git push:*)"], "refused": 0, "deny_rule": null,
        }))
        .unwrap();
        item.files = Files {
            user: "/home/dev/.config/portcullis/settings.json".to_owned(),
            local: "/home/dev/proj/.portcullis/settings.local.json".to_owned(),
            project: "/home/dev/proj/.portcullis/settings.json".to_owned(),
        };
        item
    }

    #[test]
    fn what_is_looked_at_stays_while_it_waits() {
        let mut queue = Queue::default();
        let three = || vec![item("a-1", "x"), item("a-2", "y"), item("a-3", "z")];
        assert_eq!(queue.replace(three()), Looked::AtAnother);
        queue.down();
        assert_eq!(queue.replace(vec![item("a-2", "y"), item("a-3", "z")]), Looked::AtTheSame);
        assert_eq!(queue.selected().unwrap().id, "a-2");
        assert_eq!(queue.replace(vec![item("a-3", "z")]), Looked::AtAnother);
        assert_eq!(queue.replace(Vec::new()), Looked::AtAnother);
        queue.up();
        queue.down();
        assert_eq!(queue.selected(), None);
    }

    /// [C18]
    #[test]
    fn a_placeholder_is_never_put_into_the_place_of_a_credential() {
        let hidden = item("a-1", "curl -H 'authorization: [redacted: bearer]' https://example.com");
        assert_eq!(hidden.editable(), None);
        let mut value = json!({ "id": "a-1", "suggestions": ["Bash(x [redacted: token])"] });
        value["deny_rule"] = json!("Bash(x [redacted: token])");
        let read = Waiting::read(&value).unwrap();
        assert!(read.suggestions.is_empty() && read.deny_rule.is_none());
    }

    /// [T5]
    #[test]
    fn an_edit_leaves_the_other_fields_as_they_are() {
        let mut call = item("a-1", "git push");
        call.input.insert("timeout".to_owned(), json!(5));
        assert_eq!(call.edited("git push -n").unwrap(), json!({ "command": "git push -n", "timeout": 5 }));
        call.input.remove("command");
        assert_eq!(call.edited(r#"{"url":"x"}"#).unwrap(), json!({ "url": "x" }));
        assert!(call.edited("[]").is_err() && call.edited("{").is_err());
    }
}
