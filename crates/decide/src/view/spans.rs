//! Where in a line something stands, and in which directories a command of it works.

use portcullis_shell::{Command, Span};

use super::path_use::PathUse;
use crate::call::ToolCall;
use crate::context::Context;

/// Whether the path is named by this command.
pub(crate) fn in_span(path: &PathUse, command: &Command) -> bool {
    path.span.is_none_or(|span| within(span, command.span))
}

pub(crate) fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The directories that the command may work in; nothing if that is not known.
pub(crate) fn directories(command: &Command, call: &ToolCall, context: &Context) -> Option<Vec<String>> {
    let Some(written) = &command.directory else { return Some(vec![context.absolute(".", &call.cwd)]) };
    let each = written.split(" | ");
    each.map(|place| (!place.contains('*')).then(|| context.absolute(place, &call.cwd))).collect()
}
