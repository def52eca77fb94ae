//! Containers and pods that a line works on by the number or name that it asks for first.

use portcullis_shell::{Command, Placement, Reading};

const CONTAINERS: &[&str] = &["docker", "podman", "nerdctl", "docker-compose"];
const CLUSTERS: &[&str] = &["kubectl", "oc"];

/// Whether the command does more than look at what the line found out: which one that is, nobody has seen.
pub(in crate::detect) fn acts_unseen(command: &Command, reading: &Reading) -> bool {
    let verbs = || command.verbs.iter().filter_map(|at| command.arguments.get(*at));
    let says = |known: &[&str]| verbs().any(|word| known.contains(&word.text.as_str()));
    let acts = match command.program.as_deref() {
        Some(name) if CONTAINERS.contains(&name) => !says(&["logs", "inspect", "stats", "top", "port"]),
        Some(name) if CLUSTERS.contains(&name) => {
            !says(&["logs", "describe", "get", "wait", "status", "history"])
        }
        _ => return false,
    };
    let found_out = |other: &Command| {
        let name = other.program.as_deref().unwrap_or_default();
        other.placement == Placement::Substitution && (CONTAINERS.contains(&name) || CLUSTERS.contains(&name))
    };
    acts && command.arguments.iter().any(|word| !word.literal) && reading.commands.iter().any(found_out)
}
