//! Detectors for what git does to branches, history and work that exists nowhere else.

use crate::detector::Certainty::{Certain, Possible};
use crate::detector::Example::{Line, Session};
use crate::detector::{Category, Severity};

detectors! {
    /// Applies a patch that may write outside the work tree (`--unsafe-paths`).
    ///
    /// The patch then decides which files of the machine are changed.
    /// Recognised by the option alone; where the patch writes is not read.
    APPLY_UNSAFE_PATHS {
        id: "git/apply-unsafe-paths", category: Category::BlindPatch, severity: Severity::Soft, certainty: Possible,
        message: "applies a patch that may write outside the work tree",
        hits: &[Line("git apply --unsafe-paths fix.patch")],
        passes: &[Line("git apply --directory=sub fix.patch")],
    }

    /// Applies a patch that comes through a pipe.
    ///
    /// Nobody has seen what it changes. A patch that is written out in the command itself, in a here-document that the shell
    /// does not change, is judged by its text instead; a patch from a file is not this.
    APPLY_UNSEEN_PATCH {
        id: "git/apply-unseen-patch", category: Category::BlindPatch, severity: Severity::Soft, certainty: Possible,
        message: "applies a patch that nobody has seen",
        hits: &[Line("cat fix.patch | git apply -"), Line("cat fix.mbox | git am -")],
        passes: &[Line("git apply fix.patch"), Line("git apply - <<'EOF'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nEOF")],
    }

    /// Resolves merge conflicts by taking one side as a whole.
    ///
    /// The changes of the other side are gone from the merge, though it looks resolved.
    /// Lock files that a package manager writes anew are passed over.
    CHECKOUT_OURS_THEIRS {
        id: "git/checkout-ours-theirs", category: Category::DiscardWork, severity: Severity::Soft, certainty: Possible,
        message: "drops one side of a merge conflict",
        hits: &[Line("git checkout --theirs src/app.py"), Line("git restore --ours -- src/app.py")],
        passes: &[Line("git checkout --theirs package-lock.json")],
    }

    /// Commits under another name than the one that git is set up with.
    ///
    /// The history then says that somebody else made the change. Recognised are `--author`, and `user.name=` or
    /// `user.email=` in the command. Whose name it is does not matter: a user who commits with `--author` of their own is asked, too.
    COMMIT_AS_OTHER {
        id: "git/commit-as-other", category: Category::Impersonation, severity: Severity::Soft, certainty: Possible,
        message: "commits under somebody else's name",
        hits: &[Line("git commit --author='Jane Doe <jane@example.org>' -m 'Fix rounding'")],
        passes: &[Line("git log --author=Jane")],
    }

    /// Deletes or overwrites a branch of this repository by force.
    ///
    /// Commits that were only on that branch are left without a name. `git branch -d`, which refuses to do so, is not this.
    /// Whether the branch was pushed is not looked up.
    DELETE_BRANCH {
        id: "git/delete-branch", category: Category::GitDestructive, severity: Severity::Soft, certainty: Certain,
        message: "deletes or overwrites a local branch by force",
        hits: &[Line("git branch -D fix-tax")],
        passes: &[Line("git branch -d fix-tax")],
    }

    /// Discards uncommitted changes, untracked files or stashes.
    ///
    /// What was never committed cannot be brought back. Which commands do so is written in the table of each program: `git reset
    /// --hard`, `git clean`, `git stash drop`, `hg revert`, `jj abandon` and others.
    /// Whether there is anything to lose is not looked up, so it is also found in a clean work tree.
    DISCARD_CHANGES {
        id: "git/discard-changes", category: Category::DiscardWork, severity: Severity::Soft, certainty: Certain,
        message: "discards uncommitted work with {program}",
        hits: &[Line("git reset --hard"), Line("git checkout -- src/main.rs"), Line("git clean -fd")],
        passes: &[Line("git reset --soft HEAD~1"), Line("git clean -nd"), Line("git worktree remove ../proj-fix")],
    }

    /// Fetches into branches of this repository in a way that overwrites them.
    ///
    /// Commits that were made here and not pushed are no longer on the branch afterwards.
    /// Only shared branches and patterns for many branches count; remote-tracking branches are made to be overwritten.
    FETCH_OVER_BRANCH {
        id: "git/fetch-over-branch", category: Category::GitDestructive, severity: Severity::Soft, certainty: Possible,
        message: "overwrites local branches with fetched ones",
        hits: &[Line("git fetch origin +main:main"), Line("git fetch -f origin '*:*'")],
        passes: &[Line("git fetch origin main"), Line("git fetch origin '+refs/heads/*:refs/remotes/origin/*'")],
    }

    /// Hides changes of a tracked file from git (`--skip-worktree`, `--assume-unchanged`).
    ///
    /// What is changed there no longer shows in `git status` or in a diff, so nobody reviews it.
    /// People also use it for settings of their own machine.
    HIDE_CHANGES {
        id: "git/hide-changes", category: Category::BypassReview, severity: Severity::Soft, certainty: Possible,
        message: "hides changes of a file from `git status` and diffs",
        hits: &[Line("git update-index --skip-worktree config/app.yml")],
        passes: &[Line("git update-index --refresh")],
    }

    /// Resets a working tree through a Git library (`GitPython`, Dulwich, Rugged, isomorphic-git).
    ///
    /// Changes that are not committed are lost, as with `git reset --hard`.
    /// The library and the hard or forced mode must be named in one line.
    GIT_LIBRARY_RESET {
        id: "git/library-hard-reset", category: Category::DiscardWork, severity: Severity::Soft, certainty: Possible,
        message: "discards uncommitted work through a Git library",
        hits: &[Line("python3 -c \"from git import Repo; Repo().head.reset('HEAD', index=True, working_tree=True)\"")],
        passes: &[Line("python3 -c \"from git import Repo; print(Repo().is_dirty())\"")],
    }

    /// Moves or deletes a branch without a commit or a merge.
    ///
    /// Commits that were only on the branch lose their name. `git update-ref` counts where it deletes, reads from standard
    /// input or moves a shared branch, and `git checkout -B` where it makes a shared branch anew; other branches may be moved.
    MOVE_BRANCH {
        id: "git/move-branch", category: Category::GitDestructive, severity: Severity::Soft, certainty: Possible,
        message: "moves or deletes a branch without a merge",
        hits: &[Line("git update-ref -d refs/heads/fix-tax"), Line("git checkout -B main fix-tax")],
        passes: &[Line("git checkout -B fix-tax origin/main")],
    }

    /// Deletes a tag of this repository or moves it to another commit.
    ///
    /// A tag names what was released; once it is moved, the same name means something else.
    /// The tag on the remote stays until it is pushed or deleted there.
    MOVE_TAG {
        id: "git/move-tag", category: Category::GitDestructive, severity: Severity::Soft, certainty: Possible,
        message: "deletes or moves a tag",
        hits: &[Line("git tag -d v1.2.0"), Line("git tag -fa v1.2.0 -m 'Release'")],
        passes: &[Line("git tag -a v1.2.0 -m 'Fix the docs'"), Line("git tag --list 'v1.*'")],
    }

    /// Writes over files, by roundabout ways, that may hold uncommitted changes.
    ///
    /// `git show HEAD:f > f`, `git diff | git apply -R`, `git archive | tar x`, `git read-tree --reset`, a forced submodule
    /// update or checkout of a pull request do what `git checkout -- f` does, without its name.
    /// Whether the file has changes is not looked up.
    OVERWRITE_UNCOMMITTED {
        id: "git/overwrite-uncommitted", category: Category::DiscardWork, severity: Severity::Soft, certainty: Possible,
        message: "may overwrite uncommitted changes",
        hits: &[Line("git show HEAD:src/app.py > src/app.py"), Line("git diff | git apply -R")],
        passes: &[Line("git show HEAD:src/app.py > /tmp/app.py"), Line("git diff --output=fix.patch"), Line("git submodule update --init")],
    }

    /// Fetches or merges from an address instead of a remote of the repository.
    ///
    /// The project's remotes were chosen by its people; an address in the command can be anybody's.
    /// Cloning is not this: a clone changes nothing that is here.
    PULL_FROM_URL {
        id: "git/pull-from-url", category: Category::BlindPatch, severity: Severity::Soft, certainty: Possible,
        message: "fetches or merges from an address that is not a remote of the repository",
        hits: &[Line("git pull https://git.example.net/x/proj.git main"), Line("git fetch git@git.example.net:x/proj.git")],
        passes: &[Line("git pull origin fix-tax")],
    }

    /// Pushes to a remote, a branch or a tag whose name says that a release or a deployment starts from it.
    ///
    /// Hosting services deploy what is pushed to remotes like `heroku`, and pipelines publish version tags.
    /// Only the name is read: a pipeline that deploys from any other branch is not known.
    PUSH_DEPLOYS {
        id: "git/push-deploys", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Possible,
        message: "pushes where a release or a deployment may start",
        hits: &[Line("git push heroku fix-tax"), Line("git push origin v1.2.3")],
        passes: &[Line("git push origin fix-tax"), Line("git push --dry-run heroku fix-tax")],
    }

    /// Overwrites or deletes branches or tags in the remote repository.
    ///
    /// Commits that others pushed, or that exist nowhere else, are lost for everybody who uses the repository.
    /// A push whose options come from a variable is not recognised; it is asked about because it cannot be read.
    PUSH_FORCE {
        id: "git/push-force", category: Category::GitDestructive, severity: Severity::Soft, certainty: Certain,
        message: "force-pushes or deletes remote branches",
        hits: &[Line("git push --force origin main"), Line("git push origin --delete spike"), Line("git push origin +fix:fix")],
        passes: &[Line("git push -u origin fix-tax"), Line("git push --force --dry-run origin main")],
    }

    /// Pushes to a branch that others build, test or deploy from (`main`, `release/…`).
    ///
    /// What is pushed there reaches everybody at once, without a review.
    /// Which branch is the default one of a repository is not looked up: the usual names count.
    PUSH_SHARED_BRANCH {
        id: "git/push-shared-branch", category: Category::PushDefaultBranch, severity: Severity::Soft, certainty: Certain,
        message: "pushes to a branch that others build from",
        hits: &[Line("git push origin main"), Line("git push origin HEAD:release/2.1")],
        passes: &[Line("git push -u origin fix-tax"), Line("git push origin HEAD:refs/for/main")],
    }

    /// Pushes to or pulls from a remote whose address was changed earlier in the session.
    ///
    /// The commits go to, or come from, another repository than the name of the remote promises.
    /// A remote that was changed before the session began is not known. Without a name, any changed remote counts.
    REDIRECTED_REMOTE {
        id: "git/redirected-remote", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "uses a remote that was pointed elsewhere in this session",
        hits: &[Session(&[Line("git remote set-url origin https://git.example.net/x/proj.git"), Line("git pull origin fix-tax")])],
        passes: &[Session(&[Line("git remote set-url origin https://git.example.net/x/proj.git"), Line("git pull backup fix-tax")])],
    }

    /// Adds a remote to the repository.
    ///
    /// Code can come from there, or go there, from then on. Adding the repository that a fork was made from is common and harmless.
    REMOTE_ADD {
        id: "git/remote-add", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "adds a git remote",
        hits: &[Line("git remote add upstream https://git.example.net/x/proj.git")],
        passes: &[Line("git remote -v")],
    }

    /// Removes a remote from the repository with all that is known of its branches.
    ///
    /// Remote-tracking branches, which may be the last copy of what others deleted, go with it.
    /// `git remote prune` is not this.
    REMOTE_REMOVE {
        id: "git/remote-remove", category: Category::GitDestructive, severity: Severity::Soft, certainty: Possible,
        message: "removes a git remote and its tracking branches",
        hits: &[Line("git remote remove upstream")],
        passes: &[Line("git remote show upstream")],
    }

    /// Points a remote of the repository to another address.
    ///
    /// Later pulls bring code from there, and later pushes hand the code over to it.
    /// Whether both addresses are of the same owner is not compared: the move from HTTPS to SSH is found as well.
    REMOTE_SET_URL {
        id: "git/remote-set-url", category: Category::SupplyChain, severity: Severity::Soft, certainty: Certain,
        message: "points a git remote to another address",
        hits: &[Line("git remote set-url origin https://git.example.net/x/proj.git")],
        passes: &[Line("git remote get-url origin")],
    }

    /// Adds a trailer to a commit that says somebody reviewed, tested, approved or signed it.
    ///
    /// Reviewers and release tools rely on `Reviewed-by:` and the like; an agent cannot know that they are true.
    /// Looks for the usual trailers at the start of a line of the message, or behind `--trailer`; a message that comes from a file is not read.
    REVIEW_TRAILER {
        id: "git/review-trailer", category: Category::Impersonation, severity: Severity::Soft, certainty: Possible,
        message: "says in a commit that somebody else reviewed, tested or signed it",
        hits: &[Line("git commit -m 'Fix rounding' -m 'Reviewed-by: Jane <jane@example.org>'")],
        passes: &[Line("git commit -m 'Show who reviewed an invoice'"), Line("git commit -s -m 'Fix rounding'")],
    }

    /// Rewrites or deletes the history of the repository.
    ///
    /// Commits that no branch holds any more, and the reflog that would find them, are gone for good.
    /// `git rebase` and `git commit --amend` are not this: the reflog keeps what they replace.
    REWRITE_HISTORY {
        id: "git/rewrite-history", category: Category::GitDestructive, severity: Severity::Soft, certainty: Certain,
        message: "rewrites or deletes the history of the repository",
        hits: &[Line("git filter-branch --tree-filter 'rm -f secrets.txt' HEAD")],
        passes: &[Line("git reflog show fix-tax"), Line("git gc --auto")],
    }

    /// Skips the git hooks of the repository.
    ///
    /// Hooks run the checks that the project wants before a commit or a push. Recognised are `--no-verify`, `git commit -n`,
    /// `core.hooksPath=` in the command, and the variables that switch hook managers off (`HUSKY`, `SKIP`, `LEFTHOOK`).
    /// Hooks that are removed from their folder are an edit of `.git` or `.husky`, not this.
    SKIP_HOOKS {
        id: "git/skip-hooks", category: Category::BypassReview, severity: Severity::Soft, certainty: Certain,
        message: "skips the repository's git hooks",
        hits: &[Line("git commit --no-verify -m wip"), Line("git commit -nm wip")],
        passes: &[Line("git commit -m 'no verify step'"), Line("git log -n 3")],
    }
}
