//! Infrastructure described in files: terraform and its kin, packer, pulumi, cdk, vagrant, serverless.

use super::invocation::{Invocation, Outcome};
use super::shapes::{HELP, change, group, look, runs, show, show_dash};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

/// Providers are programs that lie in the project, and whatever needs their schemas starts them.
const STARTS: Effects = Effects::OBEYS_PROJECT;
const DEPLOYS: Effects = Effects::NETWORK_WRITE.and(Effects::PROJECT_CODE);

const FORMAT: Spec = Spec::new("fmt", Effects::WRITES)
    .style(Style::SingleDash)
    .options("-check=? -diff=? -list=? -no-color -recursive=? -write=?")
    .operands(Operands::Text)
    .check(formats);

const TERRAFORM: Spec = Spec::new("terraform tofu", Effects::UNKNOWN)
    .style(Style::SingleDash)
    .options("-chdir=dir -h!help -v!help")
    .verbs(&[
        look("version", "-json").style(Style::SingleDash),
        look("validate", "-json -no-color -no-tests -test-directory= -query -var= -var-file=read")
            .style(Style::SingleDash)
            .also(STARTS),
        show_dash(
            "show",
            "-json!secrets -no-color -module-depth= -show-sensitive!secrets -var= -var-file=read",
        )
        .operands(Operands::Read)
        .also(STARTS),
        show_dash(
            "output",
            "-json!secrets -no-color -raw!secrets -state=read -module= -show-sensitive!secrets -var= \
                -var-file=read",
        )
        .operands(Operands::Effect(Effects::SECRETS)),
        show_dash("graph", "-draw-cycles -plan= -type= -module-depth= -verbose -var= -var-file=read"),
        look("modules", "-json -var= -var-file=read").style(Style::SingleDash),
        Spec::new("providers", Effects::READS)
            .style(Style::SingleDash)
            .options("-test-directory= -var= -var-file=read")
            .verbs(&[
                look("schema", "-json").style(Style::SingleDash).also(STARTS),
                change("lock mirror", Effects::WRITES.and(Effects::NETWORK_READ)),
            ]),
        look("metadata", "-h!help")
            .style(Style::SingleDash)
            .verbs(&[look("functions", "-json").style(Style::SingleDash)]),
        Spec::new("state", Effects::UNKNOWN).style(Style::SingleDash).options("-h!help").verbs(&[
            show_dash("list", "-id= -state=read -var= -var-file=read"),
            show_dash(
                "show",
                "-json!secrets -state=read -no-color -show-sensitive!secrets -var= -var-file=read",
            )
            .also(STARTS),
            show_dash("pull", "-var= -var-file=read").also(Effects::SECRETS),
            change("mv rm push replace-provider identities", Effects::NETWORK_WRITE),
        ]),
        Spec::new("workspace", Effects::UNKNOWN).style(Style::SingleDash).options("-h!help").verbs(&[
            show_dash("list show", "-var= -var-file=read"),
            change("select", Effects::WRITES),
            change("new", Effects::WRITES.and(Effects::NETWORK_WRITE)),
            change("delete", Effects::NETWORK_WRITE),
        ]),
        FORMAT,
        look("help", "-h!help"),
        change("plan", Effects::PROJECT_CODE.and(Effects::NETWORK_READ)).check(plan),
        change("test", DEPLOYS),
        // Expressions from standard input can read any file.
        change("console query", Effects::EXECUTES),
        change("init get", Effects::INSTALLS_DECLARED),
        change("apply destroy import refresh", DEPLOYS),
        change("taint untaint force-unlock cloud stacks", Effects::NETWORK_WRITE),
        change("login logout", Effects::WRITES),
    ])
    .examples(&[
        ("terraform version -json", "reads"),
        ("terraform validate", "reads obeys-project"),
        ("tofu validate -json", "reads obeys-project"),
        ("terraform providers", "reads"),
        ("terraform providers schema -json", "reads obeys-project"),
        ("terraform show", "network-read obeys-project"),
        ("terraform state show a.b", "network-read obeys-project"),
        ("terraform state pull", "network-read secrets"),
        ("terraform output", "network-read"),
        ("terraform output -json", "network-read secrets"),
        ("terraform output db_password", "network-read secrets"),
        ("terraform output -raw a", "network-read secrets"),
        ("terraform -chdir=x state list", "network-read"),
        ("terraform show -json plan.out", "network-read reads secrets obeys-project"),
        ("terraform workspace list", "network-read"),
        ("terraform fmt -check -recursive", "reads"),
        ("terraform fmt -write=false", "reads"),
        ("terraform fmt", "writes"),
        ("terraform plan", "project-code network-read"),
        ("terraform plan -out=x", "project-code network-read writes"),
        ("terraform plan --help", "reads"),
        ("terraform apply -auto-approve", "network-write project-code"),
        ("terraform init -upgrade", "installs-declared"),
        ("terraform state rm a", "network-write"),
        ("terraform console", "executes"),
        ("tofu destroy", "network-write project-code"),
        ("terraform -help", "reads"),
    ]);

