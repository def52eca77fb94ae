//! Looks through trusted folders for protected names and repositories; follows no symbolic link.

use std::collections::BTreeMap;
use std::path::Path;

use crate::facts::{Facts, Place, Project, Repository, is_within, parent};
use crate::tables::{is_dependencies, is_protected};

/// The most folders that are looked at; a trusted folder with more is too wide.
const MOST_FOLDERS: usize = 200_000;

/// Looks through some folders and says what is protected in them; `folder` hears of every folder before it is read.
///
/// # Errors
/// If there are too many of them, or a name is not text.
pub(crate) fn project(roots: &[String], mut folder: impl FnMut(&str)) -> Result<Project, String> {
    let mut found = Project::default();
    let mut waiting: Vec<String> = roots.iter().filter(|root| Path::new(root).is_dir()).cloned().collect();
    let mut looked_at = 0_usize;
    while let Some(current) = waiting.pop() {
        looked_at += 1;
        if looked_at > MOST_FOLDERS {
            return Err(format!("`{}` holds more than {MOST_FOLDERS} folders", roots.join("`, `")));
        }
        folder(&current);
        for (name, place) in names(&current) {
            let path = format!("{}/{name}", current.trim_end_matches('/'));
            if is_protected(&name) {
                if name.eq_ignore_ascii_case(".git") {
                    repositories(&path, &place, roots, &mut found.repositories);
                }
                found.protected.insert(path, place);
            } else if place == Place::Folder && !is_dependencies(&name) {
                waiting.push(path);
            }
        }
    }
    for root in roots {
        beside_the_working_tree(root, &mut found);
    }
    Ok(found)
}

/// A trusted folder that is itself part of a repository's own folder, or lies below protected names, needs no more.
fn beside_the_working_tree(root: &str, found: &mut Project) {
    let name = root.rsplit('/').next().unwrap_or_default();
    if is_protected(name) {
        found.protected.entry(root.to_owned()).or_insert(Place::Folder);
    }
}

/// What is in a folder; nothing where it may not be read.
fn names(folder: &str) -> BTreeMap<String, Place> {
    let mut names = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return names };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            // Protected names are text.
            continue;
        };
        let place = if kind.is_symlink() {
            link(&entry.path())
        } else if kind.is_dir() {
            Place::Folder
        } else {
            Place::File
        };
        names.insert(name.to_owned(), place);
    }
    names
}

/// A symbolic link, by where it leads in the end.
fn link(path: &Path) -> Place {
    let end = std::fs::canonicalize(path).ok();
    let place = end.as_ref().map(|end| if end.is_dir() { Place::Folder } else { Place::File });
    let text = end.and_then(|end| end.into_os_string().into_string().ok());
    match text {
        Some(text) => Place::Link(text, place.map(Box::new)),
        None => Place::Link(String::new(), None),
    }
}

/// What is at a path; a link as well where a folder above it is one.
pub(crate) fn place(path: &str) -> Option<Place> {
    let kind = std::fs::symlink_metadata(path).ok()?.file_type();
    let whole = std::fs::canonicalize(path).ok();
    Some(if kind.is_symlink() || whole.is_some_and(|whole| whole != Path::new(path)) {
        link(Path::new(path))
    } else if kind.is_dir() {
        Place::Folder
    } else {
        Place::File
    })
}

/// The repository at a `.git`, and those of its submodules.
fn repositories(path: &str, place: &Place, roots: &[String], found: &mut Vec<Repository>) {
    match place {
        Place::Folder => repository(path, found, 0),
        Place::File => linked(path, roots, found),
        Place::Link(..) => {}
    }
}

fn repository(folder: &str, found: &mut Vec<Repository>, depth: usize) {
    /// Submodules of submodules.
    const DEEPEST: usize = 5;
    let names = names(folder);
    let hooks = hooks(folder);
    let modules = names.contains_key("modules");
    found.push(Repository { folder: folder.to_owned(), names, hooks });
    if modules && depth < DEEPEST {
        submodules(&format!("{folder}/modules"), found, depth + 1);
    }
}

