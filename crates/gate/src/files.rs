//! Reading and writing files without surprises: nothing waits for a pipe, nothing is read without bound,
//! and what is written appears whole or not at all.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// The most that is read of any file.
pub(crate) const MAX_FILE: u64 = 1 << 20;

/// What reading a file gave.
#[derive(Debug)]
pub(crate) enum Content {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// There is no such file.
    Missing,
    /// It is there, but cannot be read: why.
    Unreadable(String),
}

/// Whose a file is, and who else can change it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    uid: u32,
    gid: u32,
    mode: u32,
}

impl Owner {
    /// Why the file is another user's, and what to do; nothing if it is the user's own or root's.
    pub(crate) fn is_foreign(self, path: &Path) -> Option<String> {
        let own = rustix::process::geteuid().as_raw();
        let foreign = self.uid != own && self.uid != 0;
        foreign.then(|| {
            let shown = path.display();
            format!("it belongs to another user ({}); fix it with `chown {own} {shown}`", self.uid)
        })
    }

    /// Why others can change the file, and what to do. A group that holds only the user, with the user's own number, is
    /// the user: many systems make files that such a group can write.
    pub(crate) fn is_shared(self, path: &Path) -> Option<String> {
        let private = self.gid == self.uid && self.uid == rustix::process::geteuid().as_raw();
        let others = self.mode & if private { 0o002 } else { 0o022 };
        (others != 0)
            .then(|| format!("other users can change it; fix it with `chmod go-w {}`", path.display()))
    }
}

/// Reads a regular file of at most [`MAX_FILE`] bytes. Links are followed.
pub(crate) fn read(path: &Path) -> Content {
    read_owned(path).0
}

/// The same, and whose it is.
pub(crate) fn read_owned(path: &Path) -> (Content, Option<Owner>) {
    match bytes(path) {
        Ok(Ok((bytes, owner))) => (Content::Bytes(bytes), Some(owner)),
        Ok(Err(why)) => (Content::Unreadable(why), None),
        Err(error) => (unopened(path, &error), None),
    }
}

fn unopened(path: &Path, error: &io::Error) -> Content {
    match error {
        // A link that leads nowhere is there, and somebody meant it to be read.
        error if is_missing(error) && path.symlink_metadata().is_err() => Content::Missing,
        error => Content::Unreadable(format!("it cannot be read: {error}")),
    }
}

/// The first bytes of a regular file, however long it is.
pub(crate) fn begins(path: &Path) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let mut bytes = Vec::new();
    file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    file.take(8).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether the error says that there is nothing at the path.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn bytes(path: &Path) -> io::Result<Result<(Vec<u8>, Owner), String>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Ok(Err("it is a folder, not a file".to_owned()));
    }
    if !metadata.is_file() {
        return Ok(Err("it is not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= MAX_FILE) {
        let owner = Owner { uid: metadata.uid(), gid: metadata.gid(), mode: metadata.mode() };
        Ok(Ok((bytes, owner)))
    } else {
        Ok(Err(format!("it is larger than {} KiB", MAX_FILE / 1024)))
    }
}

/// Whether other users can change what is at the path, or it cannot be told.
pub(crate) fn is_shared(path: &Path) -> bool {
    path.metadata().map_or(0o777, |it| it.permissions().mode()) & 0o022 != 0
}

/// Writes a file that only its owner can read, in a folder that only its owner can enter.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    replace(path, bytes, 0o600)
}

/// Puts new content in the place of a file in one step, keeping its access rights. A link stays a link.
pub(crate) fn write_over(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mode = path.metadata().map_or(0o600, |metadata| metadata.permissions().mode() & 0o777);
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    replace(&path, bytes, mode)
}

fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = PathBuf::from(name);
    let written = (|| {
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    })();
    if written.is_err() {
        // What is left over would only be in the way.
        drop(std::fs::remove_file(&beside));
    }
    written
}

#[cfg(test)]
mod tests {
    /// [R11] attack-L7
    #[test]
    fn a_file_is_trusted_only_if_nobody_else_can_change_it() {
        let own = rustix::process::geteuid().as_raw();
        let path = Path::new("/etc/portcullis/settings.json");
        let owner = |uid: u32, gid: u32, mode: u32| Owner { uid, gid, mode };
        for good in [owner(own, own, 0o644), owner(0, 0, 0o644), owner(own, own, 0o664)] {
            assert_eq!((good.is_foreign(path), good.is_shared(path)), (None, None), "{good:?}");
        }
        let other = owner(own + 1, own, 0o644).is_foreign(path).unwrap();
        assert!(other.contains("`chown "), "{other}");
        for shared in [owner(own, own + 1, 0o664), owner(own, own, 0o646)] {
            let said = shared.is_shared(path).unwrap();
            assert!(said.contains("`chmod go-w /etc/portcullis/settings.json`"), "{said}");
        }
    }

    use super::*;

    #[test]
    fn only_regular_files_are_read_and_nothing_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
            .unwrap();
        assert!(matches!(read(&path), Content::Unreadable(_)));
        assert!(matches!(read(folder.path()), Content::Unreadable(_)));
        assert!(matches!(read(&folder.path().join("none")), Content::Missing));
        std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
        assert!(matches!(read(&folder.path().join("link")), Content::Unreadable(_)));
        std::fs::write(folder.path().join("big"), vec![b' '; 1 + usize::try_from(MAX_FILE).unwrap()])
            .unwrap();
        assert!(matches!(read(&folder.path().join("big")), Content::Unreadable(_)));
    }

    #[test]
    fn private_files_are_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/trust.json");
        write_private(&path, b"1").unwrap();
        write_private(&path, b"2").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"2");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(path.parent().unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
