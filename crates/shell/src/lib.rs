//! Reads a shell command line and says which programs it would run, which files it would touch,
//! and what cannot be told.
//!
//! The text is taken as hostile. Nothing is run, expanded or looked up; what this reader does not
//! model is an explicit [`Unclear`], never a silent gap. There are no permission words here: whether
//! any of it is allowed is for others to say.
//!
//! ```
//! use portcullis_shell::{Dialect, read};
//!
//! assert!(read("git log --oneline | head -5", Dialect::Bash).only_reads());
//! assert!(!read("git log > notes.txt", Dialect::Bash).only_reads());
//! ```

mod argument;
mod dialect;
mod effects;
mod limits;
mod patch;
#[cfg(feature = "powershell")]
mod powershell;
mod programs;
mod reading;
mod secrets;
mod span;
mod syntax;
mod unclear;
mod walk;

pub use dialect::Dialect;
pub use effects::Effects;
pub use limits::{Limits, hides_text, read, read_among, read_bytes, read_within};
pub use patch::{PatchChange, PatchedFile, patched_files};
#[cfg(feature = "powershell")]
pub use powershell::aliases as powershell_aliases;
pub use programs::acting::{acts, catches};
pub use programs::address::{Place, place};
pub use programs::nature::{Nature, nature};
pub use programs::sql::only_looks as sql_only_looks;
pub use programs::{known_programs, obeyed_files};
pub use reading::{Argument, Command, FileUse, Files, Placement, Reading};
pub use secrets::{holds_secrets, is_sample, is_secret_path};
pub use span::Span;
pub use unclear::{Unclear, Why};
pub use walk::is_prelude;

/// The short names of a cmdlet: none, where PowerShell is not read.
#[cfg(not(feature = "powershell"))]
pub fn powershell_aliases(_: &str) -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}
