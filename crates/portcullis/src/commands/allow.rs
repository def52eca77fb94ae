//! `portcullis allow ID`: clears a past refusal for the same input (SPEC A5).

use std::path::Path;
use std::process::ExitCode;

use portcullis_gate::calendar_ms;
use portcullis_gate::settings::Places;
use portcullis_gate::store::{Entry, Grant, Record, Store, StoreError};
use serde_json::{Value, json};

use crate::daemon;
use crate::output::{self, STRONG, visible};
use crate::person::{self, Person};

/// How long a grant lasts that is not bound to a session, in milliseconds.
const ONCE: u64 = 60 * 60 * 1000;

/// Which refusal.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of the decision, as `portcullis log` shows it.
    id: u64,
    /// For one call, within the next hour. This is the default.
    #[arg(long, conflicts_with = "session")]
    once: bool,
    /// For the same call as often as it comes, in the same session.
    #[arg(long)]
    session: bool,
}

/// Gives the grant.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match allow(arguments) {
        Ok(text) => output::print_call(&text),
        Err(message) => output::fail(&visible(&message)),
    }
}

fn allow(arguments: &Arguments) -> Result<String, String> {
    let person = person::present()?;
    let state = Places::from_environment(Path::new("/")).state;
    let told = |error: StoreError| error.to_string();
    let mut store = Store::open(&state).map_err(told)?;
    let entry = store.entry(arguments.id).map_err(told)?;
    let entry =
        entry.ok_or_else(|| format!("there is no decision {}; see `portcullis log`", arguments.id))?;
    if let Some(why) = not_clearable(&entry) {
        return Err(why);
    }
    let mut grant = grant(&entry, &person, arguments.session);
    let record = Record {
        time_ms: grant.created,
        kind: "grant".to_owned(),
        about: Some(entry.seq),
        layer: "person".to_owned(),
        decision: "allow".to_owned(),
        answered: "none".to_owned(),
        message: format!("{} at {} clears decision {}", person.who, person.place, entry.seq),
        reason: json!({
            "type": "human", "word": "human", "who": person.who, "place": person.place, "grant": grant.terms(),
        }),
        trace: Value::Null,
        ..entry.record.clone()
    };
    let (id, seq) = store
        .commit(|ledger| {
            let tip = ledger.append(&record)?;
            let seq = tip.seq;
            grant.entry = Some(tip);
            Ok((ledger.add_grant(&grant)?, seq))
        })
        .map_err(told)?;
    daemon::vouch(&state, seq)?;
    let reach =
        if arguments.session { "as often as it comes in the same session" } else { "once, within an hour" };
    Ok(format!(
        "grant {STRONG}{id}{STRONG:#}: {} may run {reach}. Only for exactly this input, in {}.\n\
         Take it back with {STRONG}portcullis grants --revoke {id}{STRONG:#}.\n",
        visible(&grant.shown),
        visible(&entry.record.cwd)
    ))
}

/// Why a decision cannot be cleared; nothing if it can.
fn not_clearable(entry: &Entry) -> Option<String> {
    let record = &entry.record;
    let reason = |name: &str| record.reason.get(name).and_then(Value::as_str).unwrap_or_default();
    if record.kind != "call" {
        return Some(format!("entry {} is not about a call", entry.seq));
    }
    if record.decision == "allow" {
        return Some(format!("decision {} was an allow already", entry.seq));
    }
    if reason("type") == "rule" && reason("list") == "deny" {
        return Some(format!(
            "the rule `{}` denies it, and no grant beats a deny rule; change the rule in {}",
            reason("rule"),
            record.reason.get("file").and_then(Value::as_str).unwrap_or("the settings")
        ));
    }
    if reason("check") == "self-protection" {
        return Some(
            "it would have changed the gate, and nothing lets an agent do that; do it yourself in a terminal"
                .to_owned(),
        );
    }
    let broken = matches!(reason("word"), "invalid" | "limit" | "unavailable" | "hook");
    broken.then(|| format!("it was refused because {}; a grant does not change that", reason("text")))
}

fn grant(entry: &Entry, person: &Person, session: bool) -> Grant {
    let record = &entry.record;
    let now = calendar_ms();
    let text = ["command", "file_path", "url"].iter().find_map(|name| record.input.get(*name)?.as_str());
    Grant {
        session: session.then(|| record.session.clone()),
        binding: record.input_hash.clone(),
        expires: (!session).then(|| now.saturating_add(ONCE)),
        uses_left: (!session).then_some(1),
        tool: record.tool.clone(),
        shown: format!("{} {}", record.tool, text.map_or_else(|| record.input.to_string(), str::to_owned)),
        who: person.who.clone(),
        place: person.place.clone(),
        about: Some(entry.seq),
        created: now,
        ..Grant::default()
    }
}
