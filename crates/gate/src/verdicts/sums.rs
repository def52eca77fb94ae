//! Verdicts added up: in all, and by day, agent, model, stage, layer and failure.

use std::collections::BTreeMap;

use super::Verdict;
use crate::day::Day;
use crate::settle::FailureCounters;

/// Sums over a number of verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    /// The number of verdicts.
    pub count: u64,
    /// How many allowed.
    pub allow: u64,
    /// How many denied.
    pub deny: u64,
    /// How many asked.
    pub ask: u64,
    /// Input tokens.
    pub tokens_in: u64,
    /// Output tokens.
    pub tokens_out: u64,
    /// Input tokens from the cache.
    pub tokens_cached: u64,
    /// The cost in millionths of a dollar, as far as prices are known.
    pub cost_micros: u64,
    /// How many asked a model whose price is not known.
    pub unpriced: u64,
    /// The time they took, in microseconds.
    pub micros: u64,
}

impl Sums {
    fn add(&mut self, verdict: &Verdict) {
        self.count += 1;
        match verdict.decision.as_str() {
            "allow" => self.allow += 1,
            "ask" => self.ask += 1,
            _ => self.deny += 1,
        }
        self.tokens_in = self.tokens_in.saturating_add(verdict.tokens_in);
        self.tokens_out = self.tokens_out.saturating_add(verdict.tokens_out);
        self.tokens_cached = self.tokens_cached.saturating_add(verdict.tokens_cached);
        self.cost_micros = self.cost_micros.saturating_add(verdict.cost_micros.unwrap_or_default());
        self.unpriced += u64::from(verdict.model.is_some() && verdict.cost_micros.is_none());
        self.micros = self.micros.saturating_add(verdict.micros);
    }
}

/// What verdicts are grouped by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Group {
    /// The day.
    Day,
    /// The agent.
    Agent,
    /// The model.
    Model,
    /// The stage that answered.
    Stage,
    /// The layer that decided.
    Layer,
    /// The failure of the model.
    Failure,
}

impl Group {
    /// All groupings.
    pub const ALL: &'static [Group] =
        &[Group::Day, Group::Layer, Group::Agent, Group::Model, Group::Stage, Group::Failure];

    /// The word on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Group::Day => "day",
            Group::Agent => "agent",
            Group::Model => "model",
            Group::Stage => "stage",
            Group::Layer => "layer",
            Group::Failure => "failure",
        }
    }
}

/// Sums over verdicts, in total and by group.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The total.
    pub all: Sums,
    /// How many lines could not be read.
    pub unreadable: u64,
    groups: BTreeMap<(Group, String), Sums>,
}

impl Tally {
    pub(super) fn add(&mut self, day: Day, verdict: &Verdict) {
        self.all.add(verdict);
        for group in Group::ALL {
            let name = match group {
                Group::Day => Some(day.to_string()),
                Group::Agent => Some(verdict.agent.clone()),
                Group::Model => verdict.model.clone(),
                Group::Stage => verdict.stage.clone(),
                Group::Layer => Some(verdict.layer.clone()),
                Group::Failure => verdict.failure.clone(),
            };
            if let Some(name) = name {
                self.groups.entry((*group, name)).or_default().add(verdict);
            }
        }
    }

    /// The failures, by name.
    #[must_use]
    pub fn failures(&self) -> FailureCounters {
        let mut counters = FailureCounters::new();
        for (name, sums) in self.by(Group::Failure) {
            counters.add(name, sums.count);
        }
        counters
    }

    /// The sums of each group, by name: days in order, others by their number.
    #[must_use]
    pub fn by(&self, group: Group) -> Vec<(&str, Sums)> {
        let of_group = self.groups.iter().filter(|((known, _), _)| *known == group);
        let mut sums: Vec<(&str, Sums)> = of_group.map(|((_, name), sums)| (name.as_str(), *sums)).collect();
        if group != Group::Day {
            sums.sort_by_key(|(_, sums)| std::cmp::Reverse(sums.count));
        }
        sums
    }
}
