//! Takes denies that hook programs made on their own into the log (SPEC A8).

use portcullis_client::{Note, ProcessContext, take_notes};
use portcullis_decide::ToolCall;
use portcullis_gate::{Gate, Request};
use serde_json::json;

use crate::agents::{self, Event};

/// Enters the notes that hooks left. What cannot be entered now stays for later.
pub(crate) fn take_over(gate: &Gate) {
    take_notes(gate.state(), |note| gate.hook_denied(&request(&note), &note.why, note.time_ms).is_ok());
}

/// The call that a note is about, as far as it can be read.
fn request(note: &Note) -> Request {
    let adapter = agents::named(&note.agent);
    let read = adapter.and_then(|adapter| (adapter.read)(&note.call, &ProcessContext::default()).ok());
    let first = match read {
        Some(Event::Calls(calls) | Event::Dialog(calls)) => calls.requests.into_iter().next(),
        Some(Event::Done(requests)) => requests.into_iter().next(),
        Some(Event::HandedBack(request, _)) => Some(*request),
        Some(Event::Said(_) | Event::Unread(_) | Event::Nothing) | None => None,
    };
    first.unwrap_or_else(|| Request::new(&note.agent, ToolCall::new("unreadable", json!({}), "/")))
}
