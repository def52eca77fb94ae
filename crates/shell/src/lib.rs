//! Reads a shell command line and says which programs it would run, which files it would touch, and what is unclear.
//!
//! The text is hostile. Nothing is run, expanded or looked up, and no file, environment variable or clock is read. Whatever
//! this reader does not model becomes an explicit [`Unclear`] in the [`Reading`], never a silent gap. There are no permission
//! words here: what may run is decided elsewhere, in Portcullis by `portcullis-decide`.
//!
//! ```
//! use portcullis_shell::{Dialect, Effects, read};
//!
//! assert!(read("git log --oneline | head -5", Dialect::Bash).only_reads());
//!
//! let reading = read("cd build && rm -rf \"$OUT\"/cache > log.txt", Dialect::Bash);
//! assert!(!reading.only_reads());
//! let programs: Vec<_> = reading.commands.iter().filter_map(|it| it.program.as_deref()).collect();
//! assert_eq!(programs, ["cd", "rm"]);
//! assert!(reading.commands[1].effects.contains(Effects::DELETES));
//! assert_eq!(reading.files.written[0].path, "build/log.txt");
//! ```
//!
//! # How the parts fit
//!
//! [`read`] parses the line in its [`Dialect`] (bash, sh, zsh, PowerShell), walks through every branch, substitution and nested
//! shell, and looks each program up in tables of its options and sub-commands. The result is a [`Reading`]:
//!
//! - its [`Command`]s, each with arguments, [`Effects`] and the part of the line ([`Span`]) it comes from;
//! - its [`Files`]: what is read, written and deleted, as far as the line names it;
//! - everything [`Unclear`], with the reason [`Why`]. A line that is too long, too deep or no valid shell is
//!   [refused](Reading::refused) as a whole.
//!
//! [`Reading::only_reads`] is true only if nothing is unclear and every effect is harmless.
//!
//! The other functions answer questions about single words: [`nature`] what a program is for, [`is_secret_path`] whether a
//! path usually holds credentials, [`place`] where an address leads, [`patched_files`] what a patch changes.
//!
//! Without the feature `powershell`, nothing needs a C compiler, and PowerShell lines are unclear.

mod argument;
mod dialect;
mod effects;
mod limits;
mod patch;
#[cfg(feature = "powershell")]
mod powershell;
mod printed;
mod programs;
mod reading;
mod secrets;
mod span;
mod syntax;
mod unclear;
mod variables;
mod walk;

pub use dialect::Dialect;
pub use effects::Effects;
pub use limits::{Limits, hides_text, read, read_among, read_bytes, read_within};
pub use patch::{PatchChange, PatchedFile, patched_files};
#[cfg(feature = "powershell")]
pub use powershell::aliases as powershell_aliases;
pub use printed::Printed;
pub use programs::acting::{acts, catches};
pub use programs::address::{Place, place};
pub use programs::nature::{Nature, nature};
pub use programs::sql::only_looks as sql_only_looks;
pub use programs::{known_programs, obeyed_files, option_words};
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
