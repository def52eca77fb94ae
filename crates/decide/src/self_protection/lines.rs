//! What a command line says about the gate without naming its files as operands: text that is interpreted, variables,
//! the directory it works in, targets that are only known at run time, and files that the session wrote.

use portcullis_shell::{Command, Effects, Reading};

use super::processes::finds_gate;
use super::{PROGRAM, in_code};
use crate::call::ToolCall;
use crate::context::Context;
use crate::path::is_within;
use crate::run_files::executed;
use crate::run_files::written::is_compiler;
use crate::view::{Access, View};

/// What runs text, or may.
const INTERPRETS: Effects = Effects::EXECUTES.and(Effects::UNKNOWN).and(Effects::PROJECT_CODE);

/// Why the line would reach the gate, if it would.
pub(super) fn reaches(
    reading: &Reading,
    call: &ToolCall,
    view: &View,
    context: &Context,
) -> Option<&'static str> {
    if interprets_gate(reading, view, context) {
        return Some("it runs text that names a part of Portcullis");
    }
    if works_inside(reading, call, context) {
        return Some("it works in a folder of Portcullis");
    }
    if hides_target(reading, view) {
        return Some("it changes files that it finds by the name of Portcullis");
    }
    runs_written(reading, call, context)
        .then_some("it runs a file of this session that names a part of Portcullis")
}

/// Text of the line that something interprets: inline code, documents, what is piped in, values of variables.
fn interprets_gate(reading: &Reading, view: &View, context: &Context) -> bool {
    let runs = reading.commands.iter().any(|command| command.own.meets(INTERPRETS) || edits_text(command));
    let mut values = reading.commands.iter().flat_map(|command| &command.assignments);
    (runs && in_code(&view.line, context)) || values.any(|(_, value)| in_code(&value.text, context))
}

/// Editors and stream editors, whose commands can write anywhere.
fn edits_text(command: &Command) -> bool {
    matches!(
        command.program.as_deref(),
        Some("ed" | "ex" | "vi" | "vim" | "nvim" | "emacs" | "sed" | "awk" | "gawk" | "m4")
    )
}

/// A command that changes something in one of the gate's folders, or clears away a folder that holds one.
fn works_inside(reading: &Reading, call: &ToolCall, context: &Context) -> bool {
    let clears = Effects::DELETES.and(Effects::DISCARDS);
    reading.commands.iter().filter(|command| !command.own.is_harmless()).any(|command| {
        let Some(folder) = command.directory.as_deref() else { return false };
        folder.split(" | ").any(|folder| {
            let place = context.absolute(folder, &call.cwd);
            let above = command.own.meets(clears) && !is_within(&context.home, &place);
            context.gate.paths.iter().any(|own| is_within(&place, own) || (above && is_within(own, &place)))
        })
    })
}

/// A write or deletion whose target is only known at run time, in a line that looks for the gate by its name.
fn hides_target(reading: &Reading, view: &View) -> bool {
    let through = |path: &str| {
        path.strip_prefix("/proc/").is_some_and(|rest| {
            let part = rest.split('/').nth(1).unwrap_or_default();
            matches!(part, "cwd" | "root" | "exe" | "mem" | "map_files")
        })
    };
    let changed = || view.paths.iter().filter(|path| path.access != Access::Read);
    if changed().any(|path| through(&path.path)) {
        return true;
    }
    let mut words = reading.commands.iter().flat_map(|command| command.arguments.iter());
    let named = words.any(|word| {
        let name = word.text.rsplit('/').next().unwrap_or_default().to_lowercase();
        name == PROGRAM
            || name == "portcullis-hook"
            || (name.contains(['*', '?', '[']) && finds_gate(&name, false))
    });
    let unclear = |path: &crate::view::PathUse| !path.literal && !path.glob;
    let spelled = |path: &crate::view::PathUse| path.named.contains("portcullis/");
    changed().any(|path| unclear(path) && (named || spelled(path)))
}

/// Variables that make programs load or run files.
fn loads(name: &str) -> bool {
    const NAMES: &[&str] =
        &["PATH", "BASH_ENV", "ENV", "EDITOR", "VISUAL", "PAGER", "BROWSER", "MAKEFLAGS", "MANPAGER"];
    const STARTS: &[&str] =
        &["LD_", "DYLD_", "PYTHON", "NODE_", "PERL5", "RUBY", "GIT_", "LUA", "JAVA_", "_JAVA", "PHP"];
    NAMES.contains(&name) || STARTS.iter().any(|start| name.starts_with(start))
}

/// Whether the line runs a file that the session wrote and that names a part of the gate.
fn runs_written(reading: &Reading, call: &ToolCall, context: &Context) -> bool {
    let files = &context.session.names_gate;
    if files.is_empty() {
        return false;
    }
    reading.commands.iter().any(|command| {
        if command.assignments.iter().any(|(name, _)| loads(name)) {
            return true;
        }
        let compiles = is_compiler(command);
        let settings = command.program.as_deref() == Some("git")
            && command.arguments.iter().any(|word| word.text == "-c" || word.text.starts_with("ext::"));
        if !command.own.meets(INTERPRETS) && !compiles && !settings && !edits_text(command) {
            return false;
        }
        let words = command.arguments.iter().map(|word| word.text.as_str()).chain([command.word.as_str()]);
        let module = command.arguments.iter().any(|word| word.text == "-m");
        words.into_iter().any(|word| {
            crate::matching::mentions::spellings(word).chain([word]).any(|text| {
                let place = executed::place(text, command, call, context);
                let stem = |file: &String| {
                    module && file.trim_end_matches(".py").ends_with(&format!("/{}", text.replace('.', "/")))
                };
                files.iter().any(|file| *file == place || (module && is_within(file, &place)) || stem(file))
            })
        })
    })
}
