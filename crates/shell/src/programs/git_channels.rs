//! Ways of git to show, move, send or run what its line does not plainly say.

use super::git_checks::{content, is_secret, named_files, transport};
use super::invocation::{Invocation, Outcome, Run};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::unclear::Why;

/// `cat-file --batch` shows the objects that its standard input names.
pub(super) fn objects<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    content(invocation, out);
    let shows = invocation.has(&["--batch", "--batch-command"]) && !invocation.has(&["--batch-all-objects"]);
    if !shows || !out.fed {
        return;
    }
    let span = invocation.words.first().map(|word| word.span).unwrap_or_default();
    let Some(text) = out.input.and_then(|input| input.known()) else {
        out.doubt(Why::UnknownOperand, "objects named on standard input", span);
        return;
    };
    let names: Vec<Argument<'a>> = text
        .split_whitespace()
        .filter(|word| word.contains(':'))
        .map(|word| Argument::literal(word, span))
        .collect();
    if names.iter().any(is_secret) {
        out.add(Effects::SECRETS);
    }
    named_files(&names, out);
}

/// A file of credentials under another name is one that nobody knows any more.
pub(super) fn moves<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let sources = invocation.operands.len().saturating_sub(1);
    if invocation.operands.iter().take(sources).any(is_secret) {
        out.add(Effects::SECRETS);
    }
}

/// What is mailed is read.
pub(super) fn mails<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    transport(invocation, out);
    for word in invocation.operands.iter().filter(|word| !word.prefix().starts_with('-')) {
        out.reads(*word);
    }
}

/// The program that shows a difference is run by a shell, with the two files behind it.
pub(super) fn external_diff<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let seen = invocation.options.iter().filter(|seen| matches!(seen.name, "x" | "--extcmd"));
    for program in seen.filter_map(|seen| seen.value) {
        out.runs.push(Run::Script(program, Dialect::Sh));
    }
    content(invocation, out);
}

/// One word is a line for a shell; several are a command.
pub(super) fn each_submodule<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    match invocation.operands.as_slice() {
        [] => {}
        [line] => out.runs.push(Run::Script(*line, Dialect::Sh)),
        _ => {
            let command = invocation.words.get(invocation.first_operand..).unwrap_or_default();
            out.runs.push(Run::Words(command));
        }
    }
}
