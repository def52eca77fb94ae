//! The environment of a confined command: what the caller has, without secrets and ways to sockets outside.

use crate::envelope::{Envelope, Kind};
use crate::facts::{Facts, is_within};
use crate::steps::{Network, PROXY};
use crate::tables::is_secret_variable;

/// The variables that name a proxy.
const PROXIES: &[&str] =
    &["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "ftp_proxy"];

/// The variables, in the caller's order.
pub(crate) fn environment(envelope: &Envelope, facts: &Facts, network: &Network) -> Vec<(String, String)> {
    let mut variables: Vec<(String, String)> = facts
        .environment
        .iter()
        .filter(|(name, value)| is_passed(name, value, envelope, facts))
        .cloned()
        .collect();
    let mut set = |name: &str, value: String| {
        variables.retain(|(known, _)| known != name);
        variables.push((name.to_owned(), value));
    };
    set("PORTCULLIS_ENVELOPE", envelope.kind.word().to_owned());
    if envelope.kind != Kind::Open {
        set("HOME", facts.home.clone());
        set("PWD", facts.directory.clone());
        if facts.environment.iter().any(|(name, _)| name == "TMPDIR") {
            set("TMPDIR", "/tmp".to_owned());
        }
    }
    match network {
        Network::Session | Network::Machine => {}
        Network::Hosts(_) => {
            let (address, port) = PROXY;
            for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] {
                set(name, format!("http://{address}:{port}"));
            }
            for name in ["no_proxy", "NO_PROXY"] {
                set(name, "localhost,127.0.0.1,::1".to_owned());
            }
        }
    }
    variables
}

fn is_passed(name: &str, value: &str, envelope: &Envelope, facts: &Facts) -> bool {
    if envelope.passed_variables.iter().any(|passed| passed == name) || envelope.kind == Kind::Open {
        return true;
    }
    // Folders of the desktop that lie outside the home folder are not there.
    let away = name.starts_with("XDG_") && value.starts_with('/') && !is_within(value, &facts.home);
    !is_secret_variable(name) && !PROXIES.contains(&name) && !away
}
