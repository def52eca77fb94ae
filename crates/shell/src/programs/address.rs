//! Where an address leads: out to the public, or to something only this machine can reach.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Where an address leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place<'a> {
    /// A public host.
    Public,
    /// A file of this machine.
    File(&'a str),
    /// This machine or its private network.
    Local,
    /// A cloud machine's metadata service, which hands out credentials.
    Metadata,
    /// Not a plain name or number.
    Unclear,
}

/// Whether a word is an address with a scheme: `https://example.com`, `s3://bucket/key`.
pub(crate) fn has_scheme(word: &str) -> bool {
    word.split_once("://").is_some_and(|(scheme, _)| {
        let signs = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'.' | b'-');
        scheme.len() > 1
            && scheme.bytes().all(signs)
            && scheme.starts_with(|it: char| it.is_ascii_alphabetic())
    })
}

/// Where `url` leads. The scheme may be missing.
#[must_use]
pub fn place(url: &str) -> Place<'_> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let scheme = scheme.to_ascii_lowercase();
    if scheme == "file" {
        // The part before the path names this machine; what follows it is cut off.
        let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or_default();
        // The working directory and the home directory, as the reader spells variables for them.
        let path = if rest.starts_with(['.', '~']) { rest } else { path };
        let path = path.split(['?', '#']).next().unwrap_or_default();
        // `%2e` and the like spell a name that is not seen here.
        return if path.is_empty() || path.contains('%') { Place::Unclear } else { Place::File(path) };
    }
    if !matches!(scheme.as_str(), "http" | "https" | "ftp" | "ftps") {
        return Place::Unclear;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host_and_port = authority.rsplit('@').next().unwrap_or_default();
    if authority.contains('@') || authority.contains('\\') {
        return Place::Unclear;
    }
    host(host_and_port)
}

/// Names of metadata services.
const METADATA: &[&str] =
    &["metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"];

/// Endings of names that stand for private addresses; the last ones answer with the address in the name, or
/// always with this machine's.
const PRIVATE: &[&str] = &[
    "local",
    "internal",
    "localhost",
    "localdomain",
    "lan",
    "home",
    "home.arpa",
    "intranet",
    "corp",
    "private",
    "nip.io",
    "sslip.io",
    "xip.io",
    "localtest.me",
    "lvh.me",
    "traefik.me",
    "vcap.me",
    "lacolhost.com",
    "localho.st",
];

fn host(host_and_port: &str) -> Place<'static> {
    if let Some(six) = host_and_port.strip_prefix('[') {
        return six_place(&six.split(']').next().unwrap_or_default().to_ascii_lowercase());
    }
    let name = host_and_port.split(':').next().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    if METADATA.contains(&name.as_str()) {
        return Place::Metadata;
    }
    if let Ok(address) = name.parse::<Ipv4Addr>() {
        return four_place(address);
    }
    let private = PRIVATE
        .iter()
        .any(|end| name.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('.')));
    if private {
        return Place::Local;
    }
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    let dotted = name.contains('.') && !name.starts_with('.') && !name.starts_with('-');
    match (spells_number(&name) || !plain, dotted) {
        // Decimal, octal and hexadecimal spellings of an address are how loopback is hidden.
        (true, _) => Place::Unclear,
        (false, true) => Place::Public,
        (false, false) => Place::Local,
    }
}

/// Whether a part of the name is a number, or four in a row as in `10-0-0-1`. No public name needs that, and
/// names of this kind can stand for any address.
fn spells_number(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numeric = |label: &str| digits(label) || label.starts_with("0x");
    let four = |label: &str| {
        label.split('-').collect::<Vec<_>>().windows(4).any(|parts| parts.iter().all(|part| digits(part)))
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    name.is_empty()
        || last.starts_with(|first: char| first.is_ascii_digit())
        || name.split('.').any(|label| numeric(label) || four(label))
}

fn four_place(address: Ipv4Addr) -> Place<'static> {
    let metadata = [
        Ipv4Addr::new(169, 254, 169, 254),
        Ipv4Addr::new(169, 254, 170, 2),
        Ipv4Addr::new(100, 100, 100, 200),
        Ipv4Addr::new(168, 63, 129, 16),
        Ipv4Addr::new(192, 0, 0, 192),
    ];
    if metadata.contains(&address) {
        return Place::Metadata;
    }
    let special = match address.octets() {
        [0 | 224..=255, ..] | [192, 0, 0, _] | [198, 18..=19, ..] | [100, 64..=127, ..] => true,
        [..] => false,
    };
    let local = special || address.is_loopback() || address.is_private() || address.is_link_local();
    if local { Place::Local } else { Place::Public }
}

fn six_place(address: &str) -> Place<'static> {
    let Ok(parsed) = address.parse::<Ipv6Addr>() else { return Place::Local };
    if let Some(four) = parsed.to_ipv4_mapped() {
        return match four_place(four) {
            Place::Metadata => Place::Metadata,
            Place::Public | Place::File(_) | Place::Local | Place::Unclear => Place::Local,
        };
    }
    match parsed.segments() {
        [0xfd00, 0x0ec2, ..] => Place::Metadata,
        // Both carry an address of the older kind.
        [0x2002, ..] | [0x2001, 0, ..] => Place::Local,
        [0x2000..=0x3fff, ..] => Place::Public,
        [..] => Place::Local,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_public_names_are_public() {
        for url in [
            "https://example.com/a",
            "ftp://example.com",
            "http://192.0.2.7:80/x",
            "HTTPS://API.example.com?q=1",
        ] {
            assert_eq!(place(url), Place::Public, "{url}");
        }
        for url in [
            "http://localhost:3000",
            "http://127.0.0.1",
            "http://10.0.0.1/",
            "http://[::1]/",
            "http://box/",
            "http://169.254.169.254.nip.io/x",
            "http://localtest.me:8080/",
            "http://a.lvh.me",
            "http://100.64.0.1/",
            "http://198.18.0.1",
            "http://192.0.0.8",
            "http://0.1.2.3/",
            "http://224.0.0.1",
            "http://[::ffff:10.0.0.1]/",
            "http://[2002:7f00:1::]/",
        ] {
            assert_eq!(place(url), Place::Local, "{url}");
        }
        for url in [
            "http://2130706433/",
            "http://0x7f.1/",
            "http://user:pw@example.com/",
            "gopher://x",
            "http://127.0.0.0x1/",
            "http://169.254.169.0xfe/latest",
            "http://0x7f.example.com",
            "http://10-0-0-1.example.com/",
            "file:///etc/sh%61dow",
            "http://exa{mple}.com",
        ] {
            assert_eq!(place(url), Place::Unclear, "{url}");
        }
        for url in [
            "http://169.254.169.254/latest",
            "http://168.63.129.16/machine",
            "http://192.0.0.192/",
            "http://[::ffff:169.254.169.254]/",
            "http://[fd00:ec2::254]/",
        ] {
            assert_eq!(place(url), Place::Metadata, "{url}");
        }
        assert_eq!(place("http://[2606:4700::1111]/"), Place::Public);
        assert_eq!(place("file://localhost/etc/shadow?x"), Place::File("/etc/shadow"));
        assert_eq!(place("file:///etc/passwd"), Place::File("/etc/passwd"));
        assert_eq!(place("file://./secret"), Place::File("./secret"));
    }
}
