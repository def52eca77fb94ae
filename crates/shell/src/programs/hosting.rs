//! Command lines of services that host code and track issues, apart from GitHub's.

use super::github_checks as check;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const READS: Effects = Effects::READS;
const ASKS: Effects = Effects::NETWORK_READ;
const CHANGES: Effects = Effects::NETWORK_WRITE;
const WRITES: Effects = Effects::WRITES;
const CLONES: Effects = ASKS.and(WRITES).and(Effects::REPOSITORY);

/// A verb that only asks the service; none of its options does more than shape the answer.
const fn asks(names: &'static str) -> Spec {
    Spec::new(names, ASKS).options("-w!system --web!system --*").operands(Operands::Text)
}

/// A verb that changes something; its options are not listed because none makes it harmless.
const fn does(names: &'static str, effects: Effects) -> Spec {
    Spec::new(names, effects).style(Style::Raw).operands(Operands::Text).check(check::help)
}

/// Shapes the answer of the GitLab command line.
const GLAB_LIST: &str = "-AMac -w!system -PplmsgFOoSRrtjdbnNie= --all --closed --merged --opened --draft --not-draft --mine --comments \
    --system-logs --raw --no-color --wait --live --compact --with-job-details --web!system --active --confidential \
    --archived --member --include-subgroups --unresolved --resolved --assignee= --author= --reviewer= --label= \
    --not-label= --milestone= --search= --source-branch= --target-branch= --per-page= --page= --output= --output-format= \
    --group= --repo= --in= --sort= --order= --state= --status= --ref= --branch= --job-id= --pipeline-id= --pipelineid= \
    --username= --name= --user= --sha= --scope= --source= --epic= --iteration= --issue-type= --color= --due-date= \
    --not-assignee= --not-author= --project= --created-after= --created-before= --updated-after= --updated-before=";

const fn shows(names: &'static str) -> Spec {
    Spec::new(names, ASKS).options(GLAB_LIST).operands(Operands::Text)
}

const GLAB: &[Spec] = &[
    Spec::new("mr merge-request", READS).verbs(&[
        shows("list ls view show diff approvers issues"),
        does("checkout", ASKS.and(Effects::REPOSITORY)),
        does("create new for", CHANGES.and(Effects::PUSHES)),
        does(
            "merge accept approve close comment note delete del rebase reopen revoke subscribe unsubscribe todo update",
            CHANGES,
        ),
    ]),
    Spec::new("issue incident work-items", READS).verbs(&[
        shows("list ls view show"),
        Spec::new("board", READS).verbs(&[shows("view"), does("create", CHANGES)]),
        does("create new close comment note delete del reopen subscribe unsubscribe update edit transfer", CHANGES),
    ]),
    Spec::new("ci pipe pipeline", READS).verbs(&[
        shows("list ls view status stats get trace log logs lint"),
        Spec::new("config", READS).verbs(&[shows("compile")]),
        does("artifact", ASKS.and(WRITES)),
        does("run create retry trigger cancel delete run-trig", CHANGES),
    ]),
    Spec::new("job", READS).verbs(&[does("artifact", ASKS.and(WRITES))]),
    Spec::new("repo project", READS).verbs(&[
        shows("view list ls search find contributors"),
        does("clone archive", CLONES),
        does("create new delete fork mirror publish transfer update", CHANGES),
        does("members", CHANGES.and(Effects::PERMISSIONS)),
    ]),
    Spec::new("release", READS).verbs(&[
        shows("list ls view show"),
        does("download", ASKS.and(WRITES)),
        does("create new upload", CHANGES.and(Effects::PUBLISHES)),
        does("delete", CHANGES),
    ]),
    Spec::new("label milestone iteration schedule sched runner deploy-key user snippet stack changelog", READS).verbs(&[
        shows("list ls get show events view generate"),
        does("create new edit update delete add run sync save amend reorder", CHANGES),
    ]),
    Spec::new("variable securefile token", READS).verbs(&[
        does("list ls get export download", ASKS.and(Effects::SECRETS)),
        does("set create update delete remove rotate revoke", CHANGES.and(Effects::PERMISSIONS)),
    ]),
    Spec::new("ssh-key gpg-key", READS)
        .verbs(&[shows("list ls get"), does("add delete", CHANGES.and(Effects::PERMISSIONS))]),
    Spec::new("api", ASKS)
        .options(
            "-i -FfHX= --field= --raw-field= --form= --header= --hostname= --include --input=read --method= --output= \
             --paginate --silent",
        )
        .operands(Operands::Text)
        .check(check::api),
    Spec::new("auth", READS).verbs(&[
        Spec::new("status", READS.and(ASKS)).options("-a -t!secrets --all --hostname= --show-token!secrets"),
        does("git-credential docker-helper dpop-gen", Effects::SECRETS),
        does("login logout configure-docker", Effects::SYSTEM.and(Effects::PERMISSIONS)),
    ]),
    Spec::new("config", READS).verbs(&[
        Spec::new("get", READS).options("-gh= --global --host=").operands(Operands::Text).check(check::token_setting),
        does("set edit init", WRITES),
    ]),
    Spec::new("alias", READS).verbs(&[Spec::new("list ls", READS), does("set delete", WRITES)]),
    does("duo", Effects::SENDS_DATA.and(Effects::EXECUTES)),
    does("cluster opentofu tofu terraform mcp", CHANGES.and(Effects::EXECUTES)),
    Spec::new("check-update", ASKS),
    Spec::new("version help completion", READS).options("-s= --shell= --no-desc").operands(Operands::Text),
];

