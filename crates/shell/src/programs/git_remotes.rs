//! The addresses that git is told to push to and fetch from.

use super::invocation::{Invocation, Outcome};
use crate::argument::Argument;
use crate::effects::Effects;

/// Where later pushes and fetches go: a rule must name the sub-command, and no address may run a program.
pub(super) fn remote_address<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    out.steered.extend(out.verbs.last().copied());
    let runs = |word: &Argument<'_>| {
        let scheme = word.text.split_once("::").map(|(scheme, _)| scheme);
        !word.literal || scheme.is_some_and(|scheme| !scheme.contains(['/', '@', '[']))
    };
    if invocation.operands.iter().any(runs) {
        out.by_options.add(Effects::EXECUTES);
        out.executes();
    }
}
