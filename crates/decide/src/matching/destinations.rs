//! Hosts that the words of a command name, for the rules that guard them (SPEC R7): `curl https://example.com/x`.

use portcullis_shell::{Argument, Command, Effects};

use super::hits::{Strongest, could_run_anything, part};
use crate::call::ToolCall;
use crate::context::Context;
use crate::glob::{self, Match};
use crate::rules::{List, Specifier};
use crate::ruling::Part;
use crate::run_files::given;
use crate::run_files::stdin_code;
use crate::view::View;
use crate::web::{self, Host};

/// Goes to another machine.
const GOES: Effects = Effects::NETWORK_READ
    .and(Effects::NETWORK_WRITE)
    .and(Effects::SENDS_DATA)
    .and(Effects::PUSHES)
    .and(Effects::PUBLISHES)
    .and(Effects::INSTALLS_NAMED);

/// May go anywhere.
const MAY_GO: Effects = Effects::EXECUTES
    .and(Effects::UNKNOWN)
    .and(Effects::PROJECT_CODE)
    .and(Effects::INSTALLS_DECLARED)
    .and(Effects::SYSTEM);

/// Rules for the host of an address that the call fetches.
pub(crate) fn fetched<'r>(list: List, view: &View, context: &'r Context, found: &mut Strongest<'r>) {
    let Some(first) = &view.host else { return };
    one_host(list, first, context, found);
    if let Some(next) = &context.facts.redirect {
        one_host(list, &web::host(next), context, found);
    }
}

fn one_host<'r>(list: List, host: &Host, context: &'r Context, found: &mut Strongest<'r>) {
    match host {
        Host::Unclear => {
            for rule in context.rules.all_domains(list) {
                found.add(rule, Match::Unclear, || None);
            }
        }
        Host::Public(host) | Host::Private(host) => {
            for rule in context.rules.domains(list, host) {
                let Specifier::Domain(pattern) = &rule.specifier else { continue };
                found.add(rule, pattern.guards(host), || None);
            }
        }
    }
}

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
    unseen(list, view, context, found);
    for command in view.reading.iter().flat_map(|reading| &reading.commands) {
        let at = || Some(part(view, command.span));
        for named in of_command(command, view, call, context) {
            one(list, &named, context, found, at);
        }
    }
}

/// What may run any command may go anywhere (R5).
fn unseen<'r>(list: List, view: &View, context: &'r Context, found: &mut Strongest<'r>) {
    let doubts = view.reading.iter().flat_map(|reading| &reading.unclear);
    let doubt = doubts.into_iter().find(|doubt| could_run_anything(doubt)).map(|doubt| doubt.span);
    if let Some(span) = doubt.or_else(|| stdin_code::unseen(view).map(|command| command.span)) {
        one(list, &Named::unknown(), context, found, || Some(part(view, span)));
    }
}

/// Every host that a command goes to, or may go to.
fn of_command(command: &Command, view: &View, call: &ToolCall, context: &Context) -> Vec<Named> {
    let goes = command.own.meets(GOES);
    let may_go = goes || command.own.meets(MAY_GO);
    let mut found = Vec::new();
    for word in stdin_code::code_of(command, view, call, context) {
        found.extend(names(&word, false));
    }
    // A proxy or a registry is gone to instead of what the words name, now or by what is started later.
    for (name, value) in given::values(command, &view.line) {
        found.extend(names(&value, false));
        if !value.literal && names_a_place(&name) {
            found.push(Named::unknown());
        }
    }
    // The remotes of a repository are where it goes later.
    let later = command.program.as_deref() == Some("git");
    for (index, word) in command.arguments.iter().enumerate() {
        let place = (goes || later) && is_place(command, index, word);
        let connects = word.text.contains("/inet");
        if is_data(command, index) || !(may_go || place || connects) {
            found.extend(addresses(&word.text, false).into_iter().filter(|_| may_go));
        } else if may_go || connects || is_kept(command) {
            found.extend(names(word, place));
        } else {
            found.extend(addresses(&word.text, place));
            found.extend(names(word, place).into_iter().filter(|_| word.text.contains('@')));
        }
    }
    if names_a_list(command) {
        found.push(Named::unknown());
    }
    found
}

/// Whether git keeps what its words say, for later commands that go somewhere.
fn is_kept(command: &Command) -> bool {
    let verb = command.verbs.first().and_then(|index| command.arguments.get(*index));
    command.program.as_deref() == Some("git")
        && verb.is_some_and(|verb| matches!(verb.text.as_str(), "remote" | "config" | "submodule"))
}

/// Whether a variable is called like those that say where programs go.
fn names_a_place(name: &str) -> bool {
    const PLACES: &[&str] = &["proxy", "registry", "index", "host", "endpoint", "url", "server", "mirror"];
    let name = name.to_ascii_lowercase();
    PLACES.iter().any(|place| name.contains(place))
}

