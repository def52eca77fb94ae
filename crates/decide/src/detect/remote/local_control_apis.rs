//! Requests to control APIs that listen on this machine: of containers, clusters, stores of secrets and data.
//!
//! The program that is worked on listens here as well, and any request to it is fine; so it is the usual port, the path
//! or the words of the request that tell the two apart.

use portcullis_shell::{Argument, Command, Placement};

use super::home::{BY_PORT, names_port};
use crate::detect::{Finding, detectors};
use crate::view::named;
use crate::web;

/// Usual ports of control APIs, and whose they are: whatever changes there is not the project's.
const CONTROL_PORTS: &[(&str, &str)] = &[
    ("2375", "docker"),
    ("2376", "docker"),
    ("2379", "etcd"),
    ("2019", "caddy"),
    ("4040", "ngrok"),
    ("4646", "nomad"),
    ("5984", "couchdb"),
    ("6443", "the cluster"),
    ("8384", "syncthing"),
    ("8200", "vault"),
    ("8500", "consul"),
    ("9222", "a browser"),
    ("9443", "portainer"),
    ("10250", "a node of a cluster"),
    ("15672", "rabbitmq"),
];

/// Ports of stores in which work goes on; what is deleted there is gone.
const STORES: &[&str] = &["9200", "11434"];

/// Ports of those that keep secrets among other things.
const KEEPERS: &[&str] = &["6443", "8001", "8200"];

/// Parts of a path that only control APIs have, at whatever port; both must be there.
const PLACES: &[(&str, &str)] = &[
    ("/api/v1/namespaces", ""),
    ("/api/v1/nodes", ""),
    ("/api/v1/persistentvolumes", ""),
    ("/apis/", "/namespaces/"),
    ("/apis/", "/clusterrole"),
    ("/v1/sys/", ""),
    ("/_delete_by_query", ""),
    ("/_cluster/", ""),
    ("/_snapshot/", ""),
    ("/_security/", ""),
    ("/-/quit", ""),
    ("/api/v1/admin/tsdb/", ""),
    ("/actuator/shutdown", ""),
    ("/api/endpoints/", "/docker/"),
    ("/job/", "/build"),
    ("/job/", "/dodelete"),
    ("/scripttext", ""),
    ("/saferestart", ""),
    ("/containers/", "/exec"),
    ("/containers/prune", ""),
    ("/images/prune", ""),
    ("/volumes/prune", ""),
    ("/v2/", "/manifests/"),
    ("/api/v2/silences", ""),
    ("/api/v2/delete", ""),
    ("/loki/api/v1/delete", ""),
    ("/switchover", ""),
    ("/failover", ""),
    // What is left out on the way may lead anywhere.
    ("/../", ""),
    ("/./", ""),
];

/// How statements begin that take a table and all that is in it.
const STATEMENTS: &[&str] = &["drop ", "truncate ", "delete from ", "<delete>"];

/// Methods that by their definition change nothing.
const LOOKING: &[&str] = &["get", "head", "options", "trace"];

/// Options with which something is sent.
const BODIES: &[&str] = &[
    "--data",
    "--json",
    "--form",
    "--upload-file",
    "--post-data",
    "--post-file",
    "--body-data",
    "--body-file",
];

/// Programs that send any text, in whatever protocol.
const SPEAKERS: &[&str] = &["nc", "netcat", "ncat", "telnet", "websocat", "wscat", "grpcurl"];

/// A request to a control API on this machine that changes something, or asks for secrets.
pub(in crate::detect) fn of_command(command: &Command) -> Option<Finding> {
    let program = command.program.as_deref()?;
    let raw = SPEAKERS.contains(&program);
    if !raw && !matches!(program, "curl" | "wget" | "wget2") && !is_http_client(program) {
        return None;
    }
    let methods = methods(command, program);
    let changes = methods.iter().any(|method| !LOOKING.contains(&method.as_str()))
        || (raw && !command.own.is_harmless())
        || sends(command, program);
    let deletes = methods.iter().any(|method| method == "delete");
    let own = own_addresses(command);
    let found = own.iter().find_map(|address| {
        let (port, path) = port_and_path(address);
        let place = |(first, second): &(&str, &str)| {
            let path = path.split('?').next().unwrap_or_default();
            path.contains(first) && path.contains(second)
        };
        if let Some((_, service)) = CONTROL_PORTS.iter().find(|(known, _)| changes && *known == port) {
            return Some((&detectors::LOCAL_CONTROL_API, *service));
        }
        let taken = deletes && STORES.contains(&port.as_str());
        if (changes && PLACES.iter().any(place)) || taken || takes_tables(command, &path) {
            return Some((&detectors::LOCAL_CONTROL_API, "a service"));
        }
        let secret = KEEPERS.contains(&port.as_str()) && path.contains("secret");
        secret.then_some((&detectors::LOCAL_SECRET_STORE, ""))
    });
    let (detector, service) = found?;
    Some(Finding::on(detector, command).about(service))
}

