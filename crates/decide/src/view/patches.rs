//! Patches in the text of a line: which files `patch` and `git apply` change, where the line itself holds the patch, and
//! the edits that `apply_patch` makes.

use portcullis_shell::{Argument, Command, PatchChange, PatchedFile, Reading};
use serde_json::json;

use super::path_use::{Access, PathUse, plain};
use crate::call::ToolCall;
use crate::context::Context;

/// How the lines begin that name a file of a patch.
const HEADS: &[&str] = &["+++ ", "--- ", "rename to ", "copy to "];

/// The files that patches in the line change.
pub(crate) fn changed(line: &str, reading: &Reading, call: &ToolCall, context: &Context) -> Vec<PathUse> {
    let Some(applier) = reading.commands.iter().find(|command| applies(command)) else { return Vec::new() };
    let heads = line.lines().filter_map(|text| HEADS.iter().find_map(|head| text.strip_prefix(head)));
    let names = heads.map(|name| name.split('\t').next().unwrap_or_default().trim().trim_matches('"'));
    let names = names.filter(|name| !name.is_empty() && *name != "/dev/null");
    // How many folders are left out of a name is the applier's to say: usually one, or none.
    let spelled = names.flat_map(|name| [Some(name), name.split_once('/').map(|(_, rest)| rest)]);
    let path = |name: &str| PathUse { span: Some(applier.span), ..plain(name, Access::Write, call, context) };
    spelled.flatten().filter(|name| !name.is_empty()).map(path).collect()
}

fn applies(command: &Command) -> bool {
    let applies = |word: &Argument| matches!(word.text.as_str(), "apply" | "am");
    match command.program.as_deref() {
        Some("patch" | "gpatch") => true,
        Some("git") => command.verbs.first().and_then(|at| command.arguments.get(*at)).is_some_and(applies),
        Some(_) | None => false,
    }
}

/// The files that `apply_patch` changes with the patches of the line.
pub(crate) fn files(reading: &Reading) -> impl Iterator<Item = &PatchedFile> {
    reading.commands.iter().flat_map(|command| &command.patched)
}

/// The edits that it makes, each as the call that would make it.
pub(crate) fn edits(reading: &Reading, call: &ToolCall, context: &Context) -> Vec<ToolCall> {
    let edits = reading.commands.iter().flat_map(|command| {
        let cwd = context.absolute(command.directory.as_deref().unwrap_or("."), &call.cwd);
        command.patched.iter().filter_map(move |file| as_edit(file, &cwd))
    });
    edits.collect()
}

fn as_edit(file: &PatchedFile, cwd: &str) -> Option<ToolCall> {
    let path = file.moved.as_ref().unwrap_or(&file.path);
    let (tool, input) = match file.change {
        PatchChange::Add => ("Write", json!({ "file_path": path, "content": file.new })),
        PatchChange::Update => {
            ("Edit", json!({ "file_path": path, "old_string": file.old, "new_string": file.new }))
        }
        PatchChange::Delete => return None,
    };
    Some(ToolCall::new(tool, input, cwd.to_owned()))
}
