//! What a wildcard of an allow rule does not stand for (SPEC R10): a way out of the folder that stands before
//! it, another program behind an option, and, where no program is spelled out, anything but reading.

use portcullis_shell::{Argument, Command, nature};

use crate::call::ToolCall;
use crate::context::Context;
use crate::matching::permitted::edit_permitted;
use crate::rules::Pattern;
use crate::view::{Access, PathUse, View, directories, in_span};

/// Whether the command stays within what the rule's text says.
pub(crate) fn stays_within(
    pattern: &Pattern,
    command: &Command,
    call: &ToolCall,
    view: &View,
    context: &Context,
) -> bool {
    let starts = pattern.path_starts();
    (starts.is_empty()
        || (climbs_nowhere(pattern, command, view) && changes_inside(&starts, command, call, view, context)))
        && !swaps_program(pattern, command)
        && (!pattern.starts_open() || only_reads(pattern, command))
}

/// `build/*` does not mean `build/../src`.
fn climbs_nowhere(pattern: &Pattern, command: &Command, view: &View) -> bool {
    let climbs = |text: &str| text.split(['/', '\\', '=', ':', ',']).any(|part| part == "..");
    let free = |text: &str| climbs(text) && !pattern.leading().iter().any(|word| word == text);
    // What a variable holds may climb as well; names of existing files do not.
    let open = |word: &Argument| !word.literal && word.span.of(&view.line).contains(['$', '`']);
    !free(&command.word) && !command.arguments.iter().any(|word| free(&word.text) || open(word))
}

/// `rm build/*` means what lies in `build`, however many words there are.
fn changes_inside(
    starts: &[&str],
    command: &Command,
    call: &ToolCall,
    view: &View,
    context: &Context,
) -> bool {
    let files: Vec<&&str> = starts.iter().filter(|start| !start.contains("://")).collect();
    // A folder of programs says nothing about the files that they are given.
    if files.is_empty() || files.iter().any(|start| command.word.starts_with(**start)) {
        return true;
    }
    let Some(folders) = directories(command, call, context) else { return false };
    let inside = |path: &PathUse| {
        folders.iter().all(|folder| {
            files.iter().any(|start| {
                let end = if start.ends_with('/') { "/" } else { "" };
                path.path.starts_with(&format!("{}{end}", context.absolute(start, folder)))
            })
        })
    };
    let mine = |path: &&PathUse| !path.redirect && path.access != Access::Read && in_span(path, command);
    view.paths.iter().filter(mine).all(|path| inside(path) || edit_permitted(path, context))
}

/// Options that put another program in the place of the one that runs.
fn swaps_program(pattern: &Pattern, command: &Command) -> bool {
    const SCRIPTS: &[&str] = &["script-shell", "node-options", "userconfig", "globalconfig"];
    const SECURE: &[&str] =
        &["proxycommand", "localcommand", "knownhostscommand", "pkcs11provider", "securitykeyprovider"];
    // They put another package in the place of the one that is named.
    const PACKAGES: &[&str] = &["package", "registry", "prefix", "call", "workspace", "workspaces"];
    let execs = command.arguments.iter().any(|word| matches!(word.text.as_str(), "exec" | "x"));
    let free = command.arguments.iter().enumerate().skip(pattern.leading().len().saturating_sub(1));
    match command.program.as_deref().unwrap_or_default() {
        "npm" | "pnpm" | "yarn" | "npx" | "bun" => free
            // What stands behind `--` is for the script.
            .take_while(|(_, word)| word.text != "--")
            .any(|(_, word)| {
                // Any beginning will do, behind any number of dashes.
                let name = word.text.trim_start_matches('-').split('=').next().unwrap_or_default();
                let option = word.text.starts_with('-') && name.len() > 2;
                let taken = execs && command.program.as_deref() == Some("npm");
                let letter = taken && matches!(word.text.as_str(), "-p" | "-c" | "-C" | "-w");
                letter
                    || (option && SCRIPTS.iter().any(|option| option.starts_with(name)))
                    || (option && taken && PACKAGES.iter().any(|option| option.starts_with(name)))
            }),
        "ssh" | "scp" | "sftp" => free.into_iter().any(|(index, word)| {
            let lower = word.text.to_ascii_lowercase();
            let before = index.checked_sub(1).and_then(|before| command.arguments.get(before));
            let first = index < pattern.leading().len() || before.is_some_and(|it| it.text.starts_with('-'));
            // The words are joined to one line that a shell reads there.
            let signs = command.program.as_deref() == Some("ssh")
                && word.text.contains([';', '|', '&', '$', '`', '<', '>', '(', '\n']);
            signs
                || SECURE.iter().any(|option| lower.contains(option))
                || (first && word.text.starts_with("-F"))
        }),
        _ => false,
    }
}

/// Whether a command that the rule does not name by its program only reads. One that is not known is trusted to
/// do what its single option says.
fn only_reads(pattern: &Pattern, command: &Command) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    let strange = nature(program, &[]).is_none() && !command.word.contains('/');
    command.own.is_harmless() || (strange && command.arguments.len() == 1 && pattern.word_count() == 2)
}
