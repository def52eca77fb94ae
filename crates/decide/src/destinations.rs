//! Hosts that the words of a command name, for the rules that guard them (SPEC R7): `curl https://example.com/x`.

use portcullis_shell::{Argument, Command, Effects};

use crate::context::Context;
use crate::glob::{self, Match};
use crate::matching::{Strongest, part};
use crate::rules::{List, Specifier};
use crate::view::View;

/// Goes to another machine.
const GOES: Effects = Effects::NETWORK_READ
    .and(Effects::NETWORK_WRITE)
    .and(Effects::SENDS_DATA)
    .and(Effects::PUSHES)
    .and(Effects::PUBLISHES)
    .and(Effects::INSTALLS_NAMED);

/// May go anywhere.
const MAY_GO: Effects = Effects::EXECUTES.and(Effects::UNKNOWN);

/// Rules for hosts that a command line goes to, or may go to.
pub(crate) fn rules<'r>(list: List, view: &View, context: &'r Context, found: &mut Strongest<'r>) {
    if context.rules.all_domains(list).next().is_none() {
        return;
    }
    for command in view.reading.iter().flat_map(|reading| &reading.commands) {
        let goes = command.own.meets(GOES);
        let may_go = goes || command.own.meets(MAY_GO);
        // The remotes of a repository are where it goes later.
        let later = command.program.as_deref() == Some("git");
        for (index, word) in command.arguments.iter().enumerate() {
            let place = (goes || later) && is_place(command, index, word);
            if !may_go && !place {
                continue;
            }
            for name in names(&word.text, place) {
                let found_in = |rule| found.add(rule, Match::Unclear, || Some(part(view, command.span)));
                let Some(name) = name else {
                    context.rules.all_domains(list).take(1).for_each(found_in);
                    continue;
                };
                for rule in context.rules.domains(list, &name) {
                    let Specifier::Domain(pattern) = &rule.specifier else { continue };
                    let most = if place { Match::Yes } else { Match::Unclear };
                    found.add(rule, pattern.guards(&name).min(most), || Some(part(view, command.span)));
                }
            }
        }
    }
}

/// Whether a word says where the command goes, and is no value of an option.
fn is_place(command: &Command, index: usize, word: &Argument) -> bool {
    let operand = command.operands.is_empty() || command.operands.contains(&index);
    operand && !command.values.contains(&index) && !word.text.contains(' ')
}

/// The hosts that a word names, nothing for one that cannot be told: behind the signs of an address, and at the start
/// of a word that is a place.
fn names(text: &str, place: bool) -> Vec<Option<String>> {
    let ends = |sign: char| matches!(sign, '/' | '?' | '#' | '"' | '\'' | ' ' | ',' | ')');
    let mut found = Vec::new();
    let behind: Vec<&str> = text.split("://").skip(1).collect();
    for authority in behind.iter().filter_map(|rest| rest.split(ends).next()) {
        found.push(host(authority));
    }
    if behind.is_empty() && place {
        found.push(host(text.split(ends).next().unwrap_or_default()));
    }
    found
}

/// The host of `user@host:port`, in lower case.
fn host(authority: &str) -> Option<String> {
    let name = authority.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    let plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '_');
    let known = name.chars().all(plain) && !authority.contains(glob::is_wild);
    known.then(|| name.trim_end_matches('.').to_ascii_lowercase())
}
