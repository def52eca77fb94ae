//! What commands are handed by names that the line does not spell out.

pub(super) mod numbered;
pub(super) mod unnamed;
