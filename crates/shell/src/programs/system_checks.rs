//! What the tables of system programs cannot say: which forms show, and which change the machine.

use super::invocation::{Invocation, Outcome};
use crate::argument::Argument;
use crate::effects::Effects;

/// `e` among the letters of the form without a dash shows every process's variables.
pub(super) fn environment_shown<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let shows = |word: &Argument<'_>| !word.numeric && word.known().is_none_or(|text| text.contains('e'));
    if invocation.operands.iter().any(shows) {
        out.add(Effects::SECRETS);
    }
}

pub(super) fn saved_statistics<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    match invocation.program {
        "sar" if invocation.has(&["o"]) => out.add(Effects::WRITES),
        _ => {}
    }
}

/// The address of a hypervisor elsewhere names the program that leads there, or takes one from its parameters.
pub(super) fn hypervisor_is_here<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let here = |address: &str| {
        let plain = !address.contains(['+', '?']);
        plain && [":///system", ":///session", ":///default"].iter().any(|end| address.ends_with(end))
    };
    let address = invocation.value(&["c", "--connect"]);
    if address.is_some_and(|address| !address.known().is_some_and(here)) {
        out.executes();
    }
}

/// Some of the programs that show hardware can also set it.
pub(super) fn hardware_control<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let sets = match invocation.program {
        "nvidia-smi" => invocation
            .options
            .iter()
            .any(|seen| seen.name.len() == 1 && !matches!(seen.name, "L" | "q" | "i" | "l" | "d" | "x")),
        "sensors" => invocation.has(&["s"]),
        "rocm-smi" => invocation
            .options
            .iter()
            .any(|seen| seen.name.len() == 1 && !matches!(seen.name, "a" | "i" | "t" | "u")),
        _ => false,
    };
    if sets {
        out.add(Effects::SYSTEM);
    }
    let writes_file = match invocation.program {
        "nvidia-smi" => invocation.has(&["f"]),
        "inxi" => invocation.has(&["U"]),
        _ => false,
    };
    if writes_file {
        out.add(Effects::WRITES);
    }
}

pub(super) fn kill<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let known = |index: usize| invocation.words.get(index).and_then(Argument::known);
    let first = known(0).unwrap_or_default();
    let lists = matches!(first, "-l" | "-L" | "--list" | "--table" | "--help" | "--version");
    let probes = first == "-0" || (first == "-s" && known(1) == Some("0")) || first == "-s0";
    let later = invocation.words.iter().skip(if first == "-s" { 2 } else { 1 });
    let plain = later
        .clone()
        .all(|word| word.numeric || if word.literal { !word.text.starts_with('-') } else { !word.may_dash });
    if lists || (probes && plain) {
        out.effects = out.effects.without(Effects::KILLS).and(Effects::READS);
    }
}

pub(super) fn assigns<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.operands.iter().any(|word| word.known().is_none_or(|text| text.contains('='))) {
        out.add(Effects::SYSTEM);
    }
}

pub(super) fn prints_cache<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let shows = invocation.has(&["p", "--print-cache", "--list-archive"]);
    if shows && invocation.words.len() == 1 {
        out.effects = out.effects.without(Effects::SYSTEM).and(Effects::READS);
    }
}

pub(super) fn alternatives<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let verb = invocation.words.iter().find(|word| !matches!(word.known(), Some("--verbose" | "--quiet")));
    if matches!(verb.and_then(Argument::known), Some("--list" | "--display" | "--query" | "--get-selections"))
        && invocation.words.len() < 4
    {
        out.effects = out.effects.without(Effects::SYSTEM).and(Effects::READS);
    }
}

pub(super) fn shadow<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let database = invocation.operands.first();
    // A host name is looked up, and the question travels to other machines.
    if invocation.operands.iter().any(|word| !word.literal && !word.numeric) {
        out.add(Effects::SENDS_DATA);
    }
    if database.is_some_and(|name| !name.literal || name.text.contains("shadow")) {
        out.add(Effects::SECRETS);
    }
}
