//! `portcullis grants`: what people let pass after it was refused, and taking it back (SPEC A5).

use std::process::ExitCode;

use portcullis_gate::store::{Grant, GrantState, Record, Store, StoreError};
use serde_json::{Value, json};

use super::log::{state, view};
use super::stats::now;
use crate::moment;
use crate::output::{self, CALM, DIM, STRONG, WARM, append, visible};
use crate::person;

/// What to list or take back.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Take this grant back.
    #[arg(long, value_name = "ID")]
    revoke: Option<i64>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Lists the grants, or takes one back.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let done = match arguments.revoke {
        Some(id) => revoke(id, arguments.json),
        None => list(arguments.json),
    };
    done.unwrap_or_else(|error| output::fail(&visible(&error.to_string())))
}

fn list(json: bool) -> Result<ExitCode, StoreError> {
    let grants = match Store::open_read_only(&state()) {
        Ok(store) => store.grants()?,
        Err(StoreError::Missing(_)) => Vec::new(),
        Err(error) => return Err(error),
    };
    let now = now();
    Ok(if json {
        let grants: Vec<Value> = grants.iter().map(|grant| as_json(grant, now)).collect();
        output::print_json(&json!({ "grants": grants }))
    } else {
        output::print(&as_text(&grants, now))
    })
}

/// Takes a grant back; the log says who did.
fn revoke(id: i64, json: bool) -> Result<ExitCode, StoreError> {
    let now = now();
    // Looked at first, so that no store is made only to find nothing in it.
    drop(Store::open_read_only(&state())?);
    let revoked = Store::open(&state())?.commit(|ledger| {
        let Some(grant) = ledger.revoke_grant(id, now)? else { return Ok(None) };
        ledger.append(&told(&grant, now))?;
        Ok(Some(grant))
    })?;
    let Some(grant) = revoked else {
        return Err(StoreError::Refused(format!(
            "there is no grant {id} to take back; `portcullis grants` lists them"
        )));
    };
    let grant = Grant { revoked: Some(now), ..grant };
    Ok(if json {
        output::print_json(&as_json(&grant, now))
    } else {
        output::print(&format!("grant {id} was taken back: {}\n", view::shortened(&grant.shown, 100)))
    })
}

fn told(grant: &Grant, now: u64) -> Record {
    let (who, place) = (person::who(), person::place());
    Record {
        time_ms: now,
        session: grant.session.clone().unwrap_or_default(),
        tool: grant.tool.clone(),
        message: format!("{who} took back grant {}: {}", grant.id, grant.shown),
        reason: json!({ "type": "human", "who": who, "place": place, "grant": grant.id }),
        trace: json!([]),
        stages: json!([]),
        layer: "human".to_owned(),
        enforced: true,
        answered: "none".to_owned(),
        kind: "grant".to_owned(),
        about: grant.about,
        ..Record::default()
    }
}

fn as_text(grants: &[Grant], now: u64) -> String {
    if grants.is_empty() {
        return "no grants\n".to_owned();
    }
    let mut text = String::new();
    for grant in grants {
        let state = grant.state(now);
        let style = match state {
            GrantState::Open => CALM,
            GrantState::Used | GrantState::Expired => DIM,
            GrantState::Revoked => WARM,
        };
        let call = view::shortened(&format!("{} {}", grant.tool, grant.shown), 70);
        append(
            &mut text,
            format_args!(
                "{:>4}  {style}{:<7}{style:#}  {STRONG}{call}{STRONG:#}  {DIM}{}{DIM:#}\n",
                grant.id,
                state.name(),
                view::shortened(&terms(grant), 160)
            ),
        );
    }
    text
}

/// For whom, how often and until when it holds, and who gave it.
fn terms(grant: &Grant) -> String {
    let mut parts = vec![match &grant.session {
        Some(session) => format!("session {session}"),
        None => "every session".to_owned(),
    }];
    parts.extend(grant.uses_left.map(|uses| format!("{uses} uses left")));
    parts.extend(grant.expires.map(|end| format!("until {}", moment::short(end))));
    parts.push(format!("given by {} at {}", grant.who, moment::short(grant.created)));
    parts.extend(grant.about.map(|seq| format!("for entry {seq}")));
    parts.extend(grant.revoked.map(|end| format!("taken back at {}", moment::short(end))));
    parts.join(", ")
}

fn as_json(grant: &Grant, now: u64) -> Value {
    json!({
        "id": grant.id,
        "state": grant.state(now).name(),
        "session": grant.session,
        "tool": grant.tool,
        "shown": portcullis_classify::redact(&grant.shown),
        "uses_left": grant.uses_left,
        "expires": grant.expires.map(moment::stamp),
        "created": moment::stamp(grant.created),
        "revoked": grant.revoked.map(moment::stamp),
        "who": grant.who,
        "place": grant.place,
        "about": grant.about,
    })
}
