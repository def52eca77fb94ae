//! One verb, one file.

pub(crate) mod asked;
pub(crate) mod auto_mode;
pub(crate) mod check;
pub(crate) mod check_batch;
pub(crate) mod check_view;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod explain_view;
pub(crate) mod import;
pub(crate) mod install;
pub(crate) mod mode;
pub(crate) mod problems;
pub(crate) mod programs;
pub(crate) mod project;
pub(crate) mod read;
pub(crate) mod read_view;
pub(crate) mod rule_marks;
pub(crate) mod rules;
pub(crate) mod schema;
pub(crate) mod settings;
pub(crate) mod stats;
pub(crate) mod test;
pub(crate) mod trust;
