//! What a line sets up before the work itself: a home, a version of a language, a folder to build in.

use portcullis_shell::{Argument, Command, Effects};

use super::{Line, places};
use crate::detect::remote::services;
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
            && !services::is_installed(&command.word)
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

    /// `cmake ..`, `cmake -B /tmp/b -S .`: the sources lie in the project, seen from where the line went, and what is built
    /// goes there or to a temporary place.
    pub(super) fn configures_project(&self, command: &Command) -> bool {
        if command.program.as_deref() != Some("cmake") {
            return false;
        }
        let place = |text: &str| executed::place(text, command, self.call, self.context);
        let ours = |text: &str| places::is_ours(&place(text), self.context);
        let put = |text: &str| ours(text) || places::is_temporary(&place(text));
        // What the line has configured there itself.
        let configured = |text: &str| {
            let cmake = self.reading.commands.iter().filter(|it| it.program.as_deref() == Some("cmake"));
            let mut pairs = cmake.flat_map(|it| it.arguments.iter().zip(it.arguments.iter().skip(1)));
            pairs.any(|(name, value)| name.text == "-B" && value.text == text)
        };
        let name = |text: &str| {
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _.-".contains(&byte))
                && !text.is_empty()
        };
        let mut words = command.arguments.iter().map(|word| word.text.as_str());
        while let Some(word) = words.next() {
            let plain = match word {
                "-S" => words.next().is_some_and(ours),
                "-B" => words.next().is_some_and(put),
                "--build" => words.next().is_some_and(|it| ours(it) || configured(it)),
                "-G" | "-j" | "--parallel" | "-t" | "--target" | "--config" => words.next().is_some_and(name),
                "--fresh" | "-Wno-dev" | "-v" | "--verbose" => true,
                _ if word.starts_with("-D") => !word.contains("=/"),
                _ if word.starts_with("-j") || word.starts_with("-G") => name(word),
                _ => !word.starts_with('-') && ours(word),
            };
            if !plain {
                return false;
            }
        }
        command.arguments.iter().all(|word| word.literal)
    }

    /// `cmake -D CMAKE_TOOLCHAIN_FILE=/tmp/x.cmake`: settings that name code, or a program to start others with, which is
    /// not the project's, nor installed, nor known to everybody.
    pub(super) fn is_told_foreign_code(&self, command: &Command) -> bool {
        const CODE: &[&str] =
            &["TOOLCHAIN_FILE", "MODULE_PATH", "MAKE_PROGRAM", "_EMULATOR", "_CLANG_TIDY", "_CPPCHECK"];
        const KNOWN: &[&str] =
            &["", "ccache", "sccache", "distcc", "icecc", "ninja", "make", "clang-tidy", "cppcheck"];
        if command.program.as_deref() != Some("cmake") {
            return false;
        }
        let known = |part: &str| KNOWN.contains(&part.strip_prefix("/usr/bin/").unwrap_or(part));
        let foreign = |part: &str| {
            let path = executed::place(part, command, self.call, self.context);
            let installed = ["/usr/", "/opt/"].iter().any(|place| path.starts_with(place));
            !installed && !places::is_ours(&path, self.context)
        };
        let told = |word: &Argument| {
            let (name, value) = word.text.split_once('=')?;
            let name = name.trim_start_matches("-D").split(':').next()?.to_ascii_uppercase();
            let starts = name.ends_with("_LAUNCHER") || name.contains("RULE_LAUNCH_");
            let included = name.starts_with("CMAKE_PROJECT_") && name.contains("_INCLUDE");
            let code = included || CODE.iter().any(|code| name.contains(code));
            let launched = starts && value.split(';').any(|part| !known(part));
            Some(launched || (code && value.split(';').any(foreign)))
        };
        command.arguments.iter().any(|word| told(word) == Some(true))
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

/// `rails test -n /refund/`, `jest -t '/x/'`: a pattern that chooses tests looks like a path. Without it the command
/// runs no more than the project's code.
pub(super) fn only_filters(command: &Command) -> bool {
    const FILTERS: &[(&str, &[&str])] = &[
        ("rails", &["-n", "--name"]),
        ("jest", &["-t", "--testNamePattern"]),
        ("vitest", &["-t", "--testNamePattern"]),
        ("mocha", &["-g", "--grep"]),
        ("rspec", &["-e", "--example"]),
    ];
    let program = command.program.as_deref().unwrap_or_default();
    let Some((_, names)) = FILTERS.iter().find(|(known, _)| *known == program) else { return false };
    let mut rest = vec![command.word.clone()];
    let mut chosen = false;
    let mut words = command.arguments.iter().map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        if names.contains(&word) {
            chosen = true;
            words.next();
        } else {
            rest.push(format!("'{word}'"));
        }
    }
    let plain = command.arguments.iter().all(|word| word.literal && !word.text.contains('\''));
    let line = rest.join(" ");
    plain && chosen && {
        let reading = portcullis_shell::read(&line, portcullis_shell::Dialect::Bash);
        reading.unclear.is_empty() && !reading.effects().meets(Effects::EXECUTES.and(Effects::UNKNOWN))
    }
}

/// Whether the command names a script to run.
pub(super) fn runs_script(command: &Command) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    let shell = matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "source" | ".");
    command.word.contains('/') || shell || command.own.meets(Effects::EXECUTES)
}
