//! What a command sees besides the base: the project, with what is protected in it, caches, and repositories.

use std::collections::BTreeMap;

use crate::envelope::{Envelope, Git, Kind};
use crate::facts::{Facts, Place, Repository, is_within, parent};
use crate::steps::{Access, Covered, Held, Mount, bind, hide};
use crate::tables::{AGENT_SETTINGS, CACHES, is_protected_in_git};

/// The paths that have to be looked up for an envelope.
pub(crate) fn questions(envelope: &Envelope, home: &str) -> Vec<String> {
    let own = [&envelope.own, &envelope.own_programs];
    let given = [&envelope.trusted, &envelope.writable, &envelope.readable].into_iter().chain(own);
    let mut asked: Vec<String> = given.flatten().cloned().collect();
    asked.extend(cache_folders(envelope, home));
    if envelope.kind == Kind::Open {
        asked.extend(AGENT_SETTINGS.iter().map(|name| format!("{home}/{name}")));
    }
    asked
}

/// The folders of the caches that may be written.
pub(crate) fn cache_folders(envelope: &Envelope, home: &str) -> Vec<String> {
    let wanted = |programs: &[&str]| envelope.caches.iter().any(|cache| programs.contains(&cache.as_str()));
    let folders = CACHES.iter().filter(|(programs, _)| wanted(programs)).flat_map(|(_, folders)| *folders);
    folders.map(|folder| format!("{home}/{folder}")).collect()
}

/// Nothing can be written but a temporary folder of its own.
pub(crate) fn reads(envelope: &Envelope, facts: &Facts) -> Held {
    let mut mounts = vec![Mount::Temporary("/tmp".to_owned(), envelope.limits.temporary, 0o1777)];
    for path in [&envelope.trusted, &envelope.writable, &envelope.readable].into_iter().flatten() {
        if let Some(place) = facts.places.get(path) {
            bind(facts, path, place, Access::Read, &mut mounts);
        }
    }
    for repository in &facts.project.repositories {
        bind(facts, &repository.folder, &Place::Folder, Access::Read, &mut mounts);
    }
    hide_sockets(facts, &mut mounts);
    hide_own(envelope, facts, &mut mounts);
    // Last: places to bind to are made in it.
    mounts.push(Mount::Seal(facts.home.clone()));
    mounts.push(Mount::Seal("/dev/shm".to_owned()));
    Held { mounts, created: Vec::new(), writable: vec!["/tmp".to_owned()] }
}

/// The project can be written, but not what makes something run later.
pub(crate) fn project(envelope: &Envelope, facts: &Facts) -> Held {
    let mut seen: BTreeMap<String, (Place, Access)> = BTreeMap::new();
    let mut created = Vec::new();
    let mut add = |path: &String, access: Access| {
        if let Some(place) = facts.places.get(path) {
            seen.insert(path.clone(), (place.clone(), access));
        }
    };
    envelope.readable.iter().for_each(|path| add(path, Access::Read));
    for path in envelope.trusted.iter().chain(&envelope.writable) {
        add(path, Access::Write);
    }
    for path in cache_folders(envelope, &facts.home) {
        add(&path, Access::Write);
    }
    let writable: Vec<String> = seen
        .iter()
        .filter(|(_, (_, access))| *access == Access::Write)
        .map(|(path, _)| path.clone())
        .collect();
    for (path, place) in &facts.project.protected {
        // Somebody named just this one.
        let named = |given: &String| given == path || is_within(given, path);
        if envelope.writable.iter().any(named) || matches!(place, Place::Link(..)) {
            continue;
        }
        seen.insert(path.clone(), (place.clone(), Access::Read));
    }
    for repository in &facts.project.repositories {
        inside_git(repository, envelope.git, &mut seen, &mut created);
    }
    held_in_place(&mut seen);
    let mut mounts = Vec::new();
    for (path, (place, access)) in &seen {
        bind(facts, path, place, *access, &mut mounts);
    }
    hide_sockets(facts, &mut mounts);
    hide_own(envelope, facts, &mut mounts);
    let shared = ["/tmp".to_owned(), facts.home.clone(), "/dev/shm".to_owned()];
    let git = facts.project.repositories.iter().map(|repository| repository.folder.clone());
    let git = git.filter(|_| envelope.git == Git::Work);
    Held { mounts, created, writable: writable.into_iter().chain(shared).chain(git).collect() }
}

/// Of a repository everything is read-only, or what makes git run or obey something.
fn inside_git(
    repository: &Repository,
    git: Git,
    seen: &mut BTreeMap<String, (Place, Access)>,
    created: &mut Vec<String>,
) {
    let folder = &repository.folder;
    if git == Git::Read {
        seen.insert(folder.clone(), (Place::Folder, Access::Read));
        return;
    }
    seen.insert(folder.clone(), (Place::Folder, Access::Write));
    for (name, place) in repository.names.iter().filter(|(name, _)| is_protected_in_git(name)) {
        if !matches!(place, Place::Link(..)) {
            seen.insert(format!("{folder}/{name}"), (place.clone(), Access::Read));
        }
    }
    for name in ["hooks", "info"].into_iter().filter(|name| !repository.names.contains_key(*name)) {
        let path = format!("{folder}/{name}");
        seen.insert(path.clone(), (Place::Folder, Access::Read));
        created.push(path);
    }
    for hooks in &repository.hooks {
        seen.insert(hooks.clone(), (Place::Folder, Access::Read));
    }
}

