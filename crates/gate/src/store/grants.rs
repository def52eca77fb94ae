//! Ways back (SPEC A5): what a person let pass after it was refused, bound to the same input.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};

use super::chain::{Entry, Tip};
use super::error::StoreError;
use super::ledger::{Ledger, number};
use super::query;
use crate::span::{Span, Uptime};

const ADD: &str = "INSERT INTO grant_given (session, binding, expires, uses_left, revoked, body) \
     VALUES (?1, ?2, ?3, ?4, NULL, ?5)";
const MATCHING: &str = "SELECT id, session, binding, expires, uses_left, revoked, body FROM grant_given \
     WHERE binding = ?2 AND (session IS NULL OR session = ?1) AND revoked IS NULL \
       AND (expires IS NULL OR expires > ?3) AND (uses_left IS NULL OR uses_left > 0) \
     ORDER BY uses_left IS NULL DESC, id";
const USE: &str = "UPDATE grant_given SET uses_left = uses_left - 1 \
     WHERE id = ?1 AND revoked IS NULL AND (uses_left IS NULL OR uses_left > 0)";
const REVOKE: &str = "UPDATE grant_given SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL";
const ALL: &str =
    "SELECT id, session, binding, expires, uses_left, revoked, body FROM grant_given ORDER BY id";
const ONE: &str =
    "SELECT id, session, binding, expires, uses_left, revoked, body FROM grant_given WHERE id = ?1";

/// Something that a person let pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grant {
    /// Its number, given when it is added.
    pub id: i64,
    /// The session it holds for; nothing for all.
    pub session: Option<String>,
    /// What it is bound to: the same text is made of every call, and must be equal.
    pub binding: String,
    /// When it ends, in milliseconds since 1970.
    pub expires: Option<u64>,
    /// How often it can still be used; nothing for any number of times.
    pub uses_left: Option<u32>,
    /// When it was taken back, in milliseconds since 1970.
    pub revoked: Option<u64>,
    /// The tool.
    pub tool: String,
    /// The call as people read it, without credentials.
    pub shown: String,
    /// Who gave it.
    pub who: String,
    /// Where they sat.
    pub place: String,
    /// The entry whose refusal it clears.
    pub about: Option<u64>,
    /// When it was given, in milliseconds since 1970.
    pub created: u64,
    /// The entry of the log that gave it; without one it lets nothing pass.
    pub entry: Option<Tip>,
}

/// Whether a grant still lets anything pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GrantState {
    /// It does.
    Open,
    /// It was used as often as it could be.
    Used,
    /// Its time is over.
    Expired,
    /// A person took it back.
    Revoked,
}

impl GrantState {
    /// The name that programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GrantState::Open => "open",
            GrantState::Used => "used",
            GrantState::Expired => "expired",
            GrantState::Revoked => "revoked",
        }
    }
}

impl Grant {
    /// Whether it lets anything pass at the given moment.
    #[must_use]
    pub fn state(&self, now_ms: u64) -> GrantState {
        if self.revoked.is_some() {
            GrantState::Revoked
        } else if self.uses_left == Some(0) {
            GrantState::Used
        } else if self.expires.is_some_and(|end| end <= now_ms) {
            GrantState::Expired
        } else {
            GrantState::Open
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "tool": self.tool,
            "shown": self.shown,
            "who": self.who,
            "place": self.place,
            "about": self.about,
            "created": self.created,
            "entry": self.entry.as_ref().map(|tip| json!({ "seq": tip.seq, "hash": tip.hash })),
        })
    }

    /// The terms, for the entry that gives it: an entry that says something else gives no such grant.
    #[must_use]
    pub fn terms(&self) -> Value {
        let span =
            self.expires.map(|until| Span { begun: self.created, until, uptime: Uptime::now() }.to_json());
        json!({ "session": self.session, "uses": self.uses_left, "span": span })
    }

    /// Whether the entry that it names gave it, on these terms, and both clocks say that it holds.
    fn is_given_by(&self, entry: &Entry, now_ms: u64) -> bool {
        let record = &entry.record;
        let reason = |name: &str| record.reason.get(name).and_then(Value::as_str);
        let same = self.entry.as_ref().is_some_and(|tip| tip.hash == entry.hash && tip.seq == entry.seq)
            && record.input_hash == self.binding
            && reason("type") == Some("human")
            && reason("who") == Some(&self.who);
        if !same {
            return false;
        }
        // An answer to the call itself, for the rest of its session.
        let Some(terms) = record.reason.get("grant").filter(|_| record.kind == "grant") else {
            let whole = self.uses_left.is_none() && self.expires.is_none();
            return record.kind == "call" && whole && self.session.as_ref() == Some(&record.session);
        };
        let uses = terms.get("uses").and_then(Value::as_u64);
        let in_bounds = match (uses, self.uses_left) {
            (None, None) => true,
            (Some(given), Some(left)) => u64::from(left) <= given,
            (None, Some(_)) | (Some(_), None) => false,
        };
        let span = terms.get("span").filter(|span| !span.is_null());
        let in_time = match (span.map(Span::from_json), self.expires) {
            (None, None) => true,
            (Some(Some(span)), Some(until)) => span.until == until && span.holds(now_ms, &Uptime::now()),
            (Some(None) | None, _) | (Some(Some(_)), None) => false,
        };
        in_bounds && in_time && terms.get("session").and_then(Value::as_str) == self.session.as_deref()
    }
}

