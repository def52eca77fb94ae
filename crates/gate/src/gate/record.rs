//! Recording a decision before it is answered (SPEC A1): counters, session facts and the audit log in one
//! transaction.

use std::sync::PoisonError;

use portcullis_classify::redact_json;
use portcullis_classify::stages::StageRecord;
use portcullis_decide::session::Outcome;
use portcullis_decide::view::View;
use portcullis_decide::{Context, Decision, Reason, Ruling, Step, ToolCall};
use serde_json::{Value, json};

use super::Gate;
use super::case::Case;
use super::request::{Answer, Enforced, Request, given};
use crate::admin;
use crate::pipeline::refuse;
use crate::settle::Settled;
use crate::store::{Grant, Ledger, Record, SessionRow, StoreError, Tip, Writer};

/// How decisions reach the store.
pub(crate) enum Recorder {
    /// One by one, by whoever decides.
    Direct,
    /// Many at once, by whoever has time.
    Grouped(Writer),
}

/// What a person's answer leaves behind besides the answer (H6, N4).
#[derive(Clone, Debug)]
pub(crate) enum Keep {
    /// A rule for the session.
    SessionRule(String),
    /// The same call may run again in the session.
    SessionGrant {
        /// Who said so.
        who: String,
        /// Where.
        place: String,
    },
    /// A rule was written to the settings, or could not be.
    Always {
        /// The rule.
        rule: String,
        /// Why it is not there.
        problem: Option<String>,
    },
    /// A person refused a call of this shape.
    Refused(String),
}

/// The step that writing down leaves in the trace.
const STEP: &str = "A1 record";

impl Gate {
    /// Writes a decision down and tells it.
    pub(crate) async fn record(&self, case: Case, settled: Settled, keep: Option<Keep>) -> Answer {
        let (entry, answer) = self.entry(case, settled, keep);
        let written = self.written(entry).await;
        self.released(answer, written)
    }

    pub(crate) fn judged(&self, case: Case, settled: Settled) -> UnrecordedAnswer {
        let (entry, answer) = self.entry(case, settled, None);
        UnrecordedAnswer { entry, answer }
    }

    /// Records the answer and passes it to `told` once it is durable, perhaps from the thread that wrote it.
    pub fn deliver(&self, judged: UnrecordedAnswer, told: impl FnOnce(Answer) + Send + 'static) {
        let UnrecordedAnswer { entry, answer } = judged;
        match &self.inside.recorder {
            Recorder::Direct => told(self.released(answer, self.commit_now(entry))),
            Recorder::Grouped(writer) => {
                let gate = self.clone();
                writer.write(
                    move |ledger| entry.write(ledger),
                    move |written| told(gate.released(answer, written)),
                );
            }
        }
    }

    /// The same without waiting for others.
    pub(crate) fn record_now(&self, case: Case, settled: Settled) -> Answer {
        let (entry, answer) = self.entry(case, settled, None);
        let written = self.write_now(entry);
        self.released(answer, written)
    }

    /// Writes down that a request was refused before there was a case.
    pub(crate) async fn record_refusal(&self, request: &Request, ruling: Ruling) -> Answer {
        let (entry, answer) = self.refusal(request, ruling);
        let written = self.written(entry).await;
        self.released(answer, written)
    }

    /// The same without waiting for others.
    pub(crate) fn record_refusal_now(&self, request: &Request, ruling: Ruling) -> Answer {
        let (entry, answer) = self.refusal(request, ruling);
        let written = self.write_now(entry);
        self.released(answer, written)
    }

    /// Writes an entry. Whoever asked may go away while that happens: then nobody is given the answer, which is written
    /// down as well (A8).
    async fn written(&self, entry: Entry) -> Result<Written, StoreError> {
        let Recorder::Grouped(writer) = &self.inside.recorder else { return self.commit_now(entry) };
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let gate = self.clone();
        writer.leave(
            move |ledger| entry.write(ledger),
            move |written| {
                if let Err(Ok(Written { seq, .. })) = sender.send(written) {
                    gate.abandoned(vec![seq]);
                }
            },
        );
        // FAIL-CLOSED(writer-gone): no answer is not an answer.
        receiver.await.unwrap_or(Err(StoreError::Stopped))
    }

