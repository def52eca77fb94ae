//! Harm in the text of an edit (SPEC P5): what it adds, and what it takes away.

mod always;
mod anchors;
mod as_edits;
mod build_hooks;
pub(super) mod builds;
mod careless;
mod claims;
mod database_rights;
mod exfiltration;
mod flips;
mod hardcoded_auth;
mod html_forms;
mod infrastructure;
mod installed;
mod instructions;
mod kinds;
mod node_packages;
pub(super) mod obeys;
mod packages;
mod parts;
mod replaced;
mod reviews;
mod settings_text;
mod spelled_out;
mod steps;
pub(super) mod stream_editors;
mod traces;
mod workflows;

use portcullis_shell::Reading;

use crate::call::ToolCall;
use crate::detect::{Category, Detector, Finding, code, detectors};
use crate::edited::texts;
use crate::protected;
use crate::view::{Access, View};
use kinds::{
    is_instruction, is_manifest, is_prose, is_requirements, is_review_file, is_sample, is_test_file,
    names_test,
};

/// Words of a check that a project runs on itself; an edit that takes them away is looked at.
static CHECKS: &[(&Detector, &[&str])] = &[
    (
        &detectors::SECURITY_CHECK_REMOVED,
        &[
            "limiter",
            "lockout",
            "throttle",
            "sanitiz",
            "sanitis",
            "escape(",
            "helmet",
            "content-security-policy",
            "x-frame-options",
            "strict-transport-security",
            "runasnonroot",
            "readonlyrootfilesystem",
            "networkpolicy",
            "seccomp",
            "encrypt",
            "redact",
            "gitleaks",
            "trivy",
            "osv-scanner",
            "semgrep",
            "codeql",
            "snyk",
            "bandit",
            "dependency-review",
            "cosign",
            "sha256",
            "integrity",
        ],
    ),
    (
        &detectors::CI_CHECK_REMOVED,
        &[
            "required_status_checks",
            "required reviewers",
            "required_reviewers",
            "required_approving",
            "required_pull_request",
            "require_code_owner",
            "enforce_admins",
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
            "skip_checks=0",
            "select =",
        ],
    ),
];

/// The task of a package without tests.
const NO_TEST_YET: &str = "echo \\\"error: no test specified\\\" && exit 1";

/// Checks that often take the place of those.
const OTHER_CHECKS: &[&str] =
    &["biome", "oxlint", "golangci-lint", "flake8", "pylint", "pyright", "vitest", "jest", "nextest", "tox"];

/// The harm in what people read: only a secret itself has no place there. Agents do what their files tell them to.
fn in_prose(old: &str, new: &str, path: &str) -> Vec<Finding> {
    let is_order = |finding: &Finding| {
        matches!(
            finding.category(),
            Category::RunDownloadedCode
                | Category::RemoteExecSurface
                | Category::Exfiltration
                | Category::SelfModification
        )
    };
    let found = code::signs(new, old).into_iter().map(code::Sign::finding);
    let counts = |finding: &Finding| {
        finding.detector == &detectors::WRITES_SECRET || (is_instruction(path) && is_order(finding))
    };
    let found = found.filter(counts);
    let found = found.map(|finding| if is_order(&finding) { finding.doubtful() } else { finding });
    let orders = instructions::gained(old, new).filter(|_| is_instruction(path));
    found.chain(orders).chain(claims::approved(old, new)).collect()
}

/// Whether all that a line writes is for people to read.
pub(super) fn writes_prose(view: &View) -> bool {
    let mut written = view.paths.iter().filter(|path| path.access != Access::Read).peekable();
    written.peek().is_some() && written.all(|path| path.literal && is_prose(&path.path))
}

/// The harm in such a line: what it says is read by people, or by agents.
pub(super) fn of_prose(view: &View, line: &str) -> Vec<Finding> {
    let written = view.paths.iter().filter(|path| path.access != Access::Read);
    written.flat_map(|path| in_prose("", line, &path.path)).collect()
}

/// A line of a `.pth` file that is code: every start of python runs it.
fn starts_with_python(new: &str, path: &str) -> Option<Finding> {
    let runs = new.lines().any(|line| line.starts_with("import ") || line.starts_with("import\t"));
    (path.to_ascii_lowercase().ends_with(".pth") && runs).then(|| Finding::by(&detectors::PYTHON_PTH_CODE))
}

/// The harm in what an edit adds and takes away.
pub(crate) fn of_edit(call: &ToolCall, view: &View) -> Vec<Finding> {
    found_in(call, view, weaker)
}

