//! What programs do to services, clusters, clouds, machines and people: one table by program and words.

use std::collections::HashMap;
use std::sync::LazyLock;

use portcullis_shell::{Command, Effects};

use super::service_names::{DESTROYS, Kind, MONEY, PROGRAMS, RECORDS, RIGHTS};
use crate::detect::{Detector, Finding, detectors as list};

/// The kinds of every program in the table, by name.
static KINDS: LazyLock<HashMap<&'static str, Vec<Kind>>> = LazyLock::new(|| {
    let mut kinds: HashMap<&'static str, Vec<Kind>> = HashMap::new();
    for (kind, names) in PROGRAMS {
        for name in names.split_ascii_whitespace() {
            kinds.entry(name).or_default().push(*kind);
        }
    }
    kinds
});

fn kinds(program: &str) -> &'static [Kind] {
    let plain = if program.starts_with("mkfs.") { "mkfs" } else { program };
    KINDS.get(plain).map_or(&[], Vec::as_slice)
}

/// Whether the program is one that reaches services, machines or people.
pub(in crate::detect) fn is_known(program: &str) -> bool {
    !kinds(program).is_empty()
}

/// Whether a program in a folder has the name of a service's tool only because that is an everyday word: `./bin/render`.
/// What is installed for the project lies in folders of its own.
pub(in crate::detect) fn is_word(word: &str, program: &str) -> bool {
    const WORDS: &[&str] = &["render", "fly", "sam", "modal", "surge", "pulse"];
    WORDS.contains(&program) && word.contains('/') && !is_installed(word)
}

/// Whether a program lies where those of others are installed for the project.
pub(in crate::detect) fn is_installed(word: &str) -> bool {
    ["node_modules/", "venv/", "vendor/", ".bin/", "site-packages/"]
        .iter()
        .any(|folder| word.contains(folder))
}

/// The harm that the program and its words show, beyond what its effects say.
pub(in crate::detect) fn of_command(command: &Command) -> Option<Finding> {
    let program = command.program.as_deref()?;
    if command.effects.is_harmless() {
        return None;
    }
    let kinds = kinds(program);
    if kinds.is_empty() || is_rehearsal(command) || is_daily(command) {
        return None;
    }
    kinds.iter().find_map(|kind| judge(*kind, program, command))
}

/// Programs, and the word that makes them only say what they would do. What other programs make of such a word is
/// not known: some pass over it.
const REHEARSALS: &[(&str, &str)] = &[
    ("ansible", "--check"),
    ("ansible-playbook", "--check"),
    ("goreleaser", "--snapshot"),
    ("make", "--just-print"),
    ("az", "--what-if"),
    ("gsutil", "-n"),
    ("rclone", "-n"),
    ("rsync", "-n"),
];

/// Whether the command only says what it would do. One word too many that says otherwise, and it does not.
pub(in crate::detect) fn is_rehearsal(command: &Command) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    let mut rehearses = false;
    let mut before = "";
    for (index, word) in command.arguments.iter().enumerate() {
        let text = word.text.as_str();
        if text == "--" || text.starts_with("--no-d") || text.starts_with("--no-n") || !word.literal {
            // What follows is given on, or takes it back.
            return rehearses && text == "--";
        }
        // Where the options of the program are not known, the one before may take this word as its value.
        let open = command.operands.contains(&index) && before.starts_with('-') && !before.contains('=');
        before = text;
        let (name, value) = text.split_once('=').unwrap_or((text, "true"));
        let known = matches!(name, "--dry-run" | "--dryrun") || REHEARSALS.contains(&(program, name));
        if !known || open || command.values.contains(&index) {
            continue;
        }
        if !matches!(value, "true" | "client" | "server" | "all") {
            return false;
        }
        rehearses = true;
    }
    rehearses && !passes_over_words(command)
}

/// `npm owner add` knows no rehearsal, and npm says nothing about words that it does not know.
fn passes_over_words(command: &Command) -> bool {
    let verbs = command.verbs.iter().filter_map(|at| command.arguments.get(*at));
    let rehearses =
        |word: &str| matches!(word, "publish" | "unpublish" | "install" | "ci" | "pack" | "version");
    matches!(command.program.as_deref(), Some("npm" | "pnpm" | "yarn" | "bun"))
        && !verbs.map(|word| word.text.as_str()).any(rehearses)
}

/// What people do to services in daily work: program and words.
const DAILY: &[(&str, &[&str])] = &[
    ("gh", &["run", "rerun"]),
    ("gh", &["run", "watch"]),
    ("gh", &["pr", "ready"]),
    ("kubectl", &["port-forward"]),
    ("oc", &["port-forward"]),
];

