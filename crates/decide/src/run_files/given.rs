//! What a command is given beside its words: variables that are set for it, or by it for what is started later. A value may be
//! where the program goes, what it writes, or what it runs, whatever the variable is called.

use portcullis_shell::{Argument, Command, Effects};

use super::variables::is_harmless_variable;

/// Programs whose words `NAME=value` set variables for what follows.
const SETTERS: &[&str] =
    &["export", "declare", "typeset", "readonly", "env", "set", "setenv", "make", "gmake", "bmake"];

/// The variables that a command is given, or gives to others, each with its value.
pub(crate) fn values(command: &Command, line: &str) -> Vec<(String, Argument)> {
    if is_text_alone(command) {
        return Vec::new();
    }
    let mut found = command.assignments.clone();
    found.extend(git_settings(command));
    let setter = command.program.as_deref().is_some_and(|name| SETTERS.contains(&name));
    for word in &command.arguments {
        match word.text.split_once('=').filter(|(name, _)| is_name(name)) {
            Some((name, value)) => {
                let plain = !name.bytes().any(|byte| byte.is_ascii_lowercase());
                if setter || plain || command.effects.meets(Effects::ENVIRONMENT) {
                    found.push((name.to_owned(), Argument { text: value.to_owned(), ..word.clone() }));
                }
            }
            // `X=y; export X`
            None if setter && is_name(&word.text) => {
                let earlier = assigned_earlier(&word.text, line);
                found.extend(earlier.map(|text| (word.text.clone(), Argument { text, ..word.clone() })));
            }
            None => {}
        }
    }
    found.retain(|(name, value)| !is_harmless_variable(name, &value.text, value.literal));
    found
}

/// Whether all that the command does with its words is to print them.
pub(crate) fn is_text_alone(command: &Command) -> bool {
    // In another folder lies another program.
    matches!(command.word.as_str(), "echo" | "printf" | ":" | "true" | "false")
}

/// The name of a variable.
fn is_name(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    plain && !text.is_empty() && !text.starts_with(|first: char| first.is_ascii_digit())
}

/// What the line sets a variable to, as written.
fn assigned_earlier(name: &str, line: &str) -> impl Iterator<Item = String> {
    let sign = format!("{name}=");
    let words = line.split([' ', '\t', '\n', ';', '&', '(', '{']);
    let values =
        words.filter_map(move |word| word.strip_prefix(&sign).map(|value| value.replace(['"', '\''], "")));
    values.collect::<Vec<_>>().into_iter()
}

/// What `git -c KEY=VALUE` and `git --config-env=KEY=VARIABLE` set.
fn git_settings(command: &Command) -> Vec<(String, Argument)> {
    if command.program.as_deref() != Some("git") {
        return Vec::new();
    }
    let end = command.verbs.first().map_or(command.arguments.len(), |verb| *verb);
    let mut found = Vec::new();
    let mut before = "";
    for word in command.arguments.iter().take(end) {
        let glued = word.text.strip_prefix("--config-env=");
        let setting = glued.or_else(|| matches!(before, "-c" | "--config-env").then_some(word.text.as_str()));
        let from_variable = glued.is_some() || before == "--config-env";
        if let Some((key, value)) = setting.and_then(|setting| setting.split_once('=')) {
            let literal = word.literal && !from_variable;
            found.push((key.to_owned(), Argument { text: value.to_owned(), literal, ..word.clone() }));
        }
        before = word.text.as_str();
    }
    found
}