impl Ledger<'_> {
    /// Adds a grant; gives back its number.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add_grant(&self, grant: &Grant) -> Result<i64, StoreError> {
        let expires = grant.expires.map(number);
        let body = grant.to_json().to_string();
        self.run(ADD, |statement| {
            statement.insert(params![grant.session, grant.binding, expires, grant.uses_left, body])
        })
    }

    /// A grant that lets the call pass now. One without end comes first, so that others are not used up.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn matching_grant(
        &self,
        session: &str,
        binding: &str,
        now_ms: u64,
    ) -> Result<Option<Grant>, StoreError> {
        matching(self.connection(), self.file(), session, binding, now_ms)
    }

    /// Uses a grant once; says whether it could still be used.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn use_grant(&self, id: i64) -> Result<bool, StoreError> {
        self.run(USE, |statement| statement.execute([id])).map(|changed| changed == 1)
    }

    /// Takes a grant back; gives it back as it was, or nothing if there was none to take back.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn revoke_grant(&self, id: i64, now_ms: u64) -> Result<Option<Grant>, StoreError> {
        let found = self.run(ONE, |statement| statement.query_row([id], grant).optional())?;
        let changed = self.run(REVOKE, |statement| statement.execute(params![id, number(now_ms)]))?;
        Ok(found.filter(|_| changed == 1))
    }
}

/// The grant that clears a call. One whose entry is not in the log, or says something else, clears nothing (S5).
pub(super) fn matching(
    connection: &Connection,
    file: &Path,
    session: &str,
    binding: &str,
    now_ms: u64,
) -> Result<Option<Grant>, StoreError> {
    let failed = |error: rusqlite::Error| StoreError::of_database(file, &error);
    let mut statement = connection.prepare_cached(MATCHING).map_err(failed)?;
    let found = statement.query_map(params![session, binding, number(now_ms)], grant).map_err(failed)?;
    for grant in found {
        let grant = grant.map_err(failed)?;
        let Some(tip) = &grant.entry else { continue };
        let entry = query::entry(connection, file, tip.seq)?;
        if entry.is_some_and(|entry| grant.is_given_by(&entry, now_ms)) {
            return Ok(Some(grant));
        }
    }
    Ok(None)
}

/// All grants, the oldest first.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<Grant>> {
    connection.prepare(ALL)?.query_map([], grant)?.collect()
}

fn grant(row: &Row<'_>) -> rusqlite::Result<Grant> {
    let body: String = row.get(6)?;
    let body: Value = serde_json::from_str(&body).unwrap_or_default();
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let moment = |value: Option<i64>| value.map(|value| u64::try_from(value).unwrap_or_default());
    Ok(Grant {
        id: row.get(0)?,
        session: row.get(1)?,
        binding: row.get(2)?,
        expires: moment(row.get(3)?),
        uses_left: row.get(4)?,
        revoked: moment(row.get(5)?),
        tool: text("tool"),
        shown: text("shown"),
        who: text("who"),
        place: text("place"),
        about: body.get("about").and_then(Value::as_u64),
        created: body.get("created").and_then(Value::as_u64).unwrap_or_default(),
        entry: body.get("entry").and_then(tip),
    })
}

fn tip(value: &Value) -> Option<Tip> {
    Some(Tip { seq: value.get("seq")?.as_u64()?, hash: value.get("hash")?.as_str()?.to_owned() })
}