/// Whether the command is daily work with a service.
pub(in crate::detect) fn is_daily(command: &Command) -> bool {
    let known = |(program, words): &&(&str, &[&str])| {
        let verbs = command.verbs.iter().filter_map(|at| command.arguments.get(*at));
        command.program.as_deref() == Some(*program)
            && verbs.map(|word| word.text.as_str()).eq(words.iter().copied())
    };
    // Forwarding a port is daily work only for this machine.
    let opened = command.arguments.iter().enumerate().any(|(index, word)| {
        let value = word.text.strip_prefix("--address=").map(str::to_owned).or_else(|| {
            let next = command.arguments.get(index + 1)?;
            (word.text == "--address").then(|| next.text.clone())
        });
        value.is_some_and(|value| value == "0.0.0.0" || !crate::web::is_loopback(&value))
    });
    DAILY.iter().find(known).is_some() && !opened
}

/// Whether one of the command's words is one of these, whole or as the first part of `delete-bucket`.
fn says(command: &Command, words: &[&str]) -> bool {
    command.arguments.iter().filter(|word| !word.text.starts_with('-')).any(|word| {
        let text = word.text.to_ascii_lowercase();
        let first = text.split(['-', '_', '/', ':']).next().unwrap_or_default();
        words.contains(&text.as_str()) || words.contains(&first)
    })
}

/// Whether a word of the command contains one of these.
fn contains(command: &Command, parts: &[&str]) -> bool {
    let has = |text: &str| parts.iter().any(|part| text.contains(part));
    command.arguments.iter().any(|word| has(&word.text.to_ascii_lowercase()))
}

fn judge(kind: Kind, program: &str, command: &Command) -> Option<Finding> {
    let detector = match kind {
        Kind::Cloud
        | Kind::Cluster
        | Kind::Infrastructure
        | Kind::Database
        | Kind::Remote
        | Kind::Forge
        | Kind::Person
        | Kind::Money
        | Kind::Publisher => return elsewhere(kind, program, command),
        Kind::Tunnel => &list::TUNNEL,
        Kind::Account if matches!(program, "chown" | "chgrp" | "setfacl") => &list::CHANGE_OWNER,
        Kind::Account if program == "su" => return None,
        Kind::Account => &list::ACCOUNTS,
        Kind::Guard => &list::SECURITY_CONTROLS,
        Kind::Start => &list::AUTOSTART,
        Kind::Power => power(program, command),
        Kind::Disk if program == "dd" || is_image(command) => return None,
        Kind::Disk => &list::WIPE_DISK,
        Kind::Attack => &list::ATTACK_TOOLS,
        Kind::Container if contains(command, &["prune"]) => &list::CONTAINER_PRUNE,
        Kind::Container if contains(command, CONTROLS_THE_HOST) => &list::RUN_PRIVILEGED_CONTAINER,
        Kind::Container => return None,
    };
    Some(Finding::on(detector, command))
}

/// Options of a container that make it more than a container.
const CONTROLS_THE_HOST: &[&str] =
    &["--privileged", "--pid=host", "docker.sock", "--cap-add=all", "--cap-add=sys_admin"];

/// What the command does on other machines.
fn elsewhere(kind: Kind, program: &str, command: &Command) -> Option<Finding> {
    let changes =
        command.effects.meets(Effects::NETWORK_WRITE.and(Effects::PUBLISHES).and(Effects::SENDS_DATA));
    let destroys = says(command, DESTROYS)
        || contains(command, &["drop table", "drop database", "truncate ", "delete from", "drop schema"]);
    let deletes_rows = command.effects.meets(Effects::DELETES) || destroys || program.starts_with("drop");
    let detector = match kind {
        Kind::Forge => forge(command, destroys)?,
        Kind::Infrastructure if destroys || contains(command, &["-destroy"]) => &list::INFRA_DESTROY,
        Kind::Database if deletes_rows => &list::DATABASE_DELETE,
        Kind::Remote if changes || command.effects.meets(Effects::EXECUTES) => &list::REMOTE_SHELL,
        Kind::Publisher if command.effects.meets(Effects::PUBLISHES) => &list::PUBLISH,
        Kind::Publisher => return None,
        _ if !changes => return None,
        Kind::Cloud => {
            let finding = Finding::on(cloud(command, destroys), command);
            return Some(with_steps(program, command, finding));
        }
        Kind::Cluster if destroys => &list::CLUSTER_DELETE,
        Kind::Cluster if contains(command, &["loadbalancer", "expose"]) => &list::CLUSTER_EXPOSE,
        Kind::Cluster => &list::CLUSTER_CHANGE,
        Kind::Infrastructure => &list::INFRA_APPLY,
        Kind::Database => &list::DATABASE_CHANGE,
        Kind::Person => &list::SEND_MESSAGE,
        Kind::Money => &list::PAYMENT,
        Kind::Remote
        | Kind::Tunnel
        | Kind::Account
        | Kind::Guard
        | Kind::Start
        | Kind::Power
        | Kind::Disk
        | Kind::Attack
        | Kind::Container => return None,
    };
    Some(Finding::on(detector, command))
}

