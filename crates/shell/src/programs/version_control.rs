//! Version control other than git: Subversion, Mercurial, Jujutsu, Fossil.

use super::github_checks as check;
use super::remote::addresses;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const READS: Effects = Effects::READS;
const ASKS: Effects = READS.and(Effects::NETWORK_READ);
/// Reads, as the settings in the repository say: they can name programs for it.
const LOOKS: Effects = READS.and(Effects::OBEYS_PROJECT);
const REPOSITORY: Effects = Effects::REPOSITORY;
const FETCHES: Effects = Effects::NETWORK_READ.and(REPOSITORY).and(Effects::WRITES);
const DISCARDS: Effects = REPOSITORY.and(Effects::DISCARDS);
const PUSHES: Effects = REPOSITORY.and(Effects::PUSHES);

/// A verb that changes something; its options are not listed because none makes it harmless.
const fn does(names: &'static str, effects: Effects) -> Spec {
    Spec::new(names, effects).style(Style::Raw).operands(Operands::Text).check(check::help)
}

const JJ_SHOW: &str = "-psGAa -rnTf= -t=? --revisions= --revision= --limit= --template= --patch --summary --stat --types --name-only \
    --git --color-words --context= --ignore-all-space --ignore-space-change --tool=exec --reversed --no-graph --from= --to= \
    --count --all --all-remotes --remote= --tracked --conflicted --sort= --include-defaults --include-overridden --user \
    --repo --workspace --op-diff --operation= --show-changes-in= --no-integrate-operation --short --name= --change-id";

const fn jj_shows(names: &'static str) -> Spec {
    Spec::new(names, LOOKS).options(JJ_SHOW).operands(Operands::Text)
}

const JJ: &[Spec] = &[
    jj_shows("log show diff status st evolog evolution-log obslog interdiff root version help"),
    Spec::new("file", LOOKS)
        .verbs(&[jj_shows("list show annotate search"), does("track untrack chmod", REPOSITORY)]),
    Spec::new("bookmark b branch tag", LOOKS).verbs(&[
        jj_shows("list l"),
        does("create c set s move m rename r track t untrack forget f delete d advance a", REPOSITORY),
    ]),
    Spec::new("operation op", LOOKS)
        .verbs(&[jj_shows("log show diff"), does("restore undo revert abandon integrate", DISCARDS)]),
    Spec::new("config c", LOOKS).verbs(&[
        jj_shows("list l get g path p"),
        does("set s unset u", Effects::WRITES),
        does("edit e", Effects::EXECUTES),
    ]),
    Spec::new("git", LOOKS).verbs(&[
        Spec::new("remote", LOOKS).verbs(&[jj_shows("list"), does("add remove rename set-url", REPOSITORY)]),
        jj_shows("root"),
        does("fetch clone", FETCHES),
        does("push", PUSHES),
        does("init import export submodule colocation", REPOSITORY),
    ]),
    Spec::new("workspace", LOOKS).verbs(&[
        jj_shows("list root"),
        does("add forget rename update-stale", REPOSITORY.and(Effects::WRITES)),
    ]),
    Spec::new("sparse", LOOKS)
        .verbs(&[jj_shows("list"), does("set reset edit", REPOSITORY.and(Effects::WRITES))]),
    Spec::new("util", LOOKS).verbs(&[
        jj_shows("completion config-schema markdown-help"),
        does("exec", Effects::EXECUTES),
        does("snapshot", REPOSITORY),
        does("gc install-man-pages", REPOSITORY.and(Effects::WRITES)),
    ]),
    does(
        "new commit ci describe desc edit squash split rebase undo redo duplicate merge move parallelize absorb sign unsign \
         backout revert next prev simplify-parents metaedit arrange bisect",
        REPOSITORY,
    ),
    does("abandon restore", DISCARDS),
    does("fix resolve diffedit run gerrit", REPOSITORY.and(Effects::EXECUTES)),
];

/// Mercurial gives the same letter a value in one command and none in another, so each has its own list.
const HG_LOG: &str = "-fCgGMmp -rdkubPlTIX= --follow --follow-first --copies --git --graph --no-merges --only-merges --patch --stat \
    --removed --line-range= --rev= --date= --keyword= --user= --branch= --bookmark= --prune= --limit= --style= --template= \
    --include= --exclude= --newest-first --force --bookmarks --subrepos --insecure";
const HG_STATUS: &str = "-AmardcuinC0S -tTIX= --all --modified --added --removed --deleted --clean --unknown --ignored \
    --no-status --terse= --copies --print0 --rev= --change= --include= --exclude= --subrepos --template=";
