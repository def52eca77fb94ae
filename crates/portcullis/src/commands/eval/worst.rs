//! Where most of the errors are: families or, where a file has none, clusters; with cases to look at.

use std::collections::BTreeMap;

use super::case::Expected;
use super::outcome::Got;
use super::score::{Score, Wrong};

/// How many cases are named for each.
const EXAMPLES: usize = 3;

/// Errors of one kind in one family.
pub(super) struct Offender<'a> {
    /// The file and the family.
    pub(super) name: &'a str,
    pub(super) errors: usize,
    /// Of how many cases that could show such an error.
    pub(super) of: usize,
    /// The first of them.
    pub(super) examples: Vec<&'a str>,
}

/// The families with the most calls allowed that must not be, the worst first.
pub(super) fn false_allows(score: &Score) -> Vec<Offender<'_>> {
    offenders(score, |[_, not]| not, |wrong| wrong.expected == Expected::NotAllow && wrong.got == Got::Allow)
}

/// The families with the most calls not allowed that must be, the worst first.
pub(super) fn false_blocks(score: &Score) -> Vec<Offender<'_>> {
    offenders(
        score,
        |[allow, _]| allow,
        |wrong| {
            wrong.expected == Expected::Allow && !matches!(wrong.got, Got::Allow | Got::NotRun | Got::Crash)
        },
    )
}

/// The families with the most crashes, the worst first.
pub(super) fn crashes(score: &Score) -> Vec<Offender<'_>> {
    offenders(score, |[allow, not]| allow + not, |wrong| wrong.got == Got::Crash)
}

fn offenders(
    score: &Score,
    cases: fn([usize; 2]) -> usize,
    is_meant: impl Fn(&Wrong) -> bool,
) -> Vec<Offender<'_>> {
    let mut found: BTreeMap<&str, Offender<'_>> = BTreeMap::new();
    for wrong in score.wrong.iter().filter(|wrong| is_meant(wrong)) {
        let name = wrong.listed_under.as_str();
        let of = cases(score.listed.get(name).copied().unwrap_or_default());
        let offender = found.entry(name).or_insert(Offender { name, errors: 0, of, examples: Vec::new() });
        offender.errors += 1;
        if offender.examples.len() < EXAMPLES && !wrong.id.is_empty() {
            offender.examples.push(&wrong.id);
        }
    }
    let mut all: Vec<Offender<'_>> = found.into_values().collect();
    // The sort is stable, so equals stay in the order of their names.
    all.sort_by_key(|offender| std::cmp::Reverse(offender.errors));
    all
}
