//! From what a host says to what it is told, the same in the hook process and in the daemon.

use portcullis_decide::{Decision, Reason, Ruling, Trace};
use portcullis_gate::{Answer, Gate, Told};

use crate::agents::{Adapter, Around, Event, Reply};
use crate::strict_json;

/// Answers an event in a process without a runtime.
pub(crate) fn answer_blocking(gate: &Gate, adapter: &Adapter, bytes: &[u8], around: &Around) -> Reply {
    let event = match read(adapter, bytes, around) {
        Ok(event) => event,
        Err(why) => {
            gate.refused(adapter.name, &why);
            return (adapter.deny)(&why);
        }
    };
    match &event {
        Event::Nothing => Reply::silent(),
        Event::Calls(requests) => {
            let answers = requests.iter().map(|request| gate.judge_blocking(request));
            (adapter.reply)(&event, &strictest(answers.collect()))
        }
        Event::Dialog(request) => (adapter.reply)(&event, &gate.judge_blocking(request)),
        Event::Done(request) => noted(gate.done((**request).clone()), adapter),
        Event::HandedBack(request, handback) => {
            match gate.handed_back((**request).clone(), (**handback).clone()) {
                Some(warning) => (adapter.warn)(&warning),
                None => Reply::silent(),
            }
        }
    }
}

/// The same in the daemon.
pub(crate) async fn answer(gate: &Gate, adapter: &'static Adapter, bytes: Vec<u8>, around: Around) -> Reply {
    let event = match read(adapter, &bytes, &around) {
        Ok(event) => event,
        Err(why) => {
            gate.refused(adapter.name, &why);
            return (adapter.deny)(&why);
        }
    };
    match &event {
        Event::Calls(requests) => {
            let mut answers = Vec::new();
            for request in requests {
                answers.push(gate.judge(request.clone()).await);
            }
            (adapter.reply)(&event, &strictest(answers))
        }
        Event::Dialog(request) => (adapter.reply)(&event, &gate.judge((**request).clone()).await),
        Event::Nothing | Event::Done(_) | Event::HandedBack(..) => {
            let gate = gate.clone();
            let done = tokio::task::spawn_blocking(move || answer_blocking(&gate, adapter, &bytes, &around));
            // FAIL-CLOSED(panic): a task that broke off has said nothing.
            done.await.unwrap_or_else(|_| (adapter.deny)("portcullis broke off; please report it"))
        }
    }
}

fn read(adapter: &Adapter, bytes: &[u8], around: &Around) -> Result<Event, String> {
    let value =
        strict_json::parse(bytes).map_err(|refused| format!("what was sent is not a call: {refused}"))?;
    (adapter.read)(&value, around).map_err(|why| format!("what was sent is not a call: {why}"))
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
    let rank = |answer: &Answer| match answer.told {
        Told::Deny => 3,
        Told::Ask => 2,
        Told::Allow => 1,
        Told::Nothing => 0,
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
    Answer { ruling, told: Told::Deny, seq: None, notes: Vec::new() }
}
