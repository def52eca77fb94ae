//! Reading and writing settings that belong to others: links are followed and stay links, owner and access rights stay,
//! and what is written appears whole or not at all.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// No settings file is larger.
const MOST_BYTES: u64 = 4 << 20;

/// The text of a file; nothing where there is none. A link that leads nowhere is an error.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    match bytes(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err() => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err("it is a link that leads nowhere".to_owned())
        }
        Err(error) => Err(format!("it cannot be read: {error}")),
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    // Without waiting for somebody to write into a pipe.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let facts = file.metadata()?;
    if !facts.is_file() || facts.len() > MOST_BYTES {
        return Err(io::Error::other("it is no regular file of usual size"));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The file that a path leads to.
pub(super) fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// Puts a text in the place of a file, in one step.
pub(super) fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let path = target(path);
    let facts = path.metadata().ok();
    let mode = facts.as_ref().map_or(mode, |facts| facts.permissions().mode() & 0o777);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = PathBuf::from(name);
    let written = fill(&beside, text, mode, facts.as_ref()).and_then(|()| std::fs::rename(&beside, &path));
    if written.is_err() {
        // What is left over would only be in the way.
        drop(std::fs::remove_file(&beside));
    }
    written
}

fn fill(path: &Path, text: &str, mode: u32, like: Option<&Metadata>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    let own = file.metadata()?;
    if let Some(like) = like.filter(|like| (like.uid(), like.gid()) != (own.uid(), own.gid())) {
        // An administrator who installs for a user must not take the user's file away.
        std::os::unix::fs::fchown(&file, Some(like.uid()), Some(like.gid()))?;
    }
    // The mask may have taken rights away that the file had.
    file.set_permissions(std::fs::Permissions::from_mode(mode))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// The folders above a path that do not exist yet, the outermost first.
pub(super) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<_> =
        path.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_path_buf).collect();
    missing.reverse();
    missing
}