/// Binds every folder above something read-only on itself: a mount cannot be renamed, a folder that holds one can.
fn held_in_place(seen: &mut BTreeMap<String, (Place, Access)>) {
    let read_only: Vec<String> = seen
        .iter()
        .filter(|(_, (_, access))| *access == Access::Read)
        .map(|(path, _)| path.clone())
        .collect();
    for path in read_only {
        let above = |folder: &str| {
            let mut ancestors = std::iter::successors(parent(folder), |folder| parent(folder));
            ancestors.find_map(|folder| seen.get(folder))
        };
        let mut folders = Vec::new();
        let mut folder = parent(&path);
        while let Some(current) = folder.filter(|current| !seen.contains_key(*current)) {
            if above(current).is_none_or(|(_, access)| *access == Access::Read) {
                break;
            }
            folders.push(current.to_owned());
            folder = parent(current);
        }
        seen.extend(folders.into_iter().map(|folder| (folder, (Place::Folder, Access::Write))));
    }
}

/// Everything but the gate, and what would start programs outside.
pub(crate) fn open(envelope: &Envelope, facts: &Facts) -> Held {
    let mut mounts = Vec::new();
    let machine = ["proc", "dev", "run", "sys", "lost+found"];
    for (name, place) in facts.root.iter().filter(|(name, _)| !machine.contains(&name.as_str())) {
        let path = format!("/{name}");
        match place {
            Place::Link(end, _) => mounts.push(Mount::Link(path, end.clone())),
            Place::Folder | Place::File => bind(facts, &path, place, Access::Write, &mut mounts),
        }
    }
    if let Some(resolver) = facts.resolver.as_ref().filter(|path| is_within(path, "/run")) {
        bind(facts, resolver, &Place::File, Access::Read, &mut mounts);
    }
    let mut seen: BTreeMap<String, (Place, Access)> = BTreeMap::new();
    seen.insert(facts.home.clone(), (Place::Folder, Access::Write));
    for name in AGENT_SETTINGS {
        let path = format!("{}/{name}", facts.home);
        if let Some(place @ (Place::File | Place::Folder)) = facts.places.get(&path) {
            seen.insert(path, (place.clone(), Access::Read));
        }
    }
    let mut created = Vec::new();
    for own in &envelope.own {
        let missing = !facts.places.contains_key(own);
        // One that is not there yet is made, so that nobody else makes it.
        if missing && (is_within(own, &facts.home) || facts.is_root) {
            created.push(own.clone());
        }
        if !missing || created.last() == Some(own) {
            seen.insert(own.clone(), (Place::Folder, Access::Read));
        }
    }
    for program in &envelope.own_programs {
        if let Some(place @ Place::File) = facts.places.get(program) {
            seen.insert(program.clone(), (place.clone(), Access::Read));
        }
    }
    let roots: Vec<String> = facts.root.keys().map(|name| format!("/{name}")).collect();
    seen.extend(roots.iter().map(|root| (root.clone(), (Place::Folder, Access::Write))));
    held_in_place(&mut seen);
    // Those are bound already.
    seen.retain(|path, _| !roots.contains(path));
    for (path, (place, access)) in &seen {
        bind(facts, path, place, *access, &mut mounts);
    }
    hide_sockets(facts, &mut mounts);
    hide_own(envelope, facts, &mut mounts);
    mounts.extend(created.iter().map(|own| Mount::Hide(own.clone(), Covered::Folder)));
    Held { mounts, created, writable: vec!["/".to_owned()] }
}

fn hide_sockets(facts: &Facts, mounts: &mut Vec<Mount>) {
    let seen = |socket: &&String| crate::steps::is_seen(socket, mounts);
    let sockets: Vec<String> = facts.sockets.iter().filter(seen).cloned().collect();
    for socket in &sockets {
        hide(socket, &Place::File, mounts);
    }
}

fn hide_own(envelope: &Envelope, facts: &Facts, mounts: &mut Vec<Mount>) {
    let seen = |own: &&String| crate::steps::is_seen(own, mounts);
    let owns = envelope.own.iter().chain(&envelope.own_programs).filter(seen).cloned();
    for own in owns.collect::<Vec<_>>() {
        match facts.places.get(&own) {
            Some(place @ Place::Folder) => hide(&own, place, mounts),
            // A program of the gate may be run, but not changed.
            Some(place @ Place::File) => bind(facts, &own, place, Access::Read, mounts),
            Some(Place::Link(..)) | None => {}
        }
    }
}
