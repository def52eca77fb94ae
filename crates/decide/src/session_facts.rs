//! What is remembered of a session, as far as later calls depend on it (SPEC R12): data alone. What a call adds to it,
//! `session` says.

use std::sync::Arc;

use crate::detector::{Detector, Severity};

/// A file that the session wrote and in which a detector found harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taint {
    /// The file, absolute.
    pub path: String,
    /// The detector.
    pub detector: &'static Detector,
    /// The severity.
    pub severity: Severity,
    /// What was found.
    pub what: String,
    /// Whether it is certain.
    pub certain: bool,
    /// Whether it counts only if the file itself is run, and not if a build reads it.
    pub alone: bool,
    /// The task in the file that does it, if the file has several; empty for the default one.
    pub task: Option<String>,
}

/// File names. There can be thousands, so they are shared and not copied.
pub type Names = Arc<Vec<String>>;

/// What earlier calls of the session did that matters for later ones.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the session")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFacts {
    /// The directory of its shell, if a command changed it; `*` if unknown.
    pub directory: Option<String>,
    /// A command set an alias, function, option or variable that can change the meaning of later commands.
    pub shell_changed: bool,
    /// Files that it created or changed, absolute.
    pub written: Names,
    /// Those of them that it created.
    pub created: Names,
    /// It changed a file that builds run, such as a package script or a Makefile.
    pub build_changed: bool,
    /// It read credentials.
    pub credentials_read: bool,
    /// Files and folders that it downloaded, absolute.
    pub fetched: Names,
    /// The branch that it created and is on.
    pub branch: Option<String>,
    /// Files that it wrote in which a detector found harm.
    pub tainted: Vec<Taint>,
    /// It brought foreign code into the project.
    pub strange: bool,
    /// A checkout of somebody else's changes is in the work tree.
    pub stranger: bool,
    /// It redefined a command name, by a function, an alias or the search path.
    pub redefined: bool,
    /// Files that it wrote whose text names a part of the gate (S5).
    pub names_gate: Vec<String>,
    /// Git remotes whose address it changed; `*` for any.
    pub remotes: Vec<String>,
    /// Programs that it copied or linked to another name.
    pub copies: Vec<RenamedProgram>,
}

/// A program that was copied, moved or linked to another name: `cp /usr/bin/git g`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedProgram {
    /// Its path now; `*` if unknown.
    pub place: String,
    /// The name it had before; `*` if unknown.
    pub name: String,
}

impl RenamedProgram {
    /// Any program may be any other.
    pub(crate) fn unknown() -> RenamedProgram {
        RenamedProgram { place: "*".to_owned(), name: "*".to_owned() }
    }
}