/// Options of every command of the issue tracker.
const BD: &str = "-qv -h!help -C=dir --json --readonly --db=read --directory=dir --actor= --no-daemon --no-db --no-auto-flush \
    --no-auto-import --no-push --sandbox --allow-stale --quiet --verbose --global --format= --dolt-auto-commit= \
    --lock-timeout= --no-pager";
const BD_SHOW: &str = "-rw -satplnde= --reverse --watch --status= --assignee= --type= --priority= --label= --labels= --label-any= \
    --label-pattern= --label-regex= --exclude-label= --exclude-type= --exclude-status= --limit= --offset= --title= \
    --title-contains= --desc-contains= --notes-contains= --id= --ids= --parent= --no-parent --sort= --all --long --short \
    --pretty --tree --flat --ready --overdue --pinned --no-pinned --empty-description --no-assignee --no-labels \
    --priority-min= --priority-max= --created-after= --created-before= --updated-after= --updated-before= --closed-after= \
    --closed-before= --due-after= --due-before= --defer-after= --defer-before= --deferred --include-templates \
    --include-gates --include-infra --include-ephemeral --include-deferred --mol-type= --wisp-type= --spec= --query= \
    --metadata-field= --has-metadata-key= --unassigned --mine --days= --by-status --by-priority --by-type --by-assignee \
    --by-label --by= --max-depth= --direction= --show-all-paths --reversed --refs --children --thread --local-time --as-of= \
    --current --rig= --gated --explain --mol= --no-activity --compact --full --brief --mermaid --dot --html --box \
    --show-deps --type-filter= --since= --until= --author= --external-contains= --no-empty --status-only --agent --check --oldest";
const BD_CHANGE: &str = "-tpdlasmren= -f=read --title= --description= --type= --priority= --labels= --label= --parent= --deps= --dep= \
    --assignee= --acceptance= --design= --design-file=read --notes= --append-notes= --status= --claim --set-metadata= \
    --unset-metadata= --metadata= --add-label= --remove-label= --set-labels= --reason= --reason-file=read --force \
    --external-ref= --estimate= --due= --defer= --until= --id= --body= --body-file=read --message= --file=read --session= \
    --suggest-next --continue --claim-next --no-auto --silent --ephemeral --persistent --no-history --history --pinned \
    --skills= --context= --spec-id= --await-id= --waits-for= --waits-for-gate= --repo= --rig= --prefix= --mol-type= \
    --wisp-type= --event-category= --validate --no-inherit-labels --stdin --author= --blocks= --depends-on= --blocked-by= \
    --bidirectional --graph=read --allow-empty-description --thread= --reply-to=";

