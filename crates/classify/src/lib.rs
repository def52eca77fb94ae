//! Says whether a call should be blocked, shown the call and the conversation it belongs to.
//!
//! Two judges: one is built in, needs no model and never waits; the other asks a model in two stages. Every
//! failure, silence or ambiguity blocks (SPEC C1).

pub mod client;
pub mod command;
pub mod critique;
pub mod dump;
pub mod failure;
pub mod framed;
pub mod policy;
pub mod prompt;
mod reason;
pub mod reply;
pub mod request;
pub mod settings;
pub mod stages;
mod transcript;

pub use stages::{Judged, Outcome, StageRecord, classify};
pub use transcript::{Entry, Origin, Transcript};
