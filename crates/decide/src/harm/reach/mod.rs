//! What a line reaches beyond the project: addresses, services, databases, and what rules this machine.

pub(super) mod addresses;
pub(super) mod connections;
pub(super) mod home;
pub(super) mod looked_for;
pub(super) mod rulers;
mod service_names;
pub(super) mod services;
pub(super) mod steered;
pub(super) mod switches;
