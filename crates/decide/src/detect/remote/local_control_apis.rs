//! Requests to control APIs that listen on this machine: of containers, clusters, stores of secrets and data.
//!
//! The program that is worked on listens here as well, and any request to it is fine; so it is the usual port, the path
//! or the words of the request that tell the two apart.

use portcullis_shell::{Argument, Command, Effects};

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

/// Programs that send any text, in whatever protocol.
const SPEAKERS: &[&str] = words!("nc netcat ncat telnet websocat wscat grpcurl curl wget wget2");

/// A request to a control API on this machine that changes something, or asks for secrets.
pub(in crate::detect) fn of_command(command: &Command) -> Option<Finding> {
    let program = command.program.as_deref()?;
    if !SPEAKERS.contains(&program) && !is_http_client(program) {
        return None;
    }
    let says =
        |method: &str| command.arguments.iter().any(|word| word.text.to_ascii_uppercase().ends_with(method));
    let method = ["POST", "PUT", "PATCH", "DELETE"].iter().any(|method| says(method));
    let speaks = matches!(program, "nc" | "netcat" | "ncat" | "telnet" | "websocat" | "wscat" | "grpcurl");
    let changes = method || command.own.meets(Effects::SENDS_DATA) || (speaks && !command.own.is_harmless());
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
        let taken = says("DELETE") && STORES.contains(&port.as_str());
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

fn is_http_client(program: &str) -> bool {
    BY_PORT.contains(&program)
}