const fn bd_shows(names: &'static str) -> Spec {
    Spec::new(names, READS).options(BD_SHOW).operands(Operands::Text)
}

const fn bd_changes(names: &'static str) -> Spec {
    Spec::new(names, WRITES).options(BD_CHANGE).operands(Operands::Text)
}

const TRACKER: &[Spec] = &[
    bd_shows(
        "list show view ready search stats status count blocked stale info where context children query history diff graph \
         lint types statuses state orphans duplicates find-duplicates activity prime onboard quickstart human memories recall \
         log audit preflight ping stats-full upgrade-status",
    ),
    bd_changes("create new create-form q quick update close done reopen note comment tag assign priority link claim set-state"),
    bd_changes("defer undefer duplicate supersede ship remember forget promote todo rename unclaim supersedes"),
    Spec::new("edit", WRITES.and(Effects::EXECUTES)).style(Style::Raw).operands(Operands::Text).check(check::help),
    Spec::new("delete prune purge compact admin rename-prefix flatten gc", Effects::DELETES)
        .options(
            "-f --dry-run!dry --force --pattern= --older-than= --cascade --hard --from-file=read --all --days= --reason= --tier= \
             --limit= --stats --analyze --apply --auto --id= --batch-size= --summary= --skip-decay --skip-dolt",
        )
        .operands(Operands::Text),
    Spec::new("comments", READS)
        .options(BD_SHOW)
        .operands(Operands::Text)
        .verbs(&[Spec::new("add", WRITES).options("-a= -f=read --author= --file=read").operands(Operands::Text)]),
    Spec::new("dep dependency", WRITES)
        .options("-tbd= --type= --blocks= --depends-on= --blocked-by= --direction= --max-depth= --status=")
        .operands(Operands::Text)
        .verbs(&[
            bd_shows("tree cycles list ls"),
            Spec::new("add remove rm relate unrelate", WRITES)
                .options("-t= -f=read --type= --file=read --blocked-by= --depends-on= --force")
                .operands(Operands::Text),
        ]),
    Spec::new("label labels", READS).verbs(&[bd_shows("list list-all ls"), bd_changes("add remove rm propagate")]),
    Spec::new("epic swarm gate mol molecule formula wisp slot agent merge-slot", READS).verbs(&[
        bd_shows("status list ls show validate current progress stale check ready last-activity"),
        does(
            "close-eligible create resolve add-waiter eval wait cook pour squash burn bond distill set clear acquire release \
             spawn convert heartbeat discover gc",
            WRITES,
        ),
    ]),
    Spec::new("config kv", READS).verbs(&[
        Spec::new("get list ls validate show", READS).operands(Operands::Text),
        does("set unset clear delete set-many apply drift", WRITES),
    ]),
    Spec::new("dolt vc", READS).verbs(&[
        Spec::new("status show log test list", READS).options("-n= --short --oneline --limit=").operands(Operands::Text),
        Spec::new("commit", WRITES).options("-m= --message= --stdin").operands(Operands::Text),
        Spec::new("pull", ASKS.and(WRITES)).options("--remote= --force --ours --theirs").operands(Operands::Text),
        Spec::new("push", Effects::PUSHES).options("--remote= --force!discards").operands(Operands::Text),
        Spec::new("remote", READS).verbs(&[Spec::new("list", READS), does("add remove", WRITES)]),
        does("start stop set killall clean-databases", Effects::SYSTEM),
        does("merge branch checkout", WRITES),
    ]),
    Spec::new("worktree", READS)
        .verbs(&[Spec::new("info list", READS), does("create", WRITES.and(Effects::REPOSITORY)), does("remove", Effects::DELETES.and(Effects::REPOSITORY))]),
    Spec::new("export", READS)
        .options("-o=write -satpl= --output=write --status= --assignee= --type= --priority= --label= --force --all --include-infra --scrub")
        .operands(Operands::None),
    does("sync", WRITES.and(Effects::REPOSITORY).and(Effects::PUSHES)),
    does("jira linear github gitlab ado notion federation repo mail", CHANGES.and(WRITES)),
    does("import init setup hooks hook migrate bootstrap branch backup restore repair rename-db template batch cook merge", WRITES),
    does("daemon daemons", Effects::SYSTEM),
    Spec::new("doctor", READS)
        .options("-y --fix!writes --yes!writes --deep --perf --check= --clean!deletes --server --agent --dry-run --source= --output=write")
        .operands(Operands::Text),
    does("sql", Effects::EXECUTES.and(WRITES)),
    does("upgrade", Effects::INSTALLS_NAMED),
    Spec::new("version help completion", READS).options("--all --list --daemon").operands(Operands::Text),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("glab", READS).options("-h!help -R= --repo=").verbs(GLAB).check(check::asks_usual_host).examples(&[
        ("glab mr list --author me -P 5", "network-read"),
        ("glab mr view 3 --comments", "network-read"),
        ("glab mr view 3 -w", "network-read system"),
        ("glab mr merge 3", "network-write"),
        ("glab mr create --help", "reads"),
        ("glab ci trace 3", "network-read"),
        ("glab api projects/1", "network-read"),
        ("glab api -X POST projects/1", "network-write"),
        ("glab variable list", "network-read secrets"),
        ("glab auth status -t", "reads network-read secrets"),
        ("glab config get token", "reads secrets"),
        ("glab repo clone a/b", "network-read writes repository"),
    ]),
    Spec::new("hub", READS)
        .options("-h!help --noop")
        .verbs(&[
            Spec::new("pr", ASKS).verbs(&[asks("list show"), does("checkout", ASKS.and(Effects::REPOSITORY))]),
            Spec::new("issue", ASKS)
                .options("-a= -s= -l= -M= -L= -f= --state= --limit= --format=")
                .verbs(&[asks("show labels"), does("create update transfer", CHANGES)]),
            Spec::new("release", ASKS).verbs(&[
                asks("show"),
                does("download", ASKS.and(WRITES)),
                does("create edit", CHANGES.and(Effects::PUBLISHES)),
                does("delete", CHANGES),
            ]),
            Spec::new("gist", ASKS).verbs(&[asks("show"), does("create", CHANGES.and(Effects::SENDS_DATA))]),
            asks("ci-status"),
            does("browse compare", Effects::SYSTEM),
            does("create delete fork pull-request api", CHANGES.and(Effects::PUSHES)),
            does("sync", ASKS.and(Effects::REPOSITORY)),
            Spec::new("version help", READS).operands(Operands::Text),
        ])
        .examples(&[("hub ci-status", "network-read"), ("hub delete a/b", "network-write pushes")]),
    Spec::new("tea", READS)
        .options("-h!help")
        .verbs(&[
            Spec::new("issues issue i pulls pull pr releases release r milestones milestone ms labels label times time t organizations \
                       organization org repos repo branches branch b notifications notification n", ASKS)
                .options("-rRloapLt= --repo= --remote= --login= --output= --limit= --page= --state= --fields= --comments=?")
                .operands(Operands::Text)
                .verbs(&[
                    asks("list ls search s view show"),
                    does("checkout co", ASKS.and(Effects::REPOSITORY)),
                    does("create c edit close reopen open delete rm merge m approve a lgtm reject review clean fork migrate \
                          read unread pin unpin add reset update issues i attach protect unprotect create-from-template", CHANGES),
                ]),
            Spec::new("logins login", READS).verbs(&[
                Spec::new("list ls", READS).options("-o= --output="),
                does("helper", Effects::SECRETS),
                does("add edit delete rm default", Effects::SYSTEM),
            ]),
            does("logout", Effects::SYSTEM),
            Spec::new("whoami", ASKS),
            does("open o", Effects::SYSTEM),
            does("clone C", CLONES),
            does("comment admin actions webhooks", CHANGES),
            Spec::new("help", READS).operands(Operands::Text),
        ])
        .examples(&[("tea issues list", "network-read"), ("tea pr merge 3", "network-write")]),
    Spec::new("bd beads", READS).options(BD).verbs(TRACKER).examples(&[
        ("bd list --status open --json", "reads"),
        ("bd --readonly show x-1 --long", "reads"),
        ("bd ready --limit 5", "reads"),
        ("bd create --title x -t task -p 1 --help", "reads"),
        ("bd create x -t task -p 1 --description y", "writes"),
        ("bd update x-1 --claim --set-metadata a=b", "writes"),
        ("bd close x-1 --reason done", "writes"),
        ("bd comments x-1", "reads"),
        ("bd comments add x-1 text", "writes"),
        ("bd dep cycles", "reads"),
        ("bd dep add a b", "writes"),
        ("bd dolt push", "pushes"),
        ("bd dolt status --short", "reads"),
        ("bd prune --pattern '*' --dry-run", "reads"),
        ("bd purge", "deletes"),
        ("bd sync", "writes repository pushes"),
        ("bd edit x-1", "writes executes"),
    ]),
    Spec::new("jira", READS)
        .options("-h!help -p= -c=read --project= --config=read --debug")
        .verbs(&[
            Spec::new("issue issues epic sprint board project release", READS).verbs(&[
                Spec::new("list lists ls view show", ASKS)
                    .options(
                        "-tyPrasClqL= --type= --resolution= --status= --priority= --reporter= --assignee= --component= \
                         --label= --parent= --history --watching --created= --created-after= --created-before= --updated= \
                         --updated-after= --updated-before= --jql= --order-by= --reverse --paginate= --plain --no-headers \
                         --no-truncate --columns= --comments= --raw --csv --table --current --prev --next --state= \
                         --show-all-issues --delimiter= --fixed-columns=",
                    )
                    .operands(Operands::Text),
                does(
                    "create edit update assign asg move mv transition link unlink comment worklog clone delete remove rm watch \
                     add close",
                    CHANGES,
                ),
            ]),
            Spec::new("me", ASKS),
            Spec::new("serverinfo", ASKS),
            does("open", Effects::SYSTEM),
            does("init", WRITES.and(Effects::SYSTEM)),
            does("man", WRITES),
            Spec::new("completion version help", READS).operands(Operands::Text),
        ])
        .examples(&[("jira issue list -s Open --plain", "network-read"), ("jira issue create -s x", "network-write")]),
    Spec::new("linear", READS)
        .options("-h!help")
        .verbs(&[
            Spec::new("issue issues i team teams t project projects p cycle milestone document documents initiative label user", READS)
                .verbs(&[
                    asks("list ls view v show search id title url describe mine me query members states autolinks get"),
                    does("start", CHANGES.and(Effects::REPOSITORY)),
                    does("pull-request pr", CHANGES.and(Effects::PUSHES)),
                    does("create c update u edit delete d comment relation assign close archive add remove attach", CHANGES),
                ]),
            asks("whoami me"),
            does("auth login logout config", Effects::SYSTEM),
            does("api schema", CHANGES),
            Spec::new("version help completions", READS).operands(Operands::Text),
        ])
        .examples(&[("linear issue list", "network-read"), ("linear issue create -t x", "network-write")]),
];
