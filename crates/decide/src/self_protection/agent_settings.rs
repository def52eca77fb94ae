//! Edits of agents' settings that would take away or switch off the gate's hook; all other edits fall under S1.

use portcullis_shell::Reading;
use serde_json::Value;

use super::{PROGRAM, reason};
use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::facts::Question;
use crate::protected::{self, Place};
use crate::ruling::{Part, Reason};
use crate::view::{Access, PathUse, View};

/// The setting with which an agent leaves out all of its hooks.
const SWITCH: &str = "disableallhooks";

/// The settings of agents that the call writes.
fn written(view: &View) -> impl Iterator<Item = &PathUse> {
    view.paths.iter().filter(|path| {
        path.access != Access::Read
            && protected::place(&path.path, path.literal) == Some(Place::AgentSettings)
    })
}

/// What has to be known: the text of agents' settings that the call writes.
pub(crate) fn questions(view: &View) -> impl Iterator<Item = Question> {
    written(view).filter(|path| path.literal).map(|path| Question::Text(path.path.clone()))
}

/// Why the call would switch the hook off, if it would.
pub(super) fn changed(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    let path = written(view).find(|path| switches_off(path, call, view, context))?;
    let part = Part { text: path.named.clone(), span: path.span };
    let what = format!("`{}` holds the hook that asks Portcullis before each call", path.named);
    Some(reason(&what, Some(part)))
}

fn switches_off(path: &PathUse, call: &ToolCall, view: &View, context: &Context) -> bool {
    let before = context.facts.text(&path.path).unwrap_or_default();
    let holds_hook = before.to_lowercase().contains(PROGRAM);
    let Some(after) = edited(call, before) else {
        let line = view.line.to_lowercase();
        return holds_hook || line.contains(SWITCH) || view.reading.as_ref().is_some_and(writes_hooks);
    };
    let switched = sets_switch(&after) && !sets_switch(before);
    switched || (holds_hook && !keeps_hooks(before, &after))
}

/// The text of the file after an edit; nothing where a command writes it, or the edit does not say what it puts there.
fn edited(call: &ToolCall, before: &str) -> Option<String> {
    let replaced = |text: String, edit: &Value| {
        let field = |name: &str| edit.get(name).and_then(Value::as_str);
        let (old, new) = (field("old_string")?, field("new_string")?);
        // An edit of a file that was not read, or that does not fit, counts by what it puts there.
        Some(if old.is_empty() || !text.contains(old) { text + new } else { text.replace(old, new) })
    };
    if call.tool == Tool::Write {
        return call.text("content").map(str::to_owned);
    }
    if call.tool == Tool::Edit {
        return replaced(before.to_owned(), &call.input);
    }
    if call.tool == Tool::MultiEdit {
        let edits = call.input.get("edits")?.as_array()?;
        return edits.iter().try_fold(before.to_owned(), replaced);
    }
    None
}

fn sets_switch(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.split(SWITCH).skip(1).any(|rest| {
        let value = rest.trim_start_matches(['"', '\'', ':', '=', ' ', '\t', '\n']);
        !value.starts_with("false")
    })
}

/// Whether everything that starts the hook is as it was: the entries, and for other formats every line about hooks.
fn keeps_hooks(before: &str, after: &str) -> bool {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).ok();
    if let (Some(before), Some(after)) = (parsed(before), parsed(after)) {
        return ["hooks", "plugin", "plugins", "hooksConfig", "tools"]
            .iter()
            .all(|key| before.get(key) == after.get(key));
    }
    let about = |line: &&str| {
        let lower = line.to_lowercase();
        lower.contains("hook") || lower.contains(PROGRAM) || lower.contains("plugin")
    };
    before.lines().filter(about).eq(after.lines().filter(about))
}

/// Whether a setting of the agent itself is about its hooks.
pub(super) fn speaks_of_hooks(text: &str) -> bool {
    text.to_lowercase().contains("hook")
}

/// Whether words of the line speak of hooks in general: `jq 'del(.hooks)'`.
fn writes_hooks(reading: &Reading) -> bool {
    let mut words = reading.commands.iter().flat_map(|command| &command.arguments);
    words.any(|word| word.text.contains(".hooks") || word.text.contains("\"hooks\""))
}
