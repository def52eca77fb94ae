//! What a session did before, as far as later calls depend on it (SPEC R12): a pure function of its calls.

use std::sync::Arc;

use portcullis_shell::{Effects, PatchChange, Placement, Reading};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::facts::PathKind;
use crate::harm::{self, Category, Severity};
use crate::protected;
use crate::self_protection;
use crate::view::{Access, PathUse, View};

/// How many files a session's memory holds; past it, any file may have been changed.
const MAX_FILES: usize = 2000;
/// How many harmful files it keeps in mind.
const MAX_TAINTS: usize = 50;

/// A file that the session wrote and that shows harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taint {
    /// The file, absolute.
    pub path: String,
    /// Which kind of harm.
    pub category: Category,
    /// How grave.
    pub severity: Severity,
    /// What was seen.
    pub what: String,
    /// Whether it is surely that.
    pub certain: bool,
    /// Whether it counts only where the file itself is run: a script that does what nobody asked for harms no build.
    pub alone: bool,
    /// The task of the file that does it, where the file holds several; empty for the one that runs if none is named.
    pub task: Option<String>,
}

/// Names of files. There can be thousands, and every call is judged by them: they are shared, not copied.
pub type Names = Arc<Vec<String>>;

/// What a session did before.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the session")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFacts {
    /// The directory its shell is in, where a command changed it; `*` if that cannot be known.
    pub directory: Option<String>,
    /// A command set an alias, a function, an option or a variable that can change what later words mean.
    pub shell_changed: bool,
    /// Files it created or changed, absolute.
    pub written: Names,
    /// Those of them that it made, as far as the calls tell: an edit changes what was there.
    pub created: Names,
    /// It changed a file that makes later commands run something: a package script, a Makefile.
    pub build_changed: bool,
    /// It read a place of credentials.
    pub credentials_read: bool,
    /// Files and folders it fetched from elsewhere, absolute.
    pub fetched: Names,
    /// The branch it made and is on.
    pub branch: Option<String>,
    /// Files it wrote that show harm.
    pub tainted: Vec<Taint>,
    /// It brought code of others into the project.
    pub strange: bool,
    /// It checked out somebody else's changes and has not left them.
    pub stranger: bool,
    /// It gave a name that commands use another meaning: a function, an alias, another search path.
    pub redefined: bool,
    /// Files it wrote whose text names a part of the gate (S5).
    pub names_gate: Vec<String>,
    /// Remotes of git that it made lead elsewhere; `*` where it may be any.
    pub remotes: Vec<String>,
}

