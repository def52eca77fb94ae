//! From what a host says to what it is told, the same in the hook process and in the daemon.

use portcullis_client::{ProcessContext, Reply};
use portcullis_decide::{Decision, Reason, Ruling, Trace};
use portcullis_gate::{Answer, Enforced, Gate};

use crate::agents::{Adapter, Calls, Event};
use crate::strict_json;

/// What a host is to be told, and the entries of the log that say so.
pub(crate) struct Answered {
    pub(crate) reply: Reply,
    /// The numbers of the entries.
    pub(crate) entries: Vec<u64>,
    /// Whether a call was denied because its entry could not be written.
    pub(crate) unrecorded: bool,
}

impl From<Reply> for Answered {
    /// An answer that no entry says what it was.
    fn from(reply: Reply) -> Answered {
        Answered { reply, entries: Vec::new(), unrecorded: false }
    }
}

/// Answers an event in a process without a runtime.
pub(crate) fn answer_blocking(
    gate: &Gate,
    adapter: &Adapter,
    bytes: &[u8],
    around: &ProcessContext,
) -> Answered {
    let event = match read(adapter, bytes, around) {
        Ok(event) => event,
        Err(why) => {
            gate.refused(adapter.name, &why);
            return (adapter.deny)(&why).into();
        }
    };
    match &event {
        Event::Nothing => Reply::silent().into(),
        Event::Unread(why) => {
            gate.refused(adapter.name, why);
            Reply::silent().into()
        }
        // Nothing is refused for a prompt that could not be noted: that is counted, and the host goes on.
        Event::Said(said) => {
            drop(gate.note_prompt(said));
            Reply::silent().into()
        }
        Event::Calls(calls) | Event::Dialog(calls) => {
            let answers = calls.requests.iter().map(|request| gate.judge_blocking(request));
            told(gate, adapter, &event, calls, answers.collect())
        }
        Event::Done(requests) => {
            noted(requests.iter().try_for_each(|request| gate.done(request.clone())), adapter).into()
        }
        Event::HandedBack(request, handback) => {
            match gate.handed_back((**request).clone(), (**handback).clone()) {
                Some(warning) => (adapter.warn)(&warning).into(),
                None => Reply::silent().into(),
            }
        }
    }
}

/// The same in the daemon.
pub(crate) async fn answer(
    gate: &Gate,
    adapter: &'static Adapter,
    bytes: Vec<u8>,
    around: ProcessContext,
) -> Answered {
    let event = match read(adapter, &bytes, &around) {
        Ok(event) => event,
        Err(why) => {
            gate.refused(adapter.name, &why);
            return (adapter.deny)(&why).into();
        }
    };
    match &event {
        Event::Calls(calls) | Event::Dialog(calls) => {
            let mut answers = Vec::new();
            for request in &calls.requests {
                answers.push(gate.judge(request.clone()).await);
            }
            told(gate, adapter, &event, calls, answers)
        }
        Event::Nothing | Event::Said(_) | Event::Unread(_) | Event::Done(_) | Event::HandedBack(..) => {
            let gate = gate.clone();
            let done = tokio::task::spawn_blocking(move || answer_blocking(&gate, adapter, &bytes, &around));
            // FAIL-CLOSED(panic): a task that broke off has said nothing.
            done.await.unwrap_or_else(|_| (adapter.deny)("portcullis broke off; please report it").into())
        }
    }
}

/// What the host is told about a call that was judged.
pub(crate) fn told(
    gate: &Gate,
    adapter: &Adapter,
    event: &Event,
    calls: &Calls,
    answers: Vec<Answer>,
) -> Answered {
    let entries: Vec<u64> = answers.iter().filter_map(|answer| answer.seq).collect();
    let written = answers.iter().all(|answer| answer.seq.is_some());
    let answer = in_own_terms(calls, strictest(answers));
    // The records say yes where the host is told no: that has to be seen too (A4).
    if written && answer.seq.is_none() {
        gate.refused(adapter.name, &answer.ruling.message());
    }
    Answered { reply: (adapter.reply)(event, &answer), entries, unrecorded: !written }
}

/// A changed input in the host's own terms.
fn in_own_terms(calls: &Calls, mut answer: Answer) -> Answer {
    let Decision::Allow { updated_input: updated @ Some(_) } = &mut answer.ruling.decision else {
        return answer;
    };
    *updated = updated.take().and_then(|changed| calls.changes.in_own_terms(changed));
    if updated.is_some() || answer.enforced != Enforced::Allow {
        return answer;
    }
    // FAIL-CLOSED(rewrite-form): the gate denies such a change itself; one that got here must not get further.
    refused("the input was changed, and this agent cannot be given another one")
}

pub(crate) fn read(adapter: &Adapter, bytes: &[u8], around: &ProcessContext) -> Result<Event, String> {
    let value =
        strict_json::parse(bytes).map_err(|refused| format!("what was sent is not a call: {refused}"))?;
    let mut event =
        (adapter.read)(&value, around).map_err(|why| format!("what was sent is not a call: {why}"))?;
    if let Event::Calls(calls) | Event::Dialog(calls) = &mut event {
        calls.bind(adapter);
    }
    Ok(event)
}

fn noted(written: Result<(), String>, adapter: &Adapter) -> Reply {
    match written {
        Ok(()) => Reply::silent(),
        Err(why) => (adapter.warn)(&format!("what the call did could not be written down: {why}")),
    }
}

/// The strictest of several answers about one call of the host; none at all is a no.
fn strictest(answers: Vec<Answer>) -> Answer {
    let several = answers.len() > 1;
    let rank = |answer: &Answer| match answer.enforced {
        Enforced::Deny => 3,
        Enforced::Ask => 2,
        Enforced::Allow => 1,
        Enforced::Nothing => 0,
    };
    let rewritten =
        |answer: &Answer| matches!(answer.ruling.decision, Decision::Allow { updated_input: Some(_) });
    // FAIL-CLOSED(split-rewrite): a part of a call cannot be rewritten, and the call as it was sent was not judged.
    let broken = several && answers.iter().any(rewritten);
    match answers.into_iter().max_by_key(rank) {
        Some(answer) if !broken => answer,
        Some(_) => refused("a hook rewrote one part of a call that has several"),
        None => refused("there is no call in what was sent"),
    }
}

fn refused(why: &str) -> Answer {
    let ruling = Ruling {
        decision: Decision::Deny { message: why.to_owned(), stop: false },
        reason: Reason::Invalid(why.to_owned()),
        trace: Trace::default(),
    };
    Answer { ruling, enforced: Enforced::Deny, seq: None, notes: Vec::new() }
}
