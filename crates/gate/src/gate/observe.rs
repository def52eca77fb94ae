//! Events after a call (SPEC A5, H5, R12): it was made, a sub-agent reports back, an answer was lost.

use std::ops::ControlFlow;

use portcullis_classify::judge::Handback;
use portcullis_classify::redact;
use portcullis_decide::{Decision, Reason, Ruling, ToolCall, Trace};
use serde_json::json;

use super::case::Case;
use super::request::{Enforced, Request};
use super::{Gate, record, workers};
use crate::pipeline::refuse;
use crate::race::{Racer, Vote};
use crate::store::{Filter, Record};

/// How many calls of a sub-agent are looked at when it hands its work back.
const MOST_CALLS: u64 = 500;

impl Gate {
    /// Notes that a call was made. Session facts now include it, also where the host's user had to decide.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn done(&self, request: Request) -> Result<(), String> {
        let Ok(case) = self.case(request) else { return Err("the call is not understood".to_owned()) };
        let about = self.asked_before(&case.request);
        let Some(about) = about else { return Ok(()) };
        let now = (self.inside.options.now)();
        let allowed = Ruling {
            decision: Decision::Allow { updated_input: None },
            reason: Reason::Human { who: "the host's user".to_owned(), place: case.request.agent.clone() },
            trace: Trace::default(),
        };
        let record = Record {
            kind: "outcome".to_owned(),
            about: Some(about),
            mode: case.context.effective_mode().name().to_owned(),
            layer: "person".to_owned(),
            answered: Enforced::Allow.name().to_owned(),
            enforced: true,
            ..record::basic(&case.request, &allowed, now)
        };
        let (call, mut context, row) = (case.request.call, case.context, case.row);
        let written = self.store_mut(move |ledger| {
            let mut row = ledger.session(&row.id)?.unwrap_or_else(|| row.clone());
            context.session = row.facts.clone();
            row.facts = std::mem::take(&mut row.facts).after(&call, &context);
            row.denials = row.denials.after(portcullis_decide::session::Outcome::Allowed).0;
            row.last = now;
            ledger.put_session(&row)?;
            ledger.append(&record).map(|_| ())
        });
        written.map_err(|error| error.to_string())
    }

    /// The record of the same call, if the host was told to ask about it or was told nothing.
    fn asked_before(&self, request: &Request) -> Option<u64> {
        let found = self.store().entry_of_call(&request.session(), request.call.id.as_deref()?).ok()??;
        matches!(found.record.answered.as_str(), "ask" | "none").then_some(found.seq)
    }

    /// Reviews the report of a sub-agent and its calls. `Some` is a warning to pass to the parent agent.
    #[must_use]
    pub fn handed_back(&self, request: Request, mut handback: Handback) -> Option<String> {
        // That it came back says that it was let go. The report is looked at whether or not that could be written down.
        drop(self.done(request.clone()));
        let worker = handback_worker(&request);
        let cwd = request.call.cwd.clone();
        let session = request.session();
        let case = self.case(request).ok()?;
        if handback.calls.is_empty() {
            handback.calls = self.calls_of(&session, worker.as_deref(), &cwd);
        }
        let warning = workers::warning(&case, &handback)?;
        let ruling = Ruling {
            decision: Decision::Ask {
                message: warning.clone(),
                suggestions: Vec::new(),
                pending_classifier_check: false,
            },
            reason: Reason::Classifier { stage: 0, reason: warning.clone(), policy: None, detector: None },
            trace: Trace::default(),
        };
        let record = Record {
            kind: "hand-back".to_owned(),
            layer: "built-in".to_owned(),
            answered: "warning".to_owned(),
            enforced: true,
            input: json!({ "task": redact(&handback.task), "report": redact(&handback.report) }),
            ..record::basic(&case.request, &ruling, (self.inside.options.now)())
        };
        // The warning stands whether or not it could be written down.
        drop(self.store_mut(move |ledger| ledger.append(&record).map(|_| ())));
        Some(warning)
    }

    /// What a sub-agent did, from the record.
    fn calls_of(&self, session: &str, worker: Option<&str>, cwd: &str) -> Vec<ToolCall> {
        let Some(worker) = worker else { return Vec::new() };
        let filter = Filter {
            session: Some(session.to_owned()),
            kind: Some("call".to_owned()),
            limit: Some(MOST_CALLS),
            ..Filter::default()
        };
        let mut calls = Vec::new();
        let looked = self.store().entries(&filter, |entry| {
            if entry.record.worker.as_deref() == Some(worker) && entry.record.answered == "allow" {
                calls.push(ToolCall::new(&entry.record.tool, entry.record.input, cwd));
            }
            ControlFlow::Continue(())
        });
        if looked.is_ok() { calls } else { Vec::new() }
    }

    /// Counts an event of a host that could not be parsed and was denied (A4).
    pub fn refused(&self, agent: &str, why: &str) {
        self.failed("unreadable-call");
        let call = ToolCall::new("unreadable", json!({}), "/");
        let request = Request::new(agent, call);
        let ruling = refuse("F12 input", Reason::Invalid(redact(why).into_owned()));
        let record = Record {
            kind: "refused".to_owned(),
            layer: "rules".to_owned(),
            answered: Enforced::Deny.name().to_owned(),
            enforced: true,
            failure: Some("unreadable-call".to_owned()),
            ..record::basic(&request, &ruling, (self.inside.options.now)())
        };
        // The answer is a no either way, so nobody waits for this.
        self.store_aside(move |ledger| ledger.append(&record).map(|_| ()));
    }
}