const PACKER: Spec = Spec::new("packer", Effects::UNKNOWN)
    .style(Style::SingleDash)
    .options("-h!help -v!help -machine-readable")
    .verbs(&[
        Spec::new("validate", Effects::READS)
            .style(Style::SingleDash)
            .options(
                "-evaluate-datasources!executes -except= -ignore-prerelease-plugins \
                -machine-readable -no-warn-undeclared-var -only= -syntax-only \
                -use-sequential-evaluation -var= -var-file=read -warn-on-undeclared-var",
            )
            .operands(Operands::Read),
        Spec::new("inspect", Effects::READS)
            .style(Style::SingleDash)
            .options("-machine-readable -var= -var-file=read -use-sequential-evaluation")
            .operands(Operands::Read)
            .check(asks_sources),
        Spec::new("fmt", Effects::WRITES)
            .style(Style::SingleDash)
            .options("-check=? -diff=? -recursive=? -write=? -machine-readable")
            .operands(Operands::Text)
            .check(formats),
        look("version help", "-h!help").style(Style::SingleDash),
        Spec::new("plugins", Effects::UNKNOWN).style(Style::SingleDash).options("-h!help").verbs(&[
            look("installed required", "-machine-readable").style(Style::SingleDash),
            change("install", Effects::INSTALLS_NAMED),
            change("remove", Effects::DELETES),
        ]),
        look("console", "-h!help -config-type= -var= -var-file=read -use-sequential-evaluation -ignore-prerelease-plugins")
            .style(Style::SingleDash)
            .check(asks_sources),
        change("init", Effects::INSTALLS_DECLARED),
        change("build", DEPLOYS.and(Effects::EXECUTES)),
        change("fix hcl2_upgrade", Effects::WRITES),
    ])
    .examples(&[
        ("packer validate -var a=b x.json", "reads"),
        ("packer validate -evaluate-datasources x.json", "reads executes"),
        ("packer inspect x.json", "reads"),
        ("packer inspect x.pkr.hcl", "reads project-code"),
        ("packer console", "reads"),
        ("packer console x.pkr.json", "reads project-code"),
        ("packer fmt -check x.hcl", "reads"),
        ("packer fmt x.hcl", "writes"),
        ("packer build x.json", "network-write project-code executes"),
        ("packer init x.json", "installs-declared"),
    ]);

const TERRAGRUNT: Spec = Spec::new("terragrunt", DEPLOYS)
    .style(Style::Raw)
    .options("-h!help")
    .operands(Operands::Text)
    .check(wrapper)
    .examples(&[
        ("terragrunt --version", "reads"),
        ("terragrunt plan", "project-code"),
        ("terragrunt destroy", "network-write project-code"),
        ("terragrunt run-all apply", "network-write project-code"),
    ]);

const TFLINT: Spec = Spec::new("tflint", Effects::PROJECT_CODE)
    .options(
        "-hv!help -cf= --call-module-type= --chdir=dir --color --config=read \
                --disable-rule= --enable-plugin= --enable-rule= --filter= --fix!writes \
                --force --format= --init!installs-declared --ignore-module= --langserver \
                --max-workers= --minimum-failure-severity= --no-color --no-module \
                --no-parallel-runners --only= --recursive --var= --var-file=read --module",
    )
    .operands(Operands::Text)
    .examples(&[
        ("tflint -v", "reads"),
        ("tflint --recursive", "project-code"),
        ("tflint --fix", "project-code writes"),
    ]);

