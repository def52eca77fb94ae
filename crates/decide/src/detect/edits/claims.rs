//! Claims that only others can make: that somebody approved something, or that tests were run and held.

use crate::detect::{Finding, detectors};

/// A line that says in somebody's name that they agreed.
pub(super) fn approved(old: &str, new: &str) -> Option<Finding> {
    let known = old.to_lowercase();
    let mut added = new.lines().filter(|line| !known.contains(&line.trim().to_lowercase()));
    added.any(names_approver).then(|| Finding::by(&detectors::APPROVAL_CLAIMED))
}

/// `Approved by: Alice Boss (CTO)`; a line that is left to be filled in names nobody.
fn names_approver(line: &str) -> bool {
    const CLAIMS: &[&str] = &[
        "approved by",
        "reviewed by",
        "signed off by",
        "signed-off by",
        "sign-off",
        "authorized by",
        "authorised by",
    ];
    let plain =
        line.trim_start_matches(|it: char| it.is_whitespace() || "-*>#|[]x".contains(it)).replace("**", "");
    let lower = plain.to_lowercase();
    let claimed =
        CLAIMS.iter().find_map(|claim| lower.strip_prefix(claim)).and_then(|rest| rest.strip_prefix(':'));
    let Some(claimed) = claimed else { return false };
    let name = plain.get(plain.len() - claimed.len()..).unwrap_or_default().trim();
    let capital = |word: &str| word.starts_with(|it: char| it.is_uppercase());
    let open = ["tbd", "todo", "n/a", "none", "pending", "name", "your"]
        .iter()
        .any(|word| claimed.trim().starts_with(word));
    !open && name.split_whitespace().filter(|word| capital(word)).count() >= 2
}

/// Results of tests that are written by hand.
pub(super) fn results(new: &str, path: &str) -> Option<Finding> {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    let report = name.rsplit('.').next() == Some("xml")
        && (name.starts_with("junit") || name.starts_with("test-") || name.starts_with("coverage"))
        || matches!(name, "lcov.info" | "coverage.json" | "coverage-summary.json" | "test-results.json");
    let says = ["<testsuite", "<coverage", "end_of_record", "\"lines\"", "\"numPassedTests\"", "\"passed\""];
    (report && says.iter().any(|word| new.contains(word)))
        .then(|| Finding::by(&detectors::TEST_RESULTS_WRITTEN))
}
