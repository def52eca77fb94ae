//! What the tables of macOS programs cannot say: modes chosen by a word, and where they write.

use super::invocation::{Invocation, Outcome};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::secrets::is_secret_path;

fn first<'a>(invocation: &Invocation<'_, 'a>) -> &'a str {
    invocation.words.first().and_then(Argument::known).unwrap_or_default()
}

/// The command only looks after all.
fn looks(out: &mut Outcome<'_>, only: bool) {
    if only {
        out.effects = Effects::READS;
    }
}

pub(super) fn networksetup<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let verb = first(invocation).to_ascii_lowercase();
    let asks = ["-list", "-get", "-show", "-is", "-help", "-printcommands", "-version"]
        .iter()
        .any(|start| verb.starts_with(start));
    looks(out, asks);
}

pub(super) fn launch_limit<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.operands.len() > 1 || invocation.operands.iter().any(|word| word.many) {
        out.add(Effects::SYSTEM);
    }
}

pub(super) fn defaults<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut words = invocation.words.iter().copied();
    let mut verb = words.next();
    if verb.and_then(|word| word.known()) == Some("-currentHost") {
        verb = words.next();
    } else if verb.and_then(|word| word.known()) == Some("-host") {
        verb = words.nth(1);
    }
    match verb.and_then(|word| word.known()) {
        Some("read" | "find") => {
            looks(out, true);
            let telling = |word: Argument<'_>| {
                let lower = word.text.to_ascii_lowercase();
                ["token", "secret", "passw", "apikey", "api_key", "api-key", "credential"]
                    .iter()
                    .any(|part| lower.contains(part))
            };
            if words.any(telling) {
                out.add(Effects::SECRETS);
            }
        }
        Some("read-type" | "domains" | "help") => looks(out, true),
        Some("export") => {
            out.effects = Effects::NONE;
            match words.last() {
                Some(target) if target.known() == Some("-") => out.add(Effects::READS),
                Some(target) => out.writes(target),
                None => out.add(Effects::WRITES),
            }
        }
        Some("delete" | "delete-all") => out.add(Effects::DELETES),
        Some(_) | None => out.add(Effects::WRITES),
    }
}

pub(super) fn scutil<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let looking = ["--dns", "--proxy", "--get", "-r", "-w", "--nwi", "--error", "--snapshot"];
    let only = looking.contains(&first(invocation));
    let sets = invocation
        .words
        .iter()
        .any(|word| word.known().is_none_or(|text| matches!(text, "--set" | "--prefs" | "--renew")));
    looks(out, only && !sets);
}

/// When displaying, some options name files to write to.
pub(super) fn codesign<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["d", "--display"]) {
        return;
    }
    for name in ["--entitlements", "--requirements", "--file-list", "r"] {
        let target = invocation.value(&[name]);
        if target.is_some_and(|target| !matches!(target.known(), Some("-" | ":-"))) {
            out.add(Effects::WRITES);
        }
    }
}

/// Without a named file the report goes to one in `/tmp`.
pub(super) fn sampled<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["file", "f"]) && !out.help {
        out.add(Effects::WRITES);
    }
}

pub(super) fn textutil<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["convert", "cat", "strip"]) && !invocation.has(&["stdout", "output"]) {
        out.add(Effects::WRITES);
    }
}

pub(super) fn open<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let reveals = invocation.options.iter().all(|seen| matches!(seen.name, "R" | "--reveal"));
    looks(out, reveals && !invocation.options.is_empty() && !out.help);
}

pub(super) fn plutil<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let verb = first(invocation);
    let mut target = invocation.words.iter().skip_while(|word| word.known() != Some("-o"));
    let to_stdout = target.nth(1).and_then(Argument::known) == Some("-");
    let clear = invocation.words.iter().all(|word| word.literal);
    match verb {
        "-p" | "-lint" | "-type" | "-help" => {}
        "-convert" | "-extract" if to_stdout && clear => {}
        _ if !verb.is_empty() && !verb.starts_with('-') => {}
        _ => out.add(Effects::WRITES),
    }
}

pub(super) fn plist_buddy<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let commands = invocation
        .options
        .iter()
        .filter(|seen| seen.name == "c")
        .map(|seen| seen.value.and_then(|value| value.known()));
    let prints = |command: Option<&str>| {
        command.is_some_and(|text| {
            text.trim_start().to_ascii_lowercase().starts_with("print") && !text.contains('\n')
        })
    };
    if !invocation.has(&["c"]) || !commands.into_iter().all(prints) {
        out.add(Effects::WRITES);
    }
}

pub(super) fn metadata_saved<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["plist"]) {
        out.add(Effects::WRITES);
    }
    let secret = |word: &Argument<'_>| is_secret_path(word.text, false);
    if invocation.program == "mdfind" && invocation.words.iter().any(secret) {
        out.add(Effects::SECRETS);
    }
}

pub(super) fn mdimport<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let has = |name: &str| invocation.words.iter().any(|word| word.known() == Some(name));
    let asks = has("-t") || has("-A") || has("-X") || has("-L") || has("-e");
    let clear = invocation.words.iter().all(|word| word.literal && !matches!(word.text, "-i" | "-r"));
    looks(out, asks && clear);
    if has("-o") {
        out.add(Effects::WRITES);
    }
}

pub(super) fn mdutil<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let only = invocation.options.iter().all(|seen| matches!(seen.name, "s" | "a" | "v" | "P" | "L"));
    looks(out, only && invocation.has(&["s", "P", "L"]));
}

pub(super) fn dscl<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut words = invocation
        .words
        .iter()
        .copied()
        .filter(|word| !matches!(word.known(), Some("-plist" | "-raw" | "-url" | "-q")));
    let node = words.next().and_then(|word| word.known());
    let verb = words.next().and_then(|word| word.known()).unwrap_or_default();
    let asks = matches!(
        verb.trim_start_matches('-'),
        "list" | "ls" | "read" | "cat" | "search" | "readall" | "readpl" | "readpli" | "diff"
    );
    if node.is_some_and(|name| !name.starts_with('-')) && asks {
        looks(out, true);
        let hidden = |word: Argument<'_>| {
            word.known().is_none_or(|text| text.contains("Hash") || text.contains("Password"))
        };
        if words.any(hidden) {
            out.add(Effects::SECRETS);
        }
    } else {
        out.add(Effects::PERMISSIONS);
    }
}

pub(super) fn dscacheutil<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let clear = invocation.words.iter().all(|word| word.known().is_some_and(|text| text != "-flushcache"));
    looks(
        out,
        matches!(first(invocation), "-q" | "-cachedump" | "-configuration" | "-statistics" | "-h") && clear,
    );
}

pub(super) fn softwareupdate<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if matches!(first(invocation), "-l" | "--list" | "--history" | "--list-full-installers")
        && invocation.words.len() == 1
    {
        out.effects = Effects::NETWORK_READ;
    }
}

pub(super) fn pmset<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    looks(out, first(invocation) == "-g");
}

pub(super) fn assigned<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.operands.iter().any(|word| word.known().is_none_or(|text| text.contains('='))) {
        out.add(Effects::SYSTEM);
    }
}

pub(super) fn forks<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["c", "--pipe", "--to-stdout", "o", "C", "--output"]) && !out.help {
        out.add(Effects::WRITES);
    }
}
