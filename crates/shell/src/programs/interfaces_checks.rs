//! What the tables of network interfaces cannot say: `ip` and its kin, whose words may be shortened.

use super::archives_checks::writes_unless_dash;
use super::invocation::{Invocation, Outcome};
use super::remote::{carries_nothing, is_own_machine};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

pub(super) fn names_asked<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    carries_nothing(invocation, out);
    // Without a name nslookup asks for those on its standard input.
    let asked = invocation.operands.first().is_none_or(|first| first.known() == Some("-"));
    let from_input = invocation.program == "nslookup" && asked && !out.help;
    if from_input || invocation.has(&["f", "k"]) {
        out.add(Effects::SENDS_DATA);
    }
}

/// Two programs have this name: one asks for names, and one changes what watches over a service.
pub(super) fn dog<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const KINDS: &[&str] = &[
        "A", "AAAA", "CAA", "CNAME", "DNSKEY", "DS", "HINFO", "HTTPS", "LOC", "MX", "NAPTR", "NS", "NSEC",
        "PTR", "SOA", "SRV", "SSHFP", "SVCB", "TLSA", "TXT", "URI", "ANY", "IN", "CH",
    ];
    names_asked(invocation, out);
    let asked = |text: &str| {
        text.contains('.')
            || text.starts_with('@')
            || text == "localhost"
            || KINDS.contains(&text.to_uppercase().as_str())
    };
    for word in invocation.operands.iter().filter(|word| word.known().is_none_or(|text| !asked(text))) {
        out.doubt(Why::UnknownOperand, word.text, word.span);
    }
}

/// All words are one text, in which a semicolon or the end of a line begins another command.
pub(super) fn one_firewall_command<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.words.iter().any(|word| !word.literal || word.text.contains([';', '\n'])) {
        out.add(Effects::SYSTEM);
    }
}

pub(super) fn scans<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    carries_nothing(invocation, out);
    writes_unless_dash(invocation, &["oN", "oX", "oG", "oS"], out);
    let own = !invocation.operands.is_empty() && invocation.operands.iter().all(is_own_machine);
    let random = invocation.has(&["iL", "iR"]);
    if (!own || random) && !invocation.has(&["iflist"]) {
        out.add(Effects::NETWORK_WRITE);
    }
}

/// What goes over the wire, and is not read from a file, holds what others say to each other.
pub(super) fn listens<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let file = if invocation.program == "ngrep" { "I" } else { "r" };
    // The same letters mean something else to the others.
    let lists = matches!(invocation.program, "tcpdump" | "tshark" | "dumpcap")
        && invocation.has(&["D", "L", "--list-interfaces"]);
    if !invocation.has(&[file]) && !lists && !out.help {
        out.add(Effects::SECRETS);
    }
}

pub(super) fn captures<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    writes_unless_dash(invocation, &["w"], out);
    listens(invocation, out);
}

pub(super) fn wireguard_show<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let plain =
        |word: &Argument<'_>| word.literal && !matches!(word.text, "private-key" | "preshared-keys" | "dump");
    if !invocation.operands.iter().all(plain) {
        out.add(Effects::SECRETS);
    }
}

/// `resolvectl dns eth0` shows, `resolvectl dns eth0 ADDRESS` sets.
pub(super) fn second_sets<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.operands.len() > 1 || invocation.operands.iter().any(|word| word.many) {
        out.add(Effects::SYSTEM);
    }
}

pub(super) fn iw_device<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let verb = invocation.operands.get(1);
    let shows =
        |word: &Argument<'_>| matches!(word.known(), Some("info" | "link" | "station" | "survey" | "get"));
    let second = invocation.operands.get(2).and_then(Argument::known);
    if verb.is_some_and(|word| !shows(word)) || matches!(second, Some("set" | "del")) {
        out.add(Effects::SYSTEM);
    }
}