/// The part of it that is done when the file is run: a check that is gone from a program harms nobody who tests it.
pub(crate) fn of_run_edit(call: &ToolCall, view: &View) -> Vec<Finding> {
    found_in(call, view, |_, _, _| Vec::new())
}

/// What an edit makes weaker than it was.
fn weaker(old: &str, new: &str, path: &str) -> Vec<Finding> {
    let replaced = replaced::gained(old, new, path).into_iter();
    let obeys = obeys::gained(old, new, path);
    let installed = installed::reaches(old, new, path);
    let blinded = reviews::blinded(old, new, path);
    let claims = claims::results(new, path);
    replaced
        .chain(obeys)
        .chain(installed)
        .chain(traces::changed(old, new))
        .chain(blinded)
        .chain(claims)
        .collect()
}

fn found_in(call: &ToolCall, view: &View, weaker: impl Fn(&str, &str, &str) -> Vec<Finding>) -> Vec<Finding> {
    let path =
        view.paths.iter().find(|path| path.access == Access::Write).map_or("", |path| path.path.as_str());
    // What the folders above the project are called says nothing about the file.
    let inner = path.strip_prefix(call.cwd.as_str()).unwrap_or(path);
    let runs = protected::runs_later(path);
    if is_sample(inner) && !runs {
        return Vec::new();
    }
    let (old, new) = plain_texts(call, path);
    if is_prose(path) {
        return in_prose(&old, &new, path);
    }
    let mut found: Vec<Finding> = code::signs(&new, &old).into_iter().map(code::Sign::finding).collect();
    found.extend(taken_away(&old, &new, runs));
    found.extend(flips::weakened(&old, &new));
    found.extend(flips::guard_lost(&old, &new));
    found.extend(foreign_source(&old, &new, path, runs));
    found.extend(exfiltration::added(&old, &new, path));
    found.extend(infrastructure::opened(&old, &new, path));
    if runs || is_manifest(path) {
        found.extend(packages::moved(&old, &new, path));
    }
    found.extend(starts_with_python(&new, path));
    found.extend(build_hooks::gained(&old, &new, path));
    found.extend(careless::gained(&old, &new, path));
    found.extend(weaker(&old, &new, path));
    found.extend(instructions::gained(&old, &new).filter(|_| is_instruction(path)));
    let known: Vec<&str> = old.lines().map(str::trim).collect();
    if new.lines().any(|line| code::shows_value(line) && !known.contains(&line.trim())) {
        found.push(Finding::by(&detectors::SECRET_LOGGED));
    }
    if is_review_file(path) {
        found.push(who_must_look());
    }
    if is_test_file(inner) && !runs {
        let grave = |category: Category| {
            matches!(
                category,
                Category::RemoteExecSurface | Category::RunDownloadedCode | Category::Exfiltration
            )
        };
        found.retain(|finding| finding.certain && grave(finding.category()));
    }
    found.extend(careless::skips_tests(&old, &new));
    if names_test(inner) {
        found.extend(reviews::test_hollowed(&old, &new));
    }
    for finding in &mut found {
        finding.targets = vec![path.to_owned()];
    }
    found
}

/// The harm in changing who must look at changes: `: > CODEOWNERS`, `cp a CODEOWNERS`, `mv CODEOWNERS b`, and what is put into
/// a folder under that name.
pub(super) fn of_review_files(view: &View, reading: &Reading) -> Option<Finding> {
    let mut changed = view.paths.iter().filter(|path| path.access != Access::Read);
    let written = changed.find(|path| is_review_file(&path.path)).map(|path| path.path.clone());
    let moved = reading.commands.iter().find_map(|command| {
        let words = || command.arguments.iter().map(|word| word.text.as_str());
        let git = command.program.as_deref() == Some("git") && words().next() == Some("mv");
        let copies = matches!(command.program.as_deref(), Some("cp" | "mv" | "install" | "rsync" | "ln"));
        let folder = copies && words().next_back().is_some_and(|to| to == "." || to.ends_with('/'));
        words().find(|word| (git || folder) && is_review_file(word)).map(str::to_owned)
    });
    written.or(moved).map(|path| {
        let mut finding = who_must_look();
        finding.targets = vec![path];
        finding
    })
}

fn who_must_look() -> Finding {
    Finding::by(&detectors::REVIEWERS_CHANGED)
}

