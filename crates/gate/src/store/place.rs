//! Where the store lives: the database and, beside it, the head of the chain in a file of its own.
//!
//! The head names the last entry. It is written after the database is durable, in place and without waiting for
//! the disk, so it may lag behind; it is never ahead unless entries went away.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::chain::Tip;
use super::error::StoreError;

const DATABASE: &str = "portcullis.db";
const HEAD: &str = "audit.head";
/// Twenty digits, a space, the hash and a line end.
const HEAD_LENGTH: usize = 86;

/// The files of a store.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The database.
    pub(super) database: PathBuf,
    /// The head of the chain.
    pub(super) head: PathBuf,
}

/// Which file a path leads to, whatever it is called.
pub(super) type Identity = (u64, u64);

/// What the second file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Head {
    /// This was the last entry.
    Names(Tip),
    /// The file is not there.
    Missing,
    /// There is nothing in it. Only before the database has its form is that a beginning.
    Empty,
    /// It cannot be understood.
    Broken,
}

impl Place {
    /// The files in `folder`, which must be there. Links on the way to it are followed once.
    pub(super) fn in_folder(folder: &Path) -> Result<Place, StoreError> {
        let folder = folder.canonicalize().map_err(|error| StoreError::write(folder, &error))?;
        Ok(Place { database: folder.join(DATABASE), head: folder.join(HEAD) })
    }

    /// Makes the folder and the empty files where they are missing, and refuses what others could change.
    pub(super) fn prepare(folder: &Path) -> Result<Place, StoreError> {
        if !folder.is_dir() {
            let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(|error| StoreError::write(folder, &error))?;
        }
        let place = Place::in_folder(folder)?;
        if let Some(folder) = place.database.parent() {
            let metadata = folder.metadata().map_err(|error| StoreError::write(folder, &error))?;
            refuse_shared(folder, &metadata)?;
        }
        match place.database.symlink_metadata() {
            Ok(metadata) if !metadata.is_file() => {
                return Err(StoreError::unusable(&place.database, "it is not a regular file; remove it"));
            }
            Ok(metadata) => {
                refuse_shared(&place.database, &metadata)?;
                if metadata.mode() & 0o077 != 0 {
                    let private = std::fs::Permissions::from_mode(0o600);
                    std::fs::set_permissions(&place.database, private)
                        .map_err(|error| StoreError::write(&place.database, &error))?;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Made here, because the database itself would make it readable for others.
                let made = private().write(true).create(true).open(&place.database);
                made.map_err(|error| StoreError::write(&place.database, &error))?;
            }
            Err(error) => return Err(StoreError::write(&place.database, &error)),
        }
        Ok(place)
    }

    /// Which file the database is now.
    pub(super) fn identity(&self) -> Option<Identity> {
        self.database.symlink_metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()))
    }

    /// How long the log of recent writes is, in bytes.
    pub(super) fn wal_length(&self) -> u64 {
        self.database.with_extension("db-wal").metadata().map_or(0, |metadata| metadata.len())
    }

    /// Why there is nothing to read: nothing was written yet, or what was is gone.
    pub(super) fn never_written(&self) -> StoreError {
        match self.read_head() {
            Ok(Head::Names(tip)) if tip.seq > 0 => {
                StoreError::CutTail { head: self.head.display().to_string(), expected: tip.seq, found: 0 }
            }
            Ok(_) | Err(_) => StoreError::Missing(self.database.display().to_string()),
        }
    }

    /// What the second file says.
    pub(super) fn read_head(&self) -> Result<Head, StoreError> {
        let file = match private().read(true).open(&self.head) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Head::Missing),
            Err(error) => return Err(StoreError::unusable(&self.head, &error.to_string())),
        };
        head_of(&file).map_err(|error| StoreError::unusable(&self.head, &error.to_string()))
    }

    /// Writes down which entry is the last.
    pub(super) fn write_head(&self, tip: &Tip) -> Result<(), StoreError> {
        let written = private().write(true).open(&self.head).and_then(|file| put_head(&file, tip));
        written.map_err(|error| StoreError::write(&self.head, &error))
    }

    /// Says that nothing was written yet. Durable before the first entry can be, so that no accident makes the file
    /// empty again: what is written later has the same length and the same place.
    pub(super) fn begin_head(&self, file: &File) -> Result<(), StoreError> {
        let begun = put_head(file, &Tip::start()).and_then(|()| file.sync_all()).and_then(|()| {
            let folder = self.head.parent().map(File::open);
            folder.map_or(Ok(()), |folder| folder?.sync_all())
        });
        begun.map_err(|error| StoreError::write(&self.head, &error))
    }

    /// Opens the second file for the one who makes the database, and lets nobody else do so at the same time.
    pub(super) fn lock_head(&self) -> Result<File, StoreError> {
        let opened = private().read(true).write(true).create(true).truncate(false).open(&self.head);
        let file = opened.map_err(|error| StoreError::write(&self.head, &error))?;
        let deadline = std::time::Instant::now() + super::BUSY;
        loop {
            match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(file),
                Err(error)
                    if error == rustix::io::Errno::WOULDBLOCK && std::time::Instant::now() < deadline =>
                {
                    std::thread::sleep(std::time::Duration::from_millis(2));
                }
                Err(_) => return Err(StoreError::Busy { file: self.head.display().to_string() }),
            }
        }
    }
}

/// What is opened is never a link, and never waited for.
fn private() -> OpenOptions {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
    let mut options = OpenOptions::new();
    options.mode(0o600).custom_flags(flags);
    options
}

fn refuse_shared(path: &Path, metadata: &std::fs::Metadata) -> Result<(), StoreError> {
    if metadata.mode() & 0o022 != 0 {
        let why = "other users can change it; make it private with `chmod go-rwx`";
        return Err(StoreError::unusable(path, why));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(StoreError::unusable(path, "it belongs to another user"));
    }
    Ok(())
}

/// The head that an open file holds.
pub(super) fn head_of(file: &File) -> io::Result<Head> {
    let mut bytes = [0; HEAD_LENGTH + 1];
    let length = file.read_at(&mut bytes, 0)?;
    if length == 0 {
        return Ok(Head::Empty);
    }
    let text = bytes.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let parts = text.and_then(|text| text.strip_suffix('\n')).and_then(|text| text.split_once(' '));
    let tip = parts.and_then(|(seq, hash)| {
        let digits = seq.len() == 20 && seq.bytes().all(|byte| byte.is_ascii_digit());
        let seq = seq.parse().ok().filter(|_| digits)?;
        super::chain::is_hash(hash).then(|| Tip { seq, hash: hash.to_owned() })
    });
    Ok(tip.map_or(Head::Broken, Head::Names))
}

fn put_head(file: &File, tip: &Tip) -> io::Result<()> {
    file.write_all_at(format!("{:020} {}\n", tip.seq, tip.hash).as_bytes(), 0)
}
