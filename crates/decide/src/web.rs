//! Hosts of addresses, and rules for them (SPEC R7): `WebFetch(domain:h)`.
//!
//! An address is taken apart as strictly as possible. What browsers forgive (user names, encoded or foreign
//! letters in a host, other schemes, tabs) is what hides a host, so it makes the host unclear.

use std::net::{Ipv4Addr, Ipv6Addr};

use portcullis_shell::Place;

use crate::glob::{self, Match};

/// The hosts that a rule covers, as in `WebFetch(domain:example.com)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainPattern {
    /// Lower case, without a trailing dot; `*` stands for a label, or for any number of them at the start.
    pattern: String,
}

/// The host of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Host {
    /// A public name or address, in lower case.
    Public(String),
    /// This machine, its network or its cloud: a name or address that only it can reach.
    Private(String),
    /// Not a plain address.
    Unclear,
}

/// The host that `url` names.
pub(crate) fn host(url: &str) -> Host {
    let lower = url.to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")) else {
        return Host::Unclear;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'[' | b']');
    let odd = url.chars().any(|character| character.is_control() || character.is_whitespace());
    if odd || authority.is_empty() || !authority.bytes().all(plain) {
        return Host::Unclear;
    }
    let name = if authority.starts_with('[') {
        canonical(&(authority.split(']').next().unwrap_or_default().to_owned() + "]"))
    } else {
        authority.split(':').next().unwrap_or_default().trim_end_matches('.').to_owned()
    };
    match portcullis_shell::place(&lower) {
        Place::Public => Host::Public(name),
        Place::Local | Place::Metadata => Host::Private(name),
        // `localhost` and bare names are spelled plainly; numbers in disguise are not.
        Place::Unclear | Place::File(_) => Host::Unclear,
    }
}

impl Host {
    /// Whether everybody can reach it.
    pub(crate) const fn is_public(&self) -> bool {
        matches!(self, Host::Public(_))
    }
}

/// An address of six or four numbers in its one spelling; other names as they are.
fn canonical(name: &str) -> String {
    let inner = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    match inner.parse::<Ipv6Addr>() {
        Ok(address) => {
            address.to_ipv4_mapped().map_or_else(|| format!("[{address}]"), |four| four.to_string())
        }
        Err(_) => name.to_owned(),
    }
}

/// The address of four numbers that a name spells as the C library reads it: `127.1`, `0x7f.1`, `2130706433`.
pub(crate) fn as_numbers(name: &str) -> Option<Ipv4Addr> {
    let number = |part: &str| {
        let (digits, base) = match part.strip_prefix("0x").or_else(|| part.strip_prefix("0X")) {
            Some(hex) => (hex, 16),
            None if part.len() > 1 && part.starts_with('0') => (part, 8),
            None => (part, 10),
        };
        let plain = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
        u32::from_str_radix(digits, base).ok().filter(|_| plain)
    };
    let parts: Vec<u32> = name.trim_end_matches('.').split('.').map(number).collect::<Option<_>>()?;
    let (last, leading) = parts.split_last().filter(|(_, leading)| leading.len() < 4)?;
    let room = 32 - 8 * u32::try_from(leading.len()).ok()?;
    let fits = leading.iter().all(|part| *part < 256) && u64::from(*last) < 1_u64 << room;
    let shifted = leading.iter().zip([24_u32, 16, 8]).map(|(part, by)| part << by);
    fits.then(|| Ipv4Addr::from(shifted.sum::<u32>() | last))
}

/// Whether an address, with or without a scheme, names this very machine.
pub(crate) fn is_loopback(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // `localhost:80@elsewhere`: what stands before the sign is a user and a password.
    let authority = authority.rsplit('@').next().unwrap_or_default();
    // `[::1].elsewhere` is another name.
    let own = authority.strip_prefix("[::1]").filter(|after| after.is_empty() || after.starts_with(':'));
    let name = if own.is_some() { "[::1]" } else { authority.split(':').next().unwrap_or_default() };
    let four: Vec<&str> = name.split('.').collect();
    let numbers = four.len() == 4 && four.iter().all(|part| part.parse::<u8>().is_ok());
    let named =
        matches!(name, "localhost" | "[::1]" | "0.0.0.0") || (numbers && four.first() == Some(&"127"));
    // Programs do not agree on what a backslash is.
    named && !address.contains('\\')
}

