//! What a forwarder decides: plain functions over bytes and addresses. Nothing here opens a connection.

pub(crate) mod address;
pub(crate) mod dns;
pub(crate) mod http;
pub(crate) mod tls;

use crate::envelope::Host;

/// The named host that a name and port mean, if any.
pub(crate) fn named<'a>(hosts: &'a [Host], name: &str, port: u16) -> Option<&'a Host> {
    let name = name.trim_end_matches('.');
    let ports = |host: &Host| matches!(port, 80 | 443) || host.port == Some(port);
    hosts.iter().find(|host| host.name.eq_ignore_ascii_case(name) && ports(host))
}
