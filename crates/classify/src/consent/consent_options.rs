//! How a command does what it does, and whether the user said so (SPEC C17): its options, the variables it is given
//! and the rights it runs with. What was not said was not asked for.

use portcullis_shell::{Command, Effects, Placement, Reading};

use super::settled::{is_database, short_name, statement};
use super::words::names;

/// Options that leave the deed as it is: how much is told, that nobody is asked again, which branch is followed.
const MILD: &[&str] = &[
    "-q",
    "--quiet",
    "-v",
    "--verbose",
    "-y",
    "--yes",
    "--assume-yes",
    "--auto-approve",
    "-auto-approve",
    "--no-wall",
    "--json",
    "-u",
    "--set-upstream",
    "--progress",
    "--no-progress",
    "--color",
    "--no-color",
    "--wait",
    "--no-input",
    "-m",
    "--message",
    "--title",
    "--body",
    "--notes",
    "--reason",
    "--description",
    "--no-edit",
    "--draft",
    "--timeout",
    "--non-interactive",
    "--no-interactive",
    "--silent",
    "--help",
    "--dry-run",
];

/// Options that are the deed itself, and the words that ask for it.
const DEEDS: &[(&[&str], &[&str])] = &[
    (&["-f", "--force", "--force-with-lease"], &["force", "forced", "force-push", "overwrite", "erzwinge"]),
    (
        &["-d", "-D", "--delete", "--remove", "-r", "-R", "-rf", "-fr", "-Rf", "-f", "--recursive"],
        &[
            "delete", "remove", "drop", "prune", "clean", "wipe", "lösche", "löschen", "borra", "supprime",
            "删除",
        ],
    ),
    (&["--hard", "-fd", "-df", "-f", "--force"], &["discard", "throw", "clean", "untracked"]),
    (&["-fdx", "-xdf", "-fxd", "-dfx", "-fx", "-xf", "-x"], &["ignored", "gitignored", "excluded"]),
    (&["--hard"], &["reset", "drop", "revert"]),
    (&["--no-verify", "-n"], &["skip", "skipped", "no-verify", "hook", "hooks"]),
    (&["--squash", "--rebase", "--merge"], &["merge", "squash", "rebase", "land"]),
    (&["--privileged"], &["privileged"]),
    (
        &["-9", "-KILL", "-TERM", "-15", "-SIGKILL", "-SIGTERM", "-INT", "-SIGINT"],
        &["kill", "terminate", "stop", "end", "close"],
    ),
    (&["-D", "-g", "--save", "--save-dev", "--dev"], &["dev", "development", "global", "globally"]),
];

/// Endings of options that say which thing is meant; the thing itself has to be named.
const NAMING: &[&str] = &[
    "name",
    "names",
    "id",
    "ids",
    "arn",
    "file",
    "filename",
    "port",
    "host",
    "hostname",
    "user",
    "username",
    "namespace",
    "inventory",
    "owner",
    "app",
    "tag",
    "tcp",
    "repository",
    "repo",
    "stack",
    "group",
    "cluster",
    "region",
    "zone",
    "project",
    "location",
    "branch",
    "service",
    "database",
    "environment",
    "label",
    "registry",
    "url",
    "prefix",
    "otp",
    "password",
    "access",
    "signal",
    "bucket",
    "key",
    "account",
    "profile",
    "context",
    "head",
    "base",
    "identifier",
    "topic",
    "queue",
    "table",
    "image",
    "kustomize",
    "assignee",
    "reviewer",
    "milestone",
    "role",
    "target",
    "chdir",
    "stage",
    "env",
    "source",
    "function",
    "workspace",
    "dbname",
];

/// Whether everything about the command that matters was said.
pub(crate) fn is_said(command: &Command, said: &str) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    let rights = !command.own.meets(Effects::PRIVILEGE) || names(said, program);
    let variables =
        command.assignments.iter().all(|(_, value)| value.literal && names(said, &value.text.to_lowercase()));
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let mut options =
        words.iter().enumerate().take_while(|(_, word)| **word != "--").filter(|(_, word)| word.len() > 1);
    rights
        && variables
        && options.all(|(index, word)| {
            !word.starts_with('-') || is_option_said(program, word, words.get(index + 1).copied(), said)
        })
}

