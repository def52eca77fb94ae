//! Rules that would settle calls like this one: the narrowest that are of use, never a dangerous one.

use crate::call::{Tool, ToolCall};
use crate::rules::{Extra, List, Origin, Rule, Source, is_dangerous};
use crate::view::{Access, View};
use crate::web::Host;

/// How many are offered for one call.
const MAX: usize = 5;

/// The rules that are offered with a question.
#[expect(clippy::wildcard_enum_match_arm, reason = "for other tools there is no narrow rule")]
pub(crate) fn rules(call: &ToolCall, view: &View) -> Vec<String> {
    let mut offered = match &call.tool {
        Tool::Bash | Tool::PowerShell => commands(call, view),
        tool if tool.edits_files() || tool.reads_files() => paths(view),
        Tool::WebFetch => match &view.host {
            Some(Host::Public(host)) => vec![format!("WebFetch(domain:{host})")],
            Some(Host::Private(_) | Host::Unclear) | None => Vec::new(),
        },
        Tool::Skill => view.name.iter().map(|name| format!("Skill({name})")).collect(),
        Tool::Mcp(name) => vec![name.clone()],
        _ => Vec::new(),
    };
    offered.dedup();
    offered.truncate(MAX);
    offered.retain(|text| {
        let (rule, broken) = Rule::parse(text, List::Allow, Origin::of(Source::Session));
        broken.is_none() && !is_dangerous(&rule, Extra::Keep)
    });
    offered
}

/// One rule for each command that needs one: its program and sub-commands.
fn commands(call: &ToolCall, view: &View) -> Vec<String> {
    let Some(reading) = view.reading.as_ref().filter(|reading| reading.refused().is_none()) else {
        return Vec::new();
    };
    let mut offered = Vec::new();
    for command in reading.commands.iter().filter(|command| !command.effects.is_harmless()) {
        let Some(program) = &command.program else { continue };
        let plain = |text: &str| {
            !text.is_empty()
                && !text.contains(|character: char| character.is_control() || "()*\\".contains(character))
        };
        let mut words = vec![program.clone()];
        // Verbs that directly follow the program; an option in between is not part of the rule.
        let leading =
            command.verbs.iter().enumerate().take_while(|(at, index)| at == *index).map(|(_, index)| *index);
        words.extend(leading.filter_map(|index| command.arguments.get(index)).map(|word| word.text.clone()));
        if command.word != *program || !words.iter().all(|word| plain(word)) {
            continue;
        }
        let name = call.tool.name();
        let exact = command.arguments.len() + 1 == words.len();
        let text = if exact {
            format!("{name}({})", words.join(" "))
        } else {
            format!("{name}({}:*)", words.join(" "))
        };
        if !offered.contains(&text) {
            offered.push(text);
        }
    }
    offered
}

fn paths(view: &View) -> Vec<String> {
    let each = view.paths.iter().filter(|path| path.literal).map(|path| {
        let tool = if path.access == Access::Read { "Read" } else { "Edit" };
        format!("{tool}(/{})", path.path)
    });
    each.collect()
}
