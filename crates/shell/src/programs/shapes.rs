//! Shapes that many tables of services share: a group of sub-commands, one that shows, one that changes.

use super::invocation::{Invocation, Outcome};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;

/// A sub-command that shows something of this machine.
pub(super) const fn look(names: &'static str, options: &'static str) -> Spec {
    Spec::new(names, Effects::READS).options(options).operands(Operands::Text)
}

/// A sub-command that asks a service and changes nothing there.
pub(super) const fn show(names: &'static str, options: &'static str) -> Spec {
    Spec::new(names, Effects::NETWORK_READ).options(options).operands(Operands::Text)
}

/// The same for programs that write options as `-name value`.
pub(super) const fn show_dash(names: &'static str, options: &'static str) -> Spec {
    show(names, options).style(Style::SingleDash)
}

/// A sub-command that does this whatever its options: only a request for help makes it harmless.
pub(super) const fn change(names: &'static str, does: Effects) -> Spec {
    Spec::new(names, does).style(Style::Raw).options("-h!help").operands(Operands::Text).check(help_at_end)
}

/// A sub-command that runs what follows, to which a later `--help` belongs.
pub(super) const fn runs(names: &'static str, does: Effects) -> Spec {
    Spec::new(names, does).style(Style::Raw).options("-h!help").operands(Operands::Text).check(help_alone)
}

/// Sub-commands under a common name; without one of them nothing is known.
pub(super) const fn group(names: &'static str, verbs: &'static [Spec]) -> Spec {
    Spec::new(names, Effects::UNKNOWN).options("-h!help").verbs(verbs)
}

/// The same for programs that write options as `-name value`.
pub(super) const fn dash_group(names: &'static str, verbs: &'static [Spec]) -> Spec {
    group(names, verbs).style(Style::SingleDash)
}

/// Two lists of sub-commands in one, whose length `COUNT` is that of both.
#[expect(clippy::indexing_slicing, reason = "runs in the compiler; an index out of bounds does not compile")]
pub(super) const fn joined<const COUNT: usize>(first: &[Spec], second: &[Spec]) -> [Spec; COUNT] {
    let mut all = [Spec::new("", Effects::UNKNOWN); COUNT];
    let mut at = 0;
    while at < COUNT {
        all[at] = if at < first.len() { first[at] } else { second[at - first.len()] };
        at += 1;
    }
    all
}

impl Spec {
    /// Does this as well.
    pub(super) const fn also(mut self, does: Effects) -> Spec {
        self.does = self.does.and(does);
        self
    }
}

/// What a variable's name says it may hold; a name that is not known may be any.
pub(super) fn is_telling(name: Option<&str>) -> bool {
    let parts = ["TOKEN", "KEY", "SECRET", "PASS", "CREDENTIAL", "AUTH", "COOKIE"];
    name.is_none_or(|name| parts.iter().any(|part| name.to_ascii_uppercase().contains(part)))
}

/// Variables are shown: all of them, or those that are named.
pub(super) fn shows_variables(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if invocation.operands.is_empty() || invocation.operands.iter().any(|word| is_telling(word.known())) {
        out.add(Effects::SECRETS);
    }
}

/// What explains the program.
pub(super) const HELP: Spec = look("help", "-h!help --*");

fn is_help(word: &Argument<'_>) -> bool {
    matches!(word.known(), Some("--help" | "-h" | "-help"))
}

/// `--help` as the last word, where it cannot be the value of an option before it.
pub(super) fn help_at_end(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let mut ending = invocation.words.iter().rev();
    // Where options end at the first operand, a later `-h` is a name like any other.
    let alone = invocation.words.len() == invocation.chain.len();
    let asks = ending.next().is_some_and(|word| word.known() == Some("--help") || (alone && is_help(word)));
    let free = ending.next().is_none_or(|before| before.known().is_some_and(|text| !text.starts_with('-')));
    let handed_on = invocation.words.iter().any(|word| word.known() == Some("--"));
    if asks && free && !handed_on {
        out.help = true;
    }
}

/// `--help` and nothing else.
fn help_alone(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if invocation.operands.len() == 1 && invocation.operands.first().is_some_and(is_help) {
        out.help = true;
    }
}
