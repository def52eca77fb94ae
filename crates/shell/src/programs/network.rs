//! TODO
use super::table::Spec;
pub(super) const TABLE: &[Spec] = &[];
