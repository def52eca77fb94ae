//! Messages between the processes of a session: a length, JSON, and descriptors beside it.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::envelope::{Envelope, Limits};
use crate::facts::Facts;
use crate::plan::Plan;
use crate::steps::Mount;

/// The longest message.
const LONGEST: usize = 64 << 20;

/// The most descriptors beside a message.
const MOST_DESCRIPTORS: usize = 16;

/// What a warden is asked.
#[derive(Serialize, Deserialize)]
pub(super) enum Question {
    /// Let a command join; the first one starts the session.
    Join(Box<Joining>),
    /// A socket of the command's own network, which is beside it, and what it is for.
    Socket(super::forwarder::Purpose),
    /// Those were all: serve them.
    Forward,
    /// The command has ended.
    Ended,
    /// Which processes run.
    List,
    /// End the session.
    End,
}

/// A command that wants to join.
#[derive(Serialize, Deserialize)]
pub(super) struct Joining {
    pub(super) envelope: Envelope,
    pub(super) facts: Facts,
    /// The session's name; without one it ends with the command.
    pub(super) session: Option<String>,
    /// The process with which the session ends.
    pub(super) until: Option<i32>,
}

/// What a warden answers.
#[derive(Serialize, Deserialize)]
pub(super) enum Answer {
    /// The command may join; process 1 of the session is beside it.
    Ready(Box<Plan>),
    /// It cannot be confined.
    Refused(String),
    /// What was found at its end.
    Report(Vec<String>),
    /// The processes of the session.
    Processes(Vec<Process>),
}

/// A process of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Process {
    pub(crate) outside: i32,
    pub(crate) inside: i32,
    pub(crate) seconds: u64,
    pub(crate) command: String,
}

/// What process 1 has to set up.
#[derive(Serialize, Deserialize)]
pub(super) struct Setup {
    pub(super) base: Vec<Mount>,
    pub(super) limits: Limits,
}

/// What process 1 is asked later.
#[derive(Serialize, Deserialize)]
pub(super) enum Order {
    /// Unconnected sockets of the session's network.
    Sockets(usize),
}

/// What `inside` has to become.
#[derive(Serialize, Deserialize)]
pub(super) struct Start {
    pub(super) plan: Plan,
    pub(super) command: Vec<Vec<u8>>,
}

/// Sends a message.
pub(super) fn send<T: Serialize>(
    stream: &UnixStream,
    message: &T,
    beside: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    let length = u32::try_from(body.len()).map_err(io::Error::other)?.to_le_bytes();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !beside.is_empty() && !control.push(SendAncillaryMessage::ScmRights(beside)) {
        return Err(io::Error::other("too many descriptors"));
    }
    let sent = rustix::net::sendmsg(stream, &[IoSlice::new(&length)], &mut control, SendFlags::NOSIGNAL)?;
    if sent != length.len() {
        return Err(io::ErrorKind::WriteZero.into());
    }
    (&mut &*stream).write_all(&body)
}

/// Receives a message.
pub(super) fn receive<T: DeserializeOwned>(stream: &UnixStream) -> io::Result<(T, Vec<OwnedFd>)> {
    let mut length = [0; 4];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let got = rustix::net::recvmsg(
        stream,
        &mut [IoSliceMut::new(&mut length)],
        &mut control,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    if got.bytes != length.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut beside = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            beside.extend(descriptors);
        }
    }
    let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
    if length > LONGEST {
        return Err(io::Error::other("a message is too long"));
    }
    let mut body = vec![0; length];
    (&mut &*stream).read_exact(&mut body)?;
    Ok((serde_json::from_slice(&body)?, beside))
}
