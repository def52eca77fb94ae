//! Places that are the project's own by what a line says of them: the top of its repository, and the classes in it.

use portcullis_shell::{Command, Effects, Reading};

use super::{places, scripts};
use crate::call::ToolCall;
use crate::context::Context;
use crate::path::is_within;
use crate::view::{Access, View};

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

/// `java -cp build Main`: classes that lie in the project, and nothing else that is loaded.
pub(super) fn runs_own_classes(command: &Command, view: &View, call: &ToolCall, context: &Context) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let ["-cp" | "-classpath" | "--class-path", folders, class, ..] = words.as_slice() else {
        return false;
    };
    let own = |folder: &str| {
        let path = scripts::place(folder, command, call, context);
        // What the line or the session put there from elsewhere is not the project's.
        let put = view.paths.iter().any(|it| it.access == Access::Write && is_within(&it.path, &path));
        let brought = context.session.fetched.iter().any(|it| is_within(it, &path));
        places::is_ours(&path, context) && !put && !brought
    };
    command.program.as_deref() == Some("java")
        && command.arguments.iter().take(3).all(|word| word.literal)
        && class.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$'))
        && folders.split(':').all(own)
}
