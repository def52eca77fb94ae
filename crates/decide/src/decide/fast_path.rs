//! The fast paths of auto mode (SPEC P1–P7): what needs no review, in order.

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::cover;
use crate::detect;
use crate::matching::permitted::is_acceptable_edit;
use crate::protected;
use crate::read_only::Proof;
use crate::view::{Access, PathUse, View, in_span};

/// The fast path that lets the call through, if one does.
pub(crate) fn find(call: &ToolCall, view: &View, proof: &Proof, context: &Context) -> Option<&'static str> {
    if call.tool.is_irrelevant() {
        return Some("P1 it has no effect that matters");
    }
    if view.lifts_isolation {
        return None;
    }
    if accepts_edit(call, view, context) {
        return Some("P5 an edit inside the trusted directories");
    }
    if call.tool.is_safe() && safe_here(call, proof) {
        return Some("P6 a safe tool");
    }
    if call.tool.is_shell()
        && *proof != Proof::No
        && detect::shows_unnamed(view).is_none()
        && detect::looks_for_credentials(view, context).is_none()
    {
        return Some("P7 it only reads");
    }
    None
}

/// Reading tools are safe wherever they read; credentials were looked at before. In the dark they are not.
fn safe_here(call: &ToolCall, proof: &Proof) -> bool {
    !call.tool.reads_files() || *proof != Proof::No
}

/// P5: the call would be allowed in acceptEdits mode, and what it changes is not run later, nor does it show
/// anything that a reviewer should see.
fn accepts_edit(call: &ToolCall, view: &View, context: &Context) -> bool {
    if matches!(call.tool, Tool::Agent | Tool::Repl) || !acceptable(call, view, context) {
        return false;
    }
    let changed = view.paths.iter().filter(|path| path.access != Access::Read);
    let quiet = changed.into_iter().all(|path| {
        // What is deleted does not come back; what the session made itself may go.
        let foreign = path.access == Access::Delete
            && !is_moved(path, view)
            && !context.session.created.contains(&path.path);
        !foreign && !protected::runs_later(&path.path)
    });
    quiet && detect::is_quiet_edit(call, view, context) && !detect::empties(view, context)
}

/// Whether acceptEdits mode would allow the call (M).
pub(crate) fn acceptable(call: &ToolCall, view: &View, context: &Context) -> bool {
    if view.lifts_isolation || view.odd_field.is_some() || view.paths.is_empty() {
        return false;
    }
    if call.tool.edits_files() {
        return view.paths.iter().all(|path| is_acceptable_edit(path, context));
    }
    call.tool == Tool::Bash && cover::is_simple_file_command(call, view, context)
}

/// Whether the file only gets another name: `mv a b` keeps what is in it.
fn is_moved(path: &PathUse, view: &View) -> bool {
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut mine = commands.filter(|command| in_span(path, command));
    mine.any(|command| command.program.as_deref() == Some("mv"))
}
