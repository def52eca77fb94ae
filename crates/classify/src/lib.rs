//! Says whether a call should be blocked, shown the call and the conversation it belongs to.
//!
//! Two judges: one is built in, needs no model and never waits; the other asks a model in two stages. Every
//! failure, silence or ambiguity blocks (SPEC C1).

mod framed;
mod redact;
mod transcript;

pub use framed::Framed;
pub use redact::redact;
pub use transcript::{
    Agent, Entry, Format, Layout, Origin, ReadError, TooLong, Transcript, canonical_calls, escape,
};
