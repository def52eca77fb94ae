//! Rules that would settle calls like this one: the narrowest that are of use, never a dangerous one.

use portcullis_shell::{Command, Effects};

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

/// What nobody should agree to for other operands than those in front of them.
const GRAVE: Effects = Effects::DELETES
    .and(Effects::DISCARDS)
    .and(Effects::PUSHES)
    .and(Effects::PUBLISHES)
    .and(Effects::NETWORK_WRITE)
    .and(Effects::SENDS_DATA)
    .and(Effects::PERMISSIONS);

/// What calls like this one have in common: the program and its sub-commands, or the tool.
#[must_use]
pub fn shape(call: &ToolCall, view: &View) -> String {
    let reading = view.reading.as_ref().filter(|reading| reading.refused().is_none());
    let mut commands = reading.into_iter().flat_map(|reading| &reading.commands);
    let first = commands.find(|command| !command.effects.is_harmless());
    let words = first.and_then(|command| Some((command, leading_words(command)?)));
    match words {
        Some((command, words)) => prefix_rule(call, command, &words),
        None => call.tool.name().to_owned(),
    }
}

/// The program and the sub-commands that directly follow it; an option in between is not part of a rule.
fn leading_words(command: &Command) -> Option<Vec<String>> {
    let program = command.program.as_ref()?;
    let mut words = vec![program.clone()];
    let leading =
        command.verbs.iter().enumerate().take_while(|(at, index)| at == *index).map(|(_, index)| *index);
    words.extend(leading.filter_map(|index| command.arguments.get(index)).map(|word| word.text.clone()));
    (command.word == *program && words.iter().all(|word| is_plain(word))).then_some(words)
}

/// Whether a text means itself in a rule.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(|character: char| character.is_control() || "()*\\".contains(character))
}

fn prefix_rule(call: &ToolCall, command: &Command, words: &[String]) -> String {
    let name = call.tool.name();
    let exact = command.arguments.len() + 1 == words.len();
    format!("{name}({}{})", words.join(" "), if exact { "" } else { ":*" })
}

/// The command as it stands, and nothing else.
fn exact_rule(call: &ToolCall, command: &Command) -> Option<String> {
    let line = call.input.get("command")?.as_str()?;
    let text = command.span.of(line);
    is_plain(text).then(|| format!("{}({text})", call.tool.name()))
}

/// One rule for each command that needs one: its program and sub-commands, or just itself where it is grave.
fn commands(call: &ToolCall, view: &View) -> Vec<String> {
    let Some(reading) = view.reading.as_ref().filter(|reading| reading.refused().is_none()) else {
        return Vec::new();
    };
    let mut offered = Vec::new();
    for command in reading.commands.iter().filter(|command| !command.effects.is_harmless()) {
        let Some(words) = leading_words(command) else { continue };
        let narrow = command.effects.meets(GRAVE);
        let text = if narrow { exact_rule(call, command) } else { Some(prefix_rule(call, command, &words)) };
        let Some(text) = text else { continue };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, Decision, decide};
    use serde_json::json;

    fn offered(command: &str) -> Vec<String> {
        let call = ToolCall::new("Bash", json!({ "command": command }), "/home/dev/proj");
        let context = Context::new("/home/dev/proj", "/home/dev");
        match decide(&call, &context).decision {
            Decision::Ask { suggestions, .. } => suggestions,
            Decision::Allow { .. } | Decision::Deny { .. } => Vec::new(),
        }
    }

    /// [H6]
    #[test]
    fn what_cannot_be_taken_back_is_offered_as_it_stands() {
        for (command, rules) in [
            ("git push --force origin main", &["Bash(git push --force origin main)"][..]),
            ("git push", &["Bash(git push)"]),
            ("rm x", &["Bash(rm x)"]),
            ("rm a/*.o", &[]),
            ("chmod 700 \"a b\"", &["Bash(chmod 700 \"a b\")"]),
            ("npm install left-pad", &["Bash(npm install:*)"]),
            ("touch a && rm b", &["Bash(touch:*)", "Bash(rm b)"]),
            ("python3 x.py", &[]),
        ] {
            assert_eq!(offered(command), rules, "{command}");
        }
    }

    /// [N4]
    #[test]
    fn calls_of_one_shape_differ_in_their_operands() {
        let shape_of = |command: &str| {
            let call = ToolCall::new("Bash", json!({ "command": command }), "/home/dev/proj");
            let context = Context::new("/home/dev/proj", "/home/dev");
            shape(&call, &View::of(&call, &context))
        };
        assert_eq!(shape_of("rm a"), shape_of("rm b"));
        assert_eq!(shape_of("ls; git push --force origin main"), shape_of("git push -f x y"));
        assert_ne!(shape_of("git push x"), shape_of("git fetch x"));
        assert_eq!(shape_of("$X y"), "Bash");
    }
}
