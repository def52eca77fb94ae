//! Whether a file is tracked by git: looked up in the repository's index, without starting git.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::surroundings::git_folder;

/// The longest index that is read.
const LONGEST: u64 = 64 << 20;

/// The indexes that were read for one call.
#[derive(Default)]
pub(super) struct Indexes(HashMap<PathBuf, Option<Vec<u8>>>);

impl Indexes {
    /// Whether the file is in the index of the repository that it lies in.
    pub(super) fn tracks(&mut self, path: &Path) -> bool {
        let found = path.ancestors().skip(1).find_map(|place| Some((place, git_folder(place)?)));
        let Some((top, folder)) = found else { return false };
        let Ok(inside) = path.strip_prefix(top) else { return false };
        let index = self.0.entry(folder).or_insert_with_key(|folder| bytes(&folder.join("index")));
        let wanted = inside.as_os_str().as_encoded_bytes();
        index.as_deref().and_then(|index| contains(index, wanted)).unwrap_or(false)
    }
}

fn bytes(path: &Path) -> Option<Vec<u8>> {
    let file = std::fs::File::open(path).ok()?;
    if !file.metadata().is_ok_and(|it| it.is_file() && it.len() <= LONGEST) {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether the index holds the path; nothing where it is not understood.
fn contains(index: &[u8], wanted: &[u8]) -> Option<bool> {
    /// The fixed part of an entry before its flags: times, numbers, size and the object's name.
    const FIXED: usize = 60;
    const EXTENDED: u8 = 0x40;
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?));
    if index.get(..4)? != b"DIRC" {
        return None;
    }
    let version = number(4)?;
    let mut at = 12;
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..number(8)? {
        let start = at;
        let extended = version >= 3 && index.get(at + FIXED)? & EXTENDED != 0;
        at += FIXED + 2 + if extended { 2 } else { 0 };
        if version == 4 {
            let (drop, length) = variable(index.get(at..)?)?;
            name.truncate(name.len().checked_sub(drop)?);
            at += length;
        } else {
            name.clear();
        }
        let rest = index.get(at..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(rest.get(..end)?);
        at += end + 1;
        if version < 4 {
            // Entries are padded to a multiple of eight bytes.
            at = start + (at - start).next_multiple_of(8);
        }
        if name == wanted {
            return Some(true);
        }
    }
    Some(false)
}

/// A number of variable length as git writes it, and how many bytes it takes.
fn variable(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (index, byte) in bytes.iter().enumerate().take(8) {
        value = (value << 7) | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
        value += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn git(folder: &Path, words: &[&str]) {
        let done = Command::new("git").current_dir(folder).args(words).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    }

    /// [P0]
    #[test]
    fn tracked_files_are_found_in_every_form_of_the_index() {
        for version in ["2", "3", "4"] {
            let folder = tempfile::tempdir().unwrap();
            let top = folder.path();
            git(top, &["init", "-q"]);
            std::fs::create_dir_all(top.join("src/deep")).unwrap();
            for name in ["a.py", "src/b.py", "src/deep/c with space.py", "src/deep/cc.py", "z"] {
                std::fs::write(top.join(name), "x").unwrap();
            }
            git(top, &["add", "a.py", "src"]);
            git(top, &["update-index", "--index-version", version]);
            let mut indexes = Indexes::default();
            for name in ["a.py", "src/b.py", "src/deep/c with space.py", "src/deep/cc.py"] {
                assert!(indexes.tracks(&top.join(name)), "{version} {name}");
            }
            for name in ["z", "src", "src/deep/c", "none"] {
                assert!(!indexes.tracks(&top.join(name)), "{version} {name}");
            }
            std::fs::write(top.join(".git/index"), b"DIRC\0\0\0\x02\0\0\0\x09cut").unwrap();
            assert!(!Indexes::default().tracks(&top.join("a.py")), "a broken index tracks nothing");
        }
    }
}
