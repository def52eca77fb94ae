//! The gate against a slow, obvious evaluator of the specification, on generated cases.
//!
//! `PORTCULLIS_REFERENCE_CASES` says how many (50,000 if it does not), `PORTCULLIS_SEED` which. A case on which
//! the two differ is made smaller and shown. What the evaluator takes from the crates under test, and what it
//! leaves out, is said in its module.
#![expect(clippy::print_stdout, reason = "the seed has to be seen to repeat a run")]
#![expect(clippy::panic, reason = "a difference must stop the run")]

mod evaluator;
#[expect(dead_code, reason = "the laws use more of what can be generated")]
mod generator;

use std::cell::Cell;

use evaluator::judge;
use generator::{Case, case};
use portcullis_decide::decide;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

/// How many cases are compared.
const CASES: u32 = 50_000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn compare(case: &Case, left_out: &Cell<u32>) -> Result<(), TestCaseError> {
    let Some(expected) = judge(case) else {
        left_out.set(left_out.get() + 1);
        return Ok(());
    };
    let found = decide(&case.call(), &case.context());
    let same = found.decision.name() == expected.decision && expected.reasons.contains(&found.reason.word());
    if same {
        return Ok(());
    }
    let got = format!("{} {} ({})", found.decision.name(), found.reason.word(), found.message());
    Err(TestCaseError::fail(format!("expected {expected:?}, got {got}")))
}

#[test]
fn the_gate_agrees_with_the_reference() {
    let seed = number("PORTCULLIS_SEED").unwrap_or(1);
    let cases = number("PORTCULLIS_REFERENCE_CASES").and_then(|cases| u32::try_from(cases).ok()).unwrap_or(CASES);
    println!("PORTCULLIS_SEED={seed}, {cases} cases");
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        max_shrink_iters: 10_000,
        failure_persistence: None,
        ..Config::default()
    };
    let left_out = Cell::new(0);
    match TestRunner::new(config).run(&case(), |case| compare(&case, &left_out)) {
        Ok(()) => println!("{} cases were not modelled", left_out.get()),
        Err(TestError::Fail(reason, case)) => panic!("{reason}\n{case:?}\nPORTCULLIS_SEED={seed}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
    assert!(left_out.get() < cases / 5, "too many cases are not modelled: {}", left_out.get());
}
