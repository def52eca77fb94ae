//! Harm in the text of an edit (SPEC P5): what it adds, and what it takes away.

use serde_json::Value;

use super::{Category, Finding, code};
use crate::call::ToolCall;
use crate::protected;
use crate::view::{Access, View};

/// Words of a check; an edit that takes them away is looked at.
const CHECKS: &[(Category, &[&str])] = &[
    (
        Category::WeakenTlsAuth,
        &[
            "login_required",
            "permission_required",
            "authoriz",
            "authoris",
            "authentic",
            "is_admin",
            "isadmin",
            "require_",
            "requireauth",
            "verify",
            "check_password",
            "signature",
            "csrf",
            "jwt.",
            "hasrole",
            "has_permission",
            "permission",
            "acl",
            "allowed_origins",
            "audience",
            "expires",
            "bcrypt",
            "hash_password",
            "@secured",
            "preauthorize",
        ],
    ),
    (
        Category::DisableSecurity,
        &[
            "rate_limit",
            "ratelimit",
            "limiter",
            "lockout",
            "throttle",
            "sanitiz",
            "sanitis",
            "escape(",
            "validate",
            "helmet",
            "content-security-policy",
            "x-frame-options",
            "strict-transport-security",
            "x-content-type-options",
            "samesite",
            "httponly",
            "secure:",
            "secure=",
            "runasnonroot",
            "readonlyrootfilesystem",
            "networkpolicy",
            "seccomp",
            "apparmor",
            "encrypt",
            "redact",
            "mask(",
            "audit",
            "gitleaks",
            "trivy",
            "osv-scanner",
            "semgrep",
            "codeql",
            "snyk",
            "bandit",
            "dependency-review",
        ],
    ),
    (
        Category::BypassReview,
        &[
            "codeowners",
            "required_status_checks",
            "needs:",
            "required reviewers",
            "approv",
            "assert",
            "mypy",
            "ruff check",
            "eslint",
            "clippy",
            "npm test",
            "pytest",
            "cargo test",
            "go test",
            "set -e",
            "exit 1",
            "--exit-code 1",
            "fail-fast",
            "skip_checks=0",
            "select =",
        ],
    ),
];

/// Files that say who must look at a change.
fn is_review_file(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    matches!(
        name,
        "codeowners"
            | "owners"
            | ".mergify.yml"
            | "mergify.yml"
            | "branch-protection.yml"
            | ".github/settings.yml"
            | "dependabot.yml"
            | "renovate.json"
    )
}

/// Files that only tests read: what they hold is meant to be bad at times.
fn is_test_file(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "test",
        "tests",
        "__tests__",
        "spec",
        "specs",
        "e2e",
        "fixtures",
        "testdata",
        "samples",
        "mocks",
        "__mocks__",
        "cypress",
    ];
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    let folder = lower.split('/').any(|part| FOLDERS.contains(&part));
    let marked = [".test.", ".spec.", "_test.", "test_"].iter().any(|mark| name.contains(mark));
    folder || marked
}

/// Data that nothing runs.
fn is_sample(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let folder = lower
        .split('/')
        .any(|part| matches!(part, "fixtures" | "testdata" | "samples" | "mocks" | "snapshots"));
    let ending = lower.rsplit('.').next().unwrap_or_default();
    folder
        && matches!(
            ending,
            "txt" | "json" | "yaml" | "yml" | "xml" | "csv" | "md" | "html" | "log" | "pem" | "toml"
        )
}

/// What the text says to people, not to machines.
fn is_prose(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ["md", "rst", "adoc", "txt", "tex"].contains(&lower.rsplit('.').next().unwrap_or_default())
}

/// The harm in what an edit adds and takes away.
pub(crate) fn of_edit(call: &ToolCall, view: &View) -> Vec<Finding> {
    let path =
        view.paths.iter().find(|path| path.access == Access::Write).map_or("", |path| path.path.as_str());
    if is_sample(path) {
        return Vec::new();
    }
    let (old, new) = texts(call);
    let runs = protected::runs_later(path);
    let mut found: Vec<Finding> = code::signs(&new, &old)
        .into_iter()
        .map(code::Sign::finding)
        .filter(|finding| finding.certain || !is_prose(path))
        .collect();
    found.extend(taken_away(&old, &new, runs));
    if is_review_file(path) {
        found.push(Finding::new(Category::BypassReview, "it changes who must look at changes"));
    }
    if is_test_file(path) && !runs {
        let about_tests = |category: Category| {
            matches!(
                category,
                Category::WeakenTlsAuth
                    | Category::DisableSecurity
                    | Category::CredentialLeak
                    | Category::GrantPermissions
                    | Category::BypassReview
            )
        };
        found.retain(|finding| !about_tests(finding.category));
    }
    for finding in &mut found {
        finding.targets = vec![path.to_owned()];
    }
    found
}

/// A check that is there before the edit and not after it.
fn taken_away(old: &str, new: &str, runs: bool) -> Option<Finding> {
    let live = |text: &str| -> String {
        let remark = |line: &&str| {
            !["//", "#", "--", "/*", "<!--"].iter().any(|sign| line.trim_start().starts_with(sign))
        };
        text.lines().filter(remark).collect::<Vec<_>>().join("\n").to_lowercase()
    };
    let (old, new) = (live(old), live(new));
    let fewer = |word: &&&str| old.matches(**word).count() > new.matches(**word).count();
    let (category, word) =
        CHECKS.iter().find_map(|(category, words)| Some((*category, words.iter().find(fewer)?)))?;
    let finding = Finding::new(category, format!("it takes a check away (`{}`)", word.trim())).soft();
    // In a file that machines run, a check that is gone is gone for everybody.
    Some(if runs { finding } else { finding.doubtful() })
}

/// What an edit takes away and what it adds.
fn texts(call: &ToolCall) -> (String, String) {
    let mut old = String::new();
    let mut new = String::new();
    let mut take = |value: &Value| {
        let text = |field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default();
        old.push_str(text("old_string"));
        old.push('\n');
        for field in ["new_string", "content", "new_source"] {
            new.push_str(text(field));
            new.push('\n');
        }
    };
    take(&call.input);
    if let Some(edits) = call.input.get("edits").and_then(Value::as_array) {
        edits.iter().for_each(take);
    }
    (old, new)
}
