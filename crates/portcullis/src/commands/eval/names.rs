//! What files with cases are called: short, and never two alike.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::outputs::identity;

/// The name of each file: its own without the ending, with as many of the folders above it as tell it from others of
/// that name, and the whole path where even those do not.
pub(super) fn of(files: &[PathBuf]) -> Result<Vec<String>, String> {
    let (mut paths, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut alike: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    for file in files {
        let twice = !paths.insert(file) || identity(file).is_some_and(|it| !seen.insert(it));
        if twice {
            return Err(format!("`{}` is given twice, so its cases would count twice", file.display()));
        }
        alike.entry(ending(file, 1)).or_default().push(file);
    }
    let parts: BTreeMap<String, Option<usize>> =
        alike.into_iter().map(|(stem, files)| (stem, parts_that_differ(&files))).collect();
    let name = |file: &PathBuf| match parts.get(&ending(file, 1)).copied().flatten() {
        Some(parts) => ending(file, parts),
        None => file.display().to_string(),
    };
    Ok(files.iter().map(name).collect())
}

/// How many parts from the end it takes to tell the files apart.
fn parts_that_differ(files: &[&Path]) -> Option<usize> {
    let deepest = files.iter().map(|file| file.components().count()).max().unwrap_or(1);
    (1..=deepest).find(|parts| {
        let names: BTreeSet<String> = files.iter().map(|file| ending(file, *parts)).collect();
        names.len() == files.len()
    })
}

/// The last parts of a path, without the ending of the file.
fn ending(path: &Path, parts: usize) -> String {
    let path = path.with_extension("");
    let all: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    all.get(all.len().saturating_sub(parts)..).unwrap_or_default().join("/")
}