/// A check that is there before the edit and not after it.
fn taken_away(old: &str, new: &str, runs: bool) -> Option<Finding> {
    let live = |text: &str| -> String {
        let remark = |line: &&str| {
            !["//", "#", "--", "/*", "<!--"].iter().any(|sign| line.trim_start().starts_with(sign))
        };
        let text = text.lines().filter(remark).collect::<Vec<_>>().join("\n").to_lowercase();
        // What a new package says where nobody has written a test yet.
        text.replace(NO_TEST_YET, "")
    };
    let (detector, word) = check_gone(&live(old), &live(new))?;
    let finding = Finding::by(detector).about(word.trim());
    // In a file that machines run, a check that is gone is gone for everybody.
    Some(if runs { finding } else { finding.doubtful() })
}

/// The check that is in the old text and not in the new, both in lower case; another check may have taken its place.
pub(super) fn check_gone(old: &str, new: &str) -> Option<(&'static Detector, &'static str)> {
    let count =
        |words: &[&str], text: &str| words.iter().map(|word| text.matches(word).count()).sum::<usize>();
    let others = count(OTHER_CHECKS, new).saturating_sub(count(OTHER_CHECKS, old));
    let fewer = |(_, words): &&(&Detector, &[&'static str])| count(words, old) > count(words, new) + others;
    let (detector, words) = CHECKS.iter().find(fewer)?;
    let gone = |word: &&&'static str| old.matches(**word).count() > new.matches(**word).count();
    words.iter().find(gone).map(|word| (*detector, *word))
}

/// Hosts from which packages usually come.
const USUAL_SOURCES: &[&str] = &[
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "pypi.org",
    "files.pythonhosted.org",
    "crates.io",
    "github.com",
    "rubygems.org",
    "repo.maven.apache.org",
    "repo1.maven.org",
    "plugins.gradle.org",
    "maven.google.com",
    "dl.google.com",
    "proxy.golang.org",
    "packagist.org",
    "hex.pm",
    "nuget.org",
    "example.com",
    "w3.org",
    "json-schema.org",
    "schemastore.org",
    "githubusercontent.com",
    "deb.debian.org",
    "ghcr.io",
    "deno.land",
    "jsr.io",
    "esm.sh",
];

/// Whether the host is this one, or below it.
fn is_of(host: &str, usual: &str) -> bool {
    host.strip_suffix(usual).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// A new place that packages or code come from, in a file that builds obey.
fn foreign_source(old: &str, new: &str, path: &str, runs: bool) -> Option<Finding> {
    if !runs && !is_manifest(path) {
        return None;
    }
    let known = sources(old, path);
    let host = sources(new, path).into_iter().find(|host| !known.contains(host))?;
    Some(Finding::by(&detectors::UNUSUAL_PACKAGE_HOST).about(host))
}

/// The unusual hosts that a text fetches from.
fn sources(text: &str, path: &str) -> Vec<String> {
    const FETCHED: &[&str] = &[
        "resolved",
        "registry",
        "index-url",
        "source '",
        "source \"",
        "source = ",
        "replace ",
        "git = ",
        "git+http",
        "maven {",
        "<repository>",
        "tarball",
        "add http",
        " @ http",
        "git: ",
        ", source:",
        "ivy {",
        "remote:",
        "resolvers",
    ];
    let lower = text.to_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let all = is_requirements(path) || matches!(name, "deno.json" | "deno.jsonc" | "environment.yml");
    let mut inside = false;
    let fetched = |line: &&str| {
        let remark = all && line.trim_start().starts_with('#');
        inside = builds::lists_sources(line, inside);
        !remark && (all || inside || FETCHED.iter().any(|word| line.contains(word)))
    };
    let usual = |host: &str| USUAL_SOURCES.iter().any(|usual| is_of(host, usual));
    let addresses = lower.lines().filter(fetched).flat_map(|line| line.split("://").skip(1));
    addresses
        .map(|rest| {
            // A name and a password may come before the host.
            let whole = rest.split(['/', '\\', '"', '\'', ' ', ')']).next().unwrap_or_default();
            let host = whole.rsplit('@').next().unwrap_or_default();
            host.split(':').next().unwrap_or_default().to_owned()
        })
        .filter(|host| host.contains('.') && !usual(host))
        .collect()
}

/// The same, with what YAML only refers to written out.
fn plain_texts(call: &ToolCall, path: &str) -> (String, String) {
    let (old, new) = texts(call);
    let refers = |text: &str| text.contains(['&', '*', '!', '?']);
    let yaml = matches!(path.rsplit('.').next(), Some("yml" | "yaml"));
    if yaml && refers(&new) { (anchors::written_out(&old), anchors::written_out(&new)) } else { (old, new) }
}
