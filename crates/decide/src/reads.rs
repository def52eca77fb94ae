//! Whether a call surely only reads, and only where it may (SPEC F7a, P7).

use portcullis_shell::{Command, Effects};

use crate::call::ToolCall;
use crate::context::Context;
use crate::facts::PathKind;
use crate::leads::{self, Way};
use crate::path::is_doubtful;
use crate::view::{Access, PathUse, View};

/// How far a call is proven to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// It only reads, inside the trusted directories.
    Inside,
    /// It only reads, but this path lies outside, or its place is not known.
    Outside(String),
    /// Not proven.
    No,
}

/// How far `call` is proven to read.
pub(crate) fn proof(call: &ToolCall, view: &View, context: &Context) -> Proof {
    if view.lifts_isolation || view.odd_field.is_some() {
        return Proof::No;
    }
    if call.tool.reads_files() {
        // A rule that allows reading elsewhere has its own step.
        let foreign = view.paths.iter().find(|path| !is_inside(path, context));
        return foreign.map_or(Proof::Inside, |path| Proof::Outside(path.named.clone()));
    }
    let Some(reading) = &view.reading else { return Proof::No };
    let changed = context.session.shell_changed || context.session.redefined;
    if changed
        || !reading.only_reads_unless_told()
        || !reading.commands.iter().all(|it| obeys_nobody(it, call, context))
    {
        return Proof::No;
    }
    let directories = reading.commands.iter().find_map(|command| outside_directory(command, call, context));
    let paths = outside(view.paths.iter(), context);
    directories.or(paths).map_or(Proof::Inside, Proof::Outside)
}

/// Whether one command of the line only reads, inside the trusted directories.
pub(crate) fn part_reads(command: &Command, call: &ToolCall, view: &View, context: &Context) -> bool {
    let Some(reading) = &view.reading else { return false };
    let doubted = reading.unclear.iter().any(|doubt| within(doubt.span, command.span));
    let effects = command.effects.without(Effects::OBEYS_PROJECT);
    !doubted
        && !context.session.shell_changed
        && !context.session.redefined
        && effects.is_harmless()
        && obeys_nobody(command, call, context)
        && outside_directory(command, call, context).is_none()
        && outside(view.paths.iter().filter(|path| in_span(path, command)), context).is_none()
}

/// Whether the path is named by this command.
pub(crate) fn in_span(path: &PathUse, command: &Command) -> bool {
    path.span.is_none_or(|span| within(span, command.span))
}

pub(crate) fn within(inner: portcullis_shell::Span, outer: portcullis_shell::Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether no file of the project makes the command run other code: git's configuration, and the files that
/// the reader names.
pub(crate) fn obeys_nobody(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let git = command.program.as_deref() == Some("git")
        && command.effects.meets(Effects::READS.and(Effects::NETWORK_READ));
    let obeying = command.effects.meets(Effects::OBEYS_PROJECT);
    if !git && !obeying {
        return true;
    }
    directories(command, call, context).is_some_and(|directories| {
        directories.iter().all(|directory| {
            let repository = || context.facts.repository(directory).is_some_and(|keys| keys.is_empty());
            let names = obeyed(command);
            let files = || context.facts.present(directory, &names).is_some_and(|found| found.is_empty());
            (!git || repository()) && (!obeying || files())
        })
    })
}

/// The files with which a project can make the command run its code.
pub(crate) fn obeyed(command: &Command) -> Vec<String> {
    let names = portcullis_shell::obeyed_files(command.program.as_deref().unwrap_or_default());
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The directories that the command may work in; nothing if that is not known.
pub(crate) fn directories(command: &Command, call: &ToolCall, context: &Context) -> Option<Vec<String>> {
    let Some(written) = &command.directory else { return Some(vec![context.absolute(".", &call.cwd)]) };
    let each = written.split(" | ");
    each.map(|place| (!place.contains('*')).then(|| context.absolute(place, &call.cwd))).collect()
}

/// A directory of the command that is not trusted.
pub(crate) fn outside_directory(command: &Command, call: &ToolCall, context: &Context) -> Option<String> {
    let Some(places) = directories(command, call, context) else {
        return Some(command.directory.clone().unwrap_or_default());
    };
    // Going back and forth between folders is no reading; being somewhere else when reading is.
    let only_moves = matches!(command.program.as_deref(), Some("cd" | "pushd" | "popd"));
    places.into_iter().find(|place| !only_moves && !leads_inside(place, context))
}

fn leads_inside(path: &str, context: &Context) -> bool {
    let resolved = context.facts.path(path).map(|fact| fact.resolved);
    context.is_trusted(path) && resolved.is_some_and(|resolved| context.is_trusted(&resolved))
}

/// A path that is not surely inside the trusted directories.
fn outside<'p>(mut paths: impl Iterator<Item = &'p PathUse>, context: &Context) -> Option<String> {
    paths.find(|path| path.access == Access::Read && !may_read(path, context)).map(|path| path.named.clone())
}

/// Whether the path may be read: it lies inside, or a rule allows reading it.
pub(crate) fn may_read(path: &PathUse, context: &Context) -> bool {
    is_inside(path, context) || crate::cover::path_rule(path, context).is_some()
}

/// Whether the path surely lies in a trusted directory, by its name and where it leads.
pub(crate) fn is_inside(path: &PathUse, context: &Context) -> bool {
    if is_harmless_device(&path.path) {
        return true;
    }
    // The home directory of somebody else.
    let other_home = path.named.starts_with('~') && path.named != "~" && !path.named.starts_with("~/");
    if other_home || is_doubtful(&path.named, context.platform) || climbs_through_link(path, context) {
        return false;
    }
    if path.literal {
        let fact = context.facts.path(&path.path);
        let fact = fact.filter(|fact| fact.kind != PathKind::Special);
        return context.is_trusted(&path.path) && fact.is_some_and(|fact| context.is_trusted(&fact.resolved));
    }
    // Names of existing files in a folder that is known.
    let folder = path.path.split(['*', '?', '[']).next().and_then(|known| known.rsplit_once('/'));
    path.glob
        && folder
            .is_some_and(|(folder, _)| leads_inside(if folder.is_empty() { "/" } else { folder }, context))
}

/// Whether `..` stands behind a name that is a link: then it leads to where the link leads, and up from there.
pub(crate) fn climbs_through_link(path: &PathUse, context: &Context) -> bool {
    leads::way(path, context) != Way::AsWritten
}

fn is_harmless_device(path: &str) -> bool {
    const DEVICES: &[&str] = &[
        "/dev/null",
        "/dev/zero",
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/tty",
        "/dev/random",
        "/dev/urandom",
    ];
    DEVICES.contains(&path)
        || path
            .strip_prefix("/dev/fd/")
            .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*'))
}
