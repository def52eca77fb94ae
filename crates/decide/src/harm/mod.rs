//! Recognisers of harm (SPEC C6): what can be seen in a call itself and in what the session did before.
//!
//! Pure, and shared: the fast paths of auto mode and the built-in judge ask the same questions.

mod category;

pub use category::{Category, Severity};
