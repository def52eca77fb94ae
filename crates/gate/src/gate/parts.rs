//! What belongs to the gate itself (SPEC S5): its folders, its programs wherever they are, and its processes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use portcullis_decide::GateParts;

use super::Gate;
use crate::settings::Places;

/// The programs of the gate, which lie beside each other.
const PROGRAMS: &[&str] = &["portcullis", "portcullis-hook", "portcullis-run"];

impl Places {
    /// What belongs to the gate in these places and in this process (S5): the files and processes that no agent may change.
    /// For programs that judge calls without a [`Gate`].
    #[must_use]
    pub fn gate_parts(&self) -> GateParts {
        static RUNNING: LazyLock<Vec<String>> = LazyLock::new(programs);
        let folders = [&self.config, &self.state, &self.managed];
        let mut paths: Vec<String> = Vec::new();
        for folder in folders.into_iter().filter(|folder| folder.is_absolute()) {
            let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            for path in [folder, &real] {
                paths.extend(
                    path.to_str().filter(|path| !paths.iter().any(|known| known == path)).map(str::to_owned),
                );
            }
        }
        paths.extend(RUNNING.iter().cloned());
        GateParts { paths, processes: vec![std::process::id()], attended: false }
    }
}

/// The running program and what lies beside it, by the name it was started under and where that leads.
fn programs() -> Vec<String> {
    let Ok(own) = std::env::current_exe() else { return Vec::new() };
    // Tests and embedders run another program, which is not the gate's.
    let named = own.file_name().and_then(|name| name.to_str());
    if !named.is_some_and(|name| PROGRAMS.contains(&name)) {
        return Vec::new();
    }
    let real = own.canonicalize().unwrap_or_else(|_| own.clone());
    let beside =
        |path: &Path| PROGRAMS.iter().map(|name| path.with_file_name(name)).collect::<Vec<PathBuf>>();
    let mut found: Vec<PathBuf> = beside(&own);
    found.extend(beside(&real));
    found.sort();
    found.dedup();
    found.into_iter().filter_map(|path| path.into_os_string().into_string().ok()).collect()
}

impl Gate {
    /// The gate's parts, and whether a person answers at a terminal now.
    pub(super) fn parts(&self) -> Arc<GateParts> {
        let attended = self.approvals().is_attended();
        Arc::new(GateParts { attended, ..self.inside.options.places.gate_parts() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [S5]
    #[test]
    fn folders_count_by_their_names_and_where_they_lead() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().canonicalize().unwrap();
        std::fs::create_dir(at.join("real")).unwrap();
        std::os::unix::fs::symlink("real", at.join("state")).unwrap();
        let places = Places { state: at.join("state"), ..Places::none(&at) };
        let parts = places.gate_parts();
        for name in ["state", "real"] {
            assert!(parts.paths.contains(&at.join(name).to_str().unwrap().to_owned()), "{parts:?}");
        }
    }
}
