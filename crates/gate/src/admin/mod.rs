//! What people do to the gate itself: lock it, pause it, and leave a record of whatever loosens it.
//!
//! A [`Lock`] denies everything until a person lifts it; anybody may lock. A [`Pause`] judges and records calls without
//! enforcing anything, for a while; only a person can begin one. Both live in the state folder, so every process of the user
//! sees them, and each leaves an entry in the audit log. Other changes (modes, trust, rules) are recorded with
//! [`record_action`] before they take effect.

mod actions;
mod lock;
mod pause;

pub use actions::{Action, record_action};
pub use lock::{Lock, lock, locked, unlock};
pub(crate) use pause::in_force;
pub use pause::{Pause, pause, paused, resume};