    fn write_now(&self, entry: Entry) -> Result<Written, StoreError> {
        match &self.inside.recorder {
            Recorder::Direct => self.commit_now(entry),
            Recorder::Grouped(writer) => writer.submit(move |ledger| entry.write(ledger)).wait(),
        }
    }

    fn commit_now(&self, entry: Entry) -> Result<Written, StoreError> {
        self.store().commit(|ledger| entry.write(ledger))
    }

    /// An answer leaves only with its record.
    fn released(&self, mut answer: Answer, written: Result<Written, StoreError>) -> Answer {
        match written {
            Ok(written) => {
                answer.seq = Some(written.seq);
                if let Some(hash) = written.granted {
                    self.note_vouched(hash);
                }
                answer
            }
            Err(error) => {
                self.failed("audit-unavailable");
                // FAIL-CLOSED(audit-unavailable): what cannot be written down is not allowed.
                let told = format!("the decision cannot be written down, so nothing is allowed: {error}");
                let mut ruling = refuse(STEP, Reason::Unavailable(told));
                let mut steps = answer.ruling.trace.steps;
                steps.append(&mut ruling.trace.steps);
                ruling.trace.steps = steps;
                Answer::unrecorded(ruling)
            }
        }
    }

    /// Changes the store in one step, and waits until that is durable.
    pub(crate) fn store_mut<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Ledger<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        match &self.inside.recorder {
            Recorder::Direct => self.store().commit(work),
            Recorder::Grouped(writer) => writer.submit(work).wait(),
        }
    }

    /// Adds an entry, and waits until it is durable.
    pub(crate) async fn append(&self, record: Record) -> Result<(), StoreError> {
        let work = move |ledger: &Ledger<'_>| ledger.append(&record).map(|_| ());
        match &self.inside.recorder {
            Recorder::Direct => self.store().commit(work),
            Recorder::Grouped(writer) => writer.submit(work).durable().await,
        }
    }

    /// Changes the store for what no answer hangs on; where many write together it does not wait.
    pub(crate) fn store_aside(
        &self,
        work: impl FnOnce(&Ledger<'_>) -> Result<(), StoreError> + Send + 'static,
    ) {
        match &self.inside.recorder {
            Recorder::Direct => drop(self.store().commit(work)),
            Recorder::Grouped(writer) => drop(writer.submit(work)),
        }
    }

    fn entry(&self, case: Case, mut settled: Settled, keep: Option<Keep>) -> (Entry, Answer) {
        // T5: whoever allowed a call that a hook changed has allowed the changed one, and no other.
        given(&mut settled.ruling.decision, case.changed.as_ref());
        let now = (self.inside.options.now)();
        let resting = self.paused(now);
        let enforced = case.is_enforced() && resting.is_none();
        let told = if enforced { Answer::enforced(&settled.ruling.decision) } else { Enforced::Nothing };
        let mut notes: Vec<String> = case.settings.problems.iter().map(ToString::to_string).collect();
        notes.extend(resting.map(|pause| format!("paused by {}: nothing is enforced", pause.who)));
        notes.extend(case.talk_problem.iter().map(|why| format!("the conversation cannot be read: {why}")));
        let unread = case.outside_words.unread.iter().filter(|_| case.talk_problem.is_none());
        notes.extend(unread.map(|why| format!("{why}: what the user may have forbidden is asked about")));
        let counted = counted(&settled, &case.context);
        self.inside.failures.lock().unwrap_or_else(PoisonError::into_inner).count_settled(&settled);
        let record = record(&case, &settled, told, now);
        let grant = case.grant;
        let entry = Entry {
            record,
            row: case.row,
            seen: Some((case.request.call, case.view, case.context)),
            counted,
            told,
            grant,
            keep,
        };
        (entry, Answer { ruling: settled.ruling, enforced: told, seq: None, notes })
    }

    fn refusal(&self, request: &Request, ruling: Ruling) -> (Entry, Answer) {
        let now = (self.inside.options.now)();
        let record = Record {
            mode: "unknown".to_owned(),
            layer: "rules".to_owned(),
            answered: Enforced::Deny.name().to_owned(),
            enforced: true,
            ..basic(request, &ruling, now)
        };
        let row = SessionRow { id: request.session(), ..SessionRow::default() };
        let entry =
            Entry { record, row, seen: None, counted: None, told: Enforced::Deny, grant: None, keep: None };
        (entry, Answer { ruling, enforced: Enforced::Deny, seq: None, notes: Vec::new() })
    }
}

