//! Where the gate keeps its own things, and where its programs lie.

use std::path::{Path, PathBuf};

/// The gate's own folders, wherever the caller's variables say they are.
pub(crate) fn own() -> Vec<String> {
    let home = std::env::var("HOME").unwrap_or_default();
    let mut found = vec![format!("{home}/.config/portcullis"), format!("{home}/.local/state/portcullis")];
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
        found.extend(
            std::env::var(name)
                .ok()
                .filter(|folder| folder.starts_with('/'))
                .map(|folder| folder + "/portcullis"),
        );
    }
    found.push("/etc/portcullis".to_owned());
    found
}

/// The gate's programs, which lie beside this one.
pub(crate) fn own_programs() -> Vec<String> {
    let program = std::env::current_exe().ok();
    let folder = program.as_deref().and_then(Path::parent).and_then(Path::to_str);
    let names = ["portcullis", "portcullis-hook", "portcullis-run"];
    folder.map(|folder| names.map(|name| format!("{folder}/{name}")).to_vec()).unwrap_or_default()
}

/// Paths without links, each once.
pub(crate) fn real(paths: Vec<String>) -> Vec<String> {
    let real = |path: String| {
        std::fs::canonicalize(&path).ok().and_then(|path| path.to_str().map(str::to_owned)).unwrap_or(path)
    };
    let mut found: Vec<String> = paths.into_iter().map(real).collect();
    found.sort();
    found.dedup();
    found
}

/// Where sessions and what was moved out of projects are kept.
#[cfg(target_os = "linux")]
pub(crate) fn state_folder() -> Result<PathBuf, String> {
    let given = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = given.or_else(|| home.map(|home| home.join(".local/state")));
    folder
        .map(|folder| folder.join("portcullis"))
        .ok_or_else(|| "`HOME` does not name a home folder".to_owned())
}
