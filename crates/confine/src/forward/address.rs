//! Which addresses a named host may have.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How far an address reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The network at large.
    Global,
    /// A private network; only for hosts that a person's settings named.
    Private,
    /// This machine, its link, or nobody: never.
    Never,
}

/// How far an address reaches.
pub(crate) fn reach(address: IpAddr) -> Reach {
    match address {
        IpAddr::V4(address) => of_four(address),
        IpAddr::V6(address) => of_six(address),
    }
}

fn of_four(address: Ipv4Addr) -> Reach {
    let [first, second, third, fourth] = address.octets();
    match (first, second, third) {
        (0 | 127 | 224..=255, _, _) | (169, 254, _) => Reach::Never,
        // The metadata services of two clouds lie outside the link.
        (168, 63, 129) if fourth == 16 => Reach::Never,
        (100, 100, 100) if fourth == 200 => Reach::Never,
        (10, _, _) | (192, 168, _) | (172, 16..=31, _) | (100, 64..=127, _) => Reach::Private,
        (192, 0, 0 | 2) | (198, 18 | 19, _) | (198, 51, 100) | (203, 0, 113) => Reach::Private,
        _ => Reach::Global,
    }
}

fn of_six(address: Ipv6Addr) -> Reach {
    if let Some(inner) = inner_four(address) {
        return of_four(inner);
    }
    let [first, second, ..] = address.segments();
    match first {
        0x2000..=0x3fff if first == 0x2001 && second == 0x0db8 => Reach::Private,
        // Teredo carries an address of its own choosing.
        0x2000..=0x3fff if first == 0x2001 && second == 0 => Reach::Never,
        0x2000..=0x3fff => Reach::Global,
        // The metadata service of one cloud lies in a private network.
        0xfd00 if second == 0x0ec2 => Reach::Never,
        0xfc00..=0xfdff => Reach::Private,
        _ => Reach::Never,
    }
}

/// The IPv4 address that an IPv6 address stands for: mapped, compatible, translated, or 6to4.
fn inner_four(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let [_, second, third, .., seventh, eighth] = segments;
    let four = |high: u16, low: u16| {
        let ([one, two], [three, four]) = (high.to_be_bytes(), low.to_be_bytes());
        Some(Ipv4Addr::new(one, two, three, four))
    };
    match segments {
        [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            four(seventh, eighth)
        }
        [0, 0, 0, 0, 0, 0, ..] if seventh != 0 => four(seventh, eighth),
        [0x2002, ..] => four(second, third),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [K5]
    #[test]
    fn no_spelling_of_this_machine_or_its_neighbours_is_global() {
        let reach = |text: &str| super::reach(text.parse().unwrap());
        for text in [
            "127.0.0.1",
            "127.77.0.1",
            "0.0.0.0",
            "169.254.169.254",
            "224.0.0.1",
            "255.255.255.255",
            "100.100.100.200",
            "168.63.129.16",
            "::",
            "::1",
            "fe80::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "::127.0.0.1",
            "fd00:ec2::254",
            "2001:0:1::1",
            "fec0::1",
            "::ffff:0:127.0.0.1",
        ] {
            assert_eq!(reach(text), Reach::Never, "{text}");
        }
        for text in [
            "10.0.0.1",
            "192.168.1.1",
            "172.31.0.1",
            "100.64.0.1",
            "fd12::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
        ] {
            assert_eq!(reach(text), Reach::Private, "{text}");
        }
        for text in ["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"] {
            assert_eq!(reach(text), Reach::Global, "{text}");
        }
    }
}
