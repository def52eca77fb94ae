//! What is kept about each session, shared by every process that serves it (SPEC N3).

use portcullis_decide::session::{Denials, SessionFacts};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};

use super::error::StoreError;
use super::ledger::Ledger;
use super::memory;
use super::schema::number;

const ONE: &str =
    "SELECT session.body, facts.body FROM session LEFT JOIN facts ON facts.session = id WHERE id = ?1";
const ALL: &str = "SELECT session.body, facts.body FROM session LEFT JOIN facts ON facts.session = id \
     ORDER BY last DESC, id";
const PUT: &str = "INSERT INTO session (id, last, body) VALUES (?1, ?2, ?3) \
     ON CONFLICT (id) DO UPDATE SET last = excluded.last, body = excluded.body";
/// Facts can be long and change seldom: what did not change is not written again.
const PUT_FACTS: &str = "INSERT INTO facts (session, body) VALUES (?1, ?2) \
     ON CONFLICT (session) DO UPDATE SET body = excluded.body WHERE body IS NOT excluded.body";

/// What the store knows of a session, shared by every process that serves it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SessionRow {
    /// Its id.
    pub id: String,
    /// The agent.
    pub agent: String,
    /// The trusted project root, fixed when the session started (T1).
    pub root: String,
    /// The session that started it (H5).
    pub parent: Option<String>,
    /// Whether no person is at the agent (M1).
    pub headless: bool,
    /// Its denial counters (N1).
    pub denials: Denials,
    /// What its calls did (R12).
    pub facts: SessionFacts,
    /// The only tools that it may use; `None` for no limit (H5).
    pub allowed_tools: Option<Vec<String>>,
    /// How often people refused calls of each shape (N4).
    pub refused: Vec<(String, u32)>,
    /// Allow rules that a person gave for the session (H6).
    pub rules: Vec<String>,
    /// When it was first seen, in milliseconds since 1970.
    pub created: u64,
    /// When it was last seen, in milliseconds since 1970.
    pub last: u64,
    /// Whether it has made a call; before that, only its prompts are known.
    pub begun: bool,
    /// The prompts that its host reported, oldest first, without credentials.
    pub prompts: Vec<String>,
    /// Whether older prompts were dropped.
    pub prompts_lost: bool,
    /// The path of its transcript.
    pub transcript_path: Option<String>,
    /// Why no words of its user were known at the last call, if none were.
    pub unread: Option<String>,
}

impl Ledger<'_> {
    /// The session with this id.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn session(&self, id: &str) -> Result<Option<SessionRow>, StoreError> {
        let texts = self.run(ONE, |statement| statement.query_row([id], texts).optional())?;
        texts.map(|texts| self.row(&texts)).transpose()
    }

    /// Writes a session.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put_session(&self, row: &SessionRow) -> Result<(), StoreError> {
        let body = row.to_json().to_string();
        let facts = memory::text_of(&row.facts);
        self.run(PUT, |statement| statement.execute(params![row.id, number(row.last), body]))?;
        self.run(PUT_FACTS, |statement| statement.execute(params![row.id, facts]))?;
        Ok(())
    }

    fn row(&self, texts: &Texts) -> Result<SessionRow, StoreError> {
        row_of(texts).ok_or_else(|| StoreError::damaged(self.file(), "a session in it cannot be read"))
    }
}

/// All sessions, the latest first; nothing for one that cannot be read.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<Option<SessionRow>>> {
    let mut statement = connection.prepare(ALL)?;
    let rows = statement.query_map([], texts)?;
    rows.map(|texts| texts.map(|texts| row_of(&texts))).collect()
}

/// One session; nothing inside if it cannot be read.
#[expect(clippy::option_option, reason = "not understood is another thing than not there")]
pub(super) fn one(connection: &Connection, id: &str) -> rusqlite::Result<Option<Option<SessionRow>>> {
    let texts = connection.prepare_cached(ONE)?.query_row([id], texts).optional()?;
    Ok(texts.map(|texts| row_of(&texts)))
}

