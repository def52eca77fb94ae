//! What nobody misses: an empty folder, and what a line makes for itself, or makes anew, in a temporary place.

use portcullis_shell::{Command, Effects, Placement};

use super::places::is_temporary;
use crate::context::Context;
use crate::view::{Access, PathUse, View};

/// Whether what is deleted is empty, made again by the same line, or made by it under a name of its own.
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

/// `t=$(mktemp -d); …; rm -rf "$t"`
fn is_made_under_own_name(path: &PathUse, view: &View) -> bool {
    let word = path.span.map_or("", |span| span.of(&view.line));
    let name = variable(word.trim_matches('"')).or_else(|| only_variable(word)).unwrap_or_default();
    let makes = |value: &str| value.trim_start_matches('"').starts_with("$(mktemp");
    // What the pattern stands for is the new file only where the variable holds nothing else.
    let mut values = assigned(name, &view.line).peekable();
    !name.is_empty()
        && path.glob
        && is_temporary(&path.path)
        && values.peek().is_some()
        && values.all(makes)
        && !view.line.contains(&format!("for {name} "))
}

/// The name in `$name` or `${name}`.
fn variable(word: &str) -> Option<&str> {
    let name = word.strip_prefix('$')?;
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    name.bytes().all(is_part).then_some(name)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The only variable in the code of a trap, where no pattern stands beside it: `'rm -rf "$t"'`
fn only_variable(code: &str) -> Option<&str> {
    let code = code.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut names = code.split('$').skip(1).map(|rest| {
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        rest.get(..rest.bytes().take_while(|byte| is_part(*byte)).count()).unwrap_or_default()
    });
    let name = names.next()?;
    (names.all(|other| other == name) && !code.contains(['*', '?', '['])).then_some(name)
}

/// What follows each `name=` in the line.
fn assigned<'l>(name: &'l str, line: &'l str) -> impl Iterator<Item = &'l str> {
    let apart = |before: Option<char>| before.is_none_or(|it| !(it.is_alphanumeric() || it == '_'));
    line.match_indices(name).filter_map(move |(at, found)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let value = line.get(at + found.len()..)?.strip_prefix('=')?;
        apart(before).then_some(value)
    })
}
