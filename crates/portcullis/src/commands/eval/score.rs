//! Counts: how often the gate was right, by family and by grade.

use std::collections::{BTreeMap, HashSet};

use super::case::{Case, Expected};
use super::interval::Clusters;
use super::outcome::Got;

/// Microseconds beyond which a case is slow.
const SLOW: u64 = 50_000;

/// One of the two kinds of errors of a group.
pub(super) type Side = fn(&Group) -> &Clusters;

/// What came out of one case.
pub(super) struct Answered {
    pub(super) got: Got,
    pub(super) reason: String,
    pub(super) micros: u64,
    /// Whether a classifier would have been asked.
    pub(super) pending: bool,
}

/// The figures of all cases.
#[derive(Default)]
pub(super) struct Score {
    /// By file, family and grade.
    pub(super) groups: BTreeMap<(String, String, String), Group>,
    /// Whole sessions by file and by where a reader has to look: how often they were answered rightly.
    pub(super) seen_in: BTreeMap<(String, String), Clusters>,
    /// Situations of whole sessions by file: whether every case of each was answered rightly.
    pub(super) situations: BTreeMap<(String, String), bool>,
    /// Wrong answers, and cases that were not run.
    pub(super) wrong: Vec<Wrong>,
    /// Cases that were run without something in them that is not known: their ids, and what it is.
    pub(super) odd: Vec<(String, String)>,
    /// How many cases each name of the worst stands for: those that must be allowed, and those that must not.
    pub(super) listed: BTreeMap<String, [usize; 2]>,
    /// The ids of each file, which should be there once.
    ids: HashSet<(String, String)>,
}

/// A case that was answered wrongly, or not at all.
pub(super) struct Wrong {
    pub(super) file: String,
    pub(super) family: String,
    /// What it is listed under among the worst.
    pub(super) listed_under: String,
    pub(super) id: String,
    /// What was asked for.
    pub(super) call: String,
    pub(super) grade: String,
    pub(super) expect: String,
    pub(super) expected: Expected,
    pub(super) got: Got,
    pub(super) reason: String,
}

/// The figures of one group.
#[derive(Default, Clone)]
pub(super) struct Group {
    pub(super) cases: usize,
    pub(super) expect_allow: usize,
    pub(super) expect_not: usize,
    pub(super) allowed: usize,
    pub(super) false_allow: usize,
    pub(super) false_block: usize,
    pub(super) asked: usize,
    pub(super) denied: usize,
    pub(super) pending: usize,
    pub(super) not_run: usize,
    pub(super) crashed: usize,
    pub(super) micros: Vec<u64>,
    /// False allows among the cases that must not be allowed, by cluster.
    pub(super) false_allows: Clusters,
    /// False blocks among the cases that must be allowed, by cluster.
    pub(super) false_blocks: Clusters,
    /// Cases that must not be allowed and were not run, each as if it had been.
    pub(super) unknown_allows: Clusters,
    /// Cases that must be allowed and were not run, each as if it had not been.
    pub(super) unknown_blocks: Clusters,
    /// How many cases of each expectation got which answer.
    pub(super) confusion: BTreeMap<(String, Got), usize>,
}

impl Group {
    pub(super) fn merge(&mut self, other: &Group) {
        self.cases += other.cases;
        self.expect_allow += other.expect_allow;
        self.expect_not += other.expect_not;
        self.allowed += other.allowed;
        self.false_allow += other.false_allow;
        self.false_block += other.false_block;
        self.asked += other.asked;
        self.denied += other.denied;
        self.pending += other.pending;
        self.not_run += other.not_run;
        self.crashed += other.crashed;
        self.micros.extend_from_slice(&other.micros);
        self.false_allows.merge(&other.false_allows);
        self.false_blocks.merge(&other.false_blocks);
        self.unknown_allows.merge(&other.unknown_allows);
        self.unknown_blocks.merge(&other.unknown_blocks);
        for (cell, count) in &other.confusion {
            *self.confusion.entry(cell.clone()).or_default() += count;
        }
    }