impl DomainPattern {
    pub(crate) fn parse(text: &str) -> Result<DomainPattern, String> {
        let pattern = text.trim_end_matches('.').to_ascii_lowercase();
        let plain = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'*' | b':' | b'[' | b']')
        };
        if pattern.is_empty() || !pattern.bytes().all(plain) || pattern.contains("//") {
            return Err(format!(
                "`{text}` is not a host; write it as in `domain:example.com`, in ASCII, without a path"
            ));
        }
        Ok(DomainPattern { pattern: canonical(&pattern) })
    }

    /// What every host it means must end with, for the index; nothing where it could be anything.
    pub(crate) fn needed_end(&self) -> Option<&str> {
        let end = self.pattern.strip_prefix("*.").unwrap_or(&self.pattern);
        (!end.contains(['*', ':']) && !end.starts_with('.')).then_some(end)
    }

    /// Whether it spells out the host, without a wildcard.
    pub(crate) fn names(&self, host: &str) -> bool {
        self.pattern == host
    }

    /// Whether a deny or ask rule means the host: a star in a label is any text, a leading dot is what lies below,
    /// and which port is fetched from is not looked at.
    pub(crate) fn guards(&self, host: &str) -> Match {
        if self.matches(host) {
            return Match::Yes;
        }
        if let Some(end) = self.pattern.strip_prefix('.') {
            return Match::from_known(host == end || host.ends_with(&self.pattern));
        }
        if let Some((name, _)) = self.pattern.split_once(':').filter(|(name, _)| !name.starts_with('[')) {
            let name = DomainPattern { pattern: name.to_owned() };
            return name.guards(host).min(Match::Unclear);
        }
        let in_label = self.pattern.split('.').any(|label| label != "*" && label.contains('*'));
        let pattern: Vec<glob::Sign> = glob::signs(&self.pattern, true).collect();
        let signs: Vec<glob::Sign> = glob::signs(host, false).collect();
        Match::from_known(in_label && glob::matches(&pattern, &signs) == Match::Yes)
    }

    /// Whether it means the host, which is in lower case.
    pub(crate) fn matches(&self, host: &str) -> bool {
        if self.pattern == "*" || self.pattern == host {
            return true;
        }
        if let Some(end) = self.pattern.strip_prefix("*.").filter(|end| !end.contains('*')) {
            return host.strip_suffix(end).is_some_and(|before| before.len() > 1 && before.ends_with('.'));
        }
        // A star anywhere else stands for one label.
        let (wanted, found) = (self.pattern.split('.'), host.split('.'));
        self.pattern.contains('*')
            && self.pattern.matches('.').count() == host.matches('.').count()
            && wanted.zip(found).all(|(wanted, found)| wanted == "*" || wanted == found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [R7], [R13]
    #[test]
    fn only_a_plain_address_has_a_host() {
        assert_eq!(host("HTTPS://Docs.Example.COM./a@b"), Host::Public("docs.example.com".to_owned()));
        assert_eq!(host("http://127.0.0.1:8080/admin"), Host::Private("127.0.0.1".to_owned()));
        assert_eq!(host("http://[::1]:9/"), Host::Private("[::1]".to_owned()));
        assert_eq!(host("http://localhost:3000"), Host::Private("localhost".to_owned()));
        for url in [
            "file:///etc/passwd",
            "data:text/html,x",
            "https://docs.example.com@evil.invalid/",
            "https://docs.example.com%00.evil.invalid/",
            "https://d\u{43e}cs.example.com/",
            "https://docs.example\u{3002}com/x",
            "https://evil.invalid\0.docs.example.com/",
            "http://0x7f.1/",
            "http://2130706433/",
            "https://docs.example.com\\@evil.invalid",
            "docs.example.com",
            "https://",
        ] {
            assert_eq!(host(url), Host::Unclear, "{url}");
        }
    }

    /// [R7]
    #[test]
    fn numbers_are_read_as_the_c_library_reads_them() {
        for name in ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "0x7f000001", "127.0.1"] {
            assert_eq!(as_numbers(name), Some(Ipv4Addr::LOCALHOST), "{name}");
        }
        for name in ["256.0.0.1", "1.2.3.4.5", "a.b", "1.x", "", "4294967296", "1..2"] {
            assert_eq!(as_numbers(name), None, "{name}");
        }
    }

    /// [R7]
    #[test]
    fn a_leading_star_is_any_depth_below_and_not_the_name_itself() {
        let check = |pattern: &str, host: &str| DomainPattern::parse(pattern).expect("a host").matches(host);
        assert!(check("*.example.com", "a.b.example.com"));
        assert!(!check("*.example.com", "example.com"));
        assert!(!check("*.example.com", "evilexample.com"));
        assert!(!check("docs.example.com", "docs.example.com.evil.invalid"));
        assert!(!check("docs.example.com", "sub.docs.example.com"));
        assert!(check("Docs.Example.com.", "docs.example.com"));
        assert!(check("api.*.com", "api.x.com"));
        assert!(!check("api.*.com", "api.x.y.com"));
    }
}