/// Options of `ip` and its kin that come before the object and have no value.
const LINK_FLAGS: &[&str] = &[
    "-4",
    "-6",
    "-0",
    "-B",
    "-M",
    "-I",
    "-d",
    "-details",
    "-s",
    "-stats",
    "-statistics",
    "-r",
    "-resolve",
    "-o",
    "-oneline",
    "-t",
    "-timestamp",
    "-ts",
    "-tshort",
    "-h",
    "-human",
    "-human-readable",
    "-iec",
    "-j",
    "-json",
    "-p",
    "-pretty",
    "-br",
    "-brief",
    "-c",
    "-color",
    "-color=always",
    "-color=never",
    "-color=auto",
    "-c=always",
    "-c=never",
    "-a",
    "-all",
    "-N",
    "-Numeric",
    "-V",
    "-Version",
    "-g",
    "-graph",
    "-raw",
    "-help",
    "-compressvlans",
    "-nm",
    "-names",
];

const LINK_VALUES: &[&str] =
    &["-f", "-family", "-l", "-loops", "-n", "-net", "-netns", "-rc", "-rcvbuf", "-cf", "-conf"];

/// The words from the object on, or nothing when an option is not one of the harmless ones.
fn after_flags<'a>(words: &'a [Argument<'a>], out: &mut Outcome<'a>) -> Option<&'a [Argument<'a>]> {
    let mut rest = words;
    while let Some((word, others)) = rest.split_first() {
        let Some(text) = word.known().filter(|text| text.starts_with('-')) else { break };
        let single = if text.starts_with("--") { text.get(1..).unwrap_or_default() } else { text };
        rest = others;
        if LINK_VALUES.contains(&single) {
            rest = rest.get(1..).unwrap_or_default();
        } else if matches!(single, "-b" | "-batch" | "-force") {
            out.add(Effects::SYSTEM);
            return None;
        } else if !LINK_FLAGS.contains(&single) {
            out.doubt(Why::UnknownOption, text, word.span);
            return None;
        }
    }
    Some(rest)
}

fn begins_one_of(word: &str, names: &[&str]) -> bool {
    !word.is_empty() && names.iter().any(|name| name.starts_with(word))
}

const SHOWING: &[&str] = &[
    "show", "list", "lst", "ls", "get", "monitor", "help", "identify", "pids", "list-id", "showdump", "dump",
    "info", "afstats", "xstats",
];

const CHANGING: &[&str] = &[
    "add",
    "append",
    "attach",
    "change",
    "chg",
    "create",
    "delete",
    "del",
    "destroy",
    "flush",
    "modify",
    "new",
    "prepend",
    "replace",
    "restore",
    "save",
    "set",
    "test",
    "update",
    "remove",
    "unload",
    "reload",
    "enable",
    "disable",
    "property",
    "allocspi",
    "deleteall",
    "encap",
    "activate",
    "deactivate",
];

/// `show` and `change` may be abbreviated as long as it is clear which of them is meant.
fn action<'a>(word: Option<&Argument<'a>>, out: &mut Outcome<'a>) {
    let Some(word) = word else { return };
    let text = word.known().unwrap_or_default();
    match (begins_one_of(text, SHOWING), begins_one_of(text, CHANGING)) {
        (true, false) => {}
        (false, true) => out.add(Effects::SYSTEM),
        (true, true) | (false, false) if SHOWING.contains(&text) => {}
        (true, true) | (false, false) => out.doubt(Why::UnknownCommand, word.text, word.span),
    }
}

