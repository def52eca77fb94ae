//! Choosing the rule that a yes leaves behind, and where it is written (SPEC H6).

use serde_json::{Value, json};

use super::editor::Editor;
use super::queue::Waiting;

/// How long a yes holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lasting {
    Session,
    Always,
}

/// Where a rule is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shelf {
    User,
    Local,
    Project,
}

impl Shelf {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Shelf::User => "user",
            Shelf::Local => "local",
            Shelf::Project => "project",
        }
    }

    pub(crate) const fn next(self) -> Shelf {
        match self {
            Shelf::User => Shelf::Local,
            Shelf::Local => Shelf::Project,
            Shelf::Project => Shelf::User,
        }
    }

    pub(crate) fn file(self, item: &Waiting) -> &str {
        match self {
            Shelf::User => &item.files.user,
            Shelf::Local => &item.files.local,
            Shelf::Project => &item.files.project,
        }
    }
}

/// One line of the choice of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Offer {
    /// This call and no other.
    Exactly,
    Rule(String),
    /// One that is typed.
    Typed,
}

/// A rule is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Choosing {
    pub(crate) id: String,
    pub(crate) lasting: Lasting,
    pub(crate) offers: Vec<Offer>,
    pub(crate) at: usize,
    pub(crate) shelf: Shelf,
    pub(crate) typed: Editor,
    /// Why the last try was not taken.
    pub(crate) problem: Option<String>,
}

impl Choosing {
    pub(crate) fn offer(&self) -> Option<&Offer> {
        self.offers.get(self.at)
    }

    /// The rule that would be given; nothing for this call alone.
    pub(crate) fn rule(&self) -> Option<String> {
        match self.offer()? {
            Offer::Exactly => None,
            Offer::Rule(rule) => Some(rule.clone()),
            Offer::Typed => Some(self.typed.text().trim().to_owned()),
        }
    }

    /// The rules that are offered for a request, narrowest first, and one that is typed.
    pub(crate) fn of(item: &Waiting, lasting: Lasting) -> Choosing {
        let exactly = (lasting == Lasting::Session).then_some(Offer::Exactly);
        let rules = item.suggestions.iter().cloned().map(Offer::Rule);
        let first = item.suggestions.first().cloned().or_else(|| exact(item)).unwrap_or_default();
        Choosing {
            id: item.id.clone(),
            lasting,
            offers: exactly.into_iter().chain(rules).chain([Offer::Typed]).collect(),
            at: 0,
            shelf: Shelf::User,
            typed: Editor::with(&first),
            problem: None,
        }
    }

    /// The answer that gives this rule.
    pub(crate) fn body(&self, rule: Option<String>) -> Value {
        match (self.lasting, rule) {
            (Lasting::Session, None) => json!({ "answer": "session" }),
            (Lasting::Session, Some(rule)) => json!({ "answer": "session", "rule": rule }),
            (Lasting::Always, rule) => {
                json!({ "answer": "always", "rule": rule, "source": self.shelf.name() })
            }
        }
    }
}

/// The rule for exactly this command, to begin with where none is proposed. A `*` in it would mean more than itself.
fn exact(item: &Waiting) -> Option<String> {
    let text = item.editable().filter(|text| !text.contains(['\n', '*']))?;
    item.input.contains_key("command").then(|| format!("{}({text})", item.tool))
}
