//! Ansible. Its programs load `ansible.cfg`, plug-ins and inventory scripts of the project, so whatever looks
//! at hosts or playbooks runs project code.

use super::invocation::{Invocation, Outcome};
use super::shapes::{change, group, look, show};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const REMOTE: Effects = Effects::NETWORK_WRITE.and(Effects::PROJECT_CODE);
const HELP_ONLY: &str = "-h!help --version!help";
const DOC_OPTIONS: &str = "-h!help -jlFrsv -M=!project-code -Pte= --entry-point= --json --list --list_files \
                --metadata-dump --module-path=!project-code --no-fail-on-errors --playbook-dir= \
                --roles-path= --snippet --type= --verbose";
const GALAXY: &str = "-cv -ps= --api-key= --api-version= --author= --collections-path= --format= \
                --galaxy-tags= --ignore-certs --no-cache --offline --page= --page_size= \
                --platforms= --roles-path= --server=!sends-data --timeout= --token= --verbose";
const GALAXY_ROLE: &[Spec] = &[
    look("list", GALAXY),
    show("info search", GALAXY),
    change("init", Effects::WRITES),
    change("install", Effects::INSTALLS_NAMED).check(declared),
    change("remove", Effects::DELETES),
    change("download", Effects::WRITES.and(Effects::NETWORK_READ)),
    show("verify", GALAXY),
    change("build", Effects::WRITES),
    change("publish", Effects::PUBLISHES),
    change("import delete setup", Effects::NETWORK_WRITE),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("ansible", REMOTE)
        .style(Style::Raw)
        .options(HELP_ONLY)
        .operands(Operands::Text)
        .check(hosts)
        .examples(&[
            ("ansible all -m shell -a 'df -h'", "network-write project-code executes"),
            ("ansible all -m ping", "network-write project-code"),
            ("ansible all --list-hosts", "reads obeys-project"),
            ("ansible -h", "reads"),
            ("ansible --version", "reads"),
        ]),
    Spec::new("ansible-playbook", REMOTE)
        .style(Style::Raw)
        .options(HELP_ONLY)
        .operands(Operands::Text)
        .check(playbook)
        .examples(&[
            ("ansible-playbook site.yml --check", "network-write project-code"),
            ("ansible-playbook site.yml --syntax-check", "project-code"),
            ("ansible-playbook --help", "reads"),
        ]),
    Spec::new("ansible-galaxy", Effects::UNKNOWN)
        .options("-h!help -v --verbose")
        .verbs(&[
            group("role", GALAXY_ROLE),
            group("collection", GALAXY_ROLE),
            look("list", GALAXY),
            show("info search", GALAXY),
            change("init", Effects::WRITES),
            change("install", Effects::INSTALLS_NAMED).check(declared),
            change("remove", Effects::DELETES),
            change("import delete setup login", Effects::NETWORK_WRITE),
        ])
        .examples(&[
            ("ansible-galaxy role search nginx -v", "network-read"),
            ("ansible-galaxy collection list", "reads"),
            ("ansible-galaxy collection install a.b", "installs-named"),
            ("ansible-galaxy install -r requirements.yml", "installs-declared"),
            ("ansible-galaxy role --help", "reads"),
        ]),
    Spec::new("ansible-vault", Effects::UNKNOWN)
        .options(
            "-h!help -v --vault-id=!executes --vault-password-file=!executes \
                --ask-vault-password",
        )
        .verbs(&[
            change("view", Effects::SECRETS),
            change("decrypt", Effects::SECRETS.and(Effects::WRITES)),
            change("create encrypt rekey edit", Effects::WRITES),
            change("encrypt_string", Effects::SECRETS),
        ])
        .examples(&[
            ("ansible-vault --help", "reads"),
            ("ansible-vault view x.yml", "secrets"),
            ("ansible-vault encrypt x.yml", "writes"),
        ]),
    // Documentation is taken from the code of plug-ins, those of the project included.
    Spec::new("ansible-doc", Effects::READS.and(Effects::OBEYS_PROJECT))
        .options(DOC_OPTIONS)
        .operands(Operands::Text)
        .examples(&[
            ("ansible-doc --version", "reads"),
            ("ansible-doc -t callback -l", "reads obeys-project"),
            ("ansible-doc -M ./x copy", "reads project-code obeys-project"),
            ("ansible-doc --frobnicate", "reads unknown obeys-project"),
        ]),
    Spec::new("ansible-config", Effects::UNKNOWN)
        .options("-h!help -v -ct= --config=read --format= --only-changed --type= --verbose")
        .verbs(&[
            look(
                "list dump view validate",
                "-v -cft= --config=read --format= --only-changed --changed-only --type= \
                --verbose",
            )
            .check(of_plugins),
            change("init", Effects::UNKNOWN),
        ])
        .examples(&[
            ("ansible-config dump --only-changed", "reads"),
            ("ansible-config dump -t all", "reads project-code"),
            ("ansible-config init", "unknown"),
        ]),
    Spec::new("ansible-inventory", Effects::READS.and(Effects::OBEYS_PROJECT))
        .options(
            "-h!help -v -i=!project-code -l= -y --export --graph --host= --inventory=!project-code --limit= --list \
                --output=write --toml --vars --verbose --yaml",
        )
        .operands(Operands::Text)
        .examples(&[
            ("ansible-inventory -h", "reads"),
            ("ansible-inventory --list", "reads obeys-project"),
            ("ansible-inventory --list --output x.json", "reads writes obeys-project"),
        ]),
    Spec::new("ansible-lint", Effects::PROJECT_CODE)
        .style(Style::Raw)
        .options(HELP_ONLY)
        .operands(Operands::Text)
        .check(alone)
        .examples(&[
            ("ansible-lint --version", "reads"),
            ("ansible-lint .", "project-code"),
            ("ansible-lint --fix", "project-code writes"),
        ]),
    Spec::new("ansible-pull", Effects::NETWORK_READ.and(Effects::EXECUTES).and(Effects::WRITES))
        .style(Style::Raw)
        .options(HELP_ONLY)
        .operands(Operands::Text)
        .check(alone)
        .examples(&[
            ("ansible-pull -h", "reads"),
            ("ansible-pull -U https://example.com/x --check", "network-read executes writes"),
        ]),
    Spec::new("ansible-console", REMOTE.and(Effects::EXECUTES))
        .style(Style::Raw)
        .options(HELP_ONLY)
        .operands(Operands::Text)
        .check(alone)
        .examples(&[
            ("ansible-console --help", "reads"),
            ("ansible-console all", "network-write project-code executes"),
        ]),
    Spec::new("ansible-test", Effects::UNKNOWN)
        .options("-h!help")
        .verbs(&[
            look("env", "-v --dump!writes --list-files --show --timeout= --color=? --verbose"),
            change(
                "sanity units integration network-integration windows-integration coverage",
                Effects::PROJECT_CODE,
            ),
            change("shell", Effects::EXECUTES),
        ])
        .examples(&[("ansible-test env", "reads"), ("ansible-test sanity", "project-code")]),
];

