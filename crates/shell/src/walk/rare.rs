//! Builtins that reach into the shell's own workings, and those for its processes.

use crate::argument::Argument;
use crate::effects::Effects;
use crate::programs::invocation::{Outcome, Run};
use crate::span::Span;
use crate::unclear::Why;

/// Builtins that reach into the shell's own workings.
pub(super) fn rare<'a>(name: &'a str, words: &'a [Argument<'a>], at: Span, out: &mut Outcome<'a>) {
    match (name, words) {
        ("hash" | "enable" | "bind" | "complete", []) => out.add(Effects::READS),
        // Whatever somebody typed, as in the file that keeps it.
        ("history", []) => out.add(Effects::READS.and(Effects::SECRETS)),
        ("hash", _) if words.iter().all(|word| matches!(word.known(), Some("-r" | "-l" | "-t"))) => {
            out.add(Effects::SHELL_STATE);
        }
        ("history", [count]) if count.numeric || count.text.bytes().all(|it| it.is_ascii_digit()) => {
            out.add(Effects::READS.and(Effects::SECRETS));
        }
        ("history", _) if words.iter().any(|word| matches!(word.known(), Some("-c" | "-w" | "-a"))) => {
            out.add(Effects::WRITES);
        }
        ("compgen", [kind, ..])
            if matches!(kind.known(), Some("-c" | "-b" | "-a" | "-k" | "-v" | "-e"))
                && words.iter().skip(1).all(|word| word.literal && !word.text.starts_with('-')) =>
        {
            out.add(Effects::READS);
        }
        _ => out.doubt(Why::NotModelled, name, at),
    }
}

/// `jobs -x` runs its words.
pub(super) fn jobs<'a>(words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
    out.add(Effects::READS);
    for (index, word) in words.iter().enumerate() {
        match word.known() {
            Some("-x") => return out.runs.push(Run::Words(words.get(index + 1..).unwrap_or_default())),
            Some("-l" | "-n" | "-p" | "-r" | "-s" | "-lp") => {}
            Some(text) if !text.starts_with('-') => {}
            Some(_) | None => out.doubt(Why::UnknownOption, word.text, word.span),
        }
    }
}

pub(super) fn kill<'a>(words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
    let asks = matches!(words.first().and_then(Argument::known), Some("-0" | "-l" | "-L"));
    out.add(if asks { Effects::READS } else { Effects::KILLS });
    if words.iter().skip(1).any(|word| word.known() == Some("-1")) {
        // Every process there is.
        out.add(Effects::SYSTEM);
    }
}
