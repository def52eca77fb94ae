//! Checks that an edit takes away, in any language: words of security on the lines that are gone and not on those that
//! came, conditions that became constant or fewer, tests and rules of review that check less.

use super::Effect;
use super::change::{Change, holds, is_remark, names};
use super::settings::pairs;
use crate::detect::{Detector, Finding, detectors};

/// Words of names that check something, and the detector of their loss.
static CHECKS: &[(&Detector, &str)] = &[
    (&detectors::AUDIT_RECORD_REMOVED, "audit"),
    (
        &detectors::LOG_REDACTION_REMOVED,
        "scrub mask redact censor obfuscat anonymi stripsecrets filtersensitive",
    ),
    (
        &detectors::SECURITY_CHECK_REMOVED,
        "limiter lockout throttle slowdown ratelimit redact sanitiz sanitis escape helmet contentsecuritypolicy xframeoptions \
         stricttransport runasnonroot readonlyroot networkpolicy seccomp encrypt gitleaks trivy osvscanner semgrep codeql \
         snyk bandit dependencyreview cosign sha256 integrity",
    ),
    (
        &detectors::CI_CHECK_REMOVED,
        "requiredstatuschecks requiredreviewers requiredpullrequest enforceadmins mypy ruff eslint clippy pytest",
    ),
    (
        &detectors::AUTH_CHECK_REMOVED,
        "auth guard permission login csrf csurf forgery signature forbidden unauthorized denied rolesallowed requirerole \
         hasrole hasperm checkrole isadmin isstaff superuser adminrequired memberrequired userpassestest verif hmac checkacl digest \
         comparedigest timingsafe constanttime equalfixed hashequals securecompare cteq bcrypt checkpw passwordverify \
         checkpassword comparehash passwordhash encodermatches constructevent requestvalidator ensureloggedin \
         requirelogin requireuser requireadmin currentuser getserversession secured canedit 401 403 statusunauthorized \
         statusforbidden accessdenied",
    ),
];

/// The same for lines of commands.
static CHECK_LINES: &[(&Detector, &str)] = &[
    (
        &detectors::CI_CHECK_REMOVED,
        "npm test|cargo test|go test|npm run test|npm run lint|yarn test|pnpm test|set -e|exit 1|--exit-code 1|skip_checks=0|\
     ruff check|required_|require_code_owner",
    ),
    (&detectors::AUTH_CHECK_REMOVED, "origin:"),
];

/// Checks that take the place of others, and stems of helpers that a check may have gone into.
const OTHER_CHECKS: &str = "biome oxlint golangci flake8 pylint pyright vitest jest nextest tox";
const HELPERS: &str = "verif valid ensure require authoriz authoris authent check guard protect enforce";

/// Where a condition that goes is a condition of security: in the path, and in the condition itself.
const SENSITIVE: &str = "auth login session policy policies middleware guard acl rbac permission billing audit security \
    access tenant csrf cors payment webhook";
const STOPS: &str = "limit exceed forbid denied unauthor insufficient balance quota expired revoked locked blocked banned \
    suspended owner tenant notallowed not_allowed untrusted amount";

/// What an edit no longer checks.
pub(super) fn found_in(change: &Change, inner: &str, effect: Effect, runs: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    if change.replaces() {
        // In a file that machines run, a check that is gone is gone for everybody.
        let lost = lost(&change.gone, &change.added).filter(|_| !is_moved_away(change));
        found.extend(lost.map(|(detector, word)| {
            let finding = Finding::by(detector).about(word);
            if runs { finding } else { finding.doubtful() }
        }));
        let weaker = condition_lost(change, inner).or_else(|| looks_less(change));
        found.extend(weaker.filter(|_| effect == Effect::Anywhere).map(Finding::by));
    }
    found.extend(blinded(change).filter(|_| effect == Effect::Anywhere).map(Finding::by));
    found
}

