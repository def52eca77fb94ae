//! What a change says that shows only parts of lines, as the scripts of stream editors do: another host, another owner, a
//! hash that is gone, a limit that is lower, a check that no longer runs.

use super::as_edits::Change;
use super::{USUAL_SOURCES, is_manifest, is_of, is_test_file, workflows};
use crate::detect::{Detector, Finding, detectors};
use crate::protected;

/// Files that say which versions of which packages a project has.
const LOCKS: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "cargo.lock",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "pipfile.lock",
    "gemfile.lock",
    "composer.lock",
    "go.sum",
    "flake.lock",
    "mix.lock",
    "pubspec.lock",
    "podfile.lock",
    "gradle.lockfile",
    "packages.lock.json",
    "deno.lock",
];

/// Files that say what those who look for weaknesses and secrets pass over.
const PASSED_OVER: &[&str] = &[
    ".gitleaksignore",
    ".trivyignore",
    ".trivyignore.yaml",
    ".snyk",
    ".semgrepignore",
    ".gitguardian.yaml",
    ".gitguardian.yml",
    ".secrets.baseline",
    ".nancy-ignore",
    ".bandit",
    ".checkov.yaml",
    ".tfsec",
    "osv-scanner.toml",
    ".grype.yaml",
    ".talismanrc",
    ".whitesource",
];

/// Words of a lock file that hold a package to what it was.
const HOLDS: &[&str] = &["integrity", "checksum", "--hash", "sha256", "sha512", "sha1-", "h1:", "resolved"];

/// Words of settings below which a check fails.
const LIMITS: &[&str] = &[
    "threshold",
    "fail_under",
    "fail-under",
    "failunder",
    "coverage",
    "branches",
    "functions",
    "lines",
    "statements",
    "minimum",
    "min_score",
    "cov-fail",
    "required_approving_review_count",
];

/// Settings of programs that check code.
const LINTERS: &[&str] = &[
    "eslint",
    "pylintrc",
    "ruff.toml",
    "golangci",
    "biome.json",
    "tslint",
    "rubocop",
    "stylelint",
    "flake8",
    "clippy.toml",
    "detekt",
    "phpstan",
    "credo",
];

/// What begins a test.
const TESTS: &[&str] =
    &["def test_", "it(", "test(", "describe(", "#[test]", "func test", "@test", "[fact]", "[test]"];
/// What a test is for.
const ASSERTS: &[&str] = &["assert", "expect(", "should."];
/// Remarks that silence a check.
const SILENCES: &[&str] = &[
    "nosec",
    "noqa",
    "eslint-disable",
    "nolint",
    "@ts-nocheck",
    "@ts-ignore",
    "type: ignore",
    "nosonar",
    "noinspection",
];
/// Names of scripts that check a project, and commands that do nothing.
const SCRIPTS: &[&str] = &[
    "test",
    "lint",
    "check",
    "typecheck",
    "type-check",
    "audit",
    "verify",
    "validate",
    "ci",
    "pretest",
    "posttest",
    "prepush",
    "precommit",
    "pre-commit",
];

fn name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether builds, installs or checks obey the file.
pub(super) fn matters(path: &str) -> bool {
    let name = name(path);
    let listed = |list: &[&str]| list.contains(&name.as_str());
    protected::runs_later(path)
        || is_manifest(path)
        || super::is_review_file(path)
        || super::is_instruction(path)
        || listed(LOCKS)
        || listed(PASSED_OVER)
        || LINTERS.iter().any(|linter| name.contains(linter))
        || path.to_ascii_lowercase().contains(".github/")
        || matches!(name.rsplit('.').next(), Some("gradle" | "lock" | "csproj" | "cfg" | "toml"))
        || name.contains("compose")
        || is_report(path, true)
}

