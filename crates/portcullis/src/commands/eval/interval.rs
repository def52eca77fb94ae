//! How far a measured rate can be trusted: 95 % intervals that know that rows of one family are alike.
//!
//! The interval is Wilson's, on as many rows as the data are worth: their number divided by the design effect, which
//! is what the spread between clusters is to the spread that independent rows would have. Student's t stands for the
//! normal quantile, because few clusters say little about the spread between them. `tests/bench/rates.py` is the same
//! in Python, and both have the same worked examples.

use std::collections::BTreeMap;

/// Rows that belong together: an error in one makes errors in the others likelier.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// The session, family or project.
    pub(super) name: String,
    /// What its rows are grouped by where all of them are of one cluster.
    pub(super) part: String,
}

/// How many rows, and in how many of them it happened.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    rows: usize,
    hits: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.rows += other.rows;
        self.hits += other.hits;
    }
}

/// How often something happened, by cluster.
#[derive(Clone, Default, Debug)]
pub(super) struct Clusters {
    names: BTreeMap<String, Tally>,
    parts: BTreeMap<String, Tally>,
}

/// A rate and what it may really be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Estimate {
    pub(super) rows: usize,
    pub(super) hits: usize,
    pub(super) rate: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    /// How many clusters it rests on. With one the interval is about that one alone.
    pub(super) clusters: usize,
}

impl Clusters {
    /// Counts one row.
    pub(super) fn add(&mut self, cluster: &Cluster, hit: bool) {
        let tally = Tally { rows: 1, hits: usize::from(hit) };
        self.names.entry(cluster.name.clone()).or_default().add(tally);
        self.parts.entry(cluster.part.clone()).or_default().add(tally);
    }

    pub(super) fn merge(&mut self, other: &Clusters) {
        for (mine, theirs) in [(&mut self.names, &other.names), (&mut self.parts, &other.parts)] {
            for (name, tally) in theirs {
                mine.entry(name.clone()).or_default().add(*tally);
            }
        }
    }

    /// The rate with its interval; nothing where there are no rows.
    ///
    /// One cluster says nothing about others. Its own rate is all that can be told then: its parts take the place of
    /// clusters, and where there is only one of those too, the rows.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        let mut all = Tally::default();
        self.names.values().for_each(|tally| all.add(*tally));
        if all.rows == 0 {
            return None;
        }
        let several = [&self.names, &self.parts].into_iter().find(|it| it.len() > 1);
        let tallies = several.map_or_else(|| rows_apart(all), |it| it.values().copied().collect());
        let rate = real(all.hits) / real(all.rows);
        let (low, high) = bounds(all, rate, &tallies);
        Some(Estimate { rows: all.rows, hits: all.hits, rate, low, high, clusters: self.names.len() })
    }
}

/// Every row as a cluster of its own.
fn rows_apart(all: Tally) -> Vec<Tally> {
    (0..all.rows).map(|row| Tally { rows: 1, hits: usize::from(row < all.hits) }).collect()
}

/// The ends of the interval, on as many independent rows as the clusters are worth.
fn bounds(all: Tally, rate: f64, tallies: &[Tally]) -> (f64, f64) {
    let worth = real(all.rows) / design_effect(all, rate, tallies);
    let unseen = 1.0 - 0.05_f64.powf(1.0 / worth);
    match all.hits {
        0 => (0.0, unseen),
        hits if hits == all.rows => (1.0 - unseen, 1.0),
        _ => wilson(rate, worth, student(tallies.len().saturating_sub(1))),
    }
}

/// How much a row of a cluster tells of the others, where nothing shows it. Where errors are frequent enough to
/// measure it, the sets of cases in docs/evidence/figures.md have 0.04 to 0.34.
const ALIKE: f64 = 1.0 / 3.0;
/// How many errors it takes to weigh as much as that assumption.
const SHOWING: f64 = 10.0;

/// How many rows of these clusters say as much as one independent row: as it shows in the errors, and as it is
/// assumed, each by its weight. Without errors nothing shows, and a few errors show little: then few rows that are
/// right prove little, too.
fn design_effect(all: Tally, rate: f64, tallies: &[Tally]) -> f64 {
    let (rows, clusters) = (real(all.rows), real(tallies.len()));
    let squares: f64 = tallies.iter().map(|it| real(it.rows).powi(2)).sum();
    let assumed = 1.0 + (squares / rows - 1.0) * ALIKE;
    let fewer = real(all.hits.min(all.rows - all.hits));
    if fewer == 0.0 || tallies.len() < 2 {
        return assumed;
    }
    let spread: f64 = tallies.iter().map(|it| (real(it.hits) - rate * real(it.rows)).powi(2)).sum();
    let variance = clusters / (clusters - 1.0) * spread / rows.powi(2);
    // Clusters that are more even than chance are chance, too.
    let shown = (variance * rows / (rate * (1.0 - rate))).max(1.0);
    (fewer * shown + SHOWING * assumed) / (fewer + SHOWING)
}

