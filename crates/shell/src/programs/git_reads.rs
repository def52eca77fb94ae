//! Sub-commands of git that show something, at least in their ordinary use.

use super::git_channels as channels;
use super::git_checks as check;
use super::git_options::{config_long, diff_long, diff_short, walk_long};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const READS: Effects = Effects::READS;
const REPOSITORY: Effects = Effects::REPOSITORY;

const DIFF: &str = concat!(diff_short!(), " ", diff_long!(), " --no-index --index");
const LOG: &str = concat!(diff_short!(), " -giEFP -nL= ", diff_long!(), " ", walk_long!());
const REV_LIST: &str = concat!(
    "-abcdmpqrstuvwzDRWgiEFP -# -lSGIn= -O=read -UXBMC=? ",
    diff_long!(),
    " ",
    walk_long!(),
    " --count --objects --objects-edge --objects-edge-aggressive --no-object-names --object-names --header --timestamp \
     --bisect-vars --bisect-all --disk-usage=? --unpacked --filter=? --no-filter --filter-provided-objects \
     --filter-print-omitted --missing=? --exclude-promisor-objects --use-bitmap-index --progress=? --commit-header \
     --no-commit-header --object-type --show-commit --test-bitmap"
);
const BLAME: &str = "-bfnpctlsewh -# -L= -S=read -CM=? --incremental --no-incremental --root --no-root --show-stats \
    --no-show-stats --progress --no-progress --score-debug --show-name --no-show-name --show-number --no-show-number \
    --porcelain --no-porcelain --line-porcelain --no-line-porcelain --show-email --no-show-email --ignore-rev= \
    --no-ignore-rev --ignore-revs-file=read --no-ignore-revs-file --color-lines --no-color-lines --color-by-age \
    --no-color-by-age --minimal --no-minimal --contents=read --abbrev=? --no-abbrev --date= --since= --after= --until= \
    --before= --reverse --first-parent --encoding= --no-textconv --textconv!executes --diff-algorithm= \
    --ignore-all-space --ignore-space-change --end-of-options";
const REF_FILTER: &str = "-sp --shell --no-shell --perl --no-perl --python --no-python --tcl --no-tcl --omit-empty \
    --no-omit-empty --count= --no-count --format= --color=? --no-color --exclude= --no-exclude --sort= --no-sort \
    --points-at= --merged= --no-merged= --contains= --no-contains= --ignore-case --no-ignore-case --stdin \
    --include-root-refs --no-include-root-refs --start-after=";
const CONFIG: &str = concat!(
    "-lze -tf= --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --file= --edit --add \
     --replace-all --unset --unset-all --rename-section --remove-section ",
    config_long!()
);
const CONFIG_READ: &str = concat!("-z -t= -f=read --file=read ", config_long!());