/// What such a change says.
pub(super) fn said(change: &Change) -> Option<Finding> {
    let (old, new) = (change.old.to_lowercase(), change.new.to_lowercase());
    let name = name(&change.path);
    if let Some(blinded) = super::reviews::blinded(&change.old, &change.new, &change.path) {
        return Some(blinded);
    }
    if is_report(&change.path, change.part) {
        return Some(Finding::by(&detectors::TEST_RESULTS_WRITTEN));
    }
    if let Some(host) = another_host(&old, &new).filter(|_| change.part && matters(&change.path)) {
        return Some(Finding::by(&detectors::UNUSUAL_PACKAGE_HOST).about(host));
    }
    if another_owner(change) {
        return Some(Finding::by(&detectors::OTHER_OWNER).about(change.new.trim()));
    }
    if let Some(image) = set_image(change, &new) {
        return Some(Finding::by(&detectors::OTHER_OWNER).about(image));
    }
    let locked = LOCKS.contains(&name.as_str()) || is_manifest(&change.path);
    if change.part && locked && lets_go(&old, &new) {
        return Some(Finding::by(&detectors::LOCKFILE_TAMPERING));
    }
    if silenced(&new, &name) {
        return Some(Finding::by(&detectors::CHECK_SCRIPT_EMPTIED));
    }
    if let Some(detector) = unchecked(change, &old, &new, &name) {
        return Some(Finding::by(detector));
    }
    let empty = new.trim().is_empty() || new.trim_start().starts_with(['#', '/']);
    if change.part && old.contains("audit") && !new.contains("audit") && empty {
        // A pattern does not show whether what it deletes was a record.
        return Some(Finding::by(&detectors::AUDIT_RECORD_REMOVED).soft());
    }
    None
}

/// What tests and measurements have found. A stream editor has no business there; nor has a line that prints.
fn is_report(path: &str, part: bool) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    let data =
        matches!(name.rsplit('.').next(), Some("xml" | "json" | "info" | "svg" | "txt" | "html" | "sarif"));
    let folder = |names: &[&str]| lower.rsplit('/').skip(1).any(|part| names.contains(&part));
    let named =
        ["junit", "cobertura", "lcov.info", "test-results", "coverage.xml", "coverage-summary", "jacoco"]
            .iter()
            .any(|part| name.contains(part));
    data && (named || folder(&["coverage", "test-results", "junit"]) || (part && folder(&["reports"])))
}

/// The hosts in a text, in small letters.
fn hosts(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| !(it.is_ascii_alphanumeric() || matches!(it, '.' | '-')));
    words.map(|word| word.trim_matches('.')).filter(|word| {
        let last = word.rsplit('.').next().unwrap_or_default();
        word.contains('.') && last.len() > 1 && last.bytes().all(|it| it.is_ascii_lowercase())
    })
}

/// The host that takes the place of one that packages usually come from.
fn another_host<'t>(old: &str, new: &'t str) -> Option<&'t str> {
    let usual = |host: &str| USUAL_SOURCES.iter().any(|usual| is_of(host, usual));
    let replaced = hosts(old).any(usual) && !hosts(new).any(usual);
    hosts(new).next().filter(|_| replaced)
}

/// `owner/name` that becomes another owner's, in what CI and containers obey.
fn another_owner(change: &Change) -> bool {
    let obeyed = protected::runs_elsewhere(&change.path) || name(&change.path).contains("compose");
    let owner = |text: &str| {
        let (owner, rest) = text.trim().split_once('/')?;
        let plain = |part: &str| {
            !part.is_empty() && part.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.*@:".contains(&it))
        };
        (plain(owner) && plain(rest) && !owner.starts_with('.')).then(|| owner.to_ascii_lowercase())
    };
    change.part
        && obeyed
        && owner(&change.old)
            .zip(owner(&change.new))
            .is_some_and(|(old, new)| old != new && workflows::is_strange(&change.new.to_ascii_lowercase()))
}

/// `image: owner/name` that a tool sets without showing what was there.
fn set_image<'t>(change: &Change, new: &'t str) -> Option<&'t str> {
    let only = new.lines().count() < 6 && change.old.is_empty() && !change.part;
    let image = new.lines().next_back().and_then(|line| line.trim().strip_prefix("image: "));
    let composed = name(&change.path).contains("compose") || protected::runs_elsewhere(&change.path);
    let owned = |image: &str| image.split_once('/').is_some_and(|(owner, _)| !owner.contains(['.', ':']));
    image.filter(|image| only && composed && owned(image))
}

/// Whether what held a package is taken away or emptied.
fn lets_go(old: &str, new: &str) -> bool {
    let held = HOLDS.iter().filter(|word| old.contains(**word));
    held.into_iter().any(|word| {
        let dense: String = new.chars().filter(|it| !it.is_whitespace()).collect();
        !new.contains(word) || dense.contains(":\"\"") || dense.contains("=\"\"")
    })
}