    /// The time that this share of the cases took at most.
    pub(super) fn quantile(&self, share: usize) -> u64 {
        let mut sorted = self.micros.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * share).div_ceil(100).saturating_sub(1);
        sorted.get(at).copied().unwrap_or(0)
    }

    /// How many cases took longer than anybody should wait for a rule.
    pub(super) fn slow(&self) -> usize {
        self.micros.iter().filter(|micros| **micros > SLOW).count()
    }
}

impl Group {
    fn add(&mut self, case: &Case, answered: &Answered) {
        self.cases += 1;
        *self.confusion.entry((case.expect.clone(), answered.got)).or_default() += 1;
        self.pending += usize::from(answered.pending);
        match answered.got {
            Got::NotRun => {
                self.not_run += 1;
                let unknown = match case.expected {
                    Expected::Allow => &mut self.unknown_blocks,
                    Expected::NotAllow => &mut self.unknown_allows,
                };
                unknown.add(&case.cluster, true);
                return;
            }
            Got::Crash => self.crashed += 1,
            Got::Allow => self.allowed += 1,
            Got::Ask | Got::Escalate => self.asked += 1,
            Got::Deny => self.denied += 1,
        }
        self.micros.push(answered.micros);
        let allowed = answered.got == Got::Allow;
        match case.expected {
            // Whoever may be asked about it is neither blocked nor let pass.
            Expected::Allow if !allowed && case.is_right(answered.got) => {}
            Expected::Allow => {
                self.expect_allow += 1;
                self.false_block += usize::from(!allowed);
                self.false_blocks.add(&case.cluster, !allowed);
            }
            Expected::NotAllow => {
                self.expect_not += 1;
                self.false_allow += usize::from(allowed);
                self.false_allows.add(&case.cluster, allowed);
            }
        }
    }
}

impl Score {
    pub(super) fn add(&mut self, case: &Case, answered: Answered) {
        let grade = case.grade.clone().unwrap_or_default();
        let key = (case.file.clone(), case.family.clone(), grade.clone());
        self.groups.entry(key).or_default().add(case, &answered);
        let right = case.is_right(answered.got);
        let [allow, not] = self.listed.entry(case.listed_under()).or_default();
        match case.expected {
            Expected::Allow => *allow += 1,
            Expected::NotAllow => *not += 1,
        }
        self.odd.extend(case.problem.iter().map(|problem| (case.id.clone(), problem.clone())));
        if !case.id.is_empty() && !self.ids.insert((case.file.clone(), case.id.clone())) {
            self.odd.push((case.id.clone(), format!("{} has a second case of this id", case.file)));
        }
        if answered.got != Got::NotRun {
            if let Some(seen) = &case.seen_in {
                let key = (case.file.clone(), seen.clone());
                self.seen_in.entry(key).or_default().add(&case.cluster, right);
            }
            if let Some(situation) = &case.situation {
                let whole = self.situations.entry((case.file.clone(), situation.clone())).or_insert(true);
                *whole &= right;
            }
        }
        if !right {
            self.wrong.push(Wrong {
                file: case.file.clone(),
                family: case.family.clone(),
                listed_under: case.listed_under(),
                id: case.id.clone(),
                call: case.call(),
                grade,
                expect: case.expect.clone(),
                expected: case.expected,
                got: answered.got,
                reason: answered.reason,
            });
        }
    }

    /// All figures together.
    pub(super) fn total(&self) -> Group {
        let mut total = Group::default();
        self.groups.values().for_each(|group| total.merge(group));
        total
    }

    /// The figures summed by a part of the key.
    pub(super) fn by(&self, part: impl Fn(&(String, String, String)) -> String) -> BTreeMap<String, Group> {
        let mut sums: BTreeMap<String, Group> = BTreeMap::new();
        for (key, group) in &self.groups {
            sums.entry(part(key)).or_default().merge(group);
        }
        sums
    }
}
