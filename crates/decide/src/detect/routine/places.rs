//! Where ordinary work happens, and what may be deleted without a word.

use portcullis_shell::Command;

use crate::context::Context;
use crate::facts::PathKind;
use crate::path::is_within;
use crate::protected;
use crate::view::in_span;
use crate::view::{Access, PathUse, View};

/// Folders that a build, a test run or a package manager makes again.
const REGENERABLE: &[&str] = words!(
    "node_modules dist build out target coverage htmlcov .next .nuxt .turbo .cache .parcel-cache \
     .svelte-kit .output .vite __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv \
     .eggs .gradle .dart_tool .tmp .terraform cmake-build-debug storybook-static test-results \
     playwright-report .nyc_output .coverage"
);

/// Endings of files that are made again.
const REGENERABLE_ENDINGS: &[&str] =
    words!(".pyc .pyo .o .obj .class .log .tmp .bak .orig .rej .tsbuildinfo .swp .out .egg-info");

/// Whether a path lies where anybody may leave files for a while.
pub(crate) fn is_temporary(path: &str) -> bool {
    let folders = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders", "/dev/shm"];
    folders.iter().any(|folder| is_within(path, folder) && path.len() > folder.len() + 1)
}

/// Whether ordinary work may write here: the project, or a temporary place.
pub(crate) fn is_workplace(path: &PathUse, context: &Context) -> bool {
    let inside = |path: &str| context.is_trusted(path) || is_temporary(path) || is_sink(path);
    // What is only known at run time may hold `..`, wherever it begins.
    (path.literal || path.glob) && inside(&path.path) && leads(path, context).is_none_or(|to| inside(&to))
}

/// Where the path leads, links and all, if that is known; names that are filled in lie in the folder before them.
fn leads(path: &PathUse, context: &Context) -> Option<String> {
    if path.literal {
        return context.facts.path(&path.path).map(|fact| fact.resolved);
    }
    let known = path.path.split(['*', '?', '[']).next().unwrap_or_default();
    let folder = known.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = if folder.is_empty() { "/" } else { folder };
    let resolved = context.facts.path(folder)?.resolved;
    let rest = path.path.strip_prefix(folder).unwrap_or_default().trim_start_matches('/');
    Some(format!("{}/{rest}", resolved.trim_end_matches('/')))
}

/// Whether the path lies in the project, as it is spelled and where it leads.
pub(crate) fn is_ours(path: &str, context: &Context) -> bool {
    context.is_trusted(path) && context.facts.path(path).is_none_or(|fact| context.is_trusted(&fact.resolved))
}

/// Files that swallow what is written to them.
fn is_sink(path: &str) -> bool {
    // A name below a descriptor leads through an open folder, wherever that is.
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr")
        || path.strip_prefix("/dev/fd/").is_some_and(is_number)
}

/// What is found at any depth under a name that only a cache has: its tool makes it again.
fn is_cache(path: &PathUse, view: &View) -> bool {
    const NAMES: &[&str] = &["__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"];
    let name = path.path.rsplit('/').next().unwrap_or_default();
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut around = commands.filter(|command| crate::view::in_span(path, command));
    // Through links, what is found may lie anywhere; another way to be found is not looked at.
    let plain = |command: &portcullis_shell::Command| {
        let odd = |text: &str| {
            matches!(text, "-L" | "-follow" | "-o" | "-or" | "!" | "-not" | "," | "-H" | "-regex" | "-path")
        };
        !command.arguments.iter().any(|word| odd(&word.text) || !word.literal && word.text.contains("..*"))
    };
    NAMES.contains(&name) && around.all(plain)
}

/// Whether the path may be deleted without asking: the session made it, or it is made again by itself.
pub(crate) fn may_go(path: &PathUse, view: &View, context: &Context) -> bool {
    if !path.literal && !path.glob {
        return false;
    }
    if path.deep && is_cache(path, view) && context.is_trusted(&path.path) {
        return true;
    }
    if path.deep {
        // Of what is found at any depth only the folder is known.
        let folder = path.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let all = PathUse { path: format!("{folder}/*"), deep: false, ..path.clone() };
        return may_go(&all, view, context);
    }
    let session = &context.session.created;
    let made = session.contains(&path.path)
        || session.iter().any(|written| path.glob && glob_covers(&path.path, written));
    let moved = is_moved(path, view);
    // Behind a link lie the files of somebody else.
    let foreign = |to: &str| !context.is_trusted(to) || context.roots.iter().any(|root| root == to);
    let strays = |to: &str| to != path.path && !is_temporary(to) && foreign(to);
    if leads(path, context).is_some_and(|to| strays(&to)) {
        return false;
    }
    let trusted = context.is_trusted(&path.path) && !context.roots.contains(&path.path);
    let filled = is_moved_into(path, view);
    // `rm -r x/` goes through a link of that name.
    let spelled = path.span.map_or(path.named.as_str(), |span| span.of(&view.line));
    let through = spelled.trim_end_matches(['"', '\'']).ends_with('/') && filled;
    let own = (made || made_here(path, view, context)) && !through;
    own || (moved && trusted)
        || (super::fresh::is_not_missed(path, view, context) && !filled)
        || (trusted && is_regenerable(path, context) && !filled)
}

