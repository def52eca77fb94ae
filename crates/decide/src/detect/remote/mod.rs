//! What a line reaches beyond the project: addresses, services, databases, and what rules this machine.

pub(super) mod addresses;
pub(super) mod home;
pub(super) mod local_control_apis;
pub(super) mod looked_for;
mod service_names;
pub(super) mod services;
pub(super) mod switches;
pub(super) mod tool_redirection;
