//! What files with cases are called: short, and never two alike.

use std::path::{Path, PathBuf};

use super::outputs::same;

/// The name of each file: its own without the ending, with as many of the folders above it as tell it from others of
/// that name, and the whole path where even those do not.
pub(super) fn of(files: &[PathBuf]) -> Result<Vec<String>, String> {
    for (at, file) in files.iter().enumerate() {
        if files.iter().take(at).any(|other| other == file || same(other, file)) {
            return Err(format!("`{}` is given twice, so its cases would count twice", file.display()));
        }
    }
    Ok(files.iter().map(|file| name(file, files)).collect())
}

fn name(file: &Path, files: &[PathBuf]) -> String {
    let alike: Vec<&PathBuf> = files.iter().filter(|other| ending(other, 1) == ending(file, 1)).collect();
    let apart = |parts: usize| {
        let mut names: Vec<String> = alike.iter().map(|other| ending(other, parts)).collect();
        names.sort();
        names.windows(2).all(|pair| pair.first() != pair.last())
    };
    let deepest = alike.iter().map(|other| other.components().count()).max().unwrap_or(1);
    let parts = (1..=deepest).find(|parts| apart(*parts));
    parts.map_or_else(|| file.display().to_string(), |parts| ending(file, parts))
}

/// The last parts of a path, without the ending of the file.
fn ending(path: &Path, parts: usize) -> String {
    let path = path.with_extension("");
    let all: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    all.get(all.len().saturating_sub(parts)..).unwrap_or_default().join("/")
}
