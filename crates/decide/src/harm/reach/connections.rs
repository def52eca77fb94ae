//! Databases and clusters that are only asked, with words that are known at run time alone: whom they are asked, and what
//! the cluster itself named.

use portcullis_shell::{Argument, Command, Effects, Placement, Reading};

use crate::harm::names::computed::{is_given_back, only_asks, takes_file_in};
use crate::view::View;

/// Clients whose statements are read in full.
const CLIENTS: &[&str] = &["psql", "redis-cli", "valkey-cli"];

/// `psql "$DATABASE_URL" -c 'select 1'`: where a database is says nothing to anybody else.
pub(in crate::harm) fn asks_database(command: &Command, view: &View, reading: &Reading) -> bool {
    // Beside a host of its own, what the variable holds would go there.
    let names_host = |word: &Argument| word.text.starts_with("-h") || word.text.starts_with("--ho");
    let client = command.program.as_deref().is_some_and(|name| CLIENTS.contains(&name));
    let mut unknown = command.arguments.iter().filter(|word| !word.literal);
    let first = unknown.next();
    client
        && unknown.next().is_none()
        && first.is_some_and(|word| is_address(word, view))
        && only_asks(command, reading)
        && !command.arguments.iter().any(names_host)
        && is_plain(command, view, reading)
}

/// Whether the command is given nothing but its words, and no credentials are read around it.
fn is_plain(command: &Command, view: &View, reading: &Reading) -> bool {
    command.placement != Placement::Piped
        && command.assignments.is_empty()
        && !takes_file_in(view)
        && !reading.effects().meets(Effects::SECRETS.and(Effects::ENVIRONMENT))
}

/// Whether the word is a variable of the environment that is called like an address, and nothing else.
fn is_address(word: &Argument, view: &View) -> bool {
    const ENDINGS: &[&str] = &["_URL", "_URI", "_DSN"];
    let text = word.span.of(&view.line).trim_matches('"');
    let name = text.strip_prefix('$').unwrap_or_default();
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    let plain = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    plain && ENDINGS.iter().any(|ending| name.ends_with(ending)) && is_only_used(name, &view.line)
}

/// Whether the line never names the variable but to take its value.
fn is_only_used(name: &str, line: &str) -> bool {
    line.match_indices(name).all(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        let after = line.get(at + name.len()..).unwrap_or_default();
        before.ends_with('$') || (before.ends_with("${") && after.starts_with('}'))
    })
}

/// Words beside the names with which a cluster is asked for what its own parts print.
const ASKING: &[&str] = &[
    "-n",
    "--namespace",
    "-c",
    "--container",
    "-f",
    "--follow",
    "-p",
    "--previous",
    "-l",
    "--tail",
    "--since",
    "--all-containers",
    "--timestamps",
    "--prefix",
    "--for",
    "--timeout",
];

/// `kubectl logs $(kubectl get pods -o name | head -1)`
pub(in crate::harm) fn asks_cluster(command: &Command, view: &View, reading: &Reading) -> bool {
    let verbs = command.verbs.iter().filter_map(|at| command.arguments.get(*at));
    let verbs: Vec<&str> = verbs.map(|word| word.text.as_str()).collect();
    let looks = matches!(
        verbs.as_slice(),
        ["logs" | "describe" | "top" | "wait", ..] | ["rollout", "status" | "history", ..]
    );
    let known = |word: &Argument| {
        let name = word.text.split('=').next().unwrap_or_default();
        !word.text.starts_with('-') || ASKING.contains(&name)
    };
    matches!(command.program.as_deref(), Some("kubectl" | "oc"))
        && looks
        && only_asks(command, reading)
        && command.arguments.iter().all(known)
        && is_plain(command, view, reading)
        && command
            .arguments
            .iter()
            .filter(|word| !word.literal)
            .all(|word| is_given_back(word, view, reading))
}

/// Whether a cluster is asked what its objects are called, and for nothing else of them.
pub(in crate::harm) fn tells_names(command: &Command) -> bool {
    const CHOOSING: &[&str] = &[
        "-n",
        "--namespace",
        "-l",
        "--selector",
        "-A",
        "--all-namespaces",
        "-o",
        "--output",
        "--field-selector",
    ];
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let known =
        |word: &str| !word.starts_with('-') || CHOOSING.contains(&word.split('=').next().unwrap_or_default());
    let form = |word: &str| {
        let named = word.strip_prefix("jsonpath=");
        word == "name"
            || named.is_some_and(|path| path.starts_with("{.items[") && path.ends_with("].metadata.name}"))
    };
    let pairs = words().zip(words().skip(1)).filter(|(option, _)| matches!(*option, "-o" | "--output"));
    let forms: Vec<&str> = pairs.map(|(_, value)| value).collect();
    words().next() == Some("get")
        && words().all(known)
        && matches!(forms.as_slice(), [only] if form(only))
        && command.own.without(Effects::NETWORK_READ).is_harmless()
}