fn is_option_said(program: &str, word: &str, next: Option<&str>, said: &str) -> bool {
    let (option, own) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
    let value_said = |value: &str| {
        let short = short_name(value).is_some_and(|name| names(said, &name.to_lowercase()));
        short || names(said, &value.to_lowercase())
    };
    let lower = option.to_lowercase();
    let bare = lower.trim_start_matches('-');
    let told = is_spelled(option, said);
    let deed = DEEDS
        .iter()
        .any(|(options, words)| options.contains(&option) && words.iter().any(|word| names(said, word)));
    // How many there were may be said as well.
    if option == "--replicas" {
        return own.or(next).is_some_and(|value| names(said, &format!("to {value}")));
    }
    let mild = is_mild(program, option);
    if told || deed || mild {
        return own.is_none_or(|value| mild || value_said(value));
    }
    if is_database(program) && matches!(option, "-c" | "-e") {
        return next.is_some_and(|value| statement(value).is_some());
    }
    let short = matches!(
        (program, option),
        ("kubectl" | "helm" | "oc", "-n" | "-f" | "-c" | "-l")
            | ("psql" | "mysql" | "mariadb" | "redis-cli" | "valkey-cli", "-h")
            | ("redis-cli" | "valkey-cli", "-n")
            | ("serverless", "-f")
            | ("psql", "-d")
            | ("mysql" | "mariadb", "-D")
            | ("cargo", "-p")
    );
    let naming = option.len() > 2 && is_naming(bare);
    (short || naming) && own.or(next).is_some_and(value_said)
}

/// Whether the option itself was said: as it is, or its words.
pub(crate) fn is_spelled(option: &str, said: &str) -> bool {
    let lower = option.to_lowercase();
    let bare = lower.trim_start_matches('-');
    // One letter means something else where it is large.
    let spelled = (lower == option || option.starts_with("--")) && names(said, &lower);
    spelled || (option.starts_with("--") && bare.len() > 2 && bare.split('-').all(|part| says(said, part)))
}

/// Whether a long option names something by its value.
pub(crate) fn is_naming(option: &str) -> bool {
    option.trim_start_matches('-').rsplit('-').next().is_some_and(|end| NAMING.contains(&end))
}

/// Options that leave the deed of one program as it is: that nobody is asked again, or that nothing may be there.
const MILD_OF: &[(&str, &[&str])] = &[
    ("vagrant", &["-f", "--force"]),
    ("kubectl", &["--ignore-daemonsets", "--ignore-not-found"]),
    ("dropdb", &["--if-exists"]),
    ("dropuser", &["--if-exists"]),
    ("az", &["--fail-not-exist"]),
    ("heroku", &["--confirm"]),
];

fn is_mild(program: &str, option: &str) -> bool {
    // There it takes volumes along.
    let volumes =
        matches!(program, "docker" | "docker-compose" | "podman" | "podman-compose") && option == "-v";
    let own = MILD_OF.iter().any(|(name, options)| *name == program && options.contains(&option));
    own || (MILD.contains(&option) && !volumes)
}

/// Whether a word is said, in whatever form: `--force` by "forcing".
fn says(said: &str, word: &str) -> bool {
    let stem = if word.len() < 5 { None } else { word.get(..word.len() - 1) };
    let mut words = said.split(|it: char| !it.is_alphanumeric());
    words.any(|it| stem.map_or(it == word, |stem| it.starts_with(stem)))
}

/// `sudo` without options before what nobody else may do: who asks for that asks for the rights as well.
pub(crate) fn gives_due_rights(wrapper: &Command, reading: &Reading) -> bool {
    const DUE: &[&str] = &["systemctl", "service", "reboot", "shutdown", "poweroff", "halt"];
    let first = wrapper.arguments.first().map_or("", |word| word.text.as_str());
    let inner = reading.commands.iter().filter(|it| it.placement == Placement::Wrapped && it.word == first);
    wrapper.word == "sudo"
        && wrapper.placement == Placement::Direct
        && wrapper.assignments.is_empty()
        && DUE.contains(&first)
        && inner.count() == 1
}

/// Whether every option that was said is there: one that is left out may be what kept the deed small.
pub(crate) fn narrows_nothing(said: &str, reading: &Reading) -> bool {
    let mut options =
        said.split_whitespace().map(|word| word.trim_matches(|it: char| "\"'`,;:.!?()".contains(it)));
    options.all(|option| {
        let named = option.trim_start_matches('-').starts_with(char::is_alphabetic);
        let mut words = reading.commands.iter().flat_map(|command| &command.arguments);
        !option.starts_with('-') || !named || words.any(|word| word.text.to_lowercase() == option)
    })
}
