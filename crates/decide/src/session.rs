//! What a session did before, as far as later calls depend on it (SPEC R12): a pure function of its calls.

use portcullis_shell::{Effects, Placement, Reading};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::protected;
use crate::view::{Access, View};

/// How many files a session's memory holds; past it, any file may have been changed.
const MAX_FILES: usize = 2000;

/// What a session did before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFacts {
    /// The directory its shell is in, where a command changed it; `*` if that cannot be known.
    pub directory: Option<String>,
    /// A command set an alias, a function, an option or a variable that can change what later words mean.
    pub shell_changed: bool,
    /// Files it created or changed, absolute.
    pub written: Vec<String>,
    /// It changed a file that makes later commands run something: a package script, a Makefile.
    pub build_changed: bool,
    /// It read a place of credentials.
    pub credentials_read: bool,
}

impl SessionFacts {
    /// The session after `call` was run.
    #[must_use]
    pub fn after(mut self, call: &ToolCall, context: &Context) -> SessionFacts {
        let view = View::of(call, context);
        for path in view.paths.iter().filter(|path| path.access != Access::Read) {
            self.build_changed |= protected::runs_later(&path.path);
            if self.written.len() < MAX_FILES && !self.written.contains(&path.path) {
                self.written.push(path.path.clone());
            }
        }
        let secret = |path: &str, literal: bool| portcullis_shell::is_secret_path(path, literal);
        let mut reads = view.paths.iter().filter(|path| path.access == Access::Read);
        self.credentials_read |= reads.any(|path| secret(&path.path, path.literal));
        if let Some(reading) = view.reading.as_ref().filter(|_| call.tool == Tool::Bash) {
            self.credentials_read |= reading.effects().meets(Effects::SECRETS);
            self.shell_changed |= changes_shell(reading);
            if let Some(moved) = &reading.directory {
                self.directory = Some(match moved.as_str() {
                    several if several.contains(" | ") || several.contains('*') => "*".to_owned(),
                    single => context.absolute(single, &call.cwd),
                });
            }
        }
        self
    }
}

/// Whether the shell that ran the line means something else by later words.
fn changes_shell(reading: &Reading) -> bool {
    const CHANGERS: &[&str] = &[
        ".", "alias", "autoload", "bind", "emulate", "enable", "eval", "exec", "hash", "source", "trap",
        "zmodload",
    ];
    let lasting = |placement: Placement| {
        matches!(
            placement,
            Placement::Direct | Placement::Branch | Placement::Function | Placement::Evaluated
        )
    };
    let changes = |command: &portcullis_shell::Command| {
        let name = command.program.as_deref();
        // Settings of the shell and variables count where the reader found that they matter.
        name.is_none_or(|name| CHANGERS.contains(&name)) || command.effects.meets(Effects::ENVIRONMENT)
    };
    reading.shell.meets(Effects::ENVIRONMENT)
        || reading.commands.iter().any(|command| {
            (lasting(command.placement) && changes(command)) || command.placement == Placement::Function
        })
}
