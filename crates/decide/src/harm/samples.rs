//! Files that show how a file with credentials is written, and hold none: `.env.example`.

use portcullis_shell::{Command, Effects};

use crate::context::Context;
use crate::leads;
use crate::view::{Access, PathUse, View};

/// How the names of such files end.
const ENDINGS: &[&str] = &[".example", ".sample", ".template", ".dist", ".tmpl", ".tpl"];

/// Programs that show the files they are given, and nothing else.
const SHOWS: &[&str] =
    &["cat", "bat", "head", "tail", "less", "more", "nl", "wc", "grep", "rg", "diff", "cmp"];

/// Whether all that the call reads of credentials are such files.
#[must_use]
pub fn reads_only_samples(view: &View, context: &Context) -> bool {
    let mut commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut read = secrets(view, context).peekable();
    read.peek().is_some()
        && read.all(|path| is_sample(path, context))
        && commands.all(|command| !command.effects.meets(Effects::SECRETS) || shows(command, view, context))
}

/// Whether the command shows such files, and no other credentials.
pub(super) fn shows(command: &Command, view: &View, context: &Context) -> bool {
    let mut read = secrets(view, context).filter(|path| crate::reads::in_span(path, command)).peekable();
    command.program.as_deref().is_some_and(|name| SHOWS.contains(&name))
        && read.peek().is_some()
        && read.all(|path| is_sample(path, context))
}

/// What the call reads that may hold credentials.
fn secrets<'v>(view: &'v View, context: &Context) -> impl Iterator<Item = &'v PathUse> {
    let secret = |path: &PathUse| {
        let names = leads::names(path, context).all;
        names.iter().any(|name| portcullis_shell::is_secret_path(name, path.literal))
    };
    view.paths.iter().filter(move |path| path.access == Access::Read && secret(path))
}

fn is_sample(path: &PathUse, context: &Context) -> bool {
    let fits = |path: &String| {
        let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        name.starts_with(".env") && ENDINGS.iter().any(|ending| name.ends_with(ending))
    };
    let known_as = leads::names(path, context);
    path.literal && !path.searched && !known_as.open && known_as.all.iter().all(fits)
}