/// An answer of [`Gate::judge_at_once`] that is not recorded yet. Only [`Gate::deliver`] releases it.
#[must_use]
pub struct UnrecordedAnswer {
    entry: Entry,
    answer: Answer,
}

/// What has to be written for one decision.
pub(crate) struct Entry {
    record: Record,
    row: SessionRow,
    seen: Option<(ToolCall, View, Context)>,
    counted: Option<Outcome>,
    told: Enforced,
    grant: Option<i64>,
    keep: Option<Keep>,
}

/// What was written.
pub(crate) struct Written {
    seq: u64,
    /// The hash of the entry, where it gave a grant.
    granted: Option<String>,
}

impl Entry {
    /// Brings the session up to date with whatever other processes did meanwhile, and adds the record.
    fn write(self, ledger: &Ledger<'_>) -> Result<Written, StoreError> {
        if let Some(id) = self.grant
            && !ledger.use_grant(id)?
        {
            return Err(StoreError::Refused("the grant was used by another call meanwhile".to_owned()));
        }
        let entry = ledger.append(&self.record)?;
        let granted = matches!(self.keep, Some(Keep::SessionGrant { .. })).then(|| entry.hash.clone());
        if let Some((call, view, mut context)) = self.seen {
            let known = ledger.session(&self.row.id)?;
            let mut row = self.row.brought_up(known);
            if let Some(outcome) = self.counted {
                row.denials = row.denials.after(outcome).0;
            }
            if self.told == Enforced::Allow {
                context.session = row.facts.clone();
                row.facts = std::mem::take(&mut row.facts).after_seen(&call, &view, &context);
            }
            if let Some(keep) = self.keep {
                kept(&mut row, &keep, &self.record, &entry, ledger)?;
            }
            row.last = self.record.time_ms;
            ledger.put_session(&row)?;
        }
        Ok(Written { seq: entry.seq, granted })
    }
}

/// Keeps what a person's answer leaves behind.
fn kept(
    row: &mut SessionRow,
    keep: &Keep,
    record: &Record,
    entry: &Tip,
    ledger: &Ledger<'_>,
) -> Result<(), StoreError> {
    match keep {
        Keep::SessionRule(rule) => {
            if !row.rules.contains(rule) {
                row.rules.push(rule.clone());
            }
        }
        Keep::SessionGrant { who, place } => {
            let grant = Grant {
                session: Some(row.id.clone()),
                binding: record.input_hash.clone(),
                tool: record.tool.clone(),
                shown: format!("{} {}", record.tool, record.input),
                who: who.clone(),
                place: place.clone(),
                about: Some(entry.seq),
                created: record.time_ms,
                entry: Some(entry.clone()),
                ..Grant::default()
            };
            ledger.add_grant(&grant)?;
        }
        Keep::Always { rule, problem } => {
            let message = match problem {
                None => format!("the rule `{rule}` was written to the settings"),
                Some(why) => format!("the rule `{rule}` could not be written to the settings: {why}"),
            };
            let note = Record { kind: "rule".to_owned(), about: Some(entry.seq), message, ..record.clone() };
            ledger.append(&note)?;
        }
        Keep::Refused(shape) => match row.refused.iter_mut().find(|(known, _)| known == shape) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => row.refused.push((shape.clone(), 1)),
        },
    }
    Ok(())
}

/// What a decision does to the counters (N1).
fn counted(settled: &Settled, context: &Context) -> Option<Outcome> {
    if settled.ruling.decision.is_allow() {
        return Some(Outcome::Allowed);
    }
    if settled.denials.by_people > context.denials.by_people {
        return Some(Outcome::Refused);
    }
    (settled.denials.total > context.denials.total).then_some(Outcome::Blocked)
}

