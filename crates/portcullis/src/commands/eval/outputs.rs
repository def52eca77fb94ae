//! Files that a run writes: never one of those that it reads, and there as a whole or not at all.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file that is being written beside the one it will replace.
pub(super) struct Output {
    /// As the user wrote it.
    named: PathBuf,
    file: BufWriter<File>,
    /// Where it is written and where it goes; nothing for what cannot be replaced, as a pipe.
    moved: Option<(PathBuf, PathBuf)>,
}

impl Output {
    /// Begins a file. What is there under its name stays until all is written.
    pub(super) fn begin(path: &Path) -> Result<Output, String> {
        let cannot = |error: io::Error| format!("cannot write `{}`: {error}", path.display());
        let (file, moved) = opened(path).map_err(cannot)?;
        let output = Output { named: path.to_owned(), file: BufWriter::new(file), moved };
        let before = output.moved.as_ref().and_then(|(_, place)| place.metadata().ok());
        if let Some(before) = before {
            output.file.get_ref().set_permissions(before.permissions()).map_err(cannot)?;
        }
        Ok(output)
    }

    pub(super) fn write(&mut self, text: &str) -> Result<(), String> {
        self.file.write_all(text.as_bytes()).map_err(|error| self.cannot(&error))
    }

    /// Puts the file in its place.
    pub(super) fn finish(mut self) -> Result<(), String> {
        let written = self.file.flush();
        let placed = written.and_then(|()| match &self.moved {
            Some((beside, place)) => {
                self.file.get_ref().sync_all().and_then(|()| std::fs::rename(beside, place))
            }
            None => Ok(()),
        });
        placed.map_err(|error| self.cannot(&error))?;
        self.moved = None;
        Ok(())
    }

    fn cannot(&self, error: &io::Error) -> String {
        format!("cannot write `{}`: {error}", self.named.display())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((beside, _)) = &self.moved {
            // What was not finished would only be in the way.
            drop(std::fs::remove_file(beside));
        }
    }
}

type Opened = (File, Option<(PathBuf, PathBuf)>);

fn opened(path: &Path) -> io::Result<Opened> {
    let there = match path.metadata() {
        Ok(there) => Some(there),
        Err(_) if path.is_symlink() => return Err(io::Error::other("it is a link that leads nowhere")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(handed) = inherited(path)? {
        return Ok((handed, None));
    }
    // A way to what is open may lead to a file, but that is the reader's, who would be left with the old one.
    let handed = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|way| path.starts_with(way));
    if handed || there.as_ref().is_some_and(|there| !there.is_file()) {
        return Ok((OpenOptions::new().append(true).open(path)?, None));
    }
    let Some(_) = there else { return beside(path.to_owned()) };
    // Whoever may not write to a file may not replace it either.
    OpenOptions::new().append(true).open(path)?;
    // A link stays one: what it leads to is replaced.
    beside(path.canonicalize()?)
}

/// What the program was started with: opened anew, it would be written from its beginning, over what is said there.
fn inherited(path: &Path) -> io::Result<Option<File>> {
    let own = match path.to_str() {
        Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => io::stdout().as_fd().try_clone_to_owned()?,
        Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => io::stderr().as_fd().try_clone_to_owned()?,
        Some(_) | None => return Ok(None),
    };
    Ok(Some(File::from(own)))
}

/// A new file in the folder of the one it will replace.
fn beside(place: PathBuf) -> io::Result<Opened> {
    /// A run that was killed leaves its file behind, and another may have the same number.
    const TRIES: usize = 100;
    let own = place.file_name().ok_or_else(|| io::Error::other("it is no name of a file"))?;
    let mut tried = Err(io::ErrorKind::AlreadyExists.into());
    for number in 0..TRIES {
        let mut name = std::ffi::OsString::from(".");
        name.push(own);
        name.push(format!(".{}-{number}.new", std::process::id()));
        let beside = place.with_file_name(name);
        tried = OpenOptions::new().write(true).create_new(true).open(&beside).map(|file| (file, beside));
        if !matches!(&tried, Err(error) if error.kind() == io::ErrorKind::AlreadyExists) {
            break;
        }
    }
    tried.map(|(file, beside)| (file, Some((beside, place))))
}

/// Says no where an output is one of the files that are read, or another output. The rows of an earlier run may be
/// replaced by those of this one: they are read before anything is written.
pub(super) fn apart(outputs: &[&Path], inputs: &[&Path]) -> Result<(), String> {
    for (at, output) in outputs.iter().enumerate() {
        if let Some(input) = inputs.iter().find(|input| same(output, input)) {
            let (output, input) = (output.display(), input.display());
            return Err(format!("`{output}` cannot be written: it is `{input}`, which is read"));
        }
        if outputs.iter().take(at).any(|other| same(output, other)) {
            return Err(format!("two outputs cannot go to `{}`", output.display()));
        }
    }
    Ok(())
}

/// Whether two paths lead to one file, by links of either kind or by name.
fn same(one: &Path, other: &Path) -> bool {
    match (identity(one), identity(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => !one.exists() && place(one) == place(other),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// What makes a file itself, whatever it is called; nothing for what is no file, as a pipe.
pub(super) fn identity(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().filter(Metadata::is_file).map(|facts| (facts.dev(), facts.ino()))
}

/// Where a file that is not there yet would be.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    path.file_name().map_or_else(|| folder.clone(), |name| folder.join(name))
}
