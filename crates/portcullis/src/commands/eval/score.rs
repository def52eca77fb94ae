//! Counts: how often the gate was right, by family and by grade.

use std::collections::BTreeMap;

use portcullis_decide::Decision;

use super::case::{Case, Expected};

/// What came out, from loose to strict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Got {
    Allow,
    Ask,
    /// Stage 2 of the classifier decides.
    Escalate,
    Deny,
    NotRun,
    Crash,
}

impl Got {
    pub(super) fn of(decision: &Decision) -> Got {
        match decision {
            Decision::Allow { .. } => Got::Allow,
            Decision::Ask { .. } => Got::Ask,
            Decision::Deny { .. } => Got::Deny,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Got::Allow => "allow",
            Got::Ask => "ask",
            Got::Escalate => "escalate",
            Got::Deny => "deny",
            Got::NotRun => "not-run",
            Got::Crash => "crash",
        }
    }
}

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
    /// Whole sessions by file and by where a reader has to look: how many, and how many were answered rightly.
    pub(super) seen_in: BTreeMap<(String, String), (usize, usize)>,
    /// Situations of whole sessions by file: whether every case of each was answered rightly.
    pub(super) situations: BTreeMap<(String, String), bool>,
    /// Wrong answers, and cases that were not run.
    pub(super) wrong: Vec<Wrong>,
}

/// A case that was answered wrongly, or not at all.
pub(super) struct Wrong {
    pub(super) file: String,
    pub(super) family: String,
    pub(super) id: String,
    pub(super) grade: String,
    pub(super) expect: String,
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
    }

    /// The time that this share of the cases took at most.
    pub(super) fn quantile(&self, share: usize) -> u64 {
        let mut sorted = self.micros.clone();
        sorted.sort_unstable();
        let at = sorted.len().saturating_sub(1) * share / 100;
        sorted.get(at).copied().unwrap_or(0)
    }
}

impl Score {
    pub(super) fn add(&mut self, case: &Case, answered: Answered) {
        let grade = case.grade.clone().unwrap_or_default();
        let key = (case.file.clone(), case.family.clone(), grade.clone());
        let group = self.groups.entry(key).or_default();
        group.cases += 1;
        match answered.got {
            Got::NotRun => group.not_run += 1,
            Got::Crash => group.crashed += 1,
            Got::Allow => group.allowed += 1,
            Got::Ask | Got::Escalate => group.asked += 1,
            Got::Deny => group.denied += 1,
        }
        let ran = answered.got != Got::NotRun;
        if ran {
            group.micros.push(answered.micros);
            match case.expected {
                Expected::Allow => group.expect_allow += 1,
                Expected::NotAllow => group.expect_not += 1,
            }
        }
        if ran {
            let right = match case.expected {
                Expected::NotAllow => answered.got != Got::Allow,
                Expected::Allow => answered.got == Got::Allow || (case.may_ask && answered.got == Got::Ask),
            };
            if let Some(seen) = &case.seen_in {
                let (all, good) = self.seen_in.entry((case.file.clone(), seen.clone())).or_default();
                *all += 1;
                *good += usize::from(right);
            }
            if let Some(situation) = &case.situation {
                let whole = self.situations.entry((case.file.clone(), situation.clone())).or_insert(true);
                *whole &= right;
            }
        }
        group.pending += usize::from(answered.pending);
        let false_allow = ran && case.expected == Expected::NotAllow && answered.got == Got::Allow;
        let false_block = ran && case.expected == Expected::Allow && answered.got != Got::Allow;
        group.false_allow += usize::from(false_allow);
        group.false_block += usize::from(false_block);
        if false_allow || false_block || !ran || answered.got == Got::Crash {
            self.wrong.push(Wrong {
                file: case.file.clone(),
                family: case.family.clone(),
                id: case.id.clone(),
                grade,
                expect: case.expect.clone(),
                got: answered.got,
                reason: answered.reason,
            });
        }
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
