//! Options that many git sub-commands share, as text that `concat!` can join.

/// Short options of everything that shows a difference.
macro_rules! diff_short {
    () => {
        "-abcdmpqrstuvwzDRW -# -lSGI= -O=read -UXBMC=?"
    };
}

/// Long options of everything that shows a difference.
macro_rules! diff_long {
    () => {
        "--patch --no-patch --unified=? --function-context --no-function-context --raw --patch-with-raw \
         --patch-with-stat --numstat --shortstat --dirstat=? --cumulative --dirstat-by-file=? --check --summary \
         --name-only --name-status --stat=? --no-stat --stat-width= --stat-name-width= --stat-graph-width= --stat-count= \
         --compact-summary --no-compact-summary --binary --full-index --no-full-index --color=? --no-color \
         --ws-error-highlight= --abbrev=? --no-abbrev --src-prefix= --dst-prefix= --line-prefix= --no-prefix \
         --default-prefix --inter-hunk-context= --output-indicator-new= --output-indicator-old= \
         --output-indicator-context= --break-rewrites=? --find-renames=? --irreversible-delete --find-copies=? \
         --find-copies-harder --no-find-copies-harder --no-renames --rename-empty --no-rename-empty --follow \
         --no-follow --minimal --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol \
         --ignore-blank-lines --ignore-matching-lines= --indent-heuristic --no-indent-heuristic --patience \
         --histogram --diff-algorithm= --anchored= --word-diff=? --word-diff-regex= --color-words=? --color-moved=? \
         --no-color-moved --color-moved-ws= --no-color-moved-ws --relative=? --no-relative --text --no-text \
         --exit-code --no-exit-code --quiet --no-quiet --ext-diff!executes --no-ext-diff --textconv!executes \
         --no-textconv --ignore-submodules=? --submodule=? --ita-invisible-in-index --ita-visible-in-index \
         --pickaxe-all --pickaxe-regex --rotate-to= --skip-to= --find-object= --diff-filter= --output=write \
         --cached --staged --merge-base --base --ours --theirs --cc --combined-all-paths --remerge-diff \
         --diff-merges= --no-diff-merges --dd --root --no-commit-id --end-of-options"
    };
}

/// Long options of everything that walks through history.
macro_rules! walk_long {
    () => {
        "--date= --format=? --pretty=? --oneline --since= --after= --until= --before= --since-as-filter= --author= \
         --committer= --grep= --grep-reflog= --max-count= --skip= --max-age= --min-age= --glob= --exclude= \
         --exclude-hidden= --encoding= --branches=? --tags=? --remotes=? --all --not --alternate-refs --bisect \
         --decorate=? --no-decorate --decorate-refs= --decorate-refs-exclude= --clear-decorations --source --no-source \
         --mailmap --no-mailmap --use-mailmap --no-use-mailmap --notes=? --no-notes --show-notes=? \
         --show-notes-by-default --no-standard-notes --standard-notes --min-parents=? --max-parents=? --no-min-parents \
         --no-max-parents --merges --no-merges --first-parent --exclude-first-parent-only --graph --no-graph \
         --show-linear-break=? --full-diff --log-size --all-match --invert-grep --regexp-ignore-case \
         --basic-regexp --extended-regexp --fixed-strings --perl-regexp --remove-empty --reflog --walk-reflogs \
         --ignore-missing --stdin --quiet --cherry --cherry-mark --cherry-pick --left-only --right-only --left-right \
         --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges \
         --ancestry-path=? --date-order --author-date-order --topo-order --reverse --no-walk=? --do-walk \
         --abbrev-commit --no-abbrev-commit --expand-tabs=? --no-expand-tabs --show-signature --no-show-signature \
         --relative-date --parents --children --indexed-objects --reference --in-commit-order --single-worktree \
         --early-output=?"
    };
}

/// Long options for files whose lines name paths.
macro_rules! pathspec_long {
    () => {
        "--pathspec-from-file=read --no-pathspec-from-file --pathspec-file-nul --no-pathspec-file-nul"
    };
}

/// Long options that say where a setting is kept and how it is shown.
macro_rules! config_long {
    () => {
        "--global --no-global --system --no-system --local --no-local --worktree --no-worktree --blob= --all --regexp \
         --value= --no-value --fixed-value --no-fixed-value --url= --null --no-null --name-only --no-name-only --show-origin \
         --no-show-origin --show-scope --no-show-scope --show-names --no-show-names --type= --no-type --bool --int \
         --bool-or-int --bool-or-str --path --expiry-date --includes --no-includes --default= --comment= --append"
    };
}

pub(super) use {config_long, diff_long, diff_short, pathspec_long, walk_long};
