//! Reads a shell command line and says which programs it would run, which files it would touch,
//! and what cannot be told.

mod argument;
mod dialect;
mod effects;
mod programs;
mod secrets;
mod span;
mod unclear;

pub use dialect::Dialect;
pub use effects::Effects;
pub use span::Span;
pub use unclear::{Unclear, Why};