impl SessionFacts {
    /// The session after `call` was run.
    #[must_use]
    pub fn after(mut self, call: &ToolCall, context: &Context) -> SessionFacts {
        let view = View::of(call, context);
        let reading = view.reading.as_ref().filter(|_| call.tool == Tool::Bash);
        let brought = reading.map(|reading| harm::brought(&view, reading, call, context, &self));
        for path in view.paths.iter().filter(|path| path.access != Access::Read) {
            self.build_changed |= protected::runs_later(&path.path);
            remember(&mut self.written, &path.path);
            let made = path.access == Access::Write && path.literal && makes(call, path, &view, context);
            if made {
                remember(&mut self.created, &path.path);
            }
        }
        self.taint(call, &view, context);
        self.remember_texts(call, &view, context);
        brought.into_iter().flatten().for_each(|taint| self.remember_taint(taint));
        let secret = |path: &str, literal: bool| portcullis_shell::is_secret_path(path, literal);
        let mut reads = view.paths.iter().filter(|path| path.access == Access::Read);
        self.credentials_read |= reads.any(|path| secret(&path.path, path.literal));
        if let Some(reading) = reading {
            self.credentials_read |= reading.effects().meets(Effects::SECRETS);
            if context.keeps_shell || continues_shell(call) {
                self.shell_changed |= changes_shell(reading);
                self.redefined |= redefines(reading, &view.line);
            }
            self.strange |= harm::brings_tree(&view, reading, &self.fetched, call, context);
            if reading.commands.iter().any(harm::fetches) {
                let written = view.paths.iter().filter(|path| path.access == Access::Write);
                written.for_each(|path| self.remember_fetched(&path.path, context));
            }
            for name in reading.commands.iter().flat_map(harm::fetched_files) {
                self.remember_fetched(&context.absolute(&name, &call.cwd), context);
            }
            for command in &reading.commands {
                if let Some(remote) = harm::remote_set(command) {
                    self.remember_remote(remote);
                }
                let branch = harm::branch_after(self.branch.take(), command);
                // Who goes to a branch of their own leaves somebody else's; what was fetched stays.
                self.stranger &= branch.is_none();
                self.stranger |= harm::checks_out_a_stranger(command);
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
        let text = if call.tool.edits_files() { harm::new_text(call) } else { view.line.clone() };
        let mut signs = if call.tool.edits_files() {
            harm::of_run_edit(call, view)
        } else if call.tool == Tool::Bash && view.paths.iter().any(|path| path.redirect) {
            harm::in_text(&view.line)
        } else if view.reading.iter().flat_map(crate::patches::files).next().is_some() {
            harm::of_patches(call, view, context)
        } else {
            return;
        };
        // What an image is made of is deleted in the image.
        let image = |path: &PathUse| {
            let name = path.path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
            name.contains("dockerfile") || name.contains("containerfile")
        };
        let in_image = view.paths.iter().filter(|path| path.access == Access::Write).all(image);
        if harm::destroys_in_file(&text, context) && !in_image {
            signs.push(harm::Finding::destruction());
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
        for written in harm::written_by(call, view) {
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

    fn remember_harm(&mut self, path: &str, finding: &harm::Finding, alone: bool, task: Option<String>) {
        self.remember_taint(Taint {
            path: path.to_owned(),
            category: finding.category,
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

/// Whether something may run the file: prose and data are not run.
pub(crate) fn runs(path: &str) -> bool {
    const DATA: &[&str] = &[
        "md", "txt", "rst", "adoc", "csv", "svg", "png", "jpg", "gif", "html", "css", "json", "log", "xml",
        "pdf", "tsv", "parquet", "diff",
    ];
    !DATA.contains(&path.rsplit('.').next().unwrap_or_default()) || protected::runs_later(path)
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
        && !may_have_been_there(path, view, context)
        && !harm::is_made_of_foreign(path, view, call, context)
}

/// Whether a command that names the path only changes what may have been there, or brings it from another place.
pub(crate) fn is_changed(path: &PathUse, view: &View) -> bool {
    const CHANGERS: &[&str] = &["sed", "perl", "chmod", "chown", "truncate", "patch", "touch", "mv"];
    let mut naming = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut patched = view.reading.iter().flat_map(crate::patches::files);
    let updated = patched.any(|file| {
        file.change == PatchChange::Update
            && (path.named == file.path || Some(&path.named) == file.moved.as_ref())
    });
    updated
        || naming.any(|command| {
            crate::reads::in_span(path, command)
                && !path.redirect
                && command.program.as_deref().is_some_and(|name| CHANGERS.contains(&name))
        })
}

/// Whether a folder or file of the project that is filled or added to may have been there before.
pub(crate) fn may_have_been_there(path: &PathUse, view: &View, context: &Context) -> bool {
    const FILLERS: &[&str] = &["mkdir", "cp", "rsync", "tar", "unzip", "install", "git", "ditto"];
    let missing = context.facts.path(&path.path).is_some_and(|fact| fact.kind == PathKind::Missing);
    let start = path.span.and_then(|span| usize::try_from(span.start).ok());
    let before = start.and_then(|start| view.line.get(..start)).unwrap_or_default();
    let appended = path.redirect && before.trim_end().ends_with(">>");
    let mut naming = view.reading.iter().flat_map(|reading| &reading.commands);
    let filled = naming.any(|command| {
        crate::reads::in_span(path, command)
            && !path.redirect
            && command.program.as_deref().is_some_and(|name| FILLERS.contains(&name))
    });
    let shared = harm::is_temporary(&path.path) && is_only_ensured(path, view);
    (((appended || filled) && context.is_trusted(&path.path)) || shared) && !missing
}

/// `mkdir -p x`: the folder is there afterwards, and may have been before. Without `-p` that is an error, behind which
/// only what is joined by `&&` does not run.
fn is_only_ensured(path: &PathUse, view: &View) -> bool {
    let after = |command: &portcullis_shell::Command| {
        usize::try_from(command.span.end).ok().and_then(|end| view.line.get(end..)).unwrap_or_default()
    };
    let mut naming = view.reading.iter().flat_map(|reading| &reading.commands);
    naming.any(|command| {
        let ensures = |text: &str| text.starts_with("--p") || (text.starts_with('-') && text.contains('p'));
        let parents = command.arguments.iter().any(|word| ensures(&word.text));
        command.program.as_deref() == Some("mkdir")
            && crate::reads::in_span(path, command)
            && (parents || after(command).contains([';', '\n', '|']))
    })
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
