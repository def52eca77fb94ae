//! The lists of auto mode, who judges, and weaknesses, for people: wrapped on a screen, one line an entry in a pipe.

use portcullis_classify::policy::{List, PolicyRule};
use portcullis_decide::rules::Origin;
use unicode_width::UnicodeWidthStr;

use super::judges::{Chosen, From, Judges, Key};
use super::{Base, Section, Weak, name};
use crate::output::{CALM, DIM, LOUD, STRONG, WARM, append, visible};

/// How wide text is on a screen.
const WIDTH: usize = 88;

/// Who looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// A person at a terminal.
    Screen,
    /// A file or another program: one entry, one line.
    Lines,
}

/// Whether the user has written lists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// No list.
    None,
    /// At least one list.
    Some,
}

/// The lists, one after the other.
pub(super) fn lists(sections: &[Section<'_>], look: Look) -> String {
    let mut text = String::new();
    for section in sections {
        let about = match section.list {
            List::Environment => "what may be taken for granted",
            List::Allow => "what is fine",
            List::SoftDeny => "blocked unless the user asked for exactly this",
            List::HardDeny => "blocked whatever was asked for",
        };
        let key = section.list.key();
        text.push_str(if text.is_empty() { "" } else { "\n" });
        append(&mut text, format_args!("{STRONG}{key}{STRONG:#}  {DIM}{about}{DIM:#}\n"));
        if section.base == Base::Replaced {
            let places: Vec<String> = section.origins.iter().map(shown).collect();
            let places = places.join(", ");
            append(&mut text, format_args!("  {WARM}replaces the built-in list{WARM:#}: {places}\n"));
        }
        if section.entries.is_empty() {
            append(&mut text, format_args!("  {WARM}nothing{WARM:#}\n"));
        }
        let width = section.entries.iter().map(|(rule, _)| rule.id.width()).max().unwrap_or_default();
        for (rule, origin) in &section.entries {
            text.push_str(&match look {
                Look::Screen => block(rule, origin.as_ref(), section.list),
                Look::Lines => line(rule, origin.as_ref(), width),
            });
        }
    }
    text
}

fn shown(origin: &Origin) -> String {
    visible(&origin.to_string())
}

fn block(rule: &PolicyRule, origin: Option<&Origin>, list: List) -> String {
    let style = match list {
        List::Environment => STRONG,
        List::Allow => CALM,
        List::SoftDeny => WARM,
        List::HardDeny => LOUD,
    };
    let from = origin.map(|origin| format!("  {DIM}{}{DIM:#}", shown(origin))).unwrap_or_default();
    let title = if rule.title.is_empty() { String::new() } else { format!("  {}", rule.title) };
    let mut text = format!("  {style}{}{style:#}{title}{from}\n", rule.id);
    for part in wrapped(&visible(&rule.text)) {
        append(&mut text, format_args!("    {part}\n"));
    }
    text
}

fn line(rule: &PolicyRule, origin: Option<&Origin>, width: usize) -> String {
    let pad = " ".repeat(width.saturating_sub(rule.id.width()));
    let title = if rule.title.is_empty() { String::new() } else { format!("{}: ", rule.title) };
    let from = origin.map(|origin| format!("  [{}]", shown(origin))).unwrap_or_default();
    format!("  {}{pad}  {title}{}{from}\n", rule.id, visible(&rule.text))
}

/// The text in lines that fit on a screen.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Who judges, and how.
pub(super) fn judges(judges: &Judges) -> String {
    let mut text = format!("\n{STRONG}classifier{STRONG:#}  {DIM}who judges{DIM:#}\n");
    let mut row = |name: &str, value: &str, from: &From| {
        let from = match from {
            From::BuiltIn => String::new(),
            From::Environment(name) => format!("  {DIM}the environment variable {name}{DIM:#}"),
            From::Setting(origin) => format!("  {DIM}{}{DIM:#}", shown(origin)),
        };
        append(&mut text, format_args!("  {name:<11}  {}{from}\n", visible(value)));
    };
    match &judges.model {
        None => row("model", "none: the built-in judge answers", &From::BuiltIn),
        Some(model) => {
            row("model", &model.value, &model.from);
            row("server", &judges.server.value, &judges.server.from);
            row("key", &key(&judges.key), &judges.key.from);
        }
    }
    row("strictness", judges.strictness.value, &judges.strictness.from);
    row("stages", judges.stages.value, &judges.stages.from);
    let gate = match judges.iron_gate.value {
        "open" => "open: a person is asked where the model cannot be reached",
        other => &format!("{other}: the call is denied where the model cannot be reached"),
    };
    row("iron gate", gate, &judges.iron_gate.from);
    row("timeout", &format!("{} s", judges.timeout.value.as_secs_f64()), &judges.timeout.from);
    text
}

fn key(key: &Chosen<Key>) -> String {
    match &key.value {
        Key::NotNeeded => "none is sent".to_owned(),
        Key::Set(variable) => format!("{variable} is set"),
        Key::Missing(variable) => {
            format!("{variable} is not set: the model is not asked, the built-in judge answers")
        }
    }
}

/// Sentences are for models: whoever wrote some must not believe that the built-in judge reads them.
pub(super) fn who_reads(judges: &Judges) -> String {
    if judges.is_asked {
        return String::new();
    }
    format!(
        "\n{WARM}your own entries have no effect{WARM:#}: only a model reads sentences, and none is asked\n"
    )
}

/// What is weak, entry by entry.
pub(super) fn weaknesses(weak: &[Weak], own: Own) -> String {
    if weak.is_empty() {
        return match own {
            Own::None => "there are no entries of your own; the built-in lists count\n".to_owned(),
            Own::Some => "nothing weak was found in your own entries\n".to_owned(),
        };
    }
    let mut text = String::new();
    for weak in weak {
        let finding = &weak.finding;
        let place = match finding.entry {
            Some(at) => format!("{} entry {}", finding.list.key(), at + 1),
            None => finding.list.key().to_owned(),
        };
        let kind = name(finding.weakness);
        append(
            &mut text,
            format_args!("{STRONG}{place}{STRONG:#}  {WARM}{kind}{WARM:#}: {}\n", finding.message),
        );
        if let Some(sentence) = &weak.sentence {
            append(&mut text, format_args!("  \"{}\"\n", visible(sentence)));
        }
        if let Some(origin) = &weak.origin {
            append(&mut text, format_args!("  {DIM}{}{DIM:#}\n", shown(origin)));
        }
    }
    let (count, things) = (weak.len(), if weak.len() == 1 { "weakness" } else { "weaknesses" });
    append(&mut text, format_args!("\n{count} {things}\n"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_between_words_and_nothing_is_lost() {
        let text = "word ".repeat(60) + &"x".repeat(WIDTH + 5) + " end";
        let lines = wrapped(&text);
        assert_eq!(lines.join(" "), text);
        let longest = lines.iter().filter(|line| line.contains(' ')).map(|line| line.width()).max();
        assert!(longest.unwrap_or_default() <= WIDTH && lines.len() > 4);
    }
}
