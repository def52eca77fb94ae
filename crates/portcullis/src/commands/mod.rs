//! One verb, one file.

pub(crate) mod import;
pub(crate) mod problems;
pub(crate) mod programs;
pub(crate) mod project;
pub(crate) mod read;
pub(crate) mod read_view;
pub(crate) mod rule_marks;
pub(crate) mod rules;
pub(crate) mod schema;
pub(crate) mod settings;
pub(crate) mod trust;