/// Submodules may lie some folders deep, as their names have slashes.
fn submodules(folder: &str, found: &mut Vec<Repository>, depth: usize) {
    for (name, place) in names(folder) {
        let path = format!("{folder}/{name}");
        if place != Place::Folder {
            continue;
        }
        if Path::new(&path).join("HEAD").is_file() {
            repository(&path, found, depth);
        } else if depth < 5 {
            submodules(&path, found, depth + 1);
        }
    }
}

/// A worktree or a submodule: a file that names the folder. It counts only if that folder names it back.
fn linked(file: &str, roots: &[String], found: &mut Vec<Repository>) {
    let Some(folder) = named_folder(file) else { return };
    // A submodule's own repository lies in that of the project.
    if roots.iter().any(|root| is_within(&folder, root)) {
        return;
    }
    let back = std::fs::read_to_string(format!("{folder}/gitdir")).unwrap_or_default();
    if std::fs::canonicalize(back.trim()).ok() != std::fs::canonicalize(file).ok() {
        return;
    }
    let common = std::fs::read_to_string(format!("{folder}/commondir")).unwrap_or_default();
    let common = std::fs::canonicalize(Path::new(&folder).join(common.trim()));
    let Some(common) = common.ok().and_then(|path| path.into_os_string().into_string().ok()) else { return };
    if is_within(&folder, &common) && common.ends_with("/.git") {
        found.push(Repository { names: names(&common), hooks: hooks(&common), folder: common });
        found.push(Repository { names: names(&folder), hooks: Vec::new(), folder });
    }
}

fn named_folder(file: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let named = text.strip_prefix("gitdir:")?.trim();
    let folder = Path::new(parent(file)?).join(named);
    std::fs::canonicalize(folder).ok()?.into_os_string().into_string().ok()
}

/// Folders that a configuration names for hooks.
fn hooks(folder: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("{folder}/config")).unwrap_or_default();
    let tree = parent(folder).unwrap_or("/");
    let named = text.lines().filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        key.trim().eq_ignore_ascii_case("hookspath").then(|| value.trim().trim_matches('"'))
    });
    let whole = named.filter_map(|path| std::fs::canonicalize(Path::new(tree).join(path)).ok());
    whole
        .filter_map(|path| path.into_os_string().into_string().ok())
        .filter(|path| Path::new(path).is_dir())
        .collect()
}

/// How much has to be known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// Everything.
    Whole,
    /// What a command needs that joins a session, whose base is there already.
    Joining,
}

/// What has to be known for an envelope, but what is in the project.
///
/// # Errors
/// If the working directory or the home folder cannot be told.
pub(crate) fn facts(envelope: &crate::Envelope, directory: &Path, extent: Extent) -> Result<Facts, String> {
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| format!("`{}` is not text", path.display()))
    };
    let directory =
        std::fs::canonicalize(directory).map_err(|error| format!("the working directory: {error}"))?;
    let environment: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let home = environment.iter().find(|(name, _)| name == "HOME").map(|(_, value)| value.clone());
    let home = home.filter(|home| home.starts_with('/') && home != "/");
    let home = home.ok_or_else(|| "`HOME` does not name a home folder".to_owned())?;
    let home = std::fs::canonicalize(&home).map_err(|error| format!("the home folder `{home}`: {error}"))?;
    let home = text(&home)?;
    let whole = extent == Extent::Whole;
    let mut asked = crate::project::questions(envelope, &home);
    if whole {
        asked.extend(crate::base::questions(&home));
    }
    let places = asked.into_iter().filter_map(|path| Some((path.clone(), place(&path)?))).collect();
    let paths = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone());
    let mut programs: Vec<String> = Vec::new();
    for folder in paths.unwrap_or_default().split(':').filter(|folder| whole && folder.starts_with('/')) {
        let folder = std::fs::canonicalize(folder).ok().and_then(|path| text(&path).ok());
        programs.extend(folder.filter(|folder| !programs.contains(folder)));
    }
    let resolver = std::fs::canonicalize("/etc/resolv.conf").ok().and_then(|path| text(&path).ok());
    let host_name =
        std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
    Ok(Facts {
        root: if whole || envelope.kind == crate::Kind::Open { root_names() } else { BTreeMap::new() },
        mounts: writable_mounts(&std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default()),
        sockets: sockets(envelope, &environment),
        directory: text(&directory)?,
        is_root: std::os::unix::fs::MetadataExt::uid(
            &std::fs::metadata("/proc/self").map_err(|error| error.to_string())?,
        ) == 0,
        project: Project::default(),
        home,
        places,
        programs,
        resolver,
        host_name,
        environment,
    })
}