/// The addresses of this machine that the command names; a port may be a word of its own.
fn own_addresses(command: &Command) -> Vec<String> {
    let words =
        || command.arguments.iter().map(|word| word.text.strip_prefix("--url=").unwrap_or(&word.text));
    let by_port = command.program.as_deref().is_some_and(is_http_client);
    let short =
        words().filter(|text| by_port && names_port(text)).map(|text| format!("http://localhost{text}"));
    let own = words().filter(|text| web::is_loopback(text)).map(str::to_owned).chain(short);
    let apart = words().zip(words().skip(1)).filter(|(host, _)| web::is_loopback(host));
    own.chain(apart.map(|(host, port)| format!("{host}:{port}"))).collect()
}

/// The port of an address of this machine and what follows it, as the other side reads it.
fn port_and_path(address: &str) -> (String, String) {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let port = authority.rsplit(':').next().unwrap_or_default();
    (port.trim_start_matches('0').to_owned(), named::decoded(path).replace('+', " ").to_ascii_lowercase())
}

/// Whether a statement in the address or in what is sent takes tables.
fn takes_tables(command: &Command, path: &str) -> bool {
    let begins = |text: &str| STATEMENTS.iter().any(|start| text.trim_start().starts_with(start));
    let asked =
        path.split(['?', '&']).filter_map(|pair| pair.split_once('=')).any(|(_, value)| begins(value));
    let said = |word: &Argument| {
        let lower = word.text.to_ascii_lowercase();
        // `query==…` goes into the address.
        let value = lower.split_once('=').map(|(_, value)| value.trim_start_matches('='));
        begins(&lower) || value.is_some_and(begins)
    };
    asked || command.arguments.iter().any(said)
}

/// The methods that the request names, in small letters.
fn methods(command: &Command, program: &str) -> Vec<String> {
    let letter = if program == "curl" { Some('X') } else { None };
    let mut named = values(command, letter, &["--request", "--method"]);
    if is_http_client(program) {
        let first = command.operands.first().and_then(|at| command.arguments.get(*at));
        let method = first.filter(|word| word.text.bytes().all(|byte| byte.is_ascii_alphabetic()));
        named.extend(method.map(|word| word.text.clone()));
    }
    named.into_iter().map(|method| method.to_ascii_lowercase()).collect()
}

fn is_http_client(program: &str) -> bool {
    BY_PORT.contains(&program)
}

/// Whether the request brings something along.
fn sends(command: &Command, program: &str) -> bool {
    if is_http_client(program) {
        let items = command.operands.iter().filter_map(|at| command.arguments.get(*at));
        let is_item = |word: &Argument| word.text.contains(['=', '@']) && !word.text.contains("==");
        // What comes through a pipe becomes the body.
        return command.placement == Placement::Piped
            || items.filter(|word| !web::is_loopback(&word.text) && !names_port(&word.text)).any(is_item);
    }
    let curl = program == "curl";
    let as_query =
        curl && (has_letter(command, 'G') || command.arguments.iter().any(|word| word.text == "--get"));
    let letters = if curl { ['d', 'F', 'T'].as_slice() } else { &[] };
    let body = letters.iter().any(|letter| has_letter(command, *letter))
        || command.arguments.iter().any(|word| is_one_of(&word.text, BODIES));
    body && !as_query
}

/// Whether an option is one of these: a beginning is as good as the whole, and `--data-raw` is one of `--data`.
fn is_one_of(text: &str, known: &[&str]) -> bool {
    let name = text.split('=').next().unwrap_or_default();
    name.len() > 3 && known.iter().any(|known| known.starts_with(name) || name.starts_with(known))
}

/// Letters of curl's options with a value: what follows them is no option.
const VALUED: &str = "ACDEFHKPQTUXYbcdemortuwxyz";

/// What follows an option of one letter in its word, if it is there.
fn after_letter(word: &Argument, letter: char) -> Option<&str> {
    let letters = word.text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let at = letters.find(|it| it == letter || VALUED.contains(it))?;
    letters.get(at..)?.strip_prefix(letter)
}

fn has_letter(command: &Command, letter: char) -> bool {
    command.arguments.iter().any(|word| after_letter(word, letter).is_some())
}

/// The values of an option.
fn values(command: &Command, letter: Option<char>, names: &[&str]) -> Vec<String> {
    let values = command.arguments.iter().enumerate().filter_map(|(index, word)| {
        let glued = letter.and_then(|letter| after_letter(word, letter));
        if glued.is_none() && !is_one_of(&word.text, names) {
            return None;
        }
        let own = glued.filter(|value| !value.is_empty()).or_else(|| Some(word.text.split_once('=')?.1));
        own.or_else(|| Some(command.arguments.get(index + 1)?.text.as_str())).map(str::to_owned)
    });
    values.collect()
}
