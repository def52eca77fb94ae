//! Runs a command inside an envelope that the kernel holds (SPEC K1).
//!
//! An [`Envelope`] says what a command may write, read, reach and use. [`plan`] turns it, with [`Facts`] that were looked
//! up before, into steps: a pure function. Only the modules under `linux` carry steps out; elsewhere an envelope can be
//! shown, and nothing is started.

mod base;
mod command_line;
mod envelope;
mod environment;
mod explain;
mod facts;
#[cfg(target_os = "linux")]
mod forward;
mod git_line;
#[cfg(target_os = "linux")]
mod linux;
mod messages;
mod places;
mod plan;
mod project;
mod request;
mod scan;
mod steps;
mod tables;

pub use command_line::main;
pub use envelope::{Envelope, Git, Host, Kind, Limits};
pub use explain::{explain, seatbelt};
pub use facts::{Facts, Place, Project, Repository};
#[cfg(target_os = "linux")]
pub use linux::probe::{Proof, probe};
pub use plan::{Plan, plan};
pub use steps::{Access, Covered, Mount, Network};
