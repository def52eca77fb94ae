//! What looks at the work of others, made blind: tests that always hold, scanners that look at nothing, rules of review
//! that are gone, tasks that check in name only.

use std::collections::HashSet;

use crate::detect::{Finding, detectors};

/// The finding where an edit of a test leaves nothing to be tested.
pub(super) fn test_hollowed(old: &str, new: &str) -> Option<Finding> {
    let (before, after) = (old.to_lowercase(), new.to_lowercase());
    let less = asserts(&before) > asserts(&after);
    let hollow = vacuous(&after) > vacuous(&before);
    let none = asserts(&after) == 0
        && after.lines().any(|line| !line.trim().is_empty() && before.contains(line.trim()));
    let kept = after.lines().map(str::trim).filter(|line| line.len() > 3).all(|line| before.contains(line));
    (less && (hollow || (none && kept))).then(|| Finding::by(&detectors::TEST_EMPTIED))
}

/// Ways to assert what always holds, without blanks.
const HOLLOW: &[&str] = &[
    "asserttrue(true",
    "assert_true(true",
    "assert(true)",
    "assert!(true)",
    "assert.ok(true",
    "assert.true(t,true",
    "assert.istrue(true",
    "assertthat(true)",
    "expect(true)",
    "expect(1)",
    "self.asserttrue(true",
    "assertequal(1,1",
    "assertequals(1,1",
    "assert1==1",
    "asserttrue\n",
    "assert1\n",
    "assertnotfalse",
];

fn vacuous(text: &str) -> usize {
    let dense = text.lines().filter(|line| !is_remark(line));
    let dense: String = dense.map(|line| line.split_whitespace().collect::<String>() + "\n").collect();
    HOLLOW.iter().map(|word| dense.matches(word).count()).sum()
}

/// How many lines of a text in small letters assert something that may fail.
fn asserts(text: &str) -> usize {
    const WORDS: &[&str] =
        &["assert", "expect(", "expect {", "should", "require.", "t.error", "t.fatal", "raises("];
    let lines = text.lines().filter(|line| !is_remark(line));
    lines.filter(|line| WORDS.iter().any(|word| line.contains(word)) && vacuous(line) == 0).count()
}

fn is_remark(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "# ", "/*", "* ", "--"].iter().any(|sign| line.starts_with(sign))
}

/// The finding where a file that says what is looked at says so no longer.
pub(super) fn blinded(old: &str, new: &str, path: &str) -> Option<Finding> {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    let (before, after) = (old.to_lowercase(), new.to_lowercase());
    let known: HashSet<&str> = before.lines().map(str::trim).collect();
    let added = || after.lines().filter(|line| !known.contains(line.trim()));
    if is_scanner_file(name) {
        if added().any(ignores_all) {
            return Some(Finding::by(&detectors::SCANNER_EXCLUDES_ALL));
        }
        if added().any(names_weakness) {
            return Some(Finding::by(&detectors::VULNERABILITY_IGNORED));
        }
    }
    if matches!(name, ".gitignore" | ".dockerignore" | ".npmignore")
        && secret_lines(&before) > secret_lines(&after)
    {
        return Some(Finding::by(&detectors::SECRET_IGNORE_RULE_REMOVED));
    }
    if !before.trim().is_empty() && rules(&before) > rules(&after) {
        return Some(Finding::by(&detectors::REVIEW_RULE_REMOVED));
    }
    if added().any(switches_rule_off) {
        return Some(Finding::by(&detectors::SECURITY_LINT_OFF));
    }
    if name == "package.json" && hollow_tasks(&after) > hollow_tasks(&before) && has_tasks(&before) {
        return Some(Finding::by(&detectors::CHECK_SCRIPT_EMPTIED));
    }
    wants_less(&before, &after).then(|| Finding::by(&detectors::THRESHOLD_LOWERED))
}

/// Files that say what scanners leave out.
fn is_scanner_file(name: &str) -> bool {
    const NAMES: &[&str] = &[
        ".gitleaksignore",
        ".gitleaks.toml",
        "gitleaks.toml",
        ".trivyignore",
        ".trivyignore.yaml",
        "trivy.yaml",
        ".snyk",
        ".semgrepignore",
        ".bandit",
        ".banditrc",
        ".checkov.yaml",
        ".checkov.yml",
        ".tfsec.yml",
        ".grype.yaml",
        "osv-scanner.toml",
        ".nsprc",
        "audit-ci.json",
        "audit-ci.jsonc",
        ".talismanrc",
        ".gitguardian.yaml",
        ".gitguardian.yml",
        ".trufflehogignore",
        "trufflehog-exclude.txt",
        ".secretlintignore",
        ".ggshield.yml",
        "sonar-project.properties",
        ".hadolint.yaml",
        "codeql-config.yml",
        ".pip-audit",
        "deny.toml",
    ];
    NAMES.contains(&name) || name.starts_with("suppress")
}

