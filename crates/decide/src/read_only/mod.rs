//! Whether a call surely only reads, and only where it may (SPEC F7a, P7).

mod listings;

use portcullis_shell::{Command, Effects};

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect;
use crate::matching::permitted::may_read;
use crate::view::project_files::{finds_its_files, obeys_nobody};
use crate::view::trusted::{is_inside, outside_directory};
use crate::view::{Access, PathUse, View, in_span, within};

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
        || !reading.commands.iter().all(|it| finds_its_files(it, view, context))
    {
        return Proof::No;
    }
    let directories = reading.commands.iter().find_map(|command| outside_directory(command, call, context));
    let paths = outside(view.paths.iter(), call, view, context);
    directories.or(paths).map_or(Proof::Inside, Proof::Outside)
}

/// Whether one command of the line only reads, inside the trusted directories.
pub(crate) fn part_reads(command: &Command, call: &ToolCall, view: &View, context: &Context) -> bool {
    let Some(reading) = &view.reading else { return false };
    let doubted = reading.unclear.iter().any(|doubt| within(doubt.span, command.span));
    let effects = command.effects.without(Effects::IF_FILES_SAY_SO);
    !doubted
        && !context.session.shell_changed
        && !context.session.redefined
        && effects.is_harmless()
        && obeys_nobody(command, call, context)
        && finds_its_files(command, view, context)
        && outside_directory(command, call, context).is_none()
        && outside(view.paths.iter().filter(|path| in_span(path, command)), call, view, context).is_none()
}

/// A path that is not surely inside the trusted directories.
fn outside<'p>(
    mut paths: impl Iterator<Item = &'p PathUse>,
    call: &ToolCall,
    view: &View,
    context: &Context,
) -> Option<String> {
    // Names that the project lists are as good as what a pattern finds, but for credentials among them.
    let listed = |path: &PathUse| {
        listings::name(path, view, call, context)
            && detect::shows_unnamed(view).is_none()
            && detect::looks_for_credentials(view, context).is_none()
    };
    let strays = |path: &PathUse| path.access == Access::Read && !may_read(path, context) && !listed(path);
    paths.find(|path| strays(path)).map(|path| path.named.clone())
}
