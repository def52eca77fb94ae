//! Files that show how a file with credentials is written, and hold none: `.env.example`.

use portcullis_shell::{Command, Effects};

use crate::context::Context;
use crate::view::path_resolution;
use crate::view::{Access, PathUse, View};

/// Programs that show the files they are given, and nothing else.
const SHOWS: &[&str] =
    &["cat", "bat", "head", "tail", "less", "more", "nl", "wc", "grep", "rg", "diff", "cmp"];

/// Whether every credential file that the call reads is a sample without secrets, such as `.env.example`.
#[must_use]
pub fn reads_only_samples(view: &View, context: &Context) -> bool {
    let mut commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut read = secrets(view, context).peekable();
    read.peek().is_some()
        && read.all(|path| is_sample(path, view, context))
        && commands.all(|command| !command.effects.meets(Effects::SECRETS) || shows(command, view, context))
}

/// Whether the command shows such files, and no other credentials.
pub(in crate::detect) fn shows(command: &Command, view: &View, context: &Context) -> bool {
    let mut read = secrets(view, context).filter(|path| crate::view::in_span(path, command)).peekable();
    shows_files(command) && read.peek().is_some() && read.all(|path| is_sample(path, view, context))
}

fn shows_files(command: &Command) -> bool {
    let verb = command.verbs.first().and_then(|at| command.arguments.get(*at));
    match command.program.as_deref() {
        Some("git") => verb.is_some_and(|verb| matches!(verb.text.as_str(), "show" | "diff" | "log")),
        Some(name) => SHOWS.contains(&name),
        None => false,
    }
}

/// What the call reads that may hold credentials.
fn secrets<'v>(view: &'v View, context: &Context) -> impl Iterator<Item = &'v PathUse> {
    let secret = |path: &PathUse| {
        let names = path_resolution::names(path, context).all;
        names.iter().any(|name| portcullis_shell::is_secret_path(name, path.literal))
    };
    view.paths.iter().filter(move |path| path.access == Access::Read && secret(path))
}

/// One of the project that was there before: what is made or moved may hold anything.
fn is_sample(path: &PathUse, view: &View, context: &Context) -> bool {
    let known_as = path_resolution::names(path, context);
    let changed = view.paths.iter().any(|path| path.access != Access::Read)
        || context.session.created.contains(&path.path)
        || view
            .reading
            .iter()
            .flat_map(|reading| &reading.commands)
            .any(|it| !it.own.is_harmless() && !shows_files(it));
    path.literal
        && !path.searched
        && !known_as.open
        && !changed
        && context.is_trusted(&path.path)
        && known_as.all.iter().all(|name| portcullis_shell::is_sample(name))
}
