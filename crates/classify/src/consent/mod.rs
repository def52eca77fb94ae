//! Reads the user's words without a model (SPEC C17, C19): what they asked for, what they forbade, and whether a call
//! is what they meant.
//!
//! One grammar serves both. [`text`] splits a turn into sentences and clauses; [`words`] has the verbs, cues and nouns
//! of seven languages, from the lists in `words/`. [`requests`] finds the parts of a turn that ask for something,
//! [`act`] what a command does, and [`asking`] compares the two for [`asked`]. [`restriction`] finds what is ruled out,
//! [`lift`] what is allowed again, and [`boundary`] which calls a restriction means.

mod act;
pub(crate) mod asked;
mod asking;
pub(crate) mod boundary;
mod calls;
mod content;
mod cues;
mod directed;
mod file_kinds;
mod lift;
mod options;
mod requests;
mod restriction;
mod roles;
mod table;
mod text;
mod words;
mod written_out;
