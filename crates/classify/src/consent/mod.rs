//! Reads the user's words without a model (SPEC C17, C19): what they asked for, what they forbade, and whether a call is what
//! they meant.
//!
//! One grammar serves both. [`text`] splits a turn into sentences and clauses; [`words`] has the verbs, cues and nouns of
//! seven languages. [`requests`] finds the parts that ask, [`act`] what a command does, and [`asked`] compares the two.
//! [`restriction`] finds what is ruled out, [`lift`] what is allowed again, and [`boundary`] which calls a restriction means.

mod act;
pub(crate) mod asked;
pub(crate) mod boundary;
mod calls;
mod cues;
mod directed;
mod file_kinds;
mod lift;
mod options;
mod requests;
mod restriction;
mod table;
mod text;
mod words;
