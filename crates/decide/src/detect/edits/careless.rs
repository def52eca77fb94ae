//! What sources should not do, though they harm nobody by themselves: hold a password, run what a request sends, show
//! their inside in production, leave tests out.

use super::spelled_out;
use crate::detect::code::signs::{REQUEST, RUNS_TEXT};
use crate::detect::{Finding, detectors};

/// The carelessness that an edit adds.
pub(super) fn gained(old: &str, new: &str, path: &str) -> Option<Finding> {
    let (old, new) = (old.to_lowercase(), new.to_string());
    let mut added = new.lines().filter(|line| !old.contains(&line.trim().to_lowercase()));
    if added.any(|line| spelled_out::holds_password(line, path)) {
        return Some(Finding::by(&detectors::HARDCODED_PASSWORD));
    }
    let new = new.to_lowercase();
    if runs_request(&new) && !runs_request(&old) {
        return Some(Finding::by(&detectors::RUNS_REMOTE_INPUT));
    }
    let shows = |text: &str| text.lines().any(shows_inside);
    (is_production(path) && shows(&new) && !shows(&old)).then(|| Finding::by(&detectors::DEBUG_IN_PRODUCTION))
}

/// Whether a name gets what a request sends, and is run or brought to life later; all in small letters.
fn runs_request(text: &str) -> bool {
    const REVIVES: &[&str] =
        &["pickle.load", "yaml.load(", "unserialize(", "marshal.load", "dill.load", "shell=true"];
    let part = |it: char| it.is_alphanumeric() || it == '_';
    let sent = |line: &str| {
        REQUEST
            .iter()
            .chain(&["request.data", "request.get_data", "request.json"])
            .any(|word| line.contains(word))
    };
    // `exec(x)` runs, `/a/.exec(x)` looks for something.
    let own = |before: &str| !before.ends_with(|it: char| part(it) || it == '.');
    let runs = |line: &str| {
        let called = || line.split_once("exec(").is_some_and(|(before, _)| own(before));
        RUNS_TEXT.iter().chain(REVIVES).any(|word| line.contains(word)) || called()
    };
    let names: Vec<&str> = text
        .lines()
        .filter(|line| sent(line))
        .filter_map(|line| line.split_once('=')?.0.trim().rsplit(|it: char| !part(it)).next())
        .filter(|name| !name.is_empty())
        .collect();
    text.lines().filter(|line| runs(line)).any(|line| {
        let safe = line.contains("safe_load") || line.contains("safeloader");
        !safe && (sent(line) || line.split(|it: char| !part(it)).any(|word| names.contains(&word)))
    })
}

/// Whether a file says how a service runs for everybody.
fn is_production(path: &str) -> bool {
    let lower = path.to_lowercase();
    lower
        .rsplit('/')
        .take(2)
        .flat_map(|part| part.split(['.', '_', '-']))
        .any(|word| matches!(word, "prod" | "production"))
}

/// `DEBUG = True`
fn shows_inside(line: &str) -> bool {
    let squeezed: String =
        line.chars().filter(|it| !it.is_whitespace() && !matches!(it, '"' | '\'')).collect();
    let squeezed = squeezed.to_lowercase();
    !squeezed.starts_with('#')
        && ["debug=true", "debug:true", "consider_all_requests_local=true", "debug=1"]
            .iter()
            .any(|word| squeezed.contains(word))
}

/// Whether an edit leaves tests out that were run.
pub(super) fn skips_tests(old: &str, new: &str) -> Option<Finding> {
    const SKIPS: &[&str] = &[
        "it.skip(",
        "test.skip(",
        "describe.skip(",
        "t.skip(",
        "t.skipnow(",
        "mark.skip",
        "mark.xfail",
        "pytest.skip(",
        "unittest.skip",
        ".skiptest(",
        "raise skiptest",
        "marktestskipped(",
        "#[ignore",
        "(skip = \"",
        ".fixme(",
    ];
    // Elsewhere these are parts of other words.
    const BEGINNINGS: &[&str] = &["xit(", "xdescribe(", "xtest(", "@disabled", "@ignore", "[ignore", "@skip"];
    let count = |text: &str| {
        let lower = text.to_lowercase();
        let begun = |line: &&str| BEGINNINGS.iter().any(|word| line.trim_start().starts_with(word));
        SKIPS.iter().map(|word| lower.matches(word).count()).sum::<usize>()
            + lower.lines().filter(begun).count()
    };
    (!old.trim().is_empty() && count(new) > count(old)).then(|| Finding::by(&detectors::TEST_SKIPPED))
}