/// Whether a file only gets another name: it is still there.
fn is_moved(path: &PathUse, view: &View) -> bool {
    let mut commands = view.reading.iter().flat_map(|reading| &reading.commands);
    commands.any(|command| command.program.as_deref() == Some("mv") && crate::view::in_span(path, command))
}

/// Whether the line moves or links something to where it is deleted from: that is not made again.
fn is_moved_into(path: &PathUse, view: &View) -> bool {
    let commands = || view.reading.iter().flat_map(|reading| &reading.commands);
    let moves = |command: &Command| match command.program.as_deref() {
        Some("mv" | "ln") => true,
        Some("git") => command.arguments.iter().any(|word| word.text == "mv"),
        Some(_) | None => false,
    };
    let by_move = |it: &PathUse| commands().any(|command| moves(command) && in_span(it, command));
    // Of some moves the reader lists no files, and in a loop it knows none.
    let bare = |name: &str| name.trim_end_matches('/').to_owned();
    let named_last = |command: &Command| {
        command.arguments.last().is_some_and(|word| bare(&word.text) == bare(&path.named))
    };
    let folder = path.path.split(['*', '?', '[']).next().unwrap_or_default().trim_end_matches('/');
    // A name of which only the beginning is known may be any that begins so.
    let below = |it: &PathUse| is_within(&it.path, folder) || (path.glob && it.path.starts_with(folder));
    let mut written = view.paths.iter().filter(|it| it.access == Access::Write);
    written.any(|it| (below(it) || is_within(folder, &it.path)) && by_move(it))
        || commands().any(|command| moves(command) && named_last(command))
}

/// Whether the path lies below a link that the same line makes: where that leads is not where it seems.
pub(crate) fn is_behind_own_link(path: &PathUse, view: &View) -> bool {
    let commands = || view.reading.iter().flat_map(|reading| &reading.commands);
    let links = |it: &PathUse| {
        let by = |command: &Command| command.program.as_deref() == Some("ln") && in_span(it, command);
        it.access == Access::Write && commands().any(by)
    };
    let below = |it: &PathUse| path.path != it.path && is_within(&path.path, &it.path);
    view.paths.iter().any(|it| below(it) && links(it))
}

/// Whether the same line makes the file before it deletes it.
fn made_here(path: &PathUse, view: &View, context: &Context) -> bool {
    let mut written = view.paths.iter().filter(|it| {
        it.access == Access::Write
            && it.path == path.path
            && !crate::view::changes::is_changed(it, view)
            && !may_have_been_there(it, view, context)
    });
    written.any(|it| it.span.zip(path.span).is_some_and(|(made, gone)| made.start < gone.start))
}

/// Whether the project makes it again by itself.
fn is_regenerable(path: &PathUse, context: &Context) -> bool {
    let root = context.roots.iter().find(|root| is_within(&path.path, root));
    let inner = root.and_then(|root| path.path.strip_prefix(root.as_str())).unwrap_or(&path.path);
    let folder = inner.split('/').any(|part| REGENERABLE.contains(&part));
    let name = inner.rsplit('/').next().unwrap_or_default();
    let ending = REGENERABLE_ENDINGS.iter().any(|ending| name.ends_with(ending) && name.len() > ending.len());
    (folder || ending) && !protected::runs_later(&path.path)
}

fn glob_covers(pattern: &str, path: &str) -> bool {
    let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let (its_folder, its_name) = path.rsplit_once('/').unwrap_or(("", path));
    let (start, end) = name.split_once('*').unwrap_or((name, ""));
    folder == its_folder && !start.is_empty() && its_name.starts_with(start) && its_name.ends_with(end)
}

/// Whether a folder or file of the project that is filled or added to may have been there before.
pub(crate) fn may_have_been_there(path: &PathUse, view: &View, context: &Context) -> bool {
    const FILLERS: &[&str] = &["mkdir", "cp", "rsync", "tar", "unzip", "install", "git", "ditto"];
    let missing = context.facts.path(&path.path).is_some_and(|fact| fact.kind == PathKind::Missing);
    let start = path.span.and_then(|span| usize::try_from(span.start).ok());
    let before = start.and_then(|start| view.line.get(..start)).unwrap_or_default();
    let appended = path.redirect && before.trim_end().ends_with(">>");
    let mut naming = view.reading.iter().flat_map(|reading| &reading.commands);
    let filled = naming.any(|command| {
        in_span(path, command)
            && !path.redirect
            && command.program.as_deref().is_some_and(|name| FILLERS.contains(&name))
    });
    let shared = is_temporary(&path.path) && is_only_ensured(path, view);
    (((appended || filled) && context.is_trusted(&path.path)) || shared) && !missing
}

/// `mkdir -p x`: the folder is there afterwards, and may have been before. Without `-p` that is an error, behind which
/// only what is joined by `&&` does not run.
fn is_only_ensured(path: &PathUse, view: &View) -> bool {
    let after = |command: &portcullis_shell::Command| {
        usize::try_from(command.span.end).ok().and_then(|end| view.line.get(end..)).unwrap_or_default()
    };
    let mut naming = view.reading.iter().flat_map(|reading| &reading.commands);
    naming.any(|command| {
        let ensures = |text: &str| text.starts_with("--p") || (text.starts_with('-') && text.contains('p'));
        let parents = command.arguments.iter().any(|word| ensures(&word.text));
        command.program.as_deref() == Some("mkdir")
            && in_span(path, command)
            && (parents || after(command).contains([';', '\n', '|']))
    })
}