pub(super) fn ip<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const OBJECTS: &[&str] = &[
        "address",
        "addrlabel",
        "fou",
        "help",
        "ila",
        "ioam",
        "l2tp",
        "link",
        "macsec",
        "maddress",
        "monitor",
        "mptcp",
        "mroute",
        "mrule",
        "neighbor",
        "neighbour",
        "netconf",
        "netns",
        "nexthop",
        "ntable",
        "ntbl",
        "route",
        "rule",
        "sr",
        "stats",
        "tap",
        "tcpmetrics",
        "tcp_metrics",
        "token",
        "tunnel",
        "tuntap",
        "vrf",
        "xfrm",
    ];
    let Some((object, rest)) = after_flags(invocation.words, out).and_then(<[Argument<'_>]>::split_first)
    else {
        return;
    };
    let name = object.known().unwrap_or_default();
    if !begins_one_of(name, OBJECTS) {
        out.doubt(Why::UnknownCommand, object.text, object.span);
        return;
    }
    let verb = rest.first().and_then(Argument::known).unwrap_or_default();
    if name.starts_with('x') {
        let policy = "policy".starts_with(verb) && !verb.is_empty();
        if !policy {
            out.add(Effects::SECRETS);
        }
        action(rest.get(1), out);
    } else if name.starts_with(['n', 'v']) && verb.starts_with('e') {
        out.add(Effects::EXECUTES.and(Effects::SYSTEM));
    } else if name.len() < 2 || !begins_one_of(name, &["monitor", "help"]) {
        action(rest.first(), out);
    }
}

pub(super) fn link_tools<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let Some((object, rest)) = after_flags(invocation.words, out).and_then(<[Argument<'_>]>::split_first)
    else {
        return;
    };
    match object.known() {
        Some("monitor" | "help" | "mon") => {}
        Some("exec") | None => out.doubt(Why::UnknownCommand, object.text, object.span),
        Some(_) => action(rest.first(), out),
    }
}

/// With one name at most it shows; whatever stands after the name sets.
pub(super) fn one_interface<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let flags = ["-a", "-s", "-v", "-l", "-L", "-m", "-r", "-u", "-d"];
    let mut words =
        invocation.words.iter().skip_while(|word| word.known().is_some_and(|text| flags.contains(&text)));
    match words.next() {
        Some(word) if word.many || word.may_dash => out.doubt(Why::MaybeOption, word.text, word.span),
        Some(word) if word.prefix().starts_with('-') => out.doubt(Why::UnknownOption, word.text, word.span),
        Some(_) | None => {}
    }
    if words.next().is_some() && invocation.program != "iwlist" {
        out.add(Effects::SYSTEM);
    }
}

pub(super) fn route<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let flags = [
        "-n",
        "-e",
        "-ee",
        "-v",
        "-4",
        "-6",
        "-C",
        "-F",
        "-inet",
        "-inet6",
        "-ne",
        "-nee",
        "-en",
        "--numeric",
        "-t",
    ];
    let first = invocation.words.iter().find(|word| !word.known().is_some_and(|text| flags.contains(&text)));
    if let Some(unclear) = invocation.words.iter().find(|word| !word.literal) {
        out.doubt(Why::UnknownOperand, unclear.text, unclear.span);
    }
    match first.map(|word| (word, word.known())) {
        None | Some((_, Some("get" | "print" | "monitor" | "PRINT"))) => {}
        Some((
            _,
            Some("add" | "del" | "delete" | "change" | "flush" | "-p" | "ADD" | "DELETE" | "CHANGE"),
        )) => out.add(Effects::SYSTEM),
        Some((word, _)) => out.doubt(Why::UnknownOperand, word.text, word.span),
    }
}

/// Only when every word is part of a listing is nothing changed.
pub(super) fn filter_rules<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let listing = |text: &str| {
        let cluster = text.strip_prefix('-').filter(|rest| !rest.starts_with('-') && !rest.is_empty());
        let short = cluster.is_some_and(|rest| rest.bytes().all(|byte| b"LSnvxtw46".contains(&byte)));
        short
            || matches!(
                text,
                "--list"
                    | "--list-rules"
                    | "--numeric"
                    | "--verbose"
                    | "--exact"
                    | "--line-numbers"
                    | "--table"
                    | "--wait"
            )
    };
    let lists = |text: &str| {
        text == "--list"
            || text == "--list-rules"
            || (!text.starts_with("--") && text.starts_with('-') && text.contains(['L', 'S']))
    };
    let every = invocation
        .words
        .iter()
        .all(|word| word.known().is_some_and(|text| listing(text) || !text.starts_with(['-', '!'])));
    if every && invocation.words.iter().any(|word| word.known().is_some_and(lists)) {
        out.effects = out.effects.without(Effects::SYSTEM).and(Effects::READS);
    }
}
