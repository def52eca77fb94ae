//! One verb, one file.

pub(crate) mod programs;
pub(crate) mod read;
pub(crate) mod read_view;
