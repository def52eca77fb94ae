//! Reads the user's words: what they asked for, what they forbade, and whether a call is what they meant.

pub(crate) mod boundary;
pub(crate) mod command_words;
pub(crate) mod consent_options;
pub(crate) mod exclusive_request;
pub(crate) mod grammar;
pub(crate) mod granted;
pub(crate) mod lift;
pub(crate) mod literal;
pub(crate) mod non_requests;
pub(crate) mod other_target;
pub(crate) mod requests;
pub(crate) mod restriction;
pub(crate) mod scope;
pub(crate) mod settled;
pub(crate) mod spoken;
pub(crate) mod steps;
pub(crate) mod target;
pub(crate) mod words;
