//! Says whether a call should be blocked, shown the call and the conversation it belongs to.
//!
//! Two judges: one is built in, needs no model and never waits; the other asks a model in two stages. Every
//! failure, silence or ambiguity blocks (SPEC C1).

pub mod builtin;
#[cfg(feature = "model")]
pub mod client;
#[cfg(feature = "model")]
pub mod command;
pub mod critique;
#[cfg(feature = "model")]
pub mod dump;
pub mod failure;
pub mod framed;
pub mod policy;
pub mod prompt;
mod reason;
mod redact;
pub mod reply;
pub mod request;
pub mod settings;
#[cfg(feature = "model")]
pub mod stages;
mod strict;
mod transcript;

pub use framed::Framed;
pub use reason::one_line;
pub use redact::{redact, redact_json};
#[cfg(feature = "model")]
pub use stages::{Judged, Outcome, StageRecord, classify};
pub use strict::{strict_from_slice, strict_from_str};
pub use transcript::{
    Agent, Entry, Followed, Format, Layout, Moment, Origin, Passage, ReadError, Recorded, TooLong,
    Transcript, canonical_calls, escape, own_input,
};