/// The settings of plug-ins stand in their code.
fn of_plugins(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if invocation.value(&["t", "--type"]).is_some_and(|kind| kind.known() != Some("base")) {
        out.add(Effects::PROJECT_CODE);
    }
}

fn given(invocation: &Invocation<'_, '_>, names: &[&str]) -> bool {
    invocation.words.iter().any(|word| word.known().is_some_and(|text| names.contains(&text)))
}

/// Help or a version as the only word; a mending linter writes.
fn alone(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if invocation.words.len() == 1
        && given(invocation, &["-h", "--help", "--version", "-L", "-T", "--list-rules"])
    {
        out.help = true;
    }
    if invocation
        .words
        .iter()
        .any(|word| word.prefix().starts_with("--fix") || word.prefix().starts_with("--write"))
    {
        out.add(Effects::WRITES);
    }
}

/// Options that start programs of their own, or bring code from elsewhere.
const STEERING: &[&str] = &[
    "--ssh-common-args",
    "--ssh-extra-args",
    "--sftp-extra-args",
    "--scp-extra-args",
    "--module-path",
    "--vault-password-file",
    "--connection-password-file",
    "--become-password-file",
];

fn hosts(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    alone(invocation, out);
    // A pattern and nothing else: the inventory is read, and run where a file here says it is a program.
    let lists = invocation.words.len() == 2 && given(invocation, &["--list-hosts"]);
    if lists && invocation.words.iter().all(|word| word.literal) {
        out.effects = out.effects.without(REMOTE).and(Effects::READS).and(Effects::OBEYS_PROJECT);
        return;
    }
    if given(invocation, &["--list-hosts"]) {
        out.effects = out.effects.without(Effects::NETWORK_WRITE);
    }
    if given(
        invocation,
        &["shell", "command", "raw", "script", "ansible.builtin.shell", "ansible.builtin.command"],
    ) {
        out.add(Effects::EXECUTES);
    }
    rights(invocation, out);
}

fn playbook(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    alone(invocation, out);
    let steers = |word: &str| STEERING.iter().any(|option| word.starts_with(option));
    let words = invocation.words.iter().enumerate();
    out.steered.extend(words.filter(|(_, word)| steers(word.prefix())).map(|(index, _)| index));
    if given(invocation, &["--list-hosts", "--list-tasks", "--list-tags", "--syntax-check"]) {
        out.effects = out.effects.without(Effects::NETWORK_WRITE);
    }
    rights(invocation, out);
}

fn rights(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if given(invocation, &["-b", "--become", "-K", "--ask-become-pass"]) {
        out.add(Effects::PRIVILEGE);
    }
}

/// A file of requirements declares what is installed.
fn declared(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let mut words = invocation.operands.iter().map(|word| word.text);
    if words.next().is_some_and(|word| matches!(word, "--help" | "-h")) && invocation.operands.len() == 1 {
        out.help = true;
    }
    if invocation
        .operands
        .iter()
        .any(|word| matches!(word.known(), Some("-r" | "--requirements-file" | "--role-file")))
    {
        out.effects = out.effects.without(Effects::INSTALLS_NAMED).and(Effects::INSTALLS_DECLARED);
    }
}
