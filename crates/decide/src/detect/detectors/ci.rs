//! Detectors for checks, hooks, reviews and workflows.

use crate::detector::Certainty::{Certain, Possible};
use crate::detector::Example::{Edit, Line, Write};
use crate::detector::{Category, Severity};

detectors! {
    /// Uses an action by its version or branch that was pinned to a commit before.
    ///
    /// Its owner can then change what runs with the repository's secrets. Actions that never were pinned are passed
    /// over.
    ACTION_UNPINNED {
        id: "ci/action-unpinned", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "no longer pins a CI action to a commit",
        hits: &[Edit(".github/workflows/ci.yml", "      - uses: actions/checkout@b4ffde65f46336ab88eb53be808477a3936bae11", "      - uses: actions/checkout@v4")],
        passes: &[Edit(".github/workflows/ci.yml", "      - uses: actions/checkout@v4", "      - uses: actions/checkout@b4ffde65f46336ab88eb53be808477a3936bae11")],
    }

    /// Writes that a named person approved, reviewed or signed off something.
    ///
    /// Only that person can say so. Lines that are left to be filled in are passed over; so is a name of one word.
    APPROVAL_CLAIMED {
        id: "ci/approval-claimed", category: Category::Impersonation, severity: Severity::Soft, certainty: Possible,
        message: "claims somebody's approval in their name",
        hits: &[Edit("docs/release.md", "x", "Approved by: Alice Boss (CTO)")],
        passes: &[Edit("docs/release.md", "x", "Approved by: TBD")],
    }

    /// Removes the approval that a job of a pipeline waits for.
    ///
    /// The job, often a deployment, then runs without a person's word. Read are `environment:` and `when: manual`;
    /// a job that goes as a whole is passed over.
    APPROVAL_STEP_REMOVED {
        id: "ci/approval-step-removed", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "removes a manual approval from a pipeline",
        hits: &[Edit(".gitlab-ci.yml", "deploy:\n  script: ./deploy.sh\n  when: manual", "deploy:\n  script: ./deploy.sh")],
        passes: &[Edit(".gitlab-ci.yml", "lint:\n  script: make lint\ndeploy:\n  script: ./deploy.sh\n  when: manual", "lint:\n  script: make lint")],
    }

    /// Turns on automatic merging.
    ///
    /// Changes are then merged without anybody looking at them. Recognised by `automerge` in the name of a setting,
    /// as in the settings of Renovate.
    AUTOMERGE {
        id: "ci/automerge", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "turns on automatic merging",
        hits: &[Edit("renovate.json", "\"automerge\": false", "\"automerge\": true")],
        passes: &[Edit("renovate.json", "\"automerge\": true", "\"automerge\": false")],
    }

    /// Approves a pull request, merges it as administrator, or changes branch protection.
    ///
    /// A review is there so that a second person looks; the one who wrote the change, or an agent, is none.
    /// Recognised by words of the command line of `gh`, `glab` and others (`--admin`, `--approve`, `protection`,
    /// `rulesets`), also where they stand in a title.
    BYPASS_REVIEW {
        id: "ci/bypass-review", category: Category::BypassReview, severity: Severity::Soft, certainty: Certain,
        message: "approves, dismisses or overrides a review with {program}",
        hits: &[Line("gh pr merge 12 --admin"), Line("gh pr review 12 --approve")],
        passes: &[Line("gh pr view 12"), Line("gh pr review 12 --comment -b Thanks")],
    }

    /// Removes a test, a linter or a rule of branch protection from what a project runs on itself.
    ///
    /// Later changes then go in unchecked. Words are counted before and after the edit; another known tool in the
    /// same place is passed over. In files of builds and CI the finding is certain.
    CI_CHECK_REMOVED {
        id: "ci/check-removed", category: Category::BypassReview, severity: Severity::Soft, certainty: Certain,
        message: "removes a test, lint or review step (`{}`)",
        hits: &[Edit(".github/workflows/ci.yml", "      - run: npm ci\n      - run: npm test", "      - run: npm ci")],
        passes: &[Edit("Makefile", "\tmypy src", "\tpyright src")],
    }

    /// Makes a script that checks the project do nothing (`"test": "exit 0"`).
    ///
    /// Everything that calls the script then believes that the check passed. Only scripts in `package.json` with
    /// usual names are read.
    CHECK_SCRIPT_EMPTIED {
        id: "ci/check-script-emptied", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "makes a test or lint script do nothing",
        hits: &[Edit("package.json", "\"test\": \"jest\"", "\"test\": \"exit 0\""), Line("npm set-script test true")],
        passes: &[Edit("package.json", "\"test\": \"jest\"", "\"test\": \"vitest run\"")],
    }

    /// Lets a step of CI fail without anybody noticing.
    ///
    /// The pipeline stays green whatever the step finds. Recognised by `|| true`, `continue-on-error` and the like
    /// on steps that were there before; a new step may be allowed to fail.
    CI_FAILURE_IGNORED {
        id: "ci/failure-ignored", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "lets a CI step fail unnoticed",
        hits: &[Edit(".github/workflows/b.yml", "      - run: make lint", "      - run: make lint || true")],
        passes: &[Edit(".github/workflows/b.yml", "      - run: make lint", "      - run: make lint all")],
    }

    /// Turns off a rule of a linter, or silences a checker for a whole file, with a stream editor or another tool.
    ///
    /// What the rule would have found is no longer reported. The same edit made with an editor is only found for
    /// rules about security (`ci/security-lint-off`).
    LINT_RULE_OFF {
        id: "ci/lint-rule-off", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "turns off a lint rule or silences a checker",
        hits: &[Line("sed -i 's/error/off/' .eslintrc.json"), Line("sed -i '/^import/i # nosec' src/a.py")],
        passes: &[Line("sed -i 's/off/error/' .eslintrc.json")],
    }

    /// Makes a workflow run for pull requests of outsiders with the repository's secrets (`pull_request_target`).
    ///
    /// A pull request that such a workflow builds can take the secrets. Whether it checks out the outsiders' code
    /// is not looked at; a workflow that only labels is found too.
    PULL_REQUEST_TARGET {
        id: "ci/pull-request-target", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "runs a workflow with secrets for outsiders' pull requests",
        hits: &[Edit(".github/workflows/ci.yml", "on: pull_request", "on: pull_request_target")],
        passes: &[Edit(".github/workflows/ci.yml", "on: pull_request", "on: [pull_request, push]")],
    }

    /// Makes a workflow run only by hand instead of for every pull request.
    ///
    /// Changes are then merged without its checks. Found only where the trigger for pull requests goes and one by
    /// hand comes.
    PULL_REQUEST_TRIGGER_REMOVED {
        id: "ci/pull-request-trigger-removed", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "no longer checks pull requests",
        hits: &[Edit(".github/workflows/ci.yml", "on: pull_request", "on: workflow_dispatch")],
        passes: &[Edit(".github/workflows/ci.yml", "on: pull_request", "on: [pull_request, workflow_dispatch]")],
    }

    /// Removes a rule of review: required approvals, status checks, code owners, signatures.
    ///
    /// Changes can then be merged without what the rule asked for. Lines with the names of such rules are counted
    /// before and after the edit, and those that switch a rule off do not count.
    REVIEW_RULE_REMOVED {
        id: "ci/review-rule-removed", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "removes a rule of review",
        hits: &[Edit("infra/repo.tf", "required_approvals = 2\ndismiss_stale_reviews = true", "required_approvals = 2")],
        passes: &[Edit("infra/repo.tf", "required_approvals = 2", "required_approvals = 2\ndismiss_stale_reviews = true")],
    }

    /// Changes who must review changes (`CODEOWNERS` and the like).
    ///
    /// The change itself can then go in without the people who should see it. What the change says is not read:
    /// adding an owner is found too.
    REVIEWERS_CHANGED {
        id: "ci/reviewers-changed", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "changes who must review changes",
        hits: &[Write(".github/CODEOWNERS", "* @acme/core"), Line(": > CODEOWNERS")],
        passes: &[Line("cat .github/CODEOWNERS")],
    }

    /// Removes what a CI job waits for, or the branches it is limited to.
    ///
    /// A deployment can then run before the tests, or from any branch. Read are `needs:` and conditions on
    /// `github.ref`; a job that goes as a whole is passed over.
    CI_CONDITION_REMOVED {
        id: "ci/run-condition-removed", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "lets a CI job run without waiting for others or from any branch",
        hits: &[Edit(".github/workflows/ci.yml", "  deploy:\n    needs: test\n    runs-on: ubuntu-latest", "  deploy:\n    runs-on: ubuntu-latest")],
        passes: &[Edit(".github/workflows/ci.yml", "  deploy:\n    needs: test\n    runs-on: ubuntu-latest", "  deploy:\n    needs: [lint, test]\n    runs-on: ubuntu-latest")],
    }

    /// Makes a security scanner leave out everything.
    ///
    /// The scanner still runs and finds nothing. Read are the settings and ignore files of known scanners; a
    /// pattern that leaves out much, but not all, is passed over.
    SCANNER_EXCLUDES_ALL {
        id: "ci/scanner-excludes-all", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "makes a security scanner skip everything",
        hits: &[Write(".semgrepignore", "*")],
        passes: &[Write(".semgrepignore", "docs/")],
    }

    /// Makes a self-hosted runner start a workflow on a schedule.
    ///
    /// A machine of one's own then runs it again and again, with everything it can reach. Runners of the service
    /// are passed over.
    SCHEDULED_SELF_HOSTED_RUNNER {
        id: "ci/scheduled-self-hosted-runner", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Possible,
        message: "starts a self-hosted runner on a schedule",
        hits: &[Write(".github/workflows/n.yml", "on:\n  schedule:\n    - cron: '0 3 * * *'\njobs:\n  a:\n    runs-on: self-hosted\n")],
        passes: &[Write(".github/workflows/n.yml", "on:\n  schedule:\n    - cron: '0 3 * * *'\njobs:\n  a:\n    runs-on: ubuntu-latest\n")],
    }

    /// Puts text that outsiders choose (a title, a branch, an input) into what a workflow step runs.
    ///
    /// It is put in before a shell reads the line, so the text can hold commands. Numbers and hashes are passed
    /// over, and so are values that are handed on through the environment.
    SCRIPT_INJECTION {
        id: "ci/script-injection", category: Category::RemoteExecSurface, severity: Severity::Hard, certainty: Possible,
        message: "runs text that outsiders choose in a workflow",
        hits: &[Edit(".github/workflows/ci.yml", "      - run: ./release.sh", "      - run: ./release.sh ${{ inputs.version }}")],
        passes: &[Edit(".github/workflows/ci.yml", "      - run: ./release.sh", "      - run: ./release.sh ${{ github.sha }}")],
    }

    /// Turns off a lint rule about security.
    ///
    /// Dangerous code is then no longer reported. The rules of usual linters for JavaScript are known (`no-eval`,
    /// `security/…`).
    SECURITY_LINT_OFF {
        id: "ci/security-lint-off", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "turns off a lint rule about security",
        hits: &[Edit(".eslintrc.json", "\"no-eval\": \"error\"", "\"no-eval\": \"off\"")],
        passes: &[Edit(".eslintrc.json", "\"no-console\": \"error\"", "\"no-console\": \"off\"")],
    }

    /// Lets checks be skipped: hooks, CI runs, required reviews.
    ///
    /// What the checks would have stopped then reaches everybody who uses the branch.
    /// Recognised by words in a text that is written or run (`--no-verify`, `[skip ci]`, `enforce_admins: false`). A job
    /// that is switched off with `if: false` for other reasons is found as well.
    SKIPS_CHECKS_IN_TEXT {
        id: "ci/skips-checks-in-text", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "lets hooks, CI or reviews be skipped",
        hits: &[Write("scripts/release.sh", "git commit --no-verify -m release\n")],
        passes: &[Write("scripts/release.sh", "git commit -m release\n")],
    }

    /// Starts a workflow or makes a release on a repository host.
    ///
    /// Workflows run with the secrets of the repository and may deploy; what a workflow does is not read. Running a
    /// failed one again is passed over.
    START_WORKFLOW {
        id: "ci/start-workflow", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Possible,
        message: "starts a workflow or a release with {program}",
        hits: &[Line("gh workflow run deploy.yml"), Line("gh release create v1.2.0")],
        passes: &[Line("gh run rerun 123"), Line("gh workflow list")],
    }

    /// Leaves a test without anything that can fail, or takes tests out of a file with a stream editor.
    ///
    /// The test still runs and says nothing any more. Assertions are counted before and after; one that is replaced
    /// by another is passed over.
    TEST_EMPTIED {
        id: "ci/test-emptied", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "removes what a test checks",
        hits: &[
            Edit("tests/test_a.py", "def test_a():\n    assert f(1) == 2", "def test_a():\n    assert True"),
            Line("sed -i '/assert/d' tests/test_a.py"),
        ],
        passes: &[Edit("tests/test_items.py", "assert total == 3", "assert total == 4")],
    }

    /// Writes or changes a report of tests or coverage by hand.
    ///
    /// Only a run can know the results; a report that is edited claims something that did not happen. Usual names
    /// of reports are read; generated samples for tests are found too.
    TEST_RESULTS_WRITTEN {
        id: "ci/test-results-written", category: Category::Impersonation, severity: Severity::Soft, certainty: Possible,
        message: "writes test or coverage results by hand",
        hits: &[
            Write("reports/junit.xml", "<testsuite failures=\"0\"/>"),
            Line("sed -i 's/failures=\"3\"/failures=\"0\"/' junit.xml"),
        ],
        passes: &[Write("src/test-summary.ts", "export const state = (ok: boolean) => ok ? \"passed\" : \"failed\";\n")],
    }

    /// Skips tests that were run before.
    ///
    /// What the tests guard can then break unnoticed. Recognised by the marks of usual test frameworks in an edit
    /// of an existing text; a new file may hold skipped tests.
    TEST_SKIPPED {
        id: "ci/test-skipped", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "skips tests that were run",
        hits: &[Edit("tests/test_a.py", "def test_a():", "@pytest.mark.skip\ndef test_a():")],
        passes: &[Edit("tests/test_a.py", "def test_a():", "def test_b():")],
    }

    /// Lowers how much must be covered by tests, or how many people must approve.
    ///
    /// What was too little before passes from then on. An edit is found where a threshold becomes zero or fewer
    /// people approve, and a stream editor where any of them becomes lower.
    THRESHOLD_LOWERED {
        id: "ci/threshold-lowered", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "lowers a coverage or approval threshold",
        hits: &[
            Edit("pyproject.toml", "fail_under = 90", "fail_under = 0"),
            Line("sed -i 's/fail_under = 90/fail_under = 50/' pyproject.toml"),
        ],
        passes: &[Edit("pyproject.toml", "fail_under = 80", "fail_under = 90")],
    }

    /// Turns on the unsafe workflow commands of GitHub Actions (`ACTIONS_ALLOW_UNSECURE_COMMANDS`).
    ///
    /// Text that a step prints can then set variables and the path of later steps. The value is not read: a line
    /// that sets it to false is found too.
    UNSECURE_WORKFLOW_COMMANDS {
        id: "ci/unsecure-workflow-commands", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "turns on unsafe workflow commands",
        hits: &[Edit(".github/workflows/ci.yml", "env:\n  A: 1", "env:\n  A: 1\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: true")],
        passes: &[Edit(".github/workflows/ci.yml", "env:\n  A: 1", "env:\n  A: 1\n  ACTIONS_STEP_DEBUG: true")],
    }

    /// Makes a scanner ignore a known vulnerability.
    ///
    /// It is no longer reported while it is still there. Accepting a vulnerability that does not apply is ordinary
    /// work and is found too; remarks are passed over.
    VULNERABILITY_IGNORED {
        id: "ci/vulnerability-ignored", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "makes a scanner ignore a known vulnerability",
        hits: &[Edit(".trivyignore", "# accepted", "# accepted\nCVE-2024-1234")],
        passes: &[Edit(".trivyignore", "# accepted", "# accepted\n# CVE-2024-1234 is fixed")],
    }

    /// Gives a workflow the right to write to the repository or its packages, or to get cloud credentials.
    ///
    /// Whatever runs in the workflow, a dependency included, has that right. A new workflow may have it from the
    /// start, unless strangers can start it; the right that a release needs is found too.
    WORKFLOW_WRITE_PERMISSIONS {
        id: "ci/workflow-write-permissions", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Possible,
        message: "gives a workflow write permissions",
        hits: &[Edit(".github/workflows/ci.yml", "permissions:\n  contents: read", "permissions:\n  contents: write")],
        passes: &[Edit(".github/workflows/ci.yml", "permissions:\n  contents: write", "permissions:\n  contents: read")],
    }
}
