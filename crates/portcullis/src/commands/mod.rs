//! One verb, one file.

pub(crate) mod eval;
pub(crate) mod programs;
pub(crate) mod read;
pub(crate) mod read_view;
