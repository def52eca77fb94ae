//! What the tables of the core utilities cannot say: operands whose place decides what happens to them.

use super::invocation::{Invocation, Outcome, Run, Use};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::secrets;
use crate::unclear::Why;

/// `date OPERAND`: a format begins with `+`; anything else sets the clock, unless `-j` says not to.
pub(super) fn date_operand<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let sets = invocation.operands.iter().any(|operand| !operand.prefix().starts_with('+'));
    if sets && !invocation.has(&["j"]) {
        out.add(Effects::SYSTEM);
    }
}

/// With `-t DIR` the last operand is a source like the others.
pub(super) fn target_first<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["t", "--target-directory"]) {
        invocation.operands.iter().for_each(|source| out.reads(*source));
    }
}

/// A file of credentials under another name is one that nobody knows any more; under its own kind of name it stays
/// what it was.
pub(super) fn moves<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    target_first(invocation, out);
    let secret = |file: &Argument<'_>| secrets::is_secret_path(file.text, file.literal);
    let Some((target, sources)) = invocation.operands.split_last() else { return };
    let kept = target.literal && secret(target) && !secrets::is_sample(target.text);
    if sources.iter().any(secret) && !kept {
        out.add(Effects::SECRETS);
    }
}

/// The last operand is the new link, unless it is the only one or a directory was named.
pub(super) fn links<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let only_targets = invocation.has(&["t", "--target-directory"]) || invocation.operands.len() == 1;
    sources_then_target(&invocation.operands, only_targets, out);
}

pub(super) fn installs<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["d", "--directory"]) {
        invocation.operands.iter().for_each(|directory| out.writes(*directory));
        return;
    }
    let only_sources = invocation.has(&["t", "--target-directory"]);
    sources_then_target(&invocation.operands, only_sources, out);
}

fn sources_then_target<'a>(operands: &[Argument<'a>], only_sources: bool, out: &mut Outcome<'a>) {
    let last = operands.len().saturating_sub(1);
    for (index, operand) in operands.iter().enumerate() {
        if only_sources || index < last {
            out.reads(*operand);
        } else {
            out.writes(*operand);
        }
    }
}

/// `mknod NAME TYPE`: a block or character device is a door to the machine, a pipe is not.
pub(super) fn first_is_written<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut operands = invocation.operands.iter();
    if let Some(name) = operands.next() {
        out.writes(*name);
    }
    if operands.next().is_some_and(|kind| kind.known() != Some("p")) {
        out.add(Effects::SYSTEM);
    }
}

/// The first operand of chmod and its kin is the mode or owner; the others are files, which
/// policy wants to know by name though their content stays.
pub(super) fn changes_access<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let skip = usize::from(!invocation.has(&["--reference"]));
    let mode = invocation.operands.first().and_then(Argument::known).unwrap_or_default();
    if invocation.program.ends_with("chmod") && skip == 1 && lends_rights(mode) {
        out.add(Effects::PRIVILEGE);
    }
    out.files.extend(invocation.operands.iter().skip(skip).map(|file| (Use::Write, *file)));
}

/// Whether whoever runs the file gets the rights of its owner: `u+s`, `4755`.
fn lends_rights(mode: &str) -> bool {
    let digits = mode.trim_start_matches('0');
    let octal = !mode.is_empty() && mode.bytes().all(|byte| byte.is_ascii_digit());
    if octal {
        return digits.len() >= 4 && digits.starts_with(['2', '3', '4', '5', '6', '7']);
    }
    mode.split(',').any(|part| part.contains(['+', '=']) && part.contains('s'))
}

/// `dd key=value …`
pub(super) fn copies_blocks<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const HARMLESS: &[&str] = &[
        "bs", "ibs", "obs", "cbs", "count", "skip", "seek", "iseek", "oseek", "conv", "iflag", "oflag",
        "status", "files", "speed",
    ];
    if let [only] = invocation.words
        && matches!(only.known(), Some("--help" | "--version"))
    {
        return;
    }
    for word in invocation.words {
        let Some((key, value)) = word.prefix().split_once('=') else {
            out.doubt(Why::UnknownOperand, word.text, word.span);
            continue;
        };
        let value = word.after(word.prefix().len() - value.len());
        match key {
            "if" => out.reads(value),
            "of" => {
                out.writes(value);
                let harmless =
                    matches!(value.known(), Some("/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty"));
                if !harmless && value.prefix().starts_with("/dev/") {
                    out.add(Effects::SYSTEM);
                }
            }
            _ if HARMLESS.contains(&key) && !word.many => {}
            _ => out.doubt(Why::UnknownOperand, word.text, word.span),
        }
    }
}

/// `arch` tells the machine type; on macOS it also runs a program as another architecture.
pub(super) fn architecture<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const FLAGS: &[&str] = &[
        "-32",
        "-64",
        "-arm64",
        "-arm64e",
        "-x86_64",
        "-x86_64h",
        "-i386",
        "-ppc",
        "-ppc64",
        "-arm",
        "-c",
        "-h",
        "--help",
        "--version",
    ];
    let mut index = 0;
    while let Some(word) = invocation.words.get(index) {
        match word.known() {
            Some("-arch" | "--arch" | "-d") => index += 1,
            Some("-e") => {
                out.add(Effects::ENVIRONMENT);
                index += 1;
            }
            Some(flag) if FLAGS.contains(&flag) => {}
            Some(text) if text.starts_with('-') => out.doubt(Why::UnknownOption, text, word.span),
            Some(_) | None => {
                out.runs.push(Run::Words(invocation.words.get(index..).unwrap_or_default()));
                return;
            }
        }
        index += 1;
    }
}

/// The whole environment, or a variable with a telling name, can hold tokens.
pub(super) fn printenv<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let telling = ["TOKEN", "KEY", "SECRET", "PASS", "CREDENTIAL", "AUTH", "COOKIE"];
    let secret = |word: &Argument<'a>| {
        word.known().is_none_or(|name| telling.iter().any(|part| name.to_ascii_uppercase().contains(part)))
    };
    if invocation.operands.is_empty() || invocation.operands.iter().any(secret) {
        out.add(Effects::SECRETS);
    }
}