/// The check that is on the lines that are gone and not on those that came; all in small letters.
pub(super) fn lost(gone: &[String], added: &[String]) -> Option<(&'static Detector, &'static str)> {
    const DEFINES: &str = "def function func fn import from use package require require_relative include";
    // `echo "error: no test specified" && exit 1`
    let counts = |line: &&String| {
        let first = line.split([' ', '(', '"', '{']).next().unwrap_or_default();
        let imports = line.starts_with("using ") && !line.contains('(');
        !imports
            && !line.contains("no test specified")
            && !DEFINES.split_whitespace().any(|word| word == first)
    };
    let all = |lines: &[String]| lines.iter().filter(counts).flat_map(|it| names(it)).collect::<Vec<_>>();
    let (old, new) = (all(gone), all(added));
    // What is only told in a log checks nobody.
    let says = gone
        .iter()
        .all(|line| ["console.", "log.", "logger.", "logging."].iter().any(|log| line.starts_with(log)));
    let count = |names: &[String], stems: &str| {
        let author = |name: &str| name.contains("author") && !name.contains("authori");
        names.iter().filter(|name| *name != "require" && !author(name) && holds(name, stems)).count()
    };
    if count(&new, OTHER_CHECKS) > count(&old, OTHER_CHECKS) {
        return None;
    }
    // A check may have gone into a helper of another name.
    let helped = added.iter().any(|line| line.contains('(')) && count(&new, HELPERS) > count(&old, HELPERS);
    let named = CHECKS.iter().find_map(|(detector, stems)| {
        let recorded = *detector != &detectors::LOG_REDACTION_REMOVED || !added.is_empty();
        let kept = (helped || says) && *detector == &detectors::AUTH_CHECK_REMOVED;
        let fewer = |stem: &&str| count(&old, stem) > count(&new, stem);
        let lost = count(&old, stems) > count(&new, stems) && recorded && !kept;
        stems.split_whitespace().filter(|_| lost).find(fewer).map(|stem| (*detector, stem))
    });
    let lines =
        |lines: &[String], word: &str| lines.iter().filter(counts).filter(|it| it.contains(word)).count();
    named.or_else(|| {
        CHECK_LINES.iter().find_map(|(detector, words)| {
            let fewer = |word: &&str| lines(gone, word) > lines(added, word);
            words.split('|').find(fewer).map(|word| (*detector, word))
        })
    })
}

/// Whether whole functions are gone with all that was in them.
fn is_moved_away(change: &Change) -> bool {
    let defined = |text: &str| -> Vec<String> {
        let rest =
            ["def ", "function ", "func ", "fn ", "class "].iter().flat_map(|key| text.split(key).skip(1));
        let name = rest.map(|rest| rest.split(|it: char| !(it.is_alphanumeric() || it == '_')).next());
        name.flatten().filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    let known = defined(&change.before);
    !known.is_empty()
        && defined(&change.after).is_empty()
        && !known.iter().any(|name| change.after.contains(name.as_str()))
}

/// A condition that an edit makes constant, compares with one fixed text, or takes away where access is decided.
fn condition_lost(change: &Change, inner: &str) -> Option<&'static Detector> {
    const YES: &str =
        "returntrue =true iftrue if(true ->true =>true {true} if1: ortrue ||true returnnext() returnnil";
    const ASKS: &str =
        "if unless elif assert assert_eq raise throw throws abort deny reject panic && || and or where";
    let path = inner.to_ascii_lowercase();
    let (gone, added) = (change.gone.join("\n"), change.added.join("\n"));
    let sensitive = holds(&path, SENSITIVE);
    let dense = |text: &str| text.split([' ', '\t']).collect::<String>();
    let yes = |text: &str| {
        let text = dense(text);
        let plain = text.lines().filter(|line| *line == "true").count();
        plain + YES.split_whitespace().map(|word| text.matches(word).count()).sum::<usize>()
    };
    let about = holds(
        &gone,
        "can_ can? allowed permit authoriz authoris guard access admin owner destroy? update? verif trusted",
    );
    let asked = holds(&dense(&gone), "return ? == => -> if");
    if (sensitive || about) && asked && yes(&added) > yes(&gone) && change.added.len() <= change.gone.len() {
        return Some(&detectors::AUTH_CHECK_ALWAYS_PASSES);
    }
    let asks = |text: &str| {
        let words = text.split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '&' | '|')));
        words.filter(|word| ASKS.split_whitespace().any(|known| known == *word)).count()
            + text.matches("return false").count()
    };
    let fewer = asks(&gone) > asks(&added) && !is_moved_away(change);
    let stops = holds(&gone, "raise throw abort( return panic( reject")
        && holds(&gone, STOPS)
        && holds(&gone, "if unless");
    (fewer && (sensitive || (stops && added.is_empty()))).then_some(&detectors::GUARD_CLAUSE_REMOVED)
}

