//! `portcullis eval` and the scripts that measure, run as people run them, over cases that are made up.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

mod desk;
mod results;
mod scripts;
mod terminal;
mod trouble;
