//! What the tables of hosting platforms cannot say: what a request to their interface does.

use super::invocation::{Invocation, Outcome};
use crate::argument::Argument;
use crate::effects::Effects;

pub(super) const CHANGES: Effects = Effects::NETWORK_WRITE;

/// `auth0 api [METHOD] PATH`: reads with `get`, or without a method and without data.
pub(super) fn api_request(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let first = invocation.operands.first().and_then(Argument::known).unwrap_or("post").to_ascii_lowercase();
    let sends = invocation.has(&["d", "--data", "--force"])
        || matches!(first.as_str(), "post" | "put" | "patch" | "delete");
    if !sends && out.effects == CHANGES {
        out.effects = Effects::NETWORK_READ;
    }
}
