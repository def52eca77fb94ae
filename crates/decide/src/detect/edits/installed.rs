//! Packages as they are installed: what is changed there is in no review, and comes back with no installation.

use crate::detect::{Finding, detectors};

/// Code of an installed package that gains a way to other machines or to a shell.
pub(super) fn reaches(old: &str, new: &str, path: &str) -> Option<Finding> {
    const FOLDERS: &[&str] = &[
        "/node_modules/",
        "/site-packages/",
        "/dist-packages/",
        "/vendor/bundle/",
        "/.cargo/registry/",
        "/pkg/mod/",
    ];
    const WAYS: &[&str] = &[
        "http",
        "fetch(",
        "child_process",
        "eval(",
        "exec(",
        "socket",
        "requests.",
        "urllib",
        "net::",
        "os.system",
        "subprocess",
        "process.env",
        "os.environ",
        "dns.",
        "new function(",
        "atob(",
        "b64decode",
    ];
    if !FOLDERS.iter().any(|folder| path.contains(folder)) {
        return None;
    }
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let count = |text: &str| WAYS.iter().map(|way| text.matches(way).count()).sum::<usize>();
    (count(&new) > count(&old)).then(|| Finding::by(&detectors::INSTALLED_PACKAGE_PATCHED))
}
