//! Places that are the project's own by what a line says of them, and those that are not.

use portcullis_shell::{Command, Effects, Reading};

use crate::call::ToolCall;
use crate::context::Context;
use crate::path::is_within;
use crate::view::{Access, PathUse, View};

/// `cd "$(git rev-parse --show-toplevel)"`: the line goes nowhere but to the top of the repository it stands in.
pub(super) fn is_top(
    command: &Command,
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> bool {
    const TOP: &str = "$(git rev-parse --show-toplevel)";
    let moves =
        |other: &&Command| matches!(other.program.as_deref(), Some("cd" | "pushd" | "popd" | "chdir"));
    let to_top = |other: &Command| match other.arguments.as_slice() {
        [word] => {
            // A function of that name may print anything.
            let asks =
                |it: &Command| crate::reads::within(it.span, word.span) && it.own.meets(Effects::READS);
            word.span.of(&view.line).trim_matches('"') == TOP && reading.commands.iter().any(asks)
        }
        _ => false,
    };
    let named =
        command.arguments.iter().any(|word| matches!(word.text.as_str(), "-C" | "--cwd" | "--prefix"));
    let mut moving = reading.commands.iter().filter(moves).peekable();
    let led = view.line.contains("GIT_") || view.line.contains("CDPATH");
    let inside = context.roots.iter().any(|root| context.as_absolute(root) == call.cwd);
    inside && !named && !led && moving.peek().is_some() && moving.all(to_top)
}

/// Whether what runs in a folder may have been put there: by the line, by the session, or by its path.
pub(super) fn is_filled(folder: &str, command: &Command, view: &View, context: &Context) -> bool {
    let meets = |path: &str| is_within(path, folder) || is_within(folder, path);
    let puts = |it: &PathUse| it.access == Access::Write && !it.redirect && meets(&it.path);
    command.word.contains('/')
        || view.paths.iter().any(puts)
        || context.session.fetched.iter().any(|path| meets(path))
}
