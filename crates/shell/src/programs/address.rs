//! Where an address leads: out to the public, or to something only this machine can reach.

/// Where an address leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place<'a> {
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

/// Where `url` leads. The scheme may be missing.
pub(crate) fn place(url: &str) -> Place<'_> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let scheme = scheme.to_ascii_lowercase();
    if scheme == "file" {
        return Place::File(rest.strip_prefix("localhost").unwrap_or(rest));
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

fn host(host_and_port: &str) -> Place<'static> {
    if let Some(six) = host_and_port.strip_prefix('[') {
        let address = six.split(']').next().unwrap_or_default().to_ascii_lowercase();
        let public = address.starts_with('2') && address.parse::<std::net::Ipv6Addr>().is_ok();
        return if address.starts_with("fd00:ec2") {
            Place::Metadata
        } else if public {
            Place::Public
        } else {
            Place::Local
        };
    }
    let name = host_and_port.split(':').next().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    let metadata =
        ["169.254.169.254", "169.254.170.2", "100.100.100.200", "metadata", "metadata.google.internal"];
    if metadata.contains(&name.as_str()) {
        return Place::Metadata;
    }
    if let Ok(address) = name.parse::<std::net::Ipv4Addr>() {
        let local = address.is_loopback()
            || address.is_private()
            || address.is_link_local()
            || address.is_unspecified();
        return if local { Place::Local } else { Place::Public };
    }
    let numeric = name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') || name.starts_with("0x");
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    let dotted = name.contains('.') && !name.starts_with('.') && !name.starts_with('-');
    let private =
        [".local", ".internal", ".localhost", ".lan", ".home"].iter().any(|end| name.ends_with(end));
    match (numeric || !plain, dotted && !private) {
        // Decimal, octal and hexadecimal spellings of an address are how loopback is hidden.
        (true, _) => Place::Unclear,
        (false, true) => Place::Public,
        (false, false) => Place::Local,
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
        for url in
            ["http://localhost:3000", "http://127.0.0.1", "http://10.0.0.1/", "http://[::1]/", "http://box/"]
        {
            assert_eq!(place(url), Place::Local, "{url}");
        }
        for url in [
            "http://2130706433/",
            "http://0x7f.1/",
            "http://user:pw@example.com/",
            "gopher://x",
            "http://exa{mple}.com",
        ] {
            assert_eq!(place(url), Place::Unclear, "{url}");
        }
        assert_eq!(place("http://169.254.169.254/latest"), Place::Metadata);
        assert_eq!(place("file:///etc/passwd"), Place::File("/etc/passwd"));
    }
}
