//! Whether a deny or ask rule touches the fields of a call (SPEC R2, R7): names, parameters, and the text of rules
//! that could not be understood.

use super::hits::Strongest;
use super::names::{is_like, servers};
use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::glob::{self, Match};
use crate::rules::{List, Specifier};
use crate::view::View;

/// The sub-agent that is started where none is named.
const UNNAMED_AGENT: &str = "general-purpose";

/// Rules that name a sub-agent, a skill or a field of the input: of the tool, of its server, or of all that a
/// pattern names.
pub(crate) fn details<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    let tool = call.tool.name();
    let around = if let Tool::Mcp(name) = &call.tool { servers(name, list) } else { Vec::new() };
    let named = std::iter::once(tool).chain(around.iter().map(String::as_str));
    let signs: Vec<glob::Sign> = glob::signs(tool, false).collect();
    let by_pattern = context.rules.details_by_pattern(list).filter(|rule| {
        let pattern: Vec<glob::Sign> = glob::signs(&rule.tool, true).collect();
        glob::matches(&pattern, &signs) == Match::Yes
    });
    for rule in named.flat_map(|name| context.rules.details(list, name)).chain(by_pattern) {
        let matched = match &rule.specifier {
            Specifier::Name(wanted) => {
                let unnamed = (call.tool == Tool::Agent).then_some(UNNAMED_AGENT);
                view.name.as_deref().or(unnamed).map_or(Match::No, |name| is_like(wanted, name))
            }
            Specifier::Parameter { name, value } => match call.input.get(name) {
                Some(serde_json::Value::String(text)) => is_like(value, text),
                Some(serde_json::Value::Null) | None => Match::No,
                Some(other) => is_like(value, &other.to_string()),
            },
            Specifier::Whole
            | Specifier::Command(_)
            | Specifier::Prompt(_)
            | Specifier::Path(_)
            | Specifier::Domain(_)
            | Specifier::Broken(_) => Match::No,
        };
        found.add(rule, matched, || None);
    }
}

/// A rule that could not be understood still guards its text.
pub(crate) fn broken<'r>(list: List, call: &ToolCall, context: &'r Context, found: &mut Strongest<'r>) {
    for rule in context.rules.broken(list) {
        let Specifier::Broken(text) = &rule.specifier else { continue };
        let values = call.fields().into_iter().flat_map(|fields| fields.values());
        let mut texts = values.filter_map(serde_json::Value::as_str);
        // Case and wildcards hide nothing from it.
        let text = text.to_lowercase();
        let pieces = || text.split('*').filter(|piece| !piece.is_empty());
        if text.is_empty() || texts.any(|value| pieces().all(|piece| value.to_lowercase().contains(piece))) {
            found.add(rule, Match::Unclear, || None);
        }
    }
}
