//! The gate against a slow, obvious evaluator of the specification, on generated cases.
//!
//! `PORTCULLIS_REFERENCE_CASES` says how many (50,000 if it does not), `PORTCULLIS_SEED` which. A case on which
//! the two differ is made smaller and shown. What the evaluator takes from the crates under test, and what it
//! leaves out, is said in its module.
#![expect(clippy::disallowed_methods, reason = "how many cases are tried is said in the environment")]

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "most tools and rules have nothing to do with most questions"
)]
mod evaluator;
#[expect(dead_code, reason = "the laws use more of what can be generated")]
mod generator;

use std::collections::BTreeMap;

use evaluator::{Verdict, judge};
use generator::{Case, case};
use portcullis_decide::decide;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// How many cases are compared.
const CASES: u64 = 50_000;
/// How often a case is tried again to make it smaller.
const SHRINKING: usize = 3_000;
/// How many kinds of difference are shown.
const SHOWN: usize = 12;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

enum Comparison {
    Same,
    NotModelled,
    /// What was expected and what came.
    Differs(String),
}

fn compare(case: &Case) -> Comparison {
    let Some(Verdict { decision, reasons }) = judge(case) else { return Comparison::NotModelled };
    let found = decide(&case.call(), &case.context());
    let (name, word) = (found.decision.name(), found.reason.word());
    if name == decision && reasons.contains(&word) {
        return Comparison::Same;
    }
    Comparison::Differs(format!("expected {decision} {}, got {name} {word}", reasons.join("|")))
}

/// The smallest case found that differs in the same way.
fn smallest(mut tree: impl ValueTree<Value = Case>, difference: &str) -> Case {
    let differs = |case: &Case| matches!(compare(case), Comparison::Differs(found) if found == difference);
    let mut best = tree.current();
    let mut moved = tree.simplify();
    for _ in 0..SHRINKING {
        if !moved {
            break;
        }
        let candidate = tree.current();
        moved = if differs(&candidate) {
            best = candidate;
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    best
}

#[test]
fn the_gate_agrees_with_the_reference() {
    let seed = number("PORTCULLIS_SEED").unwrap_or(1);
    let cases = number("PORTCULLIS_REFERENCE_CASES").unwrap_or(CASES);
    println!("PORTCULLIS_SEED={seed}, {cases} cases");
    let config = Config { rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let strategy = case();
    let (mut left_out, mut differing) = (0, 0);
    let mut differences: BTreeMap<String, Case> = BTreeMap::new();
    for _ in 0..cases {
        let tree = strategy.new_tree(&mut runner).unwrap();
        match compare(&tree.current()) {
            Comparison::Same => {}
            Comparison::NotModelled => left_out += 1,
            Comparison::Differs(how) => {
                differing += 1;
                if differences.len() < SHOWN && !differences.contains_key(&how) {
                    let case = smallest(tree, &how);
                    differences.insert(how, case);
                }
            }
        }
    }
    println!("{left_out} cases were not modelled");
    let shown: Vec<String> = differences.iter().map(|(how, case)| format!("{how}\n{case:?}")).collect();
    assert!(shown.is_empty(), "{differing} cases differ (PORTCULLIS_SEED={seed}):\n{}", shown.join("\n"));
    assert!(left_out < cases / 5, "too many cases are not modelled: {left_out}");
}
