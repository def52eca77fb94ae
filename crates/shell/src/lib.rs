//! Reads a shell command line and says which programs it would run, which files it would touch,
//! and what cannot be told.

mod argument;
mod dialect;
mod effects;
#[cfg(feature = "powershell")]
#[allow(dead_code, reason = "its answer is turned into a reading by the caller that comes with it")]
mod powershell;
mod programs;
mod secrets;
mod span;
mod unclear;

pub use dialect::Dialect;
pub use effects::Effects;
pub use span::Span;
pub use unclear::{Unclear, Why};
