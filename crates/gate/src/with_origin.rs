//! A value of the settings together with where it was given.

use portcullis_decide::rules::Origin;

/// A value and where it was set.
#[derive(Clone, PartialEq, Debug)]
pub struct WithOrigin<T> {
    /// The value.
    pub value: T,
    /// Where it was set.
    pub origin: Origin,
}