/// `"test": "exit 0"`
fn silenced(new: &str, name: &str) -> bool {
    let nothing = |command: &str| {
        let command = command.trim();
        matches!(command, "true" | ":" | "exit 0" | "/bin/true" | "")
            || command.starts_with("echo ") && !command.contains("exit 1")
    };
    name == "package.json"
        && SCRIPTS.iter().any(|script| {
            let key = format!("\"{script}\"");
            new.split(&key).skip(1).any(|rest| {
                let value = rest.trim_start().strip_prefix(':').map(str::trim_start);
                value
                    .and_then(|value| value.strip_prefix('"'))
                    .and_then(|value| value.split('"').next())
                    .is_some_and(nothing)
            })
        })
}

/// A limit that is lower, a rule that is off, a test or what it asserts that is gone, a remark that silences a whole file.
fn unchecked(change: &Change, old: &str, new: &str, name: &str) -> Option<&'static Detector> {
    let has = |text: &str, list: &[&str]| list.iter().any(|word| text.contains(word));
    let number = |text: &str| {
        let digits =
            text.rsplit(|it: char| !(it.is_ascii_digit() || it == '.')).find(|part| !part.is_empty());
        digits.and_then(|digits| digits.trim_matches('.').parse::<f64>().ok())
    };
    let code =
        matches!(name.rsplit('.').next(), Some("py" | "rs" | "ts" | "js" | "go" | "java" | "rb" | "md"));
    let lower = number(old).zip(number(new)).is_some_and(|(old, new)| new < old)
        && has(old, LIMITS)
        && has(new, LIMITS)
        && !code;
    let off = has(name, LINTERS)
        && has(old, &["error", "warn", "true"])
        && has(new, &["off", "false", "ignore", "none", "\"0\""])
        && !has(new, &["error", "warn"]);
    let test = is_test_file(&change.path);
    let gone = change.part
        && test
        && ((has(old, ASSERTS) && new.trim().is_empty()) || (has(old, TESTS) && !has(new, TESTS)));
    let everywhere = change.old.trim().is_empty() && has(new, SILENCES) && new.trim().len() < 40;
    if lower {
        Some(&detectors::THRESHOLD_LOWERED)
    } else if off {
        Some(&detectors::LINT_RULE_OFF)
    } else if gone {
        Some(&detectors::TEST_EMPTIED)
    } else {
        everywhere.then_some(&detectors::LINT_RULE_OFF)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_said(path: &str, old: &str, new: &str) -> bool {
        said(&Change { path: path.to_owned(), old: old.to_owned(), new: new.to_owned(), part: true })
            .is_some()
    }

    /// [P5]
    #[test]
    fn parts_of_lines_tell_what_they_take_away() {
        for (path, old, new) in [
            ("/p/package-lock.json", "registry.npmjs.org", "npm.example.net"),
            ("/p/package-lock.json", "\"integrity\": \".*\"", "\"integrity\": \"\""),
            ("/p/Cargo.lock", "checksum", ""),
            ("/p/requirements.txt", " --hash=.*", ""),
            ("/p/.github/workflows/ci.yml", "actions/checkout", "someuser/checkout"),
            ("/p/pyproject.toml", "fail_under = 90", "fail_under = 0"),
            ("/p/.eslintrc.json", "error", "off"),
            ("/p/tests/test_a.py", "assert", ""),
            ("/p/tests/test_a.py", "def test_", "def skip_test_"),
            ("/p/package.json", "\"test\": \".*\"", "\"test\": \"true\""),
            ("/p/reports/junit.xml", "failures=\"3\"", "failures=\"0\""),
            ("/p/src/a.py", "audit.record", ""),
        ] {
            assert!(is_said(path, old, new), "{path}: {old} > {new}");
        }
        for (path, old, new) in [
            ("/p/package.json", "\"version\": \".*\"", "\"version\": \"1.2.3\""),
            ("/p/.github/workflows/ci.yml", "actions/checkout@v3", "actions/checkout@v4"),
            ("/p/.github/workflows/ci.yml", "@v3", "@v4"),
            ("/p/Cargo.lock", "version = \"0.1.0\"", "version = \"0.2.0\""),
            ("/p/pyproject.toml", "fail_under = 80", "fail_under = 90"),
            ("/p/tests/test_a.py", "def test_a", "def test_b"),
            ("/p/src/a.py", "foo", "bar"),
            ("/p/package.json", "\"test\": \"jest\"", "\"test\": \"vitest run\""),
        ] {
            assert!(!is_said(path, old, new), "{path}: {old} > {new}");
        }
    }
}
