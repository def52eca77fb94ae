//! Names that are not spelled out: words that a line computes, lists that it is handed, files that are shown unnamed.

pub(super) mod file_lists;
mod list_edits;
pub(super) mod numbered;
pub(super) mod unnamed;