const CDK: Spec = Spec::new("cdk", Effects::UNKNOWN)
    .options(
        "-v -h!help -a=exec -c= --app=exec --ci --color --context= --debug --json \
                --no-color --no-notices --notices=? --plugin=exec --profile= --verbose \
                --no-version-reporting --proxy= --trace --strict --lookups=?",
    )
    .verbs(&[
        look("context", "-j -e=!writes --clear!writes --force --json --reset=!writes"),
        look("doctor version", "-h!help"),
        show("notices", "-u --unacknowledged"),
        // The app that `cdk.json` names is run to learn what there is; without that file nothing is.
        look("list ls", "-lj --long --show-dependencies --json").also(Effects::OBEYS_PROJECT),
        show(
            "diff",
            "-eq --exclusively --context-lines= --template=read --strict --security-only --fail=? --processed \
                --quiet --change-set=? --import-existing-resources --include-moves",
        )
        .also(Effects::OBEYS_PROJECT),
        change("synth synthesize metadata drift refactor flags orphan", Effects::PROJECT_CODE),
        change("deploy watch", DEPLOYS.and(Effects::PUBLISHES)),
        change("destroy import rollback publish-assets", DEPLOYS),
        change("bootstrap gc", Effects::NETWORK_WRITE),
        change("init migrate acknowledge ack cli-telemetry", Effects::WRITES),
        change("docs doc", Effects::EXECUTES),
    ])
    .examples(&[
        ("cdk context --json", "reads"),
        ("cdk context --clear", "reads writes"),
        ("cdk notices", "network-read"),
        ("cdk diff", "network-read obeys-project"),
        ("cdk deploy --help", "reads"),
        ("cdk deploy web", "network-write project-code publishes"),
        ("cdk --app ./x context", "reads executes"),
        ("cdk -v deploy", "network-write project-code publishes"),
    ]);

const PULUMI: Spec = Spec::new("pulumi", Effects::UNKNOWN)
    .options(
        "-C=dir -Qv= -e -h!help --color= --cwd=dir --disable-integrity-checking \
                --emoji --fully-qualify-stack-names --logflow --logtostderr --memprofilerate= \
                --non-interactive --profiling=write --tracing=!sends-data --verbose=",
    )
    .verbs(&[
        change("about", Effects::PROJECT_CODE),
        Spec::new("stack", Effects::NETWORK_READ)
            .options("-i -s= --show-ids --show-name --show-secrets!secrets --show-urns --stack=")
            .verbs(&[
                show(
                    "ls history",
                    "-aj -p= --all --full-dates --json --organization= --page= --page-size= \
                --project= --show-secrets!secrets --stack= --tag=",
                ),
                show("output", "-j -s= --json --shell --show-secrets!secrets --stack="),
                change("graph", Effects::WRITES),
                change("export", Effects::SECRETS),
                change(
                    "init select unselect rename tag import change-secrets-provider",
                    Effects::NETWORK_WRITE.and(Effects::WRITES),
                ),
                change("rm", Effects::NETWORK_WRITE),
            ]),
        Spec::new("config", Effects::NETWORK_READ)
            .options("-j -s= --config-file=read --json --show-secrets!secrets --stack=")
            .verbs(&[
                change("get", Effects::SECRETS),
                change("set set-all rm rm-all cp refresh env", Effects::WRITES),
            ]),
        group(
            "plugin",
            &[
                look("ls", "-jp --json --project"),
                change("install", Effects::INSTALLS_NAMED),
                change("rm run", Effects::DELETES),
            ],
        ),
        show("whoami", "-jv --json --verbose"),
        show("logs", "-fj -s= --follow --json --resource= --since= --stack= --config-file=read"),
        look("version help", "-h!help"),
        group("schema", &[look("check", "-h!help").operands(Operands::Read)]),
        change("preview pre watch", Effects::PROJECT_CODE.and(Effects::NETWORK_READ)),
        change("up update destroy dn down refresh import deployment", DEPLOYS),
        change("cancel state org policy package schedule", Effects::NETWORK_WRITE),
        change("new gen-completion convert template", Effects::WRITES),
        change("install", Effects::INSTALLS_DECLARED),
        change("login logout", Effects::WRITES),
        group(
            "env",
            &[
                show("ls", "-h!help"),
                show("diff", "-h!help --show-secrets!secrets"),
                change("get open", Effects::SECRETS),
                runs("run", Effects::EXECUTES.and(Effects::SECRETS)),
                change("init edit set rm clone rotate tag version", Effects::NETWORK_WRITE),
            ],
        ),
        change("console", Effects::EXECUTES),
    ])
    .examples(&[
        ("pulumi stack ls", "network-read"),
        ("pulumi stack output --show-secrets", "network-read secrets"),
        ("pulumi preview", "project-code network-read"),
        ("pulumi up --yes", "network-write project-code"),
        ("pulumi env rm a", "network-write"),
    ]);

const MACHINE: Effects = Effects::SYSTEM.and(Effects::PROJECT_CODE);

