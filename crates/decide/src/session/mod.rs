//! What earlier calls of a session leave behind (SPEC R12), as a pure function of those calls, and the counters of
//! denials.
//!
//! Fold [`SessionFacts::after`] over the calls that were made, and put the result into [`Context::session`]. The
//! facts can be [stored as JSON](SessionFacts::to_json); ones that are lost become the strictest
//! ([`SessionFacts::unknown`]), never none.

mod json;

use std::sync::Arc;

use portcullis_shell::{Effects, Placement, Reading};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
pub use crate::denials::{CONSECUTIVE_LIMIT, Denials, Next, Outcome, TOTAL_LIMIT};
use crate::detect;
use crate::edited;
use crate::matching::copies;
use crate::protected;
use crate::run_files::executed::runs;
use crate::run_files::written::written_by;
use crate::self_protection;
pub use crate::session_facts::{Names, RenamedProgram, SessionFacts, Taint};
use crate::view::changes::is_changed;
use crate::view::{Access, PathUse, View};

/// How many files a session's memory holds; past it, any file may have been changed.
const MAX_FILES: usize = 2000;
/// How many harmful files it keeps in mind.
const MAX_TAINTS: usize = 50;

impl SessionFacts {
    /// The facts after `call` was made.
    #[must_use]
    pub fn after(self, call: &ToolCall, context: &Context) -> SessionFacts {
        self.after_seen(call, &View::of(call, context), context)
    }

    /// As [`SessionFacts::after`], for callers that have the call's view already.
    #[must_use]
    pub fn after_seen(mut self, call: &ToolCall, view: &View, context: &Context) -> SessionFacts {
        let reading = view.reading.as_ref().filter(|_| call.tool == Tool::Bash);
        let brought = reading.map(|reading| detect::brought(view, reading, call, context, &self));
        for path in view.paths.iter().filter(|path| path.access != Access::Read) {
            self.build_changed |= protected::runs_later(&path.path);
            remember(&mut self.written, &path.path);
            let made = path.access == Access::Write && path.literal && makes(call, path, view, context);
            if made {
                remember(&mut self.created, &path.path);
            }
        }
        self.taint(call, view, context);
        self.remember_texts(call, view, context);
        brought.into_iter().flatten().for_each(|taint| self.remember_taint(taint));
        let secret = |path: &str, literal: bool| portcullis_shell::is_secret_path(path, literal);
        let mut reads = view.paths.iter().filter(|path| path.access == Access::Read);
        self.credentials_read |= reads.any(|path| secret(&path.path, path.literal));
        if let Some(reading) = reading {
            self.remember_copies(copies::of_line(view, reading), context);
            self.credentials_read |= reading.effects().meets(Effects::SECRETS);
            if context.keeps_shell || continues_shell(call) {
                self.shell_changed |= changes_shell(reading);
                self.redefined |= redefines(reading, &view.line);
            }
            self.strange |= detect::brings_tree(view, reading, &self.fetched, call, context);
            if reading.commands.iter().any(detect::fetches) {
                let written = view.paths.iter().filter(|path| path.access == Access::Write);
                written.for_each(|path| self.remember_fetched(&path.path, context));
            }
            for name in reading.commands.iter().flat_map(detect::fetched_files) {
                self.remember_fetched(&context.absolute(&name, &call.cwd), context);
            }
            for command in &reading.commands {
                if let Some(remote) = detect::remote_set(command) {
                    self.remember_remote(remote);
                }
                let branch = detect::branch_after(self.branch.take(), command);
                // Who goes to a branch of their own leaves somebody else's; what was fetched stays.
                self.stranger &= branch.is_none();
                self.stranger |= detect::checks_out_a_stranger(command);
                self.branch = branch;
            }
            if let Some(moved) = &reading.directory {
                self.directory = Some(match moved.as_str() {
                    several if several.contains(" | ") || several.contains('*') => "*".to_owned(),
                    single => context.absolute(single, &call.cwd),
                });
            }
        }
        self
    }

    /// Remembers files that the call writes and in which harm shows.
    fn taint(&mut self, call: &ToolCall, view: &View, context: &Context) {
        let text = if call.tool.edits_files() { edited::texts(call).1 } else { view.line.clone() };
        let mut signs = if call.tool.edits_files() {
            detect::of_run_edit(call, view)
        } else if call.tool == Tool::Bash && view.paths.iter().any(|path| path.redirect) {
            detect::in_text(&view.line)
        } else if view.reading.iter().flat_map(crate::view::patches::files).next().is_some() {
            detect::of_patches(call, view, context)
        } else {
            return;
        };
        // What an image is made of is deleted in the image.
        let image = |path: &PathUse| {
            let name = path.path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
            name.contains("dockerfile") || name.contains("containerfile")
        };
        let in_image = view.paths.iter().filter(|path| path.access == Access::Write).all(image);
        if detect::destroys_in_file(&text, context) && !in_image {
            signs.push(detect::Finding::destruction());
        }
        let Some(gravest) = signs.into_iter().max_by_key(|finding| (finding.certain, finding.severity))
        else {
            return;
        };
        let written = view.paths.iter().filter(|path| path.access == Access::Write && path.literal);
        for path in written {
            self.remember_harm(&path.path, &gravest, false, None);
        }
    }

    /// Remembers which files that the call writes name a part of the gate (S5).
    fn remember_texts(&mut self, call: &ToolCall, view: &View, context: &Context) {
        for written in written_by(call, view) {
            if written.whole {
                // What stood there before is gone.
                self.names_gate.retain(|path| *path != written.path);
                self.tainted.retain(|taint| !(taint.alone && taint.path == written.path));
            }
            if self_protection::names_gate(&written.text, context) && self.names_gate.len() < MAX_FILES {
                self.names_gate.push(written.path);
            }
        }
    }