/// Options of programs that fetch whose values are sent or written, and options that name a list of addresses to go to.
const DATA: &[&str] = &[
    "-d",
    "-F",
    "-A",
    "-e",
    "-o",
    "-b",
    "-u",
    "-w",
    "-O",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "--json",
    "--form",
    "--form-string",
    "--user-agent",
    "--referer",
    "--output",
    "--cookie",
    "--user",
    "--post-data",
    "--body-data",
    "--write-out",
];
const LISTS: &[(&str, &[char], &[&str])] = &[
    ("curl", &['K'], &["--config"]),
    ("wget", &['i'], &["--input-file", "--config"]),
    ("aria2c", &['i'], &["--input-file"]),
    ("yt-dlp", &['a'], &["--batch-file"]),
];
/// Short options without a value, which another may follow.
const FLAGS: &str = "sSfLkvgIjlnqRZN#0123461dcxrpmEHb";

/// Whether a word is data that a program sends, or the name of what it writes.
fn is_data(command: &Command, index: usize) -> bool {
    if !matches!(command.program.as_deref(), Some("curl" | "wget")) {
        return false;
    }
    let text = |index: usize| command.arguments.get(index).map_or("", |word| word.text.as_str());
    let (option, value) = match (command.values.contains(&index), text(index).split_once('=')) {
        (true, _) => (text(index.saturating_sub(1)), text(index)),
        (false, Some((option, value))) => (option, value),
        (false, None) => return false,
    };
    let header = matches!(option, "-H" | "--header") && !value.to_ascii_lowercase().starts_with("host:");
    // `-e` of wget is a setting, and may be a proxy.
    let setting = option == "-e" && command.program.as_deref() == Some("wget");
    header || (DATA.contains(&option) && !setting)
}

/// Whether a program is told to take addresses from a list.
fn names_a_list(command: &Command) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    let Some((_, letters, long)) = LISTS.iter().find(|(program, ..)| *program == name) else { return false };
    command.arguments.iter().any(|word| {
        let option = word.text.split('=').next().unwrap_or_default();
        match word.text.strip_prefix('-').filter(|rest| !rest.starts_with('-')) {
            Some(short) => short.trim_start_matches(|flag| FLAGS.contains(flag)).starts_with(*letters),
            // The beginning of an option is enough.
            None => option.len() > 4 && long.iter().any(|long| long.starts_with(option)),
        }
    })
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

impl Named {
    /// A host that cannot be told.
    const fn unknown() -> Named {
        Named { host: None, place: false, bare: false }
    }
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

/// What ends the host in an address.
const ENDS: [char; 9] = ['/', '?', '#', '"', '\'', ' ', ',', ')', '\\'];

/// The hosts that a word names: where an address stands, and in every stretch of it that may be a host.
fn names(word: &Argument, place: bool) -> Vec<Named> {
    let text = word.text.as_str();
    let mut found = addresses(text, place);
    let start = text.split(ENDS).next().unwrap_or_default();
    let unknown = place && !word.literal && start.starts_with(glob::is_wild);
    let first = host(start).filter(|name| place && name.contains('.'));
    if unknown || first.is_some() {
        found.push(Named { host: first, place, bare: true });
    }
    let pieces = text.split([' ', '\t', '\n', '"', '\'', ',', ';', '(', ')']);
    for piece in pieces.filter(|piece| !piece.contains("://")) {
        let stretches =
            piece.split(|sign: char| !(sign.is_alphanumeric() || matches!(sign, '.' | '-' | '_')));
        // `-xexample.com`: the value stands behind the letter of the option.
        let glued =
            piece.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
        let glued = glued.and_then(|rest| rest.split([':', '/']).next());
        let hosts = stretches.map(|stretch| stretch.trim_start_matches('-')).chain(glued).filter_map(host);
        let hosts = hosts.filter(|name| name.contains('.') || piece.split(':').next() == Some(name.as_str()));
        found.extend(hosts.map(|name| Named { host: Some(name), place: false, bare: true }));
        // Letters of other languages are written in other ways as well.
        let foreign = piece.chars().any(|sign| !sign.is_ascii() && sign.is_alphanumeric());
        found.extend((place && foreign).then(Named::unknown));
    }
    found
}

/// The hosts of the addresses in a text.
fn addresses(text: &str, place: bool) -> Vec<Named> {
    let mut found = Vec::new();
    for rest in text.split("://").skip(1) {
        let rest = rest.trim_start_matches(['/', '\\']);
        let authority = rest.split(ENDS).next().unwrap_or_default();
        found.push(Named { host: host(authority), place, bare: false });
        // Programs do not agree on what a backslash is, nor on where a user name ends.
        let whole = rest.split(['/', '?', '#', '"', '\'', ' ']).next().unwrap_or_default();
        let parts = whole.split(['@', '\\']).filter(|part| *part != authority);
        found.extend(parts.filter_map(host).map(|name| Named {
            host: Some(name),
            place: false,
            bare: false,
        }));
    }
    found
}

/// The host of `user@host:port`, in lower case and in its one spelling.
fn host(authority: &str) -> Option<String> {
    let name = authority.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    let plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '_');
    let known = name.chars().all(plain) && !authority.contains(glob::is_wild);
    let lower = || name.trim_end_matches('.').to_ascii_lowercase();
    known.then(|| web::as_numbers(name).map_or_else(lower, |address| address.to_string()))
}
