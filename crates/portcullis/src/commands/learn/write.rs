//! Writing what a person agreed to: the rule to the settings, and that they did so to the log.

use std::process::ExitCode;

use portcullis_decide::rules::Source;
use portcullis_gate::calendar_ms;
use portcullis_gate::settings::{Places, add_rule};
use portcullis_gate::store::{Record, Store, StoreError};
use serde_json::{Value, json};

use super::history::History;
use super::propose::Proposal;
use super::view;
use crate::output::{self, CALM, visible};
use crate::person::Person;

/// The person said no to all of it.
const REFUSED: u8 = 1;

/// Who writes where.
pub(super) struct Desk<'a> {
    pub(super) places: Places,
    pub(super) source: Source,
    pub(super) person: Person,
    pub(super) history: &'a History,
}

impl Desk<'_> {
    /// Writes the proposal of this id.
    pub(super) fn write_one(&self, proposals: &[Proposal], id: &str) -> Result<ExitCode, String> {
        let found = proposals.iter().find(|proposal| proposal.id == id);
        let proposal = found.ok_or_else(|| {
            format!("there is no proposal `{id}`; `portcullis learn` lists them, with the same options")
        })?;
        let written = self.write(proposal)?;
        Ok(output::print_call(&format!("{}{written}", view::proposal(proposal))))
    }

    /// Asks about each proposal.
    pub(super) fn ask_about(&self, proposals: &[Proposal]) -> Result<ExitCode, String> {
        if proposals.is_empty() {
            let entries = self.history.entries;
            return Ok(output::print(&format!("{entries} entries speak for no rule; nothing is written\n")));
        }
        let mut any = false;
        for proposal in proposals {
            let shown = output::print_call(&view::proposal(proposal));
            if shown != ExitCode::SUCCESS {
                return Ok(shown);
            }
            let question = format!("write it to the {} settings?", self.source.name());
            match output::agreed(&question) {
                Some(true) => {
                    let written = self.write(proposal)?;
                    any = true;
                    let shown = output::print(&written);
                    if shown != ExitCode::SUCCESS {
                        return Ok(shown);
                    }
                }
                Some(false) => {}
                // FAIL-CLOSED(learn-nobody): without an answer nothing is written.
                None => return Err("nobody can be asked here; run it in a terminal of your own".to_owned()),
            }
        }
        Ok(if any { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
    }

    fn write(&self, proposal: &Proposal) -> Result<String, String> {
        let Person { who, place } = &self.person;
        let list = proposal.list;
        let record = Record {
            time_ms: calendar_ms(),
            agent: "portcullis".to_owned(),
            kind: "rule".to_owned(),
            layer: "person".to_owned(),
            answered: "none".to_owned(),
            message: format!(
                "{who} at {place} wrote the {} rule `{}` that was learnt",
                list.name(),
                proposal.rule
            ),
            reason: json!({ "type": "human", "word": "human", "who": who, "place": place }),
            input: json!({ "rule": proposal.rule, "list": list.name(), "entries": proposal.evidence.entries }),
            trace: Value::Null,
            stages: json!([]),
            about: proposal.evidence.entries.last().copied(),
            ..Record::default()
        };
        let mut store = Store::open(&super::state()).map_err(|error| error.to_string())?;
        // Within the transaction: no rule without its entry, and no entry without its rule.
        let file = store
            .commit(|ledger| {
                ledger.append(&record)?;
                add_rule(&self.places, self.source, list, &proposal.rule)
                    .map_err(|error| StoreError::Refused(error.to_string()))
            })
            .map_err(|error| error.to_string())?;
        let (rule, file) = (visible(&proposal.rule), visible(&file.display().to_string()));
        Ok(format!("{CALM}written{CALM:#} {} `{rule}` to {file}\n", list.name()))
    }
}
