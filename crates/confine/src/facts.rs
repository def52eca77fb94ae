//! What was looked up on this machine before an envelope is turned into a plan; plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The world as a plan needs to know it. All paths are absolute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The user's home folder, without symbolic links.
    pub home: String,
    /// The working directory of the command, without symbolic links.
    pub directory: String,
    /// Whether the user is root, who could make folders anywhere.
    pub is_root: bool,
    /// What is in `/`.
    pub root: BTreeMap<String, Place>,
    /// Those of the asked places that exist.
    pub places: BTreeMap<String, Place>,
    /// Mounts that can be written.
    pub mounts: Vec<String>,
    /// Folders on `PATH`, without symbolic links.
    pub programs: Vec<String>,
    /// Sockets that other programs listen on.
    pub sockets: Vec<String>,
    /// Where `/etc/resolv.conf` leads.
    pub resolver: Option<String>,
    /// This machine's name.
    pub host_name: String,
    /// The environment of the caller.
    pub environment: Vec<(String, String)>,
    /// What the trusted folders hold.
    pub project: Project,
}

/// What the trusted and writable folders hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Protected names, with repositories among them.
    pub protected: BTreeMap<String, Place>,
    /// The inside of repositories.
    pub repositories: Vec<Repository>,
}

/// A repository's own folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// Where it lies.
    pub folder: String,
    /// What is directly in it.
    pub names: BTreeMap<String, Place>,
    /// Folders that its configuration names for hooks.
    pub hooks: Vec<String>,
}

/// What is found at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// A folder.
    Folder,
    /// A file of any other kind.
    File,
    /// A symbolic link, and where it leads in the end; nothing if that is not there.
    Link(String, Option<Box<Place>>),
}

impl Place {
    /// Whether it is a folder, or leads to one.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        match self {
            Place::Folder => true,
            Place::File | Place::Link(_, None) => false,
            Place::Link(_, Some(end)) => end.is_folder(),
        }
    }
}

/// Whether a path lies in a folder, or is that folder.
pub(crate) fn is_within(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folder that a path lies in.
pub(crate) fn parent(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    (!name.is_empty()).then_some(if folder.is_empty() { "/" } else { folder })
}
