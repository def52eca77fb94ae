//! What the log says about questions to people: which calls they were about, and what became of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use portcullis_decide::ToolCall;
use portcullis_gate::store::{Entry, Filter, Record, Store};
use serde_json::Value;

use super::idle::Watch;

/// How many calls that nobody was asked about are kept, to see what else a rule would allow.
const MOST_OTHERS: usize = 20_000;

/// Everything that was looked at.
#[derive(Default)]
pub(super) struct History {
    /// Calls by the hash of tool, input and place.
    pub(super) calls: BTreeMap<String, Seen>,
    /// How many entries there are, and from when to when.
    pub(super) entries: u64,
    pub(super) first_ms: Option<u64>,
    pub(super) last_ms: u64,
    /// Other calls that there was no room for.
    pub(super) left_out: u64,
    others: usize,
    /// The question that an entry was, while its answer is not known.
    open: BTreeMap<u64, String>,
}

/// A call, and how often what became of it.
pub(super) struct Seen {
    pub(super) call: ToolCall,
    /// Something of the input was hidden when it was written down, so it is not what was run.
    pub(super) redacted: bool,
    pub(super) approved: Answers,
    pub(super) refused: Answers,
    /// Asked about, and nobody knows what the answer was.
    pub(super) unanswered: Answers,
    /// How often it was allowed without a person.
    pub(super) allowed: u64,
}

/// Answers of one kind.
#[derive(Clone, Default)]
pub(super) struct Answers {
    /// The entries of the questions, oldest first.
    pub(super) entries: Vec<u64>,
    pub(super) sessions: BTreeSet<String>,
    /// Who gave them, and from where: a script can answer in a person's name.
    pub(super) by: BTreeSet<String>,
    pub(super) first_ms: Option<u64>,
    pub(super) last_ms: u64,
}

impl Answers {
    pub(super) fn count(&self) -> u64 {
        u64::try_from(self.entries.len()).unwrap_or(u64::MAX)
    }

    pub(super) fn merge(&mut self, other: &Answers) {
        self.entries.extend_from_slice(&other.entries);
        self.sessions.extend(other.sessions.iter().cloned());
        self.by.extend(other.by.iter().cloned());
        self.first_ms = [self.first_ms, other.first_ms].into_iter().flatten().min();
        self.last_ms = self.last_ms.max(other.last_ms);
    }

    fn add(&mut self, seq: u64, record: &Record) {
        self.entries.push(seq);
        self.sessions.insert(record.session.clone());
        self.by.extend(answerer(record));
        self.first_ms.get_or_insert(record.time_ms);
        self.last_ms = self.last_ms.max(record.time_ms);
    }
}

/// What an entry about a call says of people.
enum Said {
    Yes,
    No,
    /// A question whose answer is not in this entry.
    Asked,
    /// Nobody was asked.
    Nothing,
}

impl History {
    /// Reads the log; `watch` is shown every entry.
    pub(super) fn read(store: &Store, filter: &Filter, watch: &mut Watch) -> Result<History, String> {
        let mut history = History::default();
        let each = |entry: Entry| {
            watch.see(&entry.record);
            history.add(entry);
            ControlFlow::Continue(())
        };
        store.entries(filter, each).map_err(|error| error.to_string())?;
        Ok(history)
    }

    fn add(&mut self, entry: Entry) {
        let Entry { seq, record, .. } = entry;
        self.entries += 1;
        self.first_ms.get_or_insert(record.time_ms);
        self.last_ms = self.last_ms.max(record.time_ms);
        match record.kind.as_str() {
            // A question that nobody waited for any more has no other entry.
            "call" => self.add_call(seq, &record),
            "abandoned" if record.about.is_none() => self.add_call(seq, &record),
            "outcome" => self.add_outcome(&record),
            _ => {}
        }
    }

    fn add_call(&mut self, seq: u64, record: &Record) {
        let said = said(record);
        let key = record.input_hash.clone();
        let asked = !matches!(said, Said::Nothing);
        if !asked && !self.calls.contains_key(&key) {
            if self.others >= MOST_OTHERS {
                self.left_out += 1;
                return;
            }
            self.others += 1;
        }
        let seen = self.calls.entry(key.clone()).or_insert_with(|| Seen::of(record));
        match said {
            Said::Yes => seen.approved.add(seq, record),
            Said::No => seen.refused.add(seq, record),
            Said::Asked => {
                seen.unanswered.add(seq, record);
                self.open.insert(seq, key);
            }
            Said::Nothing => seen.allowed += u64::from(record.decision == "allow"),
        }
    }

    /// The host says that a call was made that its user had been asked about.
    fn add_outcome(&mut self, record: &Record) {
        let Some(about) = record.about else { return };
        let Some(key) = self.open.remove(&about) else { return };
        let Some(seen) = self.calls.get_mut(&key) else { return };
        // The session of the question is the session of its answer, so it stays in both sets; only numbers are compared.
        seen.unanswered.entries.retain(|entry| *entry != about);
        seen.approved.add(about, record);
    }

    /// How many questions people were asked.
    pub(super) fn questions(&self) -> u64 {
        let asked = |seen: &Seen| seen.approved.count() + seen.refused.count() + seen.unanswered.count();
        self.calls.values().map(asked).sum()
    }
}

impl Seen {
    fn of(record: &Record) -> Seen {
        let call = ToolCall::new(&record.tool, record.input.clone(), record.cwd.clone());
        let redacted = Record::hash_of(&call) != record.input_hash;
        Seen {
            call,
            redacted,
            approved: Answers::default(),
            refused: Answers::default(),
            unanswered: Answers::default(),
            allowed: 0,
        }
    }
}

/// The person that an entry names, with the place they answered from.
fn answerer(record: &Record) -> Option<String> {
    let text = |name: &str| record.reason.get(name).and_then(Value::as_str);
    Some(format!("{} at {}", text("who")?, text("place")?))
}

fn said(record: &Record) -> Said {
    if record.kind == "abandoned" {
        return Said::Asked;
    }
    let kind = record.reason.get("type").and_then(Value::as_str).unwrap_or_default();
    match (kind, record.decision.as_str(), record.answered.as_str()) {
        // A person who runs something else instead has not said yes to this.
        ("human", "allow", "allow") if record.updated_input.is_none() => Said::Yes,
        ("human", "deny", "deny") => Said::No,
        (_, "ask", "ask") => Said::Asked,
        // Nobody answered in time, or nobody was there.
        (_, "deny", "deny") if record.layer == "person" => Said::Asked,
        ("human", _, _) => Said::Asked,
        // What was only watched was put before nobody.
        (_, _, _) => Said::Nothing,
    }
}
