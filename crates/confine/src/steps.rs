//! The steps in which a view is built, and what several makers of steps need.

use serde::{Deserialize, Serialize};

use crate::envelope::Host;
use crate::facts::{Facts, Place, is_within};

/// A step in building what a command sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mount {
    /// A folder of its own.
    Folder(String),
    /// A symbolic link: where, and what it says.
    Link(String, String),
    /// A private folder in memory: where, how large in MiB, its mode.
    Temporary(String, u64, u32),
    /// Something of the host: its path there, where it is seen, how.
    Bind(String, String, Access),
    /// A part of what was bound, which is a mount of its own, becomes read-only.
    Seal(String),
    /// Something is covered: an empty folder or an empty file.
    Hide(String, Covered),
    /// A file with this text.
    Text(String, String),
    /// The processes of the session.
    Processes,
    /// Harmless devices.
    Devices,
}

/// How something of the host is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// It cannot be changed.
    Read,
    /// It can be changed.
    Write,
}

/// What is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Covered {
    /// A folder.
    Folder,
    /// Anything else.
    File,
}

/// What can be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Network {
    /// The session's own loopback.
    Session,
    /// A loopback of its own, and these hosts by way of the forwarder.
    Hosts(Vec<Host>),
    /// What the machine can reach.
    Machine,
}

/// The address at which the resolver of a session answers.
pub(crate) const RESOLVER: &str = "127.77.255.53";

/// The address and port of the proxy for programs that know one.
pub(crate) const PROXY: (&str, u16) = ("127.77.255.1", 3128);

/// The address inside at which the named host with this number is found.
#[must_use]
pub(crate) fn host_address(number: usize) -> [u8; 4] {
    let number = u8::try_from(number.saturating_add(1)).unwrap_or(u8::MAX);
    [127, 77, 0, number]
}

/// Binds something of the host, and makes mounts in it read-only where it is.
pub(crate) fn bind(facts: &Facts, path: &str, place: &Place, access: Access, into: &mut Vec<Mount>) {
    let from = match place {
        Place::Folder | Place::File => path,
        Place::Link(end, Some(_)) => end,
        Place::Link(_, None) => return,
    };
    into.push(Mount::Bind(from.to_owned(), path.to_owned(), access));
    if access == Access::Read {
        let inside = facts.mounts.iter().filter(|mount| *mount != from && is_within(mount, from));
        let seen = inside.filter_map(|mount| Some(format!("{path}{}", mount.strip_prefix(from)?)));
        into.extend(seen.map(Mount::Seal));
    }
}

/// Covers something that would be visible.
pub(crate) fn hide(path: &str, place: &Place, into: &mut Vec<Mount>) {
    let covered = if place.is_folder() { Covered::Folder } else { Covered::File };
    match place {
        Place::Folder | Place::File => into.push(Mount::Hide(path.to_owned(), covered)),
        Place::Link(end, Some(_)) => into.push(Mount::Hide(end.clone(), covered)),
        Place::Link(_, None) => {}
    }
}

/// What a command sees besides the base.
#[derive(Default)]
pub(crate) struct Held {
    pub(crate) mounts: Vec<Mount>,
    pub(crate) created: Vec<String>,
    pub(crate) writable: Vec<String>,
}

/// Whether a path is seen by way of one of these steps.
pub(crate) fn is_seen(path: &str, mounts: &[Mount]) -> bool {
    mounts.iter().any(|mount| match mount {
        Mount::Bind(_, at, _) => is_within(path, at),
        Mount::Folder(_) | Mount::Link(..) | Mount::Temporary(..) | Mount::Seal(_) => false,
        Mount::Hide(..) | Mount::Text(..) | Mount::Processes | Mount::Devices => false,
    })
}