fn record(case: &Case, settled: &Settled, told: Enforced, now: u64) -> Record {
    let ruling = &settled.ruling;
    Record {
        mode: case.context.effective_mode().name().to_owned(),
        layer: settled.layer.name().to_owned(),
        answered: told.name().to_owned(),
        enforced: told != Enforced::Nothing,
        stages: Value::Array(settled.stages.iter().map(stage).collect()),
        failure: settled.failure.map(|failure| failure.name().to_owned()),
        ..basic(&case.request, ruling, now)
    }
}

/// What every record about a call holds; without credentials (C18).
pub(crate) fn basic(request: &Request, ruling: &Ruling, now: u64) -> Record {
    let mut shown = redact_json(&ruling.to_json());
    let mut field = |name: &str| shown.get_mut(name).map(Value::take);
    let call = &request.call;
    Record {
        time_ms: now,
        session: request.session(),
        agent: request.agent.clone(),
        worker: call.agent.clone(),
        call_id: call.id.clone(),
        tool: call.tool_name().to_owned(),
        input: redact_json(&call.input),
        cwd: call.cwd.clone(),
        decision: ruling.decision.name().to_owned(),
        message: field("message").and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default(),
        reason: field("reason").unwrap_or_default(),
        trace: field("trace").unwrap_or_default(),
        updated_input: field("updated_input"),
        kind: "call".to_owned(),
        input_hash: Record::hash_of(call),
        ..Record::default()
    }
}

/// What a model was asked, for the record (C16).
fn stage(record: &StageRecord) -> Value {
    json!({
        "stage": record.stage.name(),
        "model": record.model,
        "tokens_in": record.usage.input,
        "tokens_out": record.usage.output,
        "tokens_cached": record.usage.cached,
        "cost": record.cost,
        "micros": record.micros,
    })
}

impl Gate {
    /// The pause in force, if it counts.
    fn paused(&self, now: u64) -> Option<admin::Pause> {
        let state = &self.inside.options.places.state;
        let (found, hash) = admin::in_force(state, now)?;
        self.is_vouched(&hash).then_some(found)
    }

    /// A5: what a person cleared before, for the same input. Deny rules stay what they are (R1).
    pub(crate) fn granted(&self, case: &mut Case, mut ruling: Ruling) -> Ruling {
        if ruling.decision.is_allow() || !clearable(&ruling) {
            return ruling;
        }
        let now = (self.inside.options.now)();
        let vouched = |hash: &str| self.is_vouched(hash);
        let binding = Record::hash_of(&case.request.call);
        let found = self.store().matching_grant(&case.row.id, &binding, now, vouched);
        // FAIL-CLOSED(lost-grants): grants that cannot be read clear nothing.
        let Ok(Some(Grant { id, who, .. })) = found else { return ruling };
        case.grant = Some(id);
        let outcome = format!("grant {id} of {who}");
        let micros = ruling.trace.steps.last().map_or(0, |step| step.micros);
        ruling.trace.steps.push(Step { step: "A5 grants", outcome: outcome.into(), micros });
        ruling.decision = Decision::Allow { updated_input: None };
        ruling.reason = Reason::Human { who, place: format!("grant {id}") };
        ruling
    }
}

/// Whether a person's grant can clear a refusal: not a deny rule, not broken input, not a limit.
fn clearable(ruling: &Ruling) -> bool {
    match &ruling.reason {
        Reason::Rule { list, .. } => *list != portcullis_decide::rules::List::Deny,
        // No approval lets an agent change the gate (S5).
        Reason::Safety { check, .. } => *check != portcullis_decide::reason::Check::SelfProtection,
        Reason::Invalid(_) | Reason::Limit(_) | Reason::Unavailable(_) | Reason::Hook { .. } => false,
        Reason::Mode(_)
        | Reason::Classifier { .. }
        | Reason::Tool(_)
        | Reason::Parts(_)
        | Reason::WorkingDirectory { .. }
        | Reason::FastPath(_)
        | Reason::Human { .. }
        | Reason::NoRule => true,
    }
}