/// `*`, `'''.*'''`, `- '**/*'`: everything.
fn ignores_all(line: &str) -> bool {
    const ALL: &[&str] = &[
        "*", "**", "**/*", ".*", ".+", "/", ".", "./", "^.*$", "(.*)", "(.*?)", ".*?", "/*", "src/**", "src",
        "src/",
    ];
    let value = line.split_once('=').map_or(line, |(_, value)| value);
    let mut values = value.split(',');
    values.any(|value| {
        let value = value.trim().trim_start_matches("- ").trim_end_matches(':');
        let bare = value
            .trim_matches(|it: char| it.is_whitespace() || matches!(it, '\'' | '"' | '[' | ']' | '`' | ':'));
        !bare.is_empty() && ALL.contains(&bare)
    })
}

/// The name of a known weakness in a line that counts.
fn names_weakness(line: &str) -> bool {
    !is_remark(line)
        && ["cve-", "ghsa-", "snyk-", "rustsec-", "avd-", "osv-", "pysec-"].iter().any(|id| line.contains(id))
}

/// How many lines leave out files with secrets.
fn secret_lines(text: &str) -> usize {
    let secret = |line: &&str| {
        let line = line.trim();
        [
            ".env",
            "*.pem",
            "*.key",
            "id_rsa",
            "secrets",
            "credentials",
            ".aws",
            "*.p12",
            "*.tfvars",
            "*.tfstate",
        ]
        .iter()
        .any(|name| line.trim_start_matches('/').starts_with(name))
    };
    text.lines().filter(secret).count()
}

/// How many rules of review a text holds.
fn rules(text: &str) -> usize {
    const RULES: &[&str] = &[
        "required_reviewers",
        "required_approving",
        "required_pull_request",
        "required_status",
        "dismiss_stale",
        "require_code_owner",
        "requires_approval",
        "min_approvals",
        "minimum_approvals",
        "required_approvals",
        "approvals_required",
        "require_last_push",
        "required_signatures",
        "required_linear_history",
        "required_conversation",
        "prevent_self_review",
    ];
    let lines = text.lines().filter(|line| !is_remark(line));
    let holds = lines.filter(|line| RULES.iter().any(|rule| line.contains(rule)));
    holds
        .filter(|line| {
            !["false", ": 0", "= 0", "null", "[]"].iter().any(|off| line.trim_end().ends_with(off))
        })
        .count()
}

/// `"security/detect-eval": "off"`
fn switches_rule_off(line: &str) -> bool {
    const RULES: &[&str] = &[
        "security/",
        "no-eval",
        "no-unsanitized",
        "no-secrets",
        "no-implied-eval",
        "no-new-func",
        "anchor-is-valid-target",
        "no-danger",
        "xss",
    ];
    if !RULES.iter().any(|rule| line.contains(rule)) {
        return false;
    }
    let dense: String = line.split_whitespace().collect();
    ["\":\"off\"", "':'off'", "\":0", "':0", ":off", "\":[\"off\"", "\":\"none\""]
        .iter()
        .any(|off| dense.contains(off))
}

/// Names of tasks that check.
const TASKS: &[&str] = &[
    "\"test\"",
    "\"lint\"",
    "\"check\"",
    "\"typecheck\"",
    "\"audit\"",
    "\"security\"",
    "\"test:unit\"",
    "\"test:e2e\"",
    "\"test:ci\"",
    "\"pretest\"",
    "\"prepublishonly\"",
    "\"verify\"",
];

fn has_tasks(text: &str) -> bool {
    TASKS.iter().any(|task| text.contains(task))
}

/// How many tasks check in name only: `"test": "exit 0"`.
fn hollow_tasks(text: &str) -> usize {
    let text = text.replace("\\\"", "'");
    let values = TASKS.iter().flat_map(|task| text.split(task).skip(1)).filter_map(|rest| {
        let value = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        value.split('"').next().map(str::trim)
    });
    let hollow = values.filter(|value| {
        matches!(*value, "" | "true" | ":" | "exit 0" | "exit" | "/bin/true")
            || (value.starts_with("echo") && !value.contains(['&', ';', '|']))
            || ["|| true", "|| exit 0", "; exit 0", "; true", "|| :"].iter().any(|end| value.ends_with(end))
    });
    hollow.count()
}

/// Whether a number that says how much must be covered or approved becomes nothing, or fewer approve.
fn wants_less(old: &str, new: &str) -> bool {
    const KEYS: &[&str] = &[
        "target",
        "fail_under",
        "fail-under",
        "cov-fail-under",
        "branches",
        "lines",
        "functions",
        "statements",
        "minimum_coverage",
        "required_approving_review_count",
        "required_approvals",
        "approvals_required",
    ];
    KEYS.iter().any(|key| {
        let (before, after) = (number(old, key), number(new, key));
        let people = key.contains("appro");
        matches!((before, after), (Some(before), Some(after)) if after < before && (after == 0 || people))
    })
}

/// The number behind a key.
fn number(text: &str, key: &str) -> Option<u32> {
    let rest = text.split(key).nth(1)?;
    let rest = rest.trim_start_matches(['"', '\'', ' ', ':', '=']);
    let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}