/// Rules of review, limits and tasks that want less than before.
pub(super) fn looks_less(change: &Change) -> Option<&'static Detector> {
    const RULES: &str = "required_reviewers required_approving required_pull_request required_status dismiss_stale \
        require_code_owner requires_approval min_approvals minimum_approvals required_approvals approvals_required \
        require_last_push required_signatures required_linear_history required_conversation prevent_self_review";
    const LIMITS: &str = "target fail_under fail-under cov-fail-under branches lines functions statements coverage threshold \
        minimum_coverage min_score failunder";
    const PEOPLE: &str = "appro";
    let (old, new) = (pairs(&change.before), pairs(&change.after));
    let rules = |text: &str| {
        let off = |line: &str| {
            ["false", ": 0", "= 0", "null", "[]"].iter().any(|off| line.trim_end().ends_with(off))
        };
        text.lines().filter(|line| holds(line, RULES) && !off(line)).count()
    };
    if rules(&change.before) > rules(&change.after) {
        return Some(&detectors::REVIEW_RULE_REMOVED);
    }
    let number = |value: &str| value.trim_end_matches('%').parse::<f64>().ok();
    let lower = old
        .iter()
        .filter(|it| {
            (holds(&it.key, LIMITS) && !(it.key == "threshold" && change.name.contains("codecov")))
                || it.key.contains(PEOPLE)
        })
        .any(|was| {
            let is = new.iter().find(|it| it.key == was.key);
            let (was, is) = (number(&was.value), is.and_then(|it| number(&it.value)));
            was.zip(is).is_some_and(|(was, is)| is < was)
        });
    let settings =
        !matches!(change.ending.as_str(), "py" | "rs" | "ts" | "tsx" | "go" | "java" | "rb" | "cs" | "kt");
    (lower && settings).then_some(&detectors::THRESHOLD_LOWERED)
}

/// Files that say what scanners pass over.
pub(super) fn is_scanner_file(name: &str) -> bool {
    const STEMS: &str = "gitleaks trivy .snyk semgrepignore bandit checkov tfsec grype osv-scanner .nsprc audit-ci talisman \
        gitguardian trufflehog secretlint ggshield sonar-project hadolint codeql-config pip-audit deny.toml suppress \
        secrets.baseline";
    holds(name, STEMS)
}

/// Settings of programs that look at code, made blind.
fn blinded(change: &Change) -> Option<&'static Detector> {
    const ALL: &str = "* ** **/* .* .+ / . ./ ^.*$ (.*) (.*?) .*? /* src/** src src/";
    const SECRET: &str = ".env *.pem *.key id_rsa secrets credentials .aws *.p12 *.tfvars *.tfstate";
    let name = change.name.as_str();
    // What is ignored is written line by line, as it is.
    let raw = |text: &str| text.to_lowercase().lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let (old, new) = (raw(&change.old), raw(&change.new));
    let mut added = new.iter().filter(|line| !line.is_empty() && !old.contains(line));
    if is_scanner_file(name) {
        let all = |line: &&String| {
            let values = line.split_once('=').map_or(line.as_str(), |(_, value)| value).split(',');
            let bare = |value: &str| {
                let value = value.trim().trim_start_matches("- ");
                value.trim_matches(|it: char| it.is_whitespace() || "'\"[]`:".contains(it)).to_owned()
            };
            values.map(bare).any(|value| ALL.split_whitespace().any(|all| all == value))
        };
        if added.clone().any(|line| all(&line)) {
            return Some(&detectors::SCANNER_EXCLUDES_ALL);
        }
        if added
            .clone()
            .any(|line| !is_remark(line) && holds(line, "cve- ghsa- snyk- rustsec- avd- osv- pysec-"))
        {
            return Some(&detectors::VULNERABILITY_IGNORED);
        }
    }
    let secret = |lines: &[String]| {
        let is_secret =
            |line: &&String| SECRET.split_whitespace().any(|it| line.trim_start_matches('/').starts_with(it));
        lines.iter().filter(is_secret).count()
    };
    if matches!(name, ".gitignore" | ".dockerignore" | ".npmignore") && secret(&old) > secret(&new) {
        return Some(&detectors::SECRET_IGNORE_RULE_REMOVED);
    }
    let off = added.any(|line| {
        let dense: String = line.split_whitespace().collect();
        let rule = holds(
            line,
            "security/ no-eval no-unsanitized no-secrets no-implied-eval no-new-func no-danger xss",
        );
        rule && holds(&dense, ":\"off\" ':'off' :0 :off :[\"off\" :\"none\"")
    });
    if off {
        return Some(&detectors::SECURITY_LINT_OFF);
    }
    let hollow =
        name == "package.json" && pairs(&change.after).iter().any(|it| is_hollow(&it.key, &it.value, change));
    hollow.then_some(&detectors::CHECK_SCRIPT_EMPTIED)
}

