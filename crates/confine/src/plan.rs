//! From an envelope and facts to what has to be mounted, limited and passed on: a pure function.
//!
//! The host's tree is at `/.host` while a plan is carried out, and is detached before the command starts.

use serde::{Deserialize, Serialize};

use crate::envelope::{Envelope, Host, Kind, Limits};
use crate::environment::environment;
use crate::facts::{Facts, Place, is_within, parent};
use crate::{base, project};

/// Everything that has to happen before a command may start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The envelope's kind.
    pub kind: Kind,
    /// What every command of a session sees; done once.
    pub base: Vec<Mount>,
    /// What this command sees besides.
    pub mounts: Vec<Mount>,
    /// Folders that have to exist on the host first, so that they can be held.
    pub created: Vec<String>,
    /// Where writing is possible at all, for the second wall.
    pub writable: Vec<String>,
    /// What can be reached.
    pub network: Network,
    /// How much may be used.
    pub limits: Limits,
    /// The whole environment of the command.
    pub environment: Vec<(String, String)>,
    /// The working directory.
    pub directory: String,
}

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

/// The most hosts that one command may name.
const MOST_HOSTS: usize = 200;

/// The address inside at which the named host with this number is found.
#[must_use]
pub(crate) fn host_address(number: usize) -> [u8; 4] {
    let number = u8::try_from(number.saturating_add(1)).unwrap_or(u8::MAX);
    [127, 77, 0, number]
}

/// Turns an envelope into a plan.
///
/// # Errors
/// Where the envelope cannot be held: says why, for a person.
pub fn plan(envelope: &Envelope, facts: &Facts) -> Result<Plan, String> {
    let given = [&envelope.trusted, &envelope.writable, &envelope.readable];
    for path in given.into_iter().flatten() {
        is_holdable(path, envelope, facts)?;
    }
    if envelope.hosts.len() > MOST_HOSTS {
        return Err(format!("more than {MOST_HOSTS} hosts are named"));
    }
    let base = base::mounts(envelope, facts);
    let network = match (envelope.kind, envelope.hosts.is_empty()) {
        (Kind::Open, _) => Network::Machine,
        (Kind::Reads | Kind::Project, true) => Network::Session,
        (Kind::Reads | Kind::Project, false) => Network::Hosts(envelope.hosts.clone()),
    };
    let mut held = match envelope.kind {
        Kind::Reads => project::reads(envelope, facts),
        Kind::Project => project::project(envelope, facts),
        Kind::Open => project::open(envelope, facts),
    };
    if let Network::Hosts(hosts) = &network {
        let text = base::hosts_file(&facts.host_name, hosts);
        held.mounts.push(Mount::Text("/etc/hosts".to_owned(), text));
    }
    let environment = environment(envelope, facts, &network);
    Ok(Plan {
        kind: envelope.kind,
        base,
        mounts: held.mounts,
        created: held.created,
        writable: held.writable,
        network,
        limits: envelope.limits,
        environment,
        directory: facts.directory.clone(),
    })
}

/// Whether a folder can be given to a command without giving away what the envelope is for.
fn is_holdable(path: &str, envelope: &Envelope, facts: &Facts) -> Result<(), String> {
    let plain = path.starts_with('/') && !path.split('/').any(|part| matches!(part, "." | ".."));
    if !plain {
        return Err(format!("`{path}` is not a plain absolute path"));
    }
    if envelope.kind == Kind::Open {
        return Ok(());
    }
    if is_within(&facts.home, path) {
        return Err(format!("`{path}` holds the home folder; start in the folder of a project"));
    }
    let machine = ["/proc", "/sys", "/dev", "/run", "/.host"];
    if let Some(folder) = machine.iter().find(|folder| is_within(path, folder)) {
        return Err(format!("`{path}` is in `{folder}`, which belongs to the machine"));
    }
    let top =
        parent(path) == Some("/") && !matches!(path, "/work" | "/workspace" | "/app" | "/src" | "/build");
    let system = [
        "/usr", "/etc", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/opt", "/var", "/nix", "/tmp", "/home",
        "/root",
    ];
    if top && system.contains(&path) || ["/usr", "/etc", "/boot"].iter().any(|folder| is_within(path, folder))
    {
        return Err(format!("`{path}` belongs to the system"));
    }
    // FAIL-CLOSED(gate-in-project): the gate's own folders would be in reach.
    match envelope.own.iter().find(|own| is_within(path, own)) {
        Some(own) => Err(format!("`{path}` is in `{own}`, which belongs to the gate")),
        None => Ok(()),
    }
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