const HG_DIFF: &str = "-agpwbBZS -rcUIX= --rev= --change= --from= --to= --text --git --binary --nodates --noprefix --show-function \
    --reverse --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-space-at-eol --unified= --stat --root= \
    --include= --exclude= --subrepos";
const HG_ANNOTATE: &str = "-audfnclwbBZ -rTIX= --rev= --follow --no-follow --text --user --file --date --number --changeset \
    --line-number --skip= --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-space-at-eol --include= \
    --exclude= --template=";
const HG_LIST: &str = "-acnibtBf0qS -rTIX= --all --closed --active --topo --num --id --rev= --template= --include= --exclude= --print0 \
    --fullpath --subrepos --untrusted --local --shared --tags --bookmarks --full";

const fn hg_shows(names: &'static str, options: &'static str) -> Spec {
    Spec::new(names, LOOKS).options(options).operands(Operands::Text)
}

pub(super) const TABLE: &[Spec] = &[
    Spec::new("svn", READS)
        .options(
            "-qvgNR -rcmxl= -F=read --revision= --change= --quiet --verbose --recursive --non-recursive --depth= \
             --targets=read --xml --incremental --stop-on-copy --limit= --use-merge-history --with-all-revprops \
             --with-no-revprops --with-revprop= --show-updates --no-ignore --ignore-externals --changelist= --show-item= \
             --no-newline --summarize --old= --new= --notice-ancestry --git --properties-only --ignore-properties \
             --no-diff-deleted --no-diff-added --show-copies-as-adds --patch-compatible --diff --search= --search-and= \
             --include-externals --strict --revprop --extensions= --internal-diff --diff-cmd=exec --diff3-cmd=exec \
             --editor-cmd=exec --username= --no-auth-cache --non-interactive --config-option=!unknown --config-dir=!unknown",
        )
        .verbs(&[
            Spec::new("info status stat st proplist plist pl propget pget pg", READS)
                .options("-u!network-read --show-updates!network-read")
                .operands(Operands::Text),
            Spec::new("log diff di cat list ls blame annotate ann praise mergeinfo", ASKS).operands(Operands::Text),
            Spec::new("help ? h", READS).operands(Operands::Text),
            does("update up checkout co switch sw export merge relocate", FETCHES),
            does("commit ci import", PUSHES),
            does("revert cleanup", DISCARDS),
            does("delete del remove rm", REPOSITORY.and(Effects::DELETES)),
            does(
                "add copy cp move mv rename ren mkdir resolve resolved propset pset ps propdel pdel pd propedit pedit pe lock \
                 unlock upgrade patch changelist cl auth",
                REPOSITORY,
            ),
        ])
        .check(addresses)
        .examples(&[
            ("svn status", "reads"),
            ("svn info http://localhost/x", "reads network-read network-write"),
            ("svn log -l 5", "reads network-read"),
            ("svn diff --diff-cmd evil", "reads network-read executes"),
            ("svn commit -m x", "repository pushes"),
            ("svn revert -R .", "repository discards"),
        ]),
    Spec::new("hg", LOOKS)
        .options(
            "-yqv -h!help -R=dir --repository=dir --cwd=dir --noninteractive --quiet --verbose --color= --pager= \
             --config=!executes --debugger!executes --debug --traceback --encoding= --time --profile --hidden",
        )
        .verbs(&[
            hg_shows("log history heads parents tip", HG_LOG),
            hg_shows("status st", HG_STATUS),
            hg_shows("diff", HG_DIFF),
            hg_shows("annotate blame", HG_ANNOTATE),
            hg_shows("branches tags identify id manifest files locate root paths", HG_LIST),
            Spec::new("cat", LOOKS).options("-rTIX= -o=write --rev= --output=write --decode --include= --exclude= --template=").operands(Operands::Text),
            Spec::new("config showconfig", LOOKS).options("-u -T= -e!executes --untrusted --local --global --shared --source --template= --edit!executes").operands(Operands::Text),
            Spec::new("grep", LOOKS).options("-0ailnuvdf -rIXT= --print0 --all --diff --text --follow --ignore-case --files-with-matches --line-number --rev= --all-files --user --date --template= --include= --exclude=").operands(Operands::Text),
            Spec::new("incoming in outgoing out", ASKS.and(LOOKS)).options(HG_LOG).operands(Operands::Text),
            Spec::new("help version verify", LOOKS).options("-eck -Ts= --extension --command --keyword --system= --template= --full").operands(Operands::Text),
            Spec::new("summary sum", LOOKS).options("--remote!network-read"),
            Spec::new("branch bookmark bookmarks", LOOKS)
                .options(
                    "-l -fCi!repository -rdm=!repository --list --force!repository --clean!repository --delete=!repository \
                     --rename=!repository --rev=!repository --inactive!repository",
                )
                .operands(Operands::Effect(REPOSITORY)),
            does("pull clone fetch", FETCHES),
            does("push", PUSHES),
            does("revert strip purge rollback", DISCARDS),
            does("remove rm", REPOSITORY.and(Effects::DELETES)),
            does("bisect", REPOSITORY.and(Effects::EXECUTES)),
            does("serve", Effects::SYSTEM),
            does("email", Effects::SENDS_DATA),
            does("extdiff", Effects::EXECUTES),
            does(
                "add addremove commit ci update up checkout co merge rebase graft amend histedit import export archive backout \
                 bundle unbundle copy cp move mv rename forget init phase recover resolve shelve unshelve tag topic evolve \
                 uncommit absorb",
                REPOSITORY.and(Effects::WRITES),
            ),
        ])
        .check(addresses)
        .examples(&[
            ("hg status -mard", "reads obeys-project"),
            ("hg log -l 5 -p", "reads obeys-project"),
            ("hg --config alias.x=!evil log", "reads executes obeys-project"),
            ("hg log -M --config alias.log=!evil", "reads executes obeys-project"),
            ("hg log -r -- --config=alias.log=!evil", "reads executes unknown obeys-project"),
            ("hg cat -o x a", "reads writes obeys-project"),
            ("hg branch", "reads obeys-project"),
            ("hg branch x", "reads repository obeys-project"),
            ("hg branch --clean", "reads repository obeys-project"),
            ("hg bookmark -d foo", "reads repository obeys-project"),
            ("hg bookmark --rename=a", "reads repository obeys-project"),
            ("hg id http://localhost/x", "reads network-read network-write obeys-project"),
            ("hg push", "repository pushes"),
            ("hg revert --all", "repository discards"),
        ]),
    Spec::new("jj", LOOKS)
        .options(
            "-hV!help -R=dir --repository=dir --ignore-working-copy --ignore-immutable --at-operation= --at-op= --debug --color= \
             --quiet --no-pager --config=!unknown --config-toml=!unknown --config-file=!unknown",
        )
        .verbs(JJ)
        .examples(&[
            ("jj log -r '@' -n 5 --no-graph", "reads obeys-project"),
            ("jj diff --git", "reads obeys-project"),
            ("jj diff --tool evil", "reads executes obeys-project"),
            ("jj --config ui.pager=evil log", "reads unknown obeys-project"),
            ("jj describe -m x", "repository"),
            ("jj git push", "repository pushes"),
            ("jj abandon", "repository discards"),
            ("jj bookmark list", "reads obeys-project"),
            ("jj util snapshot", "repository"),
        ]),
    Spec::new("fossil", READS)
        .style(Style::SingleDash)
        .verbs(&[
            Spec::new("status changes timeline info ls finfo extras annotate blame praise artifact cat help version", READS)
                .style(Style::SingleDash)
                .options(
                    "-n= -r= -t= -W= -limit= -type= -path= -verbose -v -brief -b -l -log -R=dir -all -a -differ -hash -age -extra \
                     -ignore= -dotfiles -rel-paths -abs-paths -medium -full -oneline",
                )
                .operands(Operands::Text),
            Spec::new("diff", READS)
                .style(Style::SingleDash)
                .options(
                    "-from= -to= -r= -checkin= -context= -c= -W= -brief -numstat -y -side-by-side -w -Z -v -N -new-file -binary -branch= \
                     -command=exec -tk!executes -i -internal -by!system -b!system",
                )
                .operands(Operands::Text),
            Spec::new("branch tag", READS)
                .verbs(&[Spec::new("list ls info current find", READS).operands(Operands::Text), does("new close reopen hide unhide add cancel", REPOSITORY)]),
            does("pull clone update up checkout co merge open", FETCHES),
            does("push sync commit ci", PUSHES),
            does("revert undo clean purge", DISCARDS),
            does("add rm delete mv rename addremove init new close redo stash settings set unset config amend remote", REPOSITORY.and(Effects::WRITES)),
            does("ui server http cgi", Effects::SYSTEM),
            does("sql sqlite3 sqlite all bisect test-*", Effects::EXECUTES),
        ])
        .examples(&[
            ("fossil status", "reads"),
            ("fossil diff -command evil", "reads executes"),
            ("fossil commit -m x", "repository pushes"),
        ]),
];
