//! Hosts that the words of a command name, for the rules that guard them (SPEC R7): `curl https://example.com/x`.

use portcullis_shell::{Argument, Command, Effects};

use crate::call::ToolCall;
use crate::context::Context;
use crate::fed;
use crate::glob::{self, Match};
use crate::matching::{Strongest, part};
use crate::rules::{List, Specifier};
use crate::ruling::Part;
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
pub(crate) fn rules<'r>(
    list: List,
    view: &View,
    call: &ToolCall,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    if context.rules.all_domains(list).next().is_none() {
        return;
    }
    connections(list, view, context, found);
    for command in view.reading.iter().flat_map(|reading| &reading.commands) {
        let goes = command.own.meets(GOES);
        let may_go = goes || command.own.meets(MAY_GO);
        for named in
            fed::code_of(command, view, call, context).iter().flat_map(|word| names(word, false, false))
        {
            one(list, &named, context, found, || Some(part(view, command.span)));
        }
        // The remotes of a repository are where it goes later.
        let later = command.program.as_deref() == Some("git");
        for (index, word) in command.arguments.iter().enumerate() {
            let place = (goes || later) && is_place(command, index, word);
            if may_go || place {
                for named in names(word, place, goes) {
                    one(list, &named, context, found, || Some(part(view, command.span)));
                }
            }
        }
    }
}

/// Rules for hosts that the shell itself opens a connection to: `cat < /dev/tcp/example.com/80`.
fn connections<'r>(list: List, view: &View, context: &'r Context, found: &mut Strongest<'r>) {
    let line = view.line.as_str();
    let mut spelled = false;
    for place in ["/dev/tcp/", "/dev/udp/"] {
        for (at, _) in line.match_indices(place) {
            let named = line.get(at + place.len()..).and_then(|rest| rest.split('/').next());
            let before = line.get(..at).unwrap_or_default().trim_end_matches([' ', '"', '\'']);
            let named =
                Named { host: named.and_then(host), place: before.ends_with(['<', '>']), bare: false };
            spelled |= named.host.is_some();
            one(list, &named, context, found, || None);
        }
    }
    // The reader may know a place that is not spelled out.
    let opens = |command: &Command| command.effects.meets(Effects::NETWORK_WRITE);
    for command in view.reading.iter().flat_map(|reading| &reading.commands) {
        if !spelled && opens(command) && !command.own.meets(Effects::NETWORK_WRITE) {
            let unknown = Named { host: None, place: false, bare: false };
            one(list, &unknown, context, found, || Some(part(view, command.span)));
        }
    }
}

/// A host that a word names.
struct Named {
    /// Nothing for one that cannot be told.
    host: Option<String>,
    /// Whether the command surely goes there.
    place: bool,
    /// Whether it stands there without the signs of an address, and may be no host.
    bare: bool,
}

fn one<'r>(
    list: List,
    named: &Named,
    context: &'r Context,
    found: &mut Strongest<'r>,
    at: impl Fn() -> Option<Part>,
) {
    let Some(host) = &named.host else {
        return context.rules.all_domains(list).take(1).for_each(|rule| found.add(rule, Match::Unclear, &at));
    };
    for rule in context.rules.domains(list, host) {
        let Specifier::Domain(pattern) = &rule.specifier else { continue };
        // Whoever means every host means no file or branch.
        if !(named.bare && pattern.names("*")) {
            let most = if named.place { Match::Yes } else { Match::Unclear };
            found.add(rule, pattern.guards(host).min(most), &at);
        }
    }
}

/// Whether a word says where the command goes, and is no value of an option.
fn is_place(command: &Command, index: usize, word: &Argument) -> bool {
    let operand = command.operands.is_empty() || command.operands.contains(&index);
    operand && !command.values.contains(&index) && !command.verbs.contains(&index) && !word.text.contains(' ')
}

/// The hosts that a word names: behind the signs of an address, and at the start of a word that is a place.
fn names(word: &Argument, place: bool, goes: bool) -> Vec<Named> {
    let ends = |sign: char| matches!(sign, '/' | '?' | '#' | '"' | '\'' | ' ' | ',' | ')');
    let text = word.text.as_str();
    let first = |text: &str| text.split(ends).next().and_then(host);
    if text.contains("://") {
        let behind = text.split("://").skip(1);
        return behind.map(|rest| Named { host: first(rest), place, bare: false }).collect();
    }
    let start = if goes || (place && text.contains('@')) { text } else { "" };
    let known = first(start).filter(|name| name.contains('.'));
    let unknown = place && !word.literal && start.starts_with(glob::is_wild);
    let bare = (known.is_some() || unknown).then_some(Named { host: known, place, bare: true });
    bare.into_iter().collect()
}

/// The host of `user@host:port`, in lower case.
fn host(authority: &str) -> Option<String> {
    let name = authority.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    let plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '_');
    let known = name.chars().all(plain) && !authority.contains(glob::is_wild);
    known.then(|| name.trim_end_matches('.').to_ascii_lowercase())
}
