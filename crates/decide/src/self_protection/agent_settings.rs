//! Edits of agents' settings that would take away or switch off the gate's hook; all other edits fall under S1.

use portcullis_shell::Reading;
use serde_json::Value;

use super::{PROGRAM, reason};
use crate::call::ToolCall;
use crate::context::Context;
use crate::edited::text_after;
use crate::facts::Question;
use crate::protected::{self, Place};
use crate::ruling::{Part, Reason};
use crate::view::path_resolution;
use crate::view::{Access, PathUse, View};

/// The setting with which an agent leaves out all of its hooks.
const SWITCH: &str = "disableallhooks";

/// Names that agents' settings have; a link may lead to one from anywhere.
const FILES: &[&str] = &[
    "settings.json",
    "settings.local.json",
    "hooks.json",
    "config.toml",
    "config.json",
    "opencode.json",
    "config.yaml",
];

/// The settings of agents that the call writes, by their names or where those lead.
fn written<'v>(view: &'v View, context: &Context) -> impl Iterator<Item = &'v PathUse> {
    let settings = |path: &&PathUse| {
        let names = path_resolution::names(path, context).all;
        names.iter().any(|name| protected::place(name, path.literal) == Some(Place::AgentSettings))
    };
    view.paths.iter().filter(|path| path.access != Access::Read).filter(settings)
}

/// What has to be known: the text of what may be agents' settings that the call writes.
pub(crate) fn questions(view: &View) -> impl Iterator<Item = Question> {
    let written = view.paths.iter().filter(|path| path.access != Access::Read && path.literal);
    let named = written.filter(|path| {
        let name = path.path.rsplit('/').next().unwrap_or_default();
        FILES.contains(&name) || protected::place(&path.path, true) == Some(Place::AgentSettings)
    });
    named.map(|path| Question::Text(path.path.clone()))
}

/// Why the call would switch the hook off, if it would.
pub(super) fn changed(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    let path = written(view, context).find(|path| switches_off(path, call, view, context))?;
    let part = Part { text: path.named.clone(), span: path.span };
    let what = format!("`{}` holds the hook that asks Portcullis before each call", path.named);
    Some(reason(&what, Some(part)))
}

fn switches_off(path: &PathUse, call: &ToolCall, view: &View, context: &Context) -> bool {
    let before = context.facts.text(&path.path).unwrap_or_default();
    let holds_hook = before.to_lowercase().contains(PROGRAM);
    let Some(after) = text_after(call, Some(before)) else {
        let line = view.line.to_lowercase();
        return holds_hook || line.contains(SWITCH) || view.reading.as_ref().is_some_and(writes_hooks);
    };
    let switched = sets_switch(&after) && !sets_switch(before);
    switched || (holds_hook && !keeps_hooks(before, &after))
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
