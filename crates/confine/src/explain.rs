//! An envelope in words, for people; and the profile that would hold it on macOS.

use std::fmt::Write;

use crate::envelope::{Envelope, Git, Kind};
use crate::facts::Facts;
use crate::plan::Plan;
use crate::steps::{Access, Mount, Network};

/// What a plan means, one thing a line.
#[must_use]
pub fn explain(envelope: &Envelope, facts: &Facts, plan: &Plan) -> String {
    let mut text = format!("envelope  {}\n", envelope.kind.word());
    let mut line = |name: &str, said: &str| writeln!(text, "{name:<9} {said}").unwrap_or_default();
    match envelope.kind {
        Kind::Reads => line("writes", "nothing but a private temporary folder"),
        Kind::Project | Kind::Open => {
            let written = plan.mounts.iter().filter_map(|mount| written(mount, facts));
            written.for_each(|path| line("writes", &path));
            if envelope.kind == Kind::Project {
                line("writes", "/tmp and the home folder, both private to the session");
            }
        }
    }
    for mount in &plan.mounts {
        match mount {
            Mount::Bind(_, at, Access::Read) => line("reads", at),
            Mount::Hide(at, _) => line("hides", at),
            Mount::Bind(_, _, Access::Write) | Mount::Folder(_) | Mount::Link(..) | Mount::Temporary(..) => {}
            Mount::Seal(_) | Mount::Text(..) | Mount::Processes | Mount::Devices => {}
        }
    }
    if envelope.kind != Kind::Open {
        line("reads", "the system, and tool chains in the home folder; nothing else of it");
        let git = match envelope.git {
            Git::Read => "`.git` is read-only",
            Git::Work => "`.git` can be worked with, but its configuration and hooks are read-only",
        };
        line("git", git);
        line("new", "protected names that appear are moved out of the project and reported");
    }
    match &plan.network {
        Network::Session => line("network", "none but the session's own loopback"),
        Network::Machine => line("network", "as outside"),
        Network::Hosts(hosts) => {
            let ports = |port: Option<u16>| port.map_or_else(String::new, |port| format!(", {port}"));
            for host in hosts {
                line("network", &format!("{} (80, 443{})", host.name, ports(host.port)));
            }
        }
    }
    let limits = plan.limits;
    line("limits", &format!("{} processes in the session", limits.processes));
    line(
        "limits",
        &format!("{} MiB of data for each process, {} MiB for a file", limits.memory, limits.file),
    );
    if envelope.kind != Kind::Open {
        line("limits", &format!("{} MiB of temporary files", limits.temporary));
        let kept: Vec<&String> = plan.environment.iter().map(|(name, _)| name).collect();
        let dropped = facts.environment.iter().map(|(name, _)| name).filter(|name| !kept.contains(name));
        dropped.for_each(|name| line("drops", &format!("${name}")));
    }
    text
}

/// What a step lets the command write; folders that are bound on themselves to stay in place say nothing new.
fn written(mount: &Mount, facts: &Facts) -> Option<String> {
    match mount {
        Mount::Bind(_, at, Access::Write) => {
            let held = facts.project.protected.keys().any(|path| crate::facts::is_within(path, at));
            let given = facts.places.contains_key(at) || !held;
            given.then(|| at.clone())
        }
        Mount::Bind(_, _, Access::Read) | Mount::Folder(_) | Mount::Link(..) | Mount::Temporary(..) => None,
        Mount::Seal(_) | Mount::Hide(..) | Mount::Text(..) | Mount::Processes | Mount::Devices => None,
    }
}

/// The same envelope as a Seatbelt profile.
#[must_use]
pub fn seatbelt(envelope: &Envelope, facts: &Facts) -> String {
    let quoted = |path: &str| format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = String::from("(version 1)\n(allow default)\n");
    let mut line = |said: String| writeln!(text, "{said}").unwrap_or_default();
    if envelope.kind != Kind::Open {
        line("(deny network*)".to_owned());
        line("(allow network* (remote ip \"localhost:*\"))".to_owned());
        line("(deny file-write*)".to_owned());
        line(
            "(allow file-write* (subpath \"/private/tmp\") (literal \"/dev/null\") (literal \"/dev/tty\"))"
                .to_owned(),
        );
    }
    if envelope.kind == Kind::Project {
        let folders = envelope.trusted.iter().chain(&envelope.writable).cloned();
        for folder in folders.chain(crate::project::cache_folders(envelope, &facts.home)) {
            line(format!("(allow file-write* (subpath {}))", quoted(&folder)));
        }
        for path in facts.project.protected.keys() {
            line(format!("(deny file-write* (subpath {}))", quoted(path)));
        }
    }
    if envelope.kind != Kind::Open {
        for name in crate::tables::CREDENTIALS.iter().chain(crate::tables::HOME_SECRETS) {
            line(format!("(deny file-read* (subpath {}))", quoted(&format!("{}/{name}", facts.home))));
        }
    }
    for own in &envelope.own {
        line(format!("(deny file-write* (subpath {}))", quoted(own)));
    }
    text
}