    fn remember_harm(&mut self, path: &str, finding: &detect::Finding, alone: bool, task: Option<String>) {
        self.remember_taint(Taint {
            path: path.to_owned(),
            detector: finding.detector,
            severity: finding.severity,
            what: finding.what.clone(),
            certain: finding.certain,
            alone,
            task,
        });
    }

    fn remember_taint(&mut self, taint: Taint) {
        if self.tainted.contains(&taint) {
            return;
        }
        // What does not fit into memory is not forgotten.
        self.strange |= self.tainted.len() >= MAX_TAINTS;
        if self.tainted.len() < MAX_TAINTS {
            self.tainted.push(taint);
        }
    }

    fn remember_copies(&mut self, copies: Vec<(RenamedProgram, String)>, context: &Context) {
        for (made, source) in copies {
            // A copy of a copy is what the first one was; what the project holds goes by its own name.
            let earlier = self.copies.iter().filter(|it| it.place == source).map(|it| it.name.clone());
            let own = (made.name == "*" || !context.is_trusted(&source)).then(|| made.name.clone());
            let names: Vec<String> = earlier.chain(own).collect();
            for name in names {
                let renamed = RenamedProgram { place: made.place.clone(), name };
                if self.copies.len() >= MAX_FILES {
                    // What does not fit into memory is not forgotten.
                    self.copies = vec![RenamedProgram::unknown()];
                } else if !self.copies.contains(&renamed) {
                    self.copies.push(renamed);
                }
            }
        }
    }

    fn remember_remote(&mut self, remote: String) {
        if self.remotes.len() < MAX_FILES && !self.remotes.contains(&remote) {
            self.remotes.push(remote);
        }
    }

    fn remember_fetched(&mut self, path: &str, context: &Context) {
        // What lies in the project may be loaded by anything that builds it, and what does not fit into memory is not
        // forgotten to be foreign.
        self.strange |= runs(path) && (context.is_trusted(path) || self.fetched.len() >= MAX_FILES);
        remember(&mut self.fetched, path);
    }
}

/// Whether the call names the shell that it goes on in.
fn continues_shell(call: &ToolCall) -> bool {
    ["shellId", "shell_id", "sessionId", "session_id"].iter().any(|name| call.input.get(name).is_some())
}

fn remember(paths: &mut Names, path: &str) {
    if paths.len() < MAX_FILES && !paths.iter().any(|known| known == path) {
        Arc::make_mut(paths).push(path.to_owned());
    }
}

/// Whether the call makes the file: it writes it whole.
fn makes(call: &ToolCall, path: &PathUse, view: &View, context: &Context) -> bool {
    matches!(call.tool, Tool::Write | Tool::Bash)
        && !is_changed(path, view)
        && !detect::may_have_been_there(path, view, context)
        && !detect::is_made_of_foreign(path, view, call, context)
}

/// Whether a name that commands use gets another meaning: a function, an alias, another search path.
fn redefines(reading: &Reading, line: &str) -> bool {
    let path = line.split([' ', ';', '&', '\n', '\t']).any(|word| {
        let name = word.split('=').next().unwrap_or_default();
        word.contains('=')
            && matches!(
                name,
                "PATH"
                    | "LD_PRELOAD"
                    | "LD_LIBRARY_PATH"
                    | "BASH_ENV"
                    | "PROMPT_COMMAND"
                    | "DYLD_INSERT_LIBRARIES"
            )
    });
    let named = |command: &portcullis_shell::Command| {
        matches!(command.program.as_deref(), Some("alias" | "hash" | "enable" | "trap"))
    };
    let lasting =
        |command: &portcullis_shell::Command| command.placement == Placement::Function || named(command);
    (path && reading.effects().meets(Effects::ENVIRONMENT)) || reading.commands.iter().any(lasting)
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// [R12]
    #[test]
    fn what_does_not_fit_into_memory_is_not_forgotten() {
        let context = Context::new("/p", "/home/dev");
        let copy = |facts: SessionFacts, number: usize| {
            let line = format!("cp /home/dev/Downloads/{number}.sh {number}.sh");
            facts.after(&ToolCall::new("Bash", json!({ "command": line }), "/p"), &context)
        };
        // Each may be a file or lie in a folder of that name.
        let known = (0..MAX_TAINTS / 2).fold(SessionFacts::default(), copy);
        assert!(!known.strange);
        assert!(!copy(known.clone(), 0).strange);
        assert!(copy(known, MAX_TAINTS).strange);
    }

    /// [R12]
    #[test]
    fn a_directory_that_may_be_another_is_not_known() {
        let after = |line: &str| {
            let call = ToolCall::new("Bash", json!({ "command": line }), "/p");
            SessionFacts::default().after(&call, &Context::new("/p", "/home/dev"))
        };
        for line in ["cd sub", "cd sub && ls", "cd \"$X\""] {
            assert_eq!(after(line).directory.as_deref(), Some("*"), "{line}");
        }
    }

    #[test]
    fn a_memory_holds_each_file_once_and_not_too_many() {
        let mut paths = Names::default();
        for number in 0..=MAX_FILES {
            for _ in 0..2 {
                remember(&mut paths, &format!("/p/{number}"));
            }
        }
        assert_eq!(paths.len(), MAX_FILES);
        assert_eq!(paths.last().map(String::as_str), Some("/p/1999"));
    }
}
