//! One cmdlet of the tables.

use crate::effects::Effects;

/// One cmdlet. `parameters` holds names separated by blanks; the last character says what the value
/// is (see `role` in `cmdlets.rs`), and a name without one is a switch.
pub(super) struct Cmdlet {
    pub(super) name: &'static str,
    pub(super) effects: Effects,
    /// The parameters that take values by position; `*` as the last one: it takes all that is left.
    pub(super) positions: &'static str,
    pub(super) parameters: &'static str,
}

pub(super) const fn cmdlet(
    name: &'static str,
    effects: Effects,
    positions: &'static str,
    parameters: &'static str,
) -> Cmdlet {
    Cmdlet { name, effects, positions, parameters }
}