/// What is in `/`; a link is kept as it is written.
fn root_names() -> BTreeMap<String, Place> {
    let mut found = names("/");
    for (name, place) in &mut found {
        if let (Place::Link(end, _), Ok(written)) = (place, std::fs::read_link(format!("/{name}"))) {
            written.to_str().unwrap_or_default().clone_into(end);
        }
    }
    found
}

/// The mounts that can be written, from the kernel's list.
fn writable_mounts(list: &str) -> Vec<String> {
    let fields = list.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let writable = fields.filter_map(|fields| {
        let options = fields.get(5)?;
        let read_only = options.split(',').any(|option| option == "ro");
        (!read_only).then(|| unescaped(fields.get(4).copied().unwrap_or_default()))
    });
    let mut found: Vec<String> = writable.filter(|path| path != "/").collect();
    found.sort();
    found.dedup();
    found
}

/// A path as the kernel writes it, with `\040` for a space.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = (first == b'\\').then(|| after.get(..3)).flatten();
        let value = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        bytes.push(value.unwrap_or(first));
        rest = if value.is_some() { after.get(3..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The sockets of other programs that have a path. Those of a desktop are left to `open`.
fn sockets(envelope: &crate::Envelope, environment: &[(String, String)]) -> Vec<String> {
    let list = std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let kept = |path: &str| {
        let agent = environment.iter().any(|(name, value)| name == "SSH_AUTH_SOCK" && value == path);
        envelope.kind == crate::Kind::Open && (agent || path.starts_with("/tmp/.X11-unix/"))
    };
    let paths =
        list.lines().filter_map(|line| line.split_whitespace().nth(7)).filter(|path| path.starts_with('/'));
    let mut found: Vec<String> =
        paths.filter(|path| !kept(path) && place(path).is_some()).map(str::to_owned).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_read_from_the_kernels_list() {
        let list = "22 27 0:21 / /proc rw,relatime - proc proc rw\n27 1 254:0 / / rw - ext4 /dev/vda rw\n\
                    28 27 0:25 / /mnt/a\\040b rw,nosuid - tmpfs x ro\n29 27 0:25 / /snap/x ro - squashfs x ro\n";
        assert_eq!(writable_mounts(list), ["/mnt/a b", "/proc"]);
    }

    /// [K2]
    #[test]
    fn protected_names_are_found_at_any_depth_but_not_among_dependencies() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap().to_str().unwrap().to_owned();
        for path in [".git/hooks", "a/b/.claude", "node_modules/x/.vscode", "c/.GIT"] {
            std::fs::create_dir_all(format!("{root}/{path}")).unwrap();
        }
        std::fs::write(format!("{root}/a/.mcp.json"), "{}").unwrap();
        std::os::unix::fs::symlink("/nowhere", format!("{root}/a/.envrc")).unwrap();
        let mut folders = Vec::new();
        let found = project(std::slice::from_ref(&root), |path| folders.push(path.to_owned())).unwrap();
        let names: Vec<&str> = found.protected.keys().map(|path| path.strip_prefix(&root).unwrap()).collect();
        assert_eq!(names, ["/.git", "/a/.envrc", "/a/.mcp.json", "/a/b/.claude", "/c/.GIT"]);
        assert_eq!(found.repositories.len(), 2);
        assert!(folders.iter().all(|path| !path.contains("node_modules") && !path.contains(".git")));
    }
}