impl Gate {
    /// Records a denial that the hook program made without the gate (A8), at a moment in milliseconds since 1970.
    /// Whatever the note of it contains, the entry is a deny.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn hook_denied(&self, request: &Request, why: &str, at_ms: u64) -> Result<(), String> {
        let message = format!("denied by the hook program itself: {}", redact(why));
        let ruling = refuse("A8 hook", Reason::Unavailable(message));
        let basic = record::basic(request, &ruling, (self.inside.options.now)());
        let (session, call_id) = (basic.session.clone(), basic.call_id.clone());
        let record = Record {
            kind: "hook-deny".to_owned(),
            mode: "unknown".to_owned(),
            layer: "hook".to_owned(),
            answered: Enforced::Deny.name().to_owned(),
            enforced: true,
            reason: json!({ "type": "hook-program", "why": redact(why), "denied_ms": at_ms }),
            // Of an input without its credentials: no grant is to be found by it.
            input_hash: String::new(),
            ..basic
        };
        let written = self.store_mut(move |ledger| {
            // The daemon may have decided the call without the hook ever hearing of it.
            let about = match call_id {
                Some(id) => ledger.entry_of_call(&session, &id)?.map(|entry| entry.seq),
                None => None,
            };
            ledger.append(&Record { about, ..record }).map(|_| ())
        });
        written.map_err(|error| error.to_string())
    }

    /// H1: an answer that came too late is written down and not used.
    pub(crate) fn log_late(&self, case: &Case, racer: Racer, word: &Vote) {
        let said = match word {
            Vote::Allow { .. } => "allow",
            Vote::Deny { .. } => "deny",
            Vote::Ask | Vote::Error | Vote::Unsafe => return,
        };
        let message = format!("the {} said {said} when the question was settled", racer.name());
        self.log_aside(&case.request, "late", message);
    }

    /// Whoever asked went away before there was an answer: nobody gets one.
    pub(crate) fn log_abandoned(&self, request: &Request) {
        self.log_aside(request, "abandoned", "nobody waits for the answer any more".to_owned());
    }

    /// Records that the answers with these entry numbers did not reach the agent (A8).
    pub fn abandoned(&self, entries: Vec<u64>) {
        if entries.is_empty() {
            return;
        }
        let now = (self.inside.options.now)();
        self.store_aside(move |ledger| {
            for seq in entries {
                // What was pruned meanwhile needs no word about it.
                let Some(entry) = ledger.entry(seq)? else { continue };
                ledger.append(&not_delivered(entry.record, seq, now))?;
            }
            Ok(())
        });
    }

    fn log_aside(&self, request: &Request, kind: &str, message: String) {
        let ruling = refuse("H1 race", Reason::Unavailable(message));
        let record = Record {
            kind: kind.to_owned(),
            mode: "unknown".to_owned(),
            layer: "person".to_owned(),
            answered: Enforced::Nothing.name().to_owned(),
            ..record::basic(request, &ruling, (self.inside.options.now)())
        };
        let gate = self.clone();
        // Nobody waits for this record, and no answer hangs on it.
        drop(std::thread::Builder::new().spawn(move || {
            drop(gate.store_mut(move |ledger| ledger.append(&record).map(|_| ())));
        }));
    }
}

/// What is written down about an answer that did not reach the agent.
fn not_delivered(record: Record, seq: u64, now: u64) -> Record {
    let message = format!("the answer `{}` did not reach the agent, which was not given it", record.answered);
    Record {
        time_ms: now,
        kind: "abandoned".to_owned(),
        about: Some(seq),
        reason: json!({ "type": "abandoned", "answer": record.answered }),
        decision: String::new(),
        answered: Enforced::Nothing.name().to_owned(),
        trace: json!([]),
        stages: json!([]),
        updated_input: None,
        failure: None,
        enforced: true,
        message,
        ..record
    }
}

/// Which sub-agent hands back, where the host says so.
fn handback_worker(request: &Request) -> Option<String> {
    request.call.agent.clone()
}