type Texts = (String, Option<String>);

fn texts(row: &Row<'_>) -> rusqlite::Result<Texts> {
    Ok((row.get(0)?, row.get(1)?))
}

fn row_of((body, facts): &Texts) -> Option<SessionRow> {
    let facts = facts.as_deref().and_then(memory::facts_of);
    // FAIL-CLOSED(lost-facts): a session of which it is not known what it did may have done anything.
    let facts = facts.unwrap_or_else(SessionFacts::unknown);
    SessionRow::from_json(&serde_json::from_str(body).ok()?, facts)
}

impl SessionRow {
    /// The session as the store has it, with what this call says of it.
    pub(crate) fn brought_up(self, known: Option<SessionRow>) -> SessionRow {
        match known {
            Some(known) if known.begun => {
                SessionRow { transcript_path: self.transcript_path, unread: self.unread, ..known }
            }
            Some(SessionRow { prompts, prompts_lost, .. }) => SessionRow { prompts, prompts_lost, ..self },
            None => self,
        }
    }

    /// Everything but the facts.
    fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "agent": self.agent,
            "root": self.root,
            "parent": self.parent,
            "headless": self.headless,
            "consecutive": self.denials.consecutive,
            "total": self.denials.total,
            "by_people": self.denials.by_people,
            "allowed_tools": self.allowed_tools,
            "refused": self.refused,
            "rules": self.rules,
            "created": self.created,
            "last": self.last,
            "begun": self.begun,
            "prompts": self.prompts,
            "prompts_lost": self.prompts_lost,
            "talk": self.transcript_path,
            "unread": self.unread,
        })
    }

    fn from_json(value: &Value, facts: SessionFacts) -> Option<SessionRow> {
        let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
        let count = |name: &str| u32::try_from(value.get(name)?.as_u64()?).ok();
        let moment = |name: &str| value.get(name)?.as_u64();
        Some(SessionRow {
            id: text("id")?,
            agent: text("agent")?,
            root: text("root")?,
            parent: unless_null(value.get("parent")?, |parent| parent.as_str().map(str::to_owned))?,
            headless: value.get("headless")?.as_bool()?,
            denials: Denials {
                consecutive: count("consecutive")?,
                total: count("total")?,
                by_people: count("by_people")?,
            },
            facts,
            allowed_tools: unless_null(value.get("allowed_tools")?, |tools| {
                tools.as_array()?.iter().map(|tool| tool.as_str().map(str::to_owned)).collect()
            })?,
            refused: value.get("refused")?.as_array()?.iter().map(refused).collect::<Option<_>>()?,
            // Rules that cannot be read allow nothing.
            rules: value.get("rules").and_then(Value::as_array).map_or_else(Vec::new, |rules| {
                rules.iter().filter_map(|rule| rule.as_str().map(str::to_owned)).collect()
            }),
            created: moment("created")?,
            last: moment("last")?,
            // Earlier programs kept a session from its first call on, and no prompts.
            begun: value.get("begun").and_then(Value::as_bool).unwrap_or(true),
            prompts: value.get("prompts").map_or(Some(Vec::new()), texts_of)?,
            prompts_lost: value.get("prompts_lost").and_then(Value::as_bool).unwrap_or_default(),
            transcript_path: text("talk"),
            unread: text("unread"),
        })
    }
}

/// Null is a value that is not there; anything else must be understood.
#[expect(clippy::option_option, reason = "not understood is another thing than not there")]
fn unless_null<T>(value: &Value, read: impl FnOnce(&Value) -> Option<T>) -> Option<Option<T>> {
    if value.is_null() { Some(None) } else { read(value).map(Some) }
}

fn texts_of(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn refused(pair: &Value) -> Option<(String, u32)> {
    Some((pair.get(0)?.as_str()?.to_owned(), u32::try_from(pair.get(1)?.as_u64()?).ok()?))
}
