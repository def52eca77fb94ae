//! Grants (SPEC A5): permissions that a person gave for one past denial, bound to the same input.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};

use super::chain::{Entry, Tip};
use super::error::StoreError;
use super::ledger::Ledger;
use super::query;
use super::schema::number;
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

/// A person's permission for one past denial.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grant {
    /// Its number, assigned when it is added.
    pub id: i64,
    /// The session it holds for; `None` for all.
    pub session: Option<String>,
    /// The hash of the call it is bound to ([`Record::hash_of`](super::Record::hash_of)).
    pub binding: String,
    /// When it expires, in milliseconds since 1970.
    pub expires: Option<u64>,
    /// How often it can still be used; `None` for any number of times.
    pub uses_left: Option<u32>,
    /// When it was revoked, in milliseconds since 1970.
    pub revoked: Option<u64>,
    /// The tool of the call.
    pub tool: String,
    /// The call for people, without credentials.
    pub shown: String,
    /// The person who gave it.
    pub who: String,
    /// Their terminal.
    pub place: String,
    /// The log entry of the denial that it clears.
    pub about: Option<u64>,
    /// When it was given, in milliseconds since 1970.
    pub created: u64,
    /// The log entry that gives it; without one it has no effect.
    pub entry: Option<Tip>,
}

/// Whether a grant is still in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GrantState {
    /// It is in force.
    Open,
    /// It was used up.
    Used,
    /// It has expired.
    Expired,
    /// A person revoked it.
    Revoked,
}

impl GrantState {
    /// The word in JSON.
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
    /// Its state at the given moment.
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

    /// Its terms as its log entry has them: an entry with other terms gives no such grant.
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
    /// Adds a grant and returns its number.
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

    /// Uses a grant once; false if it could no longer be used.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn use_grant(&self, id: i64) -> Result<bool, StoreError> {
        self.run(USE, |statement| statement.execute([id])).map(|changed| changed == 1)
    }

    /// Revokes a grant and returns it as it was; `None` if there was none to revoke.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn revoke_grant(&self, id: i64, now_ms: u64) -> Result<Option<Grant>, StoreError> {
        let found = self.run(ONE, |statement| statement.query_row([id], grant).optional())?;
        let changed = self.run(REVOKE, |statement| statement.execute(params![id, number(now_ms)]))?;
        Ok(found.filter(|_| changed == 1))
    }
}

/// The grant that clears a call; one without end comes first, so that others are not used up. One whose entry is not in the
/// log, says something else, or is not vouched for by its hash clears nothing (S5).
pub(super) fn matching(
    connection: &Connection,
    file: &Path,
    session: &str,
    binding: &str,
    now_ms: u64,
    vouched: impl Fn(&str) -> bool,
) -> Result<Option<Grant>, StoreError> {
    let failed = |error: rusqlite::Error| StoreError::of_database(file, &error);
    let mut statement = connection.prepare_cached(MATCHING).map_err(failed)?;
    let found = statement.query_map(params![session, binding, number(now_ms)], grant).map_err(failed)?;
    for grant in found {
        let grant = grant.map_err(failed)?;
        let Some(tip) = &grant.entry else { continue };
        let entry = query::entry(connection, file, tip.seq)?;
        if entry.is_some_and(|entry| grant.is_given_by(&entry, now_ms)) && vouched(&tip.hash) {
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