/// `"test": "exit 0"`: a task that checks in name only, and did not before.
fn is_hollow(key: &str, value: &str, change: &Change) -> bool {
    const TASKS: &str = "test lint check typecheck type-check audit security verify validate ci pretest posttest \
        prepublishonly";
    let task = key.split(':').next().unwrap_or_default();
    let nothing = matches!(value, "true" | ":" | "exit 0" | "exit" | "/bin/true")
        || (value.starts_with("echo") && !value.contains("exit 1"))
        || ["|| true", "|| exit 0", "; exit 0", "; true", "|| :"].iter().any(|end| value.ends_with(end));
    let was = change.before.contains(&format!("\"{key}\""));
    // A tool sets a single field without showing what was there.
    let set = !change.replaces() && change.added.len() < 4;
    nothing && super::change::lists(TASKS, task) && (was || set) && !change.before.contains(value)
}

/// Tests that an edit leaves out.
pub(super) fn tests_skipped(change: &Change) -> Option<Finding> {
    const SKIPS: &str = "it.skip( test.skip( describe.skip( t.skip( t.skipnow( mark.skip mark.xfail pytest.skip( \
        unittest.skip .skiptest( skiptest marktestskipped( .fixme(";
    const BEGINS: &str = "xit( xdescribe( xtest( @disabled @ignore [ignore @skip #[ignore";
    let skips = |lines: &[String]| {
        let begins = |line: &str| BEGINS.split_ascii_whitespace().any(|word| line.starts_with(word));
        lines.iter().filter(|line| holds(line, SKIPS) || begins(line)).count()
    };
    let more = change.replaces() && skips(&change.added) > skips(&change.gone);
    more.then(|| Finding::by(&detectors::TEST_SKIPPED))
}

/// Tests that an edit leaves nothing to be tested in.
pub(super) fn tests_emptied(change: &Change) -> Option<Finding> {
    const ASSERTS: &str = "assert expect( should require. t.error t.fatal raises(";
    const HOLLOW: &str = "asserttrue(true assert_true(true assert(true) assert!(true) assert.ok(true assert.true(t,true \
        expect(true) expect(1) assertequal(1,1 assertequals(1,1 assert1==1 asserttrue assert1 assertnotfalse";
    let count = |lines: &[String], words: &str| lines.iter().filter(|line| holds(line, words)).count();
    let hollow = |lines: &[String]| {
        let dense = lines.iter().map(|line| line.split_whitespace().collect::<String>());
        dense.filter(|line| holds(line, HOLLOW)).count()
    };
    let (gone, added) = (&change.gone, &change.added);
    let real = |lines: &[String]| count(lines, ASSERTS).saturating_sub(hollow(lines));
    let nothing = added.iter().all(|line| line.len() < 4 || line == "pass");
    let none = nothing && !change.after.trim().is_empty() && !holds(&change.after, ASSERTS);
    let less = real(gone) > real(added) && (hollow(added) > hollow(gone) || none);
    less.then(|| Finding::by(&detectors::TEST_EMPTIED))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P5]
    #[test]
    fn a_guard_that_goes_is_missed_and_one_that_is_renamed_is_not() {
        let is_lost = |old: &str, new: &str| {
            !found_in(&Change::new("/p/src/a.x", old, new), "/src/a.x", Effect::Anywhere, false).is_empty()
        };
        assert!(is_lost("@UseGuards(AuthGuard)\nget() {}", "get() {}"));
        assert!(is_lost("isAdmin = (u) => u.role === 'admin'", "isAdmin = (u) => true"));
        assert!(!is_lost("authorise(user)", "authorize(user)"));
        assert!(!is_lost("import auth\nx()", "x()"));
        assert!(!is_lost("let a = 1", "let a = 2"));
    }
}
