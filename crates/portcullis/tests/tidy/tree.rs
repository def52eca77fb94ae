//! The files of the repository, read once for all tests.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::source::Source;

/// What git ignores, and git itself.
const IGNORED: &[&str] = &[".git", "target", "tools", "fuzz/target", "fuzz/artifacts", "fuzz/corpus"];

/// A file that is text, by its path from the root, with slashes.
pub(crate) struct TextFile {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl TextFile {
    pub(crate) fn is(&self, extension: &str) -> bool {
        Path::new(&self.name).extension().is_some_and(|it| it == extension)
    }

    /// Whether it lies in one of these folders.
    pub(crate) fn is_in(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }
}

/// Every file of the repository that is text.
pub(crate) static FILES: LazyLock<Vec<TextFile>> = LazyLock::new(|| {
    let mut found = Vec::new();
    walk(&root(), "", &mut found);
    assert!(found.len() > 500, "the repository is where it is expected");
    found
});

/// Every Rust file below `crates/`, taken apart.
pub(crate) static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let rust = FILES.iter().filter(|file| file.is("rs") && file.is_in(&["crates"]));
    rust.map(|file| Source::read(&file.name, &file.text)).collect()
});

/// The Markdown pages.
pub(crate) fn pages() -> impl Iterator<Item = &'static TextFile> {
    FILES.iter().filter(|file| file.is("md"))
}

/// The sources of the crates without their tests, examples and benches.
pub(crate) fn shipped() -> impl Iterator<Item = &'static Source> {
    let unshipped: Vec<String> = SOURCES.iter().flat_map(Source::test_files).collect();
    SOURCES.iter().filter(move |source| {
        source.name.split('/').nth(2) == Some("src")
            && !source.name.ends_with("_tests.rs")
            && !unshipped.iter().any(|test| source.name.starts_with(test.as_str()))
    })
}

/// Whether there is a file or a folder with this path from the root.
pub(crate) fn exists(name: &str) -> bool {
    root().join(name).exists()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn walk(folder: &Path, below: &str, found: &mut Vec<TextFile>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().unwrap();
        let name = if below.is_empty() { name } else { format!("{below}/{name}") };
        if IGNORED.contains(&name.as_str()) || name.ends_with("__pycache__") {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &name, found);
        } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
            found.push(TextFile { name, text });
        }
    }
}
