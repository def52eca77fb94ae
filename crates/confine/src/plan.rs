//! From an envelope and facts to what has to be mounted, limited and passed on: a pure function.
//!
//! The host's tree is at `/.host` while a plan is carried out, and is detached before the command starts.

use serde::{Deserialize, Serialize};

use crate::envelope::{Envelope, Kind, Limits};
use crate::environment::environment;
use crate::facts::{Facts, is_within};
use crate::steps::{Mount, Network};
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

/// The most hosts that one command may name.
const MOST_HOSTS: usize = 200;

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
    let system = ["/bin", "/sbin", "/lib", "/lib64", "/opt", "/var", "/nix", "/tmp", "/home", "/root"];
    if system.contains(&path) || ["/usr", "/etc", "/boot"].iter().any(|folder| is_within(path, folder)) {
        return Err(format!("`{path}` belongs to the system"));
    }
    // FAIL-CLOSED(gate-in-project): the gate's own folders would be in reach.
    match envelope.own.iter().find(|own| is_within(path, own) || is_within(own, path)) {
        Some(own) => Err(format!("`{path}` and `{own}`, which belongs to the gate, lie in each other")),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
