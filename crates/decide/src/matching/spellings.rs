//! The ways to spell one command: by its path, its sub-commands, its variables and its short names.

use portcullis_shell::Command;

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::rules::Words;
use crate::view::directories;

/// The ways to spell the command that a rule may have in mind.
pub(crate) fn spellings(command: &Command, call: &ToolCall, context: &Context) -> Vec<Words> {
    let mut all = vec![Words::plainly(command), Words::as_written(command)];
    if command.word.contains('/') && command.program.is_some() {
        // One file has many names: `.//x`, `../proj/x`.
        for folder in directories(command, call, context).unwrap_or_default() {
            let place = context.absolute(&command.word, &folder);
            let root = context.as_absolute(context.root());
            if let Some(rest) = place.strip_prefix(root.as_ref()).filter(|rest| rest.starts_with('/')) {
                all.push(Words::with_program(&format!(".{rest}"), command));
            }
            all.push(Words::with_program(&place, command));
        }
    }
    all.extend(Words::by_verbs(command));
    all.extend(Words::with_assignments(command));
    // A rule may name a cmdlet by any of its short names.
    all.extend(aliases(command, call).map(|alias| Words::with_program(alias, command)));
    if call.tool == Tool::PowerShell {
        all.iter_mut().for_each(Words::lower);
    }
    all
}

/// The short names of the cmdlet that a command runs.
pub(crate) fn aliases<'c>(
    command: &'c Command,
    call: &ToolCall,
) -> impl Iterator<Item = &'static str> + use<'c> {
    let cmdlet = command.program.as_deref().filter(|_| call.tool == Tool::PowerShell);
    cmdlet.into_iter().flat_map(portcullis_shell::powershell_aliases)
}

/// The command by the plain name of its program: `python3.11` is `python3`, `gcc-12` is `gcc`.
pub(crate) fn without_version(command: &Command) -> Option<Command> {
    let name = command.program.as_deref()?;
    let bare = name.trim_end_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, '.' | '-'));
    // `python` and `python3` are two languages.
    let kept = bare.len() + usize::from(bare == "python");
    let plain = name.get(..kept).filter(|plain| plain.len() > 1 && *plain != name)?;
    Some(Command { program: Some(plain.to_owned()), word: plain.to_owned(), ..command.clone() })
}
