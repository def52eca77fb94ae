//! Allow rules with an address in them (SPEC R10): where a command may go, and what it may send there.

use portcullis_shell::{Command, Effects};

use crate::detect;
use crate::rules::Pattern;

/// A wildcard behind an address lets no other address follow, and nothing that says what else is sent.
pub(crate) fn same_addresses(pattern: &Pattern, command: &Command) -> bool {
    let whole: Vec<&str> = pattern.leading().iter().map(String::as_str).collect();
    // `https://example.com/a:*` is a whole address, and more words.
    let start = pattern.address_start().filter(|start| start.strip_suffix(':') != whole.last().copied());
    if start.is_none() && !whole.iter().any(|word| word.contains("://")) {
        return true;
    }
    let meant = |text: &str| whole.contains(&text) || start.is_some_and(|start| text.starts_with(start));
    let mut others = command.arguments.iter().filter(|word| word.text.contains("://"));
    let mut further = detect::further_addresses(command, whole.len().saturating_sub(1)).into_iter();
    others.all(|word| word.literal && meant(&word.text))
        && further.all(|address| meant(&address))
        && sends_no_more(command, whole.len() - usize::from(start.is_none()))
}

/// Whether the words from `from` on, by themselves, send nothing and change nothing elsewhere.
fn sends_no_more(command: &Command, from: usize) -> bool {
    let added = command.arguments.get(from..).unwrap_or_default();
    let elsewhere = Effects::SENDS_DATA.and(Effects::NETWORK_WRITE);
    if added.is_empty() || !command.own.meets(elsewhere) {
        return true;
    }
    let quoted = added.iter().map(|word| format!(" '{}'", word.text.replace('\'', "'\\''")));
    let line = command.program.clone().unwrap_or_default() + &quoted.collect::<String>();
    let reading = portcullis_shell::read(&line, portcullis_shell::Dialect::Bash);
    added.iter().all(|word| word.literal)
        && reading.commands.iter().all(|command| !command.own.meets(elsewhere.and(Effects::UNKNOWN)))
}