/// A file system in a plain file, not on a disk.
fn is_image(command: &Command) -> bool {
    let maker = command.program.as_deref().is_some_and(|name| name.starts_with("mkfs") || name == "mkswap");
    let disk = |text: &str| text.starts_with("/dev/") || text.starts_with("disk");
    maker && command.arguments.iter().all(|word| word.literal && !disk(&word.text))
}

/// What is done is said by the first words: for `aws` by two, elsewhere by all up to the one that takes away. Those
/// that are known as sub-commands need not be said.
fn with_steps(program: &str, command: &Command, mut finding: Finding) -> Finding {
    let words = command.arguments.iter().take_while(|word| !word.text.starts_with('-'));
    let words: Vec<&str> = words.map(|word| word.text.as_str()).collect();
    let takes_away = |word: &str| DESTROYS.contains(&word.split('-').next().unwrap_or_default());
    let count = match program {
        "aws" | "awslocal" => 2,
        _ => words.iter().position(|word| takes_away(word)).map_or(0, |at| at + 1),
    };
    for (index, step) in words.into_iter().take(count).enumerate() {
        if !command.verbs.contains(&index) {
            finding.steps.push(step.to_lowercase());
            let target = finding.targets.iter().position(|target| target == step);
            target.map(|at| finding.targets.remove(at));
        }
    }
    finding
}

fn cloud(command: &Command, destroys: bool) -> &'static Detector {
    if says(command, RECORDS) {
        &list::CLOUD_AUDIT_LOG
    } else if (says(command, MONEY) && !destroys) || contains(command, &["purchase", "reserved-"]) {
        &list::CLOUD_PURCHASE
    } else if destroys {
        &list::CLOUD_DELETE
    } else if says(command, RIGHTS) {
        &list::CLOUD_IAM
    } else if contains(command, &["deploy", "--prod", "promote", "release"]) {
        &list::CLOUD_DEPLOY
    } else {
        &list::CLOUD_CHANGE
    }
}

fn forge(command: &Command, destroys: bool) -> Option<&'static Detector> {
    const ACCESS: &[&str] =
        words!("collaborators admin: delete_repo permission= memberships secret deploy-key ssh-key");
    const REVIEWS: &[&str] = &["--admin", "--approve", "protection", "rulesets", "bypass", "dismiss"];
    let changes = Effects::NETWORK_WRITE
        .and(Effects::PUSHES)
        .and(Effects::PUBLISHES)
        .and(Effects::SENDS_DATA)
        .and(Effects::PERMISSIONS)
        .and(Effects::DISCARDS);
    if !command.effects.meets(changes) && !destroys {
        return None;
    }
    Some(if contains(command, ACCESS) {
        &list::REPOSITORY_ACCESS
    } else if contains(command, REVIEWS) {
        &list::BYPASS_REVIEW
    } else if contains(command, &["gist"]) {
        &list::GIST
    } else if contains(command, &["visibility", "public"]) && contains(command, &["edit"]) {
        &list::REPOSITORY_VISIBILITY
    } else if destroys {
        &list::REPOSITORY_DELETE
    } else if says(command, &["merge"]) {
        &list::MERGE_PULL_REQUEST
    } else if says(command, &["workflow", "run", "release"]) {
        &list::START_WORKFLOW
    } else if says(command, &["close", "reopen", "lock"]) {
        &list::CLOSE_ISSUE
    } else {
        &list::REPOSITORY_HOST_WRITE
    })
}

fn power(program: &str, command: &Command) -> &'static Detector {
    const PROTECTIONS: &[&str] =
        words!("audit apparmor firewall ufw fail2ban defender crowdstrike osquery syslog selinux");
    if !matches!(program, "systemctl" | "service" | "loginctl" | "initctl" | "sv") {
        &list::SHUTDOWN
    } else if says(command, &["enable", "link", "preset", "edit", "reenable"]) {
        &list::AUTOSTART
    } else if says(command, &["stop", "disable", "mask", "kill"]) && contains(command, PROTECTIONS) {
        &list::SECURITY_CONTROLS
    } else {
        &list::SYSTEM_SERVICES
    }
}
