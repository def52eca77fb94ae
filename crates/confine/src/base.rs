//! What every command of a session sees: the system read-only, a private home folder with tool chains in it, and
//! nothing of other programs' sockets.

use crate::envelope::{Envelope, Host};
use crate::facts::{Facts, Place, is_within};
use crate::steps::{Access, Mount, RESOLVER, bind, hide, host_address, is_seen};
use crate::tables::{
    CREDENTIALS, HOME_SECRETS, HOME_VISIBLE, PROC_READ_ONLY, SYSTEM, SYSTEM_PARTS, SYSTEM_SECRETS,
};

/// The paths that have to be looked up for a base.
pub(crate) fn questions(home: &str) -> Vec<String> {
    let system = SYSTEM_PARTS.iter().chain(SYSTEM_SECRETS).map(|path| (*path).to_owned());
    let home =
        [HOME_VISIBLE, HOME_SECRETS, CREDENTIALS].concat().into_iter().map(|name| format!("{home}/{name}"));
    system.chain(home).collect()
}

/// The steps, in order.
pub(crate) fn mounts(envelope: &Envelope, facts: &Facts) -> Vec<Mount> {
    let mut steps = Vec::new();
    system(facts, &mut steps);
    steps.push(Mount::Processes);
    steps.extend(PROC_READ_ONLY.iter().map(|path| Mount::Seal((*path).to_owned())));
    steps.push(Mount::Devices);
    steps.push(Mount::Temporary("/tmp".to_owned(), envelope.limits.temporary, 0o1777));
    home(envelope, facts, &mut steps);
    covered(envelope, facts, &mut steps);
    let resolver = facts.resolver.clone().unwrap_or_else(|| "/etc/resolv.conf".to_owned());
    // One that answers quickly that there is no such name; without it some programs ask for many seconds.
    steps.push(Mount::Text(resolver, format!("nameserver {RESOLVER}\noptions timeout:1 attempts:1\n")));
    steps.push(Mount::Text("/etc/hosts".to_owned(), hosts_file(&facts.host_name, &[])));
    steps
}

fn system(facts: &Facts, steps: &mut Vec<Mount>) {
    for (name, place) in facts.root.iter().filter(|(name, _)| SYSTEM.contains(&name.as_str())) {
        let path = format!("/{name}");
        match place {
            Place::Link(end, _) => steps.push(Mount::Link(path, end.clone())),
            Place::Folder | Place::File => bind(facts, &path, place, Access::Read, steps),
        }
    }
    for folder in ["/var", "/run", "/sys"] {
        steps.push(Mount::Folder(folder.to_owned()));
    }
    steps.push(Mount::Link("/var/run".to_owned(), "/run".to_owned()));
    steps.push(Mount::Link("/var/tmp".to_owned(), "/tmp".to_owned()));
    for path in SYSTEM_PARTS {
        if let Some(place) = facts.places.get(*path) {
            match place {
                // As on NixOS, where it leads into the store.
                Place::Link(end, _) => steps.push(Mount::Link((*path).to_owned(), end.clone())),
                Place::Folder | Place::File => bind(facts, path, place, Access::Read, steps),
            }
        }
    }
}

fn home(envelope: &Envelope, facts: &Facts, steps: &mut Vec<Mount>) {
    let home = &facts.home;
    steps.push(Mount::Temporary(home.clone(), envelope.limits.temporary, 0o700));
    for name in HOME_VISIBLE {
        let path = format!("{home}/{name}");
        if let Some(place) = facts.places.get(&path) {
            bind(facts, &path, place, Access::Read, steps);
        }
    }
    // Programs that lie elsewhere, as the caller's shell finds them.
    for folder in &facts.programs {
        let wide = ["/", "/tmp", "/run", "/var", "/sys", "/proc", "/dev"].contains(&folder.as_str());
        let machine = ["/proc", "/sys", "/dev", "/run"].iter().any(|machine| is_within(folder, machine));
        if !wide && !machine && !is_within(home, folder) && !is_seen(folder, steps) {
            bind(facts, folder, &Place::Folder, Access::Read, steps);
        }
    }
}

fn covered(envelope: &Envelope, facts: &Facts, steps: &mut Vec<Mount>) {
    let home = [HOME_SECRETS, CREDENTIALS].concat().into_iter().map(|name| format!("{}/{name}", facts.home));
    let secrets = SYSTEM_SECRETS.iter().map(|path| (*path).to_owned()).chain(home);
    for path in secrets {
        if let Some(place) = facts.places.get(&path)
            && is_seen(&path, steps)
        {
            hide(&path, place, steps);
        }
    }
    for socket in facts.sockets.iter().filter(|socket| is_seen(socket, steps)).cloned().collect::<Vec<_>>() {
        hide(&socket, &Place::File, steps);
    }
    for own in envelope.own.iter().filter(|own| is_seen(own, steps)).cloned().collect::<Vec<_>>() {
        if let Some(place @ Place::Folder) = facts.places.get(&own) {
            hide(&own, place, steps);
        }
    }
}

/// The names that can be resolved inside.
pub(crate) fn hosts_file(host_name: &str, hosts: &[Host]) -> String {
    let mut text = String::from("127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n");
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if !host_name.is_empty() && host_name.bytes().all(safe) {
        text.extend(["127.0.0.1 ", host_name, "\n"]);
    }
    for (number, host) in hosts.iter().enumerate() {
        let address = host_address(number).map(|part| part.to_string()).join(".");
        text.extend([address.as_str(), " ", &host.name, "\n"]);
    }
    text
}
