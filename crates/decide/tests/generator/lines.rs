//! Command lines: simple commands, with something around them, behind them and between them.

use proptest::prelude::*;
use proptest::sample::select;

use super::pools::{COMMANDS, EVALUATIONS, LINKS, OPEN, REDIRECTS, WRAPPINGS};

/// A simple command.
pub(crate) fn simple() -> impl Strategy<Value = String> {
    select(COMMANDS).prop_map(str::to_owned)
}

/// A simple command in one of the forms that change nothing about it, or as it is.
fn dressed() -> impl Strategy<Value = String> {
    let wrapped = (simple(), select(WRAPPINGS)).prop_map(|(command, form)| form.replace('@', &command));
    let evaluated = (simple(), select(EVALUATIONS)).prop_map(|(command, form)| evaluated(&command, form));
    let respelled = (simple(), 0..SPELLINGS).prop_map(|(command, way)| respelled(&command, way));
    let open = select(OPEN).prop_map(str::to_owned);
    prop_oneof![8 => simple(), 3 => wrapped, 1 => evaluated, 1 => respelled, 1 => open]
}

/// A command line.
pub(crate) fn line() -> impl Strategy<Value = String> {
    let one = (dressed(), select(REDIRECTS)).prop_map(|(command, redirect)| command + redirect);
    let more = proptest::collection::vec((select(LINKS), dressed(), select(REDIRECTS)), 0..3);
    let several = (dressed(), more).prop_map(|(first, more)| {
        more.into_iter().fold(first, |line, (link, command, redirect)| line + link + &command + redirect)
    });
    prop_oneof![3 => one, 2 => several]
}

/// The command as one word in single quotes, evaluated.
pub(crate) fn evaluated(command: &str, form: &str) -> String {
    form.replace('@', &format!("'{}'", command.replace('\'', r"'\''")))
}

/// How many ways `respelled` knows.
pub(crate) const SPELLINGS: usize = 6;

/// The command with its first word written in another way that means the same.
pub(crate) fn respelled(command: &str, way: usize) -> String {
    let end = command.find([' ', '\n']).unwrap_or(command.len());
    let (name, rest) = command.split_at(end);
    if name.len() < 2 || !name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return command.to_owned();
    }
    let (head, tail) = name.split_at(1);
    let written = match way {
        0 => format!("{head}\\{tail}"),
        1 => format!("'{name}'"),
        2 => format!("{head}\"{tail}\""),
        3 => format!("$'\\x{:02x}'{tail}", head.bytes().next().unwrap_or_default()),
        4 => format!("{head}\\\n{tail}"),
        _ => format!("/usr/bin/{name}"),
    };
    written + rest
}
