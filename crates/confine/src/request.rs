//! What was asked for on a command line.

use std::ffi::OsString;

use crate::envelope::Envelope;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) envelope: Envelope,
    pub(crate) session: Option<String>,
    pub(crate) until: Option<i32>,
    pub(crate) command: Vec<OsString>,
}
