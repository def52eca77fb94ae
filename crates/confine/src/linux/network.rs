//! Loopback and sockets of a network namespace that was just made.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink};

use crate::steps::RESOLVER;

/// Brings the loopback up: one message to the kernel, and its answer.
pub(super) fn loopback_up() -> Result<(), Errno> {
    const NEW_LINK: u16 = 16;
    const REQUEST_AND_ANSWER: u16 = 5;
    const UP: u32 = 1;
    let socket = netlink_socket(None)?;
    let mut message = Vec::with_capacity(32);
    message.extend(32_u32.to_ne_bytes());
    message.extend(NEW_LINK.to_ne_bytes());
    message.extend(REQUEST_AND_ANSWER.to_ne_bytes());
    message.extend([0; 8]);
    // Any family, the first interface, which is the loopback, up.
    message.extend([0; 4]);
    message.extend(1_i32.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    rustix::net::send(&socket, &message, SendFlags::empty())?;
    let mut answer = [0; 512];
    let (got, _) = rustix::net::recv(&socket, &mut answer, RecvFlags::empty())?;
    let code = answer.get(16..20).filter(|_| got >= 20).and_then(|bytes| bytes.try_into().ok());
    match code.map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(code) => Err(Errno::from_raw_os_error(code.saturating_neg())),
        None => Err(Errno::PROTO),
    }
}

/// Without a protocol it is the one of links and addresses, whose number is 0.
fn netlink_socket(protocol: Option<rustix::net::Protocol>) -> Result<OwnedFd, Errno> {
    rustix::net::socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, protocol)
}

/// What the warden needs of a session's network: where its listeners are listed, and where names are asked for.
pub(super) fn session_sockets() -> Result<Vec<OwnedFd>, Errno> {
    Ok(vec![netlink_socket(Some(netlink::SOCK_DIAG))?, resolver_socket()?])
}

/// The socket at which names are asked for.
pub(super) fn resolver_socket() -> Result<OwnedFd, Errno> {
    let socket =
        rustix::net::socket_with(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
    let address: Ipv4Addr = RESOLVER.parse().map_err(|_| Errno::INVAL)?;
    rustix::net::bind(&socket, &SocketAddrV4::new(address, 53))?;
    Ok(socket)
}

/// A socket that listens inside, for the forwarder outside.
pub(super) fn listener(address: Ipv4Addr, port: u16) -> Result<OwnedFd, Errno> {
    const BACKLOG: i32 = 128;
    let socket =
        rustix::net::socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    rustix::net::bind(&socket, &SocketAddrV4::new(address, port))?;
    rustix::net::listen(&socket, BACKLOG)?;
    Ok(socket)
}