fn wilson(rate: f64, rows: f64, quantile: f64) -> (f64, f64) {
    let square = quantile * quantile;
    let scale = 1.0 + square / rows;
    let middle = (rate + square / (2.0 * rows)) / scale;
    let half = quantile / scale * (rate * (1.0 - rate) / rows + square / (4.0 * rows * rows)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_964;

/// The 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The quantile for so many degrees of freedom, at least one; beyond the table by the expansion of Cornish and Fisher.
fn student(freedom: usize) -> f64 {
    let tabled = freedom.checked_sub(1).and_then(|at| STUDENT.get(at));
    tabled.copied().unwrap_or_else(|| {
        let z = NORMAL;
        let n = real(freedom);
        z + (z.powi(3) + z) / (4.0 * n) + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n)
    })
}

/// The two-sided probability of a split at least as uneven as this one, were both sides equally likely (the exact test
/// of `McNemar`, and the sign test).
pub(super) fn uneven(one: usize, other: usize) -> f64 {
    let all = one + other;
    let few = one.min(other);
    // Sums of logarithms, because the terms of long runs are smaller than any number.
    let mut choose = 0.0_f64;
    let mut sum = 0.0_f64;
    for taken in 0..=few {
        sum += (choose - real(all) * std::f64::consts::LN_2).exp();
        choose += (real(all - taken) / real(taken + 1)).ln();
    }
    (2.0 * sum).min(1.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases are far below 2^52")]
pub(super) fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clusters(tallies: &[(usize, usize)]) -> Clusters {
        let mut all = Clusters::default();
        for (at, (rows, hits)) in tallies.iter().enumerate() {
            for row in 0..*rows {
                let cluster = Cluster { name: format!("c{at}"), part: "p".to_owned() };
                all.add(&cluster, row < *hits);
            }
        }
        all
    }

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 5e-4, "{found} is not {wanted}");
    }

    /// Worked out by hand: p = 8/40, residuals −2 −2 2 2, variance 4/3·16/40², so a design effect of 10/3 shows and 4 is
    /// assumed: (8·10/3 + 10·4)/18 = 3.70, 10.8 rows worth, t(3) = 3.182.
    #[test]
    fn clusters_that_differ_make_the_interval_wide() {
        let found = clusters(&[(10, 0), (10, 0), (10, 4), (10, 4)]).estimate().unwrap();
        near(found.rate, 0.2);
        near(found.low, 0.0313);
        near(found.high, 0.6590);
        assert_eq!((found.rows, found.hits, found.clusters), (40, 8, 4));
    }

    /// Ten of a hundred rows of one cluster: nearly the interval of Wilson that every table has (5.5 to 17.4 %).
    #[test]
    fn one_cluster_is_told_of_by_its_rows() {
        let found = clusters(&[(100, 10)]).estimate().unwrap();
        near(found.low, 0.0547);
        near(found.high, 0.1757);
        assert_eq!(found.clusters, 1);
    }

    #[test]
    fn many_errors_outweigh_what_is_assumed() {
        let even = clusters(&[(25, 5); 40]).estimate().unwrap();
        near(even.low, 0.1717);
        near(even.high, 0.2317);
    }

    /// Nothing in 20 clusters of 50: 1,000 rows worth 57.7, and 1 − 0.05^(1/57.7) = 5.1 %.
    #[test]
    fn never_and_always_are_bounded_by_what_the_clusters_are_worth() {
        let never = clusters(&[(50, 0); 20]).estimate().unwrap();
        near(never.high, 0.0506);
        near(never.low, 0.0);
        let always = clusters(&[(50, 50); 20]).estimate().unwrap();
        near(always.low, 0.9494);
        near(always.high, 1.0);
        assert!(Clusters::default().estimate().is_none());
    }

    /// One error more does not make a gate look better than none at all.
    #[test]
    fn the_first_error_does_not_bring_the_upper_end_down() {
        let mut tallies = [(50, 0); 10];
        let none = clusters(&tallies).estimate().unwrap();
        near(none.high, 0.0986);
        tallies[0].1 = 1;
        near(clusters(&tallies).estimate().unwrap().high, 0.1430);
        near(clusters(&[(50, 1); 10]).estimate().unwrap().high, 0.1193);
    }

    #[test]
    fn a_single_cluster_is_looked_at_by_its_parts() {
        let mut all = Clusters::default();
        for part in ["a", "b", "c"] {
            for row in 0..10 {
                all.add(&Cluster { name: "one".to_owned(), part: part.to_owned() }, part == "a" && row < 5);
            }
        }
        let found = all.estimate().unwrap();
        assert_eq!(found.clusters, 1);
        let independent = wilson(found.rate, 30.0, NORMAL);
        assert!(found.high > independent.1, "{found:?} is wider than {independent:?}");
    }

    #[test]
    fn merging_is_counting_together() {
        let mut left = clusters(&[(10, 0), (10, 4)]);
        left.merge(&clusters(&[(5, 1), (10, 3)]));
        let whole = clusters(&[(15, 1), (20, 7)]).estimate().unwrap();
        assert_eq!(left.estimate().unwrap(), whole);
    }

    #[test]
    fn quantiles_go_on_where_the_table_ends() {
        near(student(40), 2.0211);
        near(student(120), 1.9799);
        near(student(100_000), 1.9600);
    }

    /// By hand: 2·(1 + 9 + 36)/2⁹ for 2 against 7; one for even splits and for none at all.
    #[test]
    fn uneven_splits_are_unlikely() {
        near(uneven(2, 7), 0.1797);
        near(uneven(7, 2), 0.1797);
        near(uneven(0, 10), 0.001_95);
        near(uneven(5, 5), 1.0);
        near(uneven(0, 0), 1.0);
        assert!(uneven(1000, 3000) < 1e-100);
    }
}
