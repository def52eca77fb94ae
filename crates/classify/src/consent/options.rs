//! How a command does what it does, and whether the user said so (SPEC C17): its options and the rights it runs with.

use portcullis_shell::{Command, Effects, Placement, Reading};

use super::act::{Act, is_naming, statement};
use super::roles::is_named;
use super::text::{find, is_name};
use super::words::{ASKING, Action, DATABASES, Line, MILD, TEXTS, nouns};

/// Whether everything about the command that matters was said.
pub(super) fn are_said(act: &Act, command: &Command, said: &str) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let mut options =
        words.iter().enumerate().take_while(|(_, word)| **word != "--").filter(|(_, word)| word.len() > 1);
    let rights = !command.own.meets(Effects::PRIVILEGE) || says(said, &act.program);
    rights
        && command.assignments.is_empty()
        && options
            .all(|(at, word)| !word.starts_with('-') || is_said(act, word, words.get(at + 1).copied(), said))
}

fn is_said(act: &Act, word: &str, next: Option<&str>, said: &str) -> bool {
    let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
    let program = act.program.as_str();
    let value_said = |value: &str| is_named(&value.to_lowercase(), said);
    if TEXTS.has(option) || is_mild(program, option) {
        return true;
    }
    if DATABASES.has(program) && matches!(option, "-c" | "-e") {
        return next.is_some_and(|value| statement(value).is_some());
    }
    if is_spelled(option, said) || is_asked(option, said) {
        return value.is_none_or(value_said);
    }
    let file = matches!(option, "-f" | "-k" | "--filename" | "--kustomize");
    let fits = |value: &str| value_said(value) && (!file || is_name(&value.to_lowercase()));
    is_naming(program, option) && value.or(next).is_some_and(fits)
}

/// Whether the option itself was said: as it is, or in its words.
fn is_spelled(option: &str, said: &str) -> bool {
    let lower = option.to_lowercase();
    let bare = lower.trim_start_matches('-');
    // One letter means something else where it is large.
    let spelled = (lower == option || option.starts_with("--")) && said.split(' ').any(|word| word == lower);
    let stem = |part: &str| {
        if part.len() < 5 {
            part.to_owned()
        } else {
            format!("{}*", part.get(..part.len() - 1).unwrap_or(part))
        }
    };
    spelled
        || (option.starts_with("--")
            && bare.len() > 2
            && bare.split('-').all(|part| part.is_empty() || find(said, &stem(part)).is_some()))
}

/// Whether the words that were said ask for what the option is.
fn is_asked(option: &str, said: &str) -> bool {
    let fits = |line: &Line| line.labels().any(|it| it == option);
    nouns("OptionWords").filter(fits).flat_map(Line::words).any(|word| match word {
        "DELETE" => asks(Action::Delete, said),
        "EMPTY" => asks(Action::Empty, said),
        "DISCARD" => asks(Action::Discard, said),
        "MERGE" => asks(Action::Merge, said),
        "STOP" => asks(Action::Stop, said),
        _ => find(said, word).is_some(),
    })
}

fn asks(action: Action, said: &str) -> bool {
    let mut asked = false;
    ASKING.each(said, |_| false, |_, _, verb| asked |= verb.action == action);
    asked
}

fn is_mild(program: &str, option: &str) -> bool {
    // There it takes volumes along.
    let volumes =
        matches!(program, "docker" | "docker-compose" | "podman" | "podman-compose") && option == "-v";
    let own = nouns("MildOf").any(|line| line.label == program && line.words().any(|it| it == option));
    own || (MILD.has(option) && !volumes)
}

pub(super) fn says(said: &str, word: &str) -> bool {
    said.split(' ').any(|it| it == word)
}

/// `sudo` without options before what nobody else may do: who asks for that asks for the rights as well.
pub(super) fn gives_due_rights(wrapper: &Command, reading: &Reading) -> bool {
    const DUE: &[&str] = &["systemctl", "service", "reboot", "shutdown", "poweroff", "halt"];
    let first = wrapper.arguments.first().map_or("", |word| word.text.as_str());
    let inner = reading.commands.iter().filter(|it| it.placement == Placement::Wrapped && it.word == first);
    wrapper.word == "sudo"
        && wrapper.placement == Placement::Direct
        && wrapper.assignments.is_empty()
        && DUE.contains(&first)
        && inner.count() == 1
}