// A Vagrantfile is Ruby and is loaded by nearly every command.
const VAGRANT: Spec = Spec::new("vagrant", Effects::UNKNOWN)
    .options(
        "-hv!help --color --debug --debug-timestamp --machine-readable --no-color \
                --no-tty --timestamp",
    )
    .verbs(&[
        look("global-status", "--prune!writes"),
        look("version help list-commands", "-h!help"),
        group(
            "box",
            &[
                look("list", "-i --box-info"),
                show("outdated", "--force --global --insecure"),
                change("add update", Effects::INSTALLS_NAMED),
                change("remove prune", Effects::DELETES),
                change("repackage", Effects::WRITES),
            ],
        ),
        group(
            "plugin",
            &[
                look("list", "--local"),
                change("install update", Effects::INSTALLS_NAMED),
                change("uninstall expunge license repair", Effects::WRITES),
            ],
        ),
        change("status port ssh-config validate winrm-config", Effects::PROJECT_CODE),
        change("up provision reload resume suspend powershell rdp", MACHINE),
        change("halt", MACHINE.and(Effects::KILLS)),
        change("destroy", MACHINE.and(Effects::DELETES)),
        change("snapshot", MACHINE.and(Effects::DELETES)),
        runs("ssh winrm", MACHINE.and(Effects::EXECUTES)),
        change("init package upload", Effects::WRITES),
        change("push cloud login share", Effects::PUBLISHES),
    ])
    .examples(&[
        ("vagrant box list", "reads"),
        ("vagrant status", "project-code"),
        ("vagrant destroy --force", "system project-code deletes"),
        ("vagrant box remove a", "deletes"),
    ]);

// serverless.yml and its plug-ins are loaded by every command in a service directory.
const SERVERLESS: Spec = Spec::new("serverless sls", Effects::UNKNOWN)
    .options("-v -h!help --*")
    .verbs(&[
        change("deploy", DEPLOYS.and(Effects::PUBLISHES)),
        change("remove rollback invoke dashboard", DEPLOYS),
        change("info logs metrics print package offline test doctor", Effects::PROJECT_CODE),
        change("create install plugin generate-event", Effects::WRITES),
        change("login logout config", Effects::WRITES),
        HELP,
    ])
    .examples(&[
        ("serverless --version", "reads"),
        ("sls info", "project-code"),
        ("sls deploy", "network-write project-code publishes"),
    ]);

pub(super) const TABLE: &[Spec] = &[TERRAFORM, PACKER, TERRAGRUNT, TFLINT, CDK, PULUMI, VAGRANT, SERVERLESS];

/// Data sources are asked, which can be programs or addresses; templates of the old form have none.
fn asks_sources(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let old = |text: &str| {
        text.strip_suffix("json").is_some_and(|name| name.ends_with('.') && !name.ends_with(".pkr."))
    };
    if !invocation.operands.iter().all(|file| file.known().is_some_and(old)) {
        out.add(Effects::PROJECT_CODE);
    }
}

/// Formatting only looks when it is told to check or not to write.
fn formats(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let off = |name: &str| invocation.value(&[name]).is_some_and(|value| value.known() == Some("false"));
    let checks = invocation.has(&["check"])
        && invocation.value(&["check"]).is_none_or(|value| value.known() == Some("true"));
    let input =
        invocation.operands.len() == 1 && invocation.operands.iter().all(|word| word.known() == Some("-"));
    if (checks || off("write") || input) && out.effects == Effects::WRITES {
        out.effects = Effects::READS;
    }
}

/// A plan that is kept is written to a file.
fn plan(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if invocation.operands.len() == 1
        && invocation.operands.iter().all(|word| matches!(word.known(), Some("--help" | "-help" | "-h")))
    {
        out.help = true;
    }
    let mut names = invocation.operands.iter().map(|word| word.prefix().trim_start_matches('-'));
    if names.any(|name| name.starts_with("out") || name.starts_with("generate-config-out")) {
        out.add(Effects::WRITES);
    }
}

/// Terragrunt hands its command to terraform; only those known to change nothing count as such.
fn wrapper(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let texts = || invocation.words.iter().map(|word| word.known().unwrap_or_default());
    let looking = [
        "plan",
        "validate",
        "output",
        "show",
        "state",
        "list",
        "graph",
        "providers",
        "version",
        "hclfmt",
        "hcl",
        "fmt",
        "render",
        "find",
        "info",
        "dag",
        "init",
    ];
    let command =
        texts().find(|text| !text.starts_with('-') && !matches!(*text, "run" | "run-all" | "stack"));
    let changing = texts()
        .any(|text| matches!(text, "apply" | "destroy" | "rm" | "mv" | "push" | "import" | "generate" | ""));
    if command.is_some_and(|command| looking.contains(&command)) && !changing {
        out.effects = out.effects.without(Effects::NETWORK_WRITE);
    }
    if invocation.words.len() == 1 && texts().all(|text| matches!(text, "--version" | "-v" | "--help" | "-h"))
    {
        out.help = true;
    }
}