pub(super) const VERBS: &[Spec] = &[
    Spec::new("log whatchanged", READS).options(LOG).operands(Operands::Text).check(check::content).examples(&[
        ("git log --oneline -20", "reads"),
        ("git --no-pager log -n 5 --format=%h%x09%s --since='2 weeks ago' -- src", "reads"),
        ("git log -S foo -G bar -L 1,5:src/main.rs --stat=80 -M90%", "reads"),
        ("git log --author me --date short --diff-filter=AM --graph --all", "reads"),
        ("git log --output=x", "reads writes"),
        ("git log --output x -p", "reads writes"),
        ("git log --ext-diff -p", "reads executes"),
        ("git log --outp=x", "reads unknown"),
        ("git log -p -- .env", "reads secrets"),
        ("git log -p -- '.en?'", "reads secrets"),
        ("git log -p -- '*env'", "reads secrets"),
        ("git log -p -- '*.rs'", "reads"),
        ("git log -L 1,20:.env", "reads secrets"),
        ("git log -- .env", "reads"),
        ("git -c color.ui=never log -- .env", "reads"),
        ("git log --binary -- .env", "reads secrets"),
        ("git log -c -- .env", "reads secrets"),
        ("git log --dd -- .env", "reads secrets"),
    ]),
    Spec::new("show", READS).options(LOG).operands(Operands::Text).check(check::content).examples(&[
        ("git show HEAD~2:src/main.rs", "reads"),
        ("git show --stat --format= HEAD", "reads"),
        ("git show HEAD:.env", "reads secrets"),
        ("git show --output=/tmp/x HEAD", "reads writes"),
    ]),
    Spec::new("diff", READS).options(DIFF).operands(Operands::Text).check(check::diff).examples(&[
        ("git diff --cached --name-only HEAD~3..HEAD -- src tests", "reads"),
        ("git diff -U10 -w --color-words main...feature", "reads"),
        ("git diff --no-index /etc/hosts b", "reads"),
        ("git diff --no-index /dev/null .env", "reads secrets"),
        ("git diff --stat -- .env", "reads"),
        ("git diff --output out.patch", "reads writes"),
        ("git diff --ext-diff", "reads executes"),
        ("git diff --textconv", "reads executes"),
    ]),
    Spec::new("diff-tree diff-index diff-files", READS)
        .options(concat!(diff_short!(), " -n= ", diff_long!(), " ", walk_long!(), " --merge-base"))
        .operands(Operands::Text)
        .check(check::content)
        .examples(&[
            ("git diff-tree --no-commit-id --name-only -r HEAD", "reads"),
            ("git diff-index --cached --quiet HEAD --", "reads"),
            ("git diff-files --output=x", "reads writes"),
        ]),
    Spec::new("range-diff", READS)
        .options(concat!(
            diff_short!(),
            " ",
            diff_long!(),
            " --creation-factor= --no-dual-color --dual-color --notes=? --no-notes --left-only --right-only"
        ))
        .operands(Operands::Text)
        .check(check::content)
        .examples(&[("git range-diff main...topic", "reads"), ("git range-diff --output=x a...b", "reads writes")]),
    Spec::new("status", READS)
        .options(
            "-vsbz -uM=? --verbose --no-verbose --short --no-short --branch --no-branch --show-stash --no-show-stash \
             --ahead-behind --no-ahead-behind --porcelain=? --no-porcelain --long --no-long --null --no-null \
             --untracked-files=? --no-untracked-files --ignored=? --no-ignored --ignore-submodules=? --column=? \
             --no-column --no-renames --renames --find-renames=? --no-find-renames",
        )
        .operands(Operands::Text)
        .examples(&[
            ("git status -sb", "reads"),
            ("git status --porcelain=v2 --untracked-files=no .", "reads"),
            ("git -C /repo status", "reads"),
            ("git --git-dir=/x/.git --work-tree=/x status", "reads"),
            ("git status -c user.name=x", "reads unknown"),
        ]),
    Spec::new("blame annotate pickaxe", READS).options(BLAME).operands(Operands::Text).check(check::content).examples(&[
        ("git blame -L 10,20 -w -C -C src/main.rs", "reads"),
        ("git blame --contents /tmp/x HEAD -- a.rs", "reads"),
        ("git blame config/.env", "reads secrets"),
    ]),
    Spec::new("grep", READS)
        .options(
            "-viwaIrEGFPnhHlLzocpWq -# -CBAem= -f=read -O=?!executes --cached --no-cached --no-index --index --untracked \
             --no-untracked --exclude-standard --no-exclude-standard --recurse-submodules --no-recurse-submodules \
             --invert-match --ignore-case --word-regexp --text --textconv!executes --no-textconv --recursive \
             --no-recursive --max-depth= --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number \
             --no-line-number --column --no-column --full-name --no-full-name --files-with-matches --name-only \
             --files-without-match --null --only-matching --count --color=? --no-color --break --no-break --heading \
             --no-heading --context= --before-context= --after-context= --threads= --show-function --function-context \
             --and --or --not --quiet --all-match --open-files-in-pager=?!executes --ext-grep --no-ext-grep \
             --max-count= --end-of-options",
        )
        .operands(Operands::Text)
        .check(check::grep)
        .examples(&[
            ("git grep -n -i -C 3 'fn main' -- '*.rs'", "reads"),
            ("git grep -e foo --and -e bar HEAD~5 -- src", "reads"),
            ("git grep --no-index foo /etc", "reads"),
            ("git grep --no-index pass .env", "reads secrets"),
            ("git grep -O foo", "reads executes"),
            ("git grep -nOvi foo", "reads executes"),
            ("git grep --open-files-in-pager=vi foo", "reads executes"),
            ("git grep --open=vi foo", "reads unknown"),
        ]),
    Spec::new("ls-files", READS)
        .options(
            "-ztvfcdmoiskur -x= -X=read --cached --no-cached --deleted --no-deleted --modified --no-modified --others \
             --no-others --ignored --no-ignored --stage --no-stage --killed --no-killed --directory --no-directory --eol \
             --no-eol --empty-directory --no-empty-directory --unmerged --no-unmerged --resolve-undo --no-resolve-undo \
             --exclude= --exclude-from=read --exclude-per-directory= --no-exclude-per-directory --exclude-standard \
             --full-name --recurse-submodules --no-recurse-submodules --error-unmatch --no-error-unmatch --with-tree= \
             --abbrev=? --no-abbrev --debug --deduplicate --no-deduplicate --sparse --no-sparse --format=",
        )
        .operands(Operands::Text)
        .examples(&[
            ("git ls-files -z --others --exclude-standard -x '*.o' -- src", "reads"),
            ("git ls-files --unknown", "reads unknown"),
        ]),
    Spec::new("ls-tree", READS)
        .options(
            "-drtzl --long --name-only --name-status --object-only --full-name --no-full-name --full-tree \
             --no-full-tree --format= --abbrev=? --no-abbrev",
        )
        .operands(Operands::Text)
        .examples(&[("git ls-tree -r --name-only HEAD src/", "reads")]),
    Spec::new("cat-file", READS)
        .options(
            "-eptsZ --allow-unknown-type --use-mailmap --no-use-mailmap --mailmap --no-mailmap --batch=? \
             --batch-check=? --batch-command=? --batch-all-objects --buffer --no-buffer --follow-symlinks --unordered \
             --no-unordered --textconv!executes --filters!executes --path= --filter=",
        )
        .operands(Operands::Text)
        .check(channels::objects)
        .examples(&[
            ("git cat-file --batch <<< HEAD:.env", "reads secrets"),
            ("git cat-file --batch <<< HEAD:a.rs", "reads"),
            ("git cat-file -p HEAD^{tree}", "reads"),
            ("git cat-file --batch-check='%(objectname)'", "reads"),
            ("git cat-file --filters HEAD:a", "reads executes"),
            ("git cat-file blob HEAD:.env", "reads secrets"),
        ]),
    // Rev-parse prints what it does not know; nothing on its line makes it do more.
    Spec::new("rev-parse", READS).style(Style::Raw).operands(Operands::Text).examples(&[
        ("git rev-parse --abbrev-ref HEAD", "reads"),
        ("git rev-parse --show-toplevel --git-dir --git-path hooks", "reads"),
        ("git rev-parse --verify --quiet 'HEAD^{commit}' --anything", "reads"),
    ]),
    Spec::new("check-ref-format", READS).style(Style::Raw).operands(Operands::Text).examples(&[(
        "git check-ref-format --branch foo",
        "reads",
    )]),
    Spec::new("rev-list", READS).options(REV_LIST).operands(Operands::Text).examples(&[
        ("git rev-list --count --left-right main...HEAD", "reads"),
        ("git rev-list --objects --all --no-object-names", "reads"),
        ("git rev-list --output=x HEAD", "reads writes"),
    ]),
    Spec::new("shortlog", READS)
        .options(concat!(
            "-abcdmpqrtuvzDRWnsegiEFP -# -lSGI= -O=read -wUXBMC=? --committer --numbered --summary --email --group= ",
            diff_long!(),
            " ",
            walk_long!()
        ))
        .operands(Operands::Text)
        .examples(&[("git shortlog -sne --all --no-merges", "reads"), ("git shortlog --output=x HEAD", "reads writes")]),
    Spec::new("describe", READS)
        .options(
            "-# --contains --no-contains --debug --no-debug --all --no-all --tags --no-tags --long --no-long \
             --first-parent --no-first-parent --abbrev=? --no-abbrev --exact-match --no-exact-match --candidates= \
             --match= --no-match --exclude= --no-exclude --always --no-always --dirty=? --no-dirty --broken=? --no-broken",
        )
        .operands(Operands::Text)
        .examples(&[("git describe --tags --abbrev=0 --match 'v*' --always --dirty", "reads")]),
    Spec::new("for-each-ref", READS).options(REF_FILTER).operands(Operands::Text).examples(&[(
        "git for-each-ref --sort=-committerdate --format='%(refname:short)' --count 5 refs/heads",
        "reads",
    )]),
    Spec::new("show-ref", READS)
        .options(
            "-dqh -s=? --tags --no-tags --branches --no-branches --heads --no-heads --exists --verify --no-verify --head \
             --no-head --dereference --no-dereference --hash=? --no-hash --abbrev=? --quiet --exclude-existing=?",
        )
        .operands(Operands::Text)
        .examples(&[("git show-ref --verify --quiet refs/heads/x", "reads"), ("git show-ref -s HEAD", "reads")]),
    Spec::new("name-rev", READS)
        .options(
            "--name-only --no-name-only --tags --no-tags --refs= --no-refs --exclude= --no-exclude --all --stdin \
             --annotate-stdin --undefined --no-undefined --always --no-always",
        )
        .operands(Operands::Text)
        .examples(&[("git name-rev --name-only HEAD", "reads")]),
    Spec::new("merge-base", READS)
        .options("-a --all --no-all --octopus --independent --is-ancestor --fork-point")
        .operands(Operands::Text)
        .examples(&[("git merge-base --is-ancestor a b", "reads")]),
    Spec::new("show-branch", READS)
        .options(
            "-ar -# -g=? --all --no-all --remotes --no-remotes --color=? --no-color --more=? --list --no-name \
             --current --no-current --sha1-name --merge-base --independent --topo-order --topics --sparse --date-order \
             --reflog=?",
        )
        .operands(Operands::Text)
        .examples(&[("git show-branch --all", "reads")]),
    Spec::new("cherry", READS)
        .options("-v --abbrev=? --no-abbrev --verbose --no-verbose")
        .operands(Operands::Text)
        .examples(&[("git cherry -v main topic", "reads")]),
    Spec::new("count-objects", READS)
        .options("-vH --verbose --human-readable")
        .examples(&[("git count-objects -vH", "reads"), ("git count-objects x", "reads unknown")]),
    Spec::new("fsck fsck-objects", READS)
        .options(
            "-v --verbose --no-verbose --unreachable --no-unreachable --dangling --no-dangling --tags --no-tags --root \
             --no-root --cache --no-cache --reflogs --no-reflogs --full --no-full --connectivity-only --strict \
             --no-strict --lost-found!writes --progress --no-progress --name-objects --references --no-references",
        )
        .operands(Operands::Text)
        .examples(&[("git fsck --full --no-dangling", "reads"), ("git fsck --lost-found", "reads writes")]),
    Spec::new("verify-pack", READS)
        .options("-vs --verbose --stat-only --object-format=")
        .operands(Operands::Read)
        .examples(&[("git verify-pack -v .git/objects/pack/a.idx", "reads")]),
    Spec::new("verify-commit verify-tag", READS)
        .options("-v --verbose --no-verbose --raw --no-raw --format=")
        .operands(Operands::Text)
        .examples(&[("git verify-commit HEAD", "reads")]),
    Spec::new("var", READS).options("-l").operands(Operands::Text).examples(&[("git var GIT_AUTHOR_IDENT", "reads")]),
    Spec::new("check-attr", READS)
        .options("-az --all --cached --stdin --source=")
        .operands(Operands::Text)
        .examples(&[("git check-attr -a -- src/a.rs", "reads")]),
    Spec::new("check-ignore", READS)
        .options("-qvzn --quiet --no-quiet --verbose --no-verbose --stdin --non-matching --no-index --index")
        .operands(Operands::Text)
        .examples(&[("git check-ignore -v .env node_modules", "reads")]),
    Spec::new("check-mailmap", READS)
        .options("--stdin --mailmap-file=read --mailmap-blob=")
        .operands(Operands::Text)
        .examples(&[("git check-mailmap 'A <a@b>'", "reads")]),
    Spec::new("column", READS)
        .options("--command= --mode=? --raw-mode= --width= --indent= --nl= --padding=")
        .examples(&[("git column --mode=dense", "reads")]),
    Spec::new("get-tar-commit-id show-index patch-id stripspace", READS)
        .options("-sc --object-format= --unstable --stable --verbatim --strip-comments --comment-lines")
        .examples(&[("git patch-id --stable", "reads"), ("git stripspace -s", "reads")]),
    Spec::new("fmt-merge-msg", READS)
        .options("-m= -F=read --log=? --no-log --message= --into-name= --file=read")
        .examples(&[("git fmt-merge-msg -F .git/FETCH_HEAD", "reads")]),
    Spec::new("interpret-trailers", READS)
        .options(
            "--in-place!writes --trim-empty --where= --no-where --if-exists= --no-if-exists --if-missing= \
             --no-if-missing --only-trailers --only-input --unfold --parse --no-divider --trailer= --no-trailer",
        )
        .operands(Operands::Read)
        .examples(&[
            ("git interpret-trailers --parse msg", "reads"),
            ("git interpret-trailers --in-place --trailer a=b msg", "reads writes"),
        ]),
    Spec::new("pack-redundant", READS)
        .options("-iv --all --verbose --alt-odb --i-still-use-this")
        .operands(Operands::Text)
        .examples(&[("git pack-redundant --all", "reads")]),
    Spec::new("version", READS).options("--build-options").examples(&[("git version --build-options", "reads")]),
    Spec::new("help", READS)
        .options(
            "-amivgc -w!system --all --external-commands --no-external-commands --aliases --no-aliases --man --info \
             --web!system --verbose --guides --user-interfaces --developer-interfaces --config",
        )
        .operands(Operands::Text)
        .examples(&[("git help log", "reads"), ("git help -w log", "reads system")]),
    Spec::new("fast-export", READS)
        .options(concat!(
            "--progress= --signed-tags= --signed-commits= --tag-of-filtered-object= --reencode= --export-marks=write \
             --import-marks=read --import-marks-if-exists=read --fake-missing-tagger --full-tree --use-done-feature \
             --no-data --data --refspec= --anonymize --anonymize-map= --reference-excluded-parents \
             --show-original-ids --mark-tags ",
            walk_long!()
        ))
        .operands(Operands::Text)
        .check(check::content)
        .examples(&[
            ("git fast-export --all -- .env", "reads secrets"),
            ("git fast-export --all", "reads"),
            ("git fast-export --export-marks=m --all", "reads writes"),
        ]),
    Spec::new("archive", READS)
        .options(
            "-vl -# -o=write --format= --prefix= --no-prefix --add-file=read --add-virtual-file= --output=write \
             --worktree-attributes --verbose --mtime= --list --remote=!network-read --exec=exec",
        )
        .operands(Operands::Text)
        .check(check::archive)
        .examples(&[
            ("git archive --remote=http://169.254.169.254/x HEAD", "reads network-read secrets executes"),
            ("git archive --remote='ext::x' HEAD", "reads network-read executes"),
            ("git archive --format=tar HEAD src", "reads"),
            ("git archive -o x.zip HEAD", "reads writes"),
            ("git archive --remote=origin HEAD", "reads network-read executes"),
            ("git archive --remote=/tmp/x --format=zz HEAD", "reads network-read executes"),
            ("git archive --remote=o --exec=evil HEAD", "reads network-read executes"),
        ]),
    Spec::new("ls-remote", Effects::NETWORK_READ)
        .options(
            "-qtbh -o=send --quiet --upload-pack=exec --exec=exec --tags --branches --heads --refs --get-url --sort= \
             --exit-code --symref --server-option=send",
        )
        .operands(Operands::Text)
        .check(check::remote)
        .examples(&[
            ("git ls-remote --tags --sort=-v:refname origin", "network-read"),
            ("git ls-remote https://github.com/a/b HEAD", "network-read"),
            ("git ls-remote --upload-pack=evil x", "network-read executes"),
            ("git ls-remote 'ext::sh -c evil'", "network-read executes"),
            ("git ls-remote http://169.254.169.254/x", "network-read secrets"),
            ("git ls-remote -o x origin", "network-read sends-data"),
        ]),
    Spec::new("request-pull", READS.and(Effects::NETWORK_READ))
        .options("-p")
        .operands(Operands::Text)
        .check(check::request_pull)
        .examples(&[("git request-pull v1 https://example.com/a main", "reads network-read")]),
    Spec::new("branch", READS)
        .options(
            "-vqrali -d!repository -D!repository!discards -mMcC!repository -f!repository!discards -u=!repository \
             -t=?!repository --verbose --no-verbose --quiet --no-quiet --track=?!repository --no-track!repository \
             --set-upstream-to=!repository --set-upstream!repository --unset-upstream!repository --color=? --no-color \
             --remotes --remote --contains= --no-contains= --abbrev=? --no-abbrev --all --delete!repository \
             --move!repository --omit-empty --no-omit-empty --copy!repository --list --no-list --show-current \
             --create-reflog!repository --edit-description!executes!repository --force!repository!discards --merged= \
             --no-merged= --column=? --no-column --sort= --no-sort --points-at= --ignore-case --no-ignore-case \
             --recurse-submodules!repository --no-recurse-submodules --format=",
        )
        .operands(Operands::Text)
        .check(check::branch)
        .examples(&[
            ("git branch", "reads"),
            ("git branch -avv --sort=-committerdate", "reads"),
            ("git branch --show-current", "reads"),
            ("git branch --list 'feat/*'", "reads"),
            ("git branch --contains HEAD~2 --merged main", "reads"),
            ("git branch new", "reads repository"),
            ("git branch -v new", "reads repository"),
            ("git branch -d old", "reads repository"),
            ("git branch -D old", "reads repository discards"),
            ("git branch -m a b", "reads repository"),
            ("git branch -f main HEAD~3", "reads repository discards"),
            ("git branch -u origin/main", "reads repository"),
            ("git branch --edit-description", "reads repository executes"),
        ]),
    Spec::new("tag", READS)
        .options(
            "-lvi -n=? -d!repository -aesf!repository -mu=!repository -F=read!repository --list --delete!repository \
             --verify --annotate!repository --message=!repository --file=read!repository --trailer=!repository \
             --edit!repository --sign!repository --no-sign --cleanup= --local-user=!repository --force!repository \
             --create-reflog!repository --column=? --no-column --contains= --no-contains= --merged= --no-merged= \
             --omit-empty --no-omit-empty --sort= --no-sort --points-at= --format= --color=? --no-color --ignore-case \
             --no-ignore-case",
        )
        .operands(Operands::Text)
        .check(check::tag)
        .examples(&[
            ("git tag", "reads"),
            ("git tag -l 'v1.*' --sort=-v:refname", "reads"),
            ("git tag -n3 'v*'", "reads"),
            ("git tag --points-at HEAD", "reads"),
            ("git tag -v v1", "reads"),
            ("git tag v1", "reads repository"),
            ("git tag --sort=x v1", "reads repository"),
            ("git tag -a v1 -m msg", "reads repository"),
            ("git tag -d v1", "reads repository"),
        ]),
    Spec::new("remote", READS)
        .options("-v --verbose --no-verbose")
        .verbs(&[
            Spec::new("show", READS.and(Effects::NETWORK_READ))
                .options("-n")
                .operands(Operands::Text)
                .check(check::remote),
            Spec::new("get-url", READS).options("--push --all").operands(Operands::Text),
            Spec::new("add", REPOSITORY)
                .options("-f!network-read -tm= --fetch!network-read --tags --no-tags --track= --master= --mirror=?")
                .operands(Operands::Text)
                .check(super::git_remotes::remote_address),
            Spec::new("set-url", REPOSITORY)
                .options("--delete --add --push")
                .operands(Operands::Text)
                .check(super::git_remotes::remote_address),
            Spec::new("remove rm rename set-head set-branches", REPOSITORY)
                .options("-ad --auto!network-read --delete --add --push --progress --no-progress")
                .operands(Operands::Text),
            Spec::new("update", REPOSITORY.and(Effects::NETWORK_READ)).options("-p --prune").operands(Operands::Text),
            Spec::new("prune", REPOSITORY.and(Effects::NETWORK_READ))
                .options("-n!dry --dry-run!dry")
                .operands(Operands::Text),
        ])
        .examples(&[
            ("git remote -v", "reads"),
            ("git remote get-url origin", "reads"),
            ("git remote show origin", "reads network-read"),
            ("git remote show http://localhost/x", "reads network-read network-write"),
            ("git remote show ext::x", "reads network-read executes"),
            ("git remote add x https://example.com/x", "repository"),
            ("git remote set-url origin x", "repository"),
            ("git remote remove x", "repository"),
            ("git remote update --prune", "repository network-read"),
            ("git remote prune -n origin", "reads network-read"),
            ("git remote foo", "reads unknown"),
        ]),
    Spec::new("config", READS)
        .options(CONFIG)
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("get list", READS).options(CONFIG_READ).operands(Operands::Text),
            Spec::new("edit", Effects::EXECUTES).options(CONFIG_READ),
            Spec::new("set unset rename-section remove-section", Effects::NONE)
                .options(concat!("-t= -f=write --file=write ", config_long!()))
                .operands(Operands::Text),
        ])
        .check(super::git_config::config)
        .examples(&[
            ("git config --get user.name", "reads"),
            ("git config user.email", "reads"),
            ("git config --global --list --show-origin", "reads"),
            ("git config -f .gitmodules --get-regexp path", "reads"),
            ("git config get --all user.name", "reads"),
            ("git config --get branch.main.remote", "reads"),
            ("git config --get http.https://github.com/.extraheader", "reads secrets"),
            ("git config github.token", "reads secrets"),
            ("git config --get-regexp .", "reads secrets"),
            ("git config --get-regexp 'http.*'", "reads secrets"),
            ("git config --get-regexp '^(alias|user)[.]'", "reads secrets"),
            ("git config --get-regexp '^(alias|user)\\.'", "reads"),
            ("git config --get-regexp 'alias|.'", "reads secrets"),
            ("git config get --regexp '.*'", "reads secrets"),
            ("git config --get-urlmatch http https://github.com", "reads secrets"),
            ("git config user.name me", "reads repository writes"),
            ("git config --global user.name me", "reads writes system"),
            ("git config --global core.editor evil", "reads writes system executes"),
            ("git config core.hooksPath .husky", "reads repository writes executes"),
            ("git config set alias.x '!evil'", "repository writes executes"),
            ("git config --unset user.name", "reads repository writes"),
            ("git config --global -e", "reads writes system executes"),
            ("git config edit", "repository writes executes"),
            ("git config -f x.cfg a.b c", "reads repository writes"),
        ]),
    Spec::new("reflog", READS)
        .options(LOG)
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("show", READS).options(LOG).operands(Operands::Text),
            Spec::new("exists list", READS).operands(Operands::Text),
            Spec::new("expire delete drop", REPOSITORY.and(Effects::DISCARDS))
                .options(
                    "-n!dry --dry-run!dry --rewrite --updateref --verbose --expire= --expire-unreachable= --stale-fix \
                     --all --single-worktree",
                )
                .operands(Operands::Text),
            Spec::new("write", REPOSITORY).operands(Operands::Text),
        ])
        .check(check::content)
        .examples(&[
            ("git reflog -p -- .env", "reads secrets"),
            ("git reflog show -p -- .env", "reads secrets"),
            ("git reflog -10", "reads"),
            ("git reflog show HEAD@{1}", "reads"),
            ("git reflog main --date=iso", "reads"),
            ("git reflog expire --expire=now --all", "repository discards"),
            ("git reflog delete HEAD@{0}", "repository discards"),
            ("git reflog --output=x", "reads writes"),
        ]),
    Spec::new("notes", READS)
        .options("--ref=")
        .verbs(&[
            Spec::new("list show get-ref", READS).operands(Operands::Text),
            Spec::new("add append edit copy merge remove prune", REPOSITORY)
                .options(
                    "-fvqe -n!dry -mcCs= -F=read --message= --file=read --reedit-message= --reuse-message= --allow-empty \
                     --force --separator=? --no-separator --stripspace --no-stripspace --stdin --for-rewrite= --verbose \
                     --quiet --strategy= --commit --abort --dry-run!dry --ignore-missing --edit",
                )
                .operands(Operands::Text),
        ])
        .examples(&[
            ("git notes show HEAD", "reads"),
            ("git notes --ref=ci list", "reads"),
            ("git notes add -m x HEAD", "repository"),
        ]),
    Spec::new("symbolic-ref", READS)
        .options("-q -d!repository -m= --quiet --delete!repository --short --no-short --recurse --no-recurse")
        .operands(Operands::Text)
        .check(check::symbolic_ref)
        .examples(&[
            ("git symbolic-ref --short HEAD", "reads"),
            ("git symbolic-ref HEAD refs/heads/x", "reads repository"),
            ("git symbolic-ref -d X", "reads repository"),
        ]),
    Spec::new("hash-object", READS)
        .options(
            "-w!repository -t= --stdin --stdin-paths --no-filters --filters --literally --path=",
        )
        .operands(Operands::Read)
        .examples(&[("git hash-object a.txt", "reads"), ("git hash-object -w a.txt", "reads repository")]),
    Spec::new("merge-tree", READS)
        .options(
            "-z -X= --write-tree!repository --trivial-merge --messages --no-messages --name-only --quiet \
             --allow-unrelated-histories --stdin!repository --merge-base= --strategy-option=",
        )
        .operands(Operands::Text)
        .check(check::merge_tree)
        .examples(&[
            ("git merge-tree base a b", "reads"),
            ("git merge-tree --write-tree a b", "reads repository"),
            ("git merge-tree a b", "reads repository"),
        ]),
    Spec::new("rerere", REPOSITORY)
        .options("--rerere-autoupdate --no-rerere-autoupdate")
        .verbs(&[
            Spec::new("status diff remaining", READS),
            Spec::new("clear gc", REPOSITORY.and(Effects::DISCARDS)),
            Spec::new("forget", REPOSITORY.and(Effects::DISCARDS)).operands(Operands::Text),
        ])
        .examples(&[("git rerere status", "reads"), ("git rerere", "repository"), ("git rerere clear", "repository discards")]),
    Spec::new("refs", READS).verbs(&[
        Spec::new("verify", READS).options("--strict --verbose"),
        Spec::new("list", READS).options(REF_FILTER).operands(Operands::Text),
        Spec::new("exists", READS).operands(Operands::Text),
        Spec::new("migrate optimize", REPOSITORY)
            .options("--ref-format= --dry-run --reflog --no-reflog --all --no-prune --prune --auto --include= --exclude="),
    ]).examples(&[("git refs verify", "reads"), ("git refs migrate --ref-format=reftable", "repository")]),
    Spec::new("replace", READS)
        .options("-ldgf -e!executes --list --delete --edit!executes --graft --convert-graft-file --force --raw --format=")
        .operands(Operands::Text)
        .check(check::replace)
        .examples(&[("git replace -l", "reads"), ("git replace a b", "reads repository"), ("git replace -d a", "reads repository")]),
    Spec::new("difftool", READS.and(Effects::EXECUTES))
        .style(Style::Gnu)
        .options(concat!(
            "-gyd -x=exec -t= --gui --no-gui --no-prompt --prompt --dir-diff --no-symlinks --symlinks --tool= \
             --tool-help --trust-exit-code --no-trust-exit-code --extcmd=exec --rotate-to= --skip-to= ",
            diff_long!(),
            " --no-index --index"
        ))
        .operands(Operands::Text)
        .check(channels::external_diff)
        .examples(&[
            ("git difftool HEAD~1", "reads executes"),
            ("git difftool -y -t vimdiff HEAD~1 -- src", "reads executes"),
            ("git difftool --extcmd=/tmp/x HEAD~1", "reads executes"),
            ("git difftool -yxmeld", "reads executes"),
        ]),
    Spec::new("mergetool", READS.and(Effects::EXECUTES))
        .style(Style::Gnu)
        .options("-gy -t= -O=read --gui --no-gui --no-prompt --prompt --tool= --tool-help")
        .operands(Operands::Text)
        .examples(&[("git mergetool -t vimdiff a", "reads executes")]),
    Spec::new("bugreport diagnose", Effects::WRITES)
        .options("-s= -o=write --diagnose=? --no-diagnose --output-directory=write --suffix= --no-suffix --mode=")
        .examples(&[("git bugreport", "writes")]),
];
