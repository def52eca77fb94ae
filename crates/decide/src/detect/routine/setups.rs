//! What a line sets up before the work itself: a home, a version of a language, a folder to build in.

use portcullis_shell::{Argument, Command, Effects};

use super::{Line, places};
use crate::path::is_within;
use crate::run_files::executed;
use crate::view::Access;

impl Line<'_> {
    /// `HOME=$(mktemp -d) ./target/debug/cli init`: a program of the project finds nothing of the user's. Others would
    /// miss what keeps them in check there.
    pub(super) fn has_fresh_home(&self, command: &Command) -> bool {
        let fresh = |(name, value): &(String, Argument)| {
            let text = value.span.of(&self.view.line);
            let text = text.strip_prefix("HOME=").unwrap_or(text).trim_matches('"');
            name == "HOME" && text == "$(mktemp -d)"
        };
        let makes = |it: &Command| it.program.as_deref() == Some("mktemp") && it.own.meets(Effects::WRITES);
        command.assignments.iter().all(fresh)
            && !command.assignments.is_empty()
            && self.is_own_work(command)
            && !crate::detect::remote::services::is_installed(&command.word)
            && !command.own.meets(Effects::NETWORK_WRITE.and(Effects::EXECUTES))
            && self.reading.commands.iter().any(makes)
            && !self.view.line.contains("TMPDIR")
    }

    /// What a version manager installed for the shell to read, where neither the session nor the line wrote it, and
    /// what such a manager runs for a folder of the project.
    pub(super) fn sets_up(&self, command: &Command) -> bool {
        let first = command.arguments.first().filter(|word| word.literal).map(|word| word.text.as_str());
        let own = |path: &str| {
            let path = self.context.absolute(path, &self.call.cwd);
            let written = self.view.paths.iter().any(|it| it.access != Access::Read && it.path == path);
            !written
                && !self.context.session.written.contains(&path)
                && !self.context.session.created.contains(&path)
        };
        match (command.program.as_deref(), first) {
            (Some("source" | "."), Some(file)) => {
                command.arguments.len() == 1 && portcullis_shell::is_prelude(file) && own(file)
            }
            (Some("direnv"), Some("exec")) => {
                let folder = command.arguments.get(1).filter(|word| word.literal);
                folder.is_some_and(|word| {
                    let path = executed::place(&word.text, command, self.call, self.context);
                    let file = format!("{}/.envrc", path.trim_end_matches('/'));
                    places::is_ours(&path, self.context) && own(&file)
                })
            }
            _ => false,
        }
    }

    /// `cmake ..`, `cmake -B /tmp/b -S .`: the sources lie in the project, and what is built goes there or to a temporary place.
    pub(super) fn configures_project(&self, command: &Command) -> bool {
        let place = |text: &str| executed::place(text, command, self.call, self.context);
        let ours = |text: &str| !text.starts_with('-') && places::is_ours(&place(text), self.context);
        // What the line has configured there itself.
        let built = |named: &str, text: &str| {
            let own = named == "-B" || self.view.line.contains(&format!("-B {text}"));
            own && matches!(named, "-B" | "--build") && places::is_temporary(&place(text))
        };
        let mut before = "";
        command.program.as_deref() == Some("cmake")
            && command.arguments.iter().all(|word| {
                let text = word.text.as_str();
                let named = std::mem::replace(&mut before, text);
                let value = matches!(named, "-G" | "-j" | "--parallel" | "-t" | "--target" | "--config");
                let plain = text.starts_with('-')
                    && !text.contains("=/")
                    && !matches!(text.get(..2), Some("-P" | "-C" | "-E"));
                word.literal && (plain || value || ours(text) || built(named, text))
            })
    }

    /// `cmake -D CMAKE_TOOLCHAIN_FILE=/tmp/x.cmake`: settings that name code, or a program to start others with.
    pub(super) fn is_told_foreign_code(&self, command: &Command) -> bool {
        const CODE: &[&str] =
            words!("TOOLCHAIN_FILE MODULE_PATH MAKE_PROGRAM EMULATOR CLANG_TIDY CPPCHECK LAUNCHER _INCLUDE");
        const KNOWN: &[&str] = words!("ccache sccache distcc icecc ninja make clang-tidy cppcheck");
        let told = |text: &str| {
            let Some((name, value)) = text.split_once('=') else { return false };
            let value = value.strip_prefix("/usr/bin/").unwrap_or(value);
            let place = executed::place(value, command, self.call, self.context);
            let own = places::is_ours(&place, self.context) && !name.contains("LAUNCHER");
            CODE.iter().any(|code| name.contains(code)) && !KNOWN.contains(&value) && !own
        };
        command.program.as_deref() == Some("cmake") && command.arguments.iter().any(|word| told(&word.text))
    }

    /// Whether a tool builds in a folder around the project: whatever lies there, it obeys from inside, too.
    pub(super) fn surrounds(&self, path: &str, command: &Command) -> bool {
        let script = runs_script(command);
        let home = self.context.absolute("~", "/");
        !script
            && is_within(path, &home)
            && path != home
            && self.context.roots.iter().any(|root| is_within(&self.context.as_absolute(root), path))
    }
}

/// Whether the command names a script to run.
pub(super) fn runs_script(command: &Command) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    let shell = matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "source" | ".");
    command.word.contains('/') || shell || command.own.meets(Effects::EXECUTES)
}
