//! What nobody misses: an empty folder, and what a line makes anew in a temporary place.

use portcullis_shell::{Command, Effects, Placement};

use super::places::is_temporary;
use crate::context::Context;
use crate::view::{Access, PathUse, View};

/// Whether what is deleted is empty, or made again by the same line.
pub(super) fn is_not_missed(path: &PathUse, view: &View, context: &Context) -> bool {
    let near = context.is_trusted(&path.path) || is_temporary(&path.path);
    near && (is_empty(path, view) || is_made_anew(path, view) || is_made_under_own_name(path, view))
}

fn commands(view: &View) -> impl Iterator<Item = &Command> {
    view.reading.iter().flat_map(|reading| &reading.commands)
}

/// `rmdir` takes nothing away that holds something.
fn is_empty(path: &PathUse, view: &View) -> bool {
    let deletes = |command: &&Command| {
        path.span.is_some()
            && crate::view::in_span(path, command)
            && command.effects.meets(Effects::DELETES.and(Effects::EXECUTES).and(Effects::UNKNOWN))
    };
    let mut deleting = commands(view).filter(deletes).peekable();
    deleting.peek().is_some() && deleting.all(|command| command.word == "rmdir")
}

/// `rm -rf /tmp/x && git clone … /tmp/x`: the place is the line's own.
fn is_made_anew(path: &PathUse, view: &View) -> bool {
    let later = |made: &&PathUse| {
        let spans = made.span.zip(path.span);
        made.access == Access::Write
            && made.path == path.path
            && spans.is_some_and(|(made, gone)| gone.start < made.start)
    };
    let makes = |made: &PathUse| {
        commands(view).any(|command| {
            let mut words = command.arguments.iter().map(|word| word.text.as_str());
            let fills = match command.program.as_deref() {
                Some("mkdir") => words.all(|word| !word.starts_with('-') || word == "-p"),
                Some("git") => words.next() == Some("clone"),
                Some(_) | None => false,
            };
            fills && crate::view::in_span(made, command) && follows(path, command, view)
        })
    };
    path.literal && is_temporary(&path.path) && view.paths.iter().filter(later).any(makes)
}

/// Whether the command stands right behind the one that deletes the path: what runs only sometimes need not run.
fn follows(path: &PathUse, command: &Command, view: &View) -> bool {
    let direct = |it: &Command| it.placement == Placement::Direct;
    let between = |gone: &Command| {
        let end = usize::try_from(gone.span.end).ok()?;
        view.line.get(end..usize::try_from(command.span.start).ok()?).map(str::trim)
    };
    let mut gone = commands(view).filter(|it| direct(it) && crate::view::in_span(path, it));
    direct(command) && gone.any(|gone| matches!(between(gone), Some("&&" | ";" | "")))
}

/// `t=$(mktemp -d); …; rm -rf "$t"`: what the variable holds is the new file only where nothing else gives it a value.
fn is_made_under_own_name(path: &PathUse, view: &View) -> bool {
    let word = path.span.map_or("", |span| span.of(&view.line));
    let name = word.split('$').nth(1).unwrap_or_default().trim_start_matches('{');
    let name = name.split(|it: char| !(it.is_ascii_alphanumeric() || it == '_')).next().unwrap_or_default();
    let plain = word.matches('$').count() == 1 && !word.contains(['*', '?', '[']);
    let values: Vec<&str> = view.line.split(&format!("{name}=")).skip(1).collect();
    let made = |value: &&str| value.trim_start_matches('"').starts_with("$(mktemp");
    let own = !values.is_empty() && values.iter().all(made) && !view.line.contains(&format!("for {name} "));
    !name.is_empty() && plain && path.glob && is_temporary(&path.path) && own
}
